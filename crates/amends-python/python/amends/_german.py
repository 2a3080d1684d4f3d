"""The German credit data that comes with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pandas as pd

from . import _amends


@dataclass(frozen=True)
class German:
    """1,000 applications in UCI's order, 700 of them good."""

    #: The applications: 7 whole numbers, 13 categories.
    X: pd.DataFrame
    #: Their outcomes, ``good`` or ``bad``.
    y: pd.Series
    #: The text of a schema file with labels, units and rules, for ``Explainer(schema=...)``.
    schema: str


def load_german() -> German:
    """The German credit data as data frame, outcomes and schema."""
    header, rows, schema = _amends.german()
    frame = pd.DataFrame(rows, columns=header)
    described = json.loads(_amends.describe_schema(schema, "german"))
    for feature in described["features"]:
        name = feature["name"]
        if feature["kind"] == "integer":
            frame[name] = frame[name].astype("int64")
        else:
            frame[name] = pd.Categorical(frame[name], categories=feature["levels"])
    return German(frame.drop(columns=described["target"]), frame[described["target"]], schema)
