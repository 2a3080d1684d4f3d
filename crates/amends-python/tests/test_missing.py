"""Missing values: what models make of them is what is explained, and plans leave them as they are."""

import math

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler
from test_scores import explained, same

import amends

#: Families that take missing values themselves.
OWN = ("tree", "forest", "grown-forest", "extra-trees", "histogram", "xgboost", "lightgbm")


def family_of(name):
    """A model to fit; one thread is quickest for so few rows."""
    model = families.ALL[name]()
    return model.set_params(n_jobs=1) if name in ("xgboost", "lightgbm") else model


def numbers_with_holes(share=0.15, columns=("a", "c", "d", "e")):
    X, y = families.numbers()
    draw = np.random.default_rng(7)
    for name in columns:
        # Where it is missing tells something, too.
        X[name] = X[name].astype(float).mask(draw.random(len(X)) < share * (0.5 + y))
    return X, y


def mixed_with_holes(share=0.15):
    """Missing cells of every type of column."""
    X, y = families.mixed()
    draw = np.random.default_rng(9)
    X["d"] = X["d"].astype("Int64")
    X["e"] = X["e"].astype("Float64")
    X["flag"] = X["flag"].astype("boolean")
    X["housing"] = X["housing"].astype(object)
    X["region"] = X["region"].astype(float)
    for name in ("a", "d", "e", "flag", "housing", "grade", "region"):
        holes = draw.random(len(X)) < share * (0.5 + y)
        X.loc[holes, name] = None if name in ("d", "e", "flag") else np.nan
    return X, y


def imputing(model, scaler=None, **imputer):
    """A pipeline for `mixed_with_holes` that fills in or encodes whatever is missing."""
    scaler = scaler or StandardScaler()
    columns = ColumnTransformer(
        [
            ("num", make_pipeline(SimpleImputer(**imputer), scaler), ["a", "b", "c", "d", "e", "f"]),
            ("text", make_pipeline(SimpleImputer(strategy="constant", fill_value="?"), OneHotEncoder()), ["housing"]),
            ("code", OneHotEncoder(handle_unknown="ignore"), ["region"]),
            ("flag", SimpleImputer(strategy="most_frequent", add_indicator=True), ["flag"]),
            ("grade", OrdinalEncoder(categories=[["D", "C", "B", "A", np.nan]], encoded_missing_value=-2), ["grade"]),
        ],
        sparse_threshold=0,
    )
    return make_pipeline(columns, model)


@pytest.mark.parametrize("family", OWN)
@pytest.mark.parametrize("share", [0.01, 0.15, 0.5])
def test_models_that_take_missing_values(family, share):
    X, y = numbers_with_holes(share)
    model = family_of(family).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", OWN)
@pytest.mark.parametrize("scaler", [StandardScaler, MinMaxScaler, RobustScaler])
def test_scalers_pass_missing_values_on(family, scaler):
    X, y = numbers_with_holes()
    model = make_pipeline(scaler(), family_of(family)).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", OWN)
def test_missing_in_columns_that_were_never_missing(family):
    """Every library has a rule of its own for those."""
    X, y = numbers_with_holes(columns=("a",))
    model = family_of(family).fit(X, y)
    explainer = explained(model, X, y, may_be_missing=["b", "f"])
    rows = X.copy()
    draw = np.random.default_rng(1)
    for name in ("b", "f"):
        rows[name] = rows[name].mask(draw.random(len(rows)) < 0.5)
    same(explainer, model, rows)
    with pytest.raises(ValueError, match="row 3, column `b`: is missing; no row of fit lacks it.*may_be_missing"):
        explained(model, X, y).explain(X.head(5).assign(b=[1.0, 2.0, math.nan, 1.0, math.nan]))


@pytest.mark.parametrize("family", families.ALL)
def test_behind_imputers_and_encoders(family):
    X, y = mixed_with_holes()
    model = imputing(family_of(family)).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "forest", "xgboost"])
@pytest.mark.parametrize(
    "imputer",
    [
        {"strategy": "mean"},
        {"strategy": "median", "add_indicator": True},
        {"strategy": "most_frequent"},
        {"strategy": "constant", "fill_value": -3.5, "add_indicator": True},
        {"missing_values": pd.NA, "strategy": "median"},
    ],
    ids=str,
)
def test_every_strategy(family, imputer):
    X, y = mixed_with_holes()
    model = imputing(family_of(family), MinMaxScaler(), **imputer).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "svc", "boosting", "lightgbm"])
def test_imputers_after_scalers(family):
    X, y = numbers_with_holes()
    model = make_pipeline(StandardScaler(), SimpleImputer(strategy="median", add_indicator=True), family_of(family))
    same(explained(model.fit(X, y), X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "forest"])
@pytest.mark.parametrize("nothing", [None, math.nan])
def test_encoders_tell_none_from_nan(family, nothing):
    X, y = families.mixed()
    X = X[["a", "b", "c", "housing"]].astype({"housing": object})
    X.loc[X.index % 7 == 0, "housing"] = nothing
    encoders = [OrdinalEncoder(encoded_missing_value=-4), OneHotEncoder(sparse_output=False)]
    columns = ColumnTransformer(
        [("rank", encoders[0], ["housing"]), ("one", encoders[1], ["housing"])], remainder="passthrough", sparse_threshold=0
    )
    model = make_pipeline(columns, family_of(family)).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    plans = explainer.explain(X[model.predict(X) == 0].iloc[::10]).applications()
    assert len(plans) and (model.predict(plans) == 1).all()
    before = X.loc[plans.index, "housing"]
    assert [one is nothing for one in plans["housing"]] == [one is nothing for one in before]


@pytest.mark.parametrize("family", families.ALL)
def test_numbers_that_stand_for_missing_ones(family):
    X, y = numbers_with_holes(columns=("a", "d"))
    X = X.fillna({"a": -999, "d": -999})
    model = make_pipeline(SimpleImputer(missing_values=-999, add_indicator=True), StandardScaler(), family_of(family))
    explainer = explained(model.fit(X, y), X, y)
    same(explainer, model, X)
    worst = X.iloc[np.argsort(explainer.score(X))[:8]]
    plans = explainer.explain(worst, why_none=False).applications()
    assert ((plans["a"] == -999) == (X.loc[plans.index, "a"] == -999)).all()


def test_xgboost_s_own_number_for_missing_values():
    X, y = numbers_with_holes()
    X = X.fillna(-999)
    model = families.XGBClassifier(n_estimators=30, n_jobs=1, max_depth=4, missing=-999).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    # In a column that has no such number it is missing nevertheless.
    same(explainer, model, X.assign(b=-999.0))
    plans = explainer.explain(X[model.predict(X) == 0].head(8)).applications()
    assert len(plans) and ((plans["a"] == -999) == (X.loc[plans.index, "a"] == -999)).all()
    scaled = make_pipeline(StandardScaler(), families.XGBClassifier(n_estimators=30, n_jobs=1, missing=0.5)).fit(X, y)
    same(explained(scaled, X, y), scaled, X)


@pytest.mark.parametrize("family", ["xgboost", "lightgbm"])
def test_own_categories(family):
    X, y = mixed_with_holes()
    X = X.astype({"housing": "category", "flag": "boolean", "d": float, "e": float})
    X["flag"] = X["flag"].astype(float)
    kwargs = {"enable_categorical": True} if family == "xgboost" else {}
    model = family_of(family).set_params(**kwargs).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    plans = explainer.explain(X[model.predict(X) == 0].head(10)).applications()
    assert len(plans) and (model.predict(plans) == 1).all() and plans.dtypes.equals(X.dtypes)


@pytest.mark.parametrize("family", families.ALL)
def test_plans_leave_missing_cells_missing_and_are_accepted(family):
    X, y = mixed_with_holes(0.25)
    model = imputing(family_of(family)).fit(X, y)
    explainer = explained(model, X, y, max_changes=3)
    rejected = X[model.predict(X) == 0]
    rejected = rejected[rejected.isna().sum(axis=1) >= 1].head(10)
    assert (rejected.isna().sum(axis=1) >= 3).any()
    results = explainer.explain(rejected, time_limit=20)
    plans = results.applications()
    assert len(plans) and (model.predict(plans) == 1).all()
    assert plans.dtypes.equals(X.dtypes)
    assert (plans.isna() == X.loc[plans.index].isna()).all(axis=None)
    assert all(one.verified in (True, None) for one in results)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_rare_and_common_holes(share):
    X, y = mixed_with_holes(share)
    model = imputing(LogisticRegression(max_iter=2000)).fit(X, y)
    explainer = explained(model, X, y)
    results = explainer.explain(X[model.predict(X) == 0].head(6), why_none=False)
    assert {one.status for one in results} <= {"optimal", "infeasible"}
    plans = results.applications()
    assert len(plans) and (model.predict(plans) == 1).all()


def test_applicants_may_supply_what_is_missing():
    X, y = families.mixed()
    draw = np.random.default_rng(2)
    X = X[["b", "c", "housing"]].astype({"housing": object})
    for name in ("b", "housing"):
        X.loc[(y == 0) & (draw.random(len(X)) < 0.8), name] = np.nan
    model = make_pipeline(
        ColumnTransformer(
            [
                ("b", SimpleImputer(add_indicator=True), ["b"]),
                ("h", OneHotEncoder(), ["housing"]),
            ],
            remainder="passthrough",
        ),
        StandardScaler(with_mean=False),
        LogisticRegression(),
    ).fit(X, y)
    lacking = X[(model.predict(X) == 0) & X["b"].isna() & X["housing"].isna()].head(5)
    kept = explained(model, X, y, features_to_vary=["b", "housing"]).explain(lacking)
    assert [one.status for one in kept] == ["infeasible"] * len(lacking)
    assert "missing" in str(kept[0].why_none)
    explainer = explained(model, X, y, supply_missing=True, features_to_vary=["b", "housing"])
    results = explainer.explain(lacking)
    plans = results.applications()
    assert len(plans) == len(lacking) and (model.predict(plans) == 1).all()
    assert (plans.notna().sum(axis=1) > lacking.notna().sum(axis=1)).all()
    assert "missing -> " in results.to_text()
    assert "leave = true" in explainer.schema
    only = explained(model, X, y, supply_missing="housing").explain(lacking).applications()
    assert only["b"].isna().all()


def test_models_that_take_no_missing_values_say_where_one_is():
    X, y = numbers_with_holes()
    model = LogisticRegression(max_iter=2000).fit(X.fillna(0), y)
    first = int(np.flatnonzero(X["a"].isna())[0]) + 1
    with pytest.raises(ValueError, match=f"row {first}, column `a`: may be missing, but LogisticRegression.*SimpleImputer"):
        explained(model, X, y)
    whole = X.fillna(0)
    with pytest.raises(ValueError, match="row 2, column `c`: is missing; .*fill it in"):
        explained(model, whole, y).score(whole.head(3).assign(c=[1.0, math.nan, 2.0]))
    with pytest.raises(ValueError, match="column `a`: may be missing"):
        explained(model, whole, y, may_be_missing=["a"])


def test_columns_without_any_value_are_refused():
    X, y = numbers_with_holes()
    X["c"] = math.nan
    model = family_of("xgboost").fit(X, y)
    with pytest.raises(ValueError, match="column `c`: is missing in every row"):
        explained(model, X, y)


def test_none_beside_nan_is_refused():
    X, y = families.mixed()
    X = X[["a", "housing"]].astype({"housing": object})
    X.loc[0, "housing"], X.loc[1, "housing"] = None, np.nan
    columns = ColumnTransformer([("h", OneHotEncoder(), ["housing"])], remainder="passthrough")
    model = make_pipeline(columns, LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="column `housing`: has both None and NaN"):
        explained(model, X, y)


def test_one_level_or_missing():
    X, y = numbers_with_holes(columns=("a",))
    X["married"] = pd.Series(np.where(y + np.arange(len(y)) % 3 > 1, "yes", None), dtype=object)
    columns = ColumnTransformer([("m", OneHotEncoder(), ["married"])], remainder=SimpleImputer(), sparse_threshold=0)
    model = make_pipeline(columns, LogisticRegression(max_iter=2000)).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    plans = explainer.explain(X[model.predict(X) == 0].head(5)).applications()
    assert len(plans) and (model.predict(plans) == 1).all()


def test_labels_are_no_levels():
    X, y = families.mixed()
    X = X[["a", "b", "housing"]].astype({"housing": object})
    X["housing"] = X["housing"].replace("rent", "missing").mask(X.index % 5 == 0, np.nan)
    columns = ColumnTransformer([("h", OneHotEncoder(), ["housing"])], remainder="passthrough")
    model = make_pipeline(columns, LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    assert 'label = "missing value"' in explainer.schema


def test_the_schema_comes_back_and_has_empty_cells(tmp_path):
    X, y = mixed_with_holes()
    model = imputing(family_of("forest")).fit(X, y)
    explainer = explained(model, X, y)
    assert explainer.schema.count('{ value = "", label = "missing" }') == 7
    again = amends.Explainer(model, schema=explainer.schema).fit(X, y)
    same(again, model, X)
    assert again.schema == explainer.schema
    rows = X[model.predict(X) == 0].head(4)
    pd.testing.assert_frame_equal(explainer.explain(rows).applications(), again.explain(rows).applications())
    explainer.save(tmp_path / "model.json")
    # Another word for a missing cell does as well.
    worded = amends.Explainer(model, schema=explainer.schema.replace('value = ""', 'value = "NA"')).fit(X, y)
    same(worded, model, X)
    without = explainer.schema.replace('codes = [\n  { value = "", label = "missing" },\n]\n', "")
    with pytest.raises(ValueError, match=r"row \d+, column `a`: is missing; declare a code"):
        amends.Explainer(model, schema=without).fit(X, y)
    with pytest.raises(ValueError, match="supply_missing: say it in the schema file"):
        amends.Explainer(model, schema=explainer.schema, supply_missing=["a"]).fit(X, y)


def test_texts_say_missing_and_whole_numbers_stay_whole():
    X, y = families.numbers()
    X["d"] = X["d"].astype(float).mask(X.index % 4 == 0)
    model = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression()).fit(X, y)
    explainer = explained(model, X, y, features_to_vary=["d", "b"])
    assert 'name = "d"\nkind = "integer"' in explainer.schema
    plans = explainer.explain(X[model.predict(X) == 0].head(12)).applications()
    known = plans["d"].dropna()
    assert len(known) and (known == known.round()).all() and plans["d"].dtype == float


@pytest.mark.parametrize("family", ["logistic", "forest", "xgboost"])
def test_arrays_and_nullable_frames_for_models_of_arrays(family):
    X, y = numbers_with_holes()
    model = make_pipeline(SimpleImputer(), family_of(family)).fit(X.to_numpy(), y)
    explainer = explained(model, X.to_numpy(), y)
    same(explainer, model, X.to_numpy())
    nullable = X.astype({"a": "Float64", "d": "Int64"})
    again = explained(model, nullable, y)
    np.testing.assert_array_equal(again.score(nullable), explainer.score(X.to_numpy()))
    plans = again.explain(nullable[model.predict(X.to_numpy()) == 0].head(5)).applications()
    assert len(plans) and plans.dtypes.equals(nullable.dtypes)
    one = X[model.predict(X.to_numpy()) == 0].iloc[0]
    series = explained(model, X, y).explain(one)[0]
    assert series.verified


def test_ranges_of_columns_with_missing_cells():
    X, y = mixed_with_holes(0.3)
    model = imputing(LogisticRegression(max_iter=2000)).fit(X, y)
    ranges = {"housing": ["own", "rent", None], "b": (40, 60)}
    explainer = explained(model, X, y, permitted_range=ranges, rules="if housing is missing then b stays")
    plans = explainer.explain(X[model.predict(X) == 0].head(25), why_none=False).applications()
    before = X.loc[plans.index]
    assert len(plans) and (plans["housing"].isna() == before["housing"].isna()).all()
    moved = plans["housing"].notna() & (plans["housing"] != before["housing"])
    assert (plans["housing"][moved] != "for free").all()
    lacks = before["housing"].isna()
    assert lacks.any() and (plans["b"][lacks] == before["b"][lacks]).all()
