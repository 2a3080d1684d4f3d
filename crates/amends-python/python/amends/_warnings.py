"""What ``fit`` warns about: guesses that turn plans around if they are wrong, each with what to write instead."""

from __future__ import annotations

import warnings
from typing import Any, Mapping, Sequence

from ._frames import level_text

#: Values that are as often codes as counts.
CODES = ([1, 2], [0, 1, 2])


def warn(messages: Sequence[str]) -> None:
    """Warns of each, as if the call of ``fit`` had done so."""
    for message in messages:
        warnings.warn(message, UserWarning, stacklevel=3)


def guessed_class(desired: str, other: str) -> str:
    """Nobody said which class applicants want."""
    return (
        f"desired_class was guessed: {desired} is taken for what applicants want. Write desired_class={desired}, or "
        f"desired_class={other} if {desired} stands for rejection or default"
    )


def disagreement(outcomes: Sequence[bool], accepted: Sequence[bool]) -> list[str]:
    """Outcomes and the model's predictions that differ in most rows."""
    rows = len(outcomes)
    differ = sum(bool(one) != bool(other) for one, other in zip(outcomes, accepted))
    if 2 * differ <= rows:
        return []
    return [
        f"the model predicts another class than y in {differ} of {rows} rows of X: the classes of y may be swapped. Give fit the "
        "outcomes that the model was fitted on, with the same meaning of each class, and check desired_class"
    ]


def numbers_like_codes(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """Columns of numbers that may be codes."""
    return [
        f"column `{name}`: has only the values {', '.join(level_text(value) for value in values)}, but is taken for a number. If these "
        f"are codes, write kinds={{'{name}': '{'binary' if len(values) == 2 else 'categorical'}'}}; if they count something, "
        f"kinds={{'{name}': 'integer'}}"
        for name, values in columns.items()
    ]
