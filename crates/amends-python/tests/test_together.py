"""Bins, curves, wrapped models and models of other libraries together."""

import warnings

import families
import numpy as np
import pytest
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, PolynomialFeatures, PowerTransformer
from test_scores import explained

import amends

model_selection = pytest.importorskip("sklearn.model_selection")


def agree(model, X, y):
    explainer = explained(model, X, y)
    assert ((explainer.score(X) >= 0) == (np.asarray(model.predict(X)) == 1)).all()
    return explainer


@pytest.mark.parametrize("threshold", [0.3, 0.6])
@pytest.mark.parametrize("of", ["catboost", "machine", "bins"])
def test_moved_thresholds(of, threshold):
    fixed = pytest.importorskip("sklearn.frozen") and model_selection.FixedThresholdClassifier
    X, y = families.numbers()
    if of == "catboost":
        model = pytest.importorskip("catboost").CatBoostClassifier(iterations=20, depth=3, verbose=False, allow_writing_files=False)
    elif of == "machine":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            glassbox = pytest.importorskip("interpret.glassbox")
        model = glassbox.ExplainableBoostingClassifier(n_jobs=1, outer_bags=2, max_rounds=40, random_state=0, interactions=2)
    else:
        model = make_pipeline(KBinsDiscretizer(5), LogisticRegression())
    agree(fixed(model, threshold=threshold).fit(X, y), X, y)
    fitted = model.fit(X, y)
    explainer = amends.Explainer(fitted, desired_class=1, threshold=threshold).fit(X, y)
    assert ((explainer.score(X) >= 0) == (fitted.predict_proba(X)[:, 1] >= threshold)).all()


@pytest.mark.parametrize("last", [LogisticRegression, lambda: RandomForestClassifier(10, max_depth=4, random_state=0)])
def test_bins_behind_curves_and_inside_searches(last):
    X, y = families.numbers()
    agree(make_pipeline(PowerTransformer(), KBinsDiscretizer(5), last()).fit(X, y), X, y)
    search = GridSearchCV(make_pipeline(KBinsDiscretizer(5), last()), {"kbinsdiscretizer__n_bins": [3, 5]}, cv=3)
    agree(search.fit(X, y), X, y)


def test_bins_beside_curves_and_inside_sums():
    X, y = families.numbers()
    X = X.round(1)
    curves = make_column_transformer((KBinsDiscretizer(4), ["a", "b"]), (FunctionTransformer(np.cbrt), ["c", "d"]))
    agree(make_pipeline(curves, LogisticRegression(max_iter=5000)).fit(X, y), X, y)
    bins = KBinsDiscretizer(4, encode="onehot-dense")
    agree(make_pipeline(bins, PCA(5), LogisticRegression()).fit(X, y), X, y)
    products = make_pipeline(bins, PolynomialFeatures(2), LogisticRegression()).fit(X, y)
    with pytest.raises(TypeError, match="PolynomialFeatures"):
        explained(products, X, y)


def test_what_can_not_be_told_apart_is_refused():
    X, y = families.numbers()
    catboost = pytest.importorskip("catboost")
    model = catboost.CatBoostClassifier(iterations=5, depth=2, verbose=False, allow_writing_files=False)
    for before, match in ((PCA(3), "PCA mixes"), (PowerTransformer(), "behind a function")):
        with pytest.raises(TypeError, match=match):
            explained(make_pipeline(before, model.copy()).fit(X, y), X, y)
    with pytest.raises(TypeError, match="KBinsDiscretizer can't be read behind PCA"):
        explained(make_pipeline(PCA(3), KBinsDiscretizer(3), LogisticRegression()).fit(X, y), X, y)
