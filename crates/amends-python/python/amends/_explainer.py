"""Fit once on a data frame, explain many rows of it."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import pandas as pd

from . import _amends, _schema
from ._frames import as_frame, cells, first_missing, is_missing, level_text
from ._models import Reader
from ._pipeline import NeedsCode, NeedsLevels
from ._results import Explanation, Plan, Results
from ._schema import Feature, Schema

#: Score to spare that is tried in turn where rounding makes the model refuse a plan.
_MARGINS = (1e-9, 1e-6, 1e-4, 1e-2)


class Explainer:
    """Explains what a fitted model's decision would have taken to change.

    ``model`` is the fitted model itself; docs/python.md lists what can be read. ``desired_class`` is the class that applicants
    want. ``immutable``, ``features_to_vary`` and ``permitted_range`` restrict plans, and so do ``rules`` in the words of the
    schema's rule language. Missing values are states that plans keep; ``supply_missing`` names columns (or is True for all) in which
    an applicant may give what is missing, and ``may_be_missing`` those in which applicants may lack a value although no row of
    ``fit`` does. ``kinds`` overrides what columns are taken for; ``schema`` is a schema file (or its text) instead of
    all guesses.
    """

    def __init__(
        self,
        model: Any,
        *,
        target: Optional[str] = None,
        desired_class: Any = None,
        immutable: Union[str, Iterable[str]] = (),
        features_to_vary: Optional[Iterable[str]] = None,
        permitted_range: Optional[Mapping[str, Any]] = None,
        max_changes: Optional[int] = None,
        rules: Union[str, Iterable[str]] = (),
        supply_missing: Union[bool, str, Iterable[str]] = (),
        may_be_missing: Union[bool, str, Iterable[str]] = (),
        kinds: Optional[Mapping[str, Any]] = None,
        schema: Optional[str] = None,
        preset: str = "standard",
        distance: Optional[str] = None,
        outlier: Optional[str] = None,
        outlier_weight: Optional[float] = None,
        n_neighbors: Optional[int] = None,
    ) -> None:
        self.model = model
        self._reader = Reader(model)
        self._target = target
        self._desired = desired_class
        self._immutable = [immutable] if isinstance(immutable, str) else list(immutable)
        self._vary = None if features_to_vary is None else list(features_to_vary)
        self._range = dict(permitted_range or {})
        self._asked = [rules] if isinstance(rules, str) else list(rules)
        self._kinds = dict(kinds or {})
        self._supply = _names_or_all(supply_missing)
        self._lacking = _names_or_all(may_be_missing)
        self._file = None if schema is None else os.fspath(schema)
        self._costs = {
            "preset": preset,
            "max_changes": max_changes,
            "distance": distance,
            "outlier": outlier,
            "lambda": outlier_weight,
            "k": n_neighbors,
        }
        self._fitted: Optional[_amends.Fitted] = None
        self._rules: list[str] = []
        #: What the user should know about how the model was read.
        self.notes: list[str] = []

    def fit(self, X: Any, y: Any = None, *, feature_names: Optional[Sequence[str]] = None) -> Explainer:
        """Fits distances, densities and ranges on rows with known outcomes; ``y`` may be a column of ``X``."""
        frame = as_frame(X, feature_names)
        frame = frame.set_axis(frame.columns.map(str), axis=1)
        outcomes = self._outcomes(frame, y)
        frame = frame.drop(columns=self._target, errors="ignore") if self._target else frame
        names = self._reader.input_names(frame)
        frame = frame[names] if self._file is None else frame
        self._schema, spec = self._describe(frame, names)
        schema = self._schema
        self._check_missing(frame, "declare a code for missing values in the schema, or fill it in")
        rows = cells(frame, schema.numeric, schema.missing)
        for row, outcome in zip(rows, outcomes):
            row.append(outcome)
        header = [*schema.numeric, schema.target]
        fitted = _amends.Fitted(
            schema.toml, header, rows, _json(spec, "the model"), _json(self._costs, "the settings")
        )
        in_file = self._file is not None
        self._rules = _schema.restrictions(schema, self._fixed(schema), self._range, in_file) + self._asked
        fitted.check_rules(self._rules)
        self._dtypes = {name: frame[name].dtype for name in schema.numeric}
        self._names = names
        self._fitted = fitted
        self._compare(frame)
        return self

    def _outcomes(self, frame: pd.DataFrame, y: Any) -> list[str]:
        if y is None:
            if self._target is None or self._target not in frame.columns:
                raise ValueError("y is missing; give the outcomes, or name their column of X as target")
            y = frame[self._target]
        if self._target is None and self._file is None:
            self._target = str(getattr(y, "name", None) or "outcome")
        values = list(y.tolist() if hasattr(y, "tolist") else y)
        if len(values) != len(frame):
            raise ValueError(f"X has {len(frame)} rows, but y has {len(values)} outcomes")
        return [level_text(value) for value in values]

    def _outcome_names(self) -> tuple[str, str]:
        """The favourable and the other class."""
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
            raise ValueError("the explainer is not fitted; call fit(X, y) first")
        return self._fitted

    def score(self, X: Any) -> np.ndarray:
        """The scores of applications, at least 0 where the model accepts.

        Log-odds for logistic models and boosted trees, the probability minus one half for forests, the distance from the
        hyperplane for support vector machines; always in the direction of the desired class.
        """
        core = self._core()
        frame = self._frame(X)
        return np.asarray(core.score(list(self._schema.numeric), cells(frame, self._schema.numeric, self._schema.missing)))

    def _frame(self, X: Any) -> pd.DataFrame:
        frame = as_frame(X, list(self._schema.numeric))
        if not all(isinstance(name, str) for name in frame.columns):
            frame = frame.set_axis(frame.columns.map(str), axis=1)
        self._check_missing(
            frame,
            "no row of fit lacks it, so fill it in; or name the column as may_be_missing if the model takes missing values there",
        )
        return frame

    def explain(
        self,
        X: Any,
        *,
        n_plans: int = 1,
        apart: Optional[int] = None,
        time_limit: Optional[float] = 60,
        target_proba: Optional[float] = None,
        n_jobs: Optional[int] = None,
        rules: Union[str, Iterable[str]] = (),
        reasons: bool = True,
    ) -> Results:
        """The best plans of applications in raw units, each proven or with its bound.

        ``n_plans`` asks for several that differ in what they change (in at least ``apart`` features); ``time_limit`` is in
        seconds and per application; ``target_proba`` asks for more than the model's own cut; ``rules`` are rules for these
        applications alone; ``reasons=False`` does not ask why where there is no plan.
        """
        core = self._core()
        frame = self._frame(X)
        options = {
            "n_plans": n_plans,
            "apart": apart,
            "time_limit": time_limit,
            "target_proba": target_proba,
            "margin": 0.0,
            "threads": None if n_jobs is None or n_jobs < 0 else n_jobs,
            "reasons": reasons,
            "rules": self._rules + ([rules] if isinstance(rules, str) else list(rules)),
        }
        header, rows = list(self._schema.numeric), cells(frame, self._schema.numeric, self._schema.missing)
        own = frame[header]
        told = self._ask(core, header, rows, options, own)
        for margin in _MARGINS:
            refused = [place for place, one in enumerate(told) if any(plan.verified is False for plan in one.plans)]
            if not refused:
                break
            again = self._ask(core, header, [rows[place] for place in refused], {**options, "margin": margin}, own.iloc[refused])
            for place, one in zip(refused, again):
                one.remark = f"within rounding of the cut the model refused a plan: these have {margin:g} of score to spare"
                told[place] = one
        for one in told:
            if one.verified is False:
                one.remark = "the model itself refuses a plan, so don't use it; please report this with the model and the row"
        return Results(told)

    def _ask(
        self, core: _amends.Fitted, header: list[str], rows: list[list[str]], options: dict[str, Any], own: pd.DataFrame
    ) -> list[Explanation]:
        answers = core.explain(header, rows, _json(options, "the question"))
        told = []
        for place, answer in enumerate(answers):
            first, plans = None, []
            for text in answer:
                data = json.loads(text)
                first = first or data
                if data["application"] is not None:
                    plans.append(Plan(data, self._changed(own.iloc[[place]], data)))
            told.append(Explanation(own.index[place], first or {}, own.iloc[[place]], plans))
        self._verify([plan for one in told for plan in one.plans], options["target_proba"])
        return told

    def _verify(self, plans: list[Plan], target_proba: Optional[float]) -> None:
        """The user's own model has the last word."""
        if not plans:
            return
        frame = pd.concat([plan.frame for plan in plans])
        for plan, accepted in zip(plans, self._accepted(frame, target_proba)):
            plan.verified = bool(accepted)

    def _changed(self, own: pd.DataFrame, data: dict[str, Any]) -> pd.DataFrame:
        """The changed application as the user's frame would have it."""
        changed = {}
        names = {change["feature"] for change in data["changes"]}
        for feature in self._schema.features:
            name, dtype = feature.name, self._dtypes[feature.name]
            value = own[name].iloc[0]
            if name in names:
                value = feature.raw(data["application"][name])
            elif is_missing(value):
                value = next(code for code in feature.codes if is_missing(code))
            changed[name] = pd.Series([value], index=own.index, dtype=_room_for(value, dtype, feature.numeric))
        return pd.DataFrame(changed)

    @property
    def schema(self) -> str:
        """The schema file that belongs to a saved model, to be edited and given as ``schema``."""
        return self._core().schema()

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model for ``amends explain --model``; ``schema`` is the schema file to give with it."""
        self._core().save(os.fspath(path))


def _names_or_all(given: Union[bool, str, Iterable[str]]) -> Optional[list[str]]:
    """Names of columns; None for all of them."""
    if isinstance(given, bool):
        return None if given else []
    return [given] if isinstance(given, str) else list(given)


def _room_for(value: Any, dtype: Any, numeric: bool) -> Any:
    """A column's type, or the next that holds the value."""
    if is_missing(value) and isinstance(dtype, np.dtype) and dtype.kind in "iub":
        return np.dtype("float64") if numeric or dtype.kind != "b" else np.dtype("object")
    if not numeric or pd.api.types.is_integer_dtype(dtype):
        return dtype
    # 32 bits would move the number that was proven.
    return pd.Float64Dtype() if isinstance(dtype, pd.Float32Dtype) else dtype if str(dtype) == "Float64" else np.dtype("float64")


def _json(data: dict[str, Any], what: str) -> str:
    try:
        return json.dumps(data, allow_nan=False, default=_plain)
    except ValueError:
        raise ValueError(f"{what}: holds a number that is not finite") from None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} can't be used here")
