"""Explains rows one by one where a whole batch fails, so that one bad row does not take the others with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Union

import pandas as pd

from ._results import Explanation

if TYPE_CHECKING:
    from ._explainer import Explainer


@dataclass(frozen=True)
class RowError:
    """Why a row could not be explained."""

    message: str


def explain_rows(explainer: Explainer, frame: pd.DataFrame, options: Mapping[str, Any]) -> list[Union[Explanation, RowError]]:
    """The answers to the rows of a frame, bad rows among them.

    A batch with a bad row is halved until the row is alone. Bad cells are found before anything is solved, so that the good
    rows are solved once.
    """
    try:
        return list(explainer.explain(frame, **options, progress=False))
    except (ValueError, RuntimeError, MemoryError) as error:
        if len(frame) == 1:
            # The row is named by its key; its number within the batch says nothing.
            return [RowError(re.sub(r"^(X, )?row 1(, |: )", "", str(error)))]
    half = len(frame) // 2
    return [*explain_rows(explainer, frame.iloc[:half], options), *explain_rows(explainer, frame.iloc[half:], options)]
