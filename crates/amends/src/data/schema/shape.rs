//! The shape of the schema file.

use crate::shape::{Shape, optional, required};

const TEXTS: Shape = Shape::List(&Shape::Text);
const RANGE: Shape = Shape::List(&Shape::Number);

/// A schema file.
pub(super) const SCHEMA: Shape = Shape::Object(&[
    required("version", &Shape::Count),
    required("name", &Shape::Text),
    optional("reference_date", &Shape::Text),
    required("target", &TARGET),
    optional("feature", &Shape::List(&FEATURE)),
    optional("rule", &Shape::List(&RULE)),
]);

const TARGET: Shape = Shape::Object(&[
    required("column", &Shape::Text),
    required("favourable", &Shape::Text),
    required("unfavourable", &Shape::Text),
]);

const FEATURE: Shape = Shape::Object(&[
    required("name", &Shape::Text),
    required("kind", &Shape::OneOf(KINDS)),
    optional("change", &Shape::OneOf(&["free", "immutable", "increase", "decrease"])),
    optional("levels", &TEXTS),
    optional("label", &Shape::Text),
    optional("unit", &Shape::Text),
    optional("decimal", &Shape::OneOf(&[".", ","])),
    optional("thousands", &Shape::OneOf(&[",", ".", "'", " "])),
    optional("grouping", &Shape::OneOf(&["threes", "indian"])),
    optional("sign", &SIGN),
    optional("date", &Shape::Text),
    optional("reference_date", &Shape::Text),
    optional("step", &Shape::Number),
    optional("range", &RANGE),
    optional("relative_range", &RANGE),
    optional("max_change", &Shape::Number),
    optional("least_change", &Shape::Number),
    optional("one_step", &Shape::Flag),
    optional("moves", &Shape::List(&MOVES)),
    optional("effort", &Shape::Number),
    optional("codes", &Shape::List(&CODE)),
    optional("de", &TRANSLATION),
]);

const TRANSLATION: Shape = Shape::Object(&[
    optional("label", &Shape::Text),
    optional("unit", &Shape::Text),
    optional("levels", &Shape::Map(&Shape::Text)),
    optional("codes", &Shape::Map(&Shape::Text)),
]);

const KINDS: &[&str] = &["integer", "continuous", "binary", "categorical", "ordinal"];

const MOVES: Shape = Shape::Object(&[required("from", &Shape::Text), required("to", &TEXTS)]);

const CODE: Shape = Shape::Object(&[
    required("value", &CELLS),
    required("label", &Shape::Text),
    optional("leave", &Shape::Flag),
    optional("enter", &Shape::Flag),
]);

const SIGN: Shape =
    Shape::Either(&Shape::Text, &TEXTS, "a text in quotes such as \"EUR\", or a list of those");

const CELLS: Shape = Shape::Either(
    &CELL,
    &Shape::List(&CELL),
    "a number, a text in quotes such as \"\" or \"NA\", or a list of those",
);

const CELL: Shape = Shape::Either(
    &Shape::Number,
    &Shape::Text,
    "a number, or a text in quotes such as \"\" or \"NA\"",
);

const RULE: Shape =
    Shape::Object(&[required("rule", &Shape::Text), optional("name", &Shape::Text)]);
