"""amends beside DiCE on the same applicants: validity, changes, distance, plausibility, time.

    pip install ./crates/amends-python dice-ml scikit-learn
    python scripts/bench/dice.py [--applicants 30] [--json FILE]

German credit; scikit-learn models behind a scaler and a one-hot encoder, fitted on three quarters of the rows. The rejected
of the other quarter ask for one counterfactual each, from every method, with the same columns free to change. What comes back is
judged here, by neither tool: by the model's own `predict`, by counting columns, and by scikit-learn's LocalOutlierFactor.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import logging
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

    def __init__(self, model, X: pd.DataFrame, y: pd.Series, numbers: list[str]) -> None:
        self.model, self.numbers = model, numbers
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
            "allowed": not set(changed) & set(FIXED) and inside,
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
            told = engine.generate_counterfactuals(
                row, total_CFs=1, desired_class=1, features_to_vary=free, verbose=False, **extra
            )
        except Exception as error:  # DiCE raises where it finds nothing.
            if "No counterfactuals found" not in str(error):
                raise
            return None
        found = told.cf_examples_list[0].final_cfs_df
        return None if found is None or found.empty else found.drop(columns="outcome").head(1)

    return ask


def by_amends(model, X: pd.DataFrame, y: pd.Series, free: list[str]):
    explainer = amends.Explainer(model, desired_class=1, features_to_vary=free).fit(X, y)

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
    free = [name for name in X.columns if name not in FIXED]
    X_train, X_rest, y_train, _ = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)
    answers = []
    for name, make in MODELS.items():
        texts = [column for column in X.columns if column not in numbers]
        columns = ColumnTransformer(
            [("n", StandardScaler(), numbers), ("t", OneHotEncoder(sparse_output=False), texts)]
        )
        model = make_pipeline(columns, make()).fit(X_train, y_train)
        rejected = X_rest[model.predict(X_rest) == 0].head(asked.applicants)
        judge = Judge(model, X_train, y_train, numbers)
        methods = {"amends": lambda: by_amends(model, X_train, y_train, free)}
        for method in ("random", "genetic", "kdtree"):
            methods[f"DiCE {method}"] = lambda method=method: by_dice(method, model, X_train, y_train, numbers, free)
        for tool, start in methods.items():
            ask = start()
            for place in range(len(rejected)):
                row = rejected.iloc[[place]]
                began = time.perf_counter()
                with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
                    found = ask(row)
                seconds = time.perf_counter() - began
                answers.append({"model": name, "tool": tool, "seconds": seconds, **judge(row, found)})
            show(pd.DataFrame([one for one in answers if (one["model"], one["tool"]) == (name, tool)]), name, tool)
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump(answers, file, indent=1)


def show(one: pd.DataFrame, model: str, tool: str) -> None:
    """A line of the table: shares of all applicants, means of what was found."""
    if not show.started:
        print("| model | tool | found | valid | within the limits | changes | Mahalanobis | 10-LOF | median s | slowest s |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        show.started = True
    found = one[one["found"]]
    share = lambda key: f"{int(found[key].sum())}/{len(one)}" if len(found) else f"0/{len(one)}"
    mean = lambda key: f"{found[key].mean():.2f}" if len(found) else ""
    print(
        f"| {model} | {tool} | {len(found)}/{len(one)} | {share('valid')} | {share('allowed')} | {mean('changes')} | "
        f"{mean('distance')} | {mean('lof')} | {one['seconds'].median():.3f} | {one['seconds'].max():.2f} |",
        flush=True,
    )


show.started = False

if __name__ == "__main__":
    main()
