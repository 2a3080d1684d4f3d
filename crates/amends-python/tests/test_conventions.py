"""Explainers have what scikit-learn's tools expect: parameters, copies, names of columns, tags."""

import families
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

import amends


@pytest.fixture
def model():
    X, y = families.numbers(200)
    return LogisticRegression(max_iter=2000).fit(X, y)


def test_parameters_are_those_of_the_constructor(model):
    import inspect

    explainer = amends.Explainer(model, desired_class=1, immutable=["a"], max_changes=2)
    params = explainer.get_params()
    assert list(params) == list(inspect.signature(amends.Explainer).parameters)
    assert params["model"] is model and params["immutable"] == ["a"] and params["preset"] == "standard"
    assert explainer.get_params(deep=False) == params


def test_changed_parameters_count_from_the_next_fit_on(model):
    X, y = families.numbers(200)
    explainer = amends.Explainer(model, desired_class=1, max_changes=1).fit(X, y)
    rejected = X[model.predict(X) == 0].head(3)
    assert explainer.set_params() is explainer and len(explainer.explain(rejected)) == 3
    assert explainer.set_params(max_changes=3, immutable="b") is explainer
    assert explainer.get_params()["max_changes"] == 3
    with pytest.raises(ValueError, match="not fitted"):
        explainer.explain(rejected)
    plans = explainer.fit(X, y).explain(rejected).applications()
    assert (plans["b"].to_numpy() == rejected["b"].to_numpy()).all()


def test_parameters_that_there_are_not_change_nothing(model):
    explainer = amends.Explainer(model, desired_class=1, max_changes=2)
    with pytest.raises(ValueError, match="`max_change` is not a parameter of Explainer; did you mean `max_changes`?"):
        explainer.set_params(max_change=3)
    with pytest.raises(ValueError, match="max_changes"):
        explainer.set_params(max_changes=-1)
    assert explainer.get_params()["max_changes"] == 2


def test_copies_share_the_fitted_model(model):
    X, y = families.numbers(200)
    rules = amends.col("a").stays()
    explainer = amends.Explainer(model, desired_class=1, rules=rules, random_state=3).fit(X, y)
    copy = clone(explainer)
    assert copy is not explainer and copy.get_params()["model"] is model and copy.get_params()["rules"] is rules
    with pytest.raises(ValueError, match="not fitted"):
        copy.explain(X.head(1))
    rejected = X[model.predict(X) == 0].head(3)
    first, second = (one.explain(rejected).to_frame() for one in (explainer, copy.fit(X, y)))
    pd.testing.assert_frame_equal(first, second)


def test_names_of_columns_are_there_once_it_is_fitted(model):
    X, y = families.numbers(200)
    explainer = amends.Explainer(model, desired_class=1)
    assert not hasattr(explainer, "feature_names_in_") and not hasattr(explainer, "n_features_in_")
    explainer.fit(X[["f", "a", "b", "c", "d", "e"]].assign(unused=1.0), y)
    # In the model's order, without columns that it does not use.
    assert explainer.feature_names_in_.tolist() == list(model.feature_names_in_) and explainer.n_features_in_ == 6
    array = LogisticRegression(max_iter=2000).fit(X.to_numpy(), y)
    unnamed = amends.Explainer(array, desired_class=1).fit(X.to_numpy(), y)
    assert unnamed.feature_names_in_.tolist() == [f"x{index}" for index in range(6)]
    assert unnamed.feature_names_in_.dtype == np.dtype(object)


@pytest.mark.skipif(tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 6), reason="scikit-learn has tags from 1.6 on")
def test_it_is_an_estimator_of_no_kind(model):
    from sklearn.utils import get_tags

    X, y = families.numbers(200)
    explainer = amends.Explainer(model, desired_class=1)
    tags = get_tags(explainer)
    assert tags.estimator_type is None and tags.input_tags.allow_nan and not tags.target_tags.required
    with pytest.raises(sklearn.exceptions.NotFittedError):
        check_is_fitted(explainer)
    check_is_fitted(explainer.fit(X, y))


def test_its_text_names_the_model_and_what_is_desired(model):
    X, y = families.numbers(200)
    explainer = amends.Explainer(model, desired_class=1, threshold=0.25)
    assert repr(explainer) == "<Explainer of LogisticRegression: not fitted>"
    assert repr(explainer.fit(X, y)) == (
        "<Explainer of LogisticRegression: 6 features, 200 rows, `1` is desired from a probability of 0.25 on>"
    )
