"""CatBoost: the same decisions on every row, on borders and next to them, with missing values, categories and statistics of them."""

import json

import families
import numpy as np
import pandas as pd
import pytest
import tables
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import amends

catboost = pytest.importorskip("catboost")

QUIET = {"verbose": 0, "allow_writing_files": False, "thread_count": 1, "random_seed": 1}


def model(**kwargs):
    return catboost.CatBoostClassifier(**{"iterations": 40, "depth": 4, **QUIET, **kwargs})


def explained(fitted, X, y, desired_class=1, **kwargs):
    return amends.Explainer(fitted, desired_class=desired_class, **kwargs).fit(X, y)


def raw(fitted, X):
    last = fitted[-1] if hasattr(fitted, "steps") else fitted
    rows = fitted[:-1].transform(X) if hasattr(fitted, "steps") else X
    return last.predict(rows, prediction_type="RawFormulaVal")


def same(explainer, fitted, X, desired_class=1):
    """Scores to the last bit but for the order of the sum, decisions all alike."""
    sign = 1 if fitted.classes_[1] == desired_class else -1
    scores = explainer.score(X)
    np.testing.assert_allclose(scores, sign * raw(fitted, X), rtol=1e-14, atol=1e-14)
    assert ((scores >= 0) == (np.ravel(fitted.predict(X)) == desired_class)).all()


def cats(X):
    return [name for name in X if not pd.api.types.is_numeric_dtype(X[name]) or X[name].dtype == bool]


GERMAN = {
    "one-hot": {"one_hot_max_size": 255},
    "statistics": {"max_ctr_complexity": 1},
    "counters": {"max_ctr_complexity": 1, "simple_ctr": ["Counter", "BinarizedTargetMeanValue", "Buckets"]},
    "combinations": {"max_ctr_complexity": 3, "iterations": 120, "depth": 6},
    "lossguide": {"one_hot_max_size": 255, "grow_policy": "Lossguide"},
    "depthwise": {"max_ctr_complexity": 1, "grow_policy": "Depthwise"},
}


@pytest.mark.parametrize("which", GERMAN)
@pytest.mark.parametrize("desired_class", ["good", "bad"])
def test_german(which, desired_class):
    german = amends.load_german()
    fitted = model(cat_features=cats(german.X), **GERMAN[which]).fit(german.X, german.y)
    explainer = explained(fitted, german.X, german.y, desired_class)
    same(explainer, fitted, german.X, desired_class)
    if desired_class == "good":
        rejected = german.X[np.ravel(fitted.predict(german.X)) == "bad"].head(3)
        answers = explainer.explain(rejected, time_limit=30)
        assert all(one.status == "optimal" and one.verified for one in answers)
        assert (np.ravel(fitted.predict(answers.applications())) == "good").all()


def edges(fitted, X, tmp_path):
    """Rows on borders, next to them, and where 32 bits turn over."""
    fitted.save_model(str(tmp_path / "edges.json"), format="json")
    info = json.loads((tmp_path / "edges.json").read_text())["features_info"]
    rows = []
    for feature in info["float_features"]:
        column = feature["flat_feature_index"]
        if X.dtypes.iloc[column] != float:
            continue
        for border in feature["borders"] or []:
            single = np.float32(border)
            half = (np.float64(single) + np.float64(np.nextafter(single, np.float32(np.inf)))) / 2
            for turn in (np.float64(single), half):
                for value in (np.nextafter(turn, -np.inf), turn, np.nextafter(turn, np.inf)):
                    row = X.iloc[len(rows) % len(X)].copy()
                    row.iloc[column] = value
                    rows.append(row)
    return pd.DataFrame(rows).astype(X.dtypes.to_dict())


@pytest.mark.parametrize("nan_mode", ["Min", "Max"])
def test_borders_and_missing_values(nan_mode, tmp_path):
    X, y = families.numbers()
    X["a"] = X["a"].mask(np.random.default_rng(1).random(len(X)) < 0.2)
    fitted = model(nan_mode=nan_mode).fit(X, y)
    explainer = explained(fitted, X, y)
    same(explainer, fitted, X)
    rows = edges(fitted, X, tmp_path)
    assert len(rows) > 100
    same(explainer, fitted, rows)


def test_missing_values_that_were_never_seen():
    X, y = families.numbers()
    fitted = model().fit(X, y)
    explainer = explained(fitted, X, y, may_be_missing=["a", "c"])
    same(explainer, fitted, X.assign(a=np.nan).head(50))


def test_categories_of_any_type():
    X, y = families.mixed()
    X["housing"] = X["housing"].astype("category")
    X["grade"] = X["grade"].astype(str)
    names = ["flag", "housing", "grade", "region"]
    fitted = model(cat_features=names, one_hot_max_size=3).fit(X, y)
    explainer = explained(fitted, X, y)
    same(explainer, fitted, X)
    assert [one.status for one in explainer.explain(X[np.ravel(fitted.predict(X)) == 0].head(2))] == ["optimal"] * 2


@pytest.mark.parametrize("kind", ["bool", "text", "int", "float"])
def test_classes(kind):
    X, y = families.numbers(200)
    other, wanted = {"bool": (False, True), "text": ("no", "yes"), "int": (2, 1), "float": (1.0, 2.0)}[kind]
    labels = pd.Series(np.where(y == 1, wanted, other), name="ok")
    fitted = model(iterations=10).fit(X, labels)
    same(explained(fitted, X, labels, wanted), fitted, X, wanted)


def test_arrays_and_pipelines():
    X, y = families.numbers()
    fitted = model().fit(X.to_numpy(), y)
    same(explained(fitted, X.to_numpy(), y.to_numpy()), fitted, X.to_numpy())
    piped = make_pipeline(StandardScaler(), model()).fit(X, y)
    same(explained(piped, X, y), piped, X)


def test_another_probability_threshold():
    X, y = families.numbers()
    fitted = model().fit(X, y)
    fitted.set_probability_threshold(0.8)
    scores = explained(fitted, X, y).score(X)
    np.testing.assert_allclose(scores, raw(fitted, X) - np.log(4), atol=1e-13)
    assert ((scores >= 0) == (np.ravel(fitted.predict(X)) == 1)).all()


@pytest.mark.parametrize("which", ["heloc-raw", "heloc-zeroed"])
def test_heloc(which):
    X, y = tables.ALL[which]()
    fitted = model(iterations=100, depth=6).fit(X, y)
    same(explained(fitted, X, y), fitted, X)


def test_the_cheapest_plan_is_that_of_every_application():
    X = pd.DataFrame([(a, b, c) for a in range(6) for b in range(6) for c in ("p", "q", "r")], columns=["a", "b", "c"])
    y = ((X["a"] + X["b"] > 5) ^ (X["c"] == "q")).astype(int).rename("ok")
    fitted = model(iterations=15, depth=3, cat_features=["c"], max_ctr_complexity=2).fit(X, y)
    explainer = explained(fitted, X, y, outlier_weight=0, change_cost=0)
    accepted = X[np.ravel(fitted.predict(X)) == 1]
    for row in X[np.ravel(fitted.predict(X)) == 0].index[:12]:
        answer = explainer.explain(X.loc[[row]])[0]
        # Every accepted application as the only one on offer costs at least as much.
        costs = []
        for _, target in accepted.iterrows():
            rules = [amends.col("a") == int(target["a"]), amends.col("b") == int(target["b"]), amends.col("c") == target["c"]]
            other = explainer.explain(X.loc[[row]], rules=rules)[0]
            assert other.status == "optimal"
            costs.append(other.objective)
        assert abs(answer.objective - min(costs)) < 1e-9


def test_what_can_not_be_read_says_what_can():
    X, y = families.numbers(100)
    with pytest.raises(TypeError, match="CatBoostRegressor can't be read, but CatBoostClassifier can"):
        amends.Explainer(catboost.CatBoostRegressor(iterations=2, **QUIET).fit(X, y))
    with pytest.raises(ValueError, match="3 classes; amends explains models of two"):
        amends.Explainer(model(iterations=2).fit(X, np.arange(100) % 3))
    with pytest.raises(ValueError, match="is not fitted"):
        amends.Explainer(model())
    blanks = X.assign(h=np.where(X["a"] > 0, " own", "rent"))
    fitted = model(iterations=2, cat_features=["h"]).fit(blanks, y)
    with pytest.raises(ValueError, match="begins or ends with a blank; strip the column"):
        explained(fitted, blanks, y)


def test_saved_models_decide_alike(tmp_path):
    german = amends.load_german()
    fitted = model(cat_features=cats(german.X), iterations=10).fit(german.X, german.y)
    explainer = explained(fitted, german.X, german.y, "good")
    explainer.save(tmp_path / "model.json")
    saved = json.loads((tmp_path / "model.json").read_text())
    assert (saved["library"], saved["link"]) == ("catboost", "log-odds")
