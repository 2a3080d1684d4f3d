"""The user's own model has the last word: on the rows of fit, and on every plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import pandas as pd

from ._frames import level_text
from ._models import Reader
from ._plan import Plan


#: Probabilities that differ by less are the same up to rounding in 32 bits.
_SAME = 1e-5


#: Types of numbers that numpy's functions compute with fewer than 64 bits, and how many these are.
_NARROW = {"float16": 16, "float32": 32, "int8": 16, "uint8": 16, "int16": 32, "uint16": 32}


@dataclass
class Judge:
    """Decides as the model object itself does."""

    reader: Reader
    #: The columns that the model was fitted on.
    names: list[str]
    #: The class that applicants want.
    favourable: str

    def accepts(self, frame: pd.DataFrame, target_proba: Optional[float] = None) -> np.ndarray:
        """Which applications the model accepts."""
        frame = frame[self.names]
        one = level_text(self.reader.classes[1]) == self.favourable
        if target_proba is not None:
            probability = self.reader.probability(frame)
            if probability is not None:
                return (probability if one else 1 - probability) >= target_proba
        second = self.reader.predict(frame)
        return second if one else ~second

    def compare(self, frame: pd.DataFrame, scores: Any) -> list[str]:
        """Every row must be decided as the model itself decides it; notes about those within rounding of the cut."""
        self._check_width(frame)
        differ = np.flatnonzero((scores >= 0) != self.accepts(frame))
        rounding = self.reader.rounding(frame[self.names]) if differ.size else 0.0
        plain = [row for row in differ if abs(scores[row]) > rounding]
        if plain:
            raise ValueError(
                f"the model was read wrongly: {len(plain)} of {len(frame)} rows of X are decided otherwise, first "
                f"row {plain[0] + 1} with a score of {scores[plain[0]]:+.6g}. Check that X has the units and types that "
                "the model was fitted on; if so, please report it"
            )
        return [
            f"row {row + 1} of X: its score of {scores[row]:+.1e} is 0 up to rounding, and the model decides it otherwise"
            for row in differ
        ]

    def _check_width(self, frame: pd.DataFrame) -> None:
        """Scalers and functions compute in as few bits as numbers have, which rounds some across thresholds."""
        narrow = {name: "float64" for name in self.names if str(frame[name].dtype).lower() in _NARROW}
        if not narrow or not self.reader.before:
            return
        frame = frame[self.names]
        here, there = (self.reader.probability(one) for one in (frame, frame.astype(narrow)))
        if here is None or there is None:
            return
        row = int(np.argmax(np.abs(here - there)))
        if abs(here[row] - there[row]) > _SAME:
            raise ValueError(
                f"row {row + 1}, column `{next(iter(narrow))}`: numbers of {_NARROW[str(frame[next(iter(narrow))].dtype).lower()]} bits are "
                "rounded across the model's thresholds by the scaler or function before it; fit the model and the explainer on X in 64 bits, X.astype('float64')"
            )

    def verify(self, plans: list[Plan], target_proba: Optional[float]) -> None:
        """Says of every plan whether the model accepts it."""
        if not plans:
            return
        frame = plans[0]._changed.iloc[[plan._row for plan in plans]]
        for plan, accepted in zip(plans, self.accepts(frame, target_proba)):
            plan.verified = bool(accepted)
