"""What stands before a model, read off fitted scikit-learn transformers column by column.

Every column that reaches the model is made of one feature: of a number by a few steps of arithmetic, of a level by a
table. Both are the transformers' own, so that the core can undo them to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Callable, Optional, Sequence

import numpy as np
import pandas as pd

from ._frames import is_missing, level_text
from ._functions import Function, binary, of_numpy, pieces, power, quantiles
from ._mixtures import Mixture, components, mixable, polynomial
from ._schema import Feature

#: What other modules read before a model, by library and name; they register it when they are imported.
OTHERS: dict[tuple[str, str], Callable[[Any, list[Column]], list[Column]]] = {}

TRANSFORMERS = (
    "StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, PowerTransformer, QuantileTransformer, Binarizer, "
    "FunctionTransformer of numpy's functions, KBinsDiscretizer, SplineTransformer(degree=0), optbinning's BinningProcess, OneHotEncoder, OrdinalEncoder, TargetEncoder, SimpleImputer, PolynomialFeatures, PCA, "
    "TruncatedSVD, selectors of columns, ColumnTransformer, FeatureUnion, Pipeline, passthrough"
)


class NeedsLevels(Exception):
    """A numeric feature reaches an encoder: its numbers are names of categories."""

    def __init__(self, feature: str, levels: Sequence[Any]):
        super().__init__(feature)
        self.feature = feature
        self.levels = [level for level in levels if not is_missing(level)]


class NeedsCode(Exception):
    """A number that stands for a missing value: it is a state of its own."""

    def __init__(self, feature: str, code: Any):
        super().__init__(feature)
        self.feature = feature
        self.code = code


class NeedsNoOrder(Exception):
    """A model that adds up columns has numbers for the levels of an ordinal feature that no line goes through."""

    def __init__(self, feature: str):
        super().__init__(feature)
        self.feature = feature


@dataclass(frozen=True)
class Column:
    """A column on its way to the model."""

    feature: str
    #: Of a number: the arithmetic so far.
    steps: tuple[tuple[str, Any], ...] = ()
    #: Of a number: what stands for each code of the feature, such as a missing value.
    codes: tuple[Any, ...] = ()
    #: Of a number: what every number has become, where it is the same for all.
    constant: Optional[float] = None
    #: Of a number: the last number of each bin but the last, and what stands for each bin.
    bins: Optional[tuple[tuple[float, ...], tuple[Any, ...]]] = None
    #: Of a feature with levels: what stands for each of them, then for each code.
    values: Optional[tuple[Any, ...]] = None
    #: What may still become a code of the feature: it is none yet, and nobody has said that it is a value like others.
    open: Callable[[Any], bool] = lambda value: False

    def step(self, name: str, by: float) -> Column:
        """The column after one step."""
        return self._arithmetic(name, float(by), lambda number: _ARITHMETIC[name](number, float(by)))

    def function(self, function: Function) -> Column:
        """The column after a function of its number that is no straight line."""
        return self._arithmetic("function", function, lambda number: float(function(np.array([number]))[0]))

    @property
    def is_curved(self) -> bool:
        """Whether such a function is part of it."""
        return any(name == "function" for name, _ in self.steps)

    def clip(self, low: float, high: float) -> Column:
        return self._arithmetic("clip", [float(low), float(high)], lambda number: min(max(number, low), high))

    def _arithmetic(self, name: str, by: Any, move: Callable[[float], float]) -> Column:
        self = replace(self, open=lambda value: False)

        def moved(value: Any) -> Any:
            return value if is_missing(value) else move(self._number(value))

        if self.values is not None:
            return replace(self, values=tuple(moved(value) for value in self.values))
        codes = tuple(moved(code) for code in self.codes)
        if self.constant is not None:
            return replace(self, codes=codes, constant=move(self.constant))
        if self.bins is not None:
            return replace(self, codes=codes, bins=(self.bins[0], tuple(moved(value) for value in self.bins[1])))
        return replace(self, codes=codes, steps=(*self.steps, (name, by)))

    def filled(self, marks: Callable[[Any], bool], by: Any) -> Column:
        """The column with something in the index of what is marked as missing."""

        def fill(values: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(by if marks(value) else value for value in values)

        return replace(self, codes=fill(self.codes), values=None if self.values is None else fill(self.values))

    def indicator(self, marks: Callable[[Any], bool]) -> Column:
        """The column that says what is marked as missing: 1 there, else 0."""
        if self.values is not None:
            return Column(self.feature, values=tuple(float(marks(value)) for value in self.values))
        return Column(self.feature, codes=tuple(float(marks(code)) for code in self.codes), constant=0.0)

    def with_values(self, values: Sequence[Any]) -> Column:
        """A column of levels with something else for each of them, then for each code."""
        return replace(self, values=tuple(values))

    def each(self, move: Callable[[Any], float]) -> Column:
        """A column of steps or levels with something else for each value."""
        if self.values is not None:
            return self.with_values([move(value) for value in self.values])
        assert self.bins is not None
        codes, values = tuple(move(code) for code in self.codes), tuple(move(value) for value in self.bins[1])
        return replace(self, codes=codes, bins=(self.bins[0], values))

    @property
    def may_be_missing(self) -> bool:
        """Whether a missing value reaches this index."""
        return any(is_missing(value) for value in self.values or self.codes)

    def _number(self, value: Any) -> float:
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(
                f"column `{self.feature}`: reaches the model as text; put a OneHotEncoder or an OrdinalEncoder before it"
            ) from None

    def numbers(self, values: Sequence[Any]) -> list[Optional[float]]:
        """What stands for levels or codes, as numbers."""
        return [None if is_missing(value) else self._number(value) for value in values]

    def feed(self, cuts: Optional[np.ndarray] = None) -> dict[str, Any]:
        """The column as the core reads it; what a model compares a curved one with are ``cuts``."""
        if self.values is not None:
            return {"levels": {"feature": self.feature, "numbers": self.numbers(self.values)}}
        if self.is_curved:
            assert cuts is not None
            ends, inside = pieces(self.steps, cuts)
            most = float(np.finfo(float).max)
            clipped = [None if math.isnan(one) else min(max(one, -most), most) for one in inside]
            return {"bins": {"feature": self.feature, "ends": ends, "values": clipped, "codes": self.numbers(self.codes)}}
        if self.bins is not None:
            last, values = self.bins
            binned = {"feature": self.feature, "ends": list(last), "values": self.numbers(values)}
            return {"bins": {**binned, "codes": self.numbers(self.codes)}}
        number: dict[str, Any] = {"feature": self.feature, "steps": [{name: by} for name, by in self.steps]}
        if self.codes:
            number["codes"] = self.numbers(self.codes)
        if self.constant is not None:
            number["constant"] = self.constant
        return {"number": number}


_ARITHMETIC = {
    "add": lambda number, by: number + by,
    "subtract": lambda number, by: number - by,
    "multiply": lambda number, by: number * by,
    "divide": lambda number, by: number / by,
}


def check_order(features: Sequence[Feature], columns: Sequence[Column]) -> None:
    """Ranks have one weight in a model that adds up, so that what stands for them must be evenly spaced."""
    ordinal = {feature.name: len(feature.levels) for feature in features if feature.kind == "ordinal"}
    for column in columns:
        if column.values is None or column.feature not in ordinal:
            continue
        numbers = np.array([math.nan if n is None else n for n in column.numbers(column.values)[: ordinal[column.feature]]])
        even = np.linspace(numbers[0], numbers[-1], len(numbers))
        if np.abs(numbers - even).max() > 1e-10 * np.abs(numbers).max():
            raise NeedsNoOrder(column.feature)


def start(features: Sequence[Feature]) -> list[Column]:
    """The columns of the frame."""
    return [
        Column(f.name, codes=tuple(f.codes), open=f.is_open)
        if f.numeric
        else Column(f.name, values=(*f.levels, *f.codes), open=f.is_open)
        for f in features
    ]


def through(step: Any, columns: list[Column]) -> list[Column]:
    """The columns after a fitted transformer."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return columns
    name, library = type(step).__name__, type(step).__module__.split(".")[0]
    other = OTHERS.get((library, name))
    own = {
        "Pipeline": _pipeline,
        "ColumnTransformer": _column_transformer,
        "StandardScaler": _standard,
        "MinMaxScaler": _min_max,
        "MaxAbsScaler": _max_abs,
        "RobustScaler": _robust,
        "OneHotEncoder": _one_hot,
        "OrdinalEncoder": _ordinal,
        "SimpleImputer": _imputer,
        "FunctionTransformer": of_numpy,
        "PowerTransformer": power,
        "QuantileTransformer": quantiles,
        "Binarizer": binary,
        "TargetEncoder": _target,
        "FeatureUnion": _union,
        "PCA": components,
        "IncrementalPCA": components,
        "TruncatedSVD": components,
        "PolynomialFeatures": polynomial,
    }
    known = other if other is not None else own.get(name) if library == "sklearn" else None
    if known is None and name not in own and callable(getattr(step, "get_support", None)):
        # Whoever wrote it: it leaves the columns that it keeps as they are.
        known = _selected
    if known is None:
        reason = _REASONS.get(name, "")
        raise TypeError(
            f"{name} can't be read before a model{reason}; these can: {TRANSFORMERS}. Put what it does into the data frame instead"
        )
    mixed: Any = next((column for column in columns if isinstance(column, Mixture)), None)
    if mixed is not None and (other is not None or not mixable(step)):
        raise TypeError(
            f"{name} can't be read behind {mixed.by}, whose columns are sums of several features; scalers and selectors can. Put it "
            f"before {mixed.by}, or leave it out"
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
        picked = [columns[index] for index in _indices(chosen, names, len(columns))]
        if picked:
            out += through(inner, picked)
    return out


def _indices(chosen: Any, names: list[str], width: int) -> list[int]:
    """Which columns a ColumnTransformer means by names, indices, a slice or a mask."""
    if isinstance(chosen, slice):
        ends = [names.index(end) if isinstance(end, str) else end for end in (chosen.start, chosen.stop)]
        if isinstance(chosen.stop, str):
            ends[1] += 1
        return list(range(width))[slice(ends[0], ends[1], chosen.step)]
    if isinstance(chosen, (str, int, np.integer)):
        chosen = [chosen]
    chosen = list(chosen)
    if len(chosen) == width and all(isinstance(flag, (bool, np.bool_)) for flag in chosen):
        return [index for index, flag in enumerate(chosen) if flag]
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
    """The category of every level and code; None for one that the encoder has never seen."""
    known = list(categories)
    if column.values is None:
        if column.steps or column.constant is not None or column.bins is not None:
            raise ValueError(f"column `{column.feature}`: is scaled before it is encoded; encode it as it is")
        raise NeedsLevels(column.feature, known)

    def index(value: Any) -> Optional[int]:
        return next((p for p, category in enumerate(known) if _same(value, category)), None)

    return [index(value) for value in column.values]


def _same(value: Any, category: Any) -> bool:
    """Whether an encoder takes a value for a category: None is not NaN, but True is 1."""
    if is_missing(value) or is_missing(category):
        return is_missing(value) and is_missing(category) and (value is None) == (category is None)
    if isinstance(value, _NUMBERS) and isinstance(category, _NUMBERS):
        return float(value) == float(category)
    return level_text(value) == level_text(category)


_NUMBERS = (bool, np.bool_, int, float, np.integer, np.floating)


def _refuse_unknown(step: Any, column: Column, categories: list[Optional[int]]) -> None:
    if step.handle_unknown == "error" and None in categories:
        level = (column.values or ())[categories.index(None)]
        raise ValueError(
            f"column `{column.feature}`: the {type(step).__name__} was not fitted on the level `{level_text(level)}`, "
            "which X or the schema has; remove the level, or fit the pipeline again"
        )


def _groups(categories: Sequence[Any], rare: Any) -> list[int]:
    """The number of each category, where ``rare`` ones share the last."""
    if rare is None:
        return list(range(len(categories)))
    often = [one for one in categories if not any(_same(one, other) for other in rare)]
    return [next((index for index, other in enumerate(often) if _same(one, other)), len(often)) for one in categories]


def _rare(step: Any, columns: Sequence[Column]) -> list[Any]:
    """The infrequent categories of every column, None where none are."""
    return list(getattr(step, "infrequent_categories_", None) or [None] * len(columns))


def _one_hot(step: Any, columns: list[Column]) -> list[Column]:
    dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(columns)
    out = []
    for column, categories, drop, rare in zip(columns, step.categories_, dropped, _rare(step, columns)):
        index = _levels(column, categories)
        _refuse_unknown(step, column, index)
        groups = _groups(list(categories), rare)
        # What was never seen counts as rare where there is such a column, if it is asked for.
        unknown = max(groups) if rare is not None and step.handle_unknown in ("infrequent_if_exist", "warn") else None
        group = [unknown if p is None else groups[p] for p in index]
        for one in range(max(groups) + 1):
            if drop is None or one != groups[drop]:
                out.append(Column(column.feature, values=tuple(float(g == one) for g in group)))
    return out


def _ordinal(step: Any, columns: list[Column]) -> list[Column]:
    out = []
    for column, categories, rare in zip(columns, step.categories_, _rare(step, columns)):
        index = _levels(column, categories)
        _refuse_unknown(step, column, index)
        unknown = math.nan if step.unknown_value is None else float(step.unknown_value)
        # NaN has a number of its own, but None is a category like others.
        is_nan = [is_missing(one) and one is not None for one in categories]
        groups = _groups([one for one, nan in zip(categories, is_nan) if not nan], rare)
        nothing = float(getattr(step, "encoded_missing_value", math.nan))
        # NaN is the last category where it is one.
        numbers = [unknown if p is None else nothing if is_nan[p] else float(groups[p]) for p in index]
        out.append(Column(column.feature, values=tuple(numbers)))
    return out


def _imputer(step: Any, columns: list[Column]) -> list[Column]:
    """Fills in what is marked as missing, perhaps with columns behind that say where."""
    marker = step.missing_values
    marks = _marks(marker)
    out = []
    for column, statistic in zip(columns, list(step.statistics_)):
        if not is_missing(marker):
            _check_marker(column, marker, marks)
        # A column that the imputer was fitted on without any value is dropped.
        if not is_missing(statistic) or getattr(step, "keep_empty_features", False):
            out.append(column.filled(marks, statistic))
    if step.add_indicator:
        out += [columns[index].indicator(marks) for index in step.indicator_.features_]
    return out


def _check_marker(column: Column, marker: Any, marks: Callable[[Any], bool]) -> None:
    """A number or level that is taken for a missing value must be a state of its own."""
    if column.open(marker) and (column.values is None or any(marks(value) for value in column.values)):
        raise NeedsCode(column.feature, marker)
    if column.values is None and not any(marks(code) for code in column.codes):
        raise ValueError(
            f"column `{column.feature}`: a SimpleImputer looks for {marker!r} in it after a scaler, or though the schema has no "
            "such code; impute first, or declare the code"
        )


def _marks(marker: Any) -> Callable[[Any], bool]:
    """Whether an imputer takes a value for a missing one: pd.NA means everything missing, None and NaN only themselves."""
    if marker is pd.NA:
        return is_missing
    if is_missing(marker):
        return lambda value: is_missing(value) and (value is None) == (marker is None)
    return lambda value: not is_missing(value) and _same(value, marker)


def _selected(step: Any, columns: list[Column]) -> list[Column]:
    """The columns that a selector keeps."""
    return [column for column, kept in zip(columns, np.asarray(step.get_support(), dtype=bool)) if kept]


def _union(step: Any, columns: list[Column]) -> list[Column]:
    weights = step.transformer_weights or {}
    out: list[Column] = []
    for name, inner in step.transformer_list:
        if isinstance(inner, str) and inner == "drop":
            continue
        found = through(inner, columns)
        out += found if weights.get(name) is None else [column.step("multiply", weights[name]) for column in found]
    return out


def _target(step: Any, columns: list[Column]) -> list[Column]:
    """A mean outcome for every category; that of all for what was never seen."""
    if step.target_type_ == "multiclass":
        raise TypeError("TargetEncoder of more than two classes can't be read; fit it on two classes")
    otherwise = float(np.ravel(step.target_mean_)[0])
    out = []
    for column, categories, means in zip(columns, step.categories_, step.encodings_):
        index = _levels(column, categories)
        out.append(Column(column.feature, values=tuple(otherwise if p is None else float(means[p]) for p in index)))
    return out


#: Why some transformers can't be read.
_REASONS = {
    "KNNImputer": ": what it fills in depends on all columns of a row and on the rows that it was fitted on (SimpleImputer does not)",
    "IterativeImputer": ": what it fills in depends on all columns of a row (SimpleImputer does not)",
    "Normalizer": ": it divides by the length of the whole row",
    "KernelPCA": ": it is no sum of columns, as PCA is",
}
