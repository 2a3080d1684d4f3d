"""Answers as Arrow columns of fixed types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

from ._frames import is_missing, level_text
from ._plan import FIGURES
from ._results import CHANGES, SUMMARY, Explanation, change_rows, summary_row
from ._row_errors import RowError

if TYPE_CHECKING:
    import pyarrow as pa

#: The forms that answers can be given in, with their columns.
OUTPUTS = {"frame": (*CHANGES, "message"), "summary": (*SUMMARY, "message")}
#: The type of each column in Arrow and in Spark; others are texts.
TYPES = {
    **dict.fromkeys((*FIGURES, "seconds"), ("float64", "double")),
    **dict.fromkeys(("plan", "plans", "moves"), ("int64", "long")),
    "verified": ("bool_", "boolean"),
}
TEXT = ("string", "string")
#: The number of a row, where no key names it.
APPLICANT = "applicant"


def schema(given: pa.Schema, key: Sequence[str], output: str) -> pa.Schema:
    """The columns of the answers: the key as it is given, and those of the output."""
    import pyarrow as pa

    named = [given.field(name) for name in key] or [pa.field(APPLICANT, pa.int64())]
    columns = [pa.field(name, getattr(pa, TYPES.get(name, TEXT)[0])()) for name in OUTPUTS[output]]
    return pa.schema([*named, *columns])


def to_batch(
    given: pa.RecordBatch, key: Sequence[str], output: str, first: int, answers: list[tuple[int, Union[Explanation, RowError]]]
) -> pa.RecordBatch:
    """Answers to some rows of a batch whose first row has the number ``first``."""
    import pyarrow as pa

    rows = [(index, row) for index, answer in answers for row in _rows(answer, output)]
    indices = [index for index, _ in rows]
    columns = [given.column(name).take(pa.array(indices, pa.int64())) for name in key]
    if not columns:
        columns = [pa.array([first + index for index in indices], pa.int64())]
    fields = schema(given.schema, key, output)
    for name in OUTPUTS[output]:
        columns.append(pa.array([row.get(name) for _, row in rows], fields.field(len(columns)).type))
    return pa.RecordBatch.from_arrays(columns, schema=fields)


def _rows(answer: Union[Explanation, RowError], output: str) -> list[dict[str, Any]]:
    if isinstance(answer, RowError):
        counts = {"plans": 0, "moves": 0, "changes": ""}
        return [{"status": "error", "message": answer.message, **(counts if output == "summary" else {})}]
    rows = [summary_row(answer)] if output == "summary" else change_rows(answer)
    for row in rows:
        row["message"] = _message(answer)
        for name in ("before", "after"):
            row[name] = _cell(row.get(name))
    return rows


def _message(answer: Explanation) -> Optional[str]:
    """What there is to say beyond the status."""
    why = [str(answer.why_none)] if answer.why_none else []
    remark = [answer.remark] if answer.remark else []
    return "; ".join([*why, *remark, *answer.notes]) or None


def _cell(value: Any) -> Optional[str]:
    """Columns of several types share one column here, so that they are given as texts."""
    return None if is_missing(value) else value if isinstance(value, str) else level_text(value)
