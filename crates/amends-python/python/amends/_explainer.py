"""Fit once on a data frame, explain many rows of it."""

from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import pandas as pd

from . import _additive, _amends, _inputs, _options, _schema, _scores, _serving, _warnings
from . import _settings as check
from ._answering import Answering
from ._conventions import Conventions
from ._description import Description
from ._frames import Column, columns, nearest
from ._judge import Judge
from ._models import Reader
from ._progress import Progress
from ._results import Results, Tradeoff
from ._rules import Rule, Rules, as_json, as_rules


class Explainer(Conventions):
    """Explains what a fitted model's decision would have taken to change.

    Fit it once on the rows that the model was trained on, then ask for as many applications as you like.

    Parameters
    ----------
    model : fitted model
        Of scikit-learn, XGBoost, LightGBM, CatBoost, optbinning or interpret, alone or at the end of a Pipeline; docs/python.md has
        the list.
    desired_class : optional
        The class that applicants want. Where it is left out and the classes are 0 and 1 (or False and True), ``fit`` takes 1
        (True) and warns; not needed with a schema, which says it.
    threshold : float, optional
        The probability of the desired class from which on applications are accepted, where the model's own decision is another.
        ``target_proba`` of :meth:`explain` is what plans have to reach beyond it.
    target : str, optional
        The name of the outcome's column; with it, ``fit(X)`` takes the outcomes from X.
    immutable : str or list of str
        Columns that no plan changes.
    features_to_vary : list of str, optional
        The only columns that plans change.
    permitted_range : dict, optional
        ``{"income": (0, 90)}``, None for an open end; a list of levels for a column that has levels.
    max_changes : int, optional
        How many features may change at most; 4 where it is left out.
    change_cost : float, optional
        What each change costs by itself, in units of the distance, so that plans have few changes and none that hardly matters;
        0.1 in the standard preset, 0 in the papers'.
    rules : str, rule or list of them
        Texts in the schema's rule language, or made with :func:`amends.col` and its companions.
    supply_missing : bool, str or list of str
        Columns in which an applicant may give what is missing; True for all. Missing values are states that plans keep otherwise.
    may_be_missing : bool, str or list of str
        Columns in which applicants may lack a value although no row of ``fit`` does; True for all.
    kinds : dict, optional
        What columns are where their types don't say it: ``integer``, ``continuous``, ``binary``, ``categorical``, ``ordinal``, or
        a list of levels, lowest first.
    schema : str or path, optional
        A schema file of the command line, or its text, instead of what is guessed from types.
    preset : {"standard", "paper", "dace"}
        What "small" and "plausible" mean, as on the command line.
    distance, outlier, outlier_weight, n_neighbors : optional
        Choices behind the preset, as on the command line.
    options : int or "all", optional
        How many values of every number are on offer. The presets of the papers have 100, and what they call best is best among
        these; the standard preset offers every value.
    n_reference : int or "all", optional
        How many rows of X distances and densities are fitted on: a sample of both classes, drawn with ``random_state``. Where it is
        left out, distances come from all rows and densities from at most 25,000 accepted ones, a fixed sample of more; "all" takes
        them all. Ranges always come from all rows.
    random_state : int, numpy Generator or RandomState, or None
        Draws the sample. The same number gives the same answers; None draws another sample each time.

    Examples
    --------
    >>> import amends
    >>> from sklearn.compose import make_column_selector, make_column_transformer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import OneHotEncoder, StandardScaler
    >>> german = amends.load_german()
    >>> columns = make_column_transformer(
    ...     (StandardScaler(), make_column_selector(dtype_include="number")),
    ...     (OneHotEncoder(), make_column_selector(dtype_include="category")),
    ... )
    >>> model = make_pipeline(columns, LogisticRegression(max_iter=1000)).fit(german.X, german.y)
    >>> explainer = amends.Explainer(model, desired_class="good", immutable=["age", "personal_status_sex", "foreign_worker"])
    >>> explainer.fit(german.X, german.y)
    <Explainer of Pipeline: 20 features, 1000 rows, `good` is desired>
    >>> rejected = german.X[model.predict(german.X) == "bad"]
    >>> results = explainer.explain(rejected.head(2))
    >>> [one.status for one in results]
    ['optimal', 'optimal']
    >>> model.predict(results.applications()).tolist()
    ['good', 'good']
    """

    def __init__(
        self,
        model: Any,
        *,
        desired_class: Any = None,
        target: Optional[str] = None,
        immutable: Union[str, Iterable[str]] = (),
        features_to_vary: Optional[Iterable[str]] = None,
        permitted_range: Optional[Mapping[str, Any]] = None,
        max_changes: Optional[int] = None,
        change_cost: Optional[float] = None,
        rules: Rules = (),
        supply_missing: Union[bool, str, Iterable[str]] = (),
        may_be_missing: Union[bool, str, Iterable[str]] = (),
        kinds: Optional[Mapping[str, Any]] = None,
        schema: Union[str, "os.PathLike[str]", None] = None,
        preset: str = "standard",
        distance: Optional[str] = None,
        outlier: Optional[str] = None,
        outlier_weight: Optional[float] = None,
        n_neighbors: Optional[int] = None,
        options: Union[int, str, None] = None,
        n_reference: Union[int, str, None] = None,
        random_state: Any = 0,
        threshold: Optional[float] = None,
    ) -> None:
        self._params = {name: value for name, value in locals().items() if name != "self"}
        #: The model as it was given.
        self.model = model
        self._reader = Reader(model)
        self._asked_target = target
        self._asked = as_rules(rules)
        self._said = Description(
            reader=self._reader,
            desired=desired_class,
            immutable=check.names("immutable", immutable),
            vary=None if features_to_vary is None else check.names("features_to_vary", features_to_vary),
            ranges=check.mapping("permitted_range", permitted_range),
            kinds=check.mapping("kinds", kinds),
            supply=check.names_or_all("supply_missing", supply_missing),
            lacking=check.names_or_all("may_be_missing", may_be_missing),
            file=None if schema is None else os.fspath(schema),
            threshold=check.optional_probability("threshold", threshold),
        )
        self._n_reference = check.count_or_all("n_reference", n_reference)
        self._random_state = random_state
        check.seeded(random_state)
        self._costs = {
            "preset": check.word("preset", preset),
            "max_changes": check.optional_count("max_changes", max_changes),
            "change_cost": check.optional_change_cost("change_cost", change_cost),
            "distance": distance if distance is None else check.word("distance", distance),
            "outlier": outlier if outlier is None else check.word("outlier", outlier),
            "lambda": check.optional_weight("outlier_weight", outlier_weight),
            "k": check.optional_count("n_neighbors", n_neighbors),
            "options": check.count_or_all("options", options),
            # A sample that the user asked for is not sampled again.
            "reference": None if n_reference is None else "all",
        }
        self._fitted: Optional[_amends.Fitted] = None
        self._rules: list[Rule] = []
        #: What the user should know about how the model was read.
        self.notes: list[str] = []

    def fit(self, X: Any, y: Any = None, *, feature_names: Optional[Sequence[str]] = None) -> Explainer:
        """Fits distances, densities and ranges on rows with known outcomes.

        Parameters
        ----------
        X : pandas or polars DataFrame, dict of columns, or 2-d array
            The rows that the model was fitted on, or others like them, with its columns (in any order; others are ignored).
        y : list-like, optional
            Their outcomes, of the model's classes. May be left out where ``target`` names a column of X.
        feature_names : list of str, optional
            Names for the columns of an array; ``x0``, ``x1``, ... where it is left out.

        Returns
        -------
        Explainer
            Itself.

        Warns
        -----
        UserWarning
            Where ``desired_class`` was guessed, where the model predicts another class than ``y`` in most rows, and where a column
            whose only values are 1 and 2, or 0, 1 and 2, is taken for a number.
        """
        given = _inputs.read(X, feature_names)
        frame, self._reader.objects = given.frame, given.objects
        self._fitted = None
        self._target = self._asked_target
        outcomes = self._outcomes(frame, y)
        frame = frame.drop(columns=self._target, errors="ignore") if self._target else frame
        names = self._reader.input_names(frame)
        frame = frame[names] if self._said.file is None else frame
        _inputs.check_types(frame[names])
        self._schema, spec = self._said.describe(frame, names, self._target)
        schema = self._schema
        self._target = schema.target
        self._reader.check_outcomes(outcomes, schema.target)
        _inputs.check_numbers(frame, schema.numeric)
        _inputs.check_present(frame, schema.never_missing, "declare a code for missing values in the schema, or fill it in")
        _amends.check_memory(len(frame), len(schema.numeric))
        rows = columns(frame, schema.numeric, schema.missing)
        favourable = [outcome == schema.favourable for outcome in outcomes]
        sample = check.sample(outcomes, self._n_reference, self._random_state)
        seed = check.seed(self._random_state) if sample is not None else None
        recipe = (check.json_text(spec, "the model"), check.json_text(self._costs, "the settings"), sample, seed)
        fitted = _amends.Fitted(schema.toml, rows, favourable, *recipe)
        in_file = self._said.file is not None
        restrictions = _schema.restrictions(schema, self._said.fixed(schema), self._said.ranges, in_file)
        self._rules = [*as_rules(restrictions), *self._asked]
        fitted.check_rules(check.json_text(as_json(self._rules), "rules"))
        self._dtypes = {name: object if name in given.objects else frame[name].dtype for name in schema.numeric}
        self._names = names
        self._sample = frame.head(50)
        self._recipe = recipe
        self._rows = len(frame)
        self._judge = Judge(self._reader, names, schema.favourable)
        scores = np.asarray(fitted.training_scores())
        self.notes = [*self._said.notes(), *self._judge.compare(frame, scores)]
        # Only now: what fails before leaves an explainer that is not fitted.
        self._fitted = fitted
        _warnings.warn([*self._said.warnings(schema), *_warnings.disagreement(favourable, (scores >= 0).tolist())])
        return self

    def _outcomes(self, frame: pd.DataFrame, y: Any) -> list[str]:
        if y is None:
            if self._target is None:
                raise ValueError("y is missing; give the outcomes, or name their column of X as target")
            if self._target not in frame.columns:
                near = nearest(self._target, frame.columns)
                raise ValueError(f"target: `{self._target}` is not a column of X; {f'did you mean `{near}`?' if near else 'give y'}")
            y = frame[self._target]
        if self._target is None and self._said.file is None:
            self._target = str(getattr(y, "name", None) or "outcome")
            if self._target in frame.columns:
                # A feature of that name is the model's, unless `target` names it.
                self._target = f"{self._target} (outcome)"
        return [self._reader.class_text(value) for value in _inputs.outcomes(y, len(frame))]

    def _core(self) -> _amends.Fitted:
        if self._fitted is None:
            raise check.not_fitted()
        return self._fitted

    def score(self, X: Any) -> Any:
        """The scores of applications, at least 0 where the model accepts.

        Log-odds for logistic models and boosted trees, the probability minus one half for forests, the distance from the
        hyperplane for support vector machines; always in the direction of the desired class.

        Parameters
        ----------
        X : table, or a single row
            As in :meth:`fit`, also a Series, a dict of cells or a 1-d array. Numbers may be any, also between whole ones.

        Returns
        -------
        numpy.ndarray
            One score per row.

        Examples
        --------
        >>> scores = explainer.score(german.X)
        >>> bool(((scores >= 0) == (model.predict(german.X) == "good")).all())
        True
        """
        self._core()
        schema, frame = self._schema, self._given(X).frame
        loose = _scores.between(schema, frame)
        scores = _scores.score(self._reader, self._names, schema, loose, self._sample, frame) if loose else None
        return self._scores(frame) if scores is None else scores

    def _scores(self, frame: pd.DataFrame) -> Any:
        """Scores of applications that :meth:`_given` has checked, with values that :meth:`explain` takes."""
        return np.asarray(self._core().score(self._columns(frame)))

    def _columns(self, frame: pd.DataFrame) -> list[Column]:
        return columns(frame, self._schema.numeric, self._schema.missing)

    @property
    def _features(self) -> list[str]:
        """The columns that applications need."""
        self._core()
        return list(self._schema.numeric)

    @property
    def _numeric(self) -> dict[str, bool]:
        """The same, with whether each can only hold numbers: some have texts that stand for a state."""
        self._core()
        features = self._schema.features
        return {one.name: one.numeric and not any(isinstance(code, str) for code in one.codes) for one in features}

    def _nobody(self) -> pd.DataFrame:
        """A table of applications without a row."""
        return pd.DataFrame({name: [] for name in self._features})

    def _given(self, X: Any) -> _inputs.Given:
        """Rows to be asked about, checked as far as Python can."""
        given = _inputs.read(X, list(self._schema.numeric), single=True)
        _inputs.check_numbers(given.frame, self._schema.numeric)
        _inputs.check_present(
            given.frame,
            self._schema.never_missing,
            "no row of fit lacks it, so fill it in; or name the column as may_be_missing if the model takes missing values there",
        )
        for name in {*self._reader.domains, *self._reader.grids}:
            _inputs.check_known(given.frame, self._schema.feature(name), self._reader.domains.get(name), self._reader.grids.get(name))
        return given

    def explain(
        self,
        X: Any,
        *,
        target_proba: Optional[float] = None,
        n_plans: int = 1,
        apart: int = 1,
        supersets: bool = False,
        time_limit: Optional[float] = 60,
        n_jobs: Optional[int] = -1,
        rules: Rules = (),
        why_none: bool = True,
        reasons: bool = False,
        reason_group: str = "near-cut",
        max_reasons: int = 4,
        margin: float = 0.0,
        margin_step: bool = False,
        harmless: bool = False,
        needed: bool = False,
        progress: Progress = None,
    ) -> Results:
        """The best plans of applications in raw units, each proven or with its bound.

        Python's other threads go on meanwhile, and Ctrl-C stops it.

        Parameters
        ----------
        X : table, or a single row
            The applications, as in :meth:`fit`; also a Series, a dict of cells or a 1-d array for one of them.
        target_proba : float, optional
            A probability of the desired class to reach instead of the model's own cut.
        n_plans : int, default 1
            How many plans that differ in what they change, for each application.
        apart : int, default 1
            How many changed features plans differ in, at least.
        supersets : bool, default False
            Whether a plan may change everything that a better plan changes, and something else.
        time_limit : float, default 60
            Seconds for each application; None for no limit.
        n_jobs : int, default -1
            Threads; -1 for all cores, and None for one, as in scikit-learn.
        rules : str, rule or list of them
            Rules for these applications alone, beside the explainer's.
        why_none : bool, default True
            Whether to find out why where there is no plan.
        reasons : bool, default False
            Whether to give the principal reasons of every rejection, as ``reasons`` of the answer: the features that pull the score
            furthest below that of others, whether or not the applicant can act on them.
        reason_group : {"near-cut", "all", "accepted"}
            Who rejected applicants are compared with: the rows of fit that the model accepts with the lowest scores, all rows, or
            all that it accepts.
        max_reasons : int, default 4
            How many principal reasons at most.
        margin : float, default 0
            Plans stay accepted if the score drops by this much.
        margin_step : bool, default False
            Plans stay accepted if any changed numbers are off by a step, up or down.
        harmless : bool, default False
            Plans have no change that would lower the score if it were the only one.
        needed : bool, default False
            Plans have no change that they could do without: the model rejects every part of a plan.
        progress : bool or callable, optional
            A bar (of tqdm) for batches, shown by default at terminals and in notebooks where tqdm is installed; True asks for
            it, False for quiet. A function is called with the number of applications done and of all.

        Returns
        -------
        Results
            One :class:`Explanation` per row. That there is no plan is a result, not an error.

        Examples
        --------
        >>> from amends import col
        >>> results = explainer.explain(rejected.head(1), n_plans=2, rules=col("housing").stays(), target_proba=0.6)
        >>> len(results[0].plans)
        2
        >>> bool((model.predict_proba(results.applications())[:, 1] >= 0.6).all())
        True
        """
        plans = _options.of_plans(target_proba, time_limit, n_jobs, margin, margin_step, harmless, needed)
        why = _options.of_reasons(why_none, reasons, reason_group, max_reasons)
        options = _options.of_question(self._rules, self._also(rules), plans, why, n_plans, apart, supersets)
        core = self._core()
        given = self._given(X)
        return self._answering(core).results(given, options, progress)

    def tradeoff(
        self,
        row: Any,
        *,
        n_plans: int = 20,
        resolution: float = 0.01,
        target_proba: Optional[float] = None,
        time_limit: Optional[float] = 60,
        n_jobs: Optional[int] = -1,
        rules: Rules = (),
        why_none: bool = True,
        reasons: bool = False,
        reason_group: str = "near-cut",
        max_reasons: int = 4,
        margin: float = 0.0,
        margin_step: bool = False,
        harmless: bool = False,
        needed: bool = False,
    ) -> Tradeoff:
        """The proven trade-off between effort and plausibility: every plan that no other beats in both.

        Parameters
        ----------
        row : a single row
            One application, as in :meth:`explain`.
        n_plans : int, default 20
            How many plans at most, spread out as well as they can be.
        resolution : float, default 0.01
            Relative differences below this are ignored.
        time_limit : float, default 60
            Seconds for all of it; None for no limit.
        target_proba, n_jobs, rules, why_none, reasons, reason_group, max_reasons, margin, margin_step, harmless, needed
            As in :meth:`explain`.

        Returns
        -------
        Tradeoff
            An :class:`Explanation` whose plans are in rising distance; ``points()`` is their frame.

        Examples
        --------
        >>> front = explainer.tradeoff(rejected.iloc[[3]])
        >>> front.complete
        True
        >>> len(front.points()) == len(front.plans) > 1
        True
        """
        core = self._core()
        given = self._given(row)
        if len(given.frame) != 1:
            raise ValueError(f"a trade-off is one application's, but there are {len(given.frame)} rows; give one of them")
        front = {"n_plans": check.count("n_plans", n_plans), "resolution": check.number("resolution", resolution)}
        plans = _options.of_plans(target_proba, time_limit, n_jobs, margin, margin_step, harmless, needed)
        why = _options.of_reasons(why_none, reasons, reason_group, max_reasons)
        options = _options.of_question(self._rules, self._also(rules), plans, why, front=front)
        one = self._answering(core).results(given, options, False)[0]
        assert isinstance(one, Tradeoff)
        return one

    def serve(
        self,
        port: int = 8170,
        open: bool = True,
        *,
        target_proba: Optional[float] = None,
        time_limit: float = 10,
        n_jobs: Optional[int] = -1,
        rules: Rules = (),
        reason_group: str = "near-cut",
        max_reasons: int = 4,
        margin: float = 0.0,
        margin_step: bool = False,
        harmless: bool = False,
        needed: bool = False,
    ) -> None:
        """Shows a page in the browser where plans follow an applicant's wishes at once, until Ctrl-C (in a notebook: until the
        cell is interrupted).

        Only this machine is answered. The applicants are the rows of :meth:`fit`; docs/serve.md describes the page's API.

        Parameters
        ----------
        port : int, default 8170
            The port to listen on; 0 takes a free one. The address is printed.
        open : bool, default True
            Whether to open the page in the browser.
        time_limit : float, default 10
            The most seconds that a question may take.
        n_jobs : int, default -1
            Questions that are answered at the same time, on one thread each; -1 for all cores.
        target_proba, rules, reason_group, max_reasons, margin, margin_step, harmless, needed
            As in :meth:`explain`; they bind every question.
        """
        plans = _options.of_plans(target_proba, check.number("time_limit", time_limit), n_jobs, margin, margin_step, harmless, needed)
        reasons = _options.of_reasons(True, True, reason_group, max_reasons)
        options = _options.of_question(self._rules, self._also(rules), plans, reasons)
        _serving.serve(self._core(), check.json_text(options, "the question"), check.port(port), bool(open))

    def _also(self, rules: Rules) -> list[Rule]:
        """The rules of a question beside the explainer's own, checked together with them."""
        also = as_rules(rules)
        if self._reader.grids:
            text = self._core().schema(check.json_text(as_json([*self._rules, *also]), "rules"))
            _additive.check_steps(self._reader.grids, _amends.describe_schema(text, "schema"))
        return also

    def _answering(self, core: _amends.Fitted) -> Answering:
        return Answering(core, self._schema, self._dtypes, self._names, self._judge)

    @property
    def schema(self) -> str:
        """The schema file that belongs to a saved model, with all rules: to be edited and given as ``schema``, or to ``amends``.

        Examples
        --------
        >>> 'name = "credit_amount"' in explainer.schema
        True
        """
        return self._core().schema(check.json_text(as_json(self._rules), "rules"))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model for ``amends explain --model``; ``schema`` is the schema file to give with it.

        Parameters
        ----------
        path : str or path
            The file, which is replaced where it exists.
        """
        self._core().save(os.fspath(path))
