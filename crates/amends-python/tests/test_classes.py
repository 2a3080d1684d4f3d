"""Classes of any type and in any order, and settings that move a booster's score."""

import warnings

import families
import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from test_scores import explained, same

import amends
from amends import _histogram

#: The other class, then the wanted one; the wanted one comes first in some libraries' order, and second in others.
CLASSES = {
    "bool": (False, True),
    "bool-turned": (True, False),
    "int": (2, 1),
    "negative": (-1, 1),
    "float": (1.0, 2.0),
    "text": ("reject", "accept"),
    "numpy-text": (np.str_("no"), np.str_("yes")),
    "numpy-int": (np.int8(3), np.int8(7)),
}
READERS = ["logistic", "ridge", "forest", "boosting", "histogram", "adaboost", "lightgbm", "network"]


def outcomes(kind, y):
    other, wanted = CLASSES[kind]
    return np.where(y == 1, wanted, other)


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("family", READERS)
def test_classes_of_any_type(family, kind):
    X, y = families.numbers(150)
    y = outcomes(kind, y)
    model = families.ALL[family]().fit(X, y)
    wanted = CLASSES[kind][1]
    explainer = explained(model, X, y, desired_class=wanted)
    same(explainer, model, X, desired_class=wanted)


@pytest.mark.parametrize("kind", ["text", "int"])
def test_categories_as_classes(kind):
    X, y = families.numbers(150)
    wanted = CLASSES[kind][1]
    y = pd.Series(pd.Categorical(outcomes(kind, y)), name="ok")
    for family in ("logistic", "forest", "histogram"):
        model = families.ALL[family]().fit(X, y)
        same(explained(model, X, y, desired_class=wanted), model, X, desired_class=wanted)


def test_plans_lead_to_the_wanted_class_whatever_its_place():
    X, y = families.numbers(200)
    for kind in ("bool-turned", "text", "negative"):
        other, wanted = CLASSES[kind]
        named = outcomes(kind, y)
        for family in ("logistic", "histogram", "network"):
            model = make_pipeline(StandardScaler(), families.ALL[family]()).fit(X, named)
            explainer = amends.Explainer(model, desired_class=wanted).fit(X, named)
            rejected = X[model.predict(X) == other].head(3)
            assert all(one.verified for one in explainer.explain(rejected, time_limit=20))


@pytest.mark.parametrize(
    "settings",
    [
        {"base_score": 0.2},
        {"base_score": 0.9, "n_estimators": 3},
        {"scale_pos_weight": 5},
        {"missing": 0},
        {"booster": "dart", "rate_drop": 0.2},
        {"num_parallel_tree": 3, "n_estimators": 5, "subsample": 0.5},
        {"max_delta_step": 1, "reg_alpha": 2, "tree_method": "exact"},
        {"grow_policy": "lossguide", "max_leaves": 9, "max_depth": 0},
    ],
    ids=str,
)
def test_settings_of_xgboost(settings):
    X, y = families.mixed()
    X = X.drop(columns=["housing", "grade"])
    model = xgboost.XGBClassifier(**{"n_estimators": 15, "max_depth": 4, "n_jobs": 1, **settings}).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize(
    "settings",
    [
        {"scale_pos_weight": 5},
        {"is_unbalance": True},
        {"boost_from_average": False},
        {"boosting_type": "goss"},
        {"extra_trees": True, "max_bin": 15},
        {"zero_as_missing": True},
        {"sigmoid": 2.0},
    ],
    ids=str,
)
def test_settings_of_lightgbm(settings):
    X, y = families.mixed()
    X = X.drop(columns=["housing"])
    model = lightgbm.LGBMClassifier(n_estimators=15, verbose=-1, n_jobs=1, **settings).fit(X, y)
    explainer = explained(model, X, y)
    # The sigmoid's factor belongs to the log-odds, which LightGBM's raw scores leave out.
    factor = settings.get("sigmoid", 1.0)
    np.testing.assert_allclose(explainer.score(X), factor * model.predict(X, raw_score=True), atol=1e-9)
    assert ((explainer.score(X) >= 0) == (model.predict(X) == 1)).all()


@pytest.mark.parametrize("kind", ["classifier", "booster"])
def test_early_stopping_of_lightgbm(kind):
    X, y = families.numbers()
    stop = lightgbm.early_stopping(3, verbose=False)
    if kind == "classifier":
        model = lightgbm.LGBMClassifier(n_estimators=300, verbose=-1, n_jobs=1)
        with warnings.catch_warnings():
            # Newer versions have another name for the rows that are held out.
            warnings.simplefilter("ignore")
            model.fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])], callbacks=[stop])
        assert model.best_iteration_ < 300
        same(explained(model, X, y), model, X)
        return
    held_out = lightgbm.Dataset(X[300:], y[300:])
    model = lightgbm.train(
        {"objective": "binary", "verbose": -1, "num_threads": 1},
        lightgbm.Dataset(X[:300], y[:300]),
        300,
        [held_out],
        callbacks=[stop],
    )
    assert model.best_iteration < 300
    np.testing.assert_allclose(explained(model, X, y).score(X), model.predict(X, raw_score=True), atol=1e-9)


def test_early_stopping_of_an_xgboost_booster():
    """A booster's own predict takes all trees, whatever iteration was the best."""
    X, y = families.numbers()
    rows = xgboost.DMatrix(X[:300], y[:300])
    model = xgboost.train(
        {"objective": "binary:logistic"}, rows, 60, evals=[(xgboost.DMatrix(X[300:], y[300:]), "test")],
        early_stopping_rounds=3, verbose_eval=False,
    )
    assert model.best_iteration + 1 < model.num_boosted_rounds()
    theirs = model.predict(xgboost.DMatrix(X), output_margin=True)
    np.testing.assert_allclose(explained(model, X, y).score(X), theirs, atol=1e-6)


@pytest.mark.parametrize("chosen", ["from_dtype", "numbers", "all"])
def test_categories_of_histogram_boosting(chosen):
    X, y = families.mixed()
    X["housing"] = X["housing"].astype("category")
    if chosen == "all":
        X = X[["housing", "region", "grade"]]
    settings = {"from_dtype": "from_dtype", "numbers": ["region", "housing"], "all": ["region", "grade", "housing"]}
    X = X if chosen != "numbers" else X.drop(columns="grade")
    model = HistGradientBoostingClassifier(
        max_iter=30, min_samples_leaf=5, categorical_features=settings[chosen], random_state=0
    ).fit(X, y)
    assert any(tree.nodes["is_categorical"].any() for round in model._predictors for tree in round)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    rejected = X[model.predict(X) == 0].head(4)
    assert all(one.verified is not False for one in explainer.explain(rejected, time_limit=20))


def followed(raw, row):
    """The score of a row by the trees as they are handed to the core; NaN is a missing value."""
    score = raw["intercept"]
    for tree in raw["trees"]:
        node = tree["nodes"][0]
        while "split" in node:
            split = node["split"]
            value, test = row[split["column"]], split["test"]
            left = value in test["one-of"] if "one-of" in test else value <= test["at-most"]
            side = split["missing"] if np.isnan(value) else "left" if left else "right"
            node = tree["nodes"][split[side]]
        score += node["leaf"]
    return score


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_histogram_boosting_sends_missing_values_where_it_does(missing):
    X, y = families.mixed()
    X = X[["a", "region", "c", "b"]].astype(float)
    holes = np.random.default_rng(1).random(X.shape) < missing
    # Where nothing but a missing value tells, the threshold is infinite.
    holes[:, 2] = y == 0 if missing else False
    model = HistGradientBoostingClassifier(max_iter=20, categorical_features=["region"], random_state=0)
    model.fit(X.mask(holes), y)
    rows = X.mask(np.random.default_rng(2).random(X.shape) < 0.5)
    raw = _histogram.ensemble(model, 4)
    fed = model._preprocessor.transform(rows)
    theirs = model.decision_function(rows)
    np.testing.assert_allclose([followed(raw, row) for row in fed], theirs, atol=1e-12)
    splits = [node["split"] for tree in raw["trees"] for node in tree["nodes"] if "split" in node]
    thresholds = [split["test"].get("at-most", 0) for split in splits]
    assert np.isfinite(thresholds).all() and (max(thresholds) > 1e300) == bool(missing)


def test_leaves_and_votes_that_tie_go_to_the_first_class():
    X = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0], "b": [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]})
    y = np.array([0, 1, 0, 0, 1, 1])
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=2).fit(X, y)
    # Two stumps of equal weight that disagree on some rows.
    model.estimator_weights_ = np.array([0.7, 0.7])
    assert 0.0 in model.decision_function(X)
    for desired_class in (0, 1):
        same(explained(model, X, y, desired_class, n_neighbors=2), model, X, desired_class)
