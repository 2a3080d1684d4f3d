"""Explainable boosting machines: the same scores on every row, also on cuts, missing and unknown values, with pairs."""

import warnings

import families
import numpy as np
import pandas as pd
import pytest
import tables
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_scorecards import alike, on_breaks, planned
from test_scores import explained

import amends

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    glassbox = pytest.importorskip("interpret.glassbox")

FAST = {"n_jobs": 1, "outer_bags": 2, "max_rounds": 80, "random_state": 0}


def model(**kwargs):
    return glassbox.ExplainableBoostingClassifier(**{"interactions": 5, **FAST, **kwargs})


@pytest.mark.parametrize("interactions", [0, 5])
@pytest.mark.parametrize("desired_class", ["good", "bad"])
def test_german(interactions, desired_class):
    german = amends.load_german()
    fitted = model(interactions=interactions).fit(german.X, german.y)
    explainer = explained(fitted, german.X, german.y, desired_class)
    sign = 1 if fitted.classes_[1] == desired_class else -1
    alike(explainer, fitted, german.X, sign * fitted.decision_function(german.X), desired_class)
    if desired_class == "good":
        planned(explainer, fitted, german.X, "good")


def test_cuts_missing_values_and_categories():
    X, y = families.mixed()
    X["a"] = X["a"].mask(np.random.default_rng(1).random(len(X)) < 0.2)
    X["region"] = X["region"].astype(str)
    fitted = model(interactions=[("a", "b"), ("a", "housing"), ("grade", "c"), ("region", "housing"), ("flag", "d")]).fit(X, y)
    explainer = explained(fitted, X, y)
    alike(explainer, fitted, X, fitted.decision_function(X))
    cuts = {name: np.concatenate(bins) for name, bins in zip(X, fitted.bins_) if not isinstance(bins[0], dict)}
    rows = on_breaks(X, ["a", "b", "c"], lambda name: cuts[name][::4]).astype(X.dtypes.to_dict())
    alike(explainer, fitted, rows, fitted.decision_function(rows))
    planned(explainer, fitted, X)


def test_three_features_in_a_term():
    X, y = families.numbers(200)
    fitted = model(interactions=[("a", "b", "c")], max_interaction_bins=5).fit(X, y)
    alike(explained(fitted, X, y), fitted, X, fitted.decision_function(X))


def test_levels_that_it_has_never_seen():
    X, y = families.mixed()
    seen = X["housing"] != "rent"
    fitted = model().fit(X[seen], y[seen])
    alike(explained(fitted, X, y), fitted, X, fitted.decision_function(X))


def test_arrays_and_pipelines():
    X, y = families.numbers()
    fitted = model().fit(X.to_numpy(), y)
    alike(explained(fitted, X.to_numpy(), y.to_numpy()), fitted, X.to_numpy(), fitted.decision_function(X.to_numpy()))
    piped = make_pipeline(StandardScaler(), model(interactions=2)).fit(X, y)
    alike(explained(piped, X, y), piped, X, piped.decision_function(X))


def test_heloc():
    X, y = tables.heloc_raw()
    fitted = model(max_rounds=40).fit(X, y)
    alike(explained(fitted, X, y), fitted, X, fitted.decision_function(X))


def test_the_cheapest_plan_is_that_of_every_application():
    X = pd.DataFrame([(a, b, c) for a in range(7) for b in range(7) for c in ("p", "q")], columns=["a", "b", "c"])
    y = ((X["a"] > 2) ^ (X["b"] > 3) ^ (X["c"] == "q")).astype(int).rename("ok")
    fitted = model(interactions=[("a", "b"), ("b", "c")], min_samples_leaf=1).fit(X, y)
    explainer = explained(fitted, X, y, outlier_weight=0, change_cost=0)
    accepted = X[fitted.predict(X) == 1]
    for row in X[fitted.predict(X) == 0].index[::9]:
        answer = explainer.explain(X.loc[[row]])[0]
        costs = []
        for _, target in accepted.iterrows():
            rules = [amends.col(name) == (target[name] if name == "c" else int(target[name])) for name in X]
            costs.append(explainer.explain(X.loc[[row]], rules=rules)[0].objective)
        assert abs(answer.objective - min(costs)) < 1e-9


def test_more_classes_and_models_that_are_not_fitted():
    X, y = families.numbers(120)
    with pytest.raises(ValueError, match="3 classes; amends explains models of two"):
        amends.Explainer(model(interactions=0).fit(X, np.arange(120) % 3))
    with pytest.raises(ValueError, match="is not fitted"):
        amends.Explainer(model())
