"""Columns that are sums of several features: PCA, TruncatedSVD, products of two columns.

A model that adds up columns adds up their parts as well, so that its weights become weights of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Sequence, Union

import numpy as np

from ._functions import SQUARE

if TYPE_CHECKING:
    from ._pipeline import Column


@dataclass(frozen=True)
class Both:
    """1 where two columns of levels, which hold 0 and 1, both hold 1; else 0."""

    one: Column
    other: Column


Part = Union["Column", Both]


@dataclass(frozen=True)
class Mixture:
    """A weighted sum of columns, and a number."""

    #: The transformer that made it.
    by: str
    parts: tuple[tuple[Part, float], ...]
    plus: float = 0.0
    values: None = None

    @property
    def feature(self) -> str:
        parts = [one for part, _ in self.parts for one in ((part.one, part.other) if isinstance(part, Both) else (part,))]
        return ", ".join(dict.fromkeys(part.feature for part in parts))

    def step(self, name: str, by: float) -> Mixture:
        """The sum after one step of arithmetic."""
        by = float(by)
        if name in ("add", "subtract"):
            return replace(self, plus=self.plus + by if name == "add" else self.plus - by)
        factor = by if name == "multiply" else 1.0 / by
        return replace(self, parts=tuple((part, weight * factor) for part, weight in self.parts), plus=self.plus * factor)


def mixable(step: Any) -> bool:
    """Whether a transformer leaves sums of columns sums."""
    name = type(step).__name__
    if name in ("MinMaxScaler", "StandardScaler", "MaxAbsScaler", "RobustScaler"):
        return not getattr(step, "clip", False)
    linear = ("PCA", "IncrementalPCA", "TruncatedSVD", "Pipeline", "ColumnTransformer", "FeatureUnion")
    return name in linear or hasattr(step, "get_support") or (name == "FunctionTransformer" and step.func is None)


def as_sum(column: Union[Column, Mixture]) -> Mixture:
    return column if isinstance(column, Mixture) else Mixture("", ((column, 1.0),))


def single(column: Union[Column, Mixture]) -> list[Column]:
    """The columns that a sum is made of; those of products have no missing values."""
    return [part for part, _ in as_sum(column).parts if not isinstance(part, Both)]


def weighted(by: str, columns: Sequence[Union[Column, Mixture]], weights: Sequence[float], plus: float) -> Mixture:
    """A weighted sum of columns that may be sums themselves."""
    parts: dict[int, tuple[Part, float]] = {}
    for column, weight in zip(columns, weights):
        whole = as_sum(column)
        plus += float(weight) * whole.plus
        for part, own in whole.parts:
            parts[id(part)] = (part, parts.get(id(part), (part, 0.0))[1] + float(weight) * own)
    return Mixture(by, tuple(parts.values()), plus)


def components(step: Any, columns: list[Any]) -> list[Any]:
    """PCA and TruncatedSVD: rows of weights."""
    rows = np.array(step.components_, dtype=float)
    mean = getattr(step, "mean_", None)
    if getattr(step, "whiten", False):
        scale = np.sqrt(step.explained_variance_)
        rows = rows / np.maximum(scale, np.finfo(scale.dtype).eps)[:, np.newaxis]
    name = type(step).__name__
    return [weighted(name, columns, row, 0.0 if mean is None else -float(np.dot(row, mean))) for row in rows]


def polynomial(step: Any, columns: list[Any]) -> list[Any]:
    """PolynomialFeatures of degree 2: squares of one column, and products of columns that have two values each."""
    powers = np.asarray(step.powers_)
    if powers.sum(axis=1).max(initial=0) > 2:
        raise TypeError("PolynomialFeatures of a degree above 2 can't be read; use degree=2, or put the powers into the data frame")
    out = []
    for row in powers:
        factors = [columns[index] for index, power in enumerate(row) for _ in range(power)]
        if not factors:
            out.append(_always(columns[0], 1.0))
        elif len(factors) == 1:
            out.append(factors[0])
        elif factors[0] is factors[1]:
            out.append(factors[0].function(SQUARE))
        else:
            out.append(_product(*factors))
    return out


def _always(column: Any, number: float) -> Any:
    if column.values is not None:
        return replace(column, values=(number,) * len(column.values))
    return replace(column, steps=(), bins=None, codes=(number,) * len(column.codes), constant=number)


def _product(one: Any, other: Any) -> Any:
    """Two columns multiplied."""
    if one.constant is not None or other.constant is not None:
        constant, column = (one, other) if one.constant is not None else (other, one)
        if not constant.codes and constant.constant > 0:
            return column.step("multiply", constant.constant)
    if one.values is not None and other.values is not None and one.feature == other.feature:
        pairs = zip(one.numbers(one.values), other.numbers(other.values))
        return replace(one, values=tuple(float("nan") if a is None or b is None else a * b for a, b in pairs))
    for column in (one, other):
        if column.values is None:
            raise TypeError(
                f"PolynomialFeatures multiplies column `{column.feature}`, a number, by another column, which no sum of single columns "
                "expresses. Put the products into the data frame, use it on columns of 0 and 1 only, or leave it out"
            )
    (low, high), (other_low, other_high) = _two(one), _two(other)
    rise, other_rise = high - low, other_high - other_low
    # With u = (one - low) / rise, and v likewise: low other_low + rise other_low u + low other_rise v + rise other_rise u v.
    parts = [(one, other_low), (other, low), (Both(_zero_one(one, high), _zero_one(other, other_high)), rise * other_rise)]
    return Mixture("PolynomialFeatures", tuple((part, weight) for part, weight in parts if weight != 0), -low * other_low)


def _two(column: Any) -> tuple[float, float]:
    """The two numbers of a column."""
    found = sorted({number for number in column.numbers(column.values) if number is not None})
    if len(found) == 1:
        found = [found[0], found[0] + 1.0]
    if len(found) != 2 or None in column.numbers(column.values):
        raise TypeError(
            f"PolynomialFeatures multiplies column `{column.feature}`, which has {len(found)} values or missing ones, by another column, "
            "which can be read of columns with two values only. Encode it as columns of 0 and 1 before, or put the products into the "
            "data frame"
        )
    return found[0], found[1]


def _zero_one(column: Any, high: float) -> Any:
    return replace(column, values=tuple(float(number == high) for number in column.numbers(column.values)))
