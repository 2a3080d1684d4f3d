"""What is read from a fitted XGBoost booster."""

from __future__ import annotations

import json
from typing import Any


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
