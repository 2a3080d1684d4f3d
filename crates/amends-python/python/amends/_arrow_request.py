"""What is asked about every Arrow batch, checked before any of them is read."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union

import numpy as np
import pandas as pd

from . import _arrow_output
from . import _settings as check
from ._arrow_input import check_columns, to_pandas
from ._explainer import Explainer
from ._row_errors import RowError, explain_rows

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Request:
    """What is asked about every batch."""

    key: tuple[str, ...]
    output: str
    accepted: str
    errors: str
    options: Mapping[str, Any]

    @classmethod
    def checked(
        cls,
        explainer: Explainer,
        key: Union[str, Sequence[str]],
        output: str,
        accepted: str,
        errors: str,
        options: Mapping[str, Any],
    ) -> Request:
        """Refuses what can't be asked before any row is read."""
        load_pyarrow()
        known = [name for name in inspect.signature(Explainer.explain).parameters if name not in ("self", "X", "progress")]
        for name in options:
            if name not in known:
                raise TypeError(f"`{name}` is not an option; there are {', '.join(known)}")
        check.choice("accepted", accepted, ("keep", "drop"))
        check.choice("errors", errors, ("report", "raise"))
        # Nobody is asked about, but every option is read.
        explainer.explain(explainer._nobody(), **options)
        return cls(check_key(key, check_output(output)), output, accepted, errors, dict(options))

    def answers(self, explainer: Explainer, batches: Iterable[pa.RecordBatch], batch_size: int) -> Iterator[pa.RecordBatch]:
        """The answers to a stream of batches, ``batch_size`` rows at a time."""
        first, known = 0, None
        for batch in batches:
            if known is None or not batch.schema.equals(known):
                check_columns(batch.schema, explainer._numeric, self.key)
                known = batch.schema
            for start in range(0, batch.num_rows, batch_size):
                answers = self.answer(explainer, batch.slice(start, batch_size), first + start)
                if answers.num_rows:
                    yield answers
            first += batch.num_rows

    def answer(self, explainer: Explainer, batch: pa.RecordBatch, first: int) -> pa.RecordBatch:
        """The answers to a batch whose first row has the number ``first``."""
        frame = to_pandas(batch, explainer._features)
        indices = self._asked(explainer, frame)
        answers = explain_rows(explainer, frame.iloc[indices], self.options) if indices else []
        kept = []
        for index, answer in zip(indices, answers):
            if isinstance(answer, RowError) and self.errors == "raise":
                raise ValueError(f"{self._name(batch, index, first)}: {answer.message}")
            if isinstance(answer, RowError) or self.accepted == "keep" or answer.status != "already-accepted":
                kept.append((index, answer))
        return _arrow_output.to_batch(batch, self.key, self.output, first, kept)

    def _asked(self, explainer: Explainer, frame: pd.DataFrame) -> list[int]:
        """The rows to explain. Scores alone decide who is accepted, where no more is asked about those."""
        own_cut = not any(self.options.get(name) for name in ("target_proba", "margin", "margin_step"))
        if self.accepted == "drop" and own_cut and len(frame):
            try:
                scores = explainer._scores(explainer._given(frame).frame)
                return [int(index) for index in np.flatnonzero(~(scores >= 0))]
            except ValueError:
                # A bad row, which is found later.
                pass
        return list(range(len(frame)))

    def _name(self, batch: pa.RecordBatch, index: int, first: int) -> str:
        if not self.key:
            return f"row {first + index + 1}"
        return ", ".join(f"{name} = {batch.column(name)[index].as_py()!r}" for name in self.key)


def check_output(output: str) -> str:
    """Which table the answers become."""
    return check.choice("output", output, tuple(_arrow_output.OUTPUTS))


def check_key(key: Union[str, Sequence[str]], output: str) -> tuple[str, ...]:
    """The columns that name an application."""
    names = check.names("key", key)
    for name in names:
        if name in _arrow_output.OUTPUTS[output]:
            raise ValueError(f"key: `{name}` is a column of the answers, too; rename that of your table")
        if names.count(name) > 1:
            raise ValueError(f"key: `{name}` is named twice; name it once")
    return tuple(names)


def load_pyarrow() -> Any:
    """The package, imported when it is first needed."""
    try:
        import pyarrow
    except ImportError:
        raise ImportError("Arrow tables need pyarrow: pip install pyarrow") from None
    return pyarrow
