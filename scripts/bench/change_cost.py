#!/usr/bin/env python3
"""What a cost per change buys: how many changes plans have, how many of them hardly matter, and what plans cost without it.

    python3 scripts/bench/change_cost.py --amends target/release/amends
    python3 scripts/bench/change_cost.py --amends target/release/amends --heloc heloc.csv --taiwan taiwan_credit.csv

A change hardly matters if it moves a number by less than 1 % of its standard deviation in the table. "Effort" is what the plan costs without its
changes' own cost (distance and outlier term), as a mean ratio to the plan of the same applicant at cost 0. Python's standard library is enough.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

COSTS = ["0", "0.02", "0.05", "0.1", "0.2", "0.5"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--amends", required=True, help="the program")
    parser.add_argument("--heloc", type=Path, help="FICO's HELOC table")
    parser.add_argument("--taiwan", type=Path, help="Taiwan credit: column will_default_next_month, 1 for default")
    parser.add_argument("--applicants", type=int, default=30)
    parser.add_argument("--models", default="lr,rf,gb")
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    print("| data | model | cost per change | plans | changes per plan | plans with a change that hardly matters | effort |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments, table in data(options, Path(folder)):
            for model in options.models.split(","):
                measure(name, arguments, table, model, options)


def data(options: argparse.Namespace, folder: Path) -> list[tuple[str, list[str], dict[str, float]]]:
    """Each table's name, its arguments, and the standard deviations of its numbers."""
    german = folder / "german.csv"
    source = Path(__file__).parents[2] / "crates/amends/src/data/german/german.csv"
    german.write_bytes(source.read_bytes())
    found = [("German", [], deviations(german))]
    if options.heloc:
        found.append(("HELOC", ["--dataset", "heloc", "--data", str(options.heloc)], deviations(options.heloc)))
    if options.taiwan:
        schema = folder / "taiwan.toml"
        target = ["--target", "will_default_next_month", "--favourable", "0"]
        subprocess.run([options.amends, "init", options.taiwan, *target, "-o", schema], check=True, capture_output=True)
        arguments = ["--data", str(options.taiwan), "--schema", str(schema)]
        found.append(("Taiwan", arguments, deviations(options.taiwan)))
    return found


def deviations(path: Path) -> dict[str, float]:
    """Of every column of numbers; codes of HELOC are no numbers."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for name in rows[0]:
        try:
            numbers = [float(row[name]) for row in rows]
        except ValueError:
            continue
        numbers = [number for number in numbers if number not in (-7.0, -8.0, -9.0)]
        found[name] = statistics.pstdev(numbers)
    return found


def measure(name: str, arguments: list[str], table: dict[str, float], model: str, options: argparse.Namespace) -> None:
    free: dict[int, float] = {}
    for cost in COSTS:
        asked = ["--model", model, "--rejected", str(options.applicants), "--seed", options.seed, "--no-why-none"]
        command = [options.amends, "explain", *arguments, *asked, "--change-cost", cost, "--format", "json"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        plans = [plan for plan in map(json.loads, printed.splitlines()) if plan["changes"]]
        effort = {plan["row"]: plan["distance"] + plan["outlier"] for plan in plans}
        free = free or effort
        ratios = [effort[row] / free[row] for row in effort if row in free]
        small = sum(any(hardly_matters(change, table) for change in plan["changes"]) for plan in plans)
        print(
            f"| {name} | {model} | {cost} | {len(plans)} | {statistics.mean(plan['moves'] for plan in plans):.2f} "
            f"| {100 * small / len(plans):.0f} % | {statistics.mean(ratios):.3f} |",
            flush=True,
        )


def hardly_matters(change: dict[str, Any], table: dict[str, float]) -> bool:
    before, after = change["before"], change["after"]
    numbers = isinstance(before, (int, float)) and isinstance(after, (int, float))
    return numbers and abs(after - before) < 0.01 * table.get(change["feature"], 0.0)


if __name__ == "__main__":
    main()
