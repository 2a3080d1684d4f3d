"""The score from which on a model decides for a class, where what is around it has moved the threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from . import _boosters
from ._wrapped import Answers

#: Scores beyond this don't occur.
_FAR = 1e300


@dataclass(frozen=True)
class Cut:
    """Rows with this score and more are of one class."""

    at: float
    #: The index of that class: a falling calibration turns classes around.
    upper: int
    #: Whether what is exactly at the threshold is of the class, up to rounding.
    closed: bool
    #: Whether the probability is still that of the model inside.
    own: bool

    def apply(self, spec: dict[str, Any], tie: float) -> dict[str, Any]:
        """The model as the core reads it with this cut; shares of trees are the same within `tie`."""
        keeps = self.own and self.upper == 1
        if spec["form"] == "saved":
            return {**spec, "cut": (self.at, {"log-odds-from": self.at} if keeps else "none")}
        if spec["form"] == "network":
            layers = [*spec["layers"]]
            layers[-1] = {**layers[-1], "bias": [bias - self.at for bias in layers[-1]["bias"]]}
            return {**spec, "layers": layers, "link": self._link(spec["link"], keeps)}
        if spec["form"] in ("linear", "tables"):
            ties = {"tie": "one"} if spec["form"] == "tables" else {}
            return {**spec, **ties, "intercept": spec["intercept"] - self.at, "link": self._link(spec["link"], keeps)}
        raw = {**spec["raw"], "tie": "one", "link": self._link(spec["raw"]["link"], keeps)}
        if spec["raw"]["link"] == "share":
            raw["intercept"] = 0.0
            raw["cut"] = self.at - tie if self.closed else self.at + tie
        else:
            raw["cut"] = self.at
        return {**spec, "raw": raw}

    def _link(self, link: str, keeps: bool) -> Any:
        return {f"{link}-from": self.at} if keeps and link != "none" else "none"


def find(model: Any, link: str, around: Sequence[Any]) -> Cut:
    """The cut of a model with these around it."""
    answers = own_answers(model, link)
    for wrapper in around:
        answers = wrapper.around(answers)
    decide = answers.predict
    assert decide is not None
    single = type(model).__module__.split(".")[0] == "xgboost"

    def second(score: float) -> bool:
        with np.errstate(all="ignore"):
            return bool(np.asarray(decide(np.array([score])))[0])

    low, high = (0.0, 1.0) if link == "share" else (-3e38, 3e38) if single else (-_FAR, _FAR)
    rises = second(high)
    if rises == second(low):
        which = "the second" if rises else "the first"
        raise ValueError(f"the model decides for {which} of its classes whatever its score is; move its threshold")
    at = _first(lambda score: second(score) == rises, low, high, single)
    return Cut(at, int(rises), answers.closed == rises, answers.own)


def _first(holds: Callable[[float], bool], low: float, high: float, single: bool) -> float:
    """The least number for which something holds that holds from there on: found by bisection over floating-point numbers."""
    width = np.float32 if single else np.float64
    whole = np.int32 if single else np.int64

    def rank(number: float) -> int:
        bits = int(np.array(number, dtype=width).view(whole))
        return bits if bits >= 0 else -(bits & int(np.iinfo(whole).max))

    def number(rank: int) -> float:
        size = float(np.array(abs(rank), dtype=whole).view(width))
        return -size if rank < 0 else size

    below, above = rank(low), rank(high)
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (below, middle) if holds(number(middle)) else (middle, above)
    return number(above)


def own_answers(model: Any, link: str) -> Answers:
    """What a model itself answers for its score as the core has it, by the library's own arithmetic."""
    library, name = type(model).__module__.split(".")[0], type(model).__name__
    if library == "xgboost":
        return Answers(None, _boosters.probability_of(model))
    if library == "lightgbm":
        # As the library does, with the system's exponential function.
        return Answers(None, lambda score: np.array([1.0 / (1.0 + _exp(-one)) for one in score.tolist()]))
    if link == "share":
        return Answers(None, lambda score: score)
    from scipy.special import expit

    if library == "catboost":
        return Answers(None, expit)
    if name == "SVC":
        return Answers(lambda score: score, _refused_probability if getattr(model, "probability", False) else None)
    if name == "SGDClassifier" and model.loss == "modified_huber":
        return Answers(lambda score: score, lambda score: (np.clip(score, -1, 1) + 1) / 2)
    if name == "MLPClassifier":
        return Answers(None, expit)
    if name == "AdaBoostClassifier":
        return Answers(lambda score: score, _softmax)
    if name == "GradientBoostingClassifier" and model.loss == "exponential":
        return Answers(lambda score: score, lambda score: expit(2 * score))
    if getattr(model, "multi_class", None) == "multinomial":
        return Answers(lambda score: score, lambda score: _softmax(2 * score))
    return Answers(lambda score: score, expit if link == "log-odds" else None)


def _exp(number: float) -> float:
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def _softmax(score: np.ndarray) -> np.ndarray:
    from sklearn.utils.extmath import softmax

    return np.asarray(softmax(np.column_stack([-score, score]) / 2)[:, 1])


def _refused_probability(score: np.ndarray) -> np.ndarray:
    raise TypeError(
        "SVC(probability=True) has probabilities that are no function of its score alone; use response_method='decision_function'"
    )
