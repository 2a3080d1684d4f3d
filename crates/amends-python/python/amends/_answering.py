"""Asks the core about applications, and the user's own model about every plan."""

from __future__ import annotations

import json
from typing import Any, Callable, Mapping, Optional

import pandas as pd

from . import _amends, _inputs, _reasons
from . import _settings as check
from ._batch import Plans, changed_rows
from ._frames import check_columns, columns
from ._judge import Judge
from ._origin import Origin
from ._progress import Bar, Progress
from ._results import Explanation, Results, Tradeoff
from ._schema import Schema

#: Score to spare that is tried in turn where rounding makes the model refuse a plan.
_MARGINS = (1e-9, 1e-6, 1e-4, 1e-2)


class Answering:
    """A fitted core with all that turns its answers into those of the user's frame."""

    def __init__(self, core: _amends.Fitted, schema: Schema, dtypes: Mapping[str, Any], names: list[str], judge: Judge) -> None:
        self._core = core
        self._schema = schema
        self._dtypes = dtypes
        self._names = names
        self._judge = judge

    def results(self, given: _inputs.Given, options: dict[str, Any], progress: Progress) -> Results:
        """Every row's answer; where rounding makes the model refuse a plan, that row is asked again with score to spare."""
        frame = given.frame
        check_columns(frame, self._schema.numeric)
        own = frame[[*self._names, *(name for name in self._schema.numeric if name not in self._names)]]
        origin = Origin.read(self._core.origin(check.json_text(options, "the question")))
        bar = Bar(progress, len(frame))
        try:
            answers = self._ask(options, own, given.back, origin, bar)
        finally:
            bar.close()
        for more in _MARGINS:
            refused = [index for index, one in enumerate(answers) if one.verified is False]
            if not refused:
                break
            with_margin = {**options, "margin": options["margin"] + more}
            again = self._ask(with_margin, own.iloc[refused], given.back, origin)
            for index, one in zip(refused, again):
                one.remark = f"within rounding of the cut the model refused a plan: these have {more:g} of score to spare"
                one._remark_added = True
                answers[index] = one
        for one in answers:
            if one.verified is False:
                one._remark_added = True
                one.remark = "the model itself refuses a plan, so don't use it; please report this with the model and the row"
        none = changed_rows(self._schema, self._dtypes, own.iloc[:0], [])
        return Results(answers, frame.index, none, given.back, origin)

    def _ask(
        self,
        options: dict[str, Any],
        own: pd.DataFrame,
        back: Callable[[pd.DataFrame], Any],
        origin: Origin,
        bar: Optional[Bar] = None,
    ) -> list[Explanation]:
        report = bar if bar is not None and bar.wanted else None
        cells = columns(own, self._schema.numeric, self._schema.missing)
        found = [json.loads(text) for text in self._core.explain(cells, check.json_text(options, "the question"), report)]
        plans = Plans(self._schema, self._dtypes, own, found)
        self._judge.verify(plans.all, options["target_proba"])
        none = plans.changed.iloc[:0]
        explanations = []
        labels = own.index.tolist()
        for index, answer in enumerate(found):
            kind = Explanation if options["front"] is None else Tradeoff
            one = kind(labels[index], answer, plans.by_row[index], plans.why(answer), none, back, origin)
            if answer["reason_words"] is not None:
                own_cells = {name: own[name].iloc[index] for name in own.columns}
                one.reasons = _reasons.of_answer(answer, self._schema, own_cells)
            if isinstance(one, Tradeoff):
                one.complete = answer["complete"]
            explanations.append(one)
        return explanations
