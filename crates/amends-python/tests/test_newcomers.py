"""What somebody meets who comes with a table and habits of their own."""

import os
import pickle
import signal
import threading
import time

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Perceptron, RidgeClassifierCV
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from xgboost import XGBClassifier

import amends


def logistic(X, y, **kwargs):
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    return amends.Explainer(model, **kwargs).fit(X, y), model


def grades(rows=300):
    """An ordered column, one with rare levels and missing cells, and a number."""
    draw = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "grade": pd.Categorical(draw.choice(["A", "B", "C", "D"], rows), categories=["A", "B", "C", "D"], ordered=True),
            "region": draw.choice(["north", "south", "east", "west", "isle", None], rows, p=[0.3, 0.3, 0.2, 0.1, 0.05, 0.05]),
            "score": draw.normal(size=rows),
        }
    )
    X["region"] = X["region"].astype(object)
    worth = X["grade"].map({"A": 1.0, "B": 0.9, "C": -1.2, "D": -0.8}).astype(float) + X["score"]
    return X, (worth + draw.normal(scale=0.3, size=rows) > 0).astype(int)


@pytest.mark.parametrize("outcomes", [bool, float, "boolean", "Int64"])
def test_outcomes_are_the_classes_that_they_equal(outcomes):
    X, y = families.numbers()
    explainer, model = logistic(X, y)
    again = amends.Explainer(model, desired_class=True).fit(X, y.astype(outcomes))
    assert (again.score(X) == explainer.score(X)).all()
    # A model of such outcomes may have other classes than they are: scikit-learn makes numbers of pandas' `boolean`.
    logistic(X, y.astype(outcomes), desired_class=True)


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"kinds": {"zz": "integer"}}, "kinds: `zz` is not a column of the model; it has `a`"),
        ({"kinds": {"A ": "integer"}}, "kinds: `A ` is not a column of the model; did you mean `a`"),
        ({"immutable": ["B"]}, "immutable: `B` is not a column of the model; did you mean `b`"),
        ({"permitted_range": {"a": (3, 1)}}, r"permitted_range\[`a`\]: \(3, 1\) runs from high to low"),
        ({"permitted_range": {"a": (np.nan, 1)}}, r"permitted_range\[`a`\]: .* holds no number"),
        ({"features_to_vary": []}, "features_to_vary: leave no column"),
        ({"outlier_weight": -1}, "outlier_weight: -1 is negative or not a number"),
        ({"n_neighbors": 9999}, "n_neighbors: `9999` neighbours .* lower it to at most"),
    ],
)
def test_settings_are_refused_in_their_own_names(kwargs, message):
    X, y = families.numbers()
    with pytest.raises(ValueError, match=message):
        logistic(X, y, **kwargs)


def test_a_range_may_be_open_at_one_end():
    X, y = families.numbers()
    explainer, model = logistic(X, y, permitted_range={"a": (None, 0.5)})
    answers = explainer.explain(X[model.predict(X) == 0].head(5))
    assert all(one.after <= 0.5 for row in answers for one in row.changes if one.feature == "a")


def test_misspelt_columns_are_recognised():
    X, y = families.numbers()
    explainer, model = logistic(X, y)
    with pytest.raises(ValueError, match="column `a`: is not in X, but `A` is"):
        explainer.explain(X.rename(columns={"a": "A"}).head(1))
    with pytest.raises(ValueError, match="target: `okk` is not a column of X; did you mean `ok`"):
        amends.Explainer(model, target="okk").fit(X.assign(ok=y))


def test_models_of_several_outcomes_and_searches_without_a_fit_are_refused():
    X, y = families.numbers()
    with pytest.raises(ValueError, match="decides 2 things at once"):
        amends.Explainer(DecisionTreeClassifier().fit(X, np.c_[y, 1 - y]))
    with pytest.raises(ValueError, match="GridSearchCV is not fitted; fit it"):
        amends.Explainer(GridSearchCV(LogisticRegression(), {"C": [1.0]}))


@pytest.mark.parametrize("last", [LogisticRegressionCV(Cs=3), RidgeClassifierCV(), Perceptron()])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_linear_models_that_choose_their_settings(last):
    X, y = families.numbers()
    model = make_pipeline(StandardScaler(), last).fit(X, y)
    explainer = amends.Explainer(model).fit(X, y)
    np.testing.assert_allclose(explainer.score(X), model.decision_function(X), rtol=1e-9, atol=1e-9)
    answers = explainer.explain(X[model.predict(X) == 0].head(2))
    assert model.predict(answers.applications()).all()


def test_an_ordered_column_may_be_encoded_level_by_level():
    X, y = grades()
    columns = make_column_transformer((OneHotEncoder(), ["grade"]), remainder="drop")
    model = make_pipeline(columns, LogisticRegression()).fit(X, y)
    explainer = amends.Explainer(model).fit(X, y)
    assert "`grade`: is ordered, but" in explainer.notes[0]
    np.testing.assert_allclose(explainer.score(X), model.decision_function(X), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=r"kinds\[`grade`\]: has an order, but .* use categorical"):
        amends.Explainer(model, kinds={"grade": "ordinal"}).fit(X, y)
    # Trees, and ranks before a linear model, keep the order.
    ranked = make_column_transformer((OrdinalEncoder(categories=[["A", "B", "C", "D"]]), ["grade"]), remainder="drop")
    for before, last in ((columns, DecisionTreeClassifier(max_depth=3)), (ranked, LogisticRegression())):
        explainer = amends.Explainer(make_pipeline(before, last).fit(X, y), rules=amends.col("grade").only_falls()).fit(X, y)
        assert explainer.notes == []


@pytest.mark.parametrize(
    "encoder",
    [
        OneHotEncoder(min_frequency=0.15),
        OneHotEncoder(max_categories=2, drop="first"),
        OneHotEncoder(max_categories=2, drop="if_binary", handle_unknown="infrequent_if_exist"),
        OneHotEncoder(min_frequency=40, handle_unknown="ignore"),
        OrdinalEncoder(min_frequency=0.15, encoded_missing_value=-2),
        OrdinalEncoder(max_categories=3, handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=9),
    ],
)
@pytest.mark.parametrize("last", [LogisticRegression(), DecisionTreeClassifier(max_depth=6)])
def test_rare_levels_share_a_column(encoder, last):
    X, y = grades()
    columns = make_column_transformer((encoder, ["region"]), remainder="drop")
    # A level that the encoder has not seen, where it takes those.
    seen = X["region"] != "isle" if encoder.handle_unknown != "error" else slice(None)
    model = make_pipeline(columns, last).fit(X[seen], y[seen])
    explainer = amends.Explainer(model).fit(X, y)
    own = model.decision_function(X) if hasattr(model, "decision_function") else model.predict_proba(X)[:, 1] - 0.5
    np.testing.assert_allclose(explainer.score(X), own, rtol=0, atol=1e-11)


@pytest.mark.parametrize("last", [DecisionTreeClassifier(max_depth=5), LogisticRegression(), XGBClassifier(n_estimators=8)])
def test_scores_between_the_numbers_that_applications_have(last):
    draw = np.random.default_rng(1)
    X = pd.DataFrame({"years": draw.integers(0, 40, 300), "flag": draw.integers(0, 2, 300), "x": draw.normal(size=300)})
    y = (X["years"] + 20 * X["flag"] + 8 * X["x"] > 30).astype(int)
    model = last.fit(X, y)
    explainer = amends.Explainer(model).fit(X, y)
    rows = X.astype(float)
    rows["years"] = np.round(rows["years"] * 0.93 * 4) / 4
    rows["flag"] = draw.choice([0.0, 0.25, 0.5, np.nextafter(0.5, 1), 1.0], 300)
    assert ((explainer.score(rows) >= 0) == model.predict(rows)).all()
    if hasattr(model, "decision_function"):
        np.testing.assert_allclose(explainer.score(rows), model.decision_function(rows), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match="row 1, column `years`: .*not a whole number; .*as continuous in the schema \\(or `kinds`\\)"):
        explainer.explain(rows.assign(years=2.5))
    # An encoder has nothing for what lies between its levels.
    encoded = make_pipeline(make_column_transformer((OneHotEncoder(), ["flag"]), remainder="passthrough"), LogisticRegression())
    with pytest.raises(ValueError, match="row ., column `flag`: .*is not a level"):
        amends.Explainer(encoded.fit(X, y)).fit(X, y).score(rows.astype({"years": int}))


def test_a_fit_that_fails_leaves_nothing_half_done():
    X, y = families.numbers()
    explainer, _ = logistic(X, y)
    with pytest.raises(ValueError, match="row 1, column `outcome`"):
        explainer.fit(X, np.full(len(X), 7))
    with pytest.raises(ValueError, match="not fitted"):
        explainer.score(X)


def test_ctrl_c_in_fit_leaves_an_explainer_that_is_not_fitted():
    draw = np.random.default_rng(0)
    X = pd.DataFrame(draw.normal(size=(9000, 6)), columns=list("abcdef"))
    y = (X.sum(axis=1) > 0).astype(int)
    explainer = amends.Explainer(LogisticRegression().fit(X, y))
    # Processes in the background are started with Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            explainer.fit(X, y)
            time.sleep(60)  # For a machine that is quicker than the signal.
    finally:
        signal.signal(signal.SIGINT, before)
    assert "not fitted" in repr(explainer)


def test_numbers_that_came_as_objects_go_back_as_objects():
    draw = np.random.default_rng(4)
    X = pd.DataFrame({"income": draw.normal(size=200), "branch": pd.Series(draw.integers(0, 4, 200).tolist(), dtype=object)})
    y = (X["income"] + (X["branch"] == 2) > 0.3).astype(int)
    encoder = make_column_transformer((OneHotEncoder(), ["branch"]), remainder="passthrough")
    model = make_pipeline(encoder, LogisticRegression()).fit(X, y)
    explainer = pickle.loads(pickle.dumps(amends.Explainer(model).fit(X, y)))
    np.testing.assert_allclose(explainer.score(X), model.decision_function(X), atol=1e-12)
    answers = explainer.explain(X[model.predict(X) == 0].head(5))
    # scikit-learn's encoder breaks down on whole numbers where it has seen objects.
    assert (model.predict(answers.applications()) == 1).all()
    # XGBoost takes no objects, but rows may come as such.
    X["branch"] = X["branch"].astype(int)
    boosted = XGBClassifier(n_estimators=10).fit(X, y)
    explainer = amends.Explainer(boosted).fit(X.astype(object), y)
    np.testing.assert_allclose(explainer.score(X), boosted.predict(X, output_margin=True), atol=1e-6)


def test_the_answer_to_one_row_is_asked_directly():
    X, y = families.numbers()
    explainer, model = logistic(X, y)
    rejected = X[model.predict(X) == 0]
    answers = explainer.explain(rejected.iloc[0])
    for name in ("status", "objective", "bound", "gap", "changes", "plans", "verified", "why_none", "remark", "score_before"):
        assert getattr(answers, name) == getattr(answers[0], name)
    with pytest.raises(AttributeError, match=r"`status` is one applicant's, and there are 2: take answers\[0\].status"):
        explainer.explain(rejected.head(2)).status


@pytest.mark.parametrize("booster", ["gbtree", "dart"])
def test_early_stopping_keeps_the_categories_of_xgboost(booster):
    X, y = grades()
    X["zone"] = pd.Categorical(np.random.default_rng(2).choice([10, 20, 30], len(X)))
    X = X.drop(columns="region")
    y = (y + (X["zone"] == 20).astype(int) > 1).astype(int)
    model = XGBClassifier(n_estimators=100, learning_rate=0.6, early_stopping_rounds=2, enable_categorical=True, booster=booster)
    model.fit(X, y, eval_set=[(X[::3], y[::3])], verbose=False)
    assert model.best_iteration < model.get_booster().num_boosted_rounds() - 1
    explainer = amends.Explainer(model).fit(X, y)
    np.testing.assert_allclose(explainer.score(X), model.predict(X, output_margin=True), rtol=1e-5, atol=1e-5)


def test_nobody_to_explain_is_an_empty_answer():
    X, y = families.numbers()
    explainer, model = logistic(X, y)
    answers = explainer.explain(X.head(0))
    assert len(answers) == 0 and answers.to_text() == "" and answers.to_dict() == []
    some = explainer.explain(X[model.predict(X) == 0].head(1))
    assert answers.to_frame().columns.equals(some.to_frame().columns) and len(answers.to_frame()) == 0
    assert answers.summary().columns.equals(some.summary().columns) and len(answers.summary()) == 0
    assert answers.applications().dtypes.equals(some.applications().dtypes) and len(answers.applications()) == 0
    assert "0 applicants" in repr(answers) and "0 applicants" in answers._repr_html_()
    assert explainer.score(X.head(0)).shape == (0,)
    assert explainer.explain(X.head(0).to_numpy()).applications().shape == (0, X.shape[1])
    with pytest.raises(ValueError, match="X has no rows"):
        explainer.fit(X.head(0), y.head(0))


def test_scaling_in_32_bits_before_thresholds_is_refused():
    draw = np.random.default_rng(5)
    X = pd.DataFrame(draw.normal(size=(400, 4)).astype("float32"), columns=list("abcd"))
    y = (X["a"] + X["b"] * X["c"] > 0).astype(int)
    last = XGBClassifier(n_estimators=20)
    with pytest.raises(ValueError, match=r"row \d+, column `a`: numbers of 32 bits .*X.astype\('float64'\)"):
        amends.Explainer(make_pipeline(StandardScaler(), last).fit(X, y)).fit(X, y)
    # Without a scaler, and before a model without thresholds, 32 bits do.
    for model in (last, make_pipeline(StandardScaler(), LogisticRegression())):
        explainer = amends.Explainer(model.fit(X, y)).fit(X, y)
        assert ((explainer.score(X) >= 0) == model.predict(X)).all()


def test_levels_that_differ_in_blanks_only_are_refused():
    X, y = families.numbers()
    X = X.assign(blank=np.where(X["a"] > 0, "a ", " a"))
    model = make_pipeline(make_column_transformer((OneHotEncoder(), ["blank"]), remainder="passthrough"), LogisticRegression())
    with pytest.raises(ValueError, match="feature `blank`, levels: `a` is listed twice"):
        amends.Explainer(model.fit(X, y)).fit(X, y)
