"""HiGHS through amends beside HiGHS through highspy, on the same rows.

    make bench-milp                     German credit, logistic regression, preset dace
    python scripts/bench/milp.py --amends PATH [--applicants N] [--preset P] [--model M]

As in the papers every feature may change, also the ones that the embedded schema fixes. For every applicant and formulation: the program is exported by `amends export`, solved by highspy with the options
that amends sets, and solved by `amends solve`. Times are CPU seconds: all of the process for amends (reading, building,
checking included), the call of `run` alone for highspy. Needs highspy (scripts/tools.sh bench).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GERMAN = Path(__file__).parents[2] / "crates/amends/src/data/german"
FORMULATIONS = ["pairwise", "reduced", "compact"]
OPTIONS = {
    "mip_rel_gap": 1e-9,
    "mip_abs_gap": 0.0,
    "mip_allow_restart": False,
    "mip_feasibility_tolerance": 1e-10,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "random_seed": 0,
    "threads": 1,
    "output_flag": False,
}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--amends", type=Path, required=True, help="the program, built with the feature highs")
    arguments.add_argument("--applicants", type=int, default=5)
    arguments.add_argument("--preset", default="dace")
    arguments.add_argument("--model", default="lr")
    arguments.add_argument("--solve-with-highspy", type=Path, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.solve_with_highspy:
        solve_with_highspy(asked.solve_with_highspy)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(asked, Path(folder))


def compare(asked, folder):
    schema = folder / "german.toml"
    fixed = 'change = "immutable"'
    schema.write_text((GERMAN / "german.toml").read_text().replace(fixed, 'change = "free"'))
    command = [asked.amends, "instance", "--preset", asked.preset, "--model", asked.model]
    command += ["--data", GERMAN / "german.csv", "--schema", schema]
    lines = run(command + ["--rejected", str(asked.applicants)]).stdout.splitlines()
    print(f"German credit, {asked.model}, preset {asked.preset}, {len(lines)} applicants, 1 thread, CPU seconds")
    print(f"{'applicant':>9} {'formulation':>12} {'rows':>6} {'nonzeros':>9} {'amends':>8} {'highspy':>8} {'ratio':>6}  objective")
    times = {formulation: [] for formulation in FORMULATIONS}
    for number, line in enumerate(lines, 1):
        instance = folder / f"{number}.json"
        instance.write_text(line)
        for formulation in FORMULATIONS:
            ours, cpu = solve_with_amends(asked.amends, instance, formulation)
            program = folder / "program.mps"
            run([asked.amends, "export", instance, "--formulation", formulation, "--output", program])
            theirs = json.loads(run([sys.executable, __file__, "--amends", asked.amends, "--solve-with-highspy", program]).stdout)
            times[formulation].append((cpu, theirs["cpu"]))
            agree = abs(ours["objective"] - theirs["objective"]) <= 1e-6 * abs(ours["objective"])
            print(
                f"{number:>9} {formulation:>12} {ours['rows']:>6} {ours['nonzeros']:>9} {cpu:>8.2f} {theirs['cpu']:>8.2f} "
                f"{cpu / theirs['cpu']:>6.2f}  {ours['objective']:.9f} {ours['status']}"
                + ("" if agree else f"  highspy says {theirs['objective']:.9f}"),
                flush=True,
            )
    print()
    for formulation in FORMULATIONS:
        ours, theirs = zip(*times[formulation])
        print(
            f"{formulation:>12}: median amends {statistics.median(ours):.2f}, highspy {statistics.median(theirs):.2f}; "
            f"sum of amends over sum of highspy {sum(ours) / sum(theirs):.2f}"
        )
    for slower in ["reduced", "pairwise"]:
        pairs = list(zip(times[slower], times["compact"]))
        for column, who in enumerate(["amends", "highspy"]):
            total = sum(slow[column] for slow, _ in pairs) / sum(fast[column] for _, fast in pairs)
            medians = statistics.median(slow[column] for slow, _ in pairs) / statistics.median(fast[column] for _, fast in pairs)
            print(f"{who}: compact is {medians:.1f} times as fast as {slower} (medians), {total:.1f} times (sums)")


def run(command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)


def solve_with_amends(amends, instance, formulation):
    command = [amends, "solve", instance, "--engine", "milp", "--solver", "highs", "--formulation", formulation]
    process = subprocess.Popen([str(part) for part in command + ["--threads", "1", "--json"]], stdout=subprocess.PIPE, text=True)
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"amends ended with {status}")
    return json.loads(text), used.ru_utime + used.ru_stime


def solve_with_highspy(program):
    import highspy

    solver = highspy.Highs()
    for option, value in OPTIONS.items():
        solver.setOptionValue(option, value)
    solver.readModel(str(program))
    begin = time.process_time()
    solver.run()
    cpu = time.process_time() - begin
    print(json.dumps({"cpu": cpu, "objective": solver.getInfo().objective_function_value}))


main()
