"""Every model family that can be read, alone and behind pipelines, with tables to fit it on."""

import copy
import warnings

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    AdaBoostClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier, XGBRFClassifier

import amends


def Network(*args, **kwargs):
    """A network that says nothing about training that ends early."""
    warnings.filterwarnings("ignore", category=ConvergenceWarning)
    return MLPClassifier(*args, **kwargs)


LINEAR = {
    "logistic": lambda: LogisticRegression(max_iter=2000),
    "linear-svc": lambda: LinearSVC(max_iter=5000),
    "svc": lambda: SVC(kernel="linear"),
    "sgd": lambda: SGDClassifier(random_state=0),
    "sgd-log": lambda: SGDClassifier(loss="log_loss", random_state=0),
    "ridge": RidgeClassifier,
}
TREES = {
    "tree": lambda: DecisionTreeClassifier(max_depth=6, random_state=0),
    "forest": lambda: RandomForestClassifier(40, max_depth=6, random_state=0),
    "grown-forest": lambda: RandomForestClassifier(30, random_state=0),
    "extra-trees": lambda: ExtraTreesClassifier(40, max_depth=7, random_state=0),
    "boosting": lambda: GradientBoostingClassifier(n_estimators=40, random_state=0),
    "histogram": lambda: HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=15, random_state=0),
    "adaboost": lambda: AdaBoostClassifier(n_estimators=40, random_state=0),
    "adaboost-deep": lambda: AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=25, random_state=0),
    "xgboost": lambda: XGBClassifier(n_estimators=40, max_depth=4, n_jobs=1),
    "lightgbm": lambda: LGBMClassifier(n_estimators=40, num_leaves=15, verbose=-1, n_jobs=1),
    "xgboost-forest": lambda: XGBRFClassifier(n_estimators=30, max_depth=5, random_state=0, n_jobs=1),
    "lightgbm-dart": lambda: LGBMClassifier(boosting_type="dart", n_estimators=40, num_leaves=15, verbose=-1, n_jobs=1),
    "lightgbm-forest": lambda: LGBMClassifier(
        boosting_type="rf", n_estimators=30, num_leaves=15, bagging_freq=1, bagging_fraction=0.7, verbose=-1, n_jobs=1
    ),
}
NETWORKS = {
    "network": lambda: Network((8,), max_iter=150, random_state=0),
    "deep-network": lambda: Network((8, 6, 4), learning_rate_init=0.01, max_iter=100, random_state=0),
    "identity-network": lambda: Network((6, 3), activation="identity", max_iter=60, random_state=0),
}
ALL = {**LINEAR, **TREES, **NETWORKS}
SCALERS = {"standard": StandardScaler, "min-max": MinMaxScaler, "robust": RobustScaler}


def numbers(rows=400):
    """Numbers only, on scales of their own."""
    X, y = make_classification(rows, 6, n_informative=4, n_redundant=1, random_state=3)
    scale, shift = np.array([1, 10, 0.1, 1000, 3, 7]), np.array([0, 50, 0, 2e4, -3, 1 / 3])
    frame = pd.DataFrame(X * scale + shift, columns=["a", "b", "c", "d", "e", "f"])
    frame["d"] = frame["d"].round().astype(int)
    frame["e"] = frame["e"].round(2)
    return frame, pd.Series(y, name="ok")


def mixed(rows=400):
    """All kinds of columns."""
    frame, y = numbers(rows)
    draw = np.random.default_rng(5)
    frame["flag"] = draw.random(rows) < 0.3 + 0.4 * y
    frame["housing"] = draw.choice(["own", "rent", "for free"], rows)
    grades = draw.integers(0, 4, rows)
    frame["grade"] = pd.Categorical.from_codes(grades, ["D", "C", "B", "A"], ordered=True)
    frame["region"] = draw.choice([10, 20, 30, 47], rows)
    y = ((y + (grades > 1) + (frame["housing"] == "own")) >= 2).astype(int)
    return frame, y.rename("ok")


def behind_encoders(model, scaler=None, sparse=0.0):
    """A pipeline for `mixed`: scaled numbers, one-hot texts and codes, ordered grades, the flag as it is."""
    texts, codes = OneHotEncoder(drop="if_binary"), OneHotEncoder(handle_unknown="ignore")
    columns = ColumnTransformer(
        [
            ("num", scaler or "passthrough", ["a", "b", "c", "d", "e", "f"]),
            ("text", texts, ["housing"]),
            ("code", codes, ["region"]),
            ("grade", OrdinalEncoder(categories=[["D", "C", "B", "A"]]), ["grade"]),
        ],
        remainder="passthrough",
        sparse_threshold=sparse,
    )
    return make_pipeline(columns, model)


def german():
    data = amends.load_german()
    return data.X, data.y


def german_pipeline(model):
    columns = ColumnTransformer(
        [
            ("num", StandardScaler(), make_column_selector(dtype_include="int64")),
            ("cat", OneHotEncoder(sparse_output=False), make_column_selector(dtype_include="category")),
        ]
    )
    return make_pipeline(columns, model)


def margin(model, X, desired_class=1):
    """The library's own score in the direction of the desired class."""
    last = model[-1] if hasattr(model, "steps") else model
    rows = model[:-1].transform(X) if hasattr(model, "steps") else X
    if isinstance(last, XGBClassifier):
        score = last.predict(rows, output_margin=True).astype(float)
    elif isinstance(last, LGBMClassifier):
        score = last.predict(rows, raw_score=True)
        if last.boosting_type == "rf":
            # Its probabilities are those of the average, its raw scores the sum.
            score = score / last.booster_.num_trees()
    elif isinstance(last, MLPClassifier):
        last = copy.copy(last)
        last.out_activation_ = "identity"
        score = last.predict_proba(rows)[:, 1]
    elif hasattr(last, "decision_function"):
        score = last.decision_function(rows)
    else:
        score = last.predict_proba(rows)[:, 1] - 0.5
    return score if last.classes_[1] == desired_class else -score


def small():
    """A table of three whole numbers, and every application there is."""
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"a": draw.integers(1, 10, 200), "b": draw.integers(1, 8, 200), "c": draw.integers(1, 6, 200)})
    y = pd.Series((X["a"] + X["b"] * draw.random(200) > 8).astype(int), name="ok")
    every = pd.MultiIndex.from_product([range(1, 10), range(1, 8), range(1, 6)], names=list(X)).to_frame(index=False)
    return X, y, every


def check_optima(model, X, y, every):
    """Plans are the nearest of all applications that the model itself accepts, with a distance computed here."""
    explainer = amends.Explainer(model, desired_class=1, distance="mad", outlier_weight=0, change_cost=0).fit(X, y)
    accepted = every[np.asarray(model.predict(every)) == 1]
    rejected = X[np.asarray(model.predict(X)) == 0].drop_duplicates().head(8)
    assert len(accepted) and len(rejected) > 3
    unit = 1.4826 * (X - X.median()).abs().median()
    for (_, row), one in zip(rejected.iterrows(), explainer.explain(rejected, time_limit=30)):
        assert one.status == "optimal" and one.verified
        np.testing.assert_allclose(one.objective, ((accepted - row).abs() / unit).sum(axis=1).min(), rtol=1e-9)
