"""How far a batch is: a bar of tqdm where it is installed, else a line of text now and then."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any, Callable, Optional, Union

#: Seconds before anything is shown: quick batches stay quiet.
_QUIET = 2.0

#: Seconds between two lines of text.
_BETWEEN = 5.0

#: What ``progress=`` takes.
Progress = Union[bool, None, Callable[[int, int], Any]]


class Bar:
    """Is called with how many applications are done."""

    def __init__(self, progress: Progress, total: int) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise ValueError(f"progress: {progress!r} can't be used; give True, False, None or a function of (done, total)")
        self._total = total
        self._done = 0
        self._call: Optional[Callable[[int, int], Any]] = None
        self._bar: Any = None
        self._lines = False
        self._began = self._said = time.monotonic()
        if callable(progress):
            self._call = progress
        elif progress is True or (progress is None and total > 1 and _is_watched()):
            self._bar = _tqdm(total)
            self._lines = self._bar is None and progress is True

    @property
    def wanted(self) -> bool:
        """Whether anybody looks."""
        return self._call is not None or self._bar is not None or self._lines

    def __call__(self, done: int) -> None:
        if self._call is not None:
            self._call(done, self._total)
        if self._bar is not None:
            self._bar.update(done - self._done)
        now = time.monotonic()
        if self._lines and now - self._began > _QUIET and now - self._said > _BETWEEN:
            self._said = now
            sys.stderr.write(f"explained {done} of {self._total} in {now - self._began:.0f} s\n")
            sys.stderr.flush()
        self._done = done

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _is_watched() -> bool:
    """Whether a person sees what is shown: at a terminal or in a notebook."""
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", lambda: False)())


def _tqdm(total: int) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc="explaining", unit="row", delay=_QUIET, leave=False)
