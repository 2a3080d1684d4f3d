"""amends beside DiCE on the same applicants: validity, changes, distance, plausibility, time.

    pip install ./crates/amends-python dice-ml scikit-learn
    python scripts/bench/dice.py [--applicants 30] [--json FILE]

German credit; scikit-learn models behind a scaler and a one-hot encoder, fitted on three quarters of the rows. The rejected
of the other quarter ask for one counterfactual each, from every method, with the same columns free to change: once those that
advice may name, once all. What comes back is judged here, by neither tool: by the model's own `predict`, by counting columns, and by
scikit-learn's LocalOutlierFactor.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
import sys
import time
import warnings

import amends
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import LocalOutlierFactor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

#: Nobody is advised to change these.
FIXED = ["age", "personal_status_sex", "foreign_worker", "people_liable", "credit_history", "purpose"]

MODELS = {
    "logistic regression": lambda: LogisticRegression(max_iter=2000),
    "random forest": lambda: RandomForestClassifier(100, max_depth=6, random_state=0),
    "neural network": lambda: MLPClassifier((16,), max_iter=400, alpha=1.0, random_state=0),
}


class Judge:
    """Measures changed applications with code that found none of them."""

    def __init__(self, model, X: pd.DataFrame, y: pd.Series, numbers: list[str], free: list[str]) -> None:
        self.model, self.numbers, self.free = model, numbers, free
        texts = [name for name in X.columns if name not in numbers]
        self.columns = ColumnTransformer(
            [("n", "passthrough", numbers), ("t", OneHotEncoder(sparse_output=False, handle_unknown="ignore"), texts)]
        ).fit(X)
        rows = self.columns.transform(X)
        self.deviation = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
        # One-hot columns add up to one, so their covariance has no inverse but this one.
        self.precision = np.linalg.pinv(np.cov(rows, rowvar=False, bias=True), hermitian=True)
        accepted = rows[(y == 1).to_numpy()] / self.deviation
        self.outliers = LocalOutlierFactor(n_neighbors=10, novelty=True).fit(accepted)
        self.limits = X[numbers].agg(["min", "max"])

    def __call__(self, before: pd.DataFrame, after: pd.DataFrame | None) -> dict[str, float | bool]:
        if after is None:
            return {"found": False}
        after = after[before.columns].astype(before.dtypes.to_dict())
        old, new = before.iloc[0], after.iloc[0]
        changed = [name for name in before.columns if old[name] != new[name]]
        rows = self.columns.transform(pd.concat([before, after]))
        step = rows[1] - rows[0]
        inside = all(self.limits.loc["min", n] <= new[n] <= self.limits.loc["max", n] for n in self.numbers if n in changed)
        return {
            "found": True,
            "valid": bool(self.model.predict(after)[0] == 1),
            "allowed": set(changed) <= set(self.free) and inside,
            "changes": len(changed),
            "distance": float(np.sqrt(max(0.0, step @ self.precision @ step))),
            "lof": float(-self.outliers.score_samples(rows[1:] / self.deviation)[0]),
        }


def by_dice(method: str, model, X: pd.DataFrame, y: pd.Series, numbers: list[str], free: list[str]):
    import dice_ml

    data = dice_ml.Data(dataframe=X.assign(outcome=y), continuous_features=numbers, outcome_name="outcome")
    engine = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)
    extra = {"random_seed": 0} if method == "random" else {}

    def ask(row: pd.DataFrame) -> pd.DataFrame | None:
        try:
            generated = engine.generate_counterfactuals(
                row, total_CFs=1, desired_class=1, features_to_vary=free, verbose=False, **extra
            )
        except Exception as error:  # DiCE raises where it finds nothing.
            if "No counterfactuals found" not in str(error):
                raise
            return None
        found = generated.cf_examples_list[0].final_cfs_df
        return None if found is None or found.empty else found.drop(columns="outcome").head(1)

    return ask


def by_amends(model, X: pd.DataFrame, y: pd.Series, free: list[str], most: int):
    explainer = amends.Explainer(model, desired_class=1, features_to_vary=free, max_changes=most).fit(X, y)

    def ask(row: pd.DataFrame) -> pd.DataFrame | None:
        found = explainer.explain(row, n_jobs=1)[0].applications()
        return None if found.empty else found.head(1)

    return ask


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--applicants", type=int, default=30)
    arguments.add_argument("--json", help="also write every single answer's figures here")
    asked = arguments.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)

    german = amends.load_german()
    numbers = list(german.X.select_dtypes("number").columns)
    # DiCE wants texts and 0/1 rather than categories.
    X = german.X.astype({name: object for name in german.X.columns if name not in numbers})
    y = (german.y == "good").astype(int).rename("outcome")
    X_train, X_rest, y_train, _ = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
    answers = []
    for name, make in MODELS.items():
        texts = [column for column in X.columns if column not in numbers]
        columns = ColumnTransformer(
            [("n", StandardScaler(), numbers), ("t", OneHotEncoder(sparse_output=False), texts)]
        )
        model = make_pipeline(columns, make()).fit(X_train, y_train)
        rejected = X_rest[model.predict(X_rest) == 0].head(asked.applicants)
        for which, fixed in {"advisable": FIXED, "all": []}.items():
            free = [column for column in X.columns if column not in fixed]
            judge = Judge(model, X_train, y_train, numbers, free)
            methods = {
                f"amends, at most {most} changes": lambda most=most: by_amends(model, X_train, y_train, free, most)
                for most in (4, 2)
            }
            for method in ("random", "genetic", "kdtree"):
                methods[f"DiCE {method}"] = lambda method=method: by_dice(method, model, X_train, y_train, numbers, free)
            for tool, start in methods.items():
                label = {"model": name, "columns": which, "tool": tool}
                answers += asked_of(start(), rejected, judge, label)
    show(pd.DataFrame(answers))
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(answers, file, indent=1)


def asked_of(ask, rejected: pd.DataFrame, judge: Judge, label: dict[str, str]) -> list[dict[str, object]]:
    """Every applicant's answer, timed and judged."""
    answers = []
    for place in range(len(rejected)):
        row = rejected.iloc[[place]]
        began = time.perf_counter()
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            found = ask(row)
        answers.append({**label, "seconds": time.perf_counter() - began, **judge(row, found)})
    print(f"done: {', '.join(label.values())}", file=sys.stderr)
    return answers


def show(answers: pd.DataFrame) -> None:
    """Two tables: shares of all applicants, means of what was found and is valid."""
    for which, part in answers.groupby("columns", sort=False):
        print(f"\nColumns free to change: {which}\n")
        print("| model | tool | found and valid | within the limits | changes | Mahalanobis | 10-LOF | median s | slowest s |")
        print("|---|---|---|---|---|---|---|---|---|")
        for (model, tool), one in part.groupby(["model", "tool"], sort=False):
            good = one[one["found"] & (one["valid"] == True)]  # noqa: E712, missing where nothing was found
            within = int((good["allowed"] == True).sum())  # noqa: E712
            means = " | ".join(f"{good[key].mean():.2f}" if len(good) else "" for key in ("changes", "distance", "lof"))
            print(
                f"| {model} | {tool} | {len(good)} of {len(one)} | {within} | {means} | "
                f"{one['seconds'].median():.3f} | {one['seconds'].max():.2f} |"
            )


if __name__ == "__main__":
    main()
