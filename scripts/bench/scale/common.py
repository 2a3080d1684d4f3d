"""What the benchmarks of this folder share: tables, one measurement per process, and how applicants are timed."""

from __future__ import annotations

import multiprocessing
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

FIGURES = "proven | median s | worst s | largest gap | without a plan"
# What applicants can't change about themselves, where a table has it.
IMMUTABLE = ["sex", "education", "marriage", "age"]


def make_table(family: str, columns: int, rows: int, seed: int, folder: Path, *more: str) -> Path:
    """A table of tables.py."""
    path = folder / f"{family}-{columns}-{rows}-{seed}.csv"
    size = ["--columns", str(columns), "--rows", str(rows), "--seed", str(seed), "--output", str(path)]
    subprocess.run([sys.executable, Path(__file__).parent / "tables.py", family, *size, *more], check=True)
    return path


def read_table(path: Path, target: str, drop: list[str]) -> tuple[Any, Any]:
    """The features that are numbers, and the outcome: 1 for applicants who paid back."""
    import pandas as pd

    table = pd.read_csv(path).drop(columns=drop)
    return table.drop(columns=target).select_dtypes("number"), 1 - table[target]


def scaled_logistic_regression() -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


def fit_explainer(model: Any, X: Any, y: Any, changes: int) -> tuple[Any, float]:
    """A fitted explainer of a fitted model, and the CPU seconds that fitting it took."""
    import amends

    immutable = [name for name in IMMUTABLE if name in X.columns]
    before = time.process_time()
    explainer = amends.Explainer(model, desired_class=1, immutable=immutable, max_changes=changes).fit(X, y)
    return explainer, time.process_time() - before


def explain_one_by_one(explainer: Any, rejected: Any, time_limit: float) -> dict[str, Any]:
    """Each applicant alone, on one thread, so that the slowest is seen."""
    seconds, answers = [], []
    for place in range(len(rejected)):
        before = time.process_time()
        answers += explainer.explain(rejected.iloc[[place]], time_limit=time_limit, n_jobs=1)
        seconds.append(time.process_time() - before)
    return {
        "proven": sum(a.status in ("optimal", "infeasible") for a in answers),
        "asked": len(answers),
        "median": statistics.median(seconds),
        "worst": max(seconds),
        "gap": max((1 - a.bound / a.objective for a in answers if a.objective is not None and a.status != "optimal"), default=0.0),
        "nothing": sum(a.status == "timeout" for a in answers),
    }


def figures(row: dict[str, Any]) -> str:
    """The columns of FIGURES."""
    gap = f"{100 * row['gap']:.1f} %" if row["gap"] else "-"
    return f"{row['proven']} of {row['asked']} | {row['median']:.2f} | {row['worst']:.2f} | {gap} | {row['nothing']}"


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_own_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function in a new process, so that peak memory is that of the call alone."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def print_header(*names: str) -> None:
    columns = " | ".join(names)
    print(f"| {columns} |", flush=True)
    print("|" + "---|" * (columns.count("|") + 1), flush=True)
