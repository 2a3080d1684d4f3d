"""Models around models decide as they do themselves: searches, moved thresholds, calibration, bags and votes."""

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from test_scores import explained

import amends

model_selection = pytest.importorskip("sklearn.model_selection")
frozen = pytest.importorskip("sklearn.frozen", reason="scikit-learn has these from 1.6 on")
Frozen = frozen.FrozenEstimator
FixedThresholdClassifier = model_selection.FixedThresholdClassifier
TunedThresholdClassifierCV = model_selection.TunedThresholdClassifierCV


def forest(**kwargs):
    return RandomForestClassifier(25, max_depth=5, random_state=0, **kwargs)


SEARCHES = {
    "grid": lambda: GridSearchCV(LogisticRegression(max_iter=2000), {"C": [0.1, 1.0]}, cv=3),
    "randomized": lambda: RandomizedSearchCV(forest(), {"max_depth": [2, 4]}, n_iter=2, cv=3),
    "halving": lambda: HalvingGridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2, 4]}, cv=3),
    "in-a-pipeline": lambda: make_pipeline(StandardScaler(), GridSearchCV(LinearSVC(), {"C": [0.1, 1.0]}, cv=3)),
    "of-a-pipeline": lambda: GridSearchCV(make_pipeline(StandardScaler(), forest()), {"standardscaler__with_mean": [True, False]}, cv=3),
    "of-xgboost": lambda: GridSearchCV(families.TREES["xgboost"](), {"max_depth": [2]}, cv=3),
    "of-lightgbm": lambda: GridSearchCV(families.TREES["lightgbm"](), {"num_leaves": [7]}, cv=3),
}
MEANS = {
    "bagging": lambda: BaggingClassifier(n_estimators=15, random_state=0),
    "bagging-of-columns": lambda: BaggingClassifier(DecisionTreeClassifier(max_depth=5), 15, max_features=3, random_state=0),
    "bagging-of-forests": lambda: BaggingClassifier(RandomForestClassifier(5, random_state=0), 4, max_features=4, random_state=0),
    "small-bags": lambda: BaggingClassifier(n_estimators=20, max_samples=3, random_state=0),
    "vote": lambda: VotingClassifier([("a", forest()), ("b", ExtraTreesClassifier(20, random_state=0))], voting="soft"),
    "weighted-vote": lambda: VotingClassifier(
        [("a", forest()), ("left out", "drop"), ("b", DecisionTreeClassifier(max_depth=4))], voting="soft", weights=[1, 5, 2.5]
    ),
    "vote-of-bags": lambda: VotingClassifier([("a", BaggingClassifier(n_estimators=6, random_state=0)), ("b", forest())], voting="soft"),
}
OTHERS = {
    "one-vs-rest": lambda: OneVsRestClassifier(LogisticRegression(max_iter=2000)),
    "one-vs-rest-of-trees": lambda: OneVsRestClassifier(forest()),
    "sigmoid": lambda: CalibratedClassifierCV(LinearSVC(max_iter=5000), ensemble=False, cv=3),
    "isotonic": lambda: CalibratedClassifierCV(forest(), method="isotonic", ensemble=False, cv=3),
    "isotonic-boosting": lambda: CalibratedClassifierCV(families.TREES["histogram"](), method="isotonic", ensemble=False, cv=3),
    "sigmoid-xgboost": lambda: CalibratedClassifierCV(families.TREES["xgboost"](), ensemble=False, cv=3),
    "threshold-of-calibrated": lambda: FixedThresholdClassifier(
        CalibratedClassifierCV(GradientBoostingClassifier(random_state=0), ensemble=False, cv=3), threshold=0.3
    ),
    "tuned": lambda: TunedThresholdClassifierCV(LogisticRegression(max_iter=2000), scoring="balanced_accuracy", cv=3),
    "tuned-forest": lambda: TunedThresholdClassifierCV(forest(), scoring="f1", cv=3),
    "tuned-search": lambda: TunedThresholdClassifierCV(
        GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), {"logisticregression__C": [0.1, 1.0]}, cv=3), cv=3
    ),
}


def same_decisions(model, X, y, desired_class=1, **kwargs):
    """Every row is decided alike, and plans are accepted by the model."""
    explainer = explained(model, X, y, desired_class, **kwargs)
    decided = np.asarray(model.predict(X)) == desired_class
    ours = explainer.score(X) >= 0
    assert (ours == decided).all() and not any("rounding" in note for note in explainer.notes)
    rejected = X[~decided].head(2)
    results = explainer.explain(rejected, time_limit=20)
    plans = results.applications()
    assert all(one.verified is not False for one in results)
    assert len(plans) == 0 or (model.predict(plans) == desired_class).all()
    return explainer


@pytest.mark.parametrize("kind", [*SEARCHES, *MEANS, *OTHERS])
def test_decisions_of_models_around_models(kind):
    X, y = families.numbers(300)
    model = {**SEARCHES, **MEANS, **OTHERS}[kind]().fit(X, y)
    same_decisions(model, X, y)


@pytest.mark.parametrize("kind", ["bagging", "weighted-vote", "threshold-of-calibrated", "tuned", "isotonic", "one-vs-rest"])
def test_on_german_credit(kind):
    X, y = families.german()
    model = families.german_pipeline({**MEANS, **OTHERS}[kind]()).fit(X, y)
    same_decisions(model, X, y, "good")
    same_decisions(model, X, y, "bad")


@pytest.mark.parametrize("kind", MEANS)
def test_means_of_trees_have_the_probability_as_score(kind):
    X, y = families.numbers(300)
    model = MEANS[kind]().fit(X, y)
    np.testing.assert_allclose(explained(model, X, y).score(X), model.predict_proba(X)[:, 1] - 0.5, atol=1e-11)


BASES = {
    "logistic": lambda: LogisticRegression(max_iter=2000),
    "huber": lambda: SGDClassifier(loss="modified_huber", random_state=0),
    "forest": lambda: RandomForestClassifier(20, random_state=0),
    "exponential": lambda: GradientBoostingClassifier(loss="exponential", n_estimators=30, random_state=0),
    "adaboost": lambda: AdaBoostClassifier(n_estimators=30, random_state=0),
    "histogram": families.TREES["histogram"],
    "network": families.NETWORKS["network"],
    "xgboost": families.TREES["xgboost"],
    "lightgbm": families.TREES["lightgbm"],
}


@pytest.mark.parametrize("at", [0.2, 0.85])
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("positive", [None, 0])
def test_fixed_thresholds_of_probabilities(base, at, positive):
    X, y = families.numbers(300)
    inner = make_pipeline(StandardScaler(), BASES[base]()).fit(X, y)
    model = FixedThresholdClassifier(Frozen(inner), threshold=at, pos_label=positive).fit(X, y)
    explainer = same_decisions(model, X, y)
    # Scores of 0 are where the threshold is.
    probability, score = inner.predict_proba(X)[:, 1], explainer.score(X)
    least = at if positive is None else 1 - at
    assert probability[score >= 0].min(initial=1) >= least - 1e-6 and probability[score < 0].max(initial=0) <= least + 1e-6


@pytest.mark.parametrize("desired_class", [0, 1])
def test_ties_with_a_threshold(desired_class):
    X, y = families.numbers()
    # Fully grown: every tree votes for one class, so that many rows have 3 of 10 votes.
    inner = RandomForestClassifier(10, random_state=0).fit(X, y)
    rows = pd.concat([X.sample(frac=1, random_state=seed).reset_index(drop=True) for seed in range(10)], axis=0)
    rows = pd.DataFrame({n: rows[n].to_numpy()[np.random.default_rng(i).permutation(len(rows))] for i, n in enumerate(rows)})
    for at, positive in [(0.3, 1), (0.7, 0), (0.5, 1)]:
        model = FixedThresholdClassifier(Frozen(inner), threshold=at, pos_label=positive).fit(X, y)
        explainer = explained(model, X, y, desired_class)
        assert (np.isclose(inner.predict_proba(rows)[:, positive], at)).sum() > 20
        assert ((explainer.score(rows) >= 0) == (model.predict(rows) == desired_class)).all()


@pytest.mark.parametrize("base", [SVC(kernel="linear"), SVC(kernel="linear", probability=True), RidgeClassifier(), LogisticRegression(max_iter=999)])
@pytest.mark.parametrize("positive", [None, 0])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_thresholds_of_scores(base, positive):
    X, y = families.numbers(300)
    inner = make_pipeline(StandardScaler(), base)
    model = FixedThresholdClassifier(inner, threshold=0.4, response_method="decision_function", pos_label=positive).fit(X, y)
    same_decisions(model, X, y)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_a_calibration_that_falls_turns_classes_around(method):
    X, y = families.numbers(300)
    inner = LogisticRegression(max_iter=2000).fit(X, 1 - y)
    if method == "isotonic":
        # A rising step function of a score that is for the other class: hardly anything is left of it.
        inner.coef_, inner.intercept_ = -inner.coef_, -inner.intercept_
    model = CalibratedClassifierCV(Frozen(inner), method=method).fit(X, y)
    assert len(model.calibrated_classifiers_) == 1
    same_decisions(model, X, y)
    same_decisions(model, X, y, desired_class=0)


def test_temperature_keeps_decisions():
    X, y = families.numbers(300)
    try:
        model = CalibratedClassifierCV(LogisticRegression(max_iter=2000), method="temperature", ensemble=False, cv=3).fit(X, y)
    except ValueError:
        pytest.skip("skipped: scikit-learn has no temperature scaling before 1.8")
    same_decisions(model, X, y)


def test_probabilities_of_a_moved_threshold_are_the_models_own():
    X, y = families.german()
    inner = families.german_pipeline(LogisticRegression(max_iter=2000)).fit(X, y)
    model = FixedThresholdClassifier(Frozen(inner), threshold=0.7, pos_label="good").fit(X, y)
    rejected = X[model.predict(X) == "bad"].head(3)
    for wanted in (model, inner):
        threshold = {} if wanted is model else {"threshold": 0.7}
        explainer = amends.Explainer(wanted, desired_class="good", **threshold).fit(X, y)
        for row, one in zip(rejected.index, explainer.explain(rejected, time_limit=20)):
            before = inner.predict_proba(X.loc[[row]])[0, 1]
            assert abs(one.to_dict()["probability_before"] - before) < 1e-9 and one.verified
        higher = explainer.explain(rejected, target_proba=0.8, time_limit=20)
        assert (inner.predict_proba(higher.applications())[:, 1] >= 0.8 - 1e-9).all()


@pytest.mark.parametrize("desired_class", ["good", "bad"])
@pytest.mark.parametrize("family", ["logistic", "forest", "histogram", "lightgbm", "network"])
def test_a_threshold_of_the_explainer(family, desired_class):
    X, y = families.german()
    model = families.german_pipeline(families.ALL[family]()).fit(X, y)
    index = list(model.classes_).index(desired_class)
    explainer = amends.Explainer(model, desired_class=desired_class, threshold=0.3).fit(X, y)
    accepted = model.predict_proba(X)[:, index] >= 0.3
    assert ((explainer.score(X) >= 0) == accepted).all()
    assert repr(explainer).endswith(f"`{desired_class}` is desired from a probability of 0.3 on>")
    results = explainer.explain(X[~accepted].head(2), time_limit=20)
    assert (model.predict_proba(results.applications())[:, index] >= 0.3).all() and all(one.verified for one in results)
    assert explainer.explain(X[accepted].head(1)).status == "already-accepted"


def test_a_threshold_of_a_booster():
    import xgboost

    X, y = families.numbers()
    model = xgboost.train({"objective": "binary:logistic", "max_depth": 3}, xgboost.DMatrix(X, y), 20)
    explainer = amends.Explainer(model, desired_class=1, threshold=0.7).fit(X, y)
    assert ((explainer.score(X) >= 0) == (model.predict(xgboost.DMatrix(X)) >= 0.7)).all()


def test_optima_are_those_of_every_application():
    """The plan is the nearest of all applications that the model accepts, found by asking it about each of them."""
    X, y, every = families.small()
    inner = BaggingClassifier(DecisionTreeClassifier(max_depth=4), 9, max_features=2, random_state=0)
    for model in (FixedThresholdClassifier(inner, threshold=0.6), CalibratedClassifierCV(inner, method="isotonic", ensemble=False, cv=3)):
        families.check_optima(model.fit(X, y), X, y, every)


def refused(model, match):
    X, y = families.numbers(200)
    with pytest.raises((TypeError, ValueError), match=match):
        amends.Explainer(model.fit(X, y), desired_class=1).fit(X, y)


def test_what_can_not_be_read_says_why():
    logistic = LogisticRegression(max_iter=2000)
    refused(CalibratedClassifierCV(logistic, cv=3), "it averages 3 calibrated models. Fit it with ensemble=False")
    refused(VotingClassifier([("a", forest()), ("b", logistic)], voting="soft"), "LogisticRegression is neither a tree nor a forest")
    refused(VotingClassifier([("a", forest())]), "it counts votes")
    refused(BaggingClassifier(logistic), "LogisticRegression is neither a tree nor a forest")
    refused(GridSearchCV(logistic, {"C": [1.0]}, refit=False), "refit=False")
    refused(FixedThresholdClassifier(logistic, threshold=2.0), "whatever its score is; move its threshold")
    with pytest.raises(ValueError, match="not fitted"):
        amends.Explainer(GridSearchCV(logistic, {"C": [1.0]}))
    X, y = families.numbers(200)
    with pytest.raises(ValueError, match="threshold: LinearSVC has no probabilities"):
        amends.Explainer(LinearSVC().fit(X, y), desired_class=1, threshold=0.4).fit(X, y)
    with pytest.raises(ValueError, match="threshold: 1.5 is not a probability"):
        amends.Explainer(logistic.fit(X, y), threshold=1.5)
