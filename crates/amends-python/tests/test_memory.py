"""Too little memory for a search is a MemoryError with a remedy, at every limit; never the end of the process."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs limits on address space, as Linux has them")

#: Fits a forest without a limit, then explains with so many MB left and so many threads.
SCRIPT = """
import resource, sys
import amends
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier

random = np.random.default_rng(0)
X = pd.DataFrame(random.normal(size=(3000, 12)), columns=[f"x{c}" for c in range(12)])
y = (X.iloc[:, :6].sum(axis=1) + random.normal(size=len(X)) > 0).astype(int)
model = RandomForestClassifier(60, random_state=0, n_jobs=1).fit(X, y)
explainer = amends.Explainer(model, desired_class=1).fit(X, y)
rejected = X[model.predict(X) == 0].head(3)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
limit, threads = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (used + limit * 1_000_000,) * 2)
try:
    answers = explainer.explain(rejected, n_jobs=threads, time_limit=2)
    print("answered", len(answers))
except MemoryError as error:
    print("MemoryError", error)
"""


def explained(limit, threads):
    run = subprocess.run([sys.executable, "-c", SCRIPT, str(limit), str(threads)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, (limit, threads, run.returncode, run.stderr[-500:])
    return run.stdout


@pytest.mark.parametrize("threads", [1, 2])
def test_explaining_with_little_memory_ends_in_an_answer_or_an_error(threads):
    said = [explained(limit, threads) for limit in (1, 40, 100, 150, 220)]
    assert all(one.startswith(("answered 3", "MemoryError")) for one in said), said
    assert said[0].startswith("MemoryError a ") and " takes about " in said[0], said[0]
    assert "free some, or use a model of fewer or less deep trees, or a smaller X" in said[0]


def test_with_enough_memory_everybody_is_answered():
    assert explained(1500, 2) == "answered 3\n"
