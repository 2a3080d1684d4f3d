"""Functions of one number that are no straight lines, and where they cross the thresholds of trees.

The functions are the transformers' own, computed by them. Trees only compare what comes out, so that a function is known
well enough by the numbers at which a comparison changes: these are found by bisection over floating-point numbers.
"""

from __future__ import annotations

import copy
import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

if TYPE_CHECKING:
    from ._pipeline import Column

_MOST = float(np.finfo(float).max)
#: The largest number below 0.
_BELOW_ZERO = -5e-324


@dataclass(frozen=True)
class Function:
    """A function of one number that rises or falls between its turning points."""

    name: str
    compute: Callable[[np.ndarray], np.ndarray]
    #: The last number before each change of direction, and at both ends of where it is defined.
    turns: tuple[float, ...] = ()

    def __call__(self, numbers: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            # Rows of numbers have no names, which transformers complain about.
            warnings.simplefilter("ignore")
            return np.asarray(self.compute(np.asarray(numbers, dtype=float)), dtype=float)


_DEFINED_FROM_0 = (_BELOW_ZERO, 0.0)

#: Functions of numpy that rise, or fall, between their turning points.
_KNOWN: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("log", "log2", "log10"), _DEFINED_FROM_0),
    "sqrt": (_BELOW_ZERO,),
    "log1p": (math.nextafter(-1.0, -2.0), -1.0),
    **dict.fromkeys(("exp", "exp2", "expm1", "cbrt", "arcsinh", "arctan", "tanh", "sinh", "negative", "positive"), ()),
    **dict.fromkeys(("floor", "ceil", "trunc", "rint", "sign"), ()),
    **dict.fromkeys(("absolute", "fabs", "square"), (0.0,)),
}

KNOWN_FUNCTIONS = "numpy's log, log2, log10, log1p, sqrt, cbrt, exp, expm1, abs, square, negative, floor, ceil, tanh, sign"


def of_numpy(step: Any, columns: list[Column]) -> list[Column]:
    """FunctionTransformer of a function that is known."""
    function = step.func
    if function is None:
        return columns
    name = getattr(function, "__name__", type(function).__name__)
    if not isinstance(function, np.ufunc) or name not in _KNOWN or step.kw_args:
        raise TypeError(
            f"FunctionTransformer({name}) can't be read: nothing says how it treats other numbers than those it has seen. These can: "
            f"{KNOWN_FUNCTIONS}; or put what it does into the data frame instead"
        )
    return [column.function(Function(name, function, _KNOWN[name])) for column in columns]


SQUARE = Function("square", lambda numbers: numbers * numbers, (0.0,))


def power(step: Any, columns: list[Column]) -> list[Column]:
    """PowerTransformer, with the scaler in it."""

    out = []
    for index, column in enumerate(columns):
        alone = _alone(step)
        alone.lambdas_, alone.standardize = np.asarray(step.lambdas_)[index : index + 1], False
        if step.method == "box-cox":
            column = column.function(Function("box-cox", _positive(alone.transform), (0.0,)))
        else:
            column = column.function(Function("yeo-johnson", _by_column(alone.transform)))
        if step.standardize:
            # The scaler inside, which would refuse numbers so large that the power is infinite.
            column = column.step("subtract", step._scaler.mean_[index]).step("divide", step._scaler.scale_[index])
        out.append(column)
    return out


def quantiles(step: Any, columns: list[Column]) -> list[Column]:
    """QuantileTransformer."""
    alone = []
    for index in range(len(columns)):
        one = _alone(step)
        one.quantiles_ = step.quantiles_[:, index : index + 1]
        alone.append(one)
    return [column.function(Function("quantiles", _by_column(one.transform))) for column, one in zip(columns, alone)]


def binary(step: Any, columns: list[Column]) -> list[Column]:
    """Binarizer."""
    threshold = float(step.threshold)
    function = Function("binarize", lambda numbers: np.where(np.isnan(numbers), np.nan, (numbers > threshold).astype(float)))
    return [column.function(function) for column in columns]


def _alone(step: Any) -> Any:
    """A fitted transformer as if it had been fitted on one column alone, whose parameters are to be set."""
    one = copy.copy(step)
    one.n_features_in_ = 1
    if hasattr(one, "feature_names_in_"):
        del one.feature_names_in_
    return one


def _by_column(transform: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], np.ndarray]:
    # Scalers before it overflow for numbers that no application has, and transformers refuse infinity.
    return lambda numbers: np.asarray(transform(np.clip(numbers, -_MOST, _MOST).reshape(-1, 1)))[:, 0]


def _positive(transform: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], np.ndarray]:
    """The same for numbers above 0; the transformer refuses all others."""
    inner = _by_column(transform)

    def compute(numbers: np.ndarray) -> np.ndarray:
        out = np.full(len(numbers), np.nan)
        fit = numbers > 0
        if fit.any():
            out[fit] = inner(numbers[fit])
        return out

    return compute


_ARITHMETIC: dict[str, Callable[[np.ndarray, Any], np.ndarray]] = {
    "add": lambda numbers, by: numbers + by,
    "subtract": lambda numbers, by: numbers - by,
    "multiply": lambda numbers, by: numbers * by,
    "divide": lambda numbers, by: numbers / by,
    "clip": lambda numbers, by: np.minimum(np.maximum(numbers, by[0]), by[1]),
    "function": lambda numbers, by: by(numbers),
}


def along(steps: Sequence[tuple[str, Any]], numbers: np.ndarray) -> np.ndarray:
    """What a column's steps make of numbers."""
    with np.errstate(all="ignore"):
        for name, by in steps:
            numbers = _ARITHMETIC[name](numbers, by)
    return numbers


def pieces(steps: Sequence[tuple[str, Any]], cuts: np.ndarray) -> tuple[list[float], list[float]]:
    """The last number of each piece in which comparisons with all cuts are the same, and what comes out of the steps there.

    There is one more of the latter, for what is above the last end."""
    if not len(cuts):
        return [], [0.0]
    ends: set[float] = set()
    for low, high in _parts(steps):
        first, last = along(steps, np.array([low, high]))
        if np.isnan(first) and np.isnan(last):
            ends.add(high)
            continue
        if first <= last:
            found = _last(lambda numbers: along(steps, numbers) <= cuts, low, high, len(cuts))
        else:
            found = _last(lambda numbers: along(steps, numbers) > cuts, low, high, len(cuts))
        ends.update(found[~np.isnan(found)].tolist())
        ends.add(high)
    ends.discard(_MOST)
    # Of the two zeros, which are equal to whoever compares with them, 0 is the last.
    ordered = sorted({end + 0.0 for end in ends})
    # Beyond its last end a function is what it is right behind it: no cut lies farther.
    inside = np.array([*ordered, np.nextafter(ordered[-1], np.inf) if ordered else 0.0])
    return ordered, along(steps, inside).tolist()


def domain(steps: Sequence[tuple[str, Any]]) -> tuple[float, float]:
    """The least and the greatest number for which the steps have a finite result."""
    low, high = -_MOST, _MOST
    for name, by in steps:
        if name == "function" and by.turns and np.isnan(along(steps, np.array([low]))[0]):
            parts = _parts(steps)
            finite = [part for part in parts if np.isfinite(along(steps, np.array([part[0] / 2 + part[1] / 2]))[0])]
            if finite:
                low = finite[0][0]
    return low, high


def _parts(steps: Sequence[tuple[str, Any]]) -> list[tuple[float, float]]:
    """The intervals of numbers in which the steps only rise, only fall, or have no result."""
    parts = [(-_MOST, _MOST)]
    for index, (name, by) in enumerate(steps):
        if name != "function" or not by.turns:
            continue
        before, turns = steps[:index], np.array(by.turns)
        divided = []
        for low, high in parts:
            first, last = along(before, np.array([low, high]))
            if first <= last:
                found = _last(lambda numbers: along(before, numbers) <= turns, low, high, len(turns))
            else:
                found = _last(lambda numbers: along(before, numbers) > turns, low, high, len(turns))
            # What is not found lies outside.
            for end in sorted(set(found[~np.isnan(found)].tolist())):
                if low <= end < high:
                    divided.append((low, end))
                    low = float(np.nextafter(end, np.inf))
            divided.append((low, high))
        parts = divided
    return parts


def _last(holds: Callable[[np.ndarray], np.ndarray], low: float, high: float, count: int) -> np.ndarray:
    """For each of several conditions the last number between two for which it holds, if it does so up to some number and not
    beyond; NaN where it never holds."""
    below, above = np.full(count, _rank(low)), np.full(count, _rank(high))
    ever, always = holds(np.full(count, low)), holds(np.full(count, high))
    while np.any(above > below + 1):
        # Without overflow: the sum of two ranks may have 65 bits.
        middle = (below >> 1) + (above >> 1) + (below & above & 1)
        held = holds(_number(middle))
        below, above = np.where(held, middle, below), np.where(held, above, middle)
    found = np.where(always, high, _number(below))
    return np.where(ever, found, np.nan)


def _rank(number: float) -> np.int64:
    """A number's index in the order of all of them."""
    bits = np.array(number).view(np.int64)
    return np.int64(bits if bits >= 0 else -(bits & np.iinfo(np.int64).max))


def _number(ranks: np.ndarray) -> np.ndarray:
    numbers: np.ndarray = np.where(ranks < 0, -1.0, 1.0) * np.abs(ranks).view(np.float64)
    return numbers


def compared(threshold: np.ndarray, mode: str) -> np.ndarray:
    """The largest numbers that are on the left of thresholds: compared as they are, or rounded to 32 bits before that."""
    if mode == "at-most":
        return threshold
    if mode == "below":
        return np.asarray(np.nextafter(threshold, -np.inf))
    with np.errstate(over="ignore"):
        near = threshold.astype(np.float32)
        on_left = near.astype(float) < threshold if mode == "single-below" else near.astype(float) <= threshold
        left = np.where(on_left, near, np.nextafter(near, np.float32(-np.inf)))
        right = np.nextafter(left, np.float32(np.inf))
        half = left.astype(float) / 2 + right.astype(float) / 2
        half = np.where(np.isfinite(half), half, np.clip(threshold, -_MOST, _MOST))
        goes_left = half.astype(np.float32) == left
    return np.where(goes_left, half, np.nextafter(half, -np.inf))
