"""Explanations for a DataFrame of Apache Spark, computed on its executors.

pyspark and pyarrow are imported when they are used. docs/spark.md has the columns, an example, and how to size a job.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence, Union

from . import _settings as check
from ._arrow_input import NUMBERS, READABLE, check_names
from ._arrow_output import OUTPUTS, TEXT, TYPES
from ._arrow_request import Request
from ._explainer import Explainer

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark import SparkContext
    from pyspark.core.broadcast import Broadcast
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = ["explain"]


def explain(
    df: DataFrame,
    explainer: Explainer,
    *,
    key: Union[str, Sequence[str]],
    output: str = "frame",
    accepted: str = "keep",
    errors: str = "report",
    batch_size: int = 20,
    **options: Any,
) -> DataFrame:
    """Explains the rows of a Spark DataFrame: the answers of :meth:`Explainer.explain`, one task per partition.

    Nothing is computed yet; Spark explains when an action asks for rows, and again for the next action unless the result is
    written or cached. The explainer is broadcast, and every Python worker process of the executors fits it once.

    Parameters
    ----------
    df : pyspark.sql.DataFrame
        The applications. Only the features and the key are sent to Python.
    explainer : Explainer
        Fitted.
    key : str or list of str
        Columns that name an application, given back as they are.
    output : {"frame", "summary"}
        The columns of :meth:`Results.to_frame` (a row per application, plan and changed feature) or of :meth:`Results.summary`
        (a row per application), and ``message``. ``before`` and ``after`` are texts.
    accepted : {"keep", "drop"}
        Whether applications that the model accepts, which are never solved, have a row of the status ``already-accepted``, or none.
    errors : {"report", "raise"}
        What becomes of a row that can't be explained, such as one with an unknown level: a row of the status ``error`` with the
        reason as ``message``, or a job that fails with a ValueError that names its key.
    batch_size : int, default 20
        So many rows are explained, and then handed to Spark, at a time.
    **options
        Those of :meth:`Explainer.explain`, such as ``n_plans``, ``time_limit`` (seconds per row) and ``rules``, but for ``n_jobs``:
        every task has one thread.

    Returns
    -------
    pyspark.sql.DataFrame
        The key columns, and those of the output.

    Examples
    --------
    >>> import amends.spark
    >>> rows = [{"number": int(number), **row} for number, row in rejected.head(2).to_dict("index").items()]
    >>> answers = amends.spark.explain(spark.createDataFrame(rows), explainer, key="number", output="summary")
    >>> answers.columns[:4]
    ['number', 'status', 'plans', 'moves']
    >>> [row.status for row in answers.collect()]
    ['optimal', 'optimal']
    """
    if not hasattr(df, "sparkSession"):
        raise TypeError(f"df: is of type {type(df).__name__}; give a DataFrame of Spark, such as spark.createDataFrame(frame) makes")
    size = check.count("batch_size", batch_size)
    if "n_jobs" in options:
        raise TypeError("`n_jobs` is not an option: every task of Spark has one thread, and Spark runs as many tasks as there are cores")
    request = Request.checked(explainer, key, output, accepted, errors, {**options, "n_jobs": 1})
    if not request.key:
        raise ValueError("key: name at least one column, for the rows of a DataFrame have no number")
    features = explainer._features
    _check_case(df, request.key, output)
    _check_columns(df, explainer._numeric, request.key)
    pickled = _pickled(explainer)
    digest = hashlib.sha256(pickled).hexdigest()
    broadcast = _context(df).broadcast(pickled)

    names = list(dict.fromkeys([*request.key, *features]))

    def explain_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        named = (batch.rename_columns(names) for batch in batches)
        return request.answers(_fitted(digest, broadcast), named, size)

    # Numbered for the journey, because Spark itself trips over dots and quotes in names.
    numbered = [df[_quoted(name)].alias(f"c{index}") for index, name in enumerate(names)]
    return df.select(*numbered).mapInArrow(explain_partition, _schema(df, request.key, output))


def _check_case(df: DataFrame, key: Sequence[str], output: str) -> None:
    """Refuses names that differ only in upper and lower case, where Spark takes them for one."""
    if str(df.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true":
        return
    answers = {name.lower(): name for name in OUTPUTS[output]}
    for name in key:
        if name.lower() in answers:
            raise ValueError(
                f"key: Spark takes `{name}` and the answers' column `{answers[name.lower()]}` for one; rename that of your table"
            )
    seen: dict[str, str] = {}
    for name in df.columns:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(
                f"df: Spark takes the columns `{other}` and `{name}` for one; rename one of them, or set spark.sql.caseSensitive to true"
            )


def _check_columns(df: DataFrame, features: Mapping[str, bool], key: Sequence[str]) -> None:
    """Refuses on the driver what would fail on every executor."""
    from pyspark.sql import types

    numbers = (types.IntegralType, types.FractionalType, types.BooleanType, types.NullType)
    texts = (types.StringType, types.CharType, types.VarcharType)
    check_names(df.columns, list(features), key)
    for name, numeric in features.items():
        kind = df.schema[name].dataType
        if not isinstance(kind, numbers if numeric else (*numbers, *texts)):
            raise ValueError(f"column `{name}`: is of type {kind.simpleString()}; give {NUMBERS if numeric else READABLE}")


def _schema(df: DataFrame, key: Sequence[str], output: str) -> StructType:
    """The columns of the answers as Spark has them."""
    from pyspark.sql.types import StructType

    fields = StructType([df.schema[name] for name in key])
    for name in OUTPUTS[output]:
        fields.add(name, TYPES.get(name, TEXT)[1])
    return fields


def _quoted(name: str) -> str:
    """A name in which Spark looks for no dots."""
    doubled = name.replace("`", "``")
    return f"`{doubled}`"


def _context(df: DataFrame) -> SparkContext:
    try:
        return df.sparkSession.sparkContext
    except AttributeError:
        raise ValueError(
            "df: belongs to a session of Spark Connect, which has no broadcasts; start a classic session, or use amends.arrow in mapInArrow"
        ) from None


def _pickled(explainer: Explainer) -> bytes:
    """As Spark itself pickles functions, so that classes of a notebook travel along."""
    from pyspark import cloudpickle

    dumps: Callable[[Explainer], bytes] = cloudpickle.dumps
    return dumps(explainer)


#: The explainers of this process by the digest of their pickle, the last used one last.
_explainers: OrderedDict[str, Explainer] = OrderedDict()
#: More than one, for jobs of two explainers that take turns.
_KEPT = 2


def _fitted(digest: str, broadcast: Broadcast[bytes]) -> Explainer:
    """An explainer, unpickled (which fits it) once per Python process, however many tasks and jobs the process serves."""
    if digest not in _explainers:
        _explainers[digest] = pickle.loads(broadcast.value)
        while len(_explainers) > _KEPT:
            _explainers.popitem(last=False)
    _explainers.move_to_end(digest)
    return _explainers[digest]
