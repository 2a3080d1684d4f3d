"""What Python saves, the program serves: the same plan for the same applicant."""

import json
import os
import subprocess
from pathlib import Path

import families
import pytest

import amends

#: `make test-python` names the program; without it, the one that `cargo build` left behind.
PROGRAM = os.environ.get("AMENDS") or str(Path(__file__).parents[3] / "target" / "debug" / "amends")


@pytest.mark.parametrize("family", ["logistic", "forest", "boosting", "lightgbm", "network", "histogram"])
def test_the_program_finds_the_plans_that_python_finds(family, tmp_path):
    assert os.path.exists(PROGRAM), "build the program first: cargo build -p amends-cli"
    german = amends.load_german()
    model = families.german_pipeline(families.ALL[family]()).fit(german.X, german.y)
    explainer = amends.Explainer(model, schema=german.schema).fit(german.X, german.y)
    rejected = german.X[model.predict(german.X) == "bad"].head(3)
    ours = explainer.explain(rejected, reasons=False)

    explainer.save(tmp_path / "model.json")
    (tmp_path / "german.toml").write_text(explainer.schema, encoding="utf-8")
    german.X.assign(credit_risk=german.y).to_csv(tmp_path / "german.csv", index=False)
    rejected.to_csv(tmp_path / "new.csv", index=False)
    named = ["--data", "german.csv", "--schema", "german.toml", "--model", "model.json", "--applicants", "new.csv"]
    # The program keeps a share of the rows for testing: all of them train here, as in Python.
    run = [PROGRAM, "explain", *named, "--test-share", "0", "--format", "json", "--no-reasons"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(theirs) == len(ours) == 3
    for one, other in zip(ours, theirs):
        assert one.status == other["status"]
        assert one.objective == pytest.approx(other["objective"], rel=1e-9)
