"""Data frames as the core reads them: columns of numbers, or of levels."""

from __future__ import annotations

import difflib
import math
import numbers
from typing import Any, Iterable, Mapping, Optional, Union

import numpy as np
import pandas as pd

#: Numbers of 64 bits and the text of a missing one, or the texts that occur and each cell's place among them in 32 bits.
Column = Union["tuple[bytes, str]", "tuple[list[str], bytes]"]


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


def column(values: pd.Series, numeric: bool, missing: str = "") -> Column:
    """A column as the core reads it; ``missing`` is what stands for nothing."""
    dtype = values.dtype
    if numeric and pd.api.types.is_numeric_dtype(dtype):
        nullable = pd.api.types.is_extension_array_dtype(dtype)
        floats = values.to_numpy(dtype=np.float64, na_value=math.nan) if nullable else values.to_numpy()
        return floats.astype(np.float64, copy=False).tobytes(), missing
    text = number_text if numeric else level_text
    if isinstance(dtype, pd.CategoricalDtype):
        places, known = values.cat.codes.to_numpy(), dtype.categories.tolist()
    elif isinstance(dtype, np.dtype) and dtype != object or pd.api.types.infer_dtype(values, skipna=True) == "string":
        places, index = pd.factorize(values)
        known = index.tolist()
    else:
        # True and 1 are equal to pandas, but other levels.
        cells = [text(value) for value in values.tolist()]
        places, distinct = pd.factorize(np.array(cells, dtype=object))
        return [cell or missing for cell in distinct.tolist()], places.astype(np.uint32).tobytes()
    # A missing cell has the place -1, which becomes the last.
    texts = [*(text(value) or missing for value in known), missing]
    return texts, np.where(places < 0, len(known), places).astype(np.uint32).tobytes()


def nearest(name: str, known: Iterable[str]) -> Optional[str]:
    """The name that was probably meant, where one is near."""
    names = {one.strip().lower(): one for one in known}
    near = difflib.get_close_matches(name.strip().lower(), names, n=1)
    return names[near[0]] if near else None


def first_missing(column: pd.Series) -> Optional[int]:
    """The place of the first cell that holds nothing."""
    holes = np.flatnonzero(column.isna().to_numpy())
    return int(holes[0]) if len(holes) else None


def check_columns(frame: pd.DataFrame, names: Iterable[str]) -> None:
    """Refuses a frame that lacks one of these columns."""
    names = list(names)
    absent = next((name for name in names if name not in frame.columns), None)
    if absent is not None:
        near = nearest(absent, [str(name) for name in frame.columns if name not in names])
        raise ValueError(
            f"column `{absent}`: is not in X{f', but `{near}` is' if near else ''}; give the columns that the explainer was "
            f"fitted on: {', '.join(f'`{name}`' for name in names)}"
        )


def columns(frame: pd.DataFrame, numeric: dict[str, bool], missing: Mapping[str, str] = {}) -> list[Column]:
    """The columns of a frame in this order; ``missing`` has what stands for nothing where it is not an empty text."""
    check_columns(frame, numeric)
    return [column(frame[name], is_numeric, missing.get(name, "")) for name, is_numeric in numeric.items()]
