"""The principal reasons of a rejection, in the terms of the user's frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional

from ._plan import plain
from ._schema import Schema


@dataclass(frozen=True)
class Flips:
    """How many of a feature's other allowed values would flip the decision if nothing else changed."""

    #: Allowed values with which the applicant would have been accepted.
    moves: int
    #: All other values that the applicant may change the feature to without any other change.
    of: int


@dataclass(frozen=True)
class Reason:
    """One principal reason of a rejection: a feature that pulls the score down, compared with a group. ``str(reason)`` is a sentence.

    Examples
    --------
    >>> one = explainer.explain(rejected.head(1), reasons=True)[0]
    >>> 1 <= len(one.reasons) <= 4 and all(reason.contribution < 0 for reason in one.reasons)
    True
    """

    #: The column's name.
    feature: str
    #: The feature's name for people.
    title: str
    #: What its numbers count.
    unit: Optional[str]
    #: The applicant's value, of the frame's own type.
    value: Any
    #: What is typical of the group: the median of numbers, the most frequent level.
    typical: Any
    #: The applicant's value in words.
    value_text: str
    #: What is typical, in words.
    typical_text: str
    #: What the feature adds to the score, compared with the group; negative.
    contribution: float
    #: The standard error of the contribution where it was sampled; None where it is exact.
    standard_error: Optional[float]
    #: The contribution as a share of all negative contributions.
    share: float
    #: Whether some permitted change, of this feature and others together, gives it another value; None where that was not settled.
    actionable: Optional[bool]
    #: How many allowed values alone would have been enough; None where they could not be counted.
    flips: Optional[Flips]
    #: The reason as a sentence.
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Everything, with plain values."""
        flips = {"moves": self.flips.moves, "of": self.flips.of} if self.flips else None
        return {**self.__dict__, "value": plain(self.value), "typical": plain(self.typical), "flips": flips}

    def __str__(self) -> str:
        return self.text


def of_answer(answer: dict[str, Any], schema: Schema, own: Mapping[str, Any]) -> Optional[list[Reason]]:
    """An applicant's reasons, where they were asked for; ``own`` has the cells of the user's frame."""
    records = answer["plans"][0]["reasons"]
    if records is None:
        return None
    return [
        Reason(
            **{
                **record,
                "value": own[record["feature"]],
                "typical": schema.feature(record["feature"]).raw(record["typical"]),
                "flips": Flips(**record["flips"]) if record["flips"] else None,
            }
        )
        for record in records
    ]
