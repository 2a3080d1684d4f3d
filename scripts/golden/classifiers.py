"""Writes scikit-learn's decisions on German credit, which the trainers are tested against.

Usage: python scripts/golden/classifiers.py GERMAN_ONEHOT.csv > crates/amends/tests/golden/sklearn_splits.json

The table holds one encoded row per applicant, in UCI's order: numeric features as they are, one 0/1
column per level of the others, and last a column that is 1 for bad credit. The order of the columns is
of no account. Needs scikit-learn (made with 1.9.1), numpy and pandas; the same versions give the same
file, byte by byte.

For each of ten splits (`train_test_split(test_size=0.25, random_state=s)`), with good as the positive class:
- `test`: the numbers of the test rows, from 0, in scikit-learn's order;
- splits 0 to 2 only: the decisions on them, one digit per test row, of
  - `logistic_regression`: LogisticRegression(C=1) on raw columns, converged (and its intercept),
  - `linear_svm`: LinearSVC(C=1) after StandardScaler on the columns that are not 0/1,
  - `boosted_trees`: GradientBoostingClassifier() with seed 0, which breaks ties between splits;
- `forest_accuracy`, `forest_recall`: RandomForestClassifier(100 trees, depth 6), mean over five seeds;
- `boosted_accuracy`, `boosted_recall`: GradientBoostingClassifier(), mean over the same seeds.
"""

import json
import sys

import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, recall_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

SPLITS = 10
SPLITS_WITH_DECISIONS = 3
SEEDS = 5


def digits(decisions):
    return "".join(str(int(decision)) for decision in decisions)


def mean_quality(name, make, x, good, train, test):
    measured = []
    for seed in range(SEEDS):
        decisions = make(seed).fit(x[train], good[train]).predict(x[test])
        measured.append((accuracy_score(good[test], decisions), recall_score(good[test], decisions)))
    accuracy, recall = np.mean(measured, axis=0)
    return {f"{name}_accuracy": round(float(accuracy), 6), f"{name}_recall": round(float(recall), 6)}


def forest(seed):
    return RandomForestClassifier(n_estimators=100, max_depth=6, random_state=seed)


def boosted(seed):
    return GradientBoostingClassifier(random_state=seed)


def decisions(x, good, train, test):
    numeric = [d for d in range(x.shape[1]) if not set(np.unique(x[:, d])) <= {0.0, 1.0}]
    logistic = LogisticRegression(C=1.0, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    logistic.fit(x[train], good[train])
    scaler = ColumnTransformer([("scale", StandardScaler(), numeric)], remainder="passthrough")
    svm = make_pipeline(scaler, LinearSVC(C=1.0, random_state=0)).fit(x[train], good[train])
    return {
        "logistic_regression": digits(logistic.predict(x[test])),
        "logistic_intercept": float(logistic.intercept_[0]),
        "linear_svm": digits(svm.predict(x[test])),
        "boosted_trees": digits(boosted(0).fit(x[train], good[train]).predict(x[test])),
    }


def main(path):
    table = pd.read_csv(path)
    x = table.iloc[:, :-1].to_numpy(dtype=float)
    good = 1 - table.iloc[:, -1].to_numpy(dtype=int)
    splits = []
    for state in range(SPLITS):
        train, test = train_test_split(np.arange(len(x)), test_size=0.25, random_state=state)
        split = {"random_state": state, "test": [int(row) for row in test]}
        if state < SPLITS_WITH_DECISIONS:
            split |= decisions(x, good, train, test)
        for name, make in [("forest", forest), ("boosted", boosted)]:
            split |= mean_quality(name, make, x, good, train, test)
        splits.append(split)
    lines = ",\n".join(json.dumps(split, separators=(",", ":")) for split in splits)
    print(f'{{"scikit_learn":"{sklearn.__version__}","splits":[\n{lines}\n]}}')


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
