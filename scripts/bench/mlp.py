"""Instances of German credit with a neural network instead of a model that amends trains.

    python scripts/bench/mlp.py --amends PATH --hidden 50 --output FILE [--preset dace] [--applicants 10] [--free]
    amends solve FILE --json

scikit-learn's MLPClassifier is trained on three quarters of the rows, columns other than 0/1 standardised; the scaler is
folded into the first layer, so that the network takes raw columns. Of the other rows the first that it rejects
become instances: `amends instance` writes their options and costs (those of a linear model, a grid), and the classifier
is swapped. With --free every feature may change, as in the papers. Needs scikit-learn and numpy.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

GERMAN = Path(__file__).parents[2] / "crates/amends/src/data/german"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--amends", type=Path, required=True)
    arguments.add_argument("--hidden", type=int, nargs="+", default=[50], help="units of each hidden layer")
    arguments.add_argument("--alpha", type=float, default=1e-4, help="the penalty on weights")
    arguments.add_argument("--epochs", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--preset", default="dace")
    arguments.add_argument("--applicants", type=int, default=10)
    arguments.add_argument("--free", action="store_true", help="every feature may change")
    arguments.add_argument("--output", type=Path, required=True)
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        schema = Path(folder) / "german.toml"
        text = (GERMAN / "german.toml").read_text()
        schema.write_text(text.replace('change = "immutable"', 'change = "free"') if asked.free else text)
        write(asked, ["--data", GERMAN / "german.csv", "--schema", schema])


def write(asked, data):
    everyone = range(1, count_rows() + 1)
    rows = np.array([instance["x"] for instance in instances(asked.amends, data, everyone, ["--outlier", "none"])])
    classifier, test = train(asked, rows)
    rejected = [row for row in test if score(classifier, rows[row]) < 0][: asked.applicants]
    with asked.output.open("w") as file:
        costs = ["--preset", asked.preset]
        for instance in instances(asked.amends, data, [row + 1 for row in rejected], costs):
            instance["classifier"] = classifier
            file.write(json.dumps(instance) + "\n")
    print(f"{len(rejected)} applicants, rows {', '.join(str(row + 1) for row in rejected)}")


def count_rows():
    return len(outcomes())


def outcomes():
    with (GERMAN / "german.csv").open() as file:
        return [row["credit_risk"] for row in csv.DictReader(file)]


def instances(amends, data, rows, costs):
    command = [amends, "instance", *data, *costs, "--row", ",".join(str(row) for row in rows)]
    done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def train(asked, rows):
    good = np.array([outcome == "good" for outcome in outcomes()])
    train, test = train_test_split(np.arange(len(rows)), test_size=0.25, random_state=asked.seed)
    binary = np.isin(rows, [0.0, 1.0]).all(axis=0)
    scaler = StandardScaler().fit(rows[train])
    mean = np.where(binary, 0.0, scaler.mean_)
    scale = np.where(binary, 1.0, scaler.scale_)
    network = MLPClassifier(
        tuple(asked.hidden), alpha=asked.alpha, max_iter=asked.epochs, random_state=asked.seed
    ).fit((rows[train] - mean) / scale, good[train])
    weights = [matrix.T for matrix in network.coefs_]
    bias = [numbers.copy() for numbers in network.intercepts_]
    weights[0] = weights[0] / scale
    bias[0] = bias[0] - weights[0] @ mean
    layers = [{"weights": w.tolist(), "bias": b.tolist()} for w, b in zip(weights, bias)]
    classifier = {"kind": "mlp", "layers": layers}
    theirs = network.predict((rows[test] - mean) / scale)
    ours = np.array([score(classifier, rows[row]) >= 0 for row in test])
    assert (theirs == ours).all(), "the folded network decides as scikit-learn's"
    right = lambda some: np.mean(network.predict((rows[some] - mean) / scale) == good[some])
    print(f"hidden {asked.hidden}: right on {right(train):.3f} of the training rows, {right(test):.3f} of the others")
    return classifier, test


def score(classifier, row):
    *hidden, last = classifier["layers"]
    for layer in hidden:
        row = np.maximum(np.array(layer["weights"]) @ row + layer["bias"], 0.0)
    return float(np.array(last["weights"][0]) @ row + last["bias"][0])


main()
