#!/usr/bin/env python3
"""Tables with many columns: logistic regression, how many applicants are proven, and how long that takes.

    python scripts/bench/scale/columns.py
    python scripts/bench/scale/columns.py --table taiwan_credit.csv --target will_default_next_month --drop id

Tables are made by tables.py: `factors` and `months` of nothing, `extend` of the columns of --table, if it is given. Otherwise as
ensembles.py, which see.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import common


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, help="a CSV of numbers to extend")
    parser.add_argument("--target", help="its column with the outcome, 1 for default")
    parser.add_argument("--drop", nargs="*", default=[], help="columns of it to leave out")
    parser.add_argument("--families", nargs="*", choices=["extend", "factors", "months"])
    parser.add_argument("--columns", nargs="*", type=int, default=[73, 123, 223])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1, 2])
    parser.add_argument("--applicants", type=int, default=8, help="per table")
    parser.add_argument("--time-limit", type=float, default=10.0, help="seconds per applicant")
    parser.add_argument("--changes", type=int, default=4, help="the most features that may change")
    args = parser.parse_args()
    families = args.families or (["extend"] if args.table else []) + ["factors", "months"]
    common.print_header("columns", "family", "seed", "fit, s", common.FIGURES)
    with tempfile.TemporaryDirectory() as folder:
        for columns in args.columns:
            for family in families:
                for seed in args.seeds:
                    more = extension(args) if family == "extend" else []
                    table = common.make_table(family, columns, args.rows, seed, Path(folder), *more)
                    row = common.in_own_process(measure, args, table, seed)
                    print(f"| {columns} | {family} | {seed} | {row['fit']:.1f} | {common.figures(row)} |", flush=True)
                    table.unlink()
    return 0


def extension(args: argparse.Namespace) -> list[str]:
    dropped = ["--drop", *args.drop] if args.drop else []
    return ["--table", str(args.table), "--target", args.target, *dropped]


def measure(args: argparse.Namespace, table: Path, seed: int) -> dict[str, Any]:
    from sklearn.model_selection import train_test_split

    X, y = common.read_table(table, "default", [])
    X_train, X_test, y_train, _ = train_test_split(X, y, test_size=0.1, random_state=seed)
    model = common.scaled_logistic_regression().fit(X_train, y_train)
    explainer, fit = common.fit_explainer(model, X_train, y_train, args.changes)
    rejected = X_test[model.predict(X_test) == 0].head(args.applicants)
    return {**common.explain_one_by_one(explainer, rejected, args.time_limit), "fit": fit}


if __name__ == "__main__":
    sys.exit(main())
