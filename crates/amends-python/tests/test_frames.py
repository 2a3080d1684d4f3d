"""Tables of every kind go in, the same kind comes out, and what is not a table is refused with its row and column."""

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import amends


@pytest.fixture(scope="module")
def mixed():
    X, y = families.mixed()
    model = families.behind_encoders(LogisticRegression(max_iter=2000), StandardScaler()).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1, max_changes=3).fit(X, y)
    return explainer, model, X, y, X[model.predict(X) == 0].head(4)


def same_answers(ours, others):
    assert [one.status for one in ours] == [one.status for one in others]
    np.testing.assert_allclose(ours.summary()["objective"], others.summary()["objective"], rtol=2e-6)


def test_labels_of_any_kind_are_kept(mixed):
    explainer, model, X, y, rejected = mixed
    plain = explainer.explain(rejected)
    texts = rejected.set_axis(["w", "x", "y", "z"])
    pairs = rejected.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 2)], names=["who", "when"]))
    twice = rejected.set_axis([7, 7, 7, 8])
    for frame in (texts, pairs, twice):
        results = explainer.explain(frame, n_plans=2)
        assert [one.applicant for one in results] == frame.index.tolist()
        assert results.summary().index.equals(frame.index)
        assert results.applications().index.tolist() == [label for label in frame.index.tolist() for _ in range(2)]
        assert results.to_frame()["applicant"].drop_duplicates().tolist() == frame.index.drop_duplicates().tolist()
        assert results.to_json() and results.to_text()
        same_answers(plain, results)


def test_rows_may_come_one_at_a_time(mixed):
    explainer, model, X, y, rejected = mixed
    expected = explainer.explain(rejected.head(1))
    row = rejected.iloc[0]
    for one in (row, row.to_dict(), [row.to_dict()], {name: [value] for name, value in row.items()}, row.tolist(), [row.tolist()]):
        results = explainer.explain(one)
        same_answers(expected, results)
        plans = results.applications()
        assert plans.dtypes.equals(X.dtypes) and model.predict(plans).tolist() == [1]
    assert explainer.explain(row)[0].applicant == row.name


def test_columns_go_by_their_names(mixed):
    explainer, model, X, y, rejected = mixed
    shuffled = rejected[rejected.columns[::-1]].assign(id=["p", "q", "r", "s"])
    results = explainer.explain(shuffled)
    same_answers(explainer.explain(rejected), results)
    assert (model.predict(results.applications()) == 1).all()
    other = amends.Explainer(model, desired_class=1).fit(X[X.columns[::-1]].assign(id=range(len(X))), y)
    np.testing.assert_array_equal(other.score(X), explainer.score(X))


@pytest.mark.parametrize("rows", [0, 1])
def test_types_are_those_of_the_training_frame(rows):
    X, y = families.mixed()
    X["d"] = X["d"].astype("Int64")
    X["a"] = X["a"].astype("float32")
    X["housing"] = X["housing"].astype("category")
    model = families.behind_encoders(LogisticRegression(max_iter=2000), StandardScaler()).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    rejected = X[model.predict(X) == 0].head(5)
    plans = explainer.explain(rejected if rows else X[model.predict(X) == 1].head(1)).applications()
    # In 32 bits the number would not be the one that was proven.
    assert plans.dtypes.equals(X.astype({"a": "float64"}).dtypes)
    assert (model.predict(plans) == 1).all() if rows else plans.empty


def test_arrays_come_back_as_arrays():
    X, y = families.numbers()
    X = X.to_numpy()
    model = LogisticRegression(max_iter=5000).fit(X, y)
    explainer = amends.Explainer(model).fit(X, y.to_numpy(), feature_names=["a", "b", "c", "d", "e", "f"])
    rejected = X[model.predict(X) == 0][:3]
    results = explainer.explain(rejected)
    plans = results.applications()
    assert isinstance(plans, np.ndarray) and plans.shape == rejected.shape and (model.predict(plans) == 1).all()
    assert set(results.to_frame()["feature"]) <= set("abcdef")
    same_answers(explainer.explain(rejected[0]), results[:1])
    same_answers(explainer.explain(rejected.tolist()), results)
    accepted = explainer.explain(X[model.predict(X) == 1][:2]).applications()
    assert accepted.shape == (0, 6)
    with pytest.raises(ValueError, match="5 columns, but there are 6 features"):
        explainer.explain(rejected[:, :5])
    with pytest.raises(ValueError, match="3 dimensions"):
        explainer.score(rejected[None])


class TestPolars:
    pl = pytest.importorskip("polars")

    def polars(self, X):
        pl = self.pl
        grades = pl.Enum(["D", "C", "B", "A"])
        columns = {name: X[name].astype(str).tolist() if name == "grade" else X[name].tolist() for name in X.columns}
        return pl.DataFrame(columns, schema_overrides={"grade": grades, "region": pl.Int16, "housing": pl.Categorical})

    def test_polars_comes_back_as_polars(self, mixed):
        explainer, model, X, y, rejected = mixed
        frame = self.polars(X)
        other = amends.Explainer(model, desired_class=1, max_changes=3, kinds={"grade": ["D", "C", "B", "A"]}).fit(
            frame, self.pl.Series("ok", y.to_numpy())
        )
        np.testing.assert_array_equal(other.score(frame), explainer.score(X))
        asked = self.polars(rejected)
        results = other.explain(asked)
        same_answers(explainer.explain(rejected), results)
        plans = results.applications()
        assert isinstance(plans, self.pl.DataFrame) and plans.schema == asked.schema and len(plans) == len(rejected)
        assert isinstance(results.to_frame(), pd.DataFrame)
        assert isinstance(results[0].applications(), self.pl.DataFrame)
        np.testing.assert_allclose(other.score(plans), results.summary()["score_after"], atol=1e-9)

    def test_a_model_of_polars_frames(self):
        X, y = families.numbers()
        frame = self.pl.DataFrame({name: X[name].to_numpy() for name in X.columns})
        model = LogisticRegression(max_iter=5000).fit(frame, y)
        explainer = amends.Explainer(model).fit(frame, y)
        rejected = frame.filter(self.pl.Series(model.predict(frame) == 0)).head(3)
        assert (model.predict(explainer.explain(rejected).applications()) == 1).all()

    def test_what_is_not_collected_is_refused(self, mixed):
        explainer, _, X, y, _ = mixed
        with pytest.raises(ValueError, match="collect"):
            explainer.explain(self.polars(X).lazy())
        with pytest.raises(ValueError, match="column `t`: is of type Date"):
            explainer.explain(self.pl.DataFrame({"t": [__import__("datetime").date(2020, 1, 1)]}))


@pytest.mark.parametrize(
    "bad, message",
    [
        (None, "X is missing"),
        (3, "of type int"),
        ("age", "of type str"),
        ([], "no rows"),
        ([[1, 2], [3]], "row 2 of X has 1 cells, but row 1 has 2"),
        ([[1, 2], 3], r"rows and of cells \(row 2\)"),
        ({"a": 1, "b": [1, 2]}, "cells and lists"),
        ({"a": [1], "b": [1, 2]}, "one length"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"a": []}), "no rows"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "two columns `a`"),
        (pd.DataFrame([[1, 2]], columns=["1", 1]), "two columns `1`"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "several levels"),
        (pd.DataFrame([[1]], columns=["z"]), "column `a`: is not in X"),
    ],
)
def test_what_is_no_table_is_refused(bad, message, mixed):
    explainer, _, X, y, _ = mixed
    for ask in (explainer.explain, explainer.score):
        with pytest.raises(ValueError, match=message):
            ask(bad)


@pytest.mark.parametrize(
    "column, row, cell, message",
    [
        ("a", 2, np.inf, "row 3, column `a`: .*not a finite number"),
        ("d", 1, 3.5, "row 2, column `d`: .*not a whole number"),
        ("d", 1, 1e16, "row 2, column `d`: .*too large"),
        ("d", 0, "12", "row 1, column `d`: `12` is a text"),
        ("d", 0, "many", "row 1, column `d`: `many` is not a number"),
        ("housing", 3, "castle", "row 4, column `housing`: `castle` is not a level"),
        ("flag", 0, "perhaps", "row 1, column `flag`: `perhaps` is not a level"),
        ("region", 2, 11, "row 3, column `region`: `11` is not a level"),
    ],
)
def test_bad_cells_are_refused_with_their_place(column, row, cell, message, mixed):
    explainer, _, X, y, rejected = mixed
    bad = rejected.astype({column: object})
    bad.iloc[row, bad.columns.get_loc(column)] = cell
    with pytest.raises(ValueError, match=message):
        explainer.explain(bad)


def test_of_several_bad_cells_that_of_the_first_row_is_named(mixed):
    explainer, _, X, y, rejected = mixed
    bad = rejected.astype({"d": float, "housing": object})
    bad.iloc[2, bad.columns.get_loc("d")] = 3.5
    bad.iloc[1, bad.columns.get_loc("housing")] = "castle"
    with pytest.raises(ValueError, match="row 2, column `housing`"):
        explainer.explain(bad)


def test_scores_do_not_depend_on_how_columns_are_stored(mixed):
    explainer, _, X, y, _ = mixed
    expected = explainer.score(X)
    forms = [
        X.astype(object),
        X.astype({"d": "Int64", "a": "Float64", "flag": "boolean", "housing": "category"}),
        X.astype({"d": float, "region": "int8", "grade": object, "housing": "string"}),
        X.assign(flag=X["flag"].astype(object), region=X["region"].astype(float)),
        X.iloc[::-1].iloc[::-1],
    ]
    for form in forms:
        np.testing.assert_array_equal(explainer.score(form), expected)


@pytest.mark.parametrize(
    "cells, message",
    [
        (["a", 3, "b", "c"], "row 2, column `x`: `3` is a number, but row 1 has a text"),
        ([None, 1.5, "b", 2], "row 3, column `x`: `b` is a text, but row 2 has a number"),
        ([[1], [2], [3], [4]], "row 1, column `x`: is of type list"),
        (pd.to_datetime(["2020-01-01"] * 4), "column `x`: holds times"),
        ([1j, 2j, 3j, 4j], "column `x`: holds complex numbers"),
    ],
)
def test_columns_of_no_one_type_are_refused_in_fit(cells, message):
    model = LogisticRegression().fit(pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [1, 2, 3, 5]}), [0, 0, 1, 1])
    with pytest.raises(ValueError, match=message):
        amends.Explainer(model).fit(pd.DataFrame({"x": cells, "z": [1, 2, 3, 5]}), [0, 0, 1, 1])


@pytest.mark.parametrize(
    "y, message",
    [
        ([0, 1], "400 rows, but y has 2 outcomes"),
        ("ok", "y is of type str"),
        (np.zeros((400, 2)), "y has 2 dimensions"),
        ([None] * 400, "row 1 of y: the outcome is missing"),
        (pd.DataFrame({"a": [0] * 400, "b": [1] * 400}), "y has 2 columns"),
        ([0] * 400, "is the outcome of every row"),
        ([2] * 400, "row 1, column `outcome`"),
        (None, "y is missing"),
    ],
)
def test_outcomes_that_do_not_fit_are_refused(y, message, mixed):
    _, model, X, _, _ = mixed
    with pytest.raises(ValueError, match=message):
        amends.Explainer(model, desired_class=1).fit(X, y)


def test_outcomes_in_a_column_of_the_frame(mixed):
    explainer, model, X, y, rejected = mixed
    frame = X.assign(ok=y)
    other = amends.Explainer(model, desired_class=1, max_changes=3, target="ok").fit(frame)
    same_answers(explainer.explain(rejected), other.explain(frame.loc[rejected.index]))
    for form in (y.tolist(), y.to_numpy()[:, None], y.to_frame(), y.astype(bool).astype(int)):
        np.testing.assert_array_equal(amends.Explainer(model).fit(X, form).score(rejected), explainer.score(rejected))


def test_single_rows_are_no_training_table(mixed):
    _, model, X, y, _ = mixed
    for row in (X.iloc[0], X.iloc[0].to_dict(), X.iloc[0].tolist()):
        with pytest.raises(ValueError, match="DataFrame"):
            amends.Explainer(model).fit(row, [1])


def test_columns_that_never_vary_are_kept_as_they_are():
    X, y = families.mixed()
    X = X.assign(always=7, share=0.5, country="here", rare=[1, 1, *[0] * (len(X) - 2)])
    encoded = ColumnTransformer([("t", OneHotEncoder(), ["housing", "country"])], remainder="passthrough")
    model = make_pipeline(encoded, RandomForestClassifier(20, max_depth=5, random_state=0))
    model.fit(X.drop(columns="grade"), y)
    known = X.drop(columns="grade").iloc[2:]
    explainer = amends.Explainer(model, desired_class=1).fit(known, y.iloc[2:])
    plans = explainer.explain(known[model.predict(known) == 0].head(3)).applications()
    assert len(plans) and (model.predict(plans) == 1).all()
    for name in ("always", "share", "country", "rare"):
        assert (plans[name] == known.loc[plans.index, name]).all()
