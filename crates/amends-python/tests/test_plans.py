"""Plans are accepted by the user's own model object, keep to the rules, and come back in the frame's own types."""

import json

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.preprocessing import StandardScaler

import amends


@pytest.mark.parametrize("family", families.ALL)
def test_every_plan_is_accepted_by_the_model_itself(family):
    X, y = families.mixed()
    model = families.behind_encoders(families.ALL[family](), StandardScaler()).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1, immutable=["a"], max_changes=3).fit(X, y)
    rejected = X[model.predict(X) == 0].head(12)
    results = explainer.explain(rejected, time_limit=20)
    assert len(results) == len(rejected)
    plans = results.applications()
    assert len(plans) > 0
    assert (model.predict(plans) == 1).all()
    assert (plans["a"] == X.loc[plans.index, "a"]).all()
    assert plans.dtypes.equals(X.dtypes)
    changed = (plans.astype(str) != X.loc[plans.index].astype(str)).sum(axis=1)
    assert changed.between(1, 3).all()
    for one in results:
        assert one.status in ("optimal", "infeasible"), one
        assert one.verified in (True, None)
        assert (one.status == "optimal") == bool(one.plans)


@pytest.mark.parametrize("family", ["logistic", "forest", "lightgbm"])
def test_german_with_its_schema(family):
    german = amends.load_german("free")
    model = families.german_pipeline(families.ALL[family]()).fit(german.X, german.y)
    explainer = amends.Explainer(model, schema=german.schema, rules=["housing stays"]).fit(german.X, german.y)
    rejected = german.X[model.predict(german.X) == "bad"].head(6)
    results = explainer.explain(rejected, n_plans=2, time_limit=20)
    plans = results.applications()
    assert (model.predict(plans) == "good").all()
    for name in ("housing", "age", "foreign_worker"):
        assert (plans[name] == german.X.loc[plans.index, name]).all()
    assert "months" in results.to_text() or "DM" in results.to_text()


@pytest.fixture(scope="module")
def small():
    X, y = families.mixed()
    model = families.behind_encoders(families.LINEAR["logistic"](), StandardScaler()).fit(X, y)
    return model, X, y


def test_ranges_rules_and_features_to_vary_are_kept(small):
    model, X, y = small
    ranges = {"d": (19000, 21000), "housing": ["own", "rent"]}
    explainer = amends.Explainer(model, desired_class=1, permitted_range=ranges, features_to_vary=["d", "housing", "grade"])
    explainer.fit(X, y)
    rejected = X[model.predict(X) == 0].head(15)
    plans = explainer.explain(rejected, rules="grade does not fall").applications()
    before = X.loc[plans.index]
    assert len(plans)
    moved = plans["d"] != before["d"]
    assert plans["d"][moved].between(19000, 21000).all()
    assert (plans["housing"][plans["housing"] != before["housing"]] != "for free").all()
    assert (plans["grade"].cat.codes >= before["grade"].cat.codes).all()
    for name in set(X.columns) - {"d", "housing", "grade"}:
        assert (plans[name] == before[name]).all()


def test_no_plan_is_a_result_with_a_reason(small):
    model, X, y = small
    explainer = amends.Explainer(model, desired_class=1, features_to_vary=["flag"]).fit(X, y)
    worst = X.iloc[[int(np.argmin(explainer.score(X)))]]
    one = explainer.explain(worst)[0]
    assert (one.status, one.changes, one.plans) == ("infeasible", [], [])
    assert one.why_none and one.applications().empty
    assert "no plan exists" in one.to_text()
    best = X.iloc[[int(np.argmax(explainer.score(X)))]]
    assert explainer.explain(best)[0].status == "already-accepted"


def test_a_target_probability_is_reached_in_the_model_s_own_eyes(small):
    model, X, y = small
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    plans = explainer.explain(X[model.predict(X) == 0].head(5), target_proba=0.8).applications()
    assert len(plans) and (model.predict_proba(plans)[:, 1] >= 0.8).all()


def test_answers_in_every_form(small):
    model, X, y = small
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    row = X[model.predict(X) == 0].head(1)
    results = explainer.explain(row, n_plans=3)
    one = results[0]
    assert len(one.plans) == 3 and one.objective <= one.plans[1].objective <= one.plans[2].objective
    assert one.bound <= one.objective + 1e-9
    data = json.loads(one.to_json())
    assert data["status"] == "optimal" and len(data["plans"]) == 3
    assert data["changes"][0]["feature"] == one.changes[0].feature
    assert one.to_text().count("approved with") == 3
    assert one._repr_html_().count("<table") == 3
    assert list(results.summary().index) == list(row.index)
    assert results.summary()["verified"].all()


def test_jobs_do_not_change_answers(small):
    model, X, y = small
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    rows = X[model.predict(X) == 0].head(6)
    pd.testing.assert_frame_equal(explainer.explain(rows, n_jobs=1).applications(), explainer.explain(rows, n_jobs=2).applications())


def test_plans_that_rounding_would_refuse_get_something_to_spare(small):
    model, X, y = small
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    rejected = X[model.predict(X) == 0].head(8)
    close = explainer.explain(rejected).summary()["score_after"] < 5e-3
    assert close.any() and not close.all()
    # A model whose cut lies a little above the one that was read, as if by rounding.
    explainer._reader.predict = lambda frame: model.decision_function(frame) >= 5e-3
    again = explainer.explain(rejected)
    assert again.summary()["verified"].all()
    assert [one.remark is not None for one in again] == close.tolist()
    explainer._reader.predict = lambda frame: np.zeros(len(frame), dtype=bool)
    refused = explainer.explain(rejected.head(1))[0]
    assert refused.verified is False and "refuses" in refused.to_text()
