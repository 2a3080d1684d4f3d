"""AdaBoostClassifier over decision trees, each of which votes."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _arrays

_TREE = ("DecisionTreeClassifier", "ExtraTreeClassifier")


def problem(model: Any) -> str:
    """What it is over that can't be read, empty where nothing is."""
    for one in getattr(model, "estimators_", ()):
        if not (type(one).__module__.split(".")[0] == "sklearn" and type(one).__name__ in _TREE):
            return type(one).__name__
    return ""


def spec(model: Any, feeds: list[dict[str, Any]]) -> dict[str, Any]:
    """The model as the core reads it."""
    trees = [one.tree_ for one in model.estimators_]
    weight = {id(tree): float(weight) for tree, weight in zip(trees, model.estimator_weights_)}

    def votes(tree: Any) -> np.ndarray:
        shares = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
        if getattr(model, "algorithm", None) == "SAMME.R":
            # Until scikit-learn 1.6, trees could speak in log-odds, all with the same weight.
            logs = np.log(np.maximum(shares, np.finfo(float).eps))
            return np.asarray((logs[:, 1] - logs[:, 0]) / 2.0)
        # Every tree votes with all its weight; leaves in which classes tie vote for the first.
        return np.asarray(weight[id(tree)] * np.where(np.argmax(shares, axis=1) == 1, 1.0, -1.0))

    # Votes count for one class and against the other, hence twice.
    factor = 2.0 / float(np.sum(model.estimator_weights_))
    raw = _arrays.ensemble(len(feeds), factor, 0.0, "log-odds", "zero")
    return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": [_arrays.arrays(tree, votes(tree)) for tree in trees]}
