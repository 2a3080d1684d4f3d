"""The thresholds that trees compare their columns with."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _boosters, _histogram, _shares
from ._functions import compared

#: LightGBM's zero.
_ZERO = float(np.float32(1e-35))


def cuts(model: Any, width: int, text: Optional[str], marker: Optional[float]) -> list[np.ndarray]:
    """For every column, the largest numbers on the left of what a model compares it with.

    ``text`` is what XGBoost or LightGBM saves; ``marker`` is a number that counts as missing."""
    library = type(model).__module__.split(".")[0]
    mode = {"xgboost": "single-below", "lightgbm": "at-most"}.get(library, "single")
    if library == "xgboost":
        found = _boosters.thresholds(text or "")
    elif library == "lightgbm":
        found = _boosters.lightgbm_thresholds(text or "")
    elif hasattr(model, "_predictors"):
        found, mode = _histogram.thresholds(model), "at-most"
    elif _shares.is_mean(model):
        found = [pair for share in _shares.shares(model) for pair in share.thresholds]
    else:
        trees = [np.ravel(one)[0].tree_ for one in model.estimators_]
        found = [pair for tree in trees for pair in zip(tree.feature.tolist(), tree.threshold.tolist()) if pair[0] >= 0]
    by_column: list[list[float]] = [[] for _ in range(width)]
    for column, threshold in found:
        by_column[column].append(threshold)
    return [np.unique(np.concatenate([compared(np.array(own), mode), *_beside_missing(own, library, marker)])) for own in by_column]


def _beside_missing(own: list[float], library: str, marker: Optional[float]) -> list[np.ndarray]:
    """Where numbers begin and end that count as missing: zeros that a sparse table leaves out, and a number that means nothing."""
    if not own or library == "sklearn":
        return []
    numbers = [0.0, *([-_ZERO, _ZERO] if library == "lightgbm" else []), *([] if marker is None else [marker])]
    return [compared(np.array(numbers), mode) for mode in ("single", "single-below", "at-most", "below")]
