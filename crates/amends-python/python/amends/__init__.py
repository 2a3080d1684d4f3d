"""The smallest realistic change that would have got a rejected applicant approved, with proof.

Fit your model as you always do, then::

    import amends

    explainer = amends.Explainer(model, desired_class="good", immutable=["age"]).fit(X, y)
    results = explainer.explain(rejected)
    results.to_frame()        # one row per applicant, plan and changed feature
    results.applications()    # the changed rows, ready for model.predict
"""

from . import arrow as arrow
from . import spark as spark
from ._amends import __version__
from ._explainer import Explainer
from ._german import German, load_german
from ._plan import Change, Plan, Way, WhyNone
from ._reasons import Flips, Reason
from ._results import Explanation, Results, Tradeoff
from ._scorecards import Cutoff as Cutoff
from ._rules import Column, Rule, Setting, Statement, Sum, at_most, col, if_then, never, together

__all__ = [
    "Change",
    "Column",
    "Cutoff",
    "Explainer",
    "Explanation",
    "Flips",
    "German",
    "Plan",
    "Reason",
    "Results",
    "Rule",
    "Setting",
    "Statement",
    "Sum",
    "Tradeoff",
    "Way",
    "WhyNone",
    "__version__",
    "at_most",
    "col",
    "if_then",
    "load_german",
    "never",
    "together",
]
