"""The model that is explained is the user's model: the same scores, the same decisions, up to the last bit of thresholds."""

import json

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import amends


def explained(model, X, y, desired_class=1, **kwargs):
    return amends.Explainer(model, desired_class=desired_class, **kwargs).fit(X, y)


def same(explainer, model, X, desired_class=1):
    """Scores within 1e-6, decisions all alike."""
    ours, theirs = explainer.score(X), families.margin(model, X, desired_class)
    # libsvm adds up products of whole rows, so its own rounding is that of its largest scores.
    size = max(1, np.abs(theirs).max()) if "SVC(" in repr(model) else 1
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6 * size)
    decided = np.asarray(model.predict(X)) == desired_class
    differ = np.flatnonzero((ours >= 0) != decided)
    assert differ.size == 0, (differ, ours[differ], theirs[differ])


def thresholds(model, width):
    """Columns and thresholds of a model's splits."""
    if hasattr(model, "get_booster"):
        splits = model.get_booster().trees_to_dataframe().query("Feature != 'Leaf'")
        names = model.get_booster().feature_names or [f"f{place}" for place in range(width)]
        return [(names.index(name), split) for name, split in zip(splits["Feature"], splits["Split"])]
    if hasattr(model, "booster_"):
        splits = model.booster_.trees_to_dataframe().dropna(subset="threshold")
        names = model.booster_.feature_name()
        return [(names.index(name), split) for name, split in zip(splits["split_feature"], splits["threshold"])]
    if hasattr(model, "_predictors"):
        nodes = np.concatenate([tree.nodes for round in model._predictors for tree in round])
        nodes = nodes[nodes["is_leaf"] == 0]
        return [(int(node["feature_idx"]), float(node["num_threshold"])) for node in nodes]
    trees = [np.ravel(tree)[0].tree_ for tree in getattr(model, "estimators_", [model])]
    return [(c, t) for tree in trees for c, t in zip(tree.feature, tree.threshold) if c >= 0]


def unscaled(scaler, column, threshold):
    if scaler is None:
        return threshold
    if hasattr(scaler, "min_"):
        return (threshold - scaler.min_[column]) / scaler.scale_[column]
    return threshold * scaler.scale_[column] + (scaler.mean_ if hasattr(scaler, "mean_") else scaler.center_)[column]


def edges(model, X, most=2000):
    """Rows whose numbers stand on a threshold of the model, one bit beside it, or where 32 bits turn over."""
    scaler, last = (model[0], model[-1]) if hasattr(model, "steps") else (None, model)
    rows = []
    for place, (column, threshold) in enumerate(thresholds(last, X.shape[1])):
        if X.dtypes.iloc[column] != float:
            continue
        single = np.float32(threshold)
        turns = [threshold, np.float64(single)] + [
            (np.float64(single) + np.float64(np.nextafter(single, np.float32(way)))) / 2 for way in (np.inf, -np.inf)
        ]
        for turn in turns:
            at = unscaled(scaler, column, turn)
            for value in (np.nextafter(at, -np.inf), at, np.nextafter(at, np.inf)):
                row = X.iloc[place % len(X)].to_numpy(dtype=float, copy=True)
                row[column] = value
                rows.append(row)
    frame = pd.DataFrame(rows[:: max(1, len(rows) // most)], columns=X.columns)
    return frame.astype(X.dtypes.to_dict())


@pytest.mark.parametrize("family", families.ALL)
def test_numbers_alone(family):
    X, y = families.numbers()
    model = families.ALL[family]().fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", families.ALL)
@pytest.mark.parametrize("scaler", families.SCALERS)
def test_behind_a_scaler(family, scaler):
    X, y = families.numbers()
    model = make_pipeline(families.SCALERS[scaler](), families.ALL[family]()).fit(X, y)
    same(explained(model, X, y), model, X)


# HistGradientBoostingClassifier takes no sparse matrices.
@pytest.mark.parametrize("sparse,family", [(s, f) for s in (0.0, 1.0) for f in families.ALL if not (s and f == "histogram")])
def test_behind_encoders(sparse, family):
    X, y = families.mixed()
    model = families.behind_encoders(families.ALL[family](), StandardScaler(), sparse).fit(X, y)
    same(explained(model, X, y), model, X)


@pytest.mark.parametrize("family", ["logistic", "linear-svc", "forest", "histogram", "network", "deep-network"])
@pytest.mark.parametrize("again", [False, True])
def test_behind_scalers_that_cut_off(family, again):
    X, y = families.mixed()
    scaler = make_pipeline(MinMaxScaler(clip=True), StandardScaler()) if again else MinMaxScaler((-1, 2), clip=True)
    # Fitted on a part, so that many numbers are cut off.
    middle = X["a"].between(X["a"].quantile(0.2), X["a"].quantile(0.8)) & (X["d"] > X["d"].quantile(0.3))
    model = families.behind_encoders(families.ALL[family](), scaler).fit(X[middle], y[middle])
    explainer = explained(model, X, y)
    same(explainer, model, X)
    results = explainer.explain(X[model.predict(X) == 0].head(3), time_limit=20)
    assert all(one.verified is not False and one.status in ("optimal", "infeasible") for one in results)


@pytest.mark.parametrize("family", families.ALL)
def test_unfavourable_class_one(family):
    X, y = families.numbers()
    model = families.ALL[family]().fit(X, y)
    same(explained(model, X, y, desired_class=0), model, X, desired_class=0)


@pytest.mark.parametrize("family", families.ALL)
def test_german(family):
    X, y = families.german()
    zero_one = family.startswith("xgboost")
    if zero_one:
        # XGBoost wants 0 and 1.
        y = (y == "good").astype(int)
    model = families.german_pipeline(families.ALL[family]()).fit(X, y)
    desired_class = 1 if zero_one else "good"
    same(explained(model, X, y, desired_class), model, X, desired_class)


@pytest.mark.parametrize("family", families.TREES)
@pytest.mark.parametrize("scaler", [None, *families.SCALERS])
def test_on_thresholds(family, scaler):
    X, y = families.numbers()
    model = families.TREES[family]()
    model = (make_pipeline(families.SCALERS[scaler](), model) if scaler else model).fit(X, y)
    rows = edges(model, X)
    assert len(rows) > 50
    same(explained(model, X, y), model, rows)


@pytest.mark.parametrize("family", ["xgboost", "lightgbm"])
def test_own_categories(family):
    X, y = families.mixed()
    X["housing"] = X["housing"].astype("category")
    kwargs = {"enable_categorical": True} if family == "xgboost" else {}
    model = families.TREES[family]().set_params(**kwargs).fit(X, y)
    same(explained(model, X, y), model, X)


def test_boosters():
    import lightgbm
    import xgboost

    X, y = families.numbers()
    trained = xgboost.train({"objective": "binary:logistic", "max_depth": 3}, xgboost.DMatrix(X, y), 20)
    ours = explained(trained, X, y).score(X)
    np.testing.assert_allclose(ours, trained.predict(xgboost.DMatrix(X), output_margin=True), atol=1e-6)
    trained = lightgbm.train({"objective": "binary", "verbose": -1}, lightgbm.Dataset(X, y), 20)
    np.testing.assert_allclose(explained(trained, X, y).score(X), trained.predict(X, raw_score=True), atol=1e-9)


def test_early_stopping():
    X, y = families.numbers()
    model = families.XGBClassifier(n_estimators=200, early_stopping_rounds=3)
    model.fit(X[:300], y[:300], eval_set=[(X[300:], y[300:])], verbose=False)
    assert model.best_iteration + 1 < 200
    same(explained(model, X, y), model, X)


def test_scores_of_the_model_itself_are_rounded():
    X, y = families.numbers()
    model = families.LINEAR["svc"]().fit(X, y)
    explainer = explained(model, X, y)
    difference = np.abs(explainer.score(X) - families.margin(model, X)).max()
    assert 1e-7 < difference <= explainer._reader.rounding(X) < 1e-3


@pytest.mark.parametrize("family", ["logistic", "forest", "xgboost", "lightgbm"])
def test_arrays(family):
    X, y = families.numbers()
    X = X.to_numpy()
    model = families.ALL[family]().fit(X, y)
    same(explained(model, X, y.to_numpy()), model, X)


@pytest.mark.parametrize("family", ["network", "deep-network", "identity-network"])
def test_a_saved_network_is_the_network(family, tmp_path):
    X, y = families.numbers()
    model = make_pipeline(StandardScaler(), families.NETWORKS[family]()).fit(X, y)
    explainer = explained(model, X, y)
    explainer.save(tmp_path / "model.json")
    saved = json.loads((tmp_path / "model.json").read_text())
    assert (saved["library"], saved["link"], saved["columns"]) == ("scikit-learn", "log-odds", list(X.columns))
    classifier = saved["classifier"]
    if family == "identity-network":
        score = X.to_numpy() @ classifier["weights"] + classifier["intercept"]
    else:
        assert classifier["kind"] == "mlp" and len(classifier["layers"]) == len(model[-1].coefs_)
        passed = X.to_numpy()
        for layer in classifier["layers"]:
            score = passed @ np.transpose(layer["weights"]) + layer["bias"]
            passed = np.maximum(score, 0)
        score = score[:, 0]
    np.testing.assert_allclose(score, families.margin(model, X), atol=1e-9)
