"""Explainable boosting machines of interpret: a table per feature and per pair of features, read as trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np
import pandas as pd

from ._frames import is_missing, level_text
from ._pipeline import Column, NeedsLevels

#: How models of this module are listed.
MODELS = "interpret's ExplainableBoostingClassifier"

_KNOWN = ("ExplainableBoostingClassifier", "DPExplainableBoostingClassifier")

#: JSON has no infinity; every finite number is at most this one.
_LARGEST = float(np.finfo(float).max)


def reads(model: Any) -> bool:
    """Whether this module can read it."""
    return type(model).__module__.split(".")[0] == "interpret" and type(model).__name__ in _KNOWN


def classes(model: Any) -> Optional[list[Any]]:
    """The classes as the model predicts them."""
    return list(model.classes_) if getattr(model, "has_fitted_", False) else None


def names(model: Any) -> Optional[list[str]]:
    """The columns that it was fitted on, where it was a frame: arrays get names that are numbers."""
    known = [str(name) for name in model.feature_names_in_]
    return None if known == [f"feature_{index:04}" for index in range(len(known))] else known


def spec(model: Any, columns: Sequence[Column], frame: pd.DataFrame) -> dict[str, Any]:
    """The model as the core reads it: a tree per term."""
    kinds = list(model.feature_types_in_)
    if len(kinds) != len(columns):
        raise ValueError(f"{type(model).__name__} was fitted on {len(kinds)} columns, but gets {len(columns)}")
    if model.link_ != "logit":
        raise TypeError(f"{type(model).__name__} with the link {model.link_!r} can't be read; fit it on two classes")
    numbers = [_categories(column, levels[0], frame) if kind in ("nominal", "ordinal") else None
               for column, kind, levels in zip(columns, kinds, model.bins_)]
    feeds = [column.feed() if own is None else {"levels": {"feature": column.feature, "numbers": own}}
             for column, own in zip(columns, numbers)]
    trees = []
    for features, scores in zip(model.term_features_, model.term_scores_):
        axes = [_axis(f, columns[f], numbers[f], model.bins_[f], len(features)) for f in features]
        nodes: list[dict[str, Any]] = []
        _grow(nodes, axes, np.asarray(scores, dtype=float))
        trees.append({"nodes": nodes})
    raw = {
        "library": "interpret",
        "columns": [{"name": None, "content": "number" if own is None else "numbered-categories"} for own in numbers],
        "precision": "double",
        "unseen": "missing",
        "trees": trees,
        "factor": 1.0,
        "intercept": float(np.ravel(model.intercept_)[0]),
        "link": "log-odds",
        "tie": "zero",
    }
    return {"form": "trees", "feeds": feeds, "raw": raw}


def _categories(column: Column, known: Any, frame: pd.DataFrame) -> list[float]:
    """The bin of every level and code: 0 for a missing one, the last for one that was never seen."""
    if column.values is None:
        if column.steps or column.constant is not None or column.bins is not None:
            raise ValueError(f"column `{column.feature}`: is transformed before it is taken for categories; leave it as it is")
        raise NeedsLevels(column.feature, sorted(frame[column.feature].dropna().unique().tolist()))
    # Two categories may share a bin.
    unseen = max(known.values(), default=0) + 1
    return [0.0 if is_missing(value) else float(known.get(level_text(value), unseen)) for value in column.values]


@dataclass(frozen=True)
class _Axis:
    """What a term asks of one feature."""

    column: int
    #: Of numbers: from each cut on another bin, the first of which is 1.
    cuts: Optional[np.ndarray]
    #: Of categories: the bins that occur.
    bins: tuple[int, ...]
    #: Whether a missing number may occur: its bin is 0.
    missing: bool


def _axis(feature: int, column: Column, numbers: Optional[list[float]], levels: Sequence[Any], terms: int) -> _Axis:
    if numbers is not None:
        # Pairs may share bins that main effects have apart.
        main, own = levels[0], levels[min(len(levels), terms) - 1]
        if own is not main and own != main:
            raise TypeError(
                f"column `{column.feature}`: has other categories in pairs than alone, which can't be read; fit with max_interaction_bins "
                "above the number of its categories"
            )
        return _Axis(feature, None, tuple(sorted({int(number) for number in numbers})), False)
    cuts = np.asarray(levels[min(len(levels), terms) - 1], dtype=float)
    return _Axis(feature, cuts, (), column.may_be_missing)


def _grow(nodes: list[dict[str, Any]], axes: list[_Axis], scores: np.ndarray) -> int:
    """The tree of a table, whose first axis is asked first."""
    if not axes:
        return _push(nodes, {"leaf": float(scores)})
    axis = axes[0]
    if axis.cuts is None:
        return _by_category(nodes, axes, scores, list(axis.bins))
    if not axis.missing:
        return _by_number(nodes, axes, scores, 1, len(axis.cuts) + 2)
    place = _push(nodes, {})
    left = _by_number(nodes, axes, scores, 1, len(axis.cuts) + 2)
    right = _grow(nodes, axes[1:], scores[0])
    return _split(nodes, place, axis.column, {"at-most": _LARGEST}, "right", left, right)


def _by_number(nodes: list[dict[str, Any]], axes: list[_Axis], scores: np.ndarray, low: int, high: int) -> int:
    """Bins from one up to another, which is not among them, divided in the middle."""
    if (scores[low:high] == scores[low]).all():
        return _grow(nodes, axes[1:], scores[low])
    cuts = axes[0].cuts
    assert cuts is not None
    middle = (low + high) // 2
    place = _push(nodes, {})
    left = _by_number(nodes, axes, scores, low, middle)
    right = _by_number(nodes, axes, scores, middle, high)
    return _split(nodes, place, axes[0].column, {"below": float(cuts[middle - 2])}, "left", left, right)


def _by_category(nodes: list[dict[str, Any]], axes: list[_Axis], scores: np.ndarray, bins: list[int]) -> int:
    """Bins of categories, one after the other."""
    if (scores[bins] == scores[bins[0]]).all():
        return _grow(nodes, axes[1:], scores[bins[0]])
    place = _push(nodes, {})
    left = _grow(nodes, axes[1:], scores[bins[0]])
    right = _by_category(nodes, axes, scores, bins[1:])
    return _split(nodes, place, axes[0].column, {"one-of": [bins[0]]}, "right", left, right)


def _push(nodes: list[dict[str, Any]], node: dict[str, Any]) -> int:
    nodes.append(node)
    return len(nodes) - 1


def _split(nodes: list[dict[str, Any]], place: int, column: int, test: dict[str, Any], missing: str, left: int, right: int) -> int:
    nodes[place] = {"split": {"column": column, "test": test, "missing": missing, "left": left, "right": right}}
    return place
