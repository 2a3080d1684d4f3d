"""Fitted models of scikit-learn and other libraries: what they are, and how they decide."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

import numpy as np
import pandas as pd

from . import _adaboost, _additive, _arrays, _binning, _boosters, _catboost, _cuts, _ebm, _histogram, _scorecards, _shares, _sums
from ._exact import dense, exact_dot
from ._frames import first_missing, is_missing, level_text
from ._functions import domain
from ._mixtures import Mixture, single
from ._pipeline import TRANSFORMERS, Column, NeedsCode, check_order, start, through
from ._schema import Feature
from ._thresholds import cuts
from ._wrapped import Threshold, open_model

MODELS = (
    "scikit-learn's LogisticRegression(CV), LinearSVC, SVC(kernel='linear'), SGDClassifier, Perceptron, RidgeClassifier(CV), "
    "DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier, "
    "GradientBoostingClassifier, HistGradientBoostingClassifier, AdaBoostClassifier over decision trees, "
    "MLPClassifier(activation='relu' or 'identity'), BaggingClassifier and VotingClassifier(voting='soft') of trees and forests; "
    "XGBClassifier, XGBRFClassifier, xgboost.Booster, LGBMClassifier, lightgbm.Booster, "
    f"{_catboost.MODELS}, {_ebm.MODELS}, {_scorecards.MODELS}; "
    "each alone, in GridSearchCV and its like, FixedThresholdClassifier, TunedThresholdClassifierCV, CalibratedClassifierCV(ensemble=False) "
    f"or OneVsRestClassifier, or at the end of a Pipeline of {TRANSFORMERS}"
)

#: Modules that read the models of one library each from the columns before it: `reads`, `classes`, `names` and `spec`.
_FAMILIES: tuple[Any, ...] = (_catboost, _ebm, _scorecards)

_LINEAR = (
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SVC", "SGDClassifier", "Perceptron"),
    *("RidgeClassifier", "RidgeClassifierCV"),
)

#: What transformers that mix columns and models that compare single ones can't have together.
_NO_MIXTURES = (
    "{by} mixes columns ({features}), and {model} compares what comes out with thresholds, which is no comparison of single columns. Fit it "
    "without {by}, or a linear model or network behind it"
)


class Reader:
    """A fitted two-class model, perhaps at the end of a pipeline."""

    def __init__(self, model: Any):
        self.model = model
        opened = open_model(model)
        self.before, self.last, self._around = opened.before, opened.last, opened.around
        #: The least probability of a class, by its index, where the user has set one.
        self._least: Optional[tuple[float, int]] = None
        #: The values of numbers that are known, where a model is read value by value.
        self.grids: dict[str, _additive.Grid] = {}
        #: Numbers for which the model has an answer, where these are not all.
        self.domains: dict[str, tuple[float, float]] = {}
        self.is_booster = _is(self.last, "xgboost", "Booster") or _is(self.last, "lightgbm", "Booster")
        self.family = next((family for family in _FAMILIES if family.reads(self.last)), None)
        self.read = self._how() if self.family is None else None
        self.classes = self._classes()
        self.named = self._has_names()
        #: Columns of numbers that came as objects: encoders compare them with objects that they have seen.
        self.objects: list[str] = []

    def _how(self) -> Callable[[list[dict[str, Any]], pd.DataFrame], dict[str, Any]]:
        last, name = self.last, type(self.last).__name__
        if _of(last, "sklearn"):
            if name == "SVC" and last.kernel != "linear":
                raise TypeError(f"SVC(kernel={last.kernel!r}) can't be read; these can: {MODELS}")
            if name in _LINEAR:
                return self._linear
            if _shares.is_mean(last):
                reason = _shares.problem(last)
                if reason:
                    raise TypeError(
                        f"{name} can't be read here: {reason}, but a soft vote and a mean of trees and forests can. All that can be "
                        f"read: {MODELS}"
                    )
                return self._forest
            if name == "GradientBoostingClassifier":
                return self._boosted
            if name == "HistGradientBoostingClassifier":
                return self._histogram
            if name == "AdaBoostClassifier":
                odd = _adaboost.problem(last)
                if odd:
                    raise TypeError(
                        f"AdaBoostClassifier over {odd} can't be read, but over DecisionTreeClassifier it can. All that can be read: {MODELS}"
                    )
                return self._adaboost
            if name == "MLPClassifier":
                if last.activation not in ("relu", "identity"):
                    raise TypeError(
                        f"MLPClassifier(activation={last.activation!r}) can't be read, but activation='relu' can: "
                        f"fit it with that. All that can be read: {MODELS}"
                    )
                return self._network
        if any(_is(last, "xgboost", name) for name in ("XGBClassifier", "XGBRFClassifier", "Booster")):
            return self._xgboost
        if _is(last, "lightgbm", "LGBMClassifier") or _is(last, "lightgbm", "Booster"):
            return self._lightgbm
        raise TypeError(f"{name} can't be read; these can: {MODELS}")

    def _classes(self) -> list[Any]:
        if self.is_booster:
            return [0, 1]
        try:
            own = list(self.last.classes_) if self.family is None else self.family.classes(self.last)
            if own is None:
                raise AttributeError
            # Some around a model number its classes.
            classes = list(self.model.classes_ if self.family is None else getattr(self.model, "classes_", own))
        except AttributeError:
            raise ValueError(f"{type(self.last).__name__} is not fitted; fit it before it is explained") from None
        if len(own) != 2:
            classes = own
        if getattr(self.last, "n_outputs_", 1) != 1:
            raise ValueError(f"the model decides {self.last.n_outputs_} things at once; amends explains models of one outcome")
        if len(classes) != 2:
            raise ValueError(f"the model has {len(classes)} classes; amends explains models of two")
        return classes

    def class_text(self, value: Any) -> str:
        """An outcome as the core has it: True is the class 1 where there is one, as it is to scikit-learn."""
        equal = next((one for one in self.classes if one == value), value)
        return level_text(equal)

    def check_outcomes(self, outcomes: Sequence[str], column: str) -> None:
        """Refuses outcomes that are not classes of the model."""
        known = [level_text(one) for one in self.classes]
        odd = next((index for index, text in enumerate(outcomes) if text not in known), None)
        if odd is not None:
            raise ValueError(
                f"row {odd + 1}, column `{column}`: `{outcomes[odd]}` is not a class of the model; it has `{known[0]}` and `{known[1]}`"
            )
        if len(set(outcomes)) == 1:
            raise ValueError(
                f"column `{column}`: `{outcomes[0]}` is the outcome of every row; add rows with the other outcome: plans lead to "
                "rows that were accepted"
            )

    def _has_names(self) -> bool:
        """Whether the model wants a data frame rather than an array."""
        return self._own_names() is not None

    def _own_names(self) -> Optional[list[str]]:
        if self.family is not None and not self.before:
            names: Optional[list[str]] = self.family.names(self.last)
            return names
        if _is(self.last, "xgboost", "Booster") and not self.before:
            own: Optional[list[str]] = self.last.feature_names
            return own
        if _is(self.last, "lightgbm", "Booster") and not self.before:
            return list(self.last.feature_name())
        if self.before and _binning.process_names(self.before[0]):
            return _binning.process_names(self.before[0])
        names = getattr(self.model, "feature_names_in_", None)
        if names is None and _is(self.model, "lightgbm", "LGBMClassifier"):
            # Until LightGBM 4.5 only the booster knows, and has names of its own for columns of arrays.
            names = self.model.booster_.feature_name()
            names = None if names == [f"Column_{index}" for index in range(len(names))] else names
        return None if names is None else [str(name) for name in names]

    def input_names(self, frame: pd.DataFrame) -> list[str]:
        """The columns of a frame that the model was fitted on, in its order."""
        known = [str(name) for name in frame.columns]
        names = self._own_names()
        if names is not None and all(name in known for name in names):
            return names
        width = len(names) if names is not None else getattr(self.model, "n_features_in_", len(known))
        renamed = names is not None and not (
            _of(self.last, "lightgbm") or _of(self.last, "xgboost")
        )
        if width != len(known) or renamed:
            missing = next((name for name in names or () if name not in known), None)
            what = f"column `{missing}`: is not in X" if missing else f"X has {len(known)} columns"
            raise ValueError(f"{what}; the model was fitted on {width} columns{': ' if names else ''}{', '.join(names or ())}")
        return known

    def spec(self, features: Sequence[Feature], frame: pd.DataFrame) -> dict[str, Any]:
        """The model as the core reads it."""
        columns = start(features)
        for step in self.before:
            columns = through(step, columns)
        if _is(self.last, "sklearn", "HistGradientBoostingClassifier"):
            columns = _histogram.own_columns(self.last, columns)
        self._check_missing([part for column in columns for part in single(column)], frame)
        if self.family is not None:
            return self._with_cut({"class_one": level_text(self.classes[1]), **self._of_family(columns, frame)})
        assert self.read is not None
        width = getattr(self.last, "n_features_in_", len(columns))
        if width != len(columns):
            raise ValueError(f"{type(self.last).__name__} was fitted on {width} columns, but gets {len(columns)}")
        self.grids = {}
        if self.read in (self._linear, self._network):
            spec = self._summed(features, columns, frame)
        else:
            spec = self.read(self._compared(columns, frame), frame)
        return self._with_cut({"class_one": level_text(self.classes[1]), **spec})

    def _of_family(self, columns: Sequence[Any], frame: pd.DataFrame) -> dict[str, Any]:
        """A model of a library that is read from the columns before it."""
        self._refuse_mixtures(columns)
        curved = next((column for column in columns if column.is_curved), None)
        if curved is not None:
            raise TypeError(
                f"{type(self.last).__name__} behind a function of column `{curved.feature}` can't be read. Put what the transformer "
                "computes into the data frame, or leave it out"
            )
        assert self.family is not None
        spec: dict[str, Any] = self.family.spec(self.last, columns, frame)
        return spec

    def _refuse_mixtures(self, columns: Sequence[Any]) -> None:
        mixed = next((column for column in columns if isinstance(column, Mixture)), None)
        if mixed is not None:
            raise TypeError(_NO_MIXTURES.format(by=mixed.by, features=mixed.feature, model=type(self.last).__name__))

    def _summed(self, features: Sequence[Feature], columns: Sequence[Any], frame: pd.DataFrame) -> dict[str, Any]:
        """A model that adds up columns, whatever they are made of."""
        assert self.read is not None
        sums = _sums.of(columns)
        curved = sums.curved
        sums.check_bins()
        if curved is None and not sums.is_plain:
            # Products and mixtures become a layer or weights of single columns.
            columns = sums.single
        if curved is None:
            if not any(column.bins for column in columns):
                check_order(features, columns)
            spec = self.read([self._feed(column, frame) for column in columns], frame)
            return spec if sums.is_plain else sums.fold(spec)
        spec = self.read([], frame)
        if spec["form"] != "linear":
            raise TypeError(
                f"{type(self.last).__name__} behind {_additive.what(sums)} of column `{curved.feature}` can't be read: a network takes "
                "numbers as they are, up to straight lines. Put what the transformer computes into the data frame, or use trees"
            )
        self.grids = _additive.grids(sums, features, frame)
        weights = np.array(spec["weights"], dtype=float)
        return _additive.ensemble(sums, weights, spec["intercept"], features, self.grids, spec["link"])

    def _compared(self, columns: Sequence[Any], frame: pd.DataFrame) -> list[dict[str, Any]]:
        """The columns of a model that compares them with thresholds."""
        self._refuse_mixtures(columns)
        curved = [column for column in columns if column.is_curved]
        known = cuts(self.last, len(columns), self._trees_text(frame), self._marker()) if curved else []
        self.domains = {}
        for column in curved:
            low, high = domain(column.steps)
            known_low, known_high = self.domains.get(column.feature, (low, high))
            self.domains[column.feature] = (max(low, known_low), min(high, known_high))
        if self._takes_missing():
            self.domains = {}
        return [self._feed(column, frame, known[index] if column.is_curved else None) for index, column in enumerate(columns)]

    def _trees_text(self, frame: pd.DataFrame) -> Optional[str]:
        """The model as its library saves it, where that is how it is read."""
        if self.read == self._xgboost:
            return str(self._xgboost([], frame)["text"])
        if self.read == self._lightgbm:
            return str((self.last if self.is_booster else self.last.booster_).model_to_string())
        return None

    def accept_from(self, least: float, index: int) -> None:
        """Puts rows into a class from a probability of it on, whatever the model itself decides."""
        if not self.has_probability:
            raise ValueError(
                f"threshold: {type(self.last).__name__} has no probabilities; leave it out, or move the threshold of its score with "
                "scikit-learn's FixedThresholdClassifier(response_method='decision_function')"
            )
        self._least = (least, index)

    def _with_cut(self, spec: dict[str, Any]) -> dict[str, Any]:
        """The model with its threshold where what is around it has it."""
        least = self._least
        around = [*self._around, *([] if least is None else [Threshold(least[0], least[1], ("predict_proba",))])]
        if not around:
            return spec
        link = spec["raw"]["link"] if "raw" in spec else spec.get("link", "log-odds")
        cut = _cuts.find(self.last, link, around)
        if cut.upper == 0:
            spec = {**spec, "class_one": level_text(self.classes[0])}
        return cut.apply(spec, self._tie())

    def _tie(self) -> float:
        """Means of shares that differ by less are equal: they are rounded."""
        count = sum(1 for _ in _shares.shares(self.last)) if self.read == self._forest else 0
        return max(1e-12, count * 1e-15)

    def _takes_missing(self) -> bool:
        if not _of(self.last, "sklearn"):
            return True
        if hasattr(self.last, "__sklearn_tags__"):
            return bool(self.last.__sklearn_tags__().input_tags.allow_nan)
        return bool(self.last._get_tags().get("allow_nan", False))

    def _check_missing(self, columns: Sequence[Column], frame: pd.DataFrame) -> None:
        """What the model itself would refuse, and what it takes for missing."""
        marker = self._marker()
        for column in columns:
            # Zeros are left out for the sake of speed, too; any other number that is left out is a state of its own.
            if marker and column.values is None and column.open(marker) and (frame[column.feature] == marker).any():
                raise NeedsCode(column.feature, marker)
            if column.may_be_missing and not self._takes_missing():
                index = first_missing(frame[column.feature])
                row = "" if index is None else f"row {index + 1}, "
                raise ValueError(
                    f"{row}column `{column.feature}`: may be missing, but {type(self.last).__name__} takes no missing values; "
                    "fill it in, or put a SimpleImputer before the model"
                )

    def _marker(self) -> Optional[float]:
        """The number that XGBoost takes for a missing value, beside NaN."""
        missing: Any = getattr(self.last, "missing", None) if _of(self.last, "xgboost") else None
        return None if is_missing(missing) else float(missing)

    def _feed(self, column: Column, frame: pd.DataFrame, cuts: Optional[np.ndarray] = None) -> dict[str, Any]:
        categories = isinstance(frame[column.feature].dtype, pd.CategoricalDtype)
        if categories and not self.before and not _of(self.last, "sklearn"):
            # The library has numbers of its own for categories, which its file knows.
            known = [level_text(one) for one in frame[column.feature].dtype.categories]
            ranks = [float(known.index(level_text(v))) if level_text(v) in known else None for v in column.values or ()]
            return {"whole": {"feature": column.feature, "ranks": ranks}}
        return column.feed(cuts)

    def _linear(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        weights = self._support_weights() if type(self.last).__name__ == "SVC" else dense(self.last.coef_).ravel()
        logistic = type(self.last).__name__ in ("LogisticRegression", "LogisticRegressionCV")
        log_odds = logistic or getattr(self.last, "loss", "") == "log_loss"
        # Steps can't be folded into weights: the sum is read as a table per feature.
        stepped = any("bins" in feed for feed in feeds)
        if getattr(self.last, "multi_class", None) == "multinomial":
            log_odds = False
        return {
            "form": "tables" if stepped else "linear",
            **({"tie": "zero"} if stepped else {}),
            "library": "scikit-learn",
            "feeds": feeds,
            "weights": weights.tolist(),
            "intercept": float(np.ravel(self.last.intercept_)[0]),
            "link": "log-odds" if log_odds else "none",
        }

    def _support_weights(self) -> np.ndarray:
        """The weights of a support vector machine without the digits that `coef_` loses: it adds up what nearly cancels."""
        factors, vectors = dense(self.last.dual_coef_)[0], dense(self.last.support_vectors_)
        return np.array([exact_dot(factors, column) for column in vectors.T])

    def _network(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        model = self.last
        layers = [(np.asarray(w, float), np.asarray(b, float)) for w, b in zip(model.coefs_, model.intercepts_)]
        shared = {"library": "scikit-learn", "feeds": feeds, "link": "log-odds"}
        if model.activation == "identity":
            # Sums of sums are sums.
            weights, bias = layers[0]
            for inner, inner_bias in layers[1:]:
                weights, bias = weights @ inner, bias @ inner + inner_bias
            return {"form": "linear", **shared, "weights": weights.ravel().tolist(), "intercept": float(bias[0])}
        listed = [{"weights": weights.T.tolist(), "bias": bias.tolist()} for weights, bias in layers]
        return {"form": "network", **shared, "layers": listed}

    def _forest(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        trees = list(_shares.shares(self.last))
        # Votes that tie go to the first class.
        tie = self._tie()
        weights = {one.weight for one in trees}
        factor = 1.0 / len(trees) if max(weights) - min(weights) < 1e-15 else 1.0
        raw = _arrays.ensemble(len(feeds), factor, -0.5 - tie, "share", "zero")
        values = [one.shares if factor != 1.0 else one.weight * one.shares for one in trees]
        arrays = [_arrays.arrays(one.tree, value, one.columns) for one, value in zip(trees, values)]
        return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": arrays}

    def _boosted(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        model = self.last
        trees = [tree.tree_ for tree in model.estimators_[:, 0]]
        rate = model.learning_rate
        # What the first guess adds: the score without the trees. It must be the same for everybody.
        probe = self.transformed(frame.iloc[:50])
        probe = np.asarray(probe.todense() if hasattr(probe, "todense") else probe)
        grown = sum(rate * tree.predict(probe.astype(np.float32)).ravel() for tree in trees)
        first = model.decision_function(self.transformed(frame.iloc[:50])) - grown
        if np.ptp(first) > 1e-9 * max(1.0, float(np.abs(first).max())):
            raise TypeError("GradientBoostingClassifier with an `init` that depends on the row can't be read")
        link = "log-odds" if model.loss == "log_loss" else "none"
        raw = _arrays.ensemble(len(feeds), rate, float(np.median(first)), link, "one")
        arrays = [_arrays.arrays(tree, tree.value[:, 0, 0]) for tree in trees]
        return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": arrays}

    def _histogram(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        return {"form": "trees", "feeds": feeds, "raw": _histogram.ensemble(self.last, len(feeds))}

    def _adaboost(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        return _adaboost.spec(self.last, feeds)

    def _xgboost(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        booster = self.last if self.is_booster else self.last.get_booster()
        text = _boosters.saved_text(booster)
        if not self.is_booster and booster.attr("best_iteration"):
            # The first rounds lack the texts of categories, which all rounds have.
            whole, text = text, _boosters.saved_text(booster[: int(self.last.best_iteration) + 1])
            text = _boosters.with_categories_of(whole, text)
        sparse = hasattr(self.transformed(frame.iloc[:2]), "todense")
        shared = {"form": "saved", "feeds": feeds, "text": text, "zero_is_missing": sparse}
        # XGBClassifier predicts in place, which rounds otherwise with `dart`, and compares anything with one half.
        cut = (float(np.nextafter(0.5, 1)), "none") if not self.is_booster and _boosters.objective(booster) == "binary:logitraw" else None
        return {**shared, "missing_at": self._marker(), "in_place": not self.is_booster, "cut": cut}

    def _lightgbm(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        booster = self.last if self.is_booster else self.last.booster_
        return _boosters.lightgbm_spec(booster, feeds, frame)

    def rounding(self, frame: pd.DataFrame) -> float:
        """Scores of the model itself may be off by this much, so that nothing follows from those closer to 0."""
        least = 1e-6
        if _of(self.last, "xgboost"):
            # It adds up in 32 bits. Processors do it as it is done here; graphics cards have an order of their own.
            return 10 * least
        if not _is(self.last, "sklearn", "SVC"):
            return least
        # It adds up products of whole rows, which are far larger than their sum where numbers are not scaled.
        parts = (self.transformed(frame), self.last.support_vectors_, self.last.dual_coef_)
        rows, vectors, factors = (dense(part) for part in parts)
        longest = max(float(np.square(some).sum(axis=1).max()) for some in (rows, vectors))
        return max(least, 4 * float(np.finfo(float).eps) * float(np.abs(factors).sum()) * longest)

    def as_input(self, frame: pd.DataFrame) -> Any:
        """Rows as the model was fitted on them."""
        if self.before:
            frame = frame.astype({name: object for name in self.objects if name in frame.columns})
        if self.named:
            return frame
        # Nullable numbers would become objects.
        types = pd.api.types
        nullable = [n for n, t in frame.dtypes.items() if types.is_extension_array_dtype(t) and types.is_numeric_dtype(t)]
        return frame.astype({name: float for name in nullable}).to_numpy()

    def transformed(self, frame: pd.DataFrame) -> Any:
        """Rows as they reach the end of the pipeline."""
        rows = self.as_input(frame)
        for step in self.before:
            rows = step.transform(rows)
        return rows

    @property
    def has_probability(self) -> bool:
        """Whether the model has probabilities of its classes."""
        return self.is_booster or hasattr(self.model, "predict_proba")

    def probability(self, frame: pd.DataFrame) -> Optional[np.ndarray]:
        """The model's own probability of its second class, where it has one."""
        if _is(self.last, "xgboost", "Booster"):
            import xgboost

            rows = self.transformed(frame)
            categories = isinstance(rows, pd.DataFrame)
            answer = np.asarray(self.last.predict(xgboost.DMatrix(rows, enable_categorical=categories)))
            raw = _boosters.objective(self.last) == "binary:logitraw"
            return 1 / (1 + np.exp(-answer.astype(float))) if raw else answer
        if self.is_booster:
            return np.asarray(self.last.predict(self.transformed(frame)))
        if not hasattr(self.model, "predict_proba"):
            return None
        return np.asarray(self.model.predict_proba(self.as_input(frame)))[:, 1]

    def predict(self, frame: pd.DataFrame) -> np.ndarray:
        """Whether the model itself puts rows in its second class."""
        if self._least is not None:
            least, index = self._least
            if self.is_booster or index == 1:
                probability = self.probability(frame)
                assert probability is not None
                return probability >= least if index == 1 else ~(1 - probability >= least)
            return ~(np.asarray(self.model.predict_proba(self.as_input(frame)))[:, 0] >= least)
        if self.is_booster:
            probability = self.probability(frame)
            assert probability is not None
            return probability > 0.5
        return np.asarray(np.asarray(self.model.predict(self.as_input(frame))) == self.classes[1])


def _of(model: Any, library: str) -> bool:
    return type(model).__module__.split(".")[0] == library


def _is(model: Any, library: str, name: str) -> bool:
    return _of(model, library) and type(model).__name__ == name
