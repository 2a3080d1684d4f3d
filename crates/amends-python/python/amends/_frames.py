"""Data frames as the core reads them, cells of text, and back."""

from __future__ import annotations

import difflib
import math
import numbers
from typing import Any, Iterable, Mapping, Optional

import numpy as np
import pandas as pd


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
    """A number with as many digits as bring it back to the last bit; nothing for a missing one."""
    if is_missing(value):
        return ""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    return str(value)


def texts(column: pd.Series, numeric: bool, missing: str = "") -> list[str]:
    """The cells of a column."""
    # What whole tables consist of goes the short way: a call per cell takes longer than fitting.
    if numeric and column.dtype.kind in "iu" and isinstance(column.dtype, np.dtype):
        return list(map(str, column.tolist()))
    if numeric and column.dtype == np.float64 and not column.isna().any():
        return list(map(repr, column.tolist()))
    if not numeric and isinstance(column.dtype, pd.CategoricalDtype) and not column.isna().any():
        levels = [level_text(level) for level in column.cat.categories.tolist()]
        return [levels[code] for code in column.cat.codes.tolist()]
    text = number_text if numeric else level_text
    found = [text(value) for value in column.tolist()]
    return [cell or missing for cell in found] if missing else found


def nearest(name: str, known: Iterable[str]) -> Optional[str]:
    """The name that was probably meant, where one is near."""
    names = {one.strip().lower(): one for one in known}
    near = difflib.get_close_matches(name.strip().lower(), names, n=1)
    return names[near[0]] if near else None


def first_missing(column: pd.Series) -> Optional[int]:
    """The place of the first cell that holds nothing."""
    holes = np.flatnonzero(column.isna().to_numpy())
    return int(holes[0]) if len(holes) else None


def cells(frame: pd.DataFrame, numeric: dict[str, bool], missing: Mapping[str, str] = {}) -> list[list[str]]:
    """The rows of a frame, its columns in this order; ``missing`` has what stands for nothing where it is not an empty text."""
    absent = next((name for name in numeric if name not in frame.columns), None)
    if absent is not None:
        near = nearest(absent, [str(name) for name in frame.columns if name not in numeric])
        raise ValueError(
            f"column `{absent}`: is not in X{f', but `{near}` is' if near else ''}; give the columns that the explainer was "
            f"fitted on: {', '.join(f'`{name}`' for name in numeric)}"
        )
    columns = [texts(frame[name], is_numeric, missing.get(name, "")) for name, is_numeric in numeric.items()]
    return [list(row) for row in zip(*columns)]
