#!/usr/bin/env python3
"""The Python package beside the command line: the same applicants, the same model, the same number of threads.

    python scripts/bench/python.py --amends target/release/amends --data heloc.csv

Needs the amends package (a release build: `maturin develop --release`), scikit-learn, and a CSV of numbers whose first column is the
outcome, 0 or 1 (--desired names the class that applicants want). Both are run in turns, --repeat times; the least time of each
counts, because a machine's other work only ever adds to it. The command line's time is that of the whole program: it reads tables,
loads the model that `Explainer.save` wrote, fits and answers. Prints a table, and fails where Python takes more than --most times as long.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import amends


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--amends", type=Path, required=True, help="the amends program, built with --release")
    parser.add_argument("--data", type=Path, required=True, help="a CSV, outcome first")
    parser.add_argument("--desired", type=int, default=0, help="the class that applicants want")
    parser.add_argument("--rows", type=int, default=1000, help="rejected applicants")
    parser.add_argument("--jobs", type=int, default=2, help="threads")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds per applicant, for both")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--most", type=float, default=1.2, help="how many times as long Python may take")
    parser.add_argument("--profile", action="store_true", help="also show what takes time on Python's side")
    args = parser.parse_args()

    table = pd.read_csv(args.data)
    y, X = table[table.columns[0]], table[table.columns[1:]]
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, y)
    rejected = X[model.predict(X) != args.desired].head(args.rows)

    def fit() -> amends.Explainer:
        return amends.Explainer(model, desired_class=args.desired).fit(X, y)

    def explain(explainer: amends.Explainer) -> amends.Results:
        return explainer.explain(rejected, n_jobs=args.jobs, time_limit=args.time_limit, progress=False)

    with tempfile.TemporaryDirectory() as folder:
        command = prepare(Path(folder), fit(), table, rejected, args)
        times: dict[str, list[float]] = {"command line": [], "fit": [], "explain": []}
        for _ in range(args.repeat):
            times["command line"].append(timed(lambda: subprocess.run(command, check=True))[0])
            seconds, explainer = timed(fit)
            times["fit"].append(seconds)
            seconds, results = timed(lambda: explain(explainer))
            times["explain"].append(seconds)
        records = [json.loads(line) for line in (Path(folder) / "plans.jsonl").read_text().splitlines()]
    if args.profile:
        profile = cProfile.Profile()
        profile.runcall(explain, explainer)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(25)
    return report(times, results, records, args)


def prepare(folder: Path, explainer: amends.Explainer, table: pd.DataFrame, rejected: pd.DataFrame, args: Any) -> list[str]:
    """Writes what the command line reads."""
    explainer.save(folder / "model.json")
    (folder / "schema.toml").write_text(explainer.schema, encoding="utf-8")
    table.to_csv(folder / "table.csv", index=False)
    rejected.to_csv(folder / "rejected.csv", index=False)
    files = {"data": "table.csv", "schema": "schema.toml", "model": "model.json", "applicants": "rejected.csv", "output": "plans.jsonl"}
    named = [part for key, name in files.items() for part in (f"--{key}", str(folder / name))]
    # All rows but one are trained on, as all are in Python.
    settings = {"test-share": 0, "threads": args.jobs, "time-limit": args.time_limit, "format": "json"}
    return [str(args.amends), "explain", *named, *(part for key, value in settings.items() for part in (f"--{key}", str(value)))]


def timed(work: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def report(times: dict[str, list[float]], results: amends.Results, records: list[dict[str, Any]], args: Any) -> int:
    best = {name: min(seconds) for name, seconds in times.items()}
    statuses = results.summary()["status"].value_counts().to_dict()
    theirs = pd.Series([one["status"] for one in records]).value_counts().to_dict()
    whole = best["fit"] + best["explain"]
    print(f"{len(results)} applicants of at most {args.time_limit:g} s, {args.jobs} threads, least of {args.repeat}: {statuses} in Python, {theirs} on the command line")
    print(f"command line, all of it   {best['command line']:8.2f} s")
    print(f"Python, fit               {best['fit']:8.2f} s")
    print(f"Python, explain           {best['explain']:8.2f} s   {best['explain'] / best['command line']:.3f} times the command line")
    print(f"Python, fit and explain   {whole:8.2f} s   {whole / best['command line']:.3f} times the command line")
    return int(best["explain"] > args.most * best["command line"])


if __name__ == "__main__":
    sys.exit(main())
