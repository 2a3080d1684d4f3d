"""What the columns and classes are, by the frame, the model and the user's word; and the model over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

import pandas as pd

from . import _schema, _warnings
from ._frames import level_text
from ._models import Reader
from ._pipeline import NeedsCode, NeedsLevels, NeedsNoOrder
from ._schema import Feature, Schema


@dataclass
class Description:
    """What the user said about columns and classes."""

    reader: Reader
    desired: Any
    immutable: list[str]
    #: The only columns that may change; None for all.
    vary: Optional[list[str]]
    ranges: dict[str, Any]
    kinds: dict[str, Any]
    #: Columns in which plans may give what is missing, and those in which applicants may lack what no row lacks; None for all.
    supply: Optional[list[str]]
    lacking: Optional[list[str]]
    #: A schema file instead of guesses.
    file: Optional[str]
    #: The probability of the desired class from which on applications are accepted; None for the model's own decisions.
    threshold: Optional[float] = None
    #: Ordered columns that the model takes for unordered ones.
    unordered: list[str] = field(default_factory=list)
    #: Numbers of which the rows have only two, and what those are; 0 and 1 are levels.
    two_values: dict[str, list[Any]] = field(default_factory=dict)
    #: Numbers whose few values may be codes.
    like_codes: dict[str, list[Any]] = field(default_factory=dict)

    def _outcome_names(self) -> tuple[str, str]:
        """The desired and the other class."""
        classes = self.reader.classes
        wanted = self.desired
        names = [level_text(one) for one in classes]
        if wanted is None:
            if names in (["0", "1"], ["False", "True"]):
                return names[1], names[0]
            raise ValueError(f"desired_class is missing: which of `{names[0]}` and `{names[1]}` do applicants want?")
        if self.reader.class_text(wanted) not in names:
            raise ValueError(f"desired_class: `{wanted}` is not a class of the model; it has `{names[0]}` and `{names[1]}`")
        index = names.index(self.reader.class_text(wanted))
        return names[index], names[1 - index]

    def _move_threshold(self, favourable: str) -> None:
        if self.threshold is not None:
            self.reader.accept_from(self.threshold, [level_text(one) for one in self.reader.classes].index(favourable))

    def _agree(self, schema: Schema) -> None:
        """Whether the schema file means the classes that the model has, and the class that was asked for."""
        if self.desired is not None and self.reader.class_text(self.desired) != schema.favourable:
            raise ValueError(
                f"desired_class: is `{self.desired}`, but the schema's favourable outcome is `{schema.favourable}`; "
                "leave desired_class out, or edit the schema"
            )
        names = [level_text(one) for one in self.reader.classes]
        if {schema.favourable, schema.unfavourable} != set(names):
            raise ValueError(
                f"the schema's outcomes are `{schema.favourable}` and `{schema.unfavourable}`, but the model's classes are "
                f"`{names[0]}` and `{names[1]}`; write the schema's as the model has them"
            )

    def describe(self, frame: pd.DataFrame, names: list[str], target: Optional[str]) -> tuple[Schema, dict[str, Any]]:
        """The schema, and the model over its columns."""
        if self.file is not None:
            schema = _schema.read(self.file, frame)
            self._agree(schema)
            self._move_threshold(schema.favourable)
            if self.kinds:
                raise ValueError("kinds: say it in the schema file, which has a kind for every feature")
            for keyword, given in (("supply_missing", self.supply), ("may_be_missing", self.lacking)):
                if given is None or given:
                    raise ValueError(f"{keyword}: say it in the schema file, with a code for missing values and its `leave`")
            ordered = [schema.feature(_schema.check_names("model", [name], schema)[0]) for name in names]
            try:
                return schema, self.reader.spec(ordered, frame)
            except (NeedsLevels, NeedsNoOrder) as needs:
                raise ValueError(
                    f"column `{needs.feature}`: is encoded before the model; declare it as categorical in the schema"
                ) from None
        encoded: dict[str, list[Any]] = {}
        codes: dict[str, list[Any]] = {}
        for name in names if self.lacking is None else self.lacking:
            if name in names:
                codes[name] = [_schema.default_missing(frame[name])]
        self.unordered = []
        favourable, unfavourable = self._outcome_names()
        self._move_threshold(favourable)
        while True:
            features = [self._feature(frame[name], encoded.get(name), codes.get(name, [])) for name in names]
            try:
                spec = self.reader.spec(features, frame)
                break
            except NeedsCode as needs:
                codes.setdefault(needs.feature, []).append(needs.code)
            except NeedsNoOrder as needs:
                if needs.feature in self.kinds:
                    raise ValueError(
                        f"kinds[`{needs.feature}`]: has an order, but the model has an effect of its own for each level; use "
                        "categorical"
                    ) from None
                self.unordered.append(needs.feature)
            except NeedsLevels as needs:
                if needs.feature in encoded:
                    raise ValueError(
                        f"column `{needs.feature}`: is encoded before the model, so it can't be of kind "
                        f"{self.kinds[needs.feature]}; use categorical or ordinal"
                    ) from None
                encoded[needs.feature] = needs.levels
        guessed = [feature.name for feature in features if feature.numeric and feature.name not in self.kinds]
        values = {name: _schema.present_values(frame[name]) for name in guessed if name not in self.ranges}
        self.two_values = {name: sorted(two) for name, two in values.items() if len(two) == 2}
        self.like_codes = {name: sorted(few) for name, few in values.items() if len(few) <= 3 and sorted(few) in _warnings.CODES}
        draft = Schema("", features, target or "outcome", favourable, unfavourable)
        fixed = self.fixed(draft)
        _schema.check_names("kinds", self.kinds, draft)
        _schema.check_names("may_be_missing", self.lacking or (), draft)
        supply = names if self.supply is None else _schema.check_names("supply_missing", self.supply, draft)
        return _schema.build(features, draft.target, favourable, unfavourable, fixed, self.ranges, supply), spec

    def warnings(self, schema: Schema) -> list[str]:
        """What was guessed and turns plans around if it is wrong."""
        guessed = self.desired is None and self.file is None
        about_class = [_warnings.guessed_class(schema.favourable, schema.unfavourable)] if guessed else []
        return [*about_class, *_warnings.numbers_like_codes(self.like_codes)]

    def notes(self) -> list[str]:
        """What the user should know about how columns are taken."""
        unordered = [
            f"column `{name}`: is ordered, but the model has an effect of its own for each level, so it is taken for categorical"
            for name in self.unordered
        ]
        two_values = [
            f"column `{name}`: has only the values {level_text(low)} and {level_text(high)}, but is taken for a number; "
            f"if it is a choice of these two, say kinds={{'{name}': 'binary'}}"
            for name, (low, high) in self.two_values.items()
        ]
        return [*unordered, *two_values]

    def _feature(self, column: pd.Series, levels: Optional[list[Any]], codes: list[Any]) -> Feature:
        given = self.kinds.get(str(column.name), "categorical" if column.name in self.unordered else None)
        # A list of levels instead of a kind: ordinal, lowest first.
        if given is not None and not isinstance(given, str):
            return _schema.infer_feature(column, "ordinal", list(given), codes)
        return _schema.infer_feature(column, given, levels, codes)

    def fixed(self, schema: Schema) -> list[str]:
        """The columns that no plan changes."""
        fixed = _schema.check_names("immutable", self.immutable, schema)
        _schema.check_names("permitted_range", self.ranges, schema)
        if self.vary is not None:
            vary = _schema.check_names("features_to_vary", self.vary, schema)
            fixed = fixed + [f.name for f in schema.features if f.name not in vary and f.name not in fixed]
        if len(set(fixed)) == len(schema.features):
            raise ValueError("immutable, features_to_vary: leave no column that a plan may change; allow one at least")
        return fixed
