"""Linear models of curved columns: sums of functions of single features, written as trees with a leaf for every value.

That is exact where a feature has a limited number of values: whole numbers, or decimals, in a range.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from ._functions import along
from ._mixtures import Both
from ._schema import Feature
from ._sums import Sums

#: The most values of all features together: fitting takes seconds and a plan about one, both in proportion.
MOST_VALUES = 200_000

#: Decimals of more places than this were measured or computed.
_MOST_PLACES = 4


@dataclass(frozen=True)
class Grid:
    """The values that a number may have: multiples of a power of ten."""

    first: int
    last: int
    places: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    @property
    def values(self) -> np.ndarray:
        # Division rounds to the number that the decimal text reads as.
        return np.arange(self.first, self.last + 1) / 10.0**self.places

    def has(self, numbers: np.ndarray) -> np.ndarray:
        """Which numbers it has."""
        units = np.round(numbers * 10.0**self.places)
        return np.asarray((units / 10.0**self.places == numbers) & (units >= self.first) & (units <= self.last))


def ensemble(
    sums: Sums, weights: np.ndarray, intercept: float, features: Sequence[Feature], grids: Mapping[str, Grid], link: str
) -> dict[str, Any]:
    """A linear model of these columns as trees over the features themselves."""
    by_part = weights @ sums.weights
    builder = _Builder({feature.name: feature for feature in features}, grids)
    single: dict[str, list[tuple[Any, float]]] = {}
    for part, weight in zip(sums.parts, by_part.tolist()):
        if weight == 0:
            continue
        if isinstance(part, Both):
            builder.add_both(part, weight)
        else:
            single.setdefault(part.feature, []).append((part, weight))
    for name, parts in single.items():
        builder.add(name, parts)
    raw = {
        "library": "scikit-learn",
        "columns": [{"name": None, "content": "number"}] * len(builder.feeds),
        "precision": "double",
        "unseen": "refused",
        "trees": [{"nodes": nodes} for nodes in builder.trees] or [{"nodes": [{"leaf": 0.0}]}],
        "factor": 1.0,
        "intercept": intercept + float(weights @ sums.plus),
        "link": link,
        "tie": "one",
    }
    return {"form": "trees", "feeds": builder.feeds, "raw": raw}


def _made(part: Any, numbers: np.ndarray) -> np.ndarray:
    """What a column makes of numbers."""
    if part.constant is not None:
        return np.full(len(numbers), part.constant)
    if part.bins is not None:
        ends, values = part.bins
        return np.array(values, dtype=float)[np.searchsorted(ends, numbers, side="left")]
    return along(part.steps, numbers)


class _Builder:
    def __init__(self, features: Mapping[str, Feature], grids: Mapping[str, Grid]) -> None:
        self._features = features
        self._grids = grids
        self.feeds: list[dict[str, Any]] = []
        self.trees: list[list[dict[str, Any]]] = []
        #: The columns of what each feature's levels and codes are, counted from 0.
        self._states: dict[str, int] = {}
        self._numbers: dict[str, int] = {}

    def add(self, name: str, parts: Sequence[tuple[Any, float]]) -> None:
        """The tree of a feature: the sum of what its columns count for."""
        feature = self._features[name]
        nodes: list[dict[str, Any]] = []
        if not feature.numeric:
            totals = _total([part.numbers(part.values) for part, _ in parts], [weight for _, weight in parts])
            _leaves(nodes, self._state(feature), totals, lambda index: index + 0.5)
        else:
            grid = self._grids[name]
            made = [_made(part, grid.values) for part, _ in parts]
            totals = _total(made, [weight for _, weight in parts])
            values = grid.values
            codes = _total([part.numbers(part.codes) for part, _ in parts], [weight for _, weight in parts])
            if len(codes):
                # Numbers are state 0, codes come behind.
                nodes.append(_split(self._state(feature), 0.5))
                _leaves(nodes, self._number(name), totals, lambda index: (values[index] + values[index + 1]) / 2)
                nodes[0]["split"].update(left=1, right=len(nodes))
                _leaves(nodes, self._state(feature), codes, lambda index: index + 1.5)
            else:
                _leaves(nodes, self._number(name), totals, lambda index: (values[index] + values[index + 1]) / 2)
        self.trees.append(nodes)

    def add_both(self, both: Both, weight: float) -> None:
        """The tree of a product of two columns of 0 and 1."""
        flags = []
        for part in (both.one, both.other):
            self.feeds.append({"levels": {"feature": part.feature, "numbers": part.numbers(part.values or ())}})
            flags.append(len(self.feeds) - 1)
        first, second = _split(flags[0], 0.5), _split(flags[1], 0.5)
        first["split"].update(left=1, right=2)
        second["split"].update(left=3, right=4)
        self.trees.append([first, {"leaf": 0.0}, second, {"leaf": 0.0}, {"leaf": weight}])

    def _state(self, feature: Feature) -> int:
        if feature.name not in self._states:
            self._states[feature.name] = len(self.feeds)
            if feature.numeric:
                codes = [index + 1.0 for index in range(len(feature.codes))]
                self.feeds.append({"number": {"feature": feature.name, "steps": [], "codes": codes, "constant": 0.0}})
            else:
                count = len(feature.levels) + len(feature.codes)
                self.feeds.append({"levels": {"feature": feature.name, "numbers": [float(index) for index in range(count)]}})
        return self._states[feature.name]

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self.feeds)
            number: dict[str, Any] = {"feature": name, "steps": []}
            if self._features[name].codes:
                number["codes"] = [0.0] * len(self._features[name].codes)
            self.feeds.append({"number": number})
        return self._numbers[name]


def _split(column: int, threshold: float) -> dict[str, Any]:
    return {"split": {"column": column, "test": {"at-most": threshold}, "missing": "left", "left": 0, "right": 0}}


def _total(columns: Sequence[Any], weights: Sequence[float]) -> np.ndarray:
    made = [np.array([math.nan if one is None else one for one in column], dtype=float) for column in columns]
    return np.asarray(sum(weight * one for weight, one in zip(weights, made)))


def _leaves(nodes: list[dict[str, Any]], column: int, totals: np.ndarray, threshold: Callable[[int], float]) -> None:
    """A balanced tree with a leaf for each run of equal totals; `threshold` lies between one and the next."""
    ends = [*np.flatnonzero(np.diff(totals) != 0).tolist(), len(totals) - 1]

    def grow(low: int, high: int) -> int:
        place = len(nodes)
        if low == high:
            nodes.append({"leaf": float(totals[ends[low]])})
            return place
        middle = (low + high) // 2
        nodes.append(_split(column, float(threshold(ends[middle]))))
        nodes[place]["split"].update(left=grow(low, middle), right=grow(middle + 1, high))
        return place

    grow(0, len(ends) - 1)


def grids(sums: Sums, features: Sequence[Feature], frame: pd.DataFrame) -> dict[str, Grid]:
    """The values of all numbers that a model of curved columns sees: those between the rows' least and greatest,
    which plans never leave, and beyond them as far as there is room: applicants may have them."""
    seen = {part.feature for part in sums.parts if not isinstance(part, Both)}
    found = {
        feature.name: _grid(feature, frame[feature.name])
        for feature in features
        if feature.numeric and feature.name in seen
    }
    count = sum(len(grid) for grid in found.values())
    if count > MOST_VALUES:
        largest = max(found, key=lambda name: len(found[name]))
        raise ValueError(
            f"column `{largest}`: a linear model behind {what(sums)} is read value by value, and its numbers have {count} values "
            f"in all, {len(found[largest])} of them this one; {MOST_VALUES} can be. Round it, put what the transformer computes into "
            "the data frame, or use trees"
        )
    parts = {name: [part for part in sums.parts if not isinstance(part, Both) and part.feature == name] for name in found}
    for name, grid in found.items():
        if not _is_defined(parts[name], grid).all():
            raise ValueError(f"column `{name}`: has values between its least and its greatest for which {what(sums)} is not defined")
    if 2 * count > MOST_VALUES:
        return found
    return {name: _wider(parts[name], grid) for name, grid in found.items()}


def _is_defined(parts: Sequence[Any], grid: Grid) -> np.ndarray:
    """The values for which there is a finite number in all columns."""
    return np.asarray(np.all([np.isfinite(along(part.steps, grid.values)) for part in parts], axis=0))


def _wider(parts: Sequence[Any], grid: Grid) -> Grid:
    """Half as many values again on both sides, as far as there are numbers for them."""
    more = len(grid) // 2
    below = _is_defined(parts, Grid(grid.first - more, grid.first - 1, grid.places))[::-1]
    above = _is_defined(parts, Grid(grid.last + 1, grid.last + more, grid.places))
    down, up = (more if side.all() else int(np.argmin(side)) for side in (below, above))
    return Grid(grid.first - down, grid.last + up, grid.places)


def check_steps(grids: Mapping[str, Grid], described: str) -> None:
    """Refuses steps of a schema that lead to numbers between the values that the model was read for."""
    for feature in json.loads(described)["features"]:
        grid, step = grids.get(feature["name"]), feature["step"]
        if grid is not None and step is not None and feature["kind"] != "integer" and not _fits(np.array([step]), grid.places):
            raise ValueError(
                f"column `{feature['name']}`: has a step of {step:g}, but the model was read for numbers with {grid.places} decimals, as "
                "the rows have them; give a step with as many decimals, or rows with more"
            )


def what(sums: Sums) -> str:
    curved = sums.curved
    names = [by.name for name, by in curved.steps if name == "function"] if curved is not None else []
    return " and ".join(dict.fromkeys(names)) or "a function"


def _grid(feature: Feature, column: pd.Series) -> Grid:
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=math.nan)
    for code in feature.codes:
        numbers = numbers[numbers != code] if isinstance(code, (int, float)) else numbers
    numbers = np.unique(numbers[~np.isnan(numbers)])
    places = next((places for places in range(_MOST_PLACES + 1) if _fits(numbers, places)), None)
    if places is None:
        raise ValueError(
            f"column `{feature.name}`: has more than {_MOST_PLACES} decimals, but a linear model or network behind a function that is no "
            "straight line is read value by value. Round the column, put what the transformer computes into the data frame, or use trees"
        )
    low, high = float(numbers.min()), float(numbers.max())
    factor = 10**places
    return Grid(math.floor(low * factor), math.ceil(high * factor), places)


def _fits(numbers: np.ndarray, places: int) -> bool:
    factor = 10.0**places
    return bool((np.round(numbers * factor) / factor == numbers).all())
