"""What applicants are told: as objects, frames, JSON, text, and in a notebook."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union, overload

import pandas as pd


@dataclass(frozen=True)
class Change:
    """One feature's change, in raw units and labels."""

    feature: str
    before: Any
    after: Any
    title: str
    unit: Optional[str] = None

    @staticmethod
    def of(data: dict[str, Any]) -> Change:
        return Change(data["feature"], data["before"], data["after"], data["title"], data["unit"])

    def __str__(self) -> str:
        return f"{self.title}: {self.before} -> {self.after}{f' {self.unit}' if self.unit else ''}"


class Plan:
    """One way to be accepted."""

    def __init__(self, data: dict[str, Any], frame: pd.DataFrame) -> None:
        self._data = data
        #: The changed application, one row with the types of the frame that was given.
        self.frame = frame
        #: Whether the model itself accepts it.
        self.verified: Optional[bool] = None
        self.status: str = data["status"]
        self.objective: float = data["objective"]
        self.bound: Optional[float] = data["bound"]
        self.changes = [Change.of(change) for change in data["changes"]]

    def to_dict(self) -> dict[str, Any]:
        """Everything about it."""
        return {**self._data, "verified": self.verified}


class Explanation:
    """One applicant's answer: the best plan, perhaps others, or that there is none."""

    def __init__(self, index: Any, data: dict[str, Any], own: pd.DataFrame, plans: list[Plan]) -> None:
        self._data = data
        self._own = own
        #: The applicant's label in the index of the frame.
        self.index = index
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
        #: What to know beyond the status.
        self.remark: Optional[str] = data["remark"]
        #: Where there is no plan: the rules that stand in the way, in words.
        self.why_none: Optional[str] = data["why_none"]["text"] if data["why_none"] else None

    @property
    def changes(self) -> list[Change]:
        """What the best plan changes; empty where there is no plan."""
        return self.plans[0].changes if self.plans else []

    @property
    def verified(self) -> Optional[bool]:
        """Whether the model itself accepts every plan; None where there is none."""
        return all(plan.verified for plan in self.plans) if self.plans else None

    def applications(self) -> pd.DataFrame:
        """The changed applications, one row per plan, as the model reads them; empty where there is no plan."""
        return pd.concat([plan.frame for plan in self.plans]) if self.plans else self._own.iloc[:0]

    def to_dict(self) -> dict[str, Any]:
        """Everything, with plain values."""
        best = {**self._data, "remark": self.remark, "verified": self.verified}
        index = self.index.item() if hasattr(self.index, "item") else self.index
        return {"index": index, **best, "plans": [plan.to_dict() for plan in self.plans]}

    def to_json(self, **kwargs: Any) -> str:
        """The same as JSON."""
        return json.dumps(self.to_dict(), default=str, **kwargs)

    def to_text(self) -> str:
        """The answer as a loan officer reads it."""
        lines = [f"Applicant {self.index}: {self._verdict()}"]
        for place, plan in enumerate(self.plans):
            data = plan._data
            name = f"Plan {place + 1}: approved" if len(self.plans) > 1 else "Approved"
            moves = data["moves"]
            lines.append(f"  {name} with {moves} change{'' if moves == 1 else 's'}:")
            wide = max(len(change.title) for change in plan.changes)
            for change in plan.changes:
                unit = f" {change.unit}" if change.unit else ""
                lines.append(f"    {change.title:{wide}}  {change.before} -> {change.after}{unit}")
            lines.append(f"  Then {_score(data['score_after'], data['probability_after'])}.")
            lines.append(
                f"  Cost {plan.objective:.6g}: distance {data['distance']:.6g}; Mahalanobis {data['mahalanobis']:.3f}, "
                f"LOF {data['lof']:.3f}. {_proof(plan)}"
            )
        if self.why_none:
            lines.append(f"  Why: {self.why_none}.")
        if self.remark:
            lines.append(f"  Note: {self.remark}.")
        lines += [f"  Note: {note}." for note in self._data["notes"]]
        return "\n".join(lines)

    def _verdict(self) -> str:
        score = _score(self._data["score_before"], self._data["probability_before"])
        seconds = self._data["seconds"]
        return {
            "already-accepted": f"already accepted ({score}); nothing to change.",
            "infeasible": f"rejected ({score}). No plan exists under these rules, proven.",
            "timeout": f"rejected ({score}). No plan found in {seconds:.1f} s, none excluded; give more time_limit.",
        }.get(self.status, f"rejected ({score}).")

    def __repr__(self) -> str:
        changes = ", ".join(str(change) for change in self.changes) or "no changes"
        return f"<Explanation of {self.index!r}: {self.status}, {changes}>"

    def _repr_html_(self) -> str:
        parts = [f"<p><b>Applicant {_safe(self.index)}</b>: {_safe(self._verdict())}</p>"]
        for plan in self.plans:
            rows = "".join(
                f"<tr><td>{_safe(c.title)}</td><td>{_safe(c.before)}</td><td>{_safe(c.after)} {_safe(c.unit or '')}</td></tr>"
                for c in plan.changes
            )
            head = "<tr><th>feature</th><th>now</th><th>approved with</th></tr>"
            parts.append(f"<table>{head}{rows}</table><p>{_safe(_proof(plan))}</p>")
        for text in filter(None, [self.why_none, self.remark, *self._data["notes"]]):
            parts.append(f"<p>{_safe(text)}</p>")
        return "".join(parts)


class Results(Sequence[Explanation]):
    """Answers in the order of the rows that were asked for."""

    def __init__(self, explanations: list[Explanation]) -> None:
        self._all = explanations

    @overload
    def __getitem__(self, place: int) -> Explanation: ...
    @overload
    def __getitem__(self, place: slice) -> Results: ...
    def __getitem__(self, place: Union[int, slice]) -> Union[Explanation, Results]:
        return Results(self._all[place]) if isinstance(place, slice) else self._all[place]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._all)

    def applications(self) -> pd.DataFrame:
        """The changed applications, one row per plan, labelled as the applicants; who has no plan has no row."""
        return pd.concat([one.applications() for one in self._all]) if self._all else pd.DataFrame()

    def summary(self) -> pd.DataFrame:
        """One row per applicant: how it ended, and the best plan's figures."""
        keys = ("status", "objective", "bound", "gap", "distance", "mahalanobis", "lof", "score_before", "score_after", "moves", "seconds")
        rows = [{**{key: one._data[key] for key in keys}, "plans": len(one.plans), "verified": one.verified} for one in self._all]
        return pd.DataFrame(rows, index=pd.Index([one.index for one in self._all]))

    def to_dict(self) -> list[dict[str, Any]]:
        return [one.to_dict() for one in self._all]

    def to_json(self, **kwargs: Any) -> str:
        return json.dumps(self.to_dict(), default=str, **kwargs)

    def to_text(self) -> str:
        return "\n\n".join(one.to_text() for one in self._all)

    def __repr__(self) -> str:
        return f"<Results: {len(self._all)} applicants, {sum(bool(one.plans) for one in self._all)} with a plan>"

    def _repr_html_(self) -> str:
        return "<hr>".join(one._repr_html_() for one in self._all)


def _score(score: float, probability: Optional[float]) -> str:
    return f"score {score:+.4f}" if probability is None else f"score {score:+.4f}, {100 * probability:.1f} % for approval"


def _proof(plan: Plan) -> str:
    if plan.status == "optimal":
        return "Optimal: no such plan costs less, proven."
    bound = "nothing proven" if plan.bound is None else f"no plan costs less than {plan.bound:.6g}"
    return f"Feasible: a cheaper plan is not excluded ({bound})."


def _safe(value: Any) -> str:
    return html.escape(str(value))
