"""Writes crates/amends/tests/golden/trees/: fitted trees of XGBoost and LightGBM on made-up loans, with rows and the
libraries' own margins. Rows lie on thresholds and next to them, in 32 and in 64 bits, on zeros and on missing values.

    python trees.py xgboost lightgbm      with xgboost 3.2.0, lightgbm 4.7.0, pandas, numpy
    python trees.py xgboost-1.7           with xgboost 1.7.6, whose files look different
    python trees.py lightgbm-3.3          with lightgbm 3.3.5
"""

import json
import pathlib
import sys

import numpy as np
import pandas as pd

FOLDER = pathlib.Path(__file__).parents[2] / "crates/amends/tests/golden/trees"
ROWS = 400
SAVINGS = ["none", "some", "much"]
HOUSING = ["rent", "own", "with family"]
# The encoded columns that thresholds are looked for in; the others hold few numbers.
ENCODED = ["amount"] + [""] * 9 + ["score", ""]


def loans():
    """Cells as a table has them, and what came of the loans."""
    draw = np.random.default_rng(7)
    amount = np.round(draw.gamma(2.0, 900.0, ROWS), 2)
    months = draw.integers(0, 60, ROWS).astype(str).astype(object)
    months[draw.random(ROWS) < 0.15] = "-7"
    months[draw.random(ROWS) < 0.15] = ""
    age = draw.integers(19, 75, ROWS)
    savings = draw.choice(SAVINGS, ROWS)
    phone = draw.choice(["no", "yes"], ROWS)
    housing = draw.choice(HOUSING, ROWS)
    score = np.round(draw.normal(size=ROWS), 3).astype(str).astype(object)
    score[draw.random(ROWS) < 0.2] = "0.0"
    score[draw.random(ROWS) < 0.2] = "NA"
    cells = pd.DataFrame(
        {"amount": amount.astype(str), "months": months, "age": age.astype(str), "savings": savings}
        | {"phone": phone, "housing": housing, "score": score}
    )
    risk = (
        amount / 1500
        - (months == "-7")
        + 0.5 * (months == "")
        - age / 60
        - (savings == "much")
        - 0.7 * (housing == "own")
        + 0.6 * (score == "NA")
        + 0.4 * (score == "0.0")
        + draw.normal(size=ROWS) * 0.4
    )
    return cells, (risk > np.median(risk)).astype(int)


def numbers(cells):
    """What pandas makes of the table, with ranks for levels."""
    table = pd.DataFrame(index=cells.index)
    for name in ["amount", "months", "age"]:
        table[name] = pd.to_numeric(cells[name])
    table["savings"] = cells["savings"].map(SAVINGS.index)
    table["phone"] = cells["phone"].map(["no", "yes"].index)
    table["score"] = pd.to_numeric(cells["score"].replace("NA", ""))
    return table.astype(float)


def one_hot(cells):
    dummies = pd.get_dummies(cells["housing"], prefix="housing", dtype=float)
    return pd.concat([numbers(cells), dummies], axis=1)


def categories(cells):
    table = numbers(cells)
    # In another order than the schema's.
    table["housing"] = pd.Categorical(cells["housing"], categories=sorted(HOUSING))
    table["savings"] = pd.Categorical(cells["savings"], categories=sorted(SAVINGS))
    return table


def encoded(cells):
    """Without names: the schema's encoded columns in order."""
    table = numbers(cells)
    columns = [table["amount"], table["months"].where(~table["months"].isin([-7]), 0).fillna(0)]
    columns += [(cells["months"] == "-7"), (cells["months"] == ""), table["age"], table["savings"]]
    columns += [table["phone"]] + [cells["housing"] == level for level in HOUSING]
    columns += [table["score"].fillna(0), cells["score"] == "NA"]
    return np.column_stack([np.asarray(column, dtype=float) for column in columns])


def neighbours(threshold):
    """A number, and those next to it, in 32 and in 64 bits."""
    single = np.float32(threshold)
    around = [np.nextafter(single, np.float32(side)) for side in (-np.inf, np.inf)]
    halves = [(float(single) + float(other)) / 2 for other in around]
    found = [float(threshold), float(single), *map(float, around), *halves]
    found += [np.nextafter(x, side) for x in [threshold, *halves] for side in (-np.inf, np.inf)]
    return found


def rows_for(cells, thresholds, seed):
    """Rows of the table, and rows on and around the thresholds of its numbers."""
    draw = np.random.default_rng(seed)
    rows = cells.sample(30, random_state=seed).to_dict("records")
    for name in ["amount", "score"]:
        edges = sorted({edge for t in thresholds.get(name, []) for edge in neighbours(t)})
        if name == "score":
            edges += [0.0, 1e-35, -1e-35, 1e-36, -1e-36, float(np.float32(1e-35)), 2e-35, -2e-35]
        for edge in draw.permutation(edges)[:45]:
            row = cells.iloc[draw.integers(len(cells))].to_dict()
            rows.append(row | {name: repr(float(edge))})
    for months in ["-7", "", "0", "-8", "-6", "59"]:
        rows.append(cells.iloc[draw.integers(len(cells))].to_dict() | {"months": months})
    return pd.DataFrame(rows)


def write(name, rows, margins, probabilities, library, **settings):
    assert np.all(np.abs(1 / (1 + np.exp(-margins)) - probabilities) < 1e-6)
    golden = {
        "library": library,
        **settings,
        "rows": rows.values.tolist(),
        "margins": [float(margin) for margin in margins],
        "ones": [int(p > 0.5) for p in probabilities],
    }
    (FOLDER / f"{name}.rows.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(name, len(rows), "rows")


def xgboost_model(name, cells, outcome, view, rounds=8, **params):
    import xgboost as xgb

    def matrix(cells, label=None):
        return xgb.DMatrix(view(cells), label, enable_categorical=view is categories)

    common = {"objective": "binary:logistic", "max_depth": 4, "eta": 0.4, "seed": 1}
    booster = xgb.train(common | params, matrix(cells, outcome), rounds)
    path = FOLDER / f"{name}.json"
    booster.save_model(path)
    model = json.loads(path.read_text())["learner"]
    trees = model["gradient_booster"]
    trees = trees.get("gbtree", trees)["model"]["trees"]
    columns = model["feature_names"] or ENCODED
    thresholds = {}
    for tree in trees:
        for node, left in enumerate(tree["left_children"]):
            if left >= 0 and tree["split_type"][node] == 0:
                column = columns[tree["split_indices"][node]]
                thresholds.setdefault(column, []).append(np.float32(tree["split_conditions"][node]))
    rows = rows_for(cells, thresholds, seed=len(name))
    margins = booster.predict(matrix(rows), output_margin=True)
    probabilities = booster.predict(matrix(rows))
    if params.get("objective") == "binary:logitraw":
        probabilities = 1 / (1 + np.exp(-probabilities))
    write(name, rows, margins, probabilities, f"xgboost {xgb.__version__}")


def lightgbm_model(name, cells, outcome, view, rounds=8, **params):
    import lightgbm as lgb

    common = {"objective": "binary", "num_leaves": 9, "learning_rate": 0.4, "min_data_in_leaf": 8}
    common |= {"min_data_per_group": 5, "cat_smooth": 1, "verbose": -1, "seed": 1, "num_threads": 1}
    booster = lgb.train(common | params, lgb.Dataset(view(cells), outcome), rounds)
    path = FOLDER / f"{name}.txt"
    booster.save_model(path)
    # Settings and importances decide nothing, and take most of the file.
    text = path.read_text()
    head, rest = text.split("\nfeature_importances:")
    path.write_text(head + "\n" + "".join(rest.partition("pandas_categorical:")[1:]))
    booster = lgb.Booster(model_file=path)
    thresholds = {}
    names = ENCODED if view is encoded else booster.feature_name()

    def visit(node):
        if "split_feature" in node:
            if node["decision_type"] == "<=":
                thresholds.setdefault(names[node["split_feature"]], []).append(node["threshold"])
            visit(node["left_child"])
            visit(node["right_child"])

    for tree in booster.dump_model()["tree_info"]:
        visit(tree["tree_structure"])
    rows = rows_for(cells, thresholds, seed=len(name))
    scale = params.get("sigmoid", 1.0) / (rounds if params.get("boosting") == "rf" else 1)
    margins = booster.predict(view(rows), raw_score=True) * scale
    write(name, rows, margins, booster.predict(view(rows)), f"lightgbm {lgb.__version__}")


def main():
    cells, outcome = loans()
    FOLDER.mkdir(exist_ok=True)
    for made in sys.argv[1:]:
        if made == "xgboost":
            xgboost_model("xgboost", cells, outcome, one_hot)
            xgboost_model("xgboost-categories", cells, outcome, categories, max_cat_to_onehot=2)
            xgboost_model("xgboost-dart", cells, outcome, one_hot, booster="dart", rate_drop=0.4)
            raw = {"objective": "binary:logitraw", "base_score": 0.3, "num_parallel_tree": 2}
            xgboost_model("xgboost-encoded", cells, outcome, encoded, rounds=4, subsample=0.7, **raw)
        elif made == "lightgbm":
            lightgbm_model("lightgbm", cells, outcome, one_hot)
            lightgbm_model("lightgbm-categories", cells, outcome, categories, sigmoid=0.7)
            lightgbm_model("lightgbm-zero", cells, outcome, one_hot, zero_as_missing=True)
            lightgbm_model("lightgbm-plain", cells, outcome, encoded, use_missing=False)
            forest = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
            lightgbm_model("lightgbm-forest", cells, outcome, one_hot, **forest)
            lightgbm_model("lightgbm-dart", cells, outcome, one_hot, boosting="dart", drop_rate=0.5)
        elif made == "xgboost-1.7":
            xgboost_model("xgboost-1.7", cells, outcome, one_hot, base_score=0.4)
        elif made == "lightgbm-3.3":
            lightgbm_model("lightgbm-3.3", cells, outcome, categories)
        else:
            sys.exit(f"unknown: {made}")


if __name__ == "__main__":
    main()
