"""Arrow record batches in, Arrow record batches out: for tables that do not fit into memory, and for Ray, Dask and Polars.

pyarrow is needed here and nowhere else; it is imported when it is used. docs/spark.md has the columns and an example for each
library.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence, Union, cast

from . import _arrow_output
from . import _settings as check
from ._arrow_input import check_columns
from ._arrow_request import Request, check_key, check_output, load_pyarrow
from ._explainer import Explainer

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["explain", "explain_batch", "schema"]


def schema(given: pa.Schema, *, key: Union[str, Sequence[str]] = (), output: str = "frame") -> pa.Schema:
    """The columns that :func:`explain` answers with, known before any row is explained.

    Parameters
    ----------
    given : pyarrow.Schema
        That of the batches that will be asked about, which has the types of the key.
    key, output
        As in :func:`explain`.

    Returns
    -------
    pyarrow.Schema
        The key columns, and those of ``to_frame()`` or ``summary()`` with a ``message``.

    Examples
    --------
    >>> import amends.arrow
    >>> import pyarrow as pa
    >>> amends.arrow.schema(pa.schema([("number", pa.int32())]), key="number").names[:5]
    ['number', 'plan', 'status', 'feature', 'title']
    """
    names = check_key(key, check_output(output))
    check_columns(given, {}, names)
    return _arrow_output.schema(given, names, output)


def explain(
    batches: Union[pa.Table, pa.RecordBatchReader, Iterable[pa.RecordBatch]],
    explainer: Explainer,
    *,
    key: Union[str, Sequence[str]] = (),
    output: str = "frame",
    accepted: str = "keep",
    errors: str = "report",
    batch_size: int = 100,
    **options: Any,
) -> Iterator[pa.RecordBatch]:
    """Explains batch after batch, in order; only one batch and its answers are in memory.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch, or anything that exports an Arrow stream
        The applications: also a Table, a RecordBatchReader, or a data frame of Polars. Columns go by their names; others than the
        features and the key are ignored.
    explainer : Explainer
        Fitted.
    key : str or list of str
        Columns that name an application, given back as they are. Without a key, ``applicant`` is the number of the row, from 0.
    output : {"frame", "summary"}
        The columns of :meth:`Results.to_frame` (a row per application, plan and changed feature) or of :meth:`Results.summary`
        (a row per application), and ``message``. ``before`` and ``after`` are texts.
    accepted : {"keep", "drop"}
        Whether applications that the model accepts have a row of the status ``already-accepted``, or none.
    errors : {"report", "raise"}
        What becomes of a row that can't be explained, such as one with an unknown level: a row of the status ``error`` with the
        reason as ``message``, or a ValueError that names the row.
    batch_size : int, default 100
        How many rows are explained at once, at most; each lot gives one batch of answers.
    **options
        Those of :meth:`Explainer.explain`: ``n_plans``, ``time_limit``, ``n_jobs``, ``rules``, ...

    Returns
    -------
    iterator of pyarrow.RecordBatch
        All with the schema that :func:`schema` returns. Batches without a row are left out.

    Examples
    --------
    >>> import amends.arrow
    >>> import pyarrow as pa
    >>> table = pa.Table.from_pandas(rejected.head(3).rename_axis("number").reset_index(), preserve_index=False)
    >>> answers = amends.arrow.explain(table, explainer, key="number", output="summary", batch_size=2)
    >>> [batch.num_rows for batch in answers]
    [2, 1]
    """
    request = Request.checked(explainer, key, output, accepted, errors, options)
    return request.answers(explainer, _stream(batches), check.count("batch_size", batch_size))


def explain_batch(
    batch: Union[pa.RecordBatch, pa.Table],
    explainer: Explainer,
    *,
    key: Union[str, Sequence[str]] = (),
    output: str = "frame",
    accepted: str = "keep",
    errors: str = "report",
    **options: Any,
) -> Any:
    """Explains one batch: a function of a record batch, for libraries that hand batches to functions.

    Parameters
    ----------
    batch : pyarrow.RecordBatch or pyarrow.Table
        The applications.
    explainer, key, output, accepted, errors, **options
        As in :func:`explain`.

    Returns
    -------
    pyarrow.RecordBatch or pyarrow.Table
        The answers, as the kind of table that came in; without rows where there are none.

    Examples
    --------
    >>> import amends.arrow
    >>> import pyarrow as pa
    >>> batch = pa.RecordBatch.from_pandas(rejected.head(3), preserve_index=False)
    >>> answers = amends.arrow.explain_batch(batch, explainer, output="summary")
    >>> answers.column("applicant").to_pylist(), set(answers.column("status").to_pylist())
    ([0, 1, 2], {'optimal'})
    """
    pa = load_pyarrow()
    if not isinstance(batch, (pa.RecordBatch, pa.Table)):
        raise TypeError(
            f"batch: is of type {type(batch).__name__}; give a pyarrow.RecordBatch or pyarrow.Table, such as "
            "pyarrow.Table.from_pandas(frame) makes"
        )
    request = Request.checked(explainer, key, output, accepted, errors, options)
    if isinstance(batch, pa.RecordBatch):
        check_columns(batch.schema, explainer._numeric, request.key)
        return request.answer(explainer, batch, 0)
    given = batch.combine_chunks().to_batches()
    answers = request.answers(explainer, given, max(1, batch.num_rows))
    return pa.Table.from_batches(list(answers), schema(batch.schema, key=request.key, output=output))


def _stream(batches: Any) -> Iterable[Any]:
    if hasattr(batches, "__arrow_c_stream__"):
        return cast("Iterable[Any]", load_pyarrow().RecordBatchReader.from_stream(batches))
    if isinstance(batches, Mapping) or not hasattr(batches, "__iter__"):
        raise TypeError(f"batches: is of type {type(batches).__name__}; give Arrow record batches, or an Arrow table")
    return _checked(batches)


def _checked(batches: Iterable[Any]) -> Iterator[Any]:
    """Refuses what is not a record batch when its turn comes."""
    pa = load_pyarrow()
    for index, batch in enumerate(batches):
        if not isinstance(batch, pa.RecordBatch):
            raise TypeError(f"batches: number {index + 1} is of type {type(batch).__name__}; give Arrow record batches, or an Arrow table")
        yield batch
