#!/usr/bin/env python3
"""Many applicants: how many a second, and whether memory grows with them.

    python scripts/bench/scale/batches.py --amends target/release/amends
    python scripts/bench/scale/batches.py --amends target/release/amends --table heloc.csv --target default

Python trains a model and saves it; the program explains the rejected applicants of a file, over and over until there are as many as asked
for, and writes a CSV file and a journal. Seconds are those of the clock, because throughput on several cores is what counts: the machine
should have nothing else to do. The peak is that of the program.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import common
from ensembles import MODELS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--amends", type=Path, required=True, help="the amends program, built with --release")
    parser.add_argument("--table", type=Path, help="a CSV of numbers; one of tables.py where it is left out")
    parser.add_argument("--target", default="default", help="its column with the outcome, 1 for default")
    parser.add_argument("--drop", nargs="*", default=[], help="columns of it to leave out")
    parser.add_argument("--models", nargs="*", default=["logistic regression", "LightGBM 500 x 31"], choices=list(MODELS), metavar="MODEL")
    parser.add_argument("--applicants", nargs="*", type=int, default=[1_000, 10_000])
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds per applicant")
    parser.add_argument("--changes", type=int, default=4, help="the most features that may change")
    args = parser.parse_args()
    common.print_header("model", "applicants", "threads", "seconds", "applicants a second", "peak MB", "proven")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if args.table is None:
            args.table = common.make_table("factors", 30, 30_000, 0, folder)
        for model in args.models:
            rejected = common.in_own_process(prepare, args, model, folder)
            for count in args.applicants:
                row = common.in_own_process(run, args, folder, count)
                rate = f"{row['seconds']:.1f} | {count / row['seconds']:.1f} | {row['peak']:.0f} | {row['proven']} of {count}"
                note = "" if count <= rejected else f" ({rejected} different ones)"
                print(f"| {model} | {count}{note} | {args.threads} | {rate} |", flush=True)
    return 0


def prepare(args: argparse.Namespace, name: str, folder: Path) -> int:
    """Writes the model, its schema, the training table and the rejected applicants; how many they are."""
    from sklearn.model_selection import train_test_split

    X, y = common.read_table(args.table, args.target, args.drop)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
    model = MODELS[name](0).fit(X_train, y_train)
    explainer, _ = common.fit_explainer(model, X_train, y_train, args.changes)
    explainer.save(folder / "model.json")
    (folder / "schema.toml").write_text(explainer.schema, encoding="utf-8")
    X_train.assign(**{args.target: y_train}).to_csv(folder / "table.csv", index=False)
    rejected = X_test[model.predict(X_test) == 0]
    rejected.to_csv(folder / "rejected.csv", index=False)
    return len(rejected)


def run(args: argparse.Namespace, folder: Path, count: int) -> dict[str, Any]:
    header, *rows = (folder / "rejected.csv").read_text().splitlines()
    with open(folder / "applicants.csv", "w") as file:
        file.write(header + "\n")
        file.writelines(rows[place % len(rows)] + "\n" for place in range(count))
    files = {"data": "table.csv", "schema": "schema.toml", "model": "model.json", "applicants": "applicants.csv", "output": "plans.csv"}
    files["journal"] = "journal.jsonl"
    (folder / "journal.jsonl").unlink(missing_ok=True)
    named = [part for option, file in files.items() for part in (f"--{option}", str(folder / file))]
    asked = ["--threads", str(args.threads), "--time-limit", str(args.time_limit), "--max-changes", str(args.changes), "--test-share", "0"]
    before = time.perf_counter()
    done = subprocess.run([args.amends, "explain", *named, *asked], capture_output=True, text=True)
    seconds = time.perf_counter() - before
    if done.returncode:
        raise RuntimeError(f"amends explain failed: {done.stderr}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"seconds": seconds, "peak": peak, "proven": proven(folder / "plans.csv")}


def proven(path: Path) -> int:
    import csv

    with open(path, newline="") as file:
        return len({row["row"] for row in csv.DictReader(file) if row["status"] in ("optimal", "infeasible")})


if __name__ == "__main__":
    sys.exit(main())
