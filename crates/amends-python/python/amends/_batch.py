"""From the core's answers to plans in the terms of the user's frame, all rows of a batch at once."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
import pandas as pd

from ._frames import is_missing
from ._plan import Change, Plan, Way, WhyNone
from ._schema import Schema


class Plans:
    """The plans of a batch, and those that there would be without some rules."""

    def __init__(
        self,
        schema: Schema,
        dtypes: Mapping[str, Any],
        own: pd.DataFrame,
        answers: list[dict[str, Any]],
    ) -> None:
        # Which applicant, and what the core said.
        asked: list[tuple[int, dict[str, Any]]] = []
        for index, answer in enumerate(answers):
            asked += [(index, data) for data in answer["plans"] if data["application"] is not None]
        ways: list[tuple[int, dict[str, Any]]] = []
        for index, answer in enumerate(answers):
            for way in (answer["plans"][0]["why_none"] or {"ways": []})["ways"]:
                if way["application"] is not None:
                    ways.append((index, way))
        everything = asked + ways
        rows = own.iloc[[index for index, _ in everything]]
        after = [_changed_cells(data) for _, data in everything]
        #: The changed applications.
        self.changed = changed_rows(schema, dtypes, rows, after)
        names = sorted({name for cells in after for name in cells})
        before = {name: rows[name].tolist() for name in names}
        after_cells = {name: self.changed[name].tolist() for name in names}
        #: All plans.
        self.all: list[Plan] = []
        #: The plans of each applicant.
        self.by_row: list[list[Plan]] = [[] for _ in answers]
        self._ways: dict[int, Plan] = {}
        for row, (index, data) in enumerate(everything):
            changes = [
                Change(
                    change["feature"],
                    before[change["feature"]][row],
                    after_cells[change["feature"]][row],
                    change["title"],
                    change["unit"],
                    change["before_text"],
                    change["after_text"],
                    change["together"],
                )
                for change in data["changes"]
            ]
            plan = Plan(data, self.changed, row, changes)
            if row < len(asked):
                self.all.append(plan)
                self.by_row[index].append(plan)
            else:
                self._ways[id(data)] = plan

    def why(self, answer: dict[str, Any]) -> Optional[WhyNone]:
        """Why an applicant has no plan, where that was found out."""
        reasons = answer["plans"][0]["why_none"]
        if reasons is None:
            return None
        ways = [Way(way["text"], [one["text"] for one in way["relaxed"]], self._ways.get(id(way))) for way in reasons["ways"]]
        return WhyNone(reasons["text"], reasons["at_least"], reasons["settled"], reasons["all_ways"], ways, answer["why"])


def _changed_cells(data: dict[str, Any]) -> dict[str, Any]:
    return {change["feature"]: data["application"][change["feature"]] for change in data["changes"]}


def changed_rows(
    schema: Schema, dtypes: Mapping[str, Any], own: pd.DataFrame, changes: list[dict[str, Any]]
) -> pd.DataFrame:
    """Applications after their changes, with the types of the frame that the explainer was fitted on."""
    changed = {}
    for name in own.columns:
        feature, dtype = schema.feature(name), dtypes[name]
        column = own[name]
        # What is missing comes back as the frame has it: None stays None.
        after = {int(row): feature.nothing for row in np.flatnonzero(column.isna().to_numpy())}
        after.update((row, feature.raw(new[name])) for row, new in enumerate(changes) if name in new)
        dtype = _room_for(any(is_missing(value) for value in after.values()), dtype, feature.numeric)
        if after:
            values = column.tolist()
            for row, value in after.items():
                values[row] = value
            changed[name] = pd.Series(values, index=own.index, dtype=dtype)
        else:
            changed[name] = column if column.dtype == dtype else column.astype(dtype)
    return pd.DataFrame(changed, index=own.index)


def _room_for(lacks: bool, dtype: Any, numeric: bool) -> Any:
    """A column's type, or the next that holds its values; ``lacks`` says whether some are missing."""
    if lacks and isinstance(dtype, np.dtype) and dtype.kind in "iub":
        return np.dtype("float64") if numeric or dtype.kind != "b" else np.dtype("object")
    if not numeric or pd.api.types.is_integer_dtype(dtype):
        return dtype
    # 32 bits would move the number that was proven.
    return pd.Float64Dtype() if isinstance(dtype, pd.Float32Dtype) else dtype if str(dtype) == "Float64" else np.dtype("float64")
