"""Fitted models of scikit-learn and other libraries: what they are, and how they decide."""

from __future__ import annotations

import json
from typing import Any, Callable, Optional, Sequence

import numpy as np
import pandas as pd

from . import _binning, _boosters, _catboost, _ebm, _histogram, _scorecards
from ._exact import dense, exact_dot
from ._frames import first_missing, is_missing, level_text
from ._pipeline import TRANSFORMERS, Column, NeedsCode, check_order, start, through
from ._schema import Feature
from ._settings import json_text

MODELS = (
    "scikit-learn's LogisticRegression(CV), LinearSVC, SVC(kernel='linear'), SGDClassifier, Perceptron, RidgeClassifier(CV), "
    "DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier, "
    "GradientBoostingClassifier, HistGradientBoostingClassifier, AdaBoostClassifier over decision trees, "
    "MLPClassifier(activation='relu' or 'identity'); XGBClassifier, XGBRFClassifier, xgboost.Booster, LGBMClassifier, "
    f"lightgbm.Booster, {_catboost.MODELS}, {_ebm.MODELS}, {_scorecards.MODELS}; "
    f"each alone or at the end of a Pipeline of {TRANSFORMERS}"
)

#: Modules that read the models of one library each from the columns before it: `reads`, `classes`, `names` and `spec`.
_FAMILIES: tuple[Any, ...] = (_catboost, _ebm, _scorecards)

_LINEAR = (
    *("LogisticRegression", "LogisticRegressionCV", "LinearSVC", "SVC", "SGDClassifier", "Perceptron"),
    *("RidgeClassifier", "RidgeClassifierCV"),
)
_TREE = ("DecisionTreeClassifier", "ExtraTreeClassifier")
_FOREST = ("RandomForestClassifier", "ExtraTreesClassifier")


class Reader:
    """A fitted two-class model, perhaps at the end of a pipeline."""

    def __init__(self, model: Any):
        self.model = model
        steps = list(model.steps) if _is(model, "sklearn", "Pipeline") else [("model", model)]
        self.before = [step for _, step in steps[:-1] if step is not None and step != "passthrough"]
        self.last = steps[-1][1]
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
            if name in _TREE or name in _FOREST:
                return self._forest
            if name == "GradientBoostingClassifier":
                return self._boosted
            if name == "HistGradientBoostingClassifier":
                return self._histogram
            if name == "AdaBoostClassifier":
                _check_adaboost(last)
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
        inside = ", but its best_estimator_ perhaps" if name.endswith("SearchCV") else ""
        raise TypeError(f"{name} can't be read{inside}; these can: {MODELS}")

    def _classes(self) -> list[Any]:
        if self.is_booster:
            return [0, 1]
        try:
            classes = list(self.last.classes_) if self.family is None else self.family.classes(self.last)
            if classes is None:
                raise AttributeError
        except AttributeError:
            raise ValueError(f"{type(self.last).__name__} is not fitted; fit it before it is explained") from None
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
        self._check_missing(columns, frame)
        if self.family is not None:
            return {"class_one": level_text(self.classes[1]), **self.family.spec(self.last, columns, frame)}
        assert self.read is not None
        if self.read in (self._linear, self._network) and not any(column.bins for column in columns):
            check_order(features, columns)
        feeds = [self._feed(column, frame) for column in columns]
        width = getattr(self.last, "n_features_in_", len(feeds))
        if width != len(feeds):
            raise ValueError(f"{type(self.last).__name__} was fitted on {width} columns, but gets {len(feeds)}")
        spec = self.read(feeds, frame)
        return {"class_one": level_text(self.classes[1]), **spec}

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

    def _feed(self, column: Column, frame: pd.DataFrame) -> dict[str, Any]:
        categories = isinstance(frame[column.feature].dtype, pd.CategoricalDtype)
        if categories and not self.before and not _of(self.last, "sklearn"):
            # The library has numbers of its own for categories, which its file knows.
            known = [level_text(one) for one in frame[column.feature].dtype.categories]
            ranks = [float(known.index(level_text(v))) if level_text(v) in known else None for v in column.values or ()]
            return {"whole": {"feature": column.feature, "ranks": ranks}}
        return column.feed()

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
        trees = [tree.tree_ for tree in getattr(self.last, "estimators_", [self.last])]

        def shares(tree: Any) -> np.ndarray:
            value = tree.value[:, 0, :]
            return np.asarray(value[:, 1] / value.sum(axis=1))

        # Votes that tie go to the first class; sums of votes are rounded, so a tie is one within this.
        tie = max(1e-12, len(trees) * 1e-15)
        raw = _ensemble(len(feeds), 1.0 / len(trees), -0.5 - tie, "share", "zero")
        return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": [_arrays(tree, shares(tree)) for tree in trees]}

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
        raw = _ensemble(len(feeds), rate, float(np.median(first)), link, "one")
        arrays = [_arrays(tree, tree.value[:, 0, 0]) for tree in trees]
        return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": arrays}

    def _histogram(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        return {"form": "trees", "feeds": feeds, "raw": _histogram.ensemble(self.last, len(feeds))}

    def _adaboost(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        model = self.last
        trees = [one.tree_ for one in model.estimators_]
        weight = {id(tree): float(weight) for tree, weight in zip(trees, model.estimator_weights_)}

        def votes(tree: Any) -> np.ndarray:
            shares = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
            if getattr(model, "algorithm", None) == "SAMME.R":
                # Until scikit-learn 1.6, trees could speak in log-odds, all with the same weight.
                logs = np.log(np.maximum(shares, np.finfo(float).eps))
                return np.asarray((logs[:, 1] - logs[:, 0]) / 2.0)
            # Every tree votes with all its weight; leaves in which classes tie vote for the first.
            return np.asarray(weight[id(tree)] * np.where(np.argmax(shares, axis=1) == 1, 1.0, -1.0))

        # Votes count for one class and against the other, hence twice.
        factor = 2.0 / float(np.sum(model.estimator_weights_))
        raw = _ensemble(len(feeds), factor, 0.0, "log-odds", "zero")
        return {"form": "arrays", "feeds": feeds, "raw": raw, "trees": [_arrays(tree, votes(tree)) for tree in trees]}

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
        cut = 0.5 if not self.is_booster and _boosters.objective(booster) == "binary:logitraw" else None
        return {**shared, "missing_at": self._marker(), "in_place": not self.is_booster, "cut": cut}

    def _lightgbm(self, feeds: list[dict[str, Any]], frame: pd.DataFrame) -> dict[str, Any]:
        booster = self.last if self.is_booster else self.last.booster_
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
        if self.is_booster:
            probability = self.probability(frame)
            assert probability is not None
            return probability > 0.5
        return np.asarray(np.asarray(self.model.predict(self.as_input(frame))) == self.classes[1])


def _check_adaboost(model: Any) -> None:
    for one in getattr(model, "estimators_", ()):
        if not (_of(one, "sklearn") and type(one).__name__ in _TREE):
            raise TypeError(
                f"AdaBoostClassifier over {type(one).__name__} can't be read, but over DecisionTreeClassifier it can. "
                f"All that can be read: {MODELS}"
            )


def _ensemble(width: int, factor: float, intercept: float, link: str, tie: str) -> dict[str, Any]:
    """What scikit-learn's trees have in common: they compare inputs rounded to 32 bits with thresholds of 64."""
    return {
        "library": "scikit-learn",
        "columns": [{"name": None, "content": "number"}] * width,
        "precision": "single",
        "unseen": "refused",
        "trees": [],
        "factor": factor,
        "intercept": intercept,
        "link": link,
        "tie": tie,
    }


def _arrays(tree: Any, values: np.ndarray) -> str:
    """A tree as text, array by array: forests grown without a limit have millions of nodes, and objects for each would
    take gigabytes."""
    # Before version 1.3 trees know no missing values.
    missing = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))
    # A threshold of infinity separates missing values from all numbers; JSON has none.
    most = np.finfo(float).max
    thresholds = np.clip(tree.threshold, -most, most)
    parts = (tree.children_left, tree.children_right, tree.feature, thresholds, missing.astype(bool), values)
    return json_text([part.tolist() for part in parts], "the model")


def _of(model: Any, library: str) -> bool:
    return type(model).__module__.split(".")[0] == library


def _is(model: Any, library: str, name: str) -> bool:
    return _of(model, library) and type(model).__name__ == name
