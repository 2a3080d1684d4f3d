"""Transformers before models are read as they are: functions, selectors, unions, encoders by outcome, components, products."""

import pickle

import families
import numpy as np
import pandas as pd
import pytest
import tables
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA, KernelPCA, TruncatedSVD
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    VarianceThreshold,
)
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    StandardScaler,
)
from test_scores import explained, same

import amends

preprocessing = pytest.importorskip("sklearn.preprocessing")


def positive(rows=400):
    """The table of numbers with all of them above 0."""
    X, y = families.numbers(rows)
    return X - X.min() + 1, y


CURVES = {
    "log": lambda: FunctionTransformer(np.log),
    "log1p": lambda: FunctionTransformer(np.log1p),
    "sqrt": lambda: FunctionTransformer(np.sqrt),
    "square": lambda: FunctionTransformer(np.square),
    "nothing": lambda: FunctionTransformer(),
    "yeo-johnson": lambda: PowerTransformer(),
    "yeo-johnson-plain": lambda: PowerTransformer(standardize=False),
    "box-cox": lambda: PowerTransformer("box-cox"),
    "box-cox-plain": lambda: PowerTransformer("box-cox", standardize=False),
    "uniform": lambda: QuantileTransformer(n_quantiles=50, random_state=0),
    "normal": lambda: QuantileTransformer(n_quantiles=50, output_distribution="normal", random_state=0),
}
#: Functions of any number, behind a scaler: some turn around at the mean.
ANYWHERE = {
    "abs": lambda: FunctionTransformer(np.abs),
    "square": lambda: FunctionTransformer(np.square),
    "exp": lambda: FunctionTransformer(np.exp),
    "floor": lambda: FunctionTransformer(np.floor),
    "negative": lambda: FunctionTransformer(np.negative),
    "binarizer": lambda: Binarizer(threshold=0.2),
    "yeo-johnson": lambda: PowerTransformer(),
    "twice": lambda: make_pipeline(FunctionTransformer(np.square), StandardScaler(), FunctionTransformer(np.tanh), PowerTransformer()),
}
COMPARE = ["tree", "grown-forest", "boosting", "histogram", "adaboost", "xgboost", "lightgbm"]


@pytest.mark.parametrize("family", COMPARE)
@pytest.mark.parametrize("curve", CURVES)
def test_functions_before_trees(curve, family):
    X, y = positive()
    model = make_pipeline(CURVES[curve](), families.TREES[family]()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    same(explainer, model, beside_cuts(model, explainer, X))


@pytest.mark.parametrize("family", ["grown-forest", "histogram", "xgboost"])
@pytest.mark.parametrize("curve", ANYWHERE)
def test_functions_that_turn_around_before_trees(curve, family):
    X, y = families.numbers()
    model = make_pipeline(StandardScaler(), ANYWHERE[curve](), families.TREES[family]()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    same(explainer, model, beside_cuts(model, explainer, X))


def beside_cuts(model, explainer, X, most=600):
    """Rows whose numbers are on a cut of the trees that the core compares with, and the next number beside it."""
    import json

    spec = json.loads(explainer._recipe[0])
    rows = []
    for feed in spec["feeds"]:
        for end in feed.get("bins", {}).get("ends", [])[:: max(1, len(feed.get("bins", {}).get("ends", [])) // 40)]:
            name = feed["bins"]["feature"]
            low, high = X[name].min(), X[name].max()
            if not low < end < high or X[name].dtype != float:
                continue
            for number in (end, np.nextafter(end, np.inf)):
                row = X.iloc[len(rows) % len(X)].copy()
                row[name] = number
                rows.append(row)
    if not rows:
        return X
    rows = pd.DataFrame(rows[:most]).astype(X.dtypes.to_dict())
    with np.errstate(all="ignore"):
        return rows[np.isfinite(np.asarray(model[:-1].transform(rows), dtype=float)).all(axis=1)]


def test_cuts_are_exact_to_the_bit():
    X, y = positive()
    X = X[["a", "b", "c"]]
    model = make_pipeline(FunctionTransformer(np.log), RandomForestClassifier(20, random_state=0)).fit(X, y)
    explainer = explained(model, X, y)
    rows = beside_cuts(model, explainer, X)
    assert len(rows) > 100
    # On one side of a cut and on the other, for the model and for the core.
    ours, theirs = explainer.score(rows), model.predict_proba(rows)[:, 1] - 0.5
    np.testing.assert_allclose(ours, theirs, atol=1e-11)
    assert (np.abs(np.diff(theirs)[::2]) > 1e-3).any()


def german_with(numbers, model):
    numbers = (numbers, make_column_selector(dtype_include="int64"))
    return make_pipeline(make_column_transformer(numbers, (OneHotEncoder(), make_column_selector(dtype_include="category"))), model)


@pytest.mark.parametrize("curve", [*CURVES])
@pytest.mark.parametrize("family", ["forest", "histogram", "logistic"])
def test_functions_on_german_credit(curve, family):
    X, y = families.german()
    model = german_with(CURVES[curve](), families.ALL[family]()).fit(X, y)
    explainer = explained(model, X, y, "good")
    same(explainer, model, X, "good")
    rejected = X[model.predict(X) == "bad"].head(2)
    results = explainer.explain(rejected, time_limit=30)
    assert all(one.verified for one in results) and (model.predict(results.applications()) == "good").all()


@pytest.mark.parametrize("table", ["heloc_zeroed", "taiwan"])
@pytest.mark.parametrize("family", ["forest", "histogram"])
def test_functions_on_larger_tables(table, family):
    X, y = getattr(tables, table)()
    model = make_pipeline(PowerTransformer(), families.TREES[family]()).fit(X, y)
    desired = y.unique().max()
    explainer = explained(model, X, y, desired, n_reference=500)
    same(explainer, model, X, desired)


def test_missing_values_pass_functions():
    X, y = positive()
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.1)
    for curve in ("log", "yeo-johnson", "normal", "box-cox"):
        for family in ("histogram", "lightgbm"):
            model = make_pipeline(CURVES[curve](), families.TREES[family]()).fit(X, y)
            same(explained(model, X, y), model, X)
    model = make_pipeline(SimpleImputer(), PowerTransformer(), RandomForestClassifier(20, random_state=0)).fit(X, y)
    same(explained(model, X, y), model, X)


def test_numbers_without_a_logarithm():
    X, y = positive()
    model = make_pipeline(FunctionTransformer(np.log), families.TREES["boosting"]()).fit(X, y)
    explainer = explained(model, X, y)
    with pytest.raises(ValueError, match="row 1, column `a`: `-2` is a number that a transformer before the model has no result for"):
        explainer.explain(X.head(1).assign(a=-2.0))


def test_functions_compute_in_as_few_bits_as_numbers_have():
    X, y = positive()
    model = make_pipeline(FunctionTransformer(np.log), families.TREES["histogram"]()).fit(X, y)
    narrow = X.assign(b=X["b"].round().astype("int16"), d=X["d"].astype("int16"))
    model.fit(narrow.assign(a=X["a"].astype("float32")), y)
    with pytest.raises(ValueError, match="column `[abd]`: numbers of 32 bits are rounded across .* scaler or function before it"):
        explained(model, narrow.assign(a=X["a"].astype("float32") * np.float32(1.0000001)), y)


# Sums of functions: linear models of numbers with a limited number of values.


def counted(rows=400):
    X, y = positive(rows)
    return pd.DataFrame({"a": X["a"].round(1), "b": X["b"].round().astype(int), "d": (X["d"] / 10).round().astype(int) + 1}), y


@pytest.mark.parametrize("curve", [*CURVES])
@pytest.mark.parametrize("family", families.LINEAR)
def test_functions_before_linear_models(curve, family):
    X, y = counted()
    model = make_pipeline(CURVES[curve](), StandardScaler(), families.LINEAR[family]()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    between = X.sample(100, random_state=0).assign(a=np.linspace(X["a"].min(), X["a"].max(), 100).round(1))
    same(explainer, model, between)


def test_optima_of_a_linear_model_of_functions():
    X, y, every = families.small()
    for curve in ("log", "square", "yeo-johnson", "normal"):
        families.check_optima(make_pipeline(CURVES[curve](), LogisticRegression()).fit(X, y), X, y, every)
        families.check_optima(make_pipeline(CURVES[curve](), RandomForestClassifier(9, max_depth=4, random_state=0)).fit(X, y), X, y, every)


def test_a_linear_model_of_functions_knows_its_values():
    X, y = counted()
    model = make_pipeline(FunctionTransformer(np.log), LogisticRegression(max_iter=2000)).fit(X, y)
    explainer = pickle.loads(pickle.dumps(explained(model, X, y)))
    with pytest.raises(ValueError, match="row 2, column `a`: `1.2345` is not among the values that the model was read for"):
        explainer.explain(X.head(2).assign(a=[1.2, 1.2345]))
    measured, y = positive()
    with pytest.raises(ValueError, match="column `a`: has more than 4 decimals, but a linear model .* Round the column"):
        explained(make_pipeline(FunctionTransformer(np.log), LogisticRegression(max_iter=2000)).fit(measured, y), measured, y)
    with pytest.raises(TypeError, match="MLPClassifier behind log of column `a` can't be read: a network takes"):
        explained(make_pipeline(FunctionTransformer(np.log), families.NETWORKS["network"]()).fit(X, y), X, y)
    many = X.assign(d=X["d"] * 5000)
    with pytest.raises(ValueError, match="column `d`: a linear model behind sqrt is read value by value"):
        explained(make_pipeline(FunctionTransformer(np.sqrt), LogisticRegression(max_iter=2000)).fit(many, y), many, y)


def test_steps_between_the_values_of_a_linear_model_of_functions():
    X, y = counted()
    model = make_pipeline(FunctionTransformer(np.log), LogisticRegression(max_iter=2000)).fit(X, y)
    explainer = explained(model, X, y)
    rejected = X[model.predict(X) == 0].head(2)
    results = explainer.explain(rejected, rules=amends.col("a").step(0.3), time_limit=20)
    assert all(one.verified for one in results)
    with pytest.raises(ValueError, match="column `a`: has a step of 0.25, but the model was read for numbers with 1 decimals"):
        explainer.explain(rejected, rules=amends.col("a").step(0.25))


# Selectors and unions.

SELECTORS = {
    "best": lambda: SelectKBest(k=3),
    "percentile": lambda: SelectPercentile(percentile=50),
    "variance": lambda: VarianceThreshold(0.2),
    "model": lambda: SelectFromModel(RandomForestClassifier(10, random_state=0)),
    "rfe": lambda: RFE(LogisticRegression(max_iter=2000), n_features_to_select=3),
}


class First(TransformerMixin, BaseEstimator):
    """Somebody's own selector of the first columns."""

    def fit(self, X, y=None):
        self.count_ = X.shape[1]
        return self

    def get_support(self):
        return np.arange(self.count_) < 4

    def transform(self, X):
        return np.asarray(X)[:, :4]


@pytest.mark.parametrize("selector", [*SELECTORS, "own"])
@pytest.mark.parametrize("family", ["logistic", "forest", "network"])
def test_selectors(selector, family):
    X, y = families.mixed()
    chosen = First() if selector == "own" else SELECTORS[selector]()
    encoder = families.behind_encoders(LogisticRegression(), StandardScaler())[0]
    model = make_pipeline(encoder, chosen, families.ALL[family]()).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "forest", "network"])
def test_unions(family):
    X, y = families.numbers()
    union = FeatureUnion(
        [("scaled", StandardScaler()), ("best", SelectKBest(k=2)), ("out", "drop"), ("as they are", "passthrough")],
        transformer_weights={"best": 0.5},
    )
    model = make_pipeline(StandardScaler(), union, families.ALL[family]()).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "forest", "network", "histogram"])
def test_target_encoders(family):
    TargetEncoder = getattr(preprocessing, "TargetEncoder", None)
    if TargetEncoder is None:
        pytest.skip("skipped: scikit-learn has it from 1.3 on")
    X, y = families.german()
    zero_one = (y == "good").astype(int)
    columns = make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include="int64")),
        (TargetEncoder(random_state=0), make_column_selector(dtype_include="category")),
    )
    model = make_pipeline(columns, families.ALL[family]()).fit(X, zero_one)
    explainer = explained(model, X, zero_one)
    same(explainer, model, X)
    results = explainer.explain(X[model.predict(X) == 0].head(2), time_limit=20)
    assert all(one.verified is not False for one in results)


# Sums of columns.


@pytest.mark.parametrize("family", [*families.LINEAR, *families.NETWORKS])
@pytest.mark.parametrize("kind", ["pca", "whitened", "svd", "beside", "selected"])
def test_components_before_models_that_add_up(kind, family):
    X, y = families.mixed()
    encoder = families.behind_encoders(LogisticRegression(), StandardScaler())[0]
    steps = {
        "pca": [PCA(4)],
        "whitened": [PCA(5, whiten=True), StandardScaler()],
        "svd": [TruncatedSVD(4)],
        "beside": [FeatureUnion([("all", "passthrough"), ("pca", PCA(2))]), StandardScaler()],
        "selected": [PCA(6), SelectKBest(k=4)],
    }[kind]
    model = make_pipeline(encoder, *steps, families.ALL[family]()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    results = explainer.explain(X[model.predict(X) == 0].head(2), time_limit=20)
    assert all(one.verified is not False for one in results)


def test_components_of_functions():
    X, y = counted()
    model = make_pipeline(PowerTransformer(), PCA(2), LogisticRegression()).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "linear-svc", "network", "deep-network", "identity-network"])
@pytest.mark.parametrize("settings", [{"interaction_only": True}, {"interaction_only": True, "include_bias": False}, {}], ids=str)
def test_products_of_binary_columns(settings, family):
    X, y = families.mixed()
    kinds = OneHotEncoder(sparse_output=False) if settings else OneHotEncoder(drop="if_binary", sparse_output=False)
    columns = ColumnTransformer(
        [
            ("numbers", StandardScaler(), ["a", "b", "c", "d"]),
            ("products", make_pipeline(kinds, PolynomialFeatures(2, **settings)), ["housing", "region", "flag"]),
        ]
    )
    model = make_pipeline(columns, families.ALL[family]()).fit(X, y)
    explainer = explained(model, X, y)
    same(explainer, model, X)
    results = explainer.explain(X[model.predict(X) == 0].head(2), time_limit=20)
    assert all(one.verified is not False for one in results)


@pytest.mark.parametrize("family", ["logistic", "network"])
def test_products_of_scaled_binary_columns(family):
    X, y = families.mixed()
    X = X.assign(u=np.random.default_rng(1).integers(0, 2, len(X)), v=X["housing"] == "own")[["u", "flag", "v", "a"]]
    products = ColumnTransformer([("products", make_pipeline(StandardScaler(), PolynomialFeatures(2)), ["u", "flag", "v"])], remainder="passthrough")
    model = make_pipeline(products, StandardScaler(), families.ALL[family]()).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "network"])
def test_products_of_every_application(family):
    draw = np.random.default_rng(4)
    X = pd.DataFrame({"a": draw.integers(1, 10, 300), "u": draw.integers(0, 2, 300), "v": draw.integers(0, 2, 300)})
    y = ((X["a"] + 4 * X["u"] * X["v"]) > 6).astype(int).rename("ok")
    columns = ColumnTransformer([("products", PolynomialFeatures(2), ["u", "v"])], remainder="passthrough")
    model = make_pipeline(columns, families.ALL[family]()).fit(X, y)
    explainer = explained(model, X, y)
    every = pd.MultiIndex.from_product([range(1, 10), (0, 1), (0, 1)], names=list(X)).to_frame(index=False)
    same(explainer, model, every)
    accepted = every[model.predict(every) == 1]
    rejected = every[model.predict(every) == 0]
    for (_, row), one in zip(rejected.iterrows(), explainer.explain(rejected, time_limit=20)):
        assert one.status == "optimal" and one.verified
        # With the same changes, nothing nearer is accepted.
        (alone,) = [change.feature for change in one.changes] if len(one.changes) == 1 else [None]
        if alone == "a":
            rest = [name for name in X if name != "a"]
            near = accepted[(accepted[rest] == row[rest]).all(axis=1)]["a"]
            assert abs(one.applications()["a"].iloc[0] - row["a"]) == (near - row["a"]).abs().min()


def test_products_beside_functions():
    X, y = counted()
    draw = np.random.default_rng(3)
    X = X.assign(u=draw.integers(0, 2, len(X)), v=draw.random(len(X)) < 0.4)
    columns = ColumnTransformer(
        [("curved", PowerTransformer(), ["a", "b", "d"]), ("products", PolynomialFeatures(2, interaction_only=True), ["u", "v"])]
    )
    model = make_pipeline(columns, LogisticRegression()).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["forest", "histogram", "xgboost", "logistic"])
def test_squares_of_single_features(family):
    X, y = counted()
    squares = FeatureUnion([("plain", "passthrough"), *((name, square(name)) for name in X)])
    model = make_pipeline(squares, families.ALL[family]()).fit(X, y)
    same(explained(model, X, y), model, X)


def square(name):
    return make_pipeline(ColumnTransformer([("one", "passthrough", [name])]), PolynomialFeatures(2, include_bias=False))


def test_what_can_not_be_read_says_why():
    X, y = families.numbers()

    def refused(steps, match, rows=X):
        with pytest.raises(TypeError, match=match):
            explained(make_pipeline(*steps).fit(rows, y), rows, y)

    logistic, forest = LogisticRegression(max_iter=5000), RandomForestClassifier(5)
    refused([PCA(2), forest], "PCA mixes columns .*RandomForestClassifier compares .* Fit it without PCA, or a linear model or network")
    refused([PCA(2), OneHotEncoder(handle_unknown="ignore"), logistic], "OneHotEncoder can't be read behind PCA")
    refused([PolynomialFeatures(2), logistic], "PolynomialFeatures multiplies column `a`, a number, by another column")
    refused([PolynomialFeatures(3), forest], "a degree above 2")
    flags = pd.DataFrame({"u": X["a"] > 0, "v": X["b"] > 50})
    refused([PolynomialFeatures(2), forest], "PolynomialFeatures mixes columns \\(u, v\\), and RandomForestClassifier compares", flags)
    refused([KNNImputer(), forest], "KNNImputer can't be read before a model: what it fills in depends on all columns .*SimpleImputer")
    refused([Normalizer(), forest], "Normalizer can't be read before a model: it divides by the length of the whole row")
    refused([KernelPCA(2), logistic], "KernelPCA can't be read")
    own = FunctionTransformer(lambda numbers: numbers + 1)
    refused([own, forest], "<lambda>.* nothing says how it treats other numbers .*numpy's log")
    grades = families.mixed()[0][["grade", "housing"]]
    encoder = OrdinalEncoder()
    refused([encoder, PolynomialFeatures(2), logistic], "`grade`, which has 4 values .*two values only", grades)
