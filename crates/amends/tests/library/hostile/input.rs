//! Whatever text comes in, an answer comes out: data or an error, never a panic.

use crate::common::read_applicants;
use crate::common::repeatable::repeatable;
use amends::data::{Dataset, Schema, Table, draft};
use proptest::prelude::*;

/// Text made of the pieces that tables and schema files consist of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        ",",
        ";",
        "\t",
        "\n",
        "\r\n",
        "\"",
        "\"\"",
        " ",
        "a",
        "b",
        "1",
        "0",
        "-9",
        "2.5",
        "1e999",
        "NaN",
        "?",
        "good",
        "bad",
        "é",
        "\u{feff}",
        "\u{0}",
        "[[feature]]\n",
        "[target]\n",
        "name = ",
        "kind = ",
        "levels = [",
        "]",
        "version = 1\n",
        "\"integer\"\n",
        "'categorical'\n",
        "step = -0.0\n",
        "range = [",
        "max_change = ",
        "effort = nan\n",
        "codes = [{ value = ",
        "label = 'x' }",
        "column = 'a'\n",
        "[[rule]]\n",
        "rule = 'a stays'\n",
        "rule = 'a <= 3 or b",
        "duration falls'\n",
        "#",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(repeatable(256))]

    #[test]
    fn any_text_is_a_table_or_an_error(text in prop_oneof![pieces(), any::<String>()]) {
        if let Ok(table) = Table::parse(&text, "any") {
            prop_assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
            for target in &table.header {
                if let Ok(draft) = draft(&table, "any", target, Some(&table.rows[0][0])) {
                    prop_assert_eq!(&Schema::parse(&draft.to_toml(), "any").unwrap(), &draft.schema);
                    let _ = Dataset::from_table(&table, &draft.schema);
                }
            }
            let _ = read_applicants(&table, &Schema::german_free());
        }
    }

    #[test]
    fn any_text_is_a_schema_or_an_error(text in prop_oneof![pieces(), any::<String>()]) {
        if let Ok(schema) = Schema::parse(&text, "any") {
            prop_assert_eq!(&Schema::parse(&schema.to_toml(), "any").unwrap(), &schema);
        }
    }

    #[test]
    fn any_change_of_a_good_schema_is_read_or_refused(
        place in 0usize..5000, cut in 0usize..40, piece in pieces(), coded in any::<bool>(),
    ) {
        let schema = if coded { Schema::heloc_codes() } else { Schema::german_free() };
        let text = schema.to_toml();
        let rest = text.chars().skip(place + cut);
        let changed: String = text.chars().take(place).chain(piece.chars()).chain(rest).collect();
        if let Ok(schema) = Schema::parse(&changed, "changed") {
            prop_assert_eq!(&Schema::parse(&schema.to_toml(), "changed").unwrap(), &schema);
        }
    }
}
