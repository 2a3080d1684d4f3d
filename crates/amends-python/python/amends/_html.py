"""Answers in a notebook: tables that read well on light and dark pages.

Styles stand in the tags, because pages that show notebooks often drop style sheets. Colours are those of the text around, so
that they fit any page.
"""

from __future__ import annotations

import html
import numbers
from typing import TYPE_CHECKING, Any

from . import _text

if TYPE_CHECKING:
    from ._plan import Change, Plan, Way, WhyNone
    from ._results import Explanation, Results

#: More applicants than this are only counted.
_TOLD = 10

_LINE = "1px solid rgba(128,128,128,.35)"
_BOX = f"margin:.4em 0 1em;padding:.6em .9em;border:{_LINE};border-radius:6px;max-width:60em;line-height:1.45"
_TABLE = "border-collapse:collapse;margin:.35em 0;font:inherit;font-variant-numeric:tabular-nums;color:inherit;background:transparent"
_CELL = f"padding:.25em 1.1em .25em 0;border:0;border-bottom:{_LINE};vertical-align:top;background:transparent;"
_LEFT = _CELL + "text-align:left;"
_RIGHT = _CELL + "text-align:right;"
_QUIET = "opacity:.72;font-size:92%"
_COLOURS = {"optimal": "#2a9d5c", "feasible": "#c8861a", "already-accepted": "#2a9d5c", "infeasible": "#d9534f", "timeout": "#c8861a"}


def explanation(one: Explanation) -> str:
    """One applicant's answer."""
    parts = [f"<div><b>Applicant {_safe(one.applicant)}</b> {_badge(one.status)} {_safe(one._verdict)}</div>"]
    if one._reason_words:
        parts.append(_reasons(one._reason_words))
    parts += [_plan(plan) for plan in one.plans]
    if one.end:
        parts.append(_quiet(_text.sentence(one.end)))
    if one.why_none:
        parts.append(_why(one.why_none))
    if one.verified is False:
        parts.append(_quiet("The model itself does not accept this plan."))
    parts += [_quiet(f"Note: {note}.") for note in ([one.remark] if one.remark else []) + one.notes]
    return f'<div class="amends" style="{_BOX}">{"".join(parts)}</div>'


def results(all_of_them: Results) -> str:
    """A batch: the first few in full."""
    shown = "".join(explanation(one) for one in all_of_them[:_TOLD])
    if len(all_of_them) == 1:
        return shown
    rest = len(all_of_them) - _TOLD
    more = f" The first {_TOLD}; <code>to_frame()</code> and <code>summary()</code> have all." if rest > 0 else ""
    return f'<div style="margin:.4em 0"><b>{_safe(_text.counted(all_of_them))}.</b>{more}</div>{shown}'


def _reasons(words: dict[str, Any]) -> str:
    items = "".join(f"<li>{_safe(reason)}</li>" for reason in words["reasons"])
    listed = f'<ol style="margin:.2em 0">{items}</ol>' if items else ""
    notes = "".join(_quiet(note) for note in words["notes"])
    return f'<div style="margin-top:.5em">{_safe(words["heading"])}</div>{listed}{notes}'


def _plan(plan: Plan) -> str:
    words = plan._words
    checked = " Checked with the model itself." if plan.verified else ""
    return (
        f'<div style="margin-top:.5em">{_safe(words["heading"])}</div>'
        + _table(plan.changes, "approved with")
        + _quiet(f"{words['after']} {words['figures']}")
        + _quiet(f"{plan._proof}{checked}")
    )


def _table(changes: list[Change], after: str) -> str:
    head = "".join(
        f'<th style="{style}font-weight:600">{title}</th>' for style, title in zip((_LEFT, _RIGHT, _RIGHT, _LEFT), ("", "now", after, ""))
    )
    rows = "".join(_row(change) for change in changes)
    return f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _row(change: Change) -> str:
    before, after = change.words
    unit = change.unit or ""
    cells = [
        (_LEFT, _safe(change.title or change.feature)),
        (_RIGHT, _safe(before)),
        (_RIGHT, f"<b>{_safe(after)}</b>"),
        (_LEFT, f'<span style="{_QUIET}">{_safe(unit)} {_safe(_by(change))}</span>'),
    ]
    return "<tr>" + "".join(f'<td style="{style}">{text}</td>' for style, text in cells) + "</tr>"


def _by(change: Change) -> str:
    """How far a number moves."""
    ends = (change.before, change.after)
    if not all(isinstance(end, numbers.Real) and not isinstance(end, bool) for end in ends):
        return ""
    difference = float(change.after) - float(change.before)
    return "" if difference != difference else f"({difference:+.6g})"


def _why(why: WhyNone) -> str:
    words = why._words
    parts = [f"<div>{_safe(words['head'])}</div>"]
    parts += [_way(way, way_words) for way, way_words in zip(why.ways, words["ways"])]
    return "".join([*parts, *(_quiet(rest) for rest in words["rest"])])


def _way(way: Way, words: dict[str, Any]) -> str:
    text = f'<div style="margin-top:.5em"><b>{_safe(words["relaxed"])}</b>:</div>'
    return text + (_table(way.plan.changes, "then with") + _quiet(words["plan"]) if way.plan else "")


def _badge(status: str) -> str:
    colour = _COLOURS.get(status, "inherit")
    style = f"color:{colour};border:1px solid {colour};border-radius:4px;padding:0 .4em;font-size:85%"
    return f'<span style="{style}">{_safe(status)}</span>'


def _quiet(text: str) -> str:
    return f'<div style="{_QUIET}">{_safe(text)}</div>'


def _safe(value: Any) -> str:
    return html.escape(str(value))
