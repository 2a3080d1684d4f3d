"""Models that add up columns, where columns are sums of parts: their weights as weights of the parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._mixtures import Both, Mixture, Part, as_sum


@dataclass
class Sums:
    """Columns as sums of parts that stand for themselves."""

    parts: list[Part]
    #: One row per column: the weights of its parts.
    weights: np.ndarray
    plus: np.ndarray
    #: Whether every column is a part.
    is_plain: bool

    @property
    def curved(self) -> Optional[Any]:
        """A part that is no straight line."""
        return next((part for part in self.parts if not isinstance(part, Both) and part.is_curved), None)

    def check_bins(self) -> None:
        """Refuses products beside columns that are steps of numbers: products become a layer, which takes straight lines."""
        binned = next((part for part in self.parts if not isinstance(part, Both) and part.bins is not None), None)
        if binned is not None and self.curved is None and any(isinstance(part, Both) for part in self.parts):
            raise TypeError(
                f"products of columns can't be read beside the bins of column `{binned.feature}`; bin it in the data frame, or leave the "
                "products out"
            )

    @property
    def single(self) -> list[Any]:
        """The parts that are columns, and those that products are made of."""
        return self._places()[0]

    def _places(self) -> tuple[list[Any], dict[int, int]]:
        columns: list[Any] = []
        place: dict[int, int] = {}
        for part in self.parts:
            for column in (part.one, part.other) if isinstance(part, Both) else (part,):
                if id(column) not in place:
                    place[id(column)] = len(columns)
                    columns.append(column)
        return columns, place

    def fold(self, spec: dict[str, Any]) -> dict[str, Any]:
        """A model of the columns as one of the parts."""
        products = [index for index, part in enumerate(self.parts) if isinstance(part, Both)]
        if spec["form"] in ("linear", "tables") and not products:
            weights = np.array(spec["weights"])
            return {**spec, "weights": self._of_columns(weights), "intercept": spec["intercept"] + float(weights @ self.plus)}
        if spec["form"] == "linear":
            last = {"weights": [spec["weights"]], "bias": [spec["intercept"]]}
            kept = {key: value for key, value in spec.items() if key not in ("weights", "intercept")}
            spec = {**kept, "form": "network", "layers": [last]}
        first, *later = spec["layers"]
        rows = np.array(first["weights"])
        bias = np.array(first["bias"]) + rows @ self.plus
        if not products:
            layer = {"weights": [self._of_columns(row) for row in rows], "bias": bias.tolist()}
            return {**spec, "layers": [layer, *later]}
        before, units = self._product_layer()
        return {**spec, "layers": [before, {"weights": (rows @ self.weights @ units).tolist(), "bias": bias.tolist()}, *later]}

    def _of_columns(self, row: np.ndarray) -> list[float]:
        """Weights of the columns as weights of the parts, none of which is a product: they are the columns of `single`."""
        folded: list[float] = (row @ self.weights).tolist()
        return folded

    def _product_layer(self) -> tuple[dict[str, Any], np.ndarray]:
        """A layer of ReLUs that computes the parts: a column is the difference of its positive and its negative part, a product of
        u and v, which are 0 or 1, is max(0, u + v - 1). The second are the weights of its units in each part."""
        columns, place = self._places()
        weights: list[list[float]] = []
        bias: list[float] = []
        parts: list[tuple[int, float]] = []

        def unit(part: int, sign: float, inputs: Sequence[tuple[int, float]], plus: float) -> None:
            row = [0.0] * len(columns)
            for index, weight in inputs:
                row[index] += weight
            weights.append(row)
            bias.append(plus)
            parts.append((part, sign))

        for index, part in enumerate(self.parts):
            if isinstance(part, Both):
                unit(index, 1.0, [(place[id(part.one)], 1.0), (place[id(part.other)], 1.0)], -1.0)
                continue
            column = place[id(part)]
            unit(index, 1.0, [(column, 1.0)], 0.0)
            if part.values is None or min(number or 0.0 for number in part.numbers(part.values)) < 0:
                unit(index, -1.0, [(column, -1.0)], 0.0)
        units = np.zeros((len(self.parts), len(parts)))
        for which, (part_index, sign) in enumerate(parts):
            units[part_index, which] = sign
        return {"weights": weights, "bias": bias}, units


def of(columns: Sequence[Union[Any, Mixture]]) -> Sums:
    """The parts of all columns."""
    is_plain = not any(isinstance(column, Mixture) for column in columns)
    wholes = [as_sum(column) for column in columns]
    parts: dict[int, Part] = {id(part): part for whole in wholes for part, _ in whole.parts}
    index = {key: place for place, key in enumerate(parts)}
    weights = np.zeros((len(wholes), len(parts)))
    for row, whole in enumerate(wholes):
        for part, weight in whole.parts:
            weights[row, index[id(part)]] += weight
    return Sums(list(parts.values()), weights, np.array([whole.plus for whole in wholes]), is_plain)
