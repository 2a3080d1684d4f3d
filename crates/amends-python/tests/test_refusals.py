"""Bad input is refused with its place; what can't be read is refused with what can."""

import families
import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC

import amends
from amends import _amends


def fitted(model=None, **kwargs):
    X, y = families.numbers()
    model = (LogisticRegression(max_iter=2000) if model is None else model).fit(X, y)
    return amends.Explainer(model, desired_class=1, **kwargs).fit(X, y), X, y


@pytest.mark.parametrize("model", [KNeighborsClassifier(), SVC(), "a text"])
def test_other_models_are_refused_with_what_works(model):
    with pytest.raises(TypeError, match="can't be read; these can: .*RandomForestClassifier.*XGBClassifier"):
        amends.Explainer(model)


def test_what_can_not_be_read_of_a_model_is_refused_with_what_can():
    with pytest.raises(TypeError, match="activation='tanh'.* can't be read, but activation='relu' can"):
        amends.Explainer(MLPClassifier(activation="tanh"))
    with pytest.raises(TypeError, match="over LogisticRegression can't be read, but over DecisionTree"):
        fitted(AdaBoostClassifier(LogisticRegression(max_iter=2000), n_estimators=3))


def test_other_transformers_are_refused_with_what_works():
    with pytest.raises(TypeError, match="Normalizer can't be read.*StandardScaler"):
        fitted(make_pipeline(Normalizer(), LogisticRegression(max_iter=5000)))


def test_unfitted_and_many_classes():
    with pytest.raises(ValueError, match="not fitted"):
        amends.Explainer(LogisticRegression())
    X, _ = families.numbers()
    with pytest.raises(ValueError, match="3 classes"):
        amends.Explainer(LogisticRegression(max_iter=5000).fit(X, np.arange(len(X)) % 3))


def test_bad_cells_are_named_with_row_and_column():
    explainer, X, y = fitted()
    bad = X.head(3).copy()
    bad.iloc[1, 0] = np.nan
    with pytest.raises(ValueError, match="row 2, column `a`: .*missing"):
        explainer.explain(bad)
    with pytest.raises(ValueError, match="column `f`: is not in X"):
        explainer.explain(X.drop(columns="f"))
    mixed, outcomes = families.mixed()
    model = families.behind_encoders(LogisticRegression(max_iter=2000)).fit(mixed, outcomes)
    explainer = amends.Explainer(model, desired_class=1).fit(mixed, outcomes)
    with pytest.raises(ValueError, match="row 1, column `housing`: `castle` is not a level"):
        explainer.explain(mixed.head(1).assign(housing="castle"))


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"immutable": ["agee"]}, "immutable: `agee` is not a column"),
        ({"permitted_range": {"zz": (0, 1)}}, "permitted_range: `zz` is not a column"),
        ({"permitted_range": {"a": 3}}, "give two numbers"),
        ({"rules": ["a rises sideways"]}, "rules"),
        ({"kinds": {"a": "float"}}, "`float` is not a kind"),
        ({"max_changes": 0}, "at least 1, not 0"),
        ({"preset": "best"}, "best"),
        ({"options": 0}, "options"),
        ({"options": "some"}, "options"),
    ],
)
def test_settings_that_can_not_be(kwargs, message):
    with pytest.raises(ValueError, match=message):
        fitted(**kwargs)


def test_desired_class_must_be_a_class():
    X, y = families.numbers()
    model = LogisticRegression(max_iter=2000).fit(X, y.map({0: "bad", 1: "good"}))
    with pytest.raises(ValueError, match="which of `bad` and `good`"):
        amends.Explainer(model).fit(X, y)
    with pytest.raises(ValueError, match="`1` is not a class"):
        amends.Explainer(model, desired_class=1).fit(X, y)
    with pytest.raises(ValueError, match="row 1, column `ok`"):
        amends.Explainer(model, desired_class="good").fit(X, y)


def test_data_in_other_units_is_noticed():
    X, y = families.numbers()
    model = LogisticRegression(max_iter=2000).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1)
    explainer._reader.predict = lambda frame: np.zeros(len(frame), dtype=bool)
    with pytest.raises(ValueError, match="read wrongly"):
        explainer.fit(X, y)


def test_the_frame_is_left_alone():
    X, y = families.mixed()
    before = X.copy(deep=True)
    model = families.behind_encoders(LogisticRegression(max_iter=2000)).fit(X, y)
    amends.Explainer(model, desired_class=1).fit(X, y).explain(X.head(2))
    assert before.equals(X) and (before.dtypes == X.dtypes).all()


def test_too_little_memory_is_a_memory_error():
    _amends.check_memory(1000, 30)
    # A sample is drawn from what has been read, so that n_reference does not help here.
    with pytest.raises(MemoryError, match="reading .* give a smaller X$"):
        _amends.check_memory(10**15, 30)


def test_numbers_with_two_values_are_noted():
    X, y = families.numbers()
    X = X.assign(**{X.columns[0]: np.where(X[X.columns[0]] > X[X.columns[0]].median(), 2, 1)})
    model = LogisticRegression(max_iter=2000).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    (note,) = [note for note in explainer.notes if X.columns[0] in note]
    assert "has only the values 1 and 2, but is taken for a number" in note
    for said in ("binary", "integer"):
        described = amends.Explainer(model, desired_class=1, kinds={X.columns[0]: said}).fit(X, y)
        assert not any(X.columns[0] in note for note in described.notes)
