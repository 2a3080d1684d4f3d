"""What stands before a model, read off fitted scikit-learn transformers column by column.

Every column that reaches the model is made of one feature: of a number by a few steps of arithmetic, of a level by a
table. Both are the transformers' own, so that the core can undo them to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional, Sequence

import numpy as np

from ._frames import is_missing, level_text
from ._schema import Feature

TRANSFORMERS = (
    "StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, OneHotEncoder, OrdinalEncoder, SimpleImputer, "
    "ColumnTransformer, Pipeline, passthrough"
)


class NeedsLevels(Exception):
    """A numeric feature reaches an encoder: its numbers are names of categories."""

    def __init__(self, feature: str, levels: Sequence[Any]):
        super().__init__(feature)
        self.feature = feature
        self.levels = list(levels)


@dataclass(frozen=True)
class Column:
    """A column on its way to the model."""

    feature: str
    #: Of a number: the arithmetic so far.
    steps: tuple[tuple[str, Any], ...] = ()
    #: Of a feature with levels: what stands for each of them.
    values: Optional[tuple[Any, ...]] = None

    def step(self, name: str, by: float) -> Column:
        """The column after one step."""
        if self.values is None:
            return replace(self, steps=(*self.steps, (name, float(by))))
        numbers = self.numbers()
        return replace(self, values=tuple(None if n is None else _ARITHMETIC[name](n, float(by)) for n in numbers))

    def clip(self, low: float, high: float) -> Column:
        if self.values is None:
            return replace(self, steps=(*self.steps, ("clip", [float(low), float(high)])))
        return replace(self, values=tuple(None if n is None else min(max(n, low), high) for n in self.numbers()))

    def numbers(self) -> list[Optional[float]]:
        """What stands for each level, as numbers."""
        try:
            return [None if is_missing(value) else float(value) for value in self.values or ()]
        except (TypeError, ValueError):
            raise ValueError(
                f"column `{self.feature}`: reaches the model as text; put a OneHotEncoder or an OrdinalEncoder before it"
            ) from None

    def feed(self) -> dict[str, Any]:
        """The column as the core reads it."""
        if self.values is None:
            return {"number": {"feature": self.feature, "steps": [{name: by} for name, by in self.steps]}}
        return {"levels": {"feature": self.feature, "numbers": self.numbers()}}


_ARITHMETIC = {
    "add": lambda number, by: number + by,
    "subtract": lambda number, by: number - by,
    "multiply": lambda number, by: number * by,
    "divide": lambda number, by: number / by,
}


def start(features: Sequence[Feature]) -> list[Column]:
    """The columns of the frame."""
    return [Column(f.name, values=None if f.numeric else tuple(f.levels)) for f in features]


def through(step: Any, columns: list[Column]) -> list[Column]:
    """The columns after a fitted transformer."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return columns
    known = {
        "Pipeline": _pipeline,
        "ColumnTransformer": _column_transformer,
        "StandardScaler": _standard,
        "MinMaxScaler": _min_max,
        "MaxAbsScaler": _max_abs,
        "RobustScaler": _robust,
        "OneHotEncoder": _one_hot,
        "OrdinalEncoder": _ordinal,
        "SimpleImputer": _imputer,
        "FunctionTransformer": _function,
    }.get(type(step).__name__)
    if known is None or not type(step).__module__.startswith("sklearn."):
        raise TypeError(
            f"{type(step).__name__} can't be read before a model; these can: {TRANSFORMERS}. "
            "Put what it does into the data frame instead"
        )
    width = getattr(step, "n_features_in_", len(columns))
    if width != len(columns):
        raise ValueError(f"{type(step).__name__} was fitted on {width} columns, but gets {len(columns)}")
    return known(step, columns)


def _pipeline(step: Any, columns: list[Column]) -> list[Column]:
    for _, inner in step.steps:
        columns = through(inner, columns)
    return columns


def _column_transformer(step: Any, columns: list[Column]) -> list[Column]:
    if any(weight != 1 for weight in (step.transformer_weights or {}).values()):
        raise TypeError("ColumnTransformer with transformer_weights can't be read; leave them out")
    names = [str(name) for name in getattr(step, "feature_names_in_", ())]
    out: list[Column] = []
    for _, inner, chosen in step.transformers_:
        if isinstance(inner, str) and inner == "drop":
            continue
        picked = [columns[place] for place in _places(chosen, names, len(columns))]
        if picked:
            out += through(inner, picked)
    return out


def _places(chosen: Any, names: list[str], width: int) -> list[int]:
    """Which columns a ColumnTransformer means by names, places, a slice or a mask."""
    if isinstance(chosen, slice):
        ends = [names.index(end) if isinstance(end, str) else end for end in (chosen.start, chosen.stop)]
        if isinstance(chosen.stop, str):
            ends[1] += 1
        return list(range(width))[slice(ends[0], ends[1], chosen.step)]
    if isinstance(chosen, (str, int, np.integer)):
        chosen = [chosen]
    chosen = list(chosen)
    if len(chosen) == width and all(isinstance(flag, (bool, np.bool_)) for flag in chosen):
        return [place for place, flag in enumerate(chosen) if flag]
    return [names.index(one) if isinstance(one, str) else int(one) % width for one in chosen]


def _scaled(columns: list[Column], *moves: tuple[str, Any]) -> list[Column]:
    for name, per_column in moves:
        if per_column is not None:
            columns = [column.step(name, by) for column, by in zip(columns, per_column)]
    return columns


def _standard(step: Any, columns: list[Column]) -> list[Column]:
    mean = step.mean_ if step.with_mean else None
    return _scaled(columns, ("subtract", mean), ("divide", step.scale_ if step.with_std else None))


def _min_max(step: Any, columns: list[Column]) -> list[Column]:
    columns = _scaled(columns, ("multiply", step.scale_), ("add", step.min_))
    return [column.clip(*step.feature_range) for column in columns] if step.clip else columns


def _max_abs(step: Any, columns: list[Column]) -> list[Column]:
    return _scaled(columns, ("divide", step.scale_))


def _robust(step: Any, columns: list[Column]) -> list[Column]:
    center = step.center_ if step.with_centering else None
    return _scaled(columns, ("subtract", center), ("divide", step.scale_ if step.with_scaling else None))


def _levels(column: Column, categories: Any) -> list[Optional[int]]:
    """The category of every level; None for one that the encoder has never seen."""
    known = list(categories)
    if column.values is None:
        if column.steps:
            raise ValueError(f"column `{column.feature}`: is scaled before it is encoded; encode it as it is")
        raise NeedsLevels(column.feature, known)
    texts = [level_text(category) for category in known]
    return [texts.index(level_text(value)) if level_text(value) in texts else None for value in column.values]


def _refuse_unknown(step: Any, column: Column, categories: list[Optional[int]]) -> None:
    if step.handle_unknown == "error" and None in categories:
        level = (column.values or ())[categories.index(None)]
        raise ValueError(
            f"column `{column.feature}`: the {type(step).__name__} was not fitted on the level `{level_text(level)}`, "
            "which X or the schema has; remove the level, or fit the pipeline again"
        )


def _one_hot(step: Any, columns: list[Column]) -> list[Column]:
    if any(rare is not None for rare in getattr(step, "infrequent_categories_", None) or ()):
        raise TypeError("OneHotEncoder with infrequent categories can't be read; set neither min_frequency nor max_categories")
    dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(columns)
    out = []
    for column, categories, drop in zip(columns, step.categories_, dropped):
        place = _levels(column, categories)
        _refuse_unknown(step, column, place)
        for category in range(len(categories)):
            if drop is None or category != drop:
                out.append(Column(column.feature, values=tuple(float(p == category) for p in place)))
    return out


def _ordinal(step: Any, columns: list[Column]) -> list[Column]:
    if any(rare is not None for rare in getattr(step, "infrequent_categories_", None) or ()):
        raise TypeError("OrdinalEncoder with infrequent categories can't be read; set neither min_frequency nor max_categories")
    out = []
    for column, categories in zip(columns, step.categories_):
        place = _levels(column, categories)
        _refuse_unknown(step, column, place)
        unknown = None if step.unknown_value is None else float(step.unknown_value)
        out.append(Column(column.feature, values=tuple(unknown if p is None else float(p) for p in place)))
    return out


def _imputer(step: Any, columns: list[Column]) -> list[Column]:
    """Without missing values, which applications here don't have, an imputer changes nothing."""
    marker = step.missing_values
    if step.add_indicator or not (marker is None or is_missing(marker)):
        raise TypeError("SimpleImputer can be read without add_indicator and for NaN only")
    if any(is_missing(value) for value in list(step.statistics_)):
        raise ValueError("SimpleImputer was fitted on a column without any value; remove the column")
    return columns


def _function(step: Any, columns: list[Column]) -> list[Column]:
    if step.func is not None:
        raise TypeError("FunctionTransformer can't be read; put what it does into the data frame instead")
    return columns
