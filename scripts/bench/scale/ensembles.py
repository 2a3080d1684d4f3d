#!/usr/bin/env python3
"""Models as large as banks run them: what fitting takes, how many applicants are proven, and how long that takes.

    python scripts/bench/scale/ensembles.py                       # a table of tables.py, which anyone can make
    python scripts/bench/scale/ensembles.py --table taiwan_credit.csv --target will_default_next_month --drop id

Needs the amends package (a release build), scikit-learn, LightGBM and XGBoost. Every row of the table that it prints is a process of its
own, so that peak memory is that row's: it trains a model on three quarters of the table, fits the explainer, and explains rejected
applicants of the last quarter, each with one thread and at most --time-limit seconds. Seconds are CPU seconds, because machines are
seldom idle; of scikit-learn's histogram boosting, they include those of its own threads, which wait for each other.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import common


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


MODELS: dict[str, Callable[[int], Any]] = {
    "logistic regression": lambda seed: common.scaled_logistic_regression(),
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
    parser.add_argument("--table", type=Path, help="a CSV of numbers; one of tables.py where it is left out")
    parser.add_argument("--target", default="default", help="its column with the outcome, 1 for default")
    parser.add_argument("--drop", nargs="*", default=[], help="columns of it to leave out")
    parser.add_argument("--columns", type=int, default=30, help="how many columns the table of tables.py has")
    parser.add_argument("--rows", type=int, default=30_000, help="how many rows the table of tables.py has")
    parser.add_argument("--models", nargs="*", default=list(MODELS), help="which models", metavar="MODEL")
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1, 2])
    parser.add_argument("--applicants", type=int, default=20, help="per model and seed")
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds per applicant")
    parser.add_argument("--changes", type=int, default=4, help="the most features that may change")
    args = parser.parse_args()
    unknown = set(args.models) - set(MODELS)
    if unknown:
        parser.error(f"unknown models: {', '.join(sorted(unknown))}; known are {', '.join(MODELS)}")
    with tempfile.TemporaryDirectory() as folder:
        if args.table is None:
            args.table = common.make_table("factors", args.columns, args.rows, 0, Path(folder))
        common.print_header("model", "seed", "fit, s", "peak MB", common.FIGURES)
        for name in args.models:
            for seed in args.seeds:
                row = common.in_own_process(measure, args, name, seed)
                print(f"| {name} | {seed} | {row['fit']:.1f} | {row['peak']:.0f} | {common.figures(row)} |", flush=True)
    return 0


def measure(args: argparse.Namespace, name: str, seed: int) -> dict[str, Any]:
    from sklearn.model_selection import train_test_split

    X, y = common.read_table(args.table, args.target, args.drop)
    X_train, X_test, y_train, _ = train_test_split(X, y, test_size=0.25, random_state=seed)
    model = MODELS[name](seed).fit(X_train, y_train)
    explainer, fit = common.fit_explainer(model, X_train, y_train, args.changes)
    rejected = X_test[model.predict(X_test) == 0].head(args.applicants)
    row = common.explain_one_by_one(explainer, rejected, args.time_limit)
    return {**row, "fit": fit, "peak": common.peak_megabytes()}


if __name__ == "__main__":
    sys.exit(main())
