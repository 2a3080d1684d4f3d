"""The words of the schema's rule language: names, levels and numbers with the quotes that they need."""

from __future__ import annotations

import math
import numbers
import re
from typing import Any

from ._frames import level_text

_KEYWORDS = frozenset(
    "and at by change changes does fall falls if is least most must never not of one or rise rises stay stays then together".split()
)
_WORD = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_.]*[A-Za-z0-9_])?")

_TRUTH = (
    "a rule is neither true nor false by itself: join rules with & | ~ and parentheses instead of `and`, `or`, `not`, and "
    "write (col('a') >= 1) & (col('a') <= 5) instead of 1 <= col('a') <= 5"
)


def is_word(text: str) -> bool:
    return _WORD.fullmatch(text) is not None and text.lower() not in _KEYWORDS


def name_word(name: str) -> str:
    """A feature, in backquotes where it must be."""
    doubled = name.replace("`", "``")
    return name if is_word(name) else f"`{doubled}`"


def level_word(value: Any) -> str:
    """A level or a code, in double quotes where it must be."""
    text = level_text(value)
    doubled = text.replace('"', '""')
    return text if is_word(text) else f'"{doubled}"'


def number_word(value: Any) -> str:
    if isinstance(value, numbers.Integral):
        return str(int(value))
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"a rule can't compare with {number}; give a finite number")
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and type(value).__name__ not in ("bool_", "bool")


class NoTruth:
    """What Python would take for true or false by mistake."""

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError(_TRUTH)

    def __contains__(self, value: Any) -> bool:
        raise TypeError("write col('a').is_in([...]) instead of `in`")

    def __iter__(self) -> Any:
        raise TypeError(f"{type(self).__name__} can't be gone through; give a list of rules")
