"""Answers as HTML: pages of their own, and in notebooks."""

import hashlib
import json
import pickle
import re

import amends


def test_a_page_needs_nothing_from_elsewhere(shared, tmp_path):
    results = shared.explainer.explain(shared.rejected.head(4), n_plans=2, reasons=True)
    page = results.to_html()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert not re.search(r"<script|<link|<img|https?://|url\(|@import", page)
    for part in ("prefers-color-scheme: dark", "@media print", 'name="viewport"'):
        assert part in page
    for one in results:
        assert f"Applicant {one.applicant} " in page and f"Applicant {one.applicant}</a>" in page
        for plan in one.plans:
            assert f"{plan._proof} Checked with the model itself." in page
    pictures = sum(len(plan.changes) for one in results for plan in one.plans)
    assert page.count('<figure class="picture"') == pictures
    results.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page


def test_notebooks_show_the_same_pictures(shared):
    one = shared.explainer.explain(shared.rejected.head(1))[0]
    shown = one._repr_html_()
    change = one.changes[0]
    assert shown.count("<figure") == len(one.changes) and "<style" not in shown and "class=\"card\"" not in shown
    assert f'aria-label="{change.title}: now {change.before}, ' in shown and f">then {change.after}</text>" in shown


def test_pages_survive_pickling_and_slices(shared):
    results = shared.explainer.explain(shared.rejected.head(3))
    assert pickle.loads(pickle.dumps(results)).to_html() == results.to_html()
    assert results[:1].to_html().count('<section class="card"') == 1
    assert "No applicants to explain." in results[:0].to_html()


def test_names_are_text(shared):
    name = "<script>alert(1)</script>"
    X = shared.german.X[["duration", "credit_amount"]].rename(columns={"duration": name})
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(max_iter=1000).fit(X, shared.german.y)
    explainer = amends.Explainer(model, desired_class="good").fit(X, shared.german.y)
    rejected = X[model.predict(X) == "bad"].head(2).rename(index=lambda _: name)
    results = explainer.explain(rejected)
    for page in (results.to_html(), results._repr_html_()):
        assert "<script" not in page and "&lt;script&gt;" in page


def test_answers_say_where_they_come_from(shared, tmp_path):
    rule = amends.col("housing").stays()
    results = shared.explainer.explain(shared.rejected.head(1), rules=rule, time_limit=7, target_proba=0.55)
    data = json.loads(results[0].to_json())
    provenance = data["provenance"]
    assert provenance["version"] == amends.__version__ and provenance["time_limit"] == 7 and provenance["gap"] == 1e-6
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", provenance["date"])
    shared.explainer.save(tmp_path / "model.json")
    assert provenance["model_sha256"] == hashlib.sha256((tmp_path / "model.json").read_bytes()).hexdigest()
    plain = shared.explainer.explain(shared.rejected.head(1)).to_dict()[0]["provenance"]
    assert plain["schema_sha256"] == hashlib.sha256(shared.explainer.schema.encode()).hexdigest()
    assert provenance["schema_sha256"] != plain["schema_sha256"] and provenance["data_sha256"] == plain["data_sha256"]
    assert provenance["rules"] == [rule.text] and rule.text in results.to_html() and plain["rules"] == []
    assert provenance["seed"] is None and "sample" not in data["fit"]
    assert data["settings"]["goal"]["score"] > 0 and data["settings"]["change_cost"] == 0.1
    assert data["fit"]["rows"] == len(shared.german.X)
    assert provenance["data_sha256"] in results.to_html()


def test_answers_say_which_sample_of_rows_decided(shared):
    X, y = shared.german.X, shared.german.y

    def fitted(**settings):
        explainer = amends.Explainer(shared.model, desired_class="good", **settings).fit(X, y)
        results = explainer.explain(shared.rejected.head(1))
        return results, results[0].to_dict()

    seeds = []
    for random_state in (5, 6):
        results, data = fitted(n_reference=100, random_state=random_state)
        sample = data["fit"]["sample"]
        assert sample["of"] == len(X) and 90 < sample["rows"] < 110
        seeds.append((data["provenance"]["seed"], sample["random_state"]))
        assert f"{sample['rows']} of {len(X)} rows" in results.to_html()
    assert seeds == [(5, 5), (6, 6)]
    # Without a sample, and with a generator, there is no number to draw it with again.
    assert fitted(random_state=5)[1]["provenance"]["seed"] is None
    import numpy as np

    assert fitted(n_reference=100, random_state=np.random.default_rng(5))[1]["fit"]["sample"]["random_state"] is None
