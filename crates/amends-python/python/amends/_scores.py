"""Scores of numbers between those that applications have: half a year where years are counted, 0.5 in a column of 0 and 1.

No plan has them, but somebody who compares scores with the model's own at its thresholds asks for them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Optional, Sequence

import numpy as np
import pandas as pd

from . import _amends, _schema
from ._frames import columns, is_missing
from ._models import Reader
from ._pipeline import NeedsCode, NeedsLevels
from ._schema import Feature, Schema
from ._settings import json_text


def between(schema: Schema, frame: pd.DataFrame) -> list[str]:
    """The columns of numbers that hold one which the schema does not know."""
    return [feature.name for feature in schema.features if feature.name in frame.columns and _is_between(feature, frame[feature.name])]


def _is_between(feature: Feature, column: pd.Series) -> bool:
    if feature.kind == "continuous" or not _is_number(column):
        return False
    if not feature.numeric and not all(isinstance(level, (int, float, np.number)) for level in feature.levels):
        return False
    present = [value for value in column.unique().tolist() if not is_missing(value)]
    known = {*feature.levels, *feature.codes}
    return any(value not in known and not (feature.numeric and float(value).is_integer()) for value in present)


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)


def score(
    reader: Reader, names: Sequence[str], schema: Schema, loose: Sequence[str], sample: pd.DataFrame, frame: pd.DataFrame
) -> Optional[np.ndarray]:
    """The scores of rows where any number may stand in the columns ``loose``; None where an encoder wants their levels."""
    if reader.grids:
        # Read value by value, it says nothing about others.
        return None
    features = [schema.feature(name) for name in names]
    features = [replace(one, kind="continuous", levels=[]) if one.name in loose else one for one in features]
    try:
        model = json_text(reader.spec(features, sample), "the model")
    except (NeedsLevels, NeedsCode):
        return None
    wide = _schema.build(features, schema.target, schema.favourable, schema.unfavourable, (), {})
    return np.asarray(_amends.scores(wide.toml, model, columns(frame, wide.numeric, wide.missing)))
