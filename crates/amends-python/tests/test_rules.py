"""Rules as objects: each writes text that the core reads, and plans keep it."""

from types import SimpleNamespace

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

import amends
from amends import Rule, at_most, col, if_then, never, together

ODD = "rate (%) = `x`; y"


def moved(before, after, name):
    """How numbers and ranks move."""
    cells = [frame[name].cat.codes if isinstance(frame[name].dtype, pd.CategoricalDtype) else frame[name] for frame in (before, after)]
    return cells[1].astype(float) - cells[0].astype(float)


def changes(before, after, name):
    return before[name].astype(str) != after[name].astype(str)


@pytest.fixture(scope="module")
def loans():
    """Whole numbers, an odd name, levels with blanks and quotes, a flag, an order."""
    X, y = families.mixed(300)
    X = X.drop(columns=["a", "b", "f", "region"]).rename(columns={"d": "debt", "e": ODD, "c": "if"})
    X["income"] = (X["debt"] // 3 + np.arange(300) % 7 * 500).astype(int)
    X["housing"] = X["housing"].replace({"for free": 'for "free"'}).astype("category")
    scaled = X.select_dtypes("number").columns.tolist()
    columns = make_column_transformer(
        (StandardScaler(), scaled),
        (OneHotEncoder(), ["housing"]),
        (OrdinalEncoder(categories=[["D", "C", "B", "A"]]), ["grade"]),
        remainder="passthrough",
    )
    model = make_pipeline(columns, LogisticRegression(max_iter=2000)).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1).fit(X, y)
    return SimpleNamespace(explainer=explainer, rejected=X[model.predict(X) == 0].head(10), X=X, y=y)


HOLDS = {
    "stays": (col("debt").stays(), "debt stays", lambda b, a: ~changes(b, a, "debt")),
    "changes": (col("grade").changes(), "grade changes", lambda b, a: changes(b, a, "grade")),
    "rises": (col("grade").rises(), "grade rises", lambda b, a: moved(b, a, "grade") > 0),
    "rises by": (col("grade").rises(1), "grade rises by 1", lambda b, a: moved(b, a, "grade") == 1),
    "rises by at least": (
        col("income").rises(at_least=300),
        "income rises by at least 300",
        lambda b, a: moved(b, a, "income") >= 300,
    ),
    "falls within": (
        ~col("debt").falls() | col("debt").falls(at_least=100, at_most=9000.0),
        "not debt falls or (debt falls by at least 100 and debt falls by at most 9000)",
        lambda b, a: (moved(b, a, "debt") >= 0) | moved(b, a, "debt").between(-9000, -100),
    ),
    "odd names": (~col(ODD).changes(), "not `rate (%) = ``x``; y` changes", lambda b, a: ~changes(b, a, ODD)),
    "keywords as names": (col("if").stays(), "`if` stays", lambda b, a: ~changes(b, a, "if")),
    "a level": (
        col("housing").stays() | (col("housing") == 'for "free"'),
        'housing stays or housing is "for ""free"""',
        lambda b, a: ~changes(b, a, "housing") | (a["housing"] == 'for "free"'),
    ),
    "no level": (col("housing") != "rent", "housing is not rent", lambda b, a: ~changes(b, a, "housing") | (a["housing"] != "rent")),
    "levels": (
        col("housing").is_in(["own", 'for "free"']),
        'housing is one of own, "for ""free"""',
        lambda b, a: ~changes(b, a, "housing") | (a["housing"] != "rent"),
    ),
    "an order": (col("grade") <= "B", "grade <= B", lambda b, a: ~changes(b, a, "grade") | (a["grade"] != "A")),
    "a flag": (col("flag") == True, "flag is True", lambda b, a: ~changes(b, a, "flag") | a["flag"]),  # noqa: E712
    "a number": (col("debt") >= 19000.5, "debt >= 19000.5", lambda b, a: ~changes(b, a, "debt") | (a["debt"] >= 19000.5)),
    "a sum": (
        Rule(col("debt") <= 3 * col("income") + 2000, must=True),
        "must debt <= 3 * income + 2000",
        lambda b, a: a["debt"] <= 3 * a["income"] + 2000,
    ),
    "differences": (
        col("debt").change <= 0.5 * col("income").change + 10,
        "change of debt <= 0.5 * change of income + 10",
        lambda b, a: moved(b, a, "debt") <= 0.5 * moved(b, a, "income") + 10 + 1e-9,
    ),
    "joined": (
        (col("debt").stays() | col("grade").stays()) & ~(col("income").changes() & col(ODD).changes()),
        "(debt stays or grade stays) and not (income changes and `rate (%) = ``x``; y` changes)",
        lambda b, a: ~(changes(b, a, "debt") & changes(b, a, "grade")) & ~(changes(b, a, "income") & changes(b, a, ODD)),
    ),
    "if then": (
        if_then(col("grade").rises(), col("income").stays()),
        "if grade rises then income stays",
        lambda b, a: (moved(b, a, "grade") <= 0) | ~changes(b, a, "income"),
    ),
    "implies": (
        col("debt").changes().implies(col("if").stays()),
        "if debt changes then `if` stays",
        lambda b, a: ~changes(b, a, "debt") | ~changes(b, a, "if"),
    ),
    "never": (
        never((col("housing") == "own") & col("housing").changes()),
        "never housing is own and housing changes",
        lambda b, a: ~changes(b, a, "housing") | (a["housing"] != "own"),
    ),
    "at most": (
        at_most(1, "debt", col("grade"), "income", ODD),
        "at most 1 of debt, grade, income, `rate (%) = ``x``; y` change",
        lambda b, a: sum(changes(b, a, name).astype(int) for name in ("debt", "grade", "income", ODD)) <= 1,
    ),
    "together": (
        together("debt", "income"),
        "debt, income change together",
        lambda b, a: moved(b, a, "debt") == moved(b, a, "income"),
    ),
    "a text": (Rule("income does not rise", name="no rise in pay"), "income does not rise", lambda b, a: moved(b, a, "income") <= 0),
    "immutable": (col("debt").immutable(), "`debt`.change = \"immutable\"", lambda b, a: ~changes(b, a, "debt")),
    "only rises": (col("income").only_rises(), "`income`.change = \"increase\"", lambda b, a: moved(b, a, "income") >= 0),
    "only falls": (col("debt").only_falls(), "`debt`.change = \"decrease\"", lambda b, a: moved(b, a, "debt") <= 0),
    "step": (col("income").step(100), "`income`.step = 100", lambda b, a: ~changes(b, a, "income") | (a["income"] % 100 == 0)),
    "range": (
        col("income").range(5000, float("inf")),
        "`income`.range = [5000.0, inf]",
        lambda b, a: ~changes(b, a, "income") | (a["income"] >= 5000),
    ),
    "relative range": (
        col("debt").relative_range(-800, 0),
        "`debt`.relative_range = [-800.0, 0.0]",
        lambda b, a: moved(b, a, "debt").between(-800, 0),
    ),
    "max change": (
        col(ODD).max_change(0.5),
        "`rate (%) = ``x``; y`.max_change = 0.5",
        lambda b, a: moved(b, a, ODD).abs() <= 0.5 + 1e-9,
    ),
    "least change": (
        col("debt").least_change(700),
        "`debt`.least_change = 700",
        lambda b, a: ~changes(b, a, "debt") | (moved(b, a, "debt").abs() >= 700),
    ),
    "one step": (col("grade").one_step(), "`grade`.one_step = true", lambda b, a: moved(b, a, "grade").abs() <= 1),
}


@pytest.mark.parametrize("name", HOLDS)
def test_plans_keep_every_kind_of_rule(name, loans):
    rule, text, holds = HOLDS[name]
    assert rule.text == text
    explainer, rejected = loans.explainer, loans.rejected
    results = explainer.explain(rejected, rules=rule, why_none=False, time_limit=20)
    plans = results.applications()
    assert len(plans) >= 3
    assert holds(rejected.loc[plans.index], plans).all()
    assert results.summary()["verified"].dropna().all()


def test_rules_bind_somebody(loans):
    """Otherwise the tests above would show nothing."""
    explainer, rejected = loans.explainer, loans.rejected
    plans = explainer.explain(rejected).applications()
    before = rejected.loc[plans.index]
    broken = [name for name, (_, _, holds) in HOLDS.items() if not holds(before, plans).all()]
    assert len(broken) >= len(HOLDS) / 2, broken


def test_effort_makes_changes_dearer(loans):
    explainer, rejected = loans.explainer, loans.rejected
    plain = explainer.explain(rejected).to_frame()["feature"].value_counts()
    first = plain.index[0]
    dear = explainer.explain(rejected, rules=col(first).effort(1000)).to_frame()["feature"].value_counts()
    assert dear.get(first, 0) < plain[first]


def test_rules_of_the_explainer_are_its_schema_s_too(loans):
    explainer, rejected, X, y = loans.explainer, loans.rejected, loans.X, loans.y
    rules = [Rule(at_most(1, "debt", "income"), name="one at a time"), col("grade").one_step(), "`if` stays"]
    ruled = amends.Explainer(explainer.model, rules=rules, permitted_range={"housing": ["own", "rent"]}).fit(X, y)
    assert 'name = "one at a time"' in ruled.schema and "one_step = true" in ruled.schema
    again = amends.Explainer(explainer.model, schema=ruled.schema).fit(X, y)
    plans = ruled.explain(rejected).applications()
    pd.testing.assert_frame_equal(plans, again.explain(rejected).applications())
    assert not plans.equals(explainer.explain(rejected).applications())


def test_names_of_rules_are_what_people_read(loans):
    explainer, rejected = loans.explainer, loans.rejected
    nothing = [Rule(col(name).stays(), name=f"keep {name}") for name in rejected.columns]
    one = explainer.explain(rejected.head(1), rules=nothing)[0]
    assert one.status == "infeasible" and "`keep " in str(one.why_none)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: bool(col("a") == 1), "neither true nor false.*&"),
        (lambda: 1 <= col("a") <= 5, "neither true nor false"),
        (lambda: (col("a") == 1) and (col("b") == 2), "neither true nor false"),
        (lambda: "x" in col("a"), "is_in"),
        (lambda: (col("a") == 1) & True, "parentheses"),
        (lambda: col("a") * col("b"), "by numbers only"),
        (lambda: col("a") / 0, "other than 0"),
        (lambda: col("a") == None, "can't be compared with None"),  # noqa: E711
        (lambda: col(3), "name of a column"),
        (lambda: col("a").is_in("own"), "list of values"),
        (lambda: if_then(col("a"), col("b").stays()), "a statement such as"),
        (lambda: at_most(1, "a") & together("a", "b"), "in a list"),
        (lambda: Rule(3), "a text or made with"),
        (lambda: 2 * col("a") <= "b", "give a number or col"),
        (lambda: amends._rules.as_rules(col("a")), "is not a rule"),
        (lambda: amends._rules.as_rules(3), "is not a rule"),
    ],
)
def test_slips_are_noticed(wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong()


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: col("a") <= float("inf"), "finite number"),
        (lambda: col("a").is_in([]), "at least one value"),
        (lambda: col("a").rises(1, at_least=2), "give by alone"),
        (lambda: at_most(-1, "a"), "whole number"),
        (lambda: at_most(1), "name the columns"),
        (lambda: together("a"), "at least two"),
        (lambda: col("a").range(0, float("nan")), "two numbers"),
    ],
)
def test_values_that_can_not_be(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize("rule", [col("dept") <= 3, col("housing") == "castle", col("debt").max_change(-3), "debt rises sideways"])
def test_the_core_refuses_what_does_not_fit_the_columns(rule, loans):
    explainer, rejected = loans.explainer, loans.rejected
    with pytest.raises(ValueError, match="rules"):
        explainer.explain(rejected, rules=rule)
