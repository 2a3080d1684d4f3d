"""Trees of scikit-learn as the core reads them."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._settings import json_text


def ensemble(width: int, factor: float, intercept: float, link: str, tie: str) -> dict[str, Any]:
    """What scikit-learn's trees have in common: they compare inputs rounded to 32 bits with thresholds of 64."""
    return {
        "library": "scikit-learn",
        "columns": [{"name": None, "content": "number"}] * width,
        "precision": "single",
        "unseen": "refused",
        "trees": [],
        "factor": factor,
        "intercept": intercept,
        "link": link,
        "tie": tie,
    }


def arrays(tree: Any, values: np.ndarray, columns: Optional[np.ndarray] = None) -> str:
    """A tree as text, array by array: forests grown without a limit have millions of nodes, and objects for each would
    take gigabytes. ``columns`` are those of the model that it was grown on."""
    feature = tree.feature if columns is None else np.where(tree.feature >= 0, columns[tree.feature], -1)
    # Before version 1.3 trees know no missing values.
    missing = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))
    # A threshold of infinity separates missing values from all numbers; JSON has none.
    most = np.finfo(float).max
    thresholds = np.clip(tree.threshold, -most, most)
    parts = (tree.children_left, tree.children_right, feature, thresholds, missing.astype(bool), values)
    return json_text([part.tolist() for part in parts], "the model")
