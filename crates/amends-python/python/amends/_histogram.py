"""HistGradientBoostingClassifier: its trees over its own order of columns, categories first."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._pipeline import Column, through

#: JSON has no infinity; every finite number is at most this one.
_LARGEST = float(np.finfo(float).max)


def own_columns(model: Any, columns: list[Column]) -> list[Column]:
    """The columns as the trees count them: the model's own encoder puts categories first and numbers them."""
    flags = getattr(model, "is_categorical_", None)
    if flags is None:
        return columns
    before = getattr(model, "_preprocessor", None)
    if before is None:
        raise TypeError("HistGradientBoostingClassifier with categories can be read from scikit-learn 1.4 on")
    encoded = through(before.named_transformers_["encoder"], [column for column, flag in zip(columns, flags) if flag])
    return encoded + [column for column, flag in zip(columns, flags) if not flag]


def ensemble(model: Any, width: int) -> dict[str, Any]:
    """The trees as the core reads them: they compare in 64 bits, and know where missing values go."""
    flags = getattr(model, "is_categorical_", None)
    encoded = 0 if flags is None else int(np.sum(flags))
    number, category = {"name": None, "content": "number"}, {"name": None, "content": "numbered-categories"}
    return {
        "library": "scikit-learn",
        "columns": [category] * encoded + [number] * (width - encoded),
        "precision": "double",
        "unseen": "missing",
        "trees": [{"nodes": _nodes(tree)} for round in model._predictors for tree in round],
        "factor": 1.0,
        "intercept": float(np.ravel(model._baseline_prediction)[0]),
        "link": "log-odds",
        "tie": "zero",
    }


def _nodes(tree: Any) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []
    for node in tree.nodes:
        if node["is_leaf"]:
            nodes.append({"leaf": float(node["value"])})
            continue
        if node["is_categorical"]:
            words = tree.raw_left_cat_bitsets[node["bitset_idx"]].tolist()
            test: dict[str, Any] = {
                "one-of": [32 * place + bit for place, word in enumerate(words) for bit in range(32) if word >> bit & 1]
            }
        else:
            test = {"at-most": min(float(node["num_threshold"]), _LARGEST)}
        split = {
            "column": int(node["feature_idx"]),
            "test": test,
            "missing": "left" if node["missing_go_to_left"] else "right",
            "left": int(node["left"]),
            "right": int(node["right"]),
        }
        nodes.append({"split": split})
    return nodes


def thresholds(model: Any) -> list[tuple[int, float]]:
    """Columns and thresholds of all splits by numbers."""
    nodes = [node for round in model._predictors for tree in round for node in tree.nodes]
    return [(int(n["feature_idx"]), min(float(n["num_threshold"]), _LARGEST)) for n in nodes if not n["is_leaf"] and not n["is_categorical"]]
