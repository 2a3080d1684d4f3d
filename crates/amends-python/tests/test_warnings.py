"""Guesses that turn plans around are warned about, each with what to write instead."""

import warnings

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import amends


def messages(explainer, X, y):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        explainer.fit(X, y)
    assert all(one.category is UserWarning for one in caught)
    assert all(one.filename == __file__ for one in caught)
    return [str(one.message) for one in caught]


def fitted(X, y):
    return LogisticRegression(max_iter=1000).fit(X, y)


@pytest.mark.parametrize("classes", [(0, 1), (False, True)])
def test_a_guessed_class_is_warned_about(classes):
    X, y = families.numbers(120)
    y = np.where(y == 1, classes[1], classes[0])
    model = fitted(X, y)
    (message,) = messages(amends.Explainer(model), X, y)
    assert message.startswith(f"desired_class was guessed: {classes[1]} is taken")
    assert f"desired_class={classes[0]} if {classes[1]} stands for rejection" in message
    for wanted in classes:
        assert messages(amends.Explainer(model, desired_class=wanted), X, y) == []


def test_a_schema_says_the_class():
    X, y = families.numbers(120)
    model = fitted(X, y)
    with pytest.warns(UserWarning, match="desired_class was guessed"):
        schema = amends.Explainer(model).fit(X, y).schema
    assert messages(amends.Explainer(model, schema=schema), X, y) == []


def test_swapped_outcomes_are_warned_about():
    X, y = families.numbers(120)
    model = fitted(X, y)
    wrong = int((model.predict(X) != 1 - y).sum())
    (message,) = messages(amends.Explainer(model, desired_class=1), X, 1 - y)
    assert f"another class than y in {wrong} of 120 rows" in message
    assert "the classes of y may be swapped" in message
    assert messages(amends.Explainer(model, desired_class=0), X, y) == []


def test_numbers_that_may_be_codes_are_warned_about():
    dice = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "sex": dice.integers(1, 3, 200),
            "grade": dice.integers(0, 3, 200).astype(float),
            "loans": dice.integers(0, 4, 200),
            "guarantor": dice.integers(0, 2, 200),
            "income": dice.normal(size=200),
        }
    )
    y = np.where(X["income"] + X["sex"] + dice.normal(size=200) > 1.5, "good", "bad")
    model = fitted(X, y)
    sex, grade = messages(amends.Explainer(model, desired_class="good"), X, y)
    assert sex.startswith("column `sex`: has only the values 1, 2, but is taken for a number")
    assert "write kinds={'sex': 'binary'}" in sex and "kinds={'sex': 'integer'}" in sex
    assert grade.startswith("column `grade`: has only the values 0, 1, 2") and "kinds={'grade': 'categorical'}" in grade
    kinds = {"sex": "binary", "grade": "integer"}
    assert messages(amends.Explainer(model, desired_class="good", kinds=kinds), X, y) == []
    assert messages(amends.Explainer(model, desired_class="good", kinds={**kinds, "sex": "integer"}), X, y) == []
