"""Settings as users give them: checked by name before the core sees them."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any, Optional

import numpy as np


def count(what: str, value: Any) -> int:
    """A whole number of 1 or more."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or int(value) < 1:
        raise ValueError(f"{what}: {value!r} is no count; allow at least 1" + (" change" if what == "max_changes" else ""))
    return int(value)


def optional_count(what: str, value: Any) -> Optional[int]:
    """A count, or none."""
    return None if value is None else count(what, value)


def number(what: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"{what}: {value!r} is no finite number")
    return float(value)


def optional_number(what: str, value: Any) -> Optional[float]:
    """A finite number, or none."""
    return None if value is None else number(what, value)


def word(what: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{what}: {value!r} is no name; give a text")
    return value


def threads(n_jobs: Any) -> int:
    """How many threads: scikit-learn's meaning of n_jobs."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs: {n_jobs!r} is no number of threads; give -1 for all cores, or a number above 0")
    if int(n_jobs) > 0:
        return int(n_jobs)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores + 1 + int(n_jobs))


def seeded(random_state: Any) -> Any:
    """A source of random numbers with `permutation`."""
    if isinstance(random_state, (np.random.Generator, np.random.RandomState)):
        return random_state
    whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, (bool, np.bool_))
    if random_state is not None and not (whole and random_state >= 0):
        raise ValueError(f"random_state: {random_state!r} is no seed; give a whole number of 0 or more, or None")
    return np.random.default_rng(None if random_state is None else int(random_state))
