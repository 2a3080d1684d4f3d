"""Fit once on a data frame, explain many rows of it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import pandas as pd

from . import _amends, _inputs, _schema, _text
from . import _settings as check
from ._frames import cells, first_missing, is_missing, level_text
from ._models import Reader
from ._pipeline import NeedsCode, NeedsLevels
from ._plans import Plans
from ._progress import Bar, Progress
from ._results import Explanation, Plan, Results, Tradeoff
from ._rules import Rule, Rules, as_json, as_rules
from ._schema import Feature, Schema

#: Score to spare that is tried in turn where rounding makes the model refuse a plan.
_MARGINS = (1e-9, 1e-6, 1e-4, 1e-2)


class Explainer:
    """Explains what a fitted model's decision would have taken to change.

    Fit it once on the rows that the model was trained on, then ask for as many applications as you like.

    Parameters
    ----------
    model : fitted model
        Of scikit-learn, XGBoost or LightGBM, alone or at the end of a Pipeline; docs/python.md has the list.
    desired_class : optional
        The class that applicants want. May be left out where the classes are 0 and 1 (or False and True), and with a
        schema, which says it.
    target : str, optional
        The name of the outcome's column; with it, ``fit(X)`` takes the outcomes from X.
    immutable : str or list of str
        Columns that no plan changes.
    features_to_vary : list of str, optional
        The only columns that plans change.
    permitted_range : dict, optional
        ``{"income": (0, 90)}``; a list of levels for a column that has levels.
    max_changes : int, optional
        At most so many features change; 4 where it is left out.
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
    n_reference : int, optional
        How many rows of X distances and densities are fitted on: a sample of both classes, drawn with ``random_state``. All
        where it is left out. Ranges always come from all rows.
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
        n_reference: Optional[int] = None,
        random_state: Any = 0,
    ) -> None:
        #: The model as it was given.
        self.model = model
        self._reader = Reader(model)
        self._asked_target = target
        self._desired = desired_class
        self._immutable = _names("immutable", immutable)
        self._vary = None if features_to_vary is None else _names("features_to_vary", features_to_vary)
        self._range = _mapping("permitted_range", permitted_range)
        self._asked = as_rules(rules)
        self._kinds = _mapping("kinds", kinds)
        self._supply = _names_or_all("supply_missing", supply_missing)
        self._lacking = _names_or_all("may_be_missing", may_be_missing)
        self._file = None if schema is None else os.fspath(schema)
        self._n_reference = check.optional_count("n_reference", n_reference)
        self._random_state = random_state
        check.seeded(random_state)
        self._costs = {
            "preset": check.word("preset", preset),
            "max_changes": check.optional_count("max_changes", max_changes),
            "distance": distance if distance is None else check.word("distance", distance),
            "outlier": outlier if outlier is None else check.word("outlier", outlier),
            "lambda": check.optional_number("outlier_weight", outlier_weight),
            "k": check.optional_count("n_neighbors", n_neighbors),
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
        """
        frame = _inputs.read(X, feature_names).frame
        self._target = self._asked_target
        outcomes = self._outcomes(frame, y)
        frame = frame.drop(columns=self._target, errors="ignore") if self._target else frame
        names = self._reader.input_names(frame)
        frame = frame[names] if self._file is None else frame
        _inputs.check_types(frame[names])
        self._schema, spec = self._describe(frame, names)
        schema = self._schema
        _inputs.check_numbers(frame, schema.numeric)
        self._check_missing(frame, "declare a code for missing values in the schema, or fill it in")
        rows = cells(frame, schema.numeric, schema.missing)
        for row, outcome in zip(rows, outcomes):
            row.append(outcome)
        header = [*schema.numeric, schema.target]
        recipe = (_json(spec, "the model"), _json(self._costs, "the settings"), self._sample(outcomes))
        fitted = _amends.Fitted(schema.toml, header, rows, *recipe)
        in_file = self._file is not None
        restrictions = _schema.restrictions(schema, self._fixed(schema), self._range, in_file)
        self._rules = [*as_rules(restrictions), *self._asked]
        fitted.check_rules(_json(as_json(self._rules), "rules"))
        self._dtypes = {name: frame[name].dtype for name in schema.numeric}
        self._names = names
        self._recipe = recipe
        self._fitted = fitted
        self._rows = len(frame)
        self._compare(frame)
        return self

    def _sample(self, outcomes: list[str]) -> Optional[list[int]]:
        """The rows that distances and densities are fitted on: of each class as many as its share."""
        wanted = self._n_reference
        if wanted is None or wanted >= len(outcomes):
            return None
        draw = check.seeded(self._random_state)
        classes = sorted(set(outcomes))
        if wanted < 2 * len(classes):
            raise ValueError(f"n_reference: {wanted} rows are too few; give at least {2 * len(classes)}, better hundreds")
        chosen: list[int] = []
        for one in classes:
            rows = [row for row, outcome in enumerate(outcomes) if outcome == one]
            count = min(len(rows), max(2, round(wanted * len(rows) / len(outcomes))))
            chosen += [rows[place] for place in draw.permutation(len(rows))[:count]]
        return sorted(int(row) for row in chosen)

    def _outcomes(self, frame: pd.DataFrame, y: Any) -> list[str]:
        if y is None:
            if self._target is None or self._target not in frame.columns:
                raise ValueError("y is missing; give the outcomes, or name their column of X as target")
            y = frame[self._target]
        if self._target is None and self._file is None:
            self._target = str(getattr(y, "name", None) or "outcome")
            if self._target in frame.columns:
                # A feature of that name is the model's, unless it is told otherwise.
                self._target = f"{self._target} (outcome)"
        return [level_text(value) for value in _inputs.outcomes(y, len(frame))]

    def _outcome_names(self) -> tuple[str, str]:
        """The desired and the other class."""
        classes = self._reader.classes
        wanted = self._desired
        names = [level_text(one) for one in classes]
        if wanted is None:
            if names in (["0", "1"], ["False", "True"]):
                return names[1], names[0]
            raise ValueError(f"desired_class is missing: which of `{names[0]}` and `{names[1]}` do applicants want?")
        if level_text(wanted) not in names:
            raise ValueError(f"desired_class: `{wanted}` is no class of the model; it has `{names[0]}` and `{names[1]}`")
        place = names.index(level_text(wanted))
        return names[place], names[1 - place]

    def _agree(self, schema: Schema) -> None:
        """Whether the schema file means the classes that the model has, and the class that was asked for."""
        if self._desired is not None and level_text(self._desired) != schema.favourable:
            raise ValueError(
                f"desired_class: is `{self._desired}`, but the schema's favourable outcome is `{schema.favourable}`; "
                "leave desired_class out, or edit the schema"
            )
        names = [level_text(one) for one in self._reader.classes]
        if {schema.favourable, schema.unfavourable} != set(names):
            raise ValueError(
                f"the schema's outcomes are `{schema.favourable}` and `{schema.unfavourable}`, but the model's classes are "
                f"`{names[0]}` and `{names[1]}`; write the schema's as the model has them"
            )

    def _describe(self, frame: pd.DataFrame, names: list[str]) -> tuple[Schema, dict[str, Any]]:
        """The schema, and the model over its columns."""
        if self._file is not None:
            schema = _schema.read(self._file, frame)
            self._target = schema.target
            self._agree(schema)
            for keyword, given in (("supply_missing", self._supply), ("may_be_missing", self._lacking)):
                if given is None or given:
                    raise ValueError(f"{keyword}: say it in the schema file, with a code for missing values and its `leave`")
            ordered = [schema.feature(_schema.check_names("model", [name], schema)[0]) for name in names]
            try:
                return schema, self._reader.spec(ordered, frame)
            except NeedsLevels as needs:
                raise ValueError(
                    f"column `{needs.feature}`: is encoded before the model; declare it as categorical in the schema"
                ) from None
        encoded: dict[str, list[Any]] = {}
        codes: dict[str, list[Any]] = {}
        for name in names if self._lacking is None else self._lacking:
            if name in names:
                codes[name] = [_schema.default_missing(frame[name])]
        while True:
            features = [self._feature(frame[name], encoded.get(name), codes.get(name, [])) for name in names]
            try:
                spec = self._reader.spec(features, frame)
                break
            except NeedsCode as needs:
                codes.setdefault(needs.feature, []).append(needs.code)
            except NeedsLevels as needs:
                if needs.feature in encoded:
                    raise ValueError(
                        f"column `{needs.feature}`: is encoded before the model, so it can't be of kind "
                        f"{self._kinds[needs.feature]}; use categorical or ordinal"
                    ) from None
                encoded[needs.feature] = needs.levels
        favourable, unfavourable = self._outcome_names()
        draft = Schema("", features, self._target or "outcome", favourable, unfavourable)
        fixed = self._fixed(draft)
        _schema.check_names("may_be_missing", self._lacking or (), draft)
        supply = names if self._supply is None else _schema.check_names("supply_missing", self._supply, draft)
        return _schema.build(features, draft.target, favourable, unfavourable, fixed, self._range, supply), spec

    def _feature(self, column: pd.Series, levels: Optional[list[Any]], codes: list[Any]) -> Feature:
        given = self._kinds.get(str(column.name))
        # A list of levels instead of a kind: ordinal, lowest first.
        if given is not None and not isinstance(given, str):
            return _schema.infer_feature(column, "ordinal", list(given), codes)
        return _schema.infer_feature(column, given, levels, codes)

    def _check_missing(self, frame: pd.DataFrame, remedy: str) -> None:
        """Refuses missing cells in columns that have no state for them."""
        known = self._schema.missing
        for name in self._schema.numeric:
            place = first_missing(frame[name]) if name in frame.columns and name not in known else None
            if place is not None:
                raise ValueError(f"row {place + 1}, column `{name}`: is missing; {remedy}")

    def _fixed(self, schema: Schema) -> list[str]:
        fixed = _schema.check_names("immutable", self._immutable, schema)
        _schema.check_names("permitted_range", self._range, schema)
        if self._vary is not None:
            vary = _schema.check_names("features_to_vary", self._vary, schema)
            fixed = fixed + [f.name for f in schema.features if f.name not in vary and f.name not in fixed]
        return fixed

    def _compare(self, frame: pd.DataFrame) -> None:
        """Every training row must be decided as the model itself decides it."""
        scores = np.asarray(self.score(frame))
        theirs = self._accepted(frame)
        differ = np.flatnonzero((scores >= 0) != theirs)
        rounding = self._reader.rounding(frame[self._names]) if differ.size else 0.0
        plain = [row for row in differ if abs(scores[row]) > rounding]
        if plain:
            raise ValueError(
                f"the model was read wrongly: {len(plain)} of {len(frame)} rows of X are decided otherwise, first "
                f"row {plain[0] + 1} with a score of {scores[plain[0]]:+.6g}. Check that X has the units and types that "
                "the model was fitted on; if so, please report it"
            )
        self.notes = [
            f"row {row + 1} of X: its score of {scores[row]:+.1e} is 0 up to rounding, and the model decides it otherwise"
            for row in differ
        ]

    def _accepted(self, frame: pd.DataFrame, target_proba: Optional[float] = None) -> np.ndarray:
        """What the user's own model says."""
        frame = frame[self._names]
        one = level_text(self._reader.classes[1]) == self._schema.favourable
        if target_proba is not None:
            probability = self._reader.probability(frame)
            if probability is not None:
                return (probability if one else 1 - probability) >= target_proba
        second = self._reader.predict(frame)
        return second if one else ~second

    def _core(self) -> _amends.Fitted:
        if self._fitted is None:
            raise _not_fitted()
        return self._fitted

    def score(self, X: Any) -> Any:
        """The scores of applications, at least 0 where the model accepts.

        Log-odds for logistic models and boosted trees, the probability minus one half for forests, the distance from the
        hyperplane for support vector machines; always in the direction of the desired class.

        Parameters
        ----------
        X : table, or a single row
            As in :meth:`fit`, also a Series, a dict of cells or a 1-d array.

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
        core = self._core()
        frame = self._given(X).frame
        return np.asarray(core.score(list(self._schema.numeric), cells(frame, self._schema.numeric, self._schema.missing)))

    def _given(self, X: Any) -> _inputs.Given:
        """Rows to be asked about, checked as far as Python can."""
        given = _inputs.read(X, list(self._schema.numeric), single=True)
        _inputs.check_numbers(given.frame, self._schema.numeric)
        self._check_missing(
            given.frame,
            "no row of fit lacks it, so fill it in; or name the column as may_be_missing if the model takes missing values there",
        )
        return given

    def explain(
        self,
        X: Any,
        *,
        target_proba: Optional[float] = None,
        n_plans: int = 1,
        apart: Optional[int] = None,
        time_limit: Optional[float] = 60,
        n_jobs: Optional[int] = -1,
        rules: Rules = (),
        reasons: bool = True,
        margin: float = 0.0,
        margin_step: bool = False,
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
        apart : int, optional
            Plans differ in at least so many changed features.
        time_limit : float, default 60
            Seconds for each application; None for no limit.
        n_jobs : int, default -1
            Threads; -1 for all cores, and None for one, as in scikit-learn.
        rules : str, rule or list of them
            Rules for these applications alone, beside the explainer's.
        reasons : bool, default True
            Whether to find out why where there is no plan.
        margin : float, default 0
            Plans stay accepted if the score drops by this much.
        margin_step : bool, default False
            Plans stay accepted if any changed numbers are off by a step, up or down.
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
        options = {
            "n_plans": check.count("n_plans", n_plans),
            "apart": check.optional_count("apart", apart),
            "reasons": bool(reasons),
            "front": None,
            **self._options(target_proba, time_limit, n_jobs, rules, margin, margin_step),
        }
        core = self._core()
        given = self._given(X)
        return self._results(core, given, options, progress)

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
        reasons: bool = True,
        margin: float = 0.0,
        margin_step: bool = False,
    ) -> Tradeoff:
        """The proven trade-off between effort and plausibility: every plan that no other beats in both.

        Parameters
        ----------
        row : a single row
            One application, as in :meth:`explain`.
        n_plans : int, default 20
            At most so many plans, spread out as well as they can be.
        resolution : float, default 0.01
            Differences below this, relatively, are none.
        time_limit : float, default 60
            Seconds for all of it; None for no limit.
        target_proba, n_jobs, rules, reasons, margin, margin_step
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
        options = {
            "n_plans": 1,
            "apart": None,
            "reasons": bool(reasons),
            "front": {"n_plans": check.count("n_plans", n_plans), "resolution": check.number("resolution", resolution)},
            **self._options(target_proba, time_limit, n_jobs, rules, margin, margin_step),
        }
        one = self._results(core, given, options, False)[0]
        assert isinstance(one, Tradeoff)
        return one

    def _options(
        self,
        target_proba: Optional[float],
        time_limit: Optional[float],
        n_jobs: Optional[int],
        rules: Rules,
        margin: float,
        margin_step: bool,
    ) -> dict[str, Any]:
        return {
            "target_proba": check.optional_number("target_proba", target_proba),
            "time_limit": check.optional_number("time_limit", time_limit),
            "threads": check.threads(n_jobs),
            "rules": as_json([*self._rules, *as_rules(rules)]),
            "margin": check.number("margin", margin),
            "margin_step": bool(margin_step),
        }

    def _results(self, core: _amends.Fitted, given: _inputs.Given, options: dict[str, Any], progress: Progress) -> Results:
        frame = given.frame
        rows = cells(frame, self._schema.numeric, self._schema.missing)
        own = frame[[*self._names, *(name for name in self._schema.numeric if name not in self._names)]]
        bar = Bar(progress, len(rows))
        try:
            told = self._ask(core, rows, options, own, given.back, bar)
        finally:
            bar.close()
        for more in _MARGINS:
            refused = [place for place, one in enumerate(told) if one.verified is False]
            if not refused:
                break
            spared = {**options, "margin": options["margin"] + more}
            again = self._ask(core, [rows[place] for place in refused], spared, own.iloc[refused], given.back)
            for place, one in zip(refused, again):
                one.remark = f"within rounding of the cut the model refused a plan: these have {more:g} of score to spare"
                told[place] = one
        for one in told:
            if one.verified is False:
                one.remark = "the model itself refuses a plan, so don't use it; please report this with the model and the row"
        none = self._changed_rows(own.iloc[:0], [])
        return Results(told, frame.index, none, given.back)

    def _ask(
        self,
        core: _amends.Fitted,
        rows: list[list[str]],
        options: dict[str, Any],
        own: pd.DataFrame,
        back: Callable[[pd.DataFrame], Any],
        bar: Optional[Bar] = None,
    ) -> list[Explanation]:
        report = bar if bar is not None and bar.wanted else None
        answers = core.explain(list(self._schema.numeric), rows, _json(options, "the question"), report)
        found = [([json.loads(text) for text in texts], end) for texts, end in answers]
        plans = Plans(self, own, found)
        self._verify(plans.all, options["target_proba"])
        none = plans.changed.iloc[:0]
        told = []
        labels = own.index.tolist()
        for place, (answer, end) in enumerate(found):
            kind = Explanation if options["front"] is None else Tradeoff
            first = answer[0]
            one = kind(labels[place], first, plans.of[place], plans.why(place, first), _text.end(end), none, back)
            if isinstance(one, Tradeoff):
                one.complete = end == "complete"
                one.end = one.end if one.plans else None
            told.append(one)
        return told

    def _verify(self, plans: list[Plan], target_proba: Optional[float]) -> None:
        """The user's own model has the last word."""
        if not plans:
            return
        frame = plans[0]._changed.iloc[[plan._place for plan in plans]]
        for plan, accepted in zip(plans, self._accepted(frame, target_proba)):
            plan.verified = bool(accepted)

    def _changed_rows(self, own: pd.DataFrame, changes: list[dict[str, Any]]) -> pd.DataFrame:
        """Applications after their changes, with the types of the frame that the explainer was fitted on."""
        changed = {}
        for name in own.columns:
            feature, dtype = self._schema.feature(name), self._dtypes[name]
            column = own[name]
            # What is missing comes back as the frame has it: None stays None.
            after = {int(row): feature.nothing for row in np.flatnonzero(column.isna().to_numpy())}
            after.update((row, feature.raw(new[name])) for row, new in enumerate(changes) if name in new)
            dtype = _room_for(any(is_missing(value) for value in after.values()), dtype, feature.numeric)
            if after:
                values = column.tolist()
                for row, value in after.items():
                    values[row] = value
                changed[name] = pd.Series(values, index=own.index, dtype=dtype)
            else:
                changed[name] = column if column.dtype == dtype else column.astype(dtype)
        return pd.DataFrame(changed, index=own.index)

    @property
    def schema(self) -> str:
        """The schema file that belongs to a saved model, with all rules: to be edited and given as ``schema``, or to ``amends``.

        Examples
        --------
        >>> 'name = "credit_amount"' in explainer.schema
        True
        """
        return self._core().schema(_json(as_json(self._rules), "rules"))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model for ``amends explain --model``; ``schema`` is the schema file to give with it.

        Parameters
        ----------
        path : str or path
            The file, which is replaced where it exists.
        """
        self._core().save(os.fspath(path))

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        fitted = state.pop("_fitted")
        state["_training"] = None if fitted is None else fitted.training()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        training = state.pop("_training")
        self.__dict__.update(state)
        self._fitted = None
        if training is not None:
            header, rows = training
            self._fitted = _amends.Fitted(self._schema.toml, header, rows, *self._recipe)

    def __repr__(self) -> str:
        name = type(self.model).__name__
        if self._fitted is None:
            return f"<Explainer of {name}: not fitted>"
        return (
            f"<Explainer of {name}: {len(self._schema.features)} features, {self._rows} rows, "
            f"`{self._schema.favourable}` is desired>"
        )


def _not_fitted() -> ValueError:
    """scikit-learn's own exception where it is loaded, which is a ValueError as well."""
    problem = "the explainer is not fitted; call fit(X, y) first"
    exceptions = sys.modules.get("sklearn.exceptions")
    error: ValueError = exceptions.NotFittedError(problem) if exceptions is not None else ValueError(problem)
    return error


def _names(what: str, names: Union[str, Iterable[str]]) -> list[str]:
    listed = [names] if isinstance(names, str) else list(names)
    for name in listed:
        if not isinstance(name, str):
            raise ValueError(f"{what}: {name!r} is no name of a column; give texts")
    return listed


def _names_or_all(what: str, given: Union[bool, str, Iterable[str]]) -> Optional[list[str]]:
    """Names of columns; None for all of them."""
    if isinstance(given, bool):
        return None if given else []
    return _names(what, given)


def _room_for(lacks: bool, dtype: Any, numeric: bool) -> Any:
    """A column's type, or the next that holds its values; ``lacks`` says whether some are missing."""
    if lacks and isinstance(dtype, np.dtype) and dtype.kind in "iub":
        return np.dtype("float64") if numeric or dtype.kind != "b" else np.dtype("object")
    if not numeric or pd.api.types.is_integer_dtype(dtype):
        return dtype
    # 32 bits would move the number that was proven.
    return pd.Float64Dtype() if isinstance(dtype, pd.Float32Dtype) else dtype if str(dtype) == "Float64" else np.dtype("float64")


def _mapping(what: str, given: Optional[Mapping[str, Any]]) -> dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise ValueError(f"{what}: give a dict with the names of columns, not {given!r}")
    return dict(given or {})


def _json(data: Any, what: str) -> str:
    try:
        return json.dumps(data, allow_nan=False, default=_plain)
    except ValueError:
        raise ValueError(f"{what}: holds a number that is not finite") from None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} can't be used here")
