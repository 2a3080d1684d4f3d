"""Solves a folder of instances with known optima through the milp engine, and compares.

    python scripts/bench/cases.py --amends PATH --cases FOLDER [--formulations pairwise,reduced] [--only TEXT]

The folder holds instance files and expected.csv (file,objective). Linear models only: forests are out of reach for a
general solver. Prints a line per solve; ends with 1 where a claimed optimum differs by more than a relative 1e-6.
"""

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--amends", type=Path, required=True)
    arguments.add_argument("--cases", type=Path, required=True)
    arguments.add_argument("--formulations", default="pairwise,reduced")
    arguments.add_argument("--solver", default="highs")
    arguments.add_argument("--only", default="N20", help="a text that the file's name holds")
    asked = arguments.parse_args()
    wrong = 0
    with open(asked.cases / "expected.csv", newline="") as table:
        for case in csv.DictReader(table):
            if asked.only not in case["file"] or not ("-lr-" in case["file"] or "-svm-" in case["file"]):
                continue
            for formulation in asked.formulations.split(","):
                wrong += not solve(asked, case["file"], float(case["objective"]), formulation)
    print(f"{wrong} wrong")
    sys.exit(wrong > 0)


def solve(asked, file, expected, formulation):
    command = [asked.amends, "solve", asked.cases / file, "--engine", "milp", "--solver", asked.solver]
    command += ["--formulation", formulation, "--threads", "1", "--json"]
    answer = json.loads(subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout)
    off = abs(answer["objective"] - expected) / abs(expected)
    right = answer["status"] == "optimal" and off <= 1e-6
    print(
        f"{file} {formulation} {answer['status']} {answer['objective']:.9f} expected {expected:.9f} off {off:.1e} "
        f"{answer['seconds']:.1f} s, {answer['rows']} rows, {answer['repairs']} repairs{'' if right else '  WRONG'}",
        flush=True,
    )
    return right


main()
