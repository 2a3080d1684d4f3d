"""What is read from fitted boosters of XGBoost and LightGBM."""

from __future__ import annotations

import json
from typing import Any, Callable

import numpy as np
import pandas as pd

from ._frames import level_text


def objective(booster: Any) -> str:
    """What an XGBoost model was fitted for."""
    return str(json.loads(booster.save_config())["learner"]["objective"]["name"])


def saved_text(booster: Any) -> str:
    """The booster as its file has it."""
    return bytes(booster.save_raw(raw_format="json")).decode()


def with_categories_of(whole: str, part: str) -> str:
    """A model of XGBoost with the categories that another one has."""

    def trees(model: dict[str, Any]) -> dict[str, Any]:
        booster = model["learner"]["gradient_booster"]
        within: dict[str, Any] = booster.get("gbtree", booster)["model"]
        return within

    known, model = trees(json.loads(whole)), json.loads(part)
    if "cats" not in known:
        return part
    trees(model)["cats"] = known["cats"]
    return json.dumps(model)


def probability_of(model: Any) -> Callable[[np.ndarray], np.ndarray]:
    """What XGBoost makes of scores: its own computation in 32 bits, by a model without trees."""
    booster = model if hasattr(model, "save_config") else model.get_booster()
    asked = objective(booster)
    if asked not in ("binary:logistic", "reg:logistic"):
        raise TypeError(f"XGBoost's objective {asked} has no probabilities whose threshold can be moved; use binary:logistic")

    def probability(score: np.ndarray) -> np.ndarray:
        import xgboost

        nothing = np.zeros((len(score), 1))
        rows = xgboost.DMatrix(nothing, label=np.zeros(len(score)), base_margin=score.astype(np.float32))
        empty = xgboost.train({"objective": "binary:logistic", "nthread": 1, "verbosity": 0}, rows, num_boost_round=0)
        return np.asarray(empty.predict(rows))

    return probability


def thresholds(text: str) -> list[tuple[int, float]]:
    """Columns and thresholds of all splits of a saved XGBoost model."""
    booster = json.loads(text)["learner"]["gradient_booster"]
    trees = booster.get("gbtree", booster)["model"]["trees"]
    return [
        # Written with as many digits as bring back their 32 bits.
        (int(column), float(np.float32(threshold)))
        for tree in trees
        for left, column, threshold in zip(tree["left_children"], tree["split_indices"], tree["split_conditions"])
        if left >= 0
    ]


def lightgbm_thresholds(text: str) -> list[tuple[int, float]]:
    """The same of a model of LightGBM's."""
    found: list[tuple[int, float]] = []
    columns: list[int] = []
    for line in text.splitlines():
        if line.startswith("split_feature="):
            columns = [int(part) for part in line.partition("=")[2].split()]
        elif line.startswith("threshold="):
            found += zip(columns, (float(part) for part in line.partition("=")[2].split()))
    return found


def lightgbm_spec(booster: Any, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
    """A booster of LightGBM as the core reads it."""
    text = booster.model_to_string()
    lists = getattr(booster, "pandas_categorical", None) or []
    wholes = [index for index, feed in enumerate(feeds) if "whole" in feed]
    if len(lists) != len(wholes):
        if wholes and lists:
            raise ValueError(f"X has {len(wholes)} columns of categories, but the model was fitted on {len(lists)}")
        return {"form": "saved", "feeds": feeds, "text": text, "zero_is_missing": False}
    # LightGBM takes ordered categories for numbers, but writes their texts among those of the others.
    kept = []
    for index, known in zip(wholes, lists):
        name = feeds[index]["whole"]["feature"]
        categories = frame[name].dtype
        if not categories.ordered:
            kept.append(known)
            continue
        texts = [level_text(one) for one in known]
        levels = [level_text(one) for one in categories.categories]
        if levels != texts:
            raise ValueError(f"column `{name}`: has the levels {levels}, but the model was fitted on {texts}")
        feeds[index] = {"levels": {"feature": name, "numbers": feeds[index]["whole"]["ranks"]}}
    if len(kept) < len(lists):
        head, _, _ = text.rpartition("pandas_categorical:")
        text = f"{head}pandas_categorical:{json.dumps(kept, default=str)}\n"
    return {"form": "saved", "feeds": feeds, "text": text, "zero_is_missing": False}
