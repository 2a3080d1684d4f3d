"""Writes crates/amends/tests/golden/sklearn_lof.json: local outlier factors as scikit-learn has them.

Run from the repository's root: python scripts/golden/lof.py
All values are multiples of 1/4096 below 8, so that the products inside scikit-learn's brute-force
distances are exact and a difference in the ninth digit is a difference in method, not rounding.
"""

import json
from pathlib import Path

import numpy as np
import sklearn
from sklearn.neighbors import LocalOutlierFactor

TARGET = Path("crates/amends/tests/golden/sklearn_lof.json")
METRICS = {"squared-euclidean": "sqeuclidean", "euclidean": "euclidean", "manhattan": "manhattan"}


def on_grid(values):
    return np.round(np.clip(values, -7.9, 7.9) * 4096) / 4096


def tables(random):
    """Name, reference points, new points."""
    cloud = on_grid(random.normal(size=(30, 3)))
    clusters = on_grid(np.vstack([random.normal(-3, 0.3, (20, 4)), random.normal(3, 1.2, (15, 4))]))
    # Twelve copies: with k = 10 a copy's neighbours are all copies, whichever are taken.
    copies = np.vstack([np.tile(on_grid(random.normal(size=(1, 3))), (12, 1)), on_grid(random.normal(size=(18, 3)))])
    yield "cloud", cloud, on_grid(random.normal(0, 2, (6, 3)))
    yield "clusters", clusters, on_grid(random.normal(0, 3, (6, 4)))
    yield "copies", copies, np.vstack([copies[:1], on_grid(random.normal(0, 2, (5, 3)))])


def ambiguous(points, others, k, metric, same):
    """Whether a tie for the k-th place between *different* points leaves the neighbours open."""
    difference = others[:, None, :] - points[None, :, :]
    distance = np.abs(difference).sum(2) if metric == "manhattan" else (difference**2).sum(2)
    for row, distances in enumerate(distance):
        order = [i for i in np.argsort(distances, kind="stable") if not (same and i == row)]
        last, next_one = order[k - 1], order[k]
        if distances[last] == distances[next_one] and not (points[last] == points[next_one]).all():
            return True
    return False


def fitted(points, new, metric, k):
    lof = LocalOutlierFactor(n_neighbors=k, metric=METRICS[metric], algorithm="brute", novelty=True)
    lof.fit(points)
    return {
        "metric": metric,
        "k": k,
        "k_distance": lof._distances_fit_X_[:, k - 1].tolist(),
        "density": lof._lrd.tolist(),
        "score": (-lof.score_samples(new)).tolist(),
    }


def main():
    random = np.random.default_rng(20)
    written = []
    for name, points, new in tables(random):
        fits = []
        for metric in METRICS:
            for k in (1, 5, 10):
                assert not ambiguous(points, points, k, metric, True), (name, metric, k)
                assert not ambiguous(points, new, k, metric, False), (name, metric, k)
                fits.append(fitted(points, new, metric, k))
        written.append({"name": name, "points": points.tolist(), "new": new.tolist(), "fits": fits})
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(table) for table in written)
    TARGET.write_text(f'{{"made_with": "scikit-learn {sklearn.__version__}", "tables": [\n{lines}\n]}}\n')


main()
