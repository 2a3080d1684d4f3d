"""Columns of Arrow batches as a pandas frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

import pandas as pd

from ._frames import nearest

if TYPE_CHECKING:
    import pyarrow as pa


#: What features may be, in words.
READABLE = "numbers, texts, booleans or dictionaries of these"


#: What numeric features may be, in words.
NUMBERS = "numbers"


def check_columns(schema: pa.Schema, features: Mapping[str, bool], key: Sequence[str]) -> None:
    """Refuses batches that lack a column, have it twice, or hold something else than numbers and levels in a feature.

    ``features`` says of each whether its cells have to be numbers.
    """
    check_names(schema.names, list(features), key)
    for name, numeric in features.items():
        kind = _value_type(schema.field(name).type)
        if not _readable(kind) or (numeric and _is_text(kind)):
            raise ValueError(f"column `{name}`: is of type {kind}; give {NUMBERS if numeric else READABLE}")


def check_names(known: Sequence[str], features: Sequence[str], key: Sequence[str]) -> None:
    """Refuses tables that lack a column or have it twice."""
    for what, names in (("column", features), ("key", key)):
        for name in names:
            found = list(known).count(name)
            if found > 1:
                raise ValueError(f"{what} `{name}`: there are {found} columns of this name; rename the others")
            if not found:
                near = nearest(name, [other for other in known if other not in features])
                raise ValueError(
                    f"{what} `{name}`: is not in the table{f', but `{near}` is' if near else ''}; it has "
                    f"{', '.join(f'`{other}`' for other in known)}"
                )


def to_pandas(batch: pa.RecordBatch, features: Sequence[str]) -> pd.DataFrame:
    """The features of a batch. Types depend on what is missing in it, but what :meth:`Explainer.explain` answers does not."""
    return pd.DataFrame({name: _series(batch.column(name)) for name in features})


def _value_type(kind: Any) -> Any:
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    view = getattr(pa.types, "is_string_view", lambda _: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or view(kind))


def _readable(kind: Any) -> bool:
    import pyarrow as pa

    numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean, pa.types.is_null)
    return _is_text(kind) or any(is_one(kind) for is_one in numbers)


def _series(column: Any) -> pd.Series:
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if pa.types.is_decimal(kind):
        # Arrow's own cast is not always to the nearest number.
        return pd.Series([None if cell is None else float(cell) for cell in column.to_pylist()], dtype="float64")
    if column.null_count and pa.types.is_integer(kind):
        return pd.Series(column.to_pylist(), dtype="Int64")
    if column.null_count and pa.types.is_boolean(kind):
        return pd.Series(column.to_pylist(), dtype="boolean")
    if _is_text(kind) or pa.types.is_null(kind):
        return pd.Series(column.to_pylist(), dtype=object)
    return pd.Series(column.to_numpy(zero_copy_only=False))
