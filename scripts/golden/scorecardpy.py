"""Writes crates/amends/tests/golden/scorecards/card.csv: a scorecard that scorecardpy fitted on the made-up loans of trees.py, and
card.rows.json: rows on and next to its breaks, special and missing values, with scorecardpy's own points.

    python scorecardpy.py      with scorecardpy 0.1.9.7, scikit-learn, pandas before 2.2 (scorecardpy needs it); trees.py beside it
"""

import json
import pathlib
import sys
import warnings

import numpy as np
import pandas as pd

# This script has the library's name.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]
import scorecardpy  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import trees  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "crates/amends/tests/golden/scorecards"
COLUMNS = ["amount", "months", "age", "savings", "housing", "score"]


def frame(cells):
    table = pd.DataFrame(index=cells.index)
    for name in ["amount", "months", "age", "score"]:
        # Not to_numeric, which is off by a digit now and then.
        table[name] = [float(cell) if cell not in ("", "NA") else np.nan for cell in cells[name]]
    table["age"] = table["age"].astype(int)
    for name in ["savings", "housing"]:
        table[name] = cells[name]
    return table[COLUMNS]


def main():
    warnings.filterwarnings("ignore")
    cells, outcome = trees.loans()
    table = frame(cells).assign(default=outcome)
    # scorecardpy finds special numbers again only in columns of whole numbers without a bin for missing ones.
    special = {"age": [40]}
    bins = scorecardpy.woebin(table, "default", special_values=special, no_cores=1, print_info=False)
    woe = scorecardpy.woebin_ply(table, bins, no_cores=1, print_info=False)
    names = [name for name in woe if name != "default"]
    model = LogisticRegression().fit(woe[names], outcome)
    card = scorecardpy.scorecard(bins, model, names)
    FOLDER.mkdir(exist_ok=True)
    pd.concat(card, ignore_index=True).to_csv(FOLDER / "card.csv", index=False)
    breaks = {}
    for name in ["amount", "score"]:
        lows = card[name]["bin"].str.extract(r"^\[(.+?),")[0].dropna().astype(float)
        breaks[name] = [low for low in lows if np.isfinite(low)]
    rows = trees.rows_for(cells, breaks, seed=5)
    points = scorecardpy.scorecard_ply(frame(rows), card)["score"]
    golden = {"library": f"scorecardpy {scorecardpy.__version__}", "rows": rows.values.tolist()}
    golden["points"] = [float(one) for one in points]
    (FOLDER / "card.rows.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(len(rows), "rows")


if __name__ == "__main__":
    main()
