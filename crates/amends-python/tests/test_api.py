"""Settings, answers in every form, progress, interruption, pickling."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import families
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import amends
from amends import col


@pytest.fixture(scope="module")
def forest(shared):
    """A model that takes seconds for some rows."""
    german = shared.german
    model = families.german_pipeline(families.TREES["lightgbm"]()).fit(german.X, german.y)
    return amends.Explainer(model, desired_class="good", max_changes=20).fit(german.X, german.y)


def test_a_batch_is_one_tidy_frame(shared):
    rows = pd.concat([shared.rejected.head(3), shared.german.X.head(1)])
    results = shared.explainer.explain(rows, n_plans=2)
    frame = results.to_frame()
    assert frame.columns.tolist() == [
        *("applicant", "plan", "status", "feature", "title", "before", "after", "unit", "objective", "bound", "gap"),
        *("distance", "outlier", "change_cost", "mahalanobis", "lof", "score_before", "score_after", "probability_before"),
        *("probability_after", "verified"),
    ]
    assert len(frame) == sum(len(plan.changes) for one in results for plan in one.plans) + 1
    for applicant, plan in frame[["applicant", "plan"]].dropna().drop_duplicates().itertuples(index=False):
        one = next(one for one in results if one.applicant == applicant)
        part = frame[(frame["applicant"] == applicant) & (frame["plan"] == plan)]
        changed = one.plans[plan - 1].frame
        for row in part.itertuples():
            assert row.before == rows.loc[applicant, row.feature] and row.after == changed[row.feature].iloc[0]
            assert type(row.before) is type(row.after)
        assert set(part["feature"]) == {change.feature for change in one.plans[plan - 1].changes}
    last = frame.iloc[-1]
    assert last["status"] == "already-accepted" and pd.isna(last["plan"]) and pd.isna(last["feature"])
    assert pd.isna(last["objective"]) and last["score_before"] >= 0
    assert frame.drop(columns=["before", "after", "unit"])[:-1].notna().all(axis=None)
    pd.testing.assert_frame_equal(frame[:2], results[0].to_frame()[:2])


def test_a_change_costs_what_it_is_said_to_cost(shared):
    german = shared.german

    def plans(**kwargs):
        explainer = amends.Explainer(shared.model, desired_class="good", **kwargs).fit(german.X, german.y)
        return [one.plans[0] for one in explainer.explain(shared.rejected.head(5)) if one.plans]

    free, usual, dear = plans(change_cost=0), plans(), plans(change_cost=2)
    for cost, found in ((0, free), (0.1, usual), (2, dear)):
        for plan in found:
            assert plan.change_cost == pytest.approx(cost * plan.moves)
            assert plan.objective == pytest.approx(plan.distance + plan.outlier + plan.change_cost)
    for fewer, more in ((dear, usual), (usual, free)):
        assert all(a.moves <= b.moves and a.distance + a.outlier >= b.distance + b.outlier - 1e-5 for a, b in zip(fewer, more))


def test_labels_and_units_of_a_schema_are_shown(shared):
    german = shared.german
    explainer = amends.Explainer(shared.model, schema=german.schema).fit(german.X, german.y)
    frame = explainer.explain(shared.rejected.head(5)).to_frame()
    numbers = frame[frame["feature"].isin(["duration", "credit_amount"])]
    assert set(numbers["unit"]) <= {"months", "DM"} and (numbers["title"] != numbers["feature"]).all()


def test_answers_are_plain_data(shared):
    results = shared.explainer.explain(shared.rejected.head(2), n_plans=2)
    data = json.loads(results.to_json())
    assert data == results.to_dict()
    one = data[0]
    assert one["applicant"] == 1 and one["status"] == "optimal" and one["verified"] is True
    assert one["application"] == one["plans"][0]["application"] and len(one["plans"]) == 2
    assert {"objective", "bound", "gap", "distance", "lof", "changes", "why_none", "seconds"} <= set(one)
    change = one["changes"][0]
    assert one["application"][change["feature"]] == change["after"] != change["before"]
    assert isinstance(one["application"]["duration"], int)


def test_no_plan_is_data_too(shared):
    only = amends.Explainer(shared.model, desired_class="good", features_to_vary=["telephone"])
    only.fit(shared.german.X, shared.german.y)
    worst = shared.german.X.iloc[[int(np.argmin(shared.explainer.score(shared.german.X)))]]
    results = only.explain(worst)
    one = results[0]
    assert (one.status, one.objective, one.changes, one.verified) == ("infeasible", None, [], None)
    why = one.why_none
    assert why.settled and why.at_least >= 1 and why.ways
    way = why.ways[0]
    assert way.plan.changes and len(way.relaxed) == why.at_least and way.relaxed[0] in way.text
    assert (shared.model.predict(way.plan.frame) == "good").all()
    data = json.loads(one.to_json())
    assert data["why_none"]["ways"][0]["plan"]["changes"] and data["plans"] == []
    assert way.text in one.to_text() and "There would be a plan" in one._repr_html_()
    frame = results.to_frame()
    assert frame.shape[0] == 1 and frame["status"].item() == "infeasible"
    assert results.applications().empty and results.applications().dtypes.equals(shared.german.X.dtypes)
    assert results.summary()["plans"].tolist() == [0]
    assert only.explain(worst, why_none=False)[0].why_none is None


def test_pages_show_what_is_safe(shared):
    X = shared.rejected.head(1).rename(index=lambda _: "<b>&")
    one = shared.explainer.explain(X, n_plans=2)[0]
    page = one._repr_html_()
    assert "&lt;b&gt;&amp;" in page and "<b>&" not in page
    assert page.count("<table") == 2 == page.count("</table>") and page.count("<div") == page.count("</div>")
    many = shared.explainer.explain(shared.rejected.head(12))._repr_html_()
    assert many.count("<table") == 10 and "12 applicants" in many


def test_representations(shared):
    assert repr(amends.Explainer(shared.model)) == "<Explainer of Pipeline: not fitted>"
    assert "20 features, 1000 rows, `good` is desired" in repr(shared.explainer)
    results = shared.explainer.explain(shared.rejected.head(2))
    assert repr(results) == "<Results: 2 applicants, 2 with a plan (2 optimal)>"
    assert repr(results[0]).startswith("<Explanation of 1: optimal, ") and repr(results[0].plans[0]).startswith("<Plan at a cost")
    assert len(results[:1]) == 1 and results[-1] is results[1]


@pytest.mark.parametrize("ask", ["score", "explain", "tradeoff"])
def test_an_explainer_that_is_not_fitted_says_so(ask, shared):
    with pytest.raises(NotFittedError, match=r"call fit\(X, y\) first"):
        getattr(amends.Explainer(shared.model), ask)(shared.rejected.head(1))
    with pytest.raises(ValueError, match="not fitted"):
        amends.Explainer(shared.model).save("nowhere.json")


def test_the_schema_and_the_desired_class_agree(shared):
    german = shared.german
    amends.Explainer(shared.model, desired_class="good", schema=german.schema).fit(german.X, german.y)
    with pytest.raises(ValueError, match="desired_class: is `bad`, but the schema's favourable outcome is `good`"):
        amends.Explainer(shared.model, desired_class="bad", schema=german.schema).fit(german.X, german.y)
    other = german.schema.replace('"bad"', '"poor"')
    with pytest.raises(ValueError, match="outcomes are `good` and `poor`, but the model's classes are `bad` and `good`"):
        amends.Explainer(shared.model, schema=other).fit(german.X, german.y)


def test_a_schema_file_by_its_path(shared, tmp_path):
    path = tmp_path / "german.toml"
    path.write_text(shared.german.schema, encoding="utf-8")
    explainer = amends.Explainer(shared.model, schema=path).fit(shared.german.X, shared.german.y)
    assert explainer.explain(shared.rejected.head(1))[0].verified
    with pytest.raises(OSError):
        amends.Explainer(shared.model, schema=str(tmp_path / "none.toml")).fit(shared.german.X, shared.german.y)


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"max_changes": 0}, "max_changes must be a whole number of at least 1, not 0"),
        ({"max_changes": 2.5}, "max_changes must be a whole number of at least 1, not 2.5"),
        ({"max_changes": True}, "max_changes"),
        ({"immutable": [3]}, "immutable: 3 is not the name"),
        ({"permitted_range": ["a"]}, "permitted_range: give a dict"),
        ({"outlier_weight": float("nan")}, "outlier_weight must be a finite number, not nan"),
        ({"change_cost": -0.1}, "change_cost: -0.1 must be between 0 and 1e12"),
        ({"change_cost": 1e13}, "change_cost: 10000000000000.0 must be between 0 and 1e12"),
        ({"change_cost": float("nan")}, "change_cost must be a finite number, not nan"),
        ({"n_neighbors": -1}, "n_neighbors"),
        ({"n_reference": 0}, "n_reference"),
        ({"random_state": -1}, "random_state must be a whole number of 0 or more, or None, not -1"),
        ({"random_state": "x"}, "random_state"),
        ({"preset": 3}, "preset"),
    ],
)
def test_settings_are_checked_at_once(kwargs, message, shared):
    with pytest.raises(ValueError, match=message):
        amends.Explainer(shared.model, desired_class="good", **kwargs)


@pytest.mark.parametrize(
    "kwargs, message",
    [
        ({"n_plans": 0}, "n_plans must be a whole number of at least 1, not 0"),
        ({"apart": 1.5}, "apart"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": -1}, "time_limit"),
        ({"time_limit": float("nan")}, "time_limit"),
        ({"time_limit": "1"}, "time_limit"),
        ({"target_proba": 0}, "target_proba"),
        ({"target_proba": 1.5}, "target_proba"),
        ({"n_jobs": 0}, "n_jobs: 0 is not a number of threads"),
        ({"n_jobs": 1.5}, "n_jobs"),
        ({"margin": -1}, "margin"),
        ({"margin": float("inf")}, "margin"),
        ({"progress": "yes"}, "progress"),
    ],
)
def test_questions_that_can_not_be(kwargs, message, shared):
    with pytest.raises(ValueError, match=message):
        shared.explainer.explain(shared.rejected.head(1), **kwargs)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1, -2, np.int64(2)])
def test_jobs_of_every_kind(n_jobs, shared):
    results = shared.explainer.explain(shared.rejected.head(3), n_jobs=n_jobs)
    expected = shared.explainer.explain(shared.rejected.head(3))
    pd.testing.assert_frame_equal(results.to_frame(), expected.to_frame())


def test_the_same_seed_gives_the_same_answers(shared):
    german = shared.german

    def objectives(**kwargs):
        explainer = amends.Explainer(shared.model, desired_class="good", **kwargs).fit(german.X, german.y)
        return explainer.explain(shared.rejected.head(4)).summary()["objective"].tolist()

    first = objectives(n_reference=300)
    assert first == objectives(n_reference=300, random_state=0) == objectives(n_reference=300, random_state=np.int64(0))
    assert first != objectives(n_reference=300, random_state=1)
    assert first != objectives(n_reference=300, random_state=np.random.default_rng(5))
    whole = objectives()
    assert whole == objectives(n_reference=5000, random_state=3) == objectives(n_reference="all") and whole != first
    with pytest.raises(ValueError, match="n_reference"):
        objectives(n_reference="most")
    with pytest.raises(ValueError, match="n_reference: 3 rows are too few"):
        objectives(n_reference=3)


def test_a_sample_leaves_ranges_as_they_are(shared):
    german = shared.german
    lower = "credit_amount <= 300"
    kwargs = {"desired_class": "good", "n_reference": 60, "rules": lower, "features_to_vary": ["credit_amount"]}
    sampled = amends.Explainer(shared.model, **kwargs).fit(german.X, german.y)
    assert german.X["credit_amount"].min() == 250
    plans = sampled.explain(shared.rejected, why_none=False).applications()
    assert len(plans) and (plans["credit_amount"] <= 300).all()


def test_best_among_few_values_is_not_called_optimal(shared):
    german = amends.load_german()
    few = amends.Explainer(shared.model, desired_class="good", options=9).fit(german.X, german.y)
    one = few.explain(shared.rejected.head(1))[0]
    assert one.values_offered == 9 and one.to_dict()["values_offered"] == 9
    assert "Best among the 9 values offered per number (bound " in one.to_text()
    assert shared.explainer.explain(shared.rejected.head(1))[0].values_offered is None


def test_a_tradeoff_is_proven(shared):
    row = shared.rejected.iloc[[3]]
    front = shared.explainer.tradeoff(row)
    points = front.points()
    assert front.complete and len(points) >= 2 and "proven" in front.end
    assert points["distance"].is_monotonic_increasing and points["outlier"].is_monotonic_decreasing
    assert (points["status"] == "optimal").all() and front.verified
    # Changes cost nothing by themselves there, so that the cheapest of its points is at most as far and as unusual as the best plan.
    best = shared.explainer.explain(row)[0]
    effort = (points["distance"] + points["outlier"]).min()
    assert effort <= best.objective - best.plans[0].change_cost + 1e-6 and points["objective"].min() >= best.objective - 1e-6
    free = amends.Explainer(shared.model, desired_class="good", immutable=shared.protected, change_cost=0)
    assert np.isclose(effort, free.fit(shared.german.X, shared.german.y).explain(row)[0].objective)
    assert (shared.model.predict(front.applications()) == "good").all()
    few = shared.explainer.tradeoff(row.iloc[0], n_plans=2)
    assert len(few.plans) == 2 and not few.complete
    assert "Proven" in front.to_text() and len(front.to_frame()["plan"].unique()) == len(points)
    accepted = shared.explainer.tradeoff(shared.german.X.head(1))
    assert accepted.status == "already-accepted" and accepted.points().empty
    with pytest.raises(ValueError, match="2 rows"):
        shared.explainer.tradeoff(shared.rejected.head(2))
    with pytest.raises(ValueError, match="resolution"):
        shared.explainer.tradeoff(row, resolution=0)


def test_plans_with_something_to_spare(shared):
    rows = shared.rejected.head(5)
    spared = shared.explainer.explain(rows, margin=0.3)
    assert (spared.summary()["score_after"] >= 0.3).all()
    stepped = shared.explainer.explain(rows, margin_step=True)
    plain = shared.explainer.explain(rows)
    assert (stepped.summary()["objective"] >= plain.summary()["objective"] - 1e-9).all()
    for one in stepped:
        for change in one.changes:
            if change.feature == "duration":
                off = one.plans[0].frame.assign(duration=change.after + 1)
                assert shared.model.predict(off).tolist() == ["good"]


def test_of_needed_plans_no_part_is_a_plan(shared):
    rows = shared.rejected.head(8)
    plain = shared.explainer.explain(rows, why_none=False).summary()["objective"]
    needed = shared.explainer.explain(rows, why_none=False, needed=True)
    assert (needed.summary()["objective"] >= plain - 1e-6).all()
    parts = 0
    for index, result in zip(rows.index, needed):
        changes = result.plans[0].changes
        for left_out in changes if len(changes) > 1 else []:
            part = rows.loc[[index]].copy()
            for change in changes:
                if change.feature != left_out.feature:
                    part[change.feature] = pd.Series([change.after], index=[index]).astype(rows[change.feature].dtype)
            assert shared.model.predict(part).tolist() == ["bad"]
            parts += 1
    assert parts > 0


def test_harmless_plans_have_no_change_that_lowers_the_score_alone(shared):
    german = shared.german
    papers = amends.Explainer(shared.model, schema=amends.load_german("free").schema, change_cost=0, outlier="none", distance="l1-mahalanobis").fit(german.X, german.y)
    rows = shared.rejected.head(25)
    plain = papers.explain(rows, why_none=False)
    harmless = papers.explain(rows, why_none=False, harmless=True)

    def losses(results):
        for one, (_, row) in zip(results, rows.iterrows()):
            for change in one.changes:
                alone = row.to_frame().T.assign(**{change.feature: [change.after]}).astype(german.X.dtypes)
                yield shared.model.decision_function(alone)[0] - shared.model.decision_function(row.to_frame().T.astype(german.X.dtypes))[0]

    sign = 1 if list(shared.model.classes_)[1] == "good" else -1
    assert min(sign * loss for loss in losses(plain)) < -1e-3
    assert min(sign * loss for loss in losses(harmless)) > -1e-9
    assert (harmless.summary()["objective"] >= plain.summary()["objective"] - 1e-6).all()
    assert shared.explainer.tradeoff(rows.head(1), n_plans=2, harmless=True).plans


def test_german_credit_has_a_schema_for_advice_and_one_of_the_papers(shared):
    german = shared.german
    explainer = amends.Explainer(shared.model, schema=german.schema).fit(german.X, german.y)
    rows = shared.rejected.head(30)
    plans = explainer.explain(rows, why_none=False).applications()
    before = rows.loc[plans.index]
    assert len(plans) > 10 and (plans["credit_amount"] <= before["credit_amount"]).all()
    for name in ("purpose", "credit_history", "age", "housing", "installment_rate"):
        assert (plans[name] == before[name]).all()
    closed = (plans["checking_account"] == "no checking account") & (before["checking_account"] != "no checking account")
    assert not closed.any()
    with pytest.raises(ValueError, match="schema: 'other' is unknown; give 'advice' or 'free'"):
        amends.load_german("other")


def test_moves_between_levels_are_a_rule_of_a_column(shared):
    moves = col("checking_account").moves({"< 0 DM": ["0 to 200 DM"]})
    assert moves.text == '`checking_account`.moves = [{ from = "< 0 DM", to = ["0 to 200 DM"] }]'
    rest = [col(name).immutable() for name in shared.german.X.columns if name not in ("checking_account", "duration")]
    rows = shared.rejected.head(30)
    plans = shared.explainer.explain(rows, rules=[moves, *rest], why_none=False).applications()
    before = rows.loc[plans.index, "checking_account"]
    changed = plans["checking_account"] != before
    assert changed.any() and set(before[changed]) == {"< 0 DM"} and set(plans["checking_account"][changed]) == {"0 to 200 DM"}


def test_several_plans_say_whether_there_are_more(shared):
    few = shared.explainer.explain(shared.rejected.head(1), n_plans=50, rules=[col(c).stays() for c in shared.german.X.columns[3:]])[0]
    assert 0 < len(few.plans) < 50 and "no further plan" in few.end and "No further plan" in few.to_text()
    assert shared.explainer.explain(shared.rejected.head(1))[0].end is None
    apart = shared.explainer.explain(shared.rejected.head(1), n_plans=3, apart=3)[0]
    sets = [frozenset(change.feature for change in plan.changes) for plan in apart.plans]
    assert all(len(a ^ b) >= 3 for a in sets for b in sets if a is not b)


def test_plans_with_an_unnecessary_addition_are_left_out_unless_asked_for(shared):
    def sets(**options):
        one = shared.explainer.explain(shared.rejected.head(1), n_plans=8, **options)[0]
        return [frozenset(change.feature for change in plan.changes) for plan in one.plans]

    def additions(found):
        return sum(later > better for place, later in enumerate(found) for better in found[:place])

    assert additions(sets()) == 0
    assert additions(sets(supersets=True)) > 0


def test_results_and_explainers_can_be_pickled(shared):
    results = shared.explainer.explain(shared.rejected.head(3), n_plans=2)
    again = pickle.loads(pickle.dumps(results))
    pd.testing.assert_frame_equal(results.to_frame(), again.to_frame())
    pd.testing.assert_frame_equal(results.applications(), again.applications())
    assert pickle.loads(pickle.dumps(results[1])).to_dict() == results[1].to_dict()
    explainer = pickle.loads(pickle.dumps(shared.explainer))
    pd.testing.assert_frame_equal(results.to_frame(), explainer.explain(shared.rejected.head(3), n_plans=2).to_frame())
    assert repr(pickle.loads(pickle.dumps(amends.Explainer(shared.model)))) == "<Explainer of Pipeline: not fitted>"


def test_fitting_again_starts_afresh(shared):
    german = shared.german
    explainer = amends.Explainer(shared.model, desired_class="good").fit(german.X, german.y.rename("one"))
    explainer.fit(german.X.head(600), german.y.head(600).rename("two"))
    assert "600 rows" in repr(explainer) and 'column = "two"' in explainer.schema


def test_progress_is_reported_as_it_goes(shared):
    said = []
    rows = shared.rejected.head(40)
    shared.explainer.explain(rows, progress=lambda done, of: said.append((done, of)))
    counts = [done for done, _ in said]
    assert counts == sorted(set(counts)) and counts[-1] == 40 and {of for _, of in said} == {40}


def test_what_a_progress_function_raises_comes_out(forest, shared):
    def stop(done, of):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        forest.explain(shared.rejected.head(20), progress=stop)


def test_a_bar_of_tqdm_and_lines_without_it(shared, monkeypatch, capsys):
    tqdm = pytest.importorskip("tqdm.auto")
    shared.explainer.explain(shared.rejected.head(20))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("amends._progress._QUIET", 0)
    monkeypatch.setattr("amends._progress._BETWEEN", -1)
    shared.explainer.explain(shared.rejected.head(20), progress=True)
    assert "explaining" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    shared.explainer.explain(shared.rejected.head(20), progress=True)
    assert "explained 20 of 20" in capsys.readouterr().err
    shared.explainer.explain(shared.rejected.head(20))
    assert capsys.readouterr().err == "" and tqdm


def test_control_c_stops_at_once_and_python_goes_on(forest, shared):
    sent = []

    def interrupt():
        time.sleep(0.6)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A program in the background of a shell starts deaf to Ctrl-C.
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for rows in (shared.rejected, shared.rejected.iloc[[3]]):
            thread = threading.Thread(target=interrupt, daemon=True)
            thread.start()
            # Over and over, so that a quick answer doesn't end before the signal comes.
            until = time.monotonic() + 60
            with pytest.raises(KeyboardInterrupt):
                while time.monotonic() < until:
                    forest.explain(rows, target_proba=0.999, time_limit=30)
            late = time.monotonic() - sent[-1]
            thread.join()
            # Some 0.1 s, far from the time limit.
            assert late < 10, late
    finally:
        signal.signal(signal.SIGINT, heard)
    assert shared.explainer.explain(shared.rejected.head(1))[0].status == "optimal"


def test_other_threads_go_on(forest, shared):
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    began = time.monotonic()
    try:
        forest.explain(shared.rejected.head(3), time_limit=1, n_jobs=1, target_proba=0.99)
        seconds = time.monotonic() - began
    finally:
        stop.set()
    thread.join()
    assert counted[0] > 20 * seconds


def test_explaining_from_several_threads(shared):
    expected = shared.explainer.explain(shared.rejected.head(4)).to_frame()
    found = []
    threads = [threading.Thread(target=lambda: found.append(shared.explainer.explain(shared.rejected.head(4)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for results in found:
        pd.testing.assert_frame_equal(results.to_frame(), expected)


def test_neither_polars_nor_tqdm_nor_scikit_learn_is_imported(tmp_path):
    code = "import sys, amends; print(sorted(m for m in ('polars', 'tqdm', 'sklearn', 'xgboost', 'lightgbm') if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.strip() == "[]"
