"""CatBoostClassifier: the file that it writes, which the core reads, and the hashes of its categories."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Optional, Sequence

import numpy as np
import pandas as pd

from . import _amends
from ._frames import is_missing, level_text
from ._pipeline import Column, NeedsLevels

#: How models of this module are listed.
MODELS = "CatBoostClassifier"


def reads(model: Any) -> bool:
    """Whether this module can read it; it refuses CatBoost's models of other kinds."""
    if type(model).__module__.split(".")[0] != "catboost":
        return False
    if type(model).__name__ != "CatBoostClassifier":
        raise TypeError(f"{type(model).__name__} can't be read, but CatBoostClassifier can: fit that on the same table")
    return True


def classes(model: Any) -> Optional[list[Any]]:
    """The classes as the model predicts them."""
    return list(model.classes_) if model.is_fitted() else None


def names(model: Any) -> Optional[list[str]]:
    """The columns that it was fitted on, where it knows more than their indices."""
    known = [str(name) for name in model.feature_names_ or []]
    return None if known == [str(index) for index in range(len(known))] else known


def spec(model: Any, columns: Sequence[Column], frame: pd.DataFrame) -> dict[str, Any]:
    """The model as the core reads it."""
    _check(model, columns)
    chosen = set(model.get_cat_feature_indices())
    feeds = [_categories(column, frame) if index in chosen else column.feed() for index, column in enumerate(columns)]
    return {"form": "saved", "feeds": feeds, "text": _text(model), "zero_is_missing": False}


def _check(model: Any, columns: Sequence[Column]) -> None:
    for what in ("text", "embedding"):
        find = getattr(model, f"get_{what}_feature_indices", None)
        if find is not None and len(find()):
            raise TypeError(f"CatBoostClassifier with {what}_features can't be read; fit it on numbers and cat_features")
    width = len(model.feature_names_ or [])
    if width != len(columns):
        raise ValueError(f"CatBoostClassifier was fitted on {width} columns, but gets {len(columns)}")


def _text(model: Any) -> str:
    """The file: it holds every digit."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        model.save_model(path, format="json")
        with open(path, encoding="utf-8") as file:
            return file.read()


def _categories(column: Column, frame: pd.DataFrame) -> dict[str, Any]:
    """A column of categories: the hash of each level's text."""
    if column.values is None:
        if column.steps or column.constant is not None:
            raise ValueError(f"column `{column.feature}`: is scaled before CatBoost takes it for categories; leave it as it is")
        raise NeedsLevels(column.feature, sorted(frame[column.feature].dropna().unique().tolist()))
    if column.may_be_missing:
        raise ValueError(
            f"column `{column.feature}`: may be missing, but CatBoost takes no missing categories; fill it in with a text"
        )
    return {"levels": {"feature": column.feature, "numbers": _hashes(column)}}


def _hashes(column: Column) -> list[float]:
    texts = [_text_of(value, column.feature) for value in column.values or ()]
    return [float(number) for number in _amends.category_hashes(texts)]


def _text_of(value: Any, feature: str) -> str:
    """A category's text as CatBoost has it: true is 1."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (float, np.floating)) and not is_missing(value):
        if not float(value).is_integer():
            raise ValueError(f"column `{feature}`: {value!r} is a number with decimals, which CatBoost takes for no category; write it as text")
        return str(int(value))
    text = value if isinstance(value, str) else level_text(value)
    if text != text.strip():
        raise ValueError(f"column `{feature}`: the level {text!r} begins or ends with a blank; strip the column and fit again")
    return text

