"""Answers as HTML: in notebooks, and as a page of their own. The core draws them; the command line has the same.

In notebooks, styles stand in the tags, because pages that show notebooks often drop style sheets. Colours are those of the text
around, so that they fit any page.
"""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING

from . import _amends, _text

if TYPE_CHECKING:
    from ._results import Explanation, Results

#: More applicants than this are only counted.
_SHOWN = 10


def explanation(one: Explanation) -> str:
    """One applicant's answer."""
    return _amends.card_html(_card(one), one._origin.context)


def results(all_of_them: Results) -> str:
    """A batch: the first few in full."""
    shown = "".join(explanation(one) for one in all_of_them[:_SHOWN])
    if len(all_of_them) == 1:
        return shown
    rest = len(all_of_them) - _SHOWN
    more = f" The first {_SHOWN}; <code>to_html()</code>, <code>to_frame()</code> and <code>summary()</code> have all." if rest > 0 else ""
    return f'<div style="margin:.4em 0"><b>{html.escape(_text.counted(all_of_them))}.</b>{more}</div>{shown}'


def page(all_of_them: Results) -> str:
    """All of a batch as a page that needs nothing from elsewhere."""
    return _amends.page_html([_card(one) for one in all_of_them], all_of_them._origin.context)


def _card(one: Explanation) -> str:
    """The core's card with what only this side knows: who the applicant is, and what the model object itself says."""
    card = json.loads(one._card)
    card["name"] = f"Applicant {one.applicant}"
    for plan, shown in zip(one.plans, card["plans"]):
        if plan.verified:
            shown["proof"] += " Checked with the model itself."
    if one.verified is False:
        card["notes"].append("The model itself does not accept this plan.")
    if one._remark_added:
        card["notes"].append(f"Note: {one.remark}.")
    return json.dumps(card)
