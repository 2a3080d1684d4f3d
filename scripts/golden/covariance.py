"""Writes crates/amends/tests/golden/numpy_covariance.json: covariances and inverses as NumPy has them.

Run from the repository's root: python scripts/golden/covariance.py
"""

import json
from pathlib import Path

import numpy as np

TARGET = Path("crates/amends/tests/golden/numpy_covariance.json")


def tables(random):
    mixed = random.normal(size=(25, 4)) @ random.normal(size=(4, 4)) + 10
    yield "regular", mixed, 0.0
    yield "units", mixed * [1.0, 1e4, 1e-3, 50.0], 0.0
    level = np.eye(3)[random.integers(0, 2, 25)]  # nobody has the third level
    yield "one-hot", np.hstack([mixed[:, :2] * [1.0, 1000.0], level]), 1e-6


def main():
    random = np.random.default_rng(21)
    written = []
    for name, rows, ridge in tables(random):
        covariance = np.cov(rows, rowvar=False, bias=True) + ridge * np.eye(rows.shape[1])
        inverse = np.linalg.inv(covariance)
        written.append({
            "name": name,
            "rows": rows.tolist(),
            "ridge": ridge,
            "covariance": covariance.tolist(),
            "inverse": inverse.tolist(),
            "cholesky": np.linalg.cholesky(inverse).T.tolist(),
        })
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(table) for table in written)
    TARGET.write_text(f'{{"made_with": "NumPy {np.__version__}", "tables": [\n{lines}\n]}}\n')


main()
