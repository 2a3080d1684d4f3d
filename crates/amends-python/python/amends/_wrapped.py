"""Models around a model: searches, moved thresholds, calibration. They leave its score alone and decide by it otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Callable, Optional

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]

#: Searches leave the best model; frozen models are themselves.
_SEARCHES = ("GridSearchCV", "RandomizedSearchCV", "HalvingGridSearchCV", "HalvingRandomSearchCV")


@dataclass(frozen=True)
class Answers:
    """What an estimator answers as a function of the score of the model inside it."""

    decision: Optional[Function]
    #: Of the second class.
    probability: Optional[Function]
    #: Whether a row is of the second class; None where the model inside decides.
    predict: Optional[Function] = None
    #: Whether it decides by "at least": what is exactly at the threshold is of the second class then.
    closed: bool = False
    #: Whether probabilities are those of the model inside.
    own: bool = True


@dataclass(frozen=True)
class Threshold:
    """TunedThresholdClassifierCV, FixedThresholdClassifier, or the explainer's own threshold."""

    at: Any
    #: The index of the class that the threshold is about.
    positive: int
    methods: tuple[str, ...]

    def around(self, inner: Answers) -> Answers:
        known = {"predict_proba": inner.probability, "decision_function": inner.decision}
        method = next((method for method in self.methods if known.get(method) is not None), None)
        if method is None:
            raise TypeError(f"a threshold of {' or '.join(self.methods)} is set for a model without it")
        answer = known[method]
        assert answer is not None
        at = (0.5 if method == "predict_proba" else 0.0) if isinstance(self.at, str) else self.at
        if self.positive == 1:
            return replace(inner, predict=lambda score: answer(score) >= at, closed=True)
        other: Function = (lambda score: 1 - answer(score)) if method == "predict_proba" else (lambda score: -answer(score))
        return replace(inner, predict=lambda score: ~(other(score) >= at), closed=False)


@dataclass(frozen=True)
class Calibration:
    """CalibratedClassifierCV with one calibrated model."""

    calibrator: Any
    method: str

    def around(self, inner: Answers) -> Answers:
        answer = inner.decision if inner.decision is not None else inner.probability
        if answer is None:
            raise TypeError("CalibratedClassifierCV over a model without scores can't be read")

        def probability(score: np.ndarray) -> np.ndarray:
            said = np.asarray(answer(score), dtype=float)
            if self.method != "temperature":
                return np.asarray(self.calibrator.predict(said))
            both = said.reshape(-1, 1) if inner.decision is not None else np.column_stack([1 - said, said])
            return np.asarray(self.calibrator.predict(both))[:, 1]

        return Answers(None, probability, lambda score: probability(score) > 0.5, closed=False, own=False)


@dataclass(frozen=True)
class OneVsRest:
    """OneVsRestClassifier of two classes: one model, whose score or probability decides."""

    def around(self, inner: Answers) -> Answers:
        answer, at = (inner.decision, 0.0) if inner.decision is not None else (inner.probability, 0.5)
        if answer is None:
            raise TypeError("OneVsRestClassifier over a model without scores can't be read")
        return replace(inner, predict=lambda score: answer(score) > at, closed=False)


@dataclass
class Opened:
    """The model inside, what rows go through before it, and what decides by its score, from inside to outside."""

    last: Any
    before: list[Any] = field(default_factory=list)
    around: list[Any] = field(default_factory=list)

    def add(self, wrapper: Any) -> Opened:
        self.around.append(wrapper)
        return self


def open_model(model: Any) -> Opened:
    """Takes models out of what is around them, as far as one model and its score are left."""
    name = type(model).__name__
    if not type(model).__module__.startswith("sklearn."):
        return Opened(model)
    if name == "Pipeline":
        opened = open_model(model.steps[-1][1])
        before = [step for _, step in model.steps[:-1] if step is not None and step != "passthrough"]
        opened.before[:0] = before
        return opened
    if name in _SEARCHES:
        if getattr(model, "refit", True) is False:
            raise TypeError(f"{name}(refit=False) has no model to explain; fit it with refit=True, or give the model itself")
        return open_model(_fitted(model, "best_estimator_"))
    if name == "FrozenEstimator":
        return open_model(model.estimator)
    if name == "TunedThresholdClassifierCV":
        inner = open_model(_fitted(model, "estimator_"))
        positive = _index(model, model._curve_scorer._get_pos_label())
        return inner.add(Threshold(model.best_threshold_, positive, _methods(model)))
    if name == "FixedThresholdClassifier":
        inner = open_model(getattr(model, "estimator_", model.estimator))
        return inner.add(Threshold(model.threshold, _index(model, model.pos_label), _methods(model)))
    if name == "OneVsRestClassifier":
        estimators = _fitted(model, "estimators_")
        if len(estimators) != 1:
            raise ValueError(f"the model has {len(model.classes_)} classes; amends explains models of two")
        return open_model(estimators[0]).add(OneVsRest())
    if name == "CalibratedClassifierCV":
        calibrated = _fitted(model, "calibrated_classifiers_")
        if len(calibrated) != 1:
            raise TypeError(
                f"CalibratedClassifierCV(ensemble=True) can't be read: it averages {len(calibrated)} calibrated models. Fit it with "
                "ensemble=False, which calibrates one"
            )
        return open_model(calibrated[0].estimator).add(Calibration(_only(calibrated[0].calibrators), model.method))
    return Opened(model)


def _only(calibrators: Any) -> Any:
    return calibrators[0] if isinstance(calibrators, (list, tuple)) else calibrators


def _fitted(model: Any, attribute: str) -> Any:
    try:
        return getattr(model, attribute)
    except AttributeError:
        raise ValueError(f"{type(model).__name__} is not fitted; fit it before it is explained") from None


def _methods(model: Any) -> tuple[str, ...]:
    method = model.response_method
    return ("predict_proba", "decision_function") if method == "auto" else (method,)


def _index(model: Any, label: Any) -> int:
    return 1 if label is None else list(model.classes_).index(label)
