"""The German credit data that comes with the package."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pandas as pd

from . import _amends
from . import _settings as check


@dataclass(frozen=True)
class German:
    """1,000 applications in UCI's order, 700 of them good."""

    #: The applications: 7 whole numbers, 13 categories.
    X: pd.DataFrame
    #: Their outcomes, ``good`` or ``bad``.
    y: pd.Series
    #: The text of a schema file with labels, units and rules, for ``Explainer(schema=...)``.
    schema: str


def load_german(schema: str = "advice") -> German:
    """The German credit data as data frame, outcomes and schema.

    Parameters
    ----------
    schema : {"advice", "free"}
        What may change under the schema: what an applicant can do about an application, in the direction that helps; or everything
        but age, marital status and sex, and foreign workers, as in the papers' experiments.

    Examples
    --------
    >>> import amends
    >>> 'change = "decrease"' in amends.load_german().schema
    True
    >>> 'change = "decrease"' in amends.load_german("free").schema
    False
    """
    free = check.choice("schema", schema, ("advice", "free")) == "free"
    header, rows, text = _amends.german(free)
    frame = pd.DataFrame(rows, columns=header)
    described = json.loads(_amends.describe_schema(text, "german"))
    for feature in described["features"]:
        name = feature["name"]
        if feature["kind"] == "integer":
            frame[name] = frame[name].astype("int64")
        else:
            frame[name] = pd.Categorical(frame[name], categories=feature["levels"])
    return German(frame.drop(columns=described["target"]), frame[described["target"]], text)
