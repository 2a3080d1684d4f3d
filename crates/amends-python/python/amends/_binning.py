"""Transformers that bin: KBinsDiscretizer, SplineTransformer of degree 0, and optbinning's BinningProcess.

Every column that they make is a step function of one feature. Where its steps are is read off the fitted object, and what it is
on each of them is asked of the object itself.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from functools import partial
from typing import Any, Callable, Iterable, Optional, Sequence

import numpy as np

from ._frames import is_missing
from ._functions import pieces
from ._pipeline import _ARITHMETIC, OTHERS, Column, NeedsCode

#: What stands for values, given the values themselves.
Of = Callable[[Sequence[Any]], Sequence[float]]


def just_below(number: float) -> float:
    """The last number before another one."""
    return float(np.nextafter(number, -np.inf))


def stepped(column: Column, ends: Iterable[float], of: Of) -> Column:
    """A column as a step function: ``ends`` are the last numbers of its bins as the function sees them."""
    if column.values is not None:
        return replace(column, values=tuple(of([column._number(value) for value in column.values])))
    codes = tuple(of([code if is_missing(code) else column._number(code) for code in column.codes])) if column.codes else ()
    if column.constant is not None:
        return replace(column, codes=codes, constant=float(of([column.constant])[0]))
    if column.bins is not None:
        return replace(column, codes=codes, bins=(column.bins[0], tuple(of(column.bins[1]))))
    if column.is_curved:
        return _of_curve(column, codes, ends, of)
    raw = [_last_up_to(column, end) for end in sorted(set(ends))]
    known = sorted({end for end in raw if end is not None and np.isfinite(end)})
    # The first number behind the last end stands for all that follow.
    probes = [*known, float(np.nextafter(known[-1], np.inf)) if known else 0.0]
    values = of([_moved(column, probe) for probe in probes])
    return Column(column.feature, codes=codes, bins=(tuple(known), tuple(float(value) for value in values)))


def _of_curve(column: Column, codes: tuple[float, ...], ends: Iterable[float], of: Of) -> Column:
    """The same for a column that is a function of its number, such as a logarithm."""
    known, inside = pieces(column.steps, np.array(sorted(set(ends)), dtype=float))
    if np.isnan(inside).any():
        raise ValueError(
            f"column `{column.feature}`: is binned behind a function that some numbers have no result of; bin it as it is, or put what "
            "the function computes into the data frame"
        )
    return Column(column.feature, codes=codes, bins=(tuple(known), tuple(float(value) for value in of(inside))))


def _moved(column: Column, number: float) -> float:
    for name, by in column.steps:
        number = min(max(number, by[0]), by[1]) if name == "clip" else _ARITHMETIC[name](number, by)
    return number


def _last_up_to(column: Column, end: float) -> Optional[float]:
    """The last number that the column's arithmetic leaves at most ``end``; it keeps the order of numbers."""
    if not column.steps:
        return end
    low, high = _rank(-np.finfo(float).max), _rank(np.finfo(float).max)
    if _moved(column, _of_rank(low)) > end:
        return None
    if _moved(column, _of_rank(high)) <= end:
        return float("inf")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _moved(column, _of_rank(middle)) <= end else (low, middle)
    return _of_rank(low)


def _rank(number: float) -> int:
    """A number's index in the order of all of them."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF) - 1


def _of_rank(rank: int) -> float:
    bits = rank if rank >= 0 else -rank - 1
    number: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return number if rank >= 0 else -number


def _refuse_missing(step: Any, column: Column) -> None:
    if column.may_be_missing:
        raise ValueError(
            f"column `{column.feature}`: may be missing, but {type(step).__name__} takes no missing values; put a SimpleImputer "
            "before it"
        )


def _k_bins(step: Any, columns: list[Column]) -> list[Column]:
    out = []
    for column, edges, count in zip(columns, step.bin_edges_, step.n_bins_):
        _refuse_missing(step, column)
        inner = np.asarray(edges, float)[1:-1]
        # One column with the number of the bin, or one per bin that says whether it is that one.
        wanted: list[Optional[int]] = [None] if step.encode == "ordinal" else list(range(int(count)))
        ends = [just_below(edge) for edge in inner]
        out += [stepped(column, ends, partial(_bin_of, inner, which)) for which in wanted]
    return out


def _bin_of(inner: np.ndarray, which: Optional[int], values: Sequence[Any]) -> list[float]:
    index = np.searchsorted(inner, np.asarray(values, float), side="right")
    return [float(one) if which is None else float(one == which) for one in index]


def _splines(step: Any, columns: list[Column]) -> list[Column]:
    """Splines of degree 0 are steps; others are curves between their knots."""
    if step.degree != 0:
        raise TypeError(
            f"SplineTransformer(degree={step.degree}) can't be read: numbers between its knots go along lines or curves, and "
            "neither weights nor trees are exactly that; use degree=0, KBinsDiscretizer, or a model of trees on the plain column"
        )
    if step.extrapolation not in ("constant", "error"):
        raise TypeError(
            f"SplineTransformer(degree=0, extrapolation={step.extrapolation!r}) can't be read; use extrapolation='constant'"
        )
    out = []
    for column, spline in zip(columns, step.bsplines_):
        _refuse_missing(step, column)
        knots = np.unique(spline.t)
        ends = [*(just_below(knot) for knot in knots), float(knots[-1]), float(knots[0])]
        count = spline.c.shape[1] - (0 if step.include_bias else 1)
        out += [stepped(column, ends, partial(_spline_at, spline, knots, which)) for which in range(count)]
    return out


def _spline_at(spline: Any, knots: np.ndarray, which: int, values: Sequence[Any]) -> list[float]:
    # Beyond the outer knots it is constant.
    inside = np.clip(np.asarray(values, float), knots[0], knots[-1])
    return [float(row[which]) for row in spline(inside)]


def binning_process(
    process: Any, columns: Sequence[Column], metric: Optional[str] = None, special: Any = 0, missing: Any = 0
) -> list[Column]:
    """The columns behind a fitted BinningProcess; ``columns`` are named as it names them."""
    by_name = dict(zip([str(name) for name in process.variable_names], columns))
    out = []
    for name in process.get_support(names=True):
        own = (process.binning_transform_params or {}).get(name, {})
        asked = {"metric": own.get("metric", metric), "metric_special": own.get("metric_special", special)}
        asked["metric_missing"] = own.get("metric_missing", missing)
        if asked["metric"] is None:
            del asked["metric"]
        out.append(binned_variable(process.get_binned_variable(name), by_name[str(name)], asked))
    return out


def binned_variable(binning: Any, column: Column, asked: dict[str, Any]) -> Column:
    """A column behind one fitted OptimalBinning."""
    if type(binning).__name__ != "OptimalBinning" or binning.dtype not in (
        "numerical",
        "categorical",
    ):
        raise TypeError(
            f"column `{column.feature}`: {type(binning).__name__} can't be read, but OptimalBinning can: piecewise functions are "
            "not steps"
        )
    if binning.dtype == "categorical":
        if column.values is None:
            raise _is_a_number(column)
        return column.with_values(_asked_of(binning, column.values, object, asked))
    special = _special_codes(binning.special_codes)
    for code in special:
        if column.values is None and column.open(code):
            raise NeedsCode(column.feature, code)
    ends = [just_below(float(split)) for split in binning.splits]
    for code in special:
        ends += [just_below(float(code)), float(code)]
    return stepped(column, ends, lambda values: _asked_of(binning, values, float, asked))


def _asked_of(binning: Any, values: Sequence[Any], dtype: Any, asked: dict[str, Any]) -> list[float]:
    """What a fitted binning makes of values."""
    rows = np.empty(len(values), dtype=dtype)
    for place, value in enumerate(values):
        rows[place] = np.nan if is_missing(value) and dtype is float else value
    return [float(one) for one in binning.transform(rows, **asked)]


def _special_codes(codes: Any) -> list[Any]:
    """The special codes of a binning, which may be lists within a dict."""
    if codes is None:
        return []
    listed = codes.values() if isinstance(codes, dict) else codes
    flat: list[Any] = []
    for one in listed:
        flat += list(one) if isinstance(one, (list, tuple, np.ndarray)) else [one]
    return [one for one in flat if not is_missing(one)]


def _is_a_number(column: Column) -> Exception:
    """The refusal of a number where categories are binned."""
    return ValueError(
        f"column `{column.feature}`: is a number, but is binned as categories; give it to the explainer with kinds={{'{column.feature}': "
        "'categorical'}, or convert it to text"
    )


def process_names(step: Any) -> Optional[list[str]]:
    """The columns that a BinningProcess at the start of a pipeline was fitted on."""
    if type(step).__module__.split(".")[0] != "optbinning" or not hasattr(step, "variable_names"):
        return None
    return [str(name) for name in step.variable_names]


OTHERS[("sklearn", "KBinsDiscretizer")] = _k_bins
OTHERS[("sklearn", "SplineTransformer")] = _splines
OTHERS[("optbinning", "BinningProcess")] = binning_process
