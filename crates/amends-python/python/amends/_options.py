"""The options of a call, checked and named as the core names them."""

from __future__ import annotations

from typing import Any, Optional

from . import _settings as check
from ._rules import Rule, as_json

#: Who rejected applicants can be compared with.
REASON_GROUPS = ("near-cut", "all", "accepted")


def of_question(
    rules: list[Rule],
    asked: list[Rule],
    plans: dict[str, Any],
    reasons: dict[str, Any],
    n_plans: int = 1,
    apart: int = 1,
    supersets: bool = False,
    front: Optional[dict[str, Any]] = None,
) -> dict[str, Any]:
    """Everything that is asked of each application: the best plans, or with `front` the trade-off. The rules of the explainer, and those
    that are asked for beside them."""
    return {
        "n_plans": check.count("n_plans", n_plans),
        "apart": check.count("apart", apart),
        "supersets": bool(supersets),
        "front": front,
        **reasons,
        **plans,
        "rules": as_json([*rules, *asked]),
        "asked": [rule.text for rule in asked],
    }


def of_plans(
    target_proba: Optional[float],
    time_limit: Optional[float],
    n_jobs: Optional[int],
    margin: float,
    margin_step: bool,
    harmless: bool,
    needed: bool,
) -> dict[str, Any]:
    """Which plans count, and how long and on how many threads they are searched for."""
    return {
        "target_proba": check.optional_number("target_proba", target_proba),
        "time_limit": check.optional_number("time_limit", time_limit),
        "threads": check.threads(n_jobs),
        "margin": check.number("margin", margin),
        "margin_step": bool(margin_step),
        "harmless": bool(harmless),
        "needed": bool(needed),
    }


def of_reasons(why_none: bool, reasons: bool, group: str, most: int) -> dict[str, Any]:
    """Whether to find out why there is no plan, and which principal reasons to give."""
    most = check.count("max_reasons", most)
    return {
        "why_none": bool(why_none),
        "max_reasons": most if reasons else None,
        "reason_group": check.choice("reason_group", group, REASON_GROUPS),
    }
