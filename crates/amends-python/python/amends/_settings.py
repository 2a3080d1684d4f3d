"""Settings as users give them: checked by name before the core sees them."""

from __future__ import annotations

import json
import math
import numbers
import os
import sys
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np


def count(what: str, value: Any) -> int:
    """A whole number of 1 or more."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or int(value) < 1:
        raise ValueError(f"{what} must be a whole number of at least 1, not {value!r}")
    return int(value)


def port(value: Any) -> int:
    """The number of a port; 0 for a free one."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral) or not 0 <= int(value) <= 65535:
        raise ValueError(f"port must be a whole number from 0 to 65535, not {value!r}; 0 takes a free one")
    return int(value)


def optional_count(what: str, value: Any) -> Optional[int]:
    """A count, or none."""
    return None if value is None else count(what, value)


def count_or_all(what: str, value: Any) -> Union[int, str, None]:
    """A count, the word "all", or none."""
    return value if value is None or (isinstance(value, str) and value == "all") else count(what, value)


def number(what: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"{what} must be a finite number, not {value!r}")
    return float(value)


def optional_number(what: str, value: Any) -> Optional[float]:
    """A finite number, or none."""
    return None if value is None else number(what, value)


def optional_probability(what: str, value: Any) -> Optional[float]:
    """A probability that is neither 0 nor 1, or none."""
    if value is not None and not 0 < number(what, value) < 1:
        raise ValueError(f"{what}: {value!r} is not a probability between 0 and 1; give a number such as 0.3")
    return optional_number(what, value)


def optional_weight(what: str, value: Any) -> Optional[float]:
    """A finite number of 0 or more, or none."""
    if value is not None and number(what, value) < 0:
        raise ValueError(f"{what}: {value!r} is negative or not a number; give a number of 0 or more")
    return optional_number(what, value)


def optional_change_cost(what: str, value: Any) -> Optional[float]:
    """A number from 0 to the largest cost per change, or none."""
    if value is not None and not 0 <= number(what, value) <= 1e12:
        raise ValueError(f"{what}: {value!r} must be between 0 and 1e12; 0.1 is the default, 0 lets changes cost nothing by themselves")
    return optional_number(what, value)


def word(what: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{what} must be a text, not {value!r}")
    return value


def choice(what: str, value: Any, known: Sequence[str]) -> str:
    """One of a few words."""
    if value not in known:
        raise ValueError(f"{what}: {value!r} is unknown; give {' or '.join(repr(one) for one in known)}")
    return str(value)


def threads(n_jobs: Any) -> int:
    """How many threads: scikit-learn's meaning of n_jobs."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, (bool, np.bool_)) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs: {n_jobs!r} is not a number of threads; give -1 for all cores, or a number above 0")
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
        raise ValueError(f"random_state must be a whole number of 0 or more, or None, not {random_state!r}")
    return np.random.default_rng(None if random_state is None else int(random_state))


def seed(random_state: Any) -> Optional[int]:
    """The number that a sample can be drawn with again; none for generators, and for none."""
    whole = isinstance(random_state, numbers.Integral) and int(random_state) < 2**64
    return int(random_state) if whole else None


def sample(outcomes: list[str], wanted: Union[int, str, None], random_state: Any) -> Optional[list[int]]:
    """The rows that distances and densities are fitted on: of each class as many as its share."""
    if wanted is None or isinstance(wanted, str) or wanted >= len(outcomes):
        return None
    draw = seeded(random_state)
    classes = sorted(set(outcomes))
    if wanted < 2 * len(classes):
        raise ValueError(f"n_reference: {wanted} rows are too few; give at least {2 * len(classes)}, better hundreds")
    chosen: list[int] = []
    for one in classes:
        rows = [row for row, outcome in enumerate(outcomes) if outcome == one]
        share = min(len(rows), max(2, round(wanted * len(rows) / len(outcomes))))
        chosen += [rows[index] for index in draw.permutation(len(rows))[:share]]
    return sorted(int(row) for row in chosen)


def names(what: str, given: Union[str, Iterable[str]]) -> list[str]:
    """Names of columns."""
    listed = [given] if isinstance(given, str) else list(given)
    for name in listed:
        if not isinstance(name, str):
            raise ValueError(f"{what}: {name!r} is not the name of a column; give texts")
    return listed


def names_or_all(what: str, given: Union[bool, str, Iterable[str]]) -> Optional[list[str]]:
    """Names of columns; None for all of them."""
    if isinstance(given, bool):
        return None if given else []
    return names(what, given)


def mapping(what: str, given: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    """Something for each of some columns."""
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"{what}: give a dict with the names of columns, not {given!r}")
    return dict(given or {})


def json_text(data: Any, what: str) -> str:
    """Settings as the core reads them."""
    try:
        return json.dumps(data, allow_nan=False, default=_plain)
    except ValueError:
        raise ValueError(f"{what}: holds a number that is not finite") from None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} can't be used here")


def not_fitted() -> ValueError:
    """scikit-learn's own exception where it is loaded, which is a ValueError as well."""
    problem = "the explainer is not fitted; call fit(X, y) first"
    exceptions = sys.modules.get("sklearn.exceptions")
    error: ValueError = exceptions.NotFittedError(problem) if exceptions is not None else ValueError(problem)
    return error
