"""What Python saves, the program serves: the same plan for the same applicant."""

import json
import os
import re
import subprocess
from pathlib import Path

import families
import pytest

import amends

#: `make test-python` names the program; without it, the one that `cargo build` left behind.
PROGRAM = os.environ.get("AMENDS") or str(Path(__file__).parents[3] / "target" / "debug" / "amends")


def served(explainer, german, applicants, folder, *options):
    """What the program prints for applicants, asked with what Python saves."""
    assert os.path.exists(PROGRAM), "build the program first: cargo build -p amends-cli"
    explainer.save(folder / "model.json")
    (folder / "german.toml").write_text(explainer.schema, encoding="utf-8")
    german.X.assign(credit_risk=german.y).to_csv(folder / "german.csv", index=False)
    applicants.to_csv(folder / "new.csv", index=False)
    named = ["--data", "german.csv", "--schema", "german.toml", "--model", "model.json", "--applicants", "new.csv"]
    # The program keeps a share of the rows for testing: all of them train here, as in Python.
    run = [PROGRAM, "explain", *named, "--test-share", "0", *options]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("family", ["logistic", "forest", "boosting", "lightgbm", "network", "histogram"])
def test_the_program_finds_the_plans_that_python_finds(family, tmp_path):
    german = amends.load_german()
    model = families.german_pipeline(families.ALL[family]()).fit(german.X, german.y)
    explainer = amends.Explainer(model, schema=german.schema).fit(german.X, german.y)
    rejected = german.X[model.predict(german.X) == "bad"].head(3)
    ours = explainer.explain(rejected, why_none=False)
    theirs = served(explainer, german, rejected, tmp_path, "--format", "json", "--no-why-none")
    theirs = [json.loads(line) for line in theirs.splitlines()]
    assert len(theirs) == len(ours) == 3
    for one, other in zip(ours, theirs):
        assert one.status == other["status"]
        assert one.objective == pytest.approx(other["objective"], rel=1e-9)


def test_the_program_says_what_python_says(shared, tmp_path):
    german = shared.german
    explainer = amends.Explainer(shared.model, schema=german.schema, max_changes=1).fit(german.X, german.y)
    accepted = german.X[shared.model.predict(german.X) == "good"].head(1)
    rows = [*shared.rejected.head(6).iterrows(), *accepted.iterrows()]
    applicants = german.X.loc[[label for label, _ in rows]]
    ours = explainer.explain(applicants, n_plans=2, n_jobs=1, rules="duration stays")
    assert {"optimal", "infeasible", "already-accepted"} <= {one.status for one in ours}
    options = ("--plans", "2", "--threads", "1", "--max-changes", "1", "--rule", "duration stays", "--format", "text")
    theirs = _without_seconds(served(explainer, german, applicants, tmp_path, *options))
    for one in ours:
        said = _without_seconds(one.to_text()).splitlines()
        verdict = said[0].split(": ", 1)[1]
        # Python has the proof that there is no plan beside the verdict; changes are laid out by each of the two.
        sentences = [*verdict.replace("). ", ").\n").splitlines(), *(line.strip() for line in said[1:] if " -> " not in line)]
        assert len(sentences) > (one.status != "already-accepted")
        for sentence in sentences:
            assert sentence in theirs, sentence


def _without_seconds(text):
    return re.sub(r"[0-9.]+ s\b", "T s", text)
