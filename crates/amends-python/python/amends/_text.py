"""Answers as a loan officer reads them. The sentences are the core's; values are those of the user's frame."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._plan import Plan, WhyNone
    from ._results import Explanation, Results


def explanation(one: Explanation) -> str:
    """One applicant's answer: the core's sentences, in lines."""
    lines = [f"Applicant {one.applicant}: {one._verdict}"]
    if one._reason_words:
        lines += _reasons(one._reason_words)
    for plan in one.plans:
        lines.append(f"  {plan._words['heading']}:")
        lines += _changes(plan, "    ")
        lines += [f"  {plan._words['after']}", f"  {plan._words['figures']}", f"  {plan._proof}"]
    if one.end:
        lines.append(f"  {sentence(one.end)}")
    if one.why_none:
        lines += _why(one.why_none)
    lines += [f"  Note: {note}." for note in ([one.remark] if one.remark else []) + one.notes]
    return "\n".join(lines)


def _reasons(words: dict[str, Any]) -> list[str]:
    lines = [f"  {words['heading']}{':' if words['reasons'] else '.'}"]
    lines += [f"    {index + 1}. {reason}" for index, reason in enumerate(words["reasons"])]
    return lines + [f"    {note}" for note in words["notes"]]


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."


def _changes(plan: Plan, indent: str) -> list[str]:
    wide = max((len(change.title or change.feature) for change in plan.changes), default=0)
    lines = []
    for change in plan.changes:
        before, after = change.words
        unit = f" {change.unit}" if change.unit else ""
        lines.append(f"{indent}{change.title or change.feature:{wide}}  {before} -> {after}{unit}")
    return lines


def _why(reason: WhyNone) -> list[str]:
    words = reason._words
    lines = [f"  {words['head']}"]
    for way, way_words in zip(reason.ways, words["ways"]):
        lines.append(f"  - {way_words['relaxed']}:")
        if way.plan:
            lines += [*_changes(way.plan, "    "), f"    {way_words['plan']}"]
    return lines + [f"  {rest}" for rest in words["rest"]]


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
