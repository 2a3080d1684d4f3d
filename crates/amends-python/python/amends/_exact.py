"""Sums of products that lose no digits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def dense(part: Any) -> np.ndarray:
    """The numbers of a table that may be sparse."""
    return np.asarray(part.todense() if hasattr(part, "todense") else part, dtype=float)


def exact_dot(a: np.ndarray, b: np.ndarray) -> float:
    """The sum of products, rounded once: each product is taken as a number and what was rounded off it."""
    products = a * b
    with np.errstate(over="ignore", invalid="ignore"):
        (a_high, a_low), (b_high, b_low) = (_halves(a), _halves(b))
        rest = ((a_high * b_high - products) + a_high * b_low + a_low * b_high) + a_low * b_low
    # Halves of numbers beyond 1e300 are none.
    parts = np.concatenate([products, rest]) if np.isfinite(rest).all() else products
    return math.fsum(parts.tolist())


def _halves(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each number as two of 26 digits, whose products are exact."""
    wide = numbers * (2.0**27 + 1)
    high = wide - (wide - numbers)
    return high, numbers - high
