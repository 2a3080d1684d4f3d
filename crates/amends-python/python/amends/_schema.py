"""What the columns of a data frame are: from its types, from the user's word, or from a schema file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Optional, Sequence

import pandas as pd

from . import _amends
from ._frames import is_missing, level_text

KINDS = ("integer", "continuous", "binary", "categorical", "ordinal")


@dataclass
class Feature:
    """One column, with its levels as the frame has them where it has any."""

    name: str
    kind: str
    levels: list[Any] = field(default_factory=list)

    @property
    def numeric(self) -> bool:
        return self.kind in ("integer", "continuous")

    @property
    def texts(self) -> list[str]:
        return [level_text(level) for level in self.levels]


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


def infer_feature(column: pd.Series, kind: Optional[str], levels: Optional[Sequence[Any]]) -> Feature:
    """What a column is: ``kind`` and ``levels`` are the user's or an encoder's word."""
    name, dtype = str(column.name), column.dtype
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kinds[`{name}`]: `{kind}` is no kind; use one of {', '.join(KINDS)}")
    present = [value for value in column.unique().tolist() if not is_missing(value)]
    if levels is None and isinstance(dtype, pd.CategoricalDtype):
        levels = dtype.categories.tolist()
        if kind is None and dtype.ordered:
            kind = "ordinal"
    is_number = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    zero_one = is_number and len(present) == 2 and set(present) == {0, 1}
    if kind is None and levels is None and is_number and not zero_one:
        kind = "integer" if pd.api.types.is_integer_dtype(dtype) else "continuous"
    if kind in ("integer", "continuous"):
        return Feature(name, kind)
    if levels is None:
        levels = _sorted(present)
    if kind is None:
        kind = "binary" if len(levels) == 2 else "categorical"
    return Feature(name, kind, list(levels))


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
) -> Schema:
    """The schema file of an inferred schema."""
    fixed = set(immutable)
    lines = ["version = 1", 'name = "frame"', "", "[target]", f"column = {_quoted(target)}"]
    lines += [f"favourable = {_quoted(favourable)}", f"unfavourable = {_quoted(unfavourable)}"]
    for feature in features:
        lines += ["", "[[feature]]", f"name = {_quoted(feature.name)}", f"kind = {_quoted(feature.kind)}"]
        if feature.levels:
            lines.append(f"levels = [{', '.join(_quoted(text) for text in feature.texts)}]")
        if feature.name in fixed:
            lines.append('change = "immutable"')
        elif feature.numeric and feature.name in permitted_range:
            lines.append(f"range = {range_text(feature.name, permitted_range[feature.name])}")
    return Schema("\n".join(lines) + "\n", features, target, favourable, unfavourable)


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
        levels = [_raw_level(text, frame[entry["name"]]) for text in entry["levels"]]
        features.append(Feature(entry["name"], entry["kind"], levels))
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
            wishes.append(f"`{name}` is one of {', '.join(_rule_level(feature, level) for level in allowed)}")
        elif in_file:
            wishes.append(f"`{name}`.range = {range_text(name, allowed)}")
    return wishes


def _rule_level(feature: Feature, level: Any) -> str:
    text = level_text(level)
    if text not in feature.texts:
        known = ", ".join(f"`{text}`" for text in feature.texts)
        raise ValueError(f"permitted_range[`{feature.name}`]: `{text}` is no level of this column; it has {known}")
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def range_text(name: str, allowed: Any) -> str:
    """A range as a schema file has it."""
    try:
        low, high = (float(end) for end in allowed)
    except (TypeError, ValueError):
        raise ValueError(f"permitted_range[`{name}`]: give two numbers, such as (0, 90)") from None
    return f"[{low!r}, {high!r}]"


def check_names(what: str, names: Iterable[str], schema: Schema) -> list[str]:
    """Refuses names of columns that there are not."""
    known = [feature.name for feature in schema.features]
    names = [names] if isinstance(names, str) else list(names)
    for name in names:
        if name not in known:
            raise ValueError(f"{what}: `{name}` is no column of the model; it has {', '.join(f'`{k}`' for k in known)}")
    return names


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
