"""The principal reasons of a rejection: against the model itself, over every coalition of columns."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

import amends
from test_saved import served


def test_reasons_of_german_credit(shared):
    results = shared.explainer.explain(shared.rejected.head(3), reasons=True)
    for one, (_, row) in zip(results, shared.rejected.head(3).iterrows()):
        assert 1 <= len(one.reasons) <= 4
        assert [reason.contribution for reason in one.reasons] == sorted(reason.contribution for reason in one.reasons)
        for reason in one.reasons:
            assert reason.contribution < 0 < reason.share <= 1 and reason.standard_error is None
            assert reason.value == row[reason.feature] and type(reason.typical) is not dict
            assert reason.actionable == (reason.feature not in ("age", "personal_status_sex", "foreign_worker"))
            assert 0 <= reason.flips.moves <= reason.flips.of
            assert str(reason) in one.to_text() and reason.title in one._repr_html_()
        basis = one.reason_basis
        assert basis["group"] == "near-cut" and basis["method"] == {"kind": "exact"} and basis["mean_score"] > 0
        data = one.to_dict()
        assert data == json.loads(one.to_json()) and len(data["reasons"]) == len(one.reasons)
        assert data["reasons"][0]["flips"] == {"moves": one.reasons[0].flips.moves, "of": one.reasons[0].flips.of}
    assert results.summary()["reasons"][0] == "; ".join(reason.feature for reason in results[0].reasons)


def test_reasons_are_given_only_where_they_are_asked_for(shared):
    accepted = shared.german.X.drop(shared.rejected.index).head(1)
    assert shared.explainer.explain(shared.rejected.head(1)).reasons is None
    assert shared.explainer.explain(accepted, reasons=True).reasons is None
    one = shared.explainer.explain(shared.rejected.head(1), reasons=True, max_reasons=1, reason_group="all")
    assert len(one.reasons) == 1 and one.reason_basis["members"] == len(shared.german.X)
    assert "Principal reasons, compared with the 1000 applicants" in one.to_text()


def test_bad_settings_are_refused(shared):
    row = shared.rejected.head(1)
    with pytest.raises(ValueError, match="max_reasons must be a whole number of at least 1, not 0"):
        shared.explainer.explain(row, reasons=True, max_reasons=0)
    with pytest.raises(ValueError, match="reason_group: 'nobody' is unknown; give 'near-cut' or 'all' or 'accepted'"):
        shared.explainer.explain(row, reasons=True, reason_group="nobody")
    with pytest.raises(ValueError, match="has no members: the model accepts none of the 1000 training rows"):
        shared.explainer.explain(row, reasons=True, target_proba=0.9999999)


def _table():
    rng = np.random.default_rng(5)
    n = 300
    X = pd.DataFrame(
        {
            "income": rng.integers(10, 90, n).astype(float),
            "debt": rng.integers(0, 40, n),
            "home": pd.Categorical(rng.choice(["own", "rent", "free"], n)),
            "years": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 9, n)),
        }
    )
    chance = 0.08 * (X["income"] - 45) - 0.09 * (X["debt"] - 15) + (X["home"] == "own") + 0.2 * X["years"].fillna(0)
    return X, (rng.random(n) < 1 / (1 + np.exp(-chance))).astype(int)


def _shapley(score, x, rows):
    """Over every coalition of columns, with the model's own score of frames."""
    columns = list(rows.columns)

    def worth(coalition):
        mixed = rows.copy()
        for name in coalition:
            mixed[name] = pd.Series([x[name]] * len(rows), index=rows.index, dtype=rows[name].dtype)
        return float(np.mean(score(mixed)))

    values, count = {}, len(columns)
    for name in columns:
        others = [other for other in columns if other != name]
        values[name] = sum(
            math.factorial(size) * math.factorial(count - size - 1) / math.factorial(count) * (worth((*some, name)) - worth(some))
            for size in range(count)
            for some in itertools.combinations(others, size)
        )
    return values


@pytest.mark.parametrize("library", ["histogram", "xgboost", "lightgbm"])
def test_contributions_are_those_of_the_users_own_model(library):
    X, y = _table()
    if library == "histogram":
        model = HistGradientBoostingClassifier(max_iter=30, categorical_features="from_dtype").fit(X, y)
        score = model.decision_function
    elif library == "xgboost":
        xgboost = pytest.importorskip("xgboost")
        model = xgboost.XGBClassifier(n_estimators=30, max_depth=3, enable_categorical=True).fit(X, y)
        score = lambda frame: model.predict(frame, output_margin=True)  # noqa: E731
    else:
        lightgbm = pytest.importorskip("lightgbm")
        model = lightgbm.LGBMClassifier(n_estimators=30, num_leaves=7, verbose=-1).fit(X, y)
        score = lambda frame: model.predict(frame, raw_score=True)  # noqa: E731
    explainer = amends.Explainer(model).fit(X, y)
    scores = score(X)
    accepted = X[scores >= 0]
    group = accepted.iloc[np.argsort(scores[scores >= 0], kind="stable")[:50]]
    assert len(accepted) <= 500
    for _, x in X[scores < 0].head(4).iterrows():
        one = explainer.explain(x, reasons=True, why_none=False)[0]
        assert one.reason_basis["members"] == 50
        expected = _shapley(score, x, group)
        lowest = sorted((value, name) for name, value in expected.items() if value < 0)
        assert [reason.feature for reason in one.reasons] == [name for _, name in lowest][:4]
        for reason in one.reasons:
            # XGBoost's own scores are numbers of 32 bits.
            assert reason.contribution == pytest.approx(expected[reason.feature], abs=1e-5)


def test_the_program_gives_the_same_reasons(shared, tmp_path):
    german = shared.german
    explainer = amends.Explainer(shared.model, schema=german.schema).fit(german.X, german.y)
    rows = shared.rejected.head(3)
    ours = explainer.explain(rows, reasons=True)
    theirs = served(explainer, german, rows, tmp_path, "--format", "json", "--reasons").splitlines()
    for one, line in zip(ours, theirs):
        other = json.loads(line)
        assert [reason.text for reason in one.reasons] == [reason["text"] for reason in other["reasons"]]
        assert one.reason_basis == other["reason_basis"]


def test_linear_reasons_are_the_terms_of_the_model():
    X, y = _table()
    X = X[["income", "debt"]].astype(float)
    model = LogisticRegression().fit(X, y)
    explainer = amends.Explainer(model).fit(X, y)
    scores = model.decision_function(X)
    x = X[scores < 0].iloc[0]
    one = explainer.explain(x, reasons=True, reason_group="accepted")[0]
    terms = model.coef_[0] * (x - X[scores >= 0].mean())
    for reason in one.reasons:
        assert reason.contribution == pytest.approx(terms[reason.feature], abs=1e-9)
    assert len(one.reasons) == int((terms < 0).sum())
