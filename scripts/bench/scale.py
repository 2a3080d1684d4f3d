#!/usr/bin/env python3
"""Models as large as banks run them: what fitting takes, how many applicants are proven, and how long that takes.

    python scripts/bench/scale.py --table taiwan_credit.csv --target will_default_next_month --drop id
    python scripts/bench/scale.py                       # a table of columns.py, which anyone can make

Needs the amends package (a release build), scikit-learn, LightGBM and XGBoost. Every row of the table that it prints is a process of its
own, so that peak memory is that row's: it trains a model on three quarters of the table, fits the explainer, and explains rejected
applicants of the last quarter, each with one thread and at most --time-limit seconds. Seconds are CPU seconds, because machines are
seldom idle; of scikit-learn's histogram boosting, they hold its own threads, which wait for each other.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).parent
KEPT = ["sex", "education", "marriage", "age"]


def lightgbm(trees: int, leaves: int) -> Callable[[int], Any]:
    def make(seed: int) -> Any:
        from lightgbm import LGBMClassifier

        return LGBMClassifier(n_estimators=trees, num_leaves=leaves, random_state=seed, n_jobs=1, verbose=-1)

    return make


def xgboost(seed: int) -> Any:
    from xgboost import XGBClassifier

    return XGBClassifier(n_estimators=300, max_depth=6, random_state=seed, n_jobs=1)


def histogram(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=300, random_state=seed)


def forest(depth: int | None) -> Callable[[int], Any]:
    def make(seed: int) -> Any:
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(300, max_depth=depth, random_state=seed, n_jobs=1)

    return make


def logistic(_: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))


MODELS: dict[str, Callable[[int], Any]] = {
    "logistic regression": logistic,
    "XGBoost 300 x depth 6": xgboost,
    "LightGBM 500 x 31": lightgbm(500, 31),
    "LightGBM 1,000 x 63": lightgbm(1000, 63),
    "LightGBM 2,000 x 34": lightgbm(2000, 34),
    "HistGradientBoosting 300": histogram,
    "random forest 300 x depth 10": forest(10),
    "random forest 300, unlimited depth": forest(None),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, help="a CSV of numbers; one of columns.py where it is left out")
    parser.add_argument("--target", default="default", help="its column with the outcome, 1 for default")
    parser.add_argument("--drop", nargs="*", default=[], help="columns of it to leave out")
    parser.add_argument("--columns", type=int, default=30, help="how many columns the table of columns.py has")
    parser.add_argument("--rows", type=int, default=30_000, help="how many rows the table of columns.py has")
    parser.add_argument("--models", nargs="*", default=list(MODELS), help="which models", metavar="MODEL")
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1, 2])
    parser.add_argument("--applicants", type=int, default=20, help="per model and seed")
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds per applicant")
    parser.add_argument("--changes", type=int, default=4, help="the most features that may change")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args, MODELS[args.one[0]], int(args.one[1]))))
        return 0
    unknown = set(args.models) - set(MODELS)
    if unknown:
        parser.error(f"unknown models: {', '.join(sorted(unknown))}; known are {', '.join(MODELS)}")
    with tempfile.TemporaryDirectory() as folder:
        passed = sys.argv[1:]
        if args.table is None:
            table = Path(folder) / "table.csv"
            size = ["--columns", str(args.columns), "--rows", str(args.rows), "--output", str(table)]
            subprocess.run([sys.executable, HERE / "columns.py", "factors", *size], check=True)
            passed += ["--table", str(table)]
        print("| model | seed | fit, s | peak MB | proven | median s | worst s | largest gap | without a plan |", flush=True)
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        for name in args.models:
            for seed in args.seeds:
                row = subprocess.run(
                    [sys.executable, __file__, *passed, "--one", name, str(seed)], check=True, capture_output=True, text=True
                )
                print(line(name, seed, json.loads(row.stdout.splitlines()[-1])), flush=True)
    return 0


def measure(args: argparse.Namespace, make: Callable[[int], Any], seed: int) -> dict[str, Any]:
    import pandas as pd
    from sklearn.model_selection import train_test_split

    import amends

    table = pd.read_csv(args.table).drop(columns=args.drop)
    y, X = 1 - table[args.target], table.drop(columns=args.target).select_dtypes("number")
    X_train, X_test, y_train, _ = train_test_split(X, y, test_size=0.25, random_state=seed)
    model = make(seed).fit(X_train, y_train)
    before = time.process_time()
    kept = [name for name in KEPT if name in X.columns]
    explainer = amends.Explainer(model, desired_class=1, immutable=kept, max_changes=args.changes).fit(X_train, y_train)
    fit = time.process_time() - before
    rejected = X_test[model.predict(X_test) == 0].head(args.applicants)
    seconds, answers = [], []
    for place in range(len(rejected)):
        before = time.process_time()
        answers += explainer.explain(rejected.iloc[[place]], time_limit=args.time_limit, n_jobs=1)
        seconds.append(time.process_time() - before)
    open_gaps = [1 - a.bound / a.objective for a in answers if a.objective is not None and a.status != "optimal"]
    return {
        "fit": fit,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "proven": sum(a.status in ("optimal", "infeasible") for a in answers),
        "asked": len(answers),
        "median": statistics.median(seconds),
        "worst": max(seconds),
        "gap": max(open_gaps, default=0.0),
        "nothing": sum(a.status == "timeout" for a in answers),
    }


def line(name: str, seed: int, row: dict[str, Any]) -> str:
    gap = f"{100 * row['gap']:.1f} %" if row["gap"] else "-"
    figures = f"{row['fit']:.1f} | {row['peak']:.0f} | {row['proven']} of {row['asked']} | {row['median']:.2f} | {row['worst']:.2f}"
    return f"| {name} | {seed} | {figures} | {gap} | {row['nothing']} |"


if __name__ == "__main__":
    sys.exit(main())
