"""The answers to applicants: as objects, frames, JSON, text, and in a notebook."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Iterator, Optional, Sequence, Union, overload

import pandas as pd

from . import _html, _text
from ._origin import Origin
from ._plan import FIGURES, Change, Plan, WhyNone, plain
from ._reasons import Reason

#: The columns of :meth:`Results.to_frame`, but for the applicant.
CHANGES = ("plan", "status", "feature", "title", "before", "after", "unit", *FIGURES, "verified")
#: The columns of :meth:`Results.summary`.
SUMMARY = ("status", "plans", "moves", *FIGURES, "verified", "seconds", "changes", "reasons")


class Explanation:
    """One applicant's answer: the best plan, perhaps others, or that there is none.

    Examples
    --------
    >>> one = explainer.explain(rejected.head(1))[0]
    >>> one.status
    'optimal'
    >>> one.objective == one.plans[0].objective and one.bound <= one.objective + 1e-9
    True
    >>> print(one.to_text())  # doctest: +ELLIPSIS
    Applicant 1: rejected (score -0..., 3... % for approval).
      Approved with ... changes:
    ...
      Optimal: no cheaper plan exists (bound ..., gap ...).
    """

    def __init__(
        self,
        applicant: Any,
        answer: dict[str, Any],
        plans: list[Plan],
        why_none: Optional[WhyNone],
        none: pd.DataFrame,
        back: Callable[[pd.DataFrame], Any],
        origin: Origin,
    ) -> None:
        data = answer["plans"][0]
        #: The applicant's label in the index of X.
        self.applicant = applicant
        #: The plans, best first; empty where there is none.
        self.plans = plans
        #: ``optimal``, ``feasible``, ``infeasible``, ``timeout`` or ``already-accepted``.
        self.status: str = data["status"]
        #: What the best plan costs.
        self.objective: Optional[float] = data["objective"]
        #: No plan costs less than this.
        self.bound: Optional[float] = data["bound"]
        #: How far the best plan can be from the best there is, relatively.
        self.gap: Optional[float] = data["gap"]
        #: Among how many values of every number this was found; None where every value was on offer.
        self.values_offered: Optional[int] = data["values_offered"]
        #: The applicant's score as it is; at least 0 is accepted.
        self.score_before: float = data["score_before"]
        #: The applicant's probability as it is, where the model has one.
        self.probability_before: Optional[float] = data["probability_before"]
        #: Seconds that the best plan took.
        self.seconds: float = data["seconds"]
        #: What to know beyond the status.
        self.remark: Optional[str] = data["remark"]
        #: What is odd about the application itself, such as a value outside the schema's range.
        self.notes: list[str] = data["notes"]
        #: Where there is no plan: the rules that stand in the way.
        self.why_none = why_none
        #: The principal reasons of the rejection, the weightiest first; None where they were not asked for or nothing was rejected.
        self.reasons: Optional[list[Reason]] = None
        #: What the reasons refer to: the group, its members and mean score, and how contributions were computed.
        self.reason_basis: Optional[dict[str, Any]] = data["reason_basis"]
        #: Where several plans were asked for: whether there are more, in words.
        self.end: Optional[str] = answer["end"]
        # How it stands with the applicant, in the core's sentences; without a plan with what is proven of that.
        proof = None if plans else data["proof"]
        self._verdict: str = answer["verdict"] if proof is None else f"{answer['verdict']} {proof}"
        self._reason_words: Optional[dict[str, Any]] = answer["reason_words"]
        self._none = none
        self._back = back
        self._origin = origin
        # The answer as reports show it, as JSON; whether a remark was added on this side.
        self._card: str = answer["card"]
        self._remark_added = False

    @property
    def changes(self) -> list[Change]:
        """What the best plan changes; empty where there is no plan."""
        return self.plans[0].changes if self.plans else []

    @property
    def verified(self) -> Optional[bool]:
        """Whether the model itself accepts every plan; None where there is none."""
        return all(plan.verified for plan in self.plans) if self.plans else None

    def applications(self) -> Any:
        """The changed applications, one row per plan, labelled as the applicant; empty where there is no plan."""
        return self._back(_rows(self.plans, self._none))

    def to_frame(self) -> pd.DataFrame:
        """One row per plan and changed feature; a single row where there is no plan. See :meth:`Results.to_frame`."""
        return _long([self])

    def to_dict(self) -> dict[str, Any]:
        """Everything, with plain values."""
        best = self.plans[0].to_dict() if self.plans else dict.fromkeys((*FIGURES, "application"), None)
        return {
            **best,
            "applicant": plain(self.applicant),
            "status": self.status,
            "bound": plain(self.bound),
            "values_offered": self.values_offered,
            "score_before": plain(self.score_before),
            "probability_before": plain(self.probability_before),
            "moves": self.plans[0].moves if self.plans else 0,
            "changes": [change.to_dict() for change in self.changes],
            "seconds": self.seconds,
            "verified": self.verified,
            "remark": self.remark,
            "notes": self.notes,
            "end": self.end,
            "why_none": self.why_none.to_dict() if self.why_none else None,
            "reasons": None if self.reasons is None else [reason.to_dict() for reason in self.reasons],
            "reason_basis": self.reason_basis,
            "plans": [plan.to_dict() for plan in self.plans],
            **self._origin.facts,
        }

    def to_json(self, **kwargs: Any) -> str:
        """The same as JSON; ``kwargs`` are those of ``json.dumps``."""
        return json.dumps(self.to_dict(), **{"ensure_ascii": False, **kwargs})

    def to_text(self) -> str:
        """The answer as a loan officer reads it."""
        return _text.explanation(self)

    def __repr__(self) -> str:
        changes = ", ".join(str(change) for change in self.changes) or "no changes"
        return f"<{type(self).__name__} of {self.applicant!r}: {self.status}, {changes}>"

    def _repr_html_(self) -> str:
        return _html.explanation(self)


class Tradeoff(Explanation):
    """One applicant's trade-off: the plans that no other plan beats in distance and outlier term at once.

    ``plans`` are in rising distance and falling outlier term. The status ``optimal`` of a plan says that it is proven to be
    beaten by none.
    """

    #: Whether it is proven that these are all, up to the resolution that was asked for.
    complete: bool = False

    def points(self) -> pd.DataFrame:
        """One row per plan: its distance, its outlier term and local outlier factor, and what it changes.

        Examples
        --------
        >>> points = explainer.tradeoff(rejected.iloc[[3]]).points()
        >>> bool(points["distance"].is_monotonic_increasing and points["outlier"].is_monotonic_decreasing)
        True
        """
        names = ("distance", "outlier", "change_cost", "mahalanobis", "lof", "objective", "score_after", "probability_after", "moves", "status")
        rows = [
            {"plan": index + 1, **{name: getattr(plan, name) for name in names}, "changes": "; ".join(map(str, plan.changes))}
            for index, plan in enumerate(self.plans)
        ]
        return pd.DataFrame(rows, columns=["plan", *names, "changes"]).set_index("plan")


def _of_one(name: str) -> Any:
    """What the answers have if there is one only: it need not be taken out of them."""

    def look(answers: Results) -> Any:
        if len(answers) != 1:
            raise AttributeError(
                f"`{name}` is one applicant's, and there are {len(answers)}: take answers[0].{name}, or answers.summary()"
            )
        return getattr(answers[0], name)

    return property(look, doc=f"``{name}`` of a single applicant, as in :class:`Explanation`.")


class Results(Sequence[Explanation]):
    """Answers in the order of the rows that were asked for.

    Those of a single row have all that its :class:`Explanation` has: ``explainer.explain(row).status``.

    Examples
    --------
    >>> results = explainer.explain(rejected.head(3))
    >>> results
    <Results: 3 applicants, 3 with a plan (3 optimal)>
    >>> results[0].status, len(results[1:])
    ('optimal', 2)
    >>> bool((model.predict(results.applications()) == "good").all())
    True
    """

    def __init__(
        self,
        explanations: list[Explanation],
        index: pd.Index,
        none: pd.DataFrame,
        back: Callable[[pd.DataFrame], Any],
        origin: Origin,
    ) -> None:
        self._all = explanations
        self._index = index
        self._none = none
        self._back = back
        self._origin = origin

    status = _of_one("status")
    objective = _of_one("objective")
    bound = _of_one("bound")
    gap = _of_one("gap")
    changes = _of_one("changes")
    plans = _of_one("plans")
    verified = _of_one("verified")
    why_none = _of_one("why_none")
    reasons = _of_one("reasons")
    reason_basis = _of_one("reason_basis")
    remark = _of_one("remark")
    score_before = _of_one("score_before")
    probability_before = _of_one("probability_before")

    @overload
    def __getitem__(self, index: int) -> Explanation: ...
    @overload
    def __getitem__(self, index: slice) -> Results: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Explanation, Results]:
        if isinstance(index, slice):
            return Results(self._all[index], self._index[index], self._none, self._back, self._origin)
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._all)

    def applications(self) -> Any:
        """The changed applications, one row per plan, labelled as the applicants and ready for the model's own ``predict``.

        Applicants without a plan have no row. Types are those of the frame that the explainer was fitted on; polars frames
        come back for polars frames and arrays for arrays.

        Examples
        --------
        >>> plans = explainer.explain(rejected.head(2)).applications()
        >>> plans.dtypes.equals(german.X.dtypes)
        True
        """
        return self._back(_rows([plan for one in self._all for plan in one.plans], self._none))

    def to_frame(self) -> pd.DataFrame:
        """One tidy frame: a row per applicant, plan and changed feature.

        ``applicant`` is the label in X, ``plan`` counts from 1. Applicants without a plan have one row with their status and
        nothing in ``plan`` and ``feature``. It is a pandas frame whatever X was.

        Examples
        --------
        >>> frame = explainer.explain(rejected.head(2)).to_frame()
        >>> frame.columns.tolist()[:8]
        ['applicant', 'plan', 'status', 'feature', 'title', 'before', 'after', 'unit']
        >>> frame["applicant"].unique().tolist() == rejected.index[:2].tolist()
        True
        """
        return _long(self._all)

    def summary(self) -> pd.DataFrame:
        """One row per applicant, labelled as in X: how it ended, and the best plan's figures.

        Examples
        --------
        >>> explainer.explain(rejected.head(2)).summary()[["status", "plans", "verified"]].values.tolist()
        [['optimal', 1, True], ['optimal', 1, True]]
        """
        frame = pd.DataFrame([summary_row(one) for one in self._all], columns=list(SUMMARY), index=self._index)
        return frame.astype(dict.fromkeys(FIGURES, "float64"))

    def to_dict(self) -> list[dict[str, Any]]:
        """Everything, with plain values: one dict per applicant."""
        return [one.to_dict() for one in self._all]

    def to_json(self, **kwargs: Any) -> str:
        """The same as JSON; ``kwargs`` are those of ``json.dumps``."""
        return json.dumps(self.to_dict(), **{"ensure_ascii": False, **kwargs})

    def to_text(self) -> str:
        """The answers as a loan officer reads them."""
        return "\n\n".join(one.to_text() for one in self._all)

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: Union[str, "os.PathLike[str]"]) -> None: ...
    def to_html(self, path: Union[str, "os.PathLike[str]", None] = None) -> Optional[str]:
        """All answers as a page that needs nothing from elsewhere, with pictures of where each plan lies among the rows of fit.

        It is the page of ``amends explain --format html``, for light and dark screens and for print.

        Parameters
        ----------
        path : str or path, optional
            The file to write, which is replaced where it exists; where it is left out, the page is returned.

        Examples
        --------
        >>> page = explainer.explain(rejected.head(2)).to_html()
        >>> page.startswith("<!DOCTYPE html>") and "<script" not in page
        True
        """
        page = _html.page(self)
        if path is None:
            return page
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
        return None

    def __repr__(self) -> str:
        return f"<Results: {_text.counted(self)}>"

    def _repr_html_(self) -> str:
        return _html.results(self)


def _rows(plans: list[Plan], none: pd.DataFrame) -> pd.DataFrame:
    """The changed applications of plans; those of one batch are taken out of its frame at once."""
    batches: dict[int, tuple[pd.DataFrame, list[int]]] = {}
    for plan in plans:
        batches.setdefault(id(plan._changed), (plan._changed, []))[1].append(plan._row)
    if not batches:
        return none
    if len(batches) == 1:
        ((changed, indices),) = batches.values()
        return changed.iloc[indices]
    pieces = {key: changed.iloc[indices] for key, (changed, indices) in batches.items()}
    together = pd.concat(list(pieces.values()))
    starts, start = {}, 0
    for key, piece in pieces.items():
        starts[key] = start
        start += len(piece)
    order = []
    for plan in plans:
        order.append(starts[id(plan._changed)])
        starts[id(plan._changed)] += 1
    return together.iloc[order]


def summary_row(one: Explanation) -> dict[str, Any]:
    """An applicant's row of :meth:`Results.summary`."""
    best = one.plans[0] if one.plans else None
    return {
        "status": one.status,
        "plans": len(one.plans),
        "moves": best.moves if best else 0,
        **{name: getattr(best or one, name, None) for name in FIGURES},
        "verified": one.verified,
        "seconds": one.seconds,
        "changes": "; ".join(map(str, one.changes)),
        "reasons": None if one.reasons is None else "; ".join(reason.feature for reason in one.reasons),
    }


def change_rows(one: Explanation) -> list[dict[str, Any]]:
    """An applicant's rows of :meth:`Results.to_frame`, without what is not there and without the applicant."""
    if not one.plans:
        return [{"status": one.status, **{name: getattr(one, name, None) for name in FIGURES}}]
    return [
        {
            "plan": index + 1,
            "status": plan.status,
            "feature": change.feature,
            "title": change.title or change.feature,
            "before": change.before,
            "after": change.after,
            "unit": change.unit,
            **{name: getattr(plan, name) for name in FIGURES},
            "verified": plan.verified,
        }
        for index, plan in enumerate(one.plans)
        for change in plan.changes
    ]


def _long(explanations: list[Explanation]) -> pd.DataFrame:
    rows = [(one.applicant, row) for one in explanations for row in change_rows(one)]
    # pandas guesses the type of counts and figures, which are set below, and may not guess that of the others.
    guessed = ("plan", *FIGURES)
    frame = {"applicant": pd.Series(pd.Index([applicant for applicant, _ in rows], tupleize_cols=False))}
    for name in CHANGES:
        frame[name] = pd.Series([row.get(name) for _, row in rows], dtype=None if name in guessed else object)
    frame["plan"] = frame["plan"].astype("Int64")
    for name in FIGURES:
        frame[name] = frame[name].astype("float64")
    return pd.DataFrame(frame)
