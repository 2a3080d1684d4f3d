"""Means of the probabilities of trees: one tree, a forest, bags of them, a soft vote between them. All are one ensemble."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Sequence

import numpy as np

_TREE = ("DecisionTreeClassifier", "ExtraTreeClassifier")
_FOREST = ("RandomForestClassifier", "ExtraTreesClassifier")
_MEANS = ("BaggingClassifier", "VotingClassifier")


def is_mean(model: Any) -> bool:
    """Whether a model is a kind of ensemble that may be a mean of trees."""
    return type(model).__module__.startswith("sklearn.") and type(model).__name__ in (*_TREE, *_FOREST, *_MEANS)


def problem(model: Any) -> Optional[str]:
    """Why a bag or a vote is not one ensemble of trees."""
    name = type(model).__name__
    if not is_mean(model):
        return f"{name} is neither a tree nor a forest"
    if name == "VotingClassifier" and model.voting != "soft":
        return "it counts votes (voting='hard')"
    if name in _MEANS:
        parts = getattr(model, "estimators_", None)
        if parts is None:
            return None
        return next((reason for reason in map(problem, parts) if reason), None)
    return None


class Share:
    """A tree, with what its probability counts for."""

    def __init__(self, tree: Any, weight: float, columns: Optional[np.ndarray], classes: Sequence[Any]):
        self.tree = tree.tree_
        self.weight = weight
        #: The columns of the model that it was grown on, in its order; None for all.
        self.columns = columns
        value = self.tree.value[:, 0, :]
        if value.shape[1] == 1:
            # A bag whose sample had one class only.
            self.shares = np.full(len(value), float(classes[0] == 1))
        else:
            self.shares = np.asarray(value[:, 1] / value.sum(axis=1))

    @property
    def thresholds(self) -> list[tuple[int, float]]:
        """Columns and thresholds of its splits."""
        splits = self.tree.feature >= 0
        columns = self.tree.feature[splits]
        return list(zip((columns if self.columns is None else self.columns[columns]).tolist(), self.tree.threshold[splits].tolist()))


def shares(
    model: Any, weight: float = 1.0, columns: Optional[np.ndarray] = None, classes: Optional[Sequence[Any]] = None
) -> Iterator[Share]:
    """All trees of a model that is a mean of trees."""
    name = type(model).__name__
    if name in _TREE:
        yield Share(model, weight, columns, model.classes_ if classes is None else classes)
        return
    parts = list(model.estimators_)
    weights = [1.0] * len(parts)
    chosen: list[Optional[np.ndarray]] = [columns] * len(parts)
    if name == "VotingClassifier" and model.weights is not None:
        weights = [float(one) for one in model._weights_not_none]
    if name == "BaggingClassifier":
        own = [np.asarray(one) for one in model.estimators_features_]
        chosen = [one if columns is None else columns[one] for one in own]
    # Trees of a forest number the classes that the forest knows.
    known = model.classes_ if name in _FOREST else None
    total = sum(weights)
    for part, own_weight, picked in zip(parts, weights, chosen):
        yield from shares(part, weight * own_weight / total, picked, known)
