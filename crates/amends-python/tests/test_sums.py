"""Sums are rounded as the library rounds them, tree by tree, and so is the probability that decides."""

import json
import re
from fractions import Fraction

import families
import numpy as np
import pandas as pd
import pytest
import xgboost
from lightgbm import Booster as LightBooster
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_scores import explained, same

#: XGBoost's probability of 32 bits is one half up to this score.
CUT = 1.5 * 2.0**-24


def with_gaps(X):
    return X.mask(np.random.default_rng(1).random(X.shape) < 0.1)


MANY = {
    "1000 trees": lambda: xgboost.XGBClassifier(n_estimators=1000, max_depth=3, n_jobs=1),
    "dart": lambda: xgboost.XGBClassifier(n_estimators=60, max_depth=3, booster="dart", rate_drop=0.3, n_jobs=1),
    "forest": lambda: xgboost.XGBRFClassifier(n_estimators=200, max_depth=5, n_jobs=1),
    "forests": lambda: xgboost.XGBClassifier(n_estimators=60, num_parallel_tree=5, subsample=0.5, max_depth=3),
}


@pytest.mark.parametrize("which", MANY)
@pytest.mark.parametrize("desired_class", [0, 1])
def test_xgboost_to_the_last_bit(which, desired_class):
    X, y = families.numbers()
    X["a"] = with_gaps(X[["a"]])
    model = MANY[which]().fit(X, y)
    explainer = explained(model, X, y, desired_class)
    theirs = families.margin(model, X, desired_class)
    # The cut is the one thing between them.
    np.testing.assert_array_equal(explainer.score(X), theirs - np.nextafter(CUT, 1) if desired_class else theirs + CUT)
    same(explainer, model, X, desired_class)
    assert explainer.notes == []


@pytest.mark.parametrize("booster", ["gbtree", "dart"])
def test_boosters_predict_from_a_matrix(booster):
    X, y = families.numbers()
    settings = {"objective": "binary:logistic", "max_depth": 3, "base_score": 0.3, "nthread": 1}
    dropped = {"rate_drop": 0.3} if booster == "dart" else {}
    model = xgboost.train({**settings, **dropped, "booster": booster}, xgboost.DMatrix(X, y), 100)
    theirs = model.predict(xgboost.DMatrix(X), output_margin=True).astype(float)
    np.testing.assert_array_equal(explained(model, X, y).score(X), theirs - np.nextafter(CUT, 1))


def test_behind_a_pipeline_with_categories():
    X, y = families.mixed()
    last = xgboost.XGBClassifier(n_estimators=400, max_depth=3, n_jobs=1)
    pipeline = families.behind_encoders(last, StandardScaler())
    own = X.assign(housing=X["housing"].astype("category"))
    alone = xgboost.XGBClassifier(n_estimators=400, max_depth=3, n_jobs=1, enable_categorical=True)
    for model, frame in ((pipeline.fit(X, y), X), (alone.fit(own, y), own)):
        difference = np.abs(explained(model, frame, y).score(frame) - families.margin(model, frame))
        assert difference.max() < 1e-7


@pytest.mark.parametrize("base", [0.001, 0.21, 0.5, 0.731, 0.9995])
def test_base_scores(base):
    X, y = families.numbers(60)
    model = xgboost.XGBClassifier(n_estimators=2, max_depth=2, base_score=base, n_jobs=1).fit(X, y)
    difference = explained(model, X, y).score(X) - families.margin(model, X)
    np.testing.assert_allclose(difference, -CUT, rtol=1e-6)


def table():
    """One number, on both sides of a stump."""
    return pd.DataFrame({"a": np.arange(40.0)}), pd.Series([0, 1] * 20, name="ok")


@pytest.mark.parametrize("desired_class", [0, 1])
def test_scores_whose_probability_is_one_half_in_32_bits(desired_class):
    X, y = table()
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=1, base_score=0.5, n_jobs=1).fit(X, X["a"] > 20)
    saved = json.loads(bytes(model.get_booster().save_raw("json")))
    single = np.float32(CUT)
    turns = [np.float32(0), np.float32(1e-30), np.float32(2.0**-24), np.nextafter(single, np.float32(0)), single]
    decided = set()
    for value in [*turns, np.nextafter(single, np.float32(1)), np.float32(2.0**-23)]:
        tree = saved["learner"]["gradient_booster"]["model"]["trees"][0]
        leaves = [place for place, left in enumerate(tree["left_children"]) if left < 0]
        for place, leaf in zip(leaves, (-float(value), float(value))):
            tree["split_conditions"][place] = leaf
        model.load_model(bytearray(json.dumps(saved).encode()))
        explainer = explained(model, X, y, desired_class)
        decisions = model.predict(X) == 1
        assert ((explainer.score(X) >= 0) == (decisions == bool(desired_class))).all() and explainer.notes == []
        decided.add(bool(decisions.any()))
    assert decided == {False, True}


@pytest.mark.parametrize("desired_class", [0, 1])
def test_scores_whose_probability_is_one_half_in_64_bits(desired_class):
    import lightgbm

    X, y = table()
    settings = {"objective": "binary", "verbose": -1, "min_data_in_leaf": 5, "num_leaves": 2}
    text = lightgbm.train(settings, lightgbm.Dataset(X, (X["a"] > 20).astype(int)), 1).model_to_string()
    decided = set()
    for value in (0.0, 1e-300, 2.0**-53, 1.5 * 2.0**-53, float(np.nextafter(1.5 * 2.0**-53, 1)), 2.0**-52):
        model = LightBooster(model_str=re.sub("leaf_value=.*", f"leaf_value={-value!r} {value!r}", text))
        decisions = model.predict(X) > 0.5
        explainer = explained(model, X, y, desired_class)
        assert ((explainer.score(X) >= 0) == (decisions == bool(desired_class))).all() and explainer.notes == []
        decided.add(bool(decisions.any()))
    assert decided == {False, True}


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
@pytest.mark.parametrize("desired_class", [0, 1])
def test_half_of_the_votes(kind, desired_class):
    X, y = families.numbers()
    # Fully grown: every tree votes for one class.
    model = kind(20, random_state=0).fit(X, y)
    rows = pd.concat([X.sample(frac=1, random_state=seed).reset_index(drop=True) for seed in range(10)])
    rows = pd.DataFrame({name: rows[name].to_numpy()[np.random.default_rng(place).permutation(len(rows))]
                         for place, name in enumerate(rows)})
    ties = rows[model.predict_proba(rows)[:, 1] == 0.5]
    assert len(ties) > 20
    same(explained(model, X, y, desired_class), model, ties, desired_class)


@pytest.mark.parametrize(
    "model",
    [
        families.LGBMClassifier(n_estimators=1000, num_leaves=7, verbose=-1, n_jobs=1),
        HistGradientBoostingClassifier(max_iter=1000, max_leaf_nodes=7, early_stopping=False),
        RandomForestClassifier(1000, max_depth=4, random_state=0),
    ],
    ids=["lightgbm", "histogram", "forest"],
)
def test_sums_of_a_thousand_trees_in_64_bits(model):
    X, y = families.numbers()
    model.fit(X, y)
    explainer = explained(model, X, y)
    assert np.abs(explainer.score(X) - families.margin(model, X)).max() < 1e-11
    same(explainer, model, X)


def test_support_vector_weights_are_exact():
    X, y = families.numbers()
    model = families.LINEAR["svc"]().fit(X, y)
    weights = explained(model, X, y)._reader._support_weights()
    factors, vectors = model.dual_coef_[0], model.support_vectors_
    for place, weight in enumerate(weights):
        exact = sum(Fraction(float(a)) * Fraction(float(v)) for a, v in zip(factors, vectors[:, place]))
        assert weight == float(exact)
    # What the model itself says is farther from the exact sum than this is.
    row = X.to_numpy(float)[0]
    assert abs(row @ weights + model.intercept_[0] - families.margin(model, X)[0]) < 1e-4


def test_plans_within_rounding_are_the_models_own():
    X, y = families.numbers()
    model = make_pipeline(StandardScaler(), xgboost.XGBClassifier(n_estimators=150, max_depth=3, n_jobs=1)).fit(X, y)
    results = explained(model, X, y).explain(X[model.predict(X) == 0].head(5), time_limit=20)
    assert all(one.verified and one.remark is None for one in results if one.plans)


def test_log_odds_that_are_given_raw():
    X, y = families.numbers()
    model = xgboost.XGBClassifier(n_estimators=30, max_depth=2, objective="binary:logitraw", n_jobs=1).fit(X, y)
    margin = model.predict(X, output_margin=True).astype(float)
    # XGBClassifier compares them with one half, as if they were probabilities.
    assert ((margin > 0.5) != (margin > 0)).any()
    explainer = explained(model, X, y)
    np.testing.assert_allclose(explainer.score(X), margin - 0.5, atol=1e-12)
    assert ((explainer.score(X) >= 0) == (model.predict(X) == 1)).all() and explainer.notes == []
    # A bare booster leaves the decision to the reader: from even odds on.
    np.testing.assert_allclose(explained(model.get_booster(), X, y).score(X), margin, atol=1e-12)
