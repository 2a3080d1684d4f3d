"""Data frames as the core reads them, cells of text, and back."""

from __future__ import annotations

import math
import numbers
from typing import Any, Optional, Sequence

import numpy as np
import pandas as pd


def as_frame(X: Any, names: Optional[Sequence[str]] = None) -> pd.DataFrame:
    """A pandas frame of a pandas or polars frame, a dict of columns, or an array (then with these names)."""
    if isinstance(X, pd.DataFrame):
        frame = X
    elif isinstance(X, pd.Series):
        frame = X.to_frame().T.infer_objects()
    elif isinstance(X, dict):
        frame = pd.DataFrame(X)
    elif type(X).__module__.split(".")[0] == "polars":
        frame = pd.DataFrame({name: X[name].to_list() for name in X.columns})
    else:
        array = np.asarray(X)
        if array.ndim != 2:
            raise ValueError(f"X has {array.ndim} dimensions; give a table: rows of applications, a column per feature")
        if names is not None and len(names) != array.shape[1]:
            raise ValueError(f"X has {array.shape[1]} columns, but there are {len(names)} feature names")
        frame = pd.DataFrame(array, columns=list(names or (f"x{i}" for i in range(array.shape[1]))))
    if len(frame) == 0:
        raise ValueError("X has no rows; give at least one application")
    doubled = frame.columns[frame.columns.duplicated()]
    if len(doubled):
        raise ValueError(f"X has two columns `{doubled[0]}`; rename one of them")
    return frame


def is_missing(value: Any) -> bool:
    """Whether a cell holds nothing."""
    return value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value))


def level_text(value: Any) -> str:
    """A level as the core writes it: True, 3 rather than 3.0, a text without blanks around it."""
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value).strip()


def number_text(value: Any) -> str:
    """A number with as many digits as bring it back to the last bit."""
    if is_missing(value):
        return "nan"
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def texts(column: pd.Series, numeric: bool) -> list[str]:
    """The cells of a column."""
    # What whole tables consist of goes the short way: a call per cell takes longer than fitting.
    if numeric and column.dtype.kind in "iu" and isinstance(column.dtype, np.dtype):
        return list(map(str, column.tolist()))
    if numeric and column.dtype == np.float64 and not column.isna().any():
        return list(map(repr, column.tolist()))
    if not numeric and isinstance(column.dtype, pd.CategoricalDtype):
        levels = [level_text(level) for level in column.cat.categories.tolist()]
        return [levels[code] if code >= 0 else "" for code in column.cat.codes.tolist()]
    text = number_text if numeric else level_text
    return [text(value) for value in column.tolist()]


def cells(frame: pd.DataFrame, numeric: dict[str, bool]) -> list[list[str]]:
    """The rows of a frame, its columns in this order."""
    missing = [name for name in numeric if name not in frame.columns]
    if missing:
        raise ValueError(
            f"column `{missing[0]}`: is not in X; give the columns that the explainer was fitted on: "
            + ", ".join(f"`{name}`" for name in numeric)
        )
    columns = [texts(frame[name], is_numeric) for name, is_numeric in numeric.items()]
    return [list(row) for row in zip(*columns)]
