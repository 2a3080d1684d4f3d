"""A plan and what it changes; and why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
import pandas as pd

from . import _text
from ._frames import is_missing

#: Figures of a plan, in the order of the frames' columns.
FIGURES = (
    "objective",
    "bound",
    "gap",
    "distance",
    "outlier",
    "change_cost",
    "mahalanobis",
    "lof",
    "score_before",
    "score_after",
    "probability_before",
    "probability_after",
)


def plain(value: Any) -> Any:
    """A cell or label as JSON can hold it."""
    if isinstance(value, np.generic):
        value = value.item()
    if is_missing(value) or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Change:
    """One feature's change.

    Examples
    --------
    >>> from amends import Change
    >>> print(Change("duration", 24, 18, title="Duration", unit="months"))
    Duration: 24 -> 18 months
    """

    #: The column's name.
    feature: str
    #: The value as it is, of the frame's own type.
    before: Any
    #: The value as it would have to be, of the frame's own type.
    after: Any
    #: The feature's name for people; the column's where there is no other.
    title: str = ""
    #: What its numbers count.
    unit: Optional[str] = None
    #: The value as it is, in words: the label of a code where a state stands there instead of a number.
    before_text: Optional[str] = None
    #: The value as it would have to be, in words.
    after_text: Optional[str] = None
    #: What the features that move with it are called together, where it moves with others: all of that is one change.
    together: Optional[str] = None

    @property
    def words(self) -> tuple[str, str]:
        """Before and after in words; long numbers before are shortened, those after are given in full."""
        before = str(self.before) if self.before_text is None else self.before_text
        if isinstance(self.before, float) and before not in ("", "nan") and math.isfinite(self.before):
            before = before if self.before_text is not None and not _is_number(before) else _text.short(self.before)
        return before, str(self.after) if self.after_text is None else self.after_text

    def to_dict(self) -> dict[str, Any]:
        """The change with plain values."""
        return {
            "feature": self.feature,
            "title": self.title or self.feature,
            "before": plain(self.before),
            "after": plain(self.after),
            "unit": self.unit,
            "before_text": self.words[0],
            "after_text": self.words[1],
            "together": self.together,
        }

    def __str__(self) -> str:
        before, after = self.words
        return f"{self.title or self.feature}: {before} -> {after}{f' {self.unit}' if self.unit else ''}"


class Plan:
    """One way to be accepted, with its figures.

    All figures are attributes: ``objective`` is what it costs (``distance`` plus the weight times ``outlier`` plus
    ``change_cost``, the price of its changes together), ``bound`` what no plan costs less than, ``gap`` how far the two are apart, relatively. ``mahalanobis`` and ``lof`` are always the Mahalanobis
    distance and the local outlier factor, whatever was minimised. ``score_before``, ``score_after``, ``probability_before`` and
    ``probability_after`` are the model's, ``moves`` counts changes and ``seconds`` the time.
    """

    status: str
    objective: float
    bound: Optional[float]
    gap: Optional[float]
    distance: float
    outlier: float
    change_cost: float
    mahalanobis: float
    lof: float
    score_before: float
    score_after: float
    probability_before: Optional[float]
    probability_after: Optional[float]
    #: Among how many values of every number it was found; None where every value was on offer.
    values_offered: Optional[int]
    moves: int
    seconds: float
    remark: Optional[str]

    def __init__(self, data: dict[str, Any], changed: pd.DataFrame, index: int, changes: list[Change]) -> None:
        for name in ("status", *FIGURES, "values_offered", "moves", "seconds", "remark"):
            setattr(self, name, data[name])
        self._changed = changed
        self._row = index
        # The core's sentences about it; one that there would be without some rules has none of its own.
        self._words: dict[str, str] = data.get("words") or {}
        self._proof: Optional[str] = data.get("proof")
        #: What changes.
        self.changes = changes
        #: Whether the model itself accepts it.
        self.verified: Optional[bool] = None

    @property
    def frame(self) -> pd.DataFrame:
        """The changed application: one row with the types of the frame that the explainer was fitted on."""
        return self._changed.iloc[[self._row]]

    @property
    def application(self) -> dict[str, Any]:
        """The changed application with plain values."""
        row = self._changed.iloc[self._row]
        return {str(name): plain(row[name]) for name in self._changed.columns}

    def to_dict(self) -> dict[str, Any]:
        """Everything about it, with plain values."""
        figures = {name: plain(getattr(self, name)) for name in ("status", *FIGURES, "values_offered", "moves", "seconds", "remark")}
        return {
            **figures,
            "changes": [change.to_dict() for change in self.changes],
            "application": self.application,
            "verified": self.verified,
        }

    def __getstate__(self) -> dict[str, Any]:
        # One row, not the whole batch.
        return {**self.__dict__, "_changed": self.frame, "_row": 0}

    def __repr__(self) -> str:
        return f"<Plan at a cost of {self.objective:.6g}, {self.status}: {', '.join(map(str, self.changes))}>"


@dataclass(frozen=True)
class Way:
    """A set of rules whose relaxation gives a plan, and that plan."""

    #: The rules in words, as the end of "there would be a plan ...".
    text: str
    #: The same, one by one.
    relaxed: list[str]
    #: The best plan without them.
    plan: Optional[Plan]

    def to_dict(self) -> dict[str, Any]:
        """Everything, with plain values."""
        return {"text": self.text, "relaxed": self.relaxed, "plan": self.plan.to_dict() if self.plan else None}


@dataclass(frozen=True)
class WhyNone:
    """Why there is no plan: the fewest rules that would have to give way. ``str(why)`` says it in words."""

    #: The cheapest way in a few words.
    text: str
    #: No plan exists unless at least this many rules are relaxed, proven.
    at_least: int
    #: Whether more is known than that: the ways, or that no way exists. Otherwise time ran out.
    settled: bool
    #: Whether these are all sets of that many rules that give a plan.
    all_ways: bool
    #: The sets of rules to relax, the cheapest first, each with its plan.
    ways: list[Way]
    #: The core's sentences about it.
    _words: dict[str, Any] = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Everything, with plain values."""
        ways = [way.to_dict() for way in self.ways]
        return {
            "text": str(self),
            "at_least": self.at_least,
            "settled": self.settled,
            "all_ways": self.all_ways,
            "ways": ways,
        }

    def __str__(self) -> str:
        return str(self._words["short"])
