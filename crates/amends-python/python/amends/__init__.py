"""The smallest realistic change that would have got a rejected applicant approved, with proof."""

from ._amends import __version__
from ._explainer import Explainer
from ._german import German, load_german
from ._results import Change, Explanation, Plan, Results

__all__ = [
    "Change",
    "Explainer",
    "Explanation",
    "German",
    "Plan",
    "Results",
    "__version__",
    "load_german",
]
