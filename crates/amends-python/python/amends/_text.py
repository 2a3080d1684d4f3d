"""Answers as a loan officer reads them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._plan import Plan, WhyNone
    from ._results import Explanation, Results

#: More ways out than this are only counted.
TOLD_WAYS = 4

_ENDS = {
    "no further": "no further plan differs enough from these, {proven}",
    "complete": "no plan beats these in distance and outlier term at once, {proven}",
    "capped": "as many as were asked for; there may be more between them",
    "stopped": "time ran out; there may be more",
}


def end(word: str, values: Optional[int] = None) -> Optional[str]:
    """How the search for more plans ended; ``values`` is how many of every number were on offer, None for all."""
    text = _ENDS.get(word)
    return None if text is None else text.format(proven="proven" if values is None else _among(values))


def _among(values: int) -> str:
    return f"among the {values} values offered per number"


def score(value: float, probability: Optional[float]) -> str:
    """A score and, where there is one, its probability."""
    chance = "" if probability is None else f", {100 * probability:.1f} % for approval"
    return f"score {value:+.4f}{chance}"


def verdict(one: Explanation) -> str:
    """How it stands with the applicant, in one sentence or two."""
    before = score(one.score_before, one.probability_before)
    values = one.values_offered
    none = "No plan exists under these rules, proven" if values is None else f"No plan {_among(values)}"
    return {
        "already-accepted": f"already accepted ({before}); nothing to change.",
        "infeasible": f"rejected ({before}). {none}.",
        "timeout": f"rejected ({before}). No plan found in {one.seconds:.1f} s, none excluded; give more time_limit.",
    }.get(one.status, f"rejected ({before}).")


def proof(plan: Plan, place: int = 0) -> str:
    """What is proven about a plan."""
    if plan.status == "optimal":
        values = plan.values_offered
        if plan.bound is None:
            better = "Proven: no plan is better" if values is None else f"No plan is better {_among(values)}"
            return f"{better} in distance and outlier term at once."
        if values is not None:
            return f"Best {_among(values)}."
        return f"Optimal: no cheaper plan{' that differs enough' if place else ''} exists, proven."
    bound = "nothing proven" if plan.bound is None else f"no plan costs less than {plan.bound:.6g}"
    return f"Feasible: a cheaper plan is not excluded ({bound})."


def figures(plan: Plan) -> str:
    """A plan's cost and what it is made of."""
    return (
        f"Cost {plan.objective:.6g}: distance {plan.distance:.6g}, outlier term {plan.outlier:.6g}; "
        f"Mahalanobis {plan.mahalanobis:.3f}, LOF {plan.lof:.3f}."
    )


def why(reason: WhyNone) -> str:
    """Why there is no plan."""
    if not reason.settled:
        more = "" if reason.at_least <= 1 else f", but it takes relaxing at least {reason.at_least} rules"
        return f"not settled in time{more}; give more time_limit"
    if not reason.ways:
        return "there would be none even without any rule"
    return f"there would be one {reason.ways[0].text}"


def heading(plan: Plan, place: int, of: int) -> str:
    """What stands above a plan's changes."""
    name = f"Plan {place + 1}: approved" if of > 1 else "Approved"
    return f"{name} with {plan.moves} change{'' if plan.moves == 1 else 's'}"


def explanation(one: Explanation) -> str:
    """One applicant's answer."""
    lines = [f"Applicant {one.applicant}: {verdict(one)}"]
    for place, plan in enumerate(one.plans):
        lines.append(f"  {heading(plan, place, len(one.plans))}:")
        lines += _changes(plan, "    ")
        lines.append(f"  Then {score(plan.score_after, plan.probability_after)}.")
        lines.append(f"  {figures(plan)}")
        lines.append(f"  {proof(plan, place)}")
    if one.end:
        lines.append(f"  {one.end[0].upper()}{one.end[1:]}.")
    if one.why_none:
        lines += _ways(one.why_none)
    lines += [f"  Note: {note}." for note in ([one.remark] if one.remark else []) + one.notes]
    return "\n".join(lines)


def _changes(plan: Plan, indent: str) -> list[str]:
    wide = max((len(change.title or change.feature) for change in plan.changes), default=0)
    lines = []
    for change in plan.changes:
        before, after = change.words
        unit = f" {change.unit}" if change.unit else ""
        lines.append(f"{indent}{change.title or change.feature:{wide}}  {before} -> {after}{unit}")
    return lines


def _ways(reason: WhyNone) -> list[str]:
    if not reason.ways:
        return [f"  Why: {reason}."]
    lines = []
    for way in reason.ways[:TOLD_WAYS]:
        lines.append(f"  There would be one {way.text}{':' if way.plan else '.'}")
        if way.plan:
            lines += _changes(way.plan, "    ")
    rest = len(reason.ways) - TOLD_WAYS
    if rest > 0 or not reason.all_ways:
        lines.append(f"  {more_ways(rest)}")
    return lines


def more_ways(rest: int) -> str:
    """That not all ways are told here."""
    if rest < 1:
        return "There may be more such ways."
    return f"And {rest} more such way{'' if rest == 1 else 's'}: see why_none.ways."


def short(number: float) -> str:
    """A number without digits that nobody reads; whole ones in full."""
    if number.is_integer():
        return str(int(number)) if abs(number) < 1e15 else repr(number)
    digits = max(6, len(str(int(abs(number)))) + 2)
    text = f"{number:.{digits}g}"
    return text if len(text) < len(repr(number)) else repr(number)


def counted(results: Results) -> str:
    """How a batch ended."""
    count = len(results)
    planned = [one.plans[0].status for one in results if one.plans]
    others = Counter(one.status for one in results if not one.plans)
    kinds = ", ".join(f"{number} {status}" for status, number in Counter(planned).items())
    text = f"{count} applicant{'' if count == 1 else 's'}, {len(planned)} with a plan{f' ({kinds})' if kinds else ''}"
    return text + "".join(f", {number} {status}" for status, number in others.items())
