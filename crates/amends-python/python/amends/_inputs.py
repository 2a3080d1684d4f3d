"""What users give as X and y, as one pandas frame; and frames given back as what came in."""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any, Optional, Sequence

import numpy as np
import pandas as pd

from ._additive import Grid
from ._frames import first_missing, is_missing
from ._schema import Feature

_FORMS = "give a pandas or polars DataFrame, or a 2-d array with a column per feature"


class Given:
    """Rows that the user gave, as a pandas frame with text names, and how to give such rows back."""

    def __init__(self, frame: pd.DataFrame, form: str, types: Any) -> None:
        self.frame = frame
        #: Columns of numbers that came as objects.
        self.objects: list[str] = []
        #: Turns a pandas frame with these columns into what came in.
        self.back = partial(_back, form, types)


def _back(form: str, types: Any, frame: pd.DataFrame) -> Any:
    """Polars for polars, an array for an array."""
    if form == "polars":
        return _to_polars(frame, types)
    if form == "array":
        return frame.to_numpy() if len(frame) else np.empty((0, frame.shape[1]), dtype=types)
    return frame


def read(X: Any, names: Optional[Sequence[str]] = None, *, single: bool = False) -> Given:
    """A table of any kind; ``names`` are those of an array's columns, ``single`` takes one row as well."""
    given = _read(X, names, single)
    frame = given.frame
    if frame.shape[1] == 0:
        raise ValueError("X has no columns; give a column per feature")
    # Nobody to ask about is a question like others, but nothing can be fitted on no rows.
    if len(frame) == 0 and not (single and set(names or ()) <= set(frame.columns)):
        raise ValueError("X has no rows; give at least one application")
    doubled = frame.columns[frame.columns.duplicated()]
    if len(doubled):
        raise ValueError(f"X has two columns `{doubled[0]}`; rename one of them")
    inferred = {name: frame[name].infer_objects() for name in frame.columns if frame[name].dtype == object}
    # Texts stay as they are: pandas would turn None into NaN, which encoders distinguish.
    numeric = {name: column for name, column in inferred.items() if pd.api.types.is_numeric_dtype(column.dtype)}
    if numeric:
        given.frame = frame.assign(**numeric)
        given.objects = list(numeric)
    return given


def _read(X: Any, names: Optional[Sequence[str]], single: bool) -> Given:
    if X is None:
        raise ValueError(f"X is missing; {_FORMS}")
    if isinstance(X, pd.DataFrame):
        return Given(_text_names(X), "pandas", None)
    if isinstance(X, pd.Series):
        _one_row(single, "a Series")
        return Given(_text_names(X.to_frame().T.infer_objects()), "pandas", None)
    polars = sys.modules.get("polars")
    if polars is not None:
        if isinstance(X, polars.LazyFrame):
            raise ValueError("X is a LazyFrame; collect() it first")
        if isinstance(X, polars.Series):
            raise ValueError(f"X is a polars Series; {_FORMS}")
        if isinstance(X, polars.DataFrame):
            return Given(_from_polars(X), "polars", dict(X.schema))
    if isinstance(X, Mapping):
        return Given(_of_mapping(X, single), "pandas", None)
    if hasattr(X, "todense"):
        raise ValueError("X is a sparse matrix; give X.toarray(), or a data frame")
    return _of_array(X, names, single)


def _one_row(single: bool, what: str) -> None:
    if not single:
        raise ValueError(f"X is {what}; {_FORMS}")


def _text_names(frame: pd.DataFrame) -> pd.DataFrame:
    if isinstance(frame.columns, pd.MultiIndex):
        raise ValueError("X has several levels of column names; give each column one name")
    if all(isinstance(name, str) for name in frame.columns):
        return frame
    return frame.set_axis(frame.columns.map(str), axis=1)


def _of_mapping(X: Mapping[Any, Any], single: bool) -> pd.DataFrame:
    values = [X[name] for name in X]
    scalar = [isinstance(value, str) or not hasattr(value, "__len__") for value in values]
    if values and all(scalar):
        _one_row(single, "a single row")
        return pd.DataFrame({str(name): [X[name]] for name in X})
    if any(scalar):
        raise ValueError("X is a dict of cells and lists; give a list for every column, or a single cell for every column")
    try:
        return pd.DataFrame({str(name): X[name] for name in X})
    except ValueError as error:
        raise ValueError(f"X is a dict that is not a table ({error}); give lists of one length") from None


def _of_array(X: Any, names: Optional[Sequence[str]], single: bool) -> Given:
    form = "array" if isinstance(X, np.ndarray) else "pandas"
    if isinstance(X, (str, bytes)) or not (hasattr(X, "__len__") or hasattr(X, "__array__")):
        raise ValueError(f"X is {_a(X)}; {_FORMS}")
    rows = X
    if form == "pandas" and hasattr(X, "__array__"):
        rows = np.asarray(X)
    if isinstance(rows, np.ndarray):
        shape = rows.ndim
    else:
        rows = list(rows)
        if not rows:
            raise ValueError("X has no rows; give at least one application")
        nested = [isinstance(row, (list, tuple, np.ndarray)) for row in rows]
        if any(isinstance(row, Mapping) for row in rows):
            return Given(pd.DataFrame.from_records(rows), "pandas", None)
        if any(nested) and not all(nested):
            raise ValueError(f"X is a list of rows and of cells (row {nested.index(False) + 1}); {_FORMS}")
        shape = 2 if all(nested) else 1
    if shape == 1:
        _one_row(single, "a single row")
        rows = rows.reshape(1, -1) if isinstance(rows, np.ndarray) else [rows]
    elif shape != 2:
        raise ValueError(f"X has {shape} dimensions; {_FORMS}")
    if not isinstance(rows, np.ndarray):
        width = len(rows[0])
        for index, row in enumerate(rows):
            if len(row) != width:
                raise ValueError(f"row {index + 1} of X has {len(row)} cells, but row 1 has {width}")
    width = rows.shape[1] if isinstance(rows, np.ndarray) else len(rows[0])
    if names is not None and len(names) != width:
        raise ValueError(f"X has {width} columns, but there are {len(names)} features: {', '.join(f'`{n}`' for n in names)}")
    frame = pd.DataFrame(rows, columns=[str(name) for name in (names or (f"x{i}" for i in range(width)))])
    return Given(frame, form, getattr(rows, "dtype", None))


def _a(value: Any) -> str:
    return f"of type {type(value).__name__}"


def _from_polars(X: Any) -> pd.DataFrame:
    """Column by column, so that neither pyarrow nor anything else is needed."""
    import polars as pl

    columns = {}
    for name in X.columns:
        series, dtype = X[name], X[name].dtype
        if isinstance(dtype, (pl.Categorical, pl.Enum)):
            texts = series.cast(pl.String).to_list()
            levels = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else sorted(set(texts) - {None})
            columns[name] = pd.Series(pd.Categorical(texts, categories=levels))
        elif series.null_count() and dtype.is_integer():
            columns[name] = pd.Series(series.to_list(), dtype="Int64")
        elif series.null_count() and dtype == pl.Boolean:
            columns[name] = pd.Series(series.to_list(), dtype="boolean")
        elif dtype.is_float() or dtype.is_integer() or dtype == pl.Boolean:
            columns[name] = pd.Series(series.to_numpy())
        elif dtype.is_decimal():
            columns[name] = pd.Series(series.cast(pl.Float64).to_numpy())
        elif dtype in (pl.String, pl.Null):
            columns[name] = pd.Series(series.to_list(), dtype=object)
        else:
            raise ValueError(f"column `{name}`: is of type {dtype}; give numbers, texts, booleans or categories")
    return pd.DataFrame(columns)


def _to_polars(frame: pd.DataFrame, schema: Mapping[str, Any]) -> Any:
    import polars as pl

    columns = []
    for name in frame.columns:
        dtype = schema[name]
        cells = [None if is_missing(cell) else cell for cell in frame[name].tolist()]
        # 32 bits would move the number that was proven.
        dtype = pl.Float64 if dtype == pl.Float32 or dtype.is_decimal() else dtype
        columns.append(pl.Series(name, cells, dtype=dtype))
    return pl.DataFrame(columns)


def outcomes(y: Any, rows: int) -> list[Any]:
    """The outcomes of the rows of X, one each."""
    if isinstance(y, pd.DataFrame) or (hasattr(y, "columns") and hasattr(y, "shape")):
        if len(y.columns) != 1:
            raise ValueError(f"y has {len(y.columns)} columns; give one outcome per row")
        y = y[y.columns[0]]
    if isinstance(y, (str, bytes, Mapping)) or not hasattr(y, "__len__"):
        raise ValueError(f"y is {_a(y)}; give one outcome per row of X")
    if isinstance(y, np.ndarray) and y.ndim != 1:
        if y.ndim != 2 or y.shape[1] != 1:
            raise ValueError(f"y has {y.ndim} dimensions; give one outcome per row of X")
        y = y[:, 0]
    values = list(y.to_list() if hasattr(y, "to_list") else y.tolist() if hasattr(y, "tolist") else y)
    if len(values) != rows:
        raise ValueError(f"X has {rows} rows, but y has {len(values)} outcomes")
    for index, value in enumerate(values):
        if is_missing(value):
            raise ValueError(f"row {index + 1} of y: the outcome is missing; remove the row, or fill it in")
    return values


def check_types(frame: pd.DataFrame) -> None:
    """Refuses columns that are neither numbers nor names of levels."""
    for name in frame.columns:
        column = frame[name]
        dtype = column.dtype
        if pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
            raise ValueError(f"column `{name}`: holds times; give numbers instead, such as days or years")
        if pd.api.types.is_complex_dtype(dtype):
            raise ValueError(f"column `{name}`: holds complex numbers; give plain numbers")
        if dtype == object:
            _check_objects(str(name), column.tolist())


def _check_objects(name: str, cells: list[Any]) -> None:
    first: Optional[tuple[int, str]] = None
    for index, cell in enumerate(cells):
        if is_missing(cell):
            continue
        kind = _kind(cell)
        if kind is None:
            raise ValueError(
                f"row {index + 1}, column `{name}`: is {_a(cell)}; give numbers, texts, booleans or categories"
            )
        if first is None:
            first = (index, kind)
        elif kind != first[1]:
            raise ValueError(
                f"row {index + 1}, column `{name}`: `{cell}` is a {kind}, but row {first[0] + 1} has a {first[1]}; "
                "give one type per column"
            )


def _kind(cell: Any) -> Optional[str]:
    if isinstance(cell, (bool, np.bool_)):
        return "boolean"
    if isinstance(cell, numbers.Real):
        return "number"
    return "text" if isinstance(cell, str) else None


def check_present(frame: pd.DataFrame, names: Sequence[str], remedy: str) -> None:
    """Refuses missing cells in these columns."""
    for name in names:
        index = first_missing(frame[name]) if name in frame.columns else None
        if index is not None:
            raise ValueError(f"row {index + 1}, column `{name}`: is missing; {remedy}")


def check_numbers(frame: pd.DataFrame, numeric: Mapping[str, bool]) -> None:
    """Refuses texts where numbers belong, and numbers that are not finite; codes of a schema file may be texts."""
    for name, is_numeric in numeric.items():
        if not is_numeric or name not in frame.columns:
            continue
        column = frame[name]
        if pd.api.types.is_float_dtype(column.dtype):
            bad = np.flatnonzero(np.isinf(column.to_numpy(dtype=float, na_value=math.nan)))
            if len(bad):
                raise ValueError(
                    f"row {bad[0] + 1}, column `{name}`: `{column.iloc[bad[0]]}` is not a finite number; write a finite number"
                )
        elif not pd.api.types.is_numeric_dtype(column.dtype):
            for index, cell in enumerate(column.tolist()):
                if isinstance(cell, str) and _reads_as_number(cell):
                    raise ValueError(
                        f"row {index + 1}, column `{name}`: `{cell}` is a text; give a number, as in the rows that "
                        "the explainer was fitted on"
                    )


def check_known(frame: pd.DataFrame, feature: Feature, domain: Optional[tuple[float, float]], grid: Optional[Grid]) -> None:
    """Refuses numbers for which a transformer before the model has no result, or that it was not read for."""
    name = feature.name
    if name not in frame.columns:
        return
    cells = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=float, na_value=math.nan)
    stands = ~np.isnan(cells) & ~np.isin(cells, [code for code in feature.codes if isinstance(code, (int, float))])
    low, high = domain or (-math.inf, math.inf)
    bad = np.flatnonzero(stands & ((cells < low) | (cells > high)))
    if len(bad):
        raise ValueError(
            f"row {bad[0] + 1}, column `{name}`: `{cells[bad[0]]:g}` is a number that a transformer before the model has no result "
            "for; check the value"
        )
    bad = np.flatnonzero(stands & ~grid.has(cells)) if grid is not None else bad
    if grid is not None and len(bad):
        raise ValueError(
            f"row {bad[0] + 1}, column `{name}`: `{cells[bad[0]]:g}` is not among the values that the model was read for, "
            f"{grid.values[0]:g} to {grid.values[-1]:g} with {grid.places} decimals; fit the explainer on rows that have such values"
        )


def _reads_as_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
