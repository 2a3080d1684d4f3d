"""Writes crates/amends/tests/golden/trees/catboost*.json: fitted models of CatBoost on the made-up loans of trees.py, with rows and
the library's own margins. Rows lie on borders and next to them, in 32 and in 64 bits, and on missing values.

    python catboost.py      with catboost 1.2.10, pandas, numpy; trees.py beside it
"""

import json
import pathlib
import sys

import numpy as np
import pandas as pd

# This script has the library's name.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).parent]
from catboost import CatBoostClassifier, __version__  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).parent))
import trees  # noqa: E402

CATEGORIES = ["housing", "savings", "phone"]


def frame(cells):
    """Numbers with missing values, and categories as texts."""
    table = trees.numbers(cells)
    for name in CATEGORIES:
        table[name] = cells[name].astype(str).astype(object)
    return table


def encoded(cells):
    return trees.encoded(cells)


def borders(model):
    """The borders of numbers, by their names."""
    found = {}
    for feature in model["features_info"]["float_features"]:
        found[feature["feature_id"]] = [np.float32(border) for border in feature["borders"]]
    return found


def write(name, cells, outcome, view, **params):
    common = {"iterations": 8, "depth": 4, "learning_rate": 0.4, "random_seed": 1, "thread_count": 1}
    common |= {"verbose": 0, "allow_writing_files": False}
    if view is frame:
        common["cat_features"] = CATEGORIES
    model = CatBoostClassifier(**common | params).fit(view(cells), outcome)
    if name == "catboost-threshold":
        model.set_probability_threshold(0.3)
    path = trees.FOLDER / f"{name}.json"
    model.save_model(path, format="json")
    saved = json.loads(path.read_text())
    info = saved["model_info"]
    kept = {"class_params": info["class_params"], "params": {"loss_function": info["params"]["loss_function"]}}
    if "binclass_probability_threshold" in info:
        kept["binclass_probability_threshold"] = info["binclass_probability_threshold"]
    # Settings and weights decide nothing, and take most of the file.
    saved["model_info"] = kept
    for tree in saved.get("oblivious_trees", []):
        tree.pop("leaf_weights", None)
    path.write_text(json.dumps(saved, separators=(",", ":")) + "\n")
    rows = trees.rows_for(cells, borders(saved), seed=len(name))
    margins = model.predict(view(rows), prediction_type="RawFormulaVal")
    ones = np.ravel(model.predict(view(rows), prediction_type="Class")).astype(int)
    golden = {
        "library": f"catboost {__version__}",
        "rows": rows.values.tolist(),
        "margins": [float(margin) for margin in margins],
        "ones": [int(one) for one in ones],
    }
    (trees.FOLDER / f"{name}.rows.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(name, len(rows), "rows")


def main():
    cells, outcome = trees.loans()
    write("catboost", cells, outcome, frame, one_hot_max_size=255)
    write("catboost-max", cells, outcome, frame, one_hot_max_size=255, nan_mode="Max")
    write("catboost-ctr", cells, outcome, frame, one_hot_max_size=1, max_ctr_complexity=1)
    # What no category says alone.
    together = (cells["housing"] == "own") ^ (cells["phone"] == "yes") ^ (cells["savings"] == "much")
    mixed = {"one_hot_max_size": 2, "max_ctr_complexity": 3, "depth": 5, "random_seed": 3}
    write("catboost-pairs", cells, (together ^ (cells["age"].astype(int) > 60)).astype(int), frame, **mixed)
    write("catboost-lossguide", cells, outcome, frame, one_hot_max_size=255, grow_policy="Lossguide", max_leaves=12)
    write("catboost-encoded", cells, outcome, encoded)
    write("catboost-threshold", cells, outcome, frame, one_hot_max_size=255, iterations=4)


if __name__ == "__main__":
    main()
