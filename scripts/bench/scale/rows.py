#!/usr/bin/env python3
"""Tables with many rows: what fitting takes, and whether explaining slows down.

    python scripts/bench/scale/rows.py
    python scripts/bench/scale/rows.py --rows 10000 1000000

One table of tables.py, of which each measurement takes the first rows. The model is a logistic regression, trained once on the fewest rows, so that
the same applicants are explained by the same model, and only the number of reference rows differs. The peak is that of the whole Python
process, with pandas and the table in it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import common


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="*", type=int, default=[10_000, 30_000, 100_000, 300_000, 1_000_000])
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--applicants", type=int, default=40)
    parser.add_argument("--time-limit", type=float, default=30.0, help="seconds per applicant")
    parser.add_argument("--changes", type=int, default=4, help="the most features that may change")
    args = parser.parse_args()
    common.print_header("rows", "fit, CPU s", "fit, s", "peak MB", common.FIGURES)
    with tempfile.TemporaryDirectory() as folder:
        # Some rows more: the applicants, who are in none of the samples.
        table = common.make_table("factors", args.columns, max(args.rows) + 50 * args.applicants, args.seed, Path(folder))
        for rows in sorted(args.rows):
            row = common.in_own_process(measure, args, table, rows)
            fit = f"{row['fit']:.1f} | {row['wall']:.1f} | {row['peak']:.0f}"
            print(f"| {rows} | {fit} | {common.figures(row)} |", flush=True)
    return 0


def measure(args: argparse.Namespace, table: Path, rows: int) -> dict[str, Any]:
    X, y = common.read_table(table, "default", [])
    few = min(args.rows)
    model = common.scaled_logistic_regression().fit(X.head(few), y.head(few))
    others = X.tail(50 * args.applicants)
    rejected = others[model.predict(others) == 0].head(args.applicants)
    X, y = X.head(rows).copy(), y.head(rows)
    before = time.perf_counter()
    explainer, fit = common.fit_explainer(model, X, y, args.changes)
    wall = time.perf_counter() - before
    row = common.explain_one_by_one(explainer, rejected, args.time_limit)
    return {**row, "fit": fit, "wall": wall, "peak": common.peak_megabytes()}


if __name__ == "__main__":
    sys.exit(main())
