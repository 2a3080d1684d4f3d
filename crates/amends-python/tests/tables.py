"""Tables that are not part of the project: from `$AMENDS_DATA`, or from shared/data beside the repository."""

import functools
import os
from pathlib import Path

import pandas as pd
import pytest

FOLDER = Path(os.environ.get("AMENDS_DATA") or Path(__file__).resolve().parents[4] / "shared" / "data")


def _read(name, **kwargs):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"skipped: there is no {path} (set AMENDS_DATA to its folder)")
    return pd.read_csv(path, **kwargs)


def _split(frame, target):
    return frame.drop(columns=target), frame[target].rename("ok")


@functools.lru_cache(maxsize=1)
def diabetes():
    return _split(_read("diabetes.csv"), "DiseaseProgression")


@functools.lru_cache(maxsize=1)
def wine():
    return _split(_read("wine.csv"), "Quality")


@functools.lru_cache(maxsize=1)
def heloc_zeroed():
    return _split(_read("heloc_zeroed.csv"), "RiskPerformance")


@functools.lru_cache(maxsize=1)
def heloc_raw():
    X, y = _split(_read("heloc_raw.csv"), "RiskPerformance")
    return X, (y == "Good").astype(int)


@functools.lru_cache(maxsize=1)
def taiwan():
    return _split(_read("taiwan_credit.csv").drop(columns="id"), "will_default_next_month")


@functools.lru_cache(maxsize=1)
def german_raw():
    frame = _read("german_raw.csv", header=None)
    X, y = _split(frame.rename(columns=lambda place: f"c{place}"), "c20")
    return X, (y == 1).astype(int)


ALL = {
    "diabetes": diabetes,
    "wine": wine,
    "heloc-zeroed": heloc_zeroed,
    "heloc-raw": heloc_raw,
    "german-raw": german_raw,
}
