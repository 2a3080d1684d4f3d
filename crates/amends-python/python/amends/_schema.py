"""What the columns of a data frame are: from its types, from the user's word, or from a schema file."""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Optional, Sequence

import pandas as pd

from . import _amends
from ._frames import first_missing, is_missing, level_text, nearest

#: The texts that the core takes for a missing value.
_STAND_FOR_MISSING = ("", "na", "n/a", "nan", "null", "none", "?", "-", ".")

KINDS = ("integer", "continuous", "binary", "categorical", "ordinal")


@dataclass
class Feature:
    """One column, with its levels and codes as the frame has them where it has any."""

    name: str
    kind: str
    levels: list[Any] = field(default_factory=list)
    #: Cells that are states beside the numbers or levels: NaN for a missing value, -7 and the like of schema files.
    codes: list[Any] = field(default_factory=list)
    #: The same as the core has them.
    code_texts: list[str] = field(default_factory=list)
    #: Whether more codes may be declared, as for columns that no schema file describes.
    inferred: bool = False

    def is_open(self, value: Any) -> bool:
        """Whether a value may still become a code."""
        return self.inferred and level_text(value) not in self.code_texts

    @property
    def numeric(self) -> bool:
        return self.kind in ("integer", "continuous")

    @property
    def texts(self) -> list[str]:
        return [level_text(level) for level in self.levels]

    @property
    def may_be_missing(self) -> bool:
        return any(is_missing(code) for code in self.codes)

    @property
    def nothing(self) -> Any:
        """What the frame has where a value is missing."""
        return next((code for code in self.codes if is_missing(code)), None)

    def add_code(self, code: Any) -> None:
        """A state that the column may have, no level then; a missing value is an empty text."""
        if level_text(code) in self.code_texts:
            return
        self.levels = [level for level in self.levels if level_text(level) != level_text(code)]
        self.codes.append(code)
        self.code_texts.append(level_text(code))

    def raw(self, text: Any) -> Any:
        """A value of the core as the frame has it."""
        text = "" if text is None else text
        if isinstance(text, str) and text in self.code_texts:
            return self.codes[self.code_texts.index(text)]
        return text if self.numeric else self.levels[self.texts.index(text)]


@dataclass
class Schema:
    """What the core reads, and what Python has to know of it."""

    toml: str
    features: list[Feature]
    target: str
    favourable: str
    unfavourable: str

    def feature(self, name: str) -> Feature:
        return next(feature for feature in self.features if feature.name == name)

    @property
    def numeric(self) -> dict[str, bool]:
        """For every column in order, whether its cells are numbers."""
        return {feature.name: feature.numeric for feature in self.features}

    @property
    def never_missing(self) -> list[str]:
        """The columns that have no state for a missing cell."""
        return [feature.name for feature in self.features if not feature.may_be_missing]

    @property
    def missing(self) -> dict[str, str]:
        """For every column that may be missing, the text of such a cell."""
        return {
            feature.name: text
            for feature in self.features
            for code, text in zip(feature.codes, feature.code_texts)
            if is_missing(code)
        }


def infer_feature(
    column: pd.Series, kind: Optional[str], levels: Optional[Sequence[Any]], codes: Sequence[Any] = ()
) -> Feature:
    """What a column is: ``kind``, ``levels`` and ``codes`` are the user's or a transformer's word."""
    name, dtype = str(column.name), column.dtype
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kinds[`{name}`]: `{kind}` is not a kind; use one of {', '.join(KINDS)}")
    nothing = missing_value(column)
    present = present_values(column)
    if not present:
        raise ValueError(
            f"column `{name}`: is missing in every row, so that nothing is known of it; leave it out, of the model, too, or fit "
            "the explainer on rows that have it"
        )
    if levels is None and isinstance(dtype, pd.CategoricalDtype):
        levels = dtype.categories.tolist()
        if kind is None and dtype.ordered:
            kind = "ordinal"
    is_number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    zero_one = is_number and len(present) == 2 and set(present) == {0, 1}
    if kind is None and levels is None and is_number and not zero_one:
        # Beside missing cells, pandas has whole numbers as 3.0.
        whole = nothing is not None and all(float(value).is_integer() for value in present)
        kind = "integer" if whole or pd.api.types.is_integer_dtype(dtype) else "continuous"
    if kind in ("integer", "continuous"):
        feature = Feature(name, kind, inferred=True)
    else:
        if levels is None:
            levels = _sorted(present)
        if kind is None:
            kind = "binary" if len(levels) == 2 else "categorical"
        feature = Feature(name, kind, [level for level in levels if not is_missing(level)], inferred=True)
    if nothing is not None:
        feature.add_code(nothing.value)
    for code in codes:
        feature.add_code(code)
    if len(feature.levels) == 1 and feature.codes:
        feature.kind = "categorical"
    return feature


def present_values(column: pd.Series) -> list[Any]:
    """The different values of a column, without missing ones."""
    return [value for value in column.unique().tolist() if not is_missing(value)]


@dataclass(frozen=True)
class Missing:
    """What a column holds where it holds nothing."""

    value: Any


def missing_value(column: pd.Series) -> Optional[Missing]:
    """What stands for a missing cell, where there is one: encoders distinguish None from NaN."""
    index = first_missing(column)
    if index is None:
        return None
    if column.dtype != object:
        return Missing(column.iloc[index])
    holes = [value for value in column.tolist() if is_missing(value)]
    kinds = {type(value) for value in holes}
    if len(kinds) > 1:
        raise ValueError(
            f"column `{column.name}`: has both None and NaN for missing cells, which models distinguish; use one of the two"
        )
    return Missing(holes[0])


def _sorted(values: list[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=level_text)


def build(
    features: list[Feature],
    target: str,
    favourable: str,
    unfavourable: str,
    immutable: Iterable[str],
    permitted_range: Mapping[str, Any],
    supply: Iterable[str] = (),
) -> Schema:
    """The schema file of an inferred schema; ``supply`` are the columns whose missing cells may be filled in by plans."""
    fixed, supplied = set(immutable), set(supply)
    lines = ["version = 1", 'name = "frame"', "", "[target]", f"column = {_quoted(target)}"]
    lines += [f"favourable = {_quoted(favourable)}", f"unfavourable = {_quoted(unfavourable)}"]
    for feature in features:
        lines += ["", "[[feature]]", f"name = {_quoted(feature.name)}", f"kind = {_quoted(feature.kind)}"]
        if feature.levels:
            lines.append(f"levels = [{', '.join(_quoted(text) for text in feature.texts)}]")
        if feature.codes:
            leave = feature.name in supplied and feature.name not in fixed
            lines.append(f"codes = [{', '.join(_code(feature, index, leave) for index in range(len(feature.codes)))}]")
        never_varies = not feature.numeric and len(feature.levels) < 2
        if feature.name in fixed or never_varies:
            lines.append('change = "immutable"')
        elif feature.numeric and feature.name in permitted_range:
            lines.append(f"range = {range_text(feature.name, permitted_range[feature.name])}")
    return Schema("\n".join(lines) + "\n", features, target, favourable, unfavourable)


def _code(feature: Feature, index: int, leave: bool) -> str:
    """A missing cell, or a number that an imputer takes for one, with a label that is not a level."""
    text = feature.code_texts[index]
    label = "missing" if not text else f"missing ({text})"
    while label in feature.texts:
        label = f"{label} value"
    return f"{{ value = {_quoted(text)}, label = {_quoted(label)}{', leave = true' if leave else ''} }}"


def read(source: str, frame: pd.DataFrame) -> Schema:
    """A schema file, or its text, for a frame."""
    is_text = "\n" in source
    if is_text:
        toml, name = source, "schema"
    else:
        name = os.fspath(source)
        with open(name, encoding="utf-8") as file:
            toml = file.read()
    described = json.loads(_amends.describe_schema(toml, name))
    features = []
    for entry in described["features"]:
        if entry["name"] not in frame.columns:
            raise ValueError(f"column `{entry['name']}`: is in {name} but not in X")
        column = frame[entry["name"]]
        levels = [_raw_level(text, column) for text in entry["levels"]]
        features.append(Feature(entry["name"], entry["kind"], levels))
        for text in entry["codes"]:
            features[-1].codes.append(_raw_code(text, column))
            features[-1].code_texts.append(text)
    return Schema(toml, features, described["target"], described["favourable"], described["unfavourable"])


def _raw_level(text: str, column: pd.Series) -> Any:
    """A level of a schema file as the frame has it, also where no row does."""
    known = column.dtype.categories if isinstance(column.dtype, pd.CategoricalDtype) else column.unique()
    for value in known.tolist():
        if level_text(value) == text:
            return value
    if pd.api.types.is_bool_dtype(column.dtype):
        return text.lower() in ("true", "1")
    if pd.api.types.is_integer_dtype(column.dtype):
        return int(float(text))
    if pd.api.types.is_float_dtype(column.dtype):
        return float(text)
    return text


def _raw_code(text: str, column: pd.Series) -> Any:
    """A code of a schema file as the frame has it."""
    if text.lower() not in _STAND_FOR_MISSING:
        try:
            return _raw_level(text, column)
        except ValueError:
            return text
    found = missing_value(column)
    if found is not None:
        return found.value
    return default_missing(column)


def default_missing(column: pd.Series) -> Any:
    """What a column would hold where it held nothing."""
    return getattr(column.dtype, "na_value", math.nan)


def restrictions(schema: Schema, immutable: Iterable[str], permitted_range: Mapping[str, Any], in_file: bool) -> list[str]:
    """Keyword arguments as wishes: all of them beside a schema file, else only what the inferred one can't say."""
    wishes = []
    fixed = set(immutable)
    for name in fixed if in_file else ():
        wishes.append(f'`{name}`.change = "immutable"')
    for name, allowed in permitted_range.items():
        feature = schema.feature(name)
        if name in fixed:
            continue
        if not feature.numeric:
            # Who lacks a value may always keep to that.
            levels = [_rule_level(feature, level) for level in allowed if not is_missing(level)]
            wishes.append(f"`{name}` is one of {', '.join(levels)}")
        elif in_file:
            wishes.append(f"`{name}`.range = {range_text(name, allowed)}")
    return wishes


def _rule_level(feature: Feature, level: Any) -> str:
    text = level_text(level)
    if text not in feature.texts:
        known = ", ".join(f"`{text}`" for text in feature.texts)
        raise ValueError(f"permitted_range[`{feature.name}`]: `{text}` is not a level of this column; it has {known}")
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def range_text(name: str, allowed: Any) -> str:
    """A range as a schema file has it."""
    try:
        low, high = allowed
        low, high = float(-math.inf if low is None else low), float(math.inf if high is None else high)
    except (TypeError, ValueError):
        raise ValueError(
            f"permitted_range[`{name}`]: give two numbers, such as (0, 90); None leaves an end open"
        ) from None
    if not low <= high:
        raise ValueError(f"permitted_range[`{name}`]: {allowed!r} runs from high to low, or holds no number; give (low, high)")
    return f"[{low!r}, {high!r}]"


def check_names(what: str, names: Iterable[str], schema: Schema) -> list[str]:
    """Refuses names of columns that there are not."""
    known = [feature.name for feature in schema.features]
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in known:
            near = nearest(str(name), known)
            remedy = f"did you mean `{near}`?" if near else f"it has {', '.join(f'`{k}`' for k in known)}"
            raise ValueError(f"{what}: `{name}` is not a column of the model; {remedy}")
    return names


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
