"""Tables with many columns, to measure what columns cost.

    python scripts/bench/scale/tables.py factors --columns 123 --rows 10000 --seed 1 --output FILE
    python scripts/bench/scale/tables.py months --columns 223 --rows 5000 --seed 2 --output FILE
    python scripts/bench/scale/tables.py extend --table taiwan_credit.csv --drop id --target will_default_next_month
        --columns 123 --rows 30000 --seed 3 --output FILE
    amends init FILE --target default --favourable 0 --output SCHEMA
    amends explain --data FILE --schema SCHEMA --model lr --test-share 0.1 --rejected 10 --threads 1 --format json

Three families, each the same on every machine for a seed:
- factors: log-normal amounts, small counts, decimals and flags of a few common factors, and a few columns of levels;
- months: quantities over months, each correlated with the month before, and their means, largest values and trends;
- extend: the columns of a table, and further ones made of them: noisy sums of two, and lags with noise.
Python's standard library is enough.
"""

import argparse
import csv
import math
import random
from pathlib import Path


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("family", choices=["factors", "months", "extend"])
    arguments.add_argument("--columns", type=int, required=True, help="how many, without the target")
    arguments.add_argument("--rows", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--table", type=Path, help="the table to extend, all numbers")
    arguments.add_argument("--target", help="its column with the outcome, 1 for default")
    arguments.add_argument("--drop", nargs="*", default=[], help="columns of it to leave out")
    arguments.add_argument("--output", type=Path, required=True)
    asked = arguments.parse_args()
    chance = random.Random(asked.seed)
    if asked.family == "extend":
        names, rows, outcomes = extend(asked, chance)
    else:
        family = factors if asked.family == "factors" else months
        names, rows, risks = family(asked.columns, asked.rows, chance)
        outcomes = draw_outcomes(risks, chance)
    with open(asked.output, "w", newline="") as output:
        writer = csv.writer(output)
        writer.writerow([*names, "default"])
        writer.writerows([*row, outcome] for row, outcome in zip(rows, outcomes))


def draw_outcomes(risks, chance):
    """About a quarter defaults, the more likely the higher the risk."""
    mean = sum(risks) / len(risks)
    spread = math.sqrt(sum((risk - mean) ** 2 for risk in risks) / len(risks))
    return [int(chance.random() < 1 / (1 + math.exp(1.4 - 1.5 * (risk - mean) / spread))) for risk in risks]


def factors(columns, rows, chance):
    """Columns of eight common factors; the risk depends on the factors and a few columns' own parts."""
    count = 8
    kinds = chance.choices(["amount", "count", "decimal", "flag", "level"], weights=[35, 25, 30, 6, 4], k=columns)
    loads = []
    for _ in range(columns):
        load = [0.0] * count
        for factor in chance.sample(range(count), 2):
            load[factor] = chance.uniform(-1, 1)
        loads.append((load, chance.uniform(0.4, 1.0), chance.uniform(2, 9), chance.uniform(0.2, 1.2)))
    weights = [chance.gauss(0, 1) for _ in range(count)]
    own = {column: chance.gauss(0, 0.4) for column in chance.sample(range(columns), columns // 4)}
    table, risks = [], []
    for _ in range(rows):
        hidden = [chance.gauss(0, 1) for _ in range(count)]
        risk = sum(weight * factor for weight, factor in zip(weights, hidden))
        row = []
        for column, (kind, (load, noise, level, width)) in enumerate(zip(kinds, loads)):
            alone = chance.gauss(0, 1)
            risk += own.get(column, 0.0) * alone
            value = sum(load * factor for load, factor in zip(load, hidden)) + noise * alone
            if kind == "amount":
                row.append(round(math.exp(level + width * value)))
            elif kind == "count":
                row.append(max(0, round(level / 3 * math.exp(0.5 * value))))
            elif kind == "decimal":
                row.append(round(level * value, 2))
            elif kind == "flag":
                row.append(int(value > 0.5))
            else:
                row.append("low" if value < -0.6 else "middle" if value < 0.6 else "high")
        table.append(row)
        risks.append(risk)
    return [f"{kind}_{column}" for column, kind in enumerate(kinds)], table, risks


def months(columns, rows, chance):
    """Series of twelve months, and what sums them up: columns that others nearly determine."""
    names, plans = [], []
    while len(names) < columns:
        series = len(plans)
        plans.append((chance.uniform(0.6, 0.95), chance.uniform(0.3, 1.0), chance.uniform(3, 8), series % 3))
        names += [f"q{series}_m{month}" for month in range(1, 13)]
        names += [f"q{series}_mean", f"q{series}_most", f"q{series}_trend"]
    weights = [(chance.gauss(0, 1), chance.gauss(0, 0.6)) for _ in plans]
    table, risks = [], []
    for _ in range(rows):
        wealth = chance.gauss(0, 1)
        row, risk = [], 0.0
        for (keep, width, level, kind), (of_last, of_trend) in zip(plans, weights):
            value, values = 0.5 * wealth + chance.gauss(0, 1), []
            for _ in range(12):
                value = keep * value + math.sqrt(1 - keep * keep) * chance.gauss(0, 1)
                if kind == 0:
                    values.append(round(math.exp(level + width * value)))
                elif kind == 1:
                    values.append(max(0, round(2 + 2 * value)))
                else:
                    values.append(round(10 * value, 1))
            risk += of_last * value + of_trend * (value - wealth)
            mean = sum(values) / 12
            row += [*values, round(mean, 2), max(values), round(values[-1] - sum(values[-4:-1]) / 3, 2)]
        table.append(row[:columns])
        risks.append(risk)
    return names[:columns], table, risks


def extend(asked, chance):
    """A table's own columns and outcomes, and further columns made of them."""
    with open(asked.table, newline="") as source:
        records = list(csv.DictReader(source))
    chance.shuffle(records)
    records = records[: asked.rows]
    names = [name for name in records[0] if name != asked.target and name not in asked.drop]
    outcomes = [int(float(record[asked.target])) for record in records]
    own = [[float(record[name]) for name in names] for record in records]
    scales = []
    for column in range(len(names)):
        values = [row[column] for row in own]
        mean = sum(values) / len(values)
        scales.append((mean, math.sqrt(sum((value - mean) ** 2 for value in values) / len(values)) or 1.0))
    rows = [[int(value) if value.is_integer() else value for value in row] for row in own]
    given = len(names)
    for extra in range(max(0, asked.columns - given)):
        a, b = chance.sample(range(given), 2)
        noise = chance.uniform(0.3, 1.0)
        digits = chance.choice([0, 0, 1, 2])
        if chance.random() < 0.5:
            weights, scale = (chance.uniform(-1, 1), chance.uniform(-1, 1)), 10 ** chance.randint(1, 4)
            names.append(f"sum_{extra}")
            for row, values in zip(rows, own):
                parts = [w * (values[c] - scales[c][0]) / scales[c][1] for w, c in zip(weights, (a, b))]
                row.append(rounded(scale * (sum(parts) + noise * chance.gauss(0, 1)), digits))
        else:
            keep = chance.uniform(0.5, 0.95)
            mean, scale = scales[a]
            least = min(values[a] for values in own)
            names.append(f"lag_{extra}")
            for row, values in zip(rows, own):
                value = mean + keep * (values[a] - mean) + noise * scale * chance.gauss(0, 0.7)
                row.append(rounded(max(least, value), digits))
    return names[: asked.columns], [row[: asked.columns] for row in rows], outcomes


def rounded(value, digits):
    return round(value) if digits == 0 else round(value, digits)


if __name__ == "__main__":
    main()
