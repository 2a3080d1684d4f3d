"""Rules as objects: what plans must hold, written as Python.

They only write the words of the schema's rule language (docs/schema-format.md), with the quotes that names need.
"""

from __future__ import annotations

import json
import math
import numbers
from typing import Any, Iterable, Mapping, Optional, Union

from ._frames import is_missing, level_text
from ._words import NoTruth, is_number, level_word, name_word, number_word


class Rule(NoTruth):
    """What every plan must hold.

    Parameters
    ----------
    rule : str or Statement
        The rule, in the words of the schema's rule language or made with :func:`col`.
    name : str, optional
        What people read instead of the rule's text.
    must : bool, default False
        Whether it binds even applicants who break it as they are and leave alone all that it names.

    Examples
    --------
    >>> import amends
    >>> amends.Rule("housing stays", name="nobody moves house")
    <Rule: housing stays>
    >>> amends.Rule(amends.col("credit_amount") <= 5000, must=True).text
    'must credit_amount <= 5000'
    """

    def __init__(self, rule: Union[str, Statement, Rule], *, name: Optional[str] = None, must: bool = False) -> None:
        if not isinstance(rule, (str, Statement, Rule)):
            raise TypeError(f"a rule is a text or made with col(...), not {type(rule).__name__}")
        text: str = rule if isinstance(rule, str) else rule.text
        text = text.strip()
        if must and not text.lower().startswith("must "):
            text = f"must {text}"
        #: The rule in the words of the schema's rule language.
        self.text: str = text
        #: What people read instead of the text.
        self.name: Optional[str] = name if name is not None else getattr(rule, "name", None)

    def __and__(self, other: Any) -> Any:
        raise TypeError("whole rules are not joined: give them in a list, rules=[a, b], and all of them hold")

    __or__ = __rand__ = __ror__ = __and__

    def __repr__(self) -> str:
        return f"<Rule: {self.text}>"


class Setting(Rule):
    """A key of one feature, such as ``col("income").max_change(500)``."""

    def __init__(self, feature: str, key: str, value: str) -> None:
        doubled = feature.replace("`", "``")
        super().__init__(f"`{doubled}`.{key} = {value}")


class Statement(NoTruth):
    """Something that holds of a plan or does not; join statements with ``&``, ``|`` and ``~``.

    Examples
    --------
    >>> from amends import col
    >>> (col("housing") == "own") & ~col("savings").falls()
    <Statement: housing is own and not savings falls>
    """

    #: What people read instead; statements have no name of their own.
    name: Optional[str] = None

    def __init__(self, text: str, joined_by: str = "") -> None:
        #: The statement in the words of the schema's rule language.
        self.text = text
        self._joined_by = joined_by

    def _inside(self, word: str) -> str:
        return self.text if self._joined_by in ("", word) else f"({self.text})"

    def __and__(self, other: Statement) -> Statement:
        return self._join(other, "and")

    def __or__(self, other: Statement) -> Statement:
        return self._join(other, "or")

    def __invert__(self) -> Statement:
        return Statement(f"not {self._inside('not')}")

    def _join(self, other: Any, word: str) -> Statement:
        if not isinstance(other, Statement):
            raise TypeError(f"`{self.text}` can be joined with another statement, not with {other!r}; mind the parentheses: (a == 1) & (b == 2)")
        return Statement(f"{self._inside(word)} {word} {other._inside(word)}", word)

    def implies(self, then: Statement) -> Rule:
        """The rule that where this holds, the other does as well."""
        return if_then(self, then)

    def __repr__(self) -> str:
        return f"<Statement: {self.text}>"


class Compared(NoTruth):
    """What ``<=``, ``==`` and the like make statements of."""

    def _compare(self, sign: str, other: Any) -> Statement:
        raise NotImplementedError

    def __le__(self, other: Any) -> Statement:
        return self._compare("<=", other)

    def __lt__(self, other: Any) -> Statement:
        return self._compare("<", other)

    def __ge__(self, other: Any) -> Statement:
        return self._compare(">=", other)

    def __gt__(self, other: Any) -> Statement:
        return self._compare(">", other)

    def __eq__(self, other: Any) -> Statement:  # type: ignore[override]
        return self._compare("=", other)

    def __ne__(self, other: Any) -> Statement:  # type: ignore[override]
        return self._compare("!=", other)


class Sum(Compared):
    """Numbers times columns, and a number: what can be compared with ``<=``, ``==``, ``>=``."""

    def __init__(self, terms: tuple[tuple[float, str], ...], constant: float = 0) -> None:
        self._terms = terms
        self._constant = constant

    @staticmethod
    def _of(value: Any) -> Sum:
        if isinstance(value, Sum):
            return value
        if isinstance(value, Column):
            return Sum(((1, name_word(value.name)),))
        if is_number(value):
            return Sum((), value)
        raise TypeError(f"{value!r} can't be added up or compared here; give a number or col(...)")

    @property
    def text(self) -> str:
        """The sum in the words of the schema's rule language."""
        pieces: list[tuple[bool, str]] = []
        for factor, quantity in self._terms:
            size = abs(factor)
            pieces.append((factor < 0, quantity if size == 1 else f"{number_word(size)} * {quantity}"))
        if self._constant or not pieces:
            pieces.append((self._constant < 0, number_word(abs(self._constant))))
        text = ("-" if pieces[0][0] else "") + pieces[0][1]
        for negative, piece in pieces[1:]:
            text += f" {'-' if negative else '+'} {piece}"
        return text

    def __add__(self, other: Any) -> Sum:
        added = Sum._of(other)
        return Sum(self._terms + added._terms, self._constant + added._constant)

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Sum:
        if not is_number(factor):
            raise TypeError("columns are multiplied by numbers only: rules compare weighted sums")
        return Sum(tuple((factor * f, quantity) for f, quantity in self._terms), factor * self._constant)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Sum:
        if not is_number(divisor) or divisor == 0:
            raise TypeError("columns are divided by numbers other than 0 only: rules compare weighted sums")
        return self.__mul__(1 / divisor)

    def __neg__(self) -> Sum:
        return self.__mul__(-1)

    def __sub__(self, other: Any) -> Sum:
        return self.__add__(-Sum._of(other))

    def __rsub__(self, other: Any) -> Sum:
        return Sum._of(other).__add__(-self)

    def _compare(self, sign: str, other: Any) -> Statement:
        return Statement(f"{self.text} {sign} {Sum._of(other).text}")

    def __repr__(self) -> str:
        return f"<Sum: {self.text}>"


class Column(Compared):
    """A column in rules, by its name in the frame; made by :func:`col`."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name:
            raise TypeError(f"col(...) takes the name of a column, not {name!r}")
        #: The column's name.
        self.name = name

    @property
    def change(self) -> Sum:
        """How much it changes: the new number minus the old one."""
        return Sum(((1, f"change of {name_word(self.name)}"),))

    def changes(self) -> Statement:
        """It gets another value."""
        return Statement(f"{name_word(self.name)} changes")

    def stays(self) -> Statement:
        """It keeps its value."""
        return Statement(f"{name_word(self.name)} stays")

    def rises(
        self, by: Optional[float] = None, *, at_least: Optional[float] = None, at_most: Optional[float] = None
    ) -> Statement:
        """It goes up: by so much exactly, by at least, or by at most so much; levels by ranks."""
        return self._moves("rises", by, at_least, at_most)

    def falls(
        self, by: Optional[float] = None, *, at_least: Optional[float] = None, at_most: Optional[float] = None
    ) -> Statement:
        """It goes down: by so much exactly, by at least, or by at most so much; levels by ranks."""
        return self._moves("falls", by, at_least, at_most)

    def _moves(self, verb: str, by: Optional[float], at_least: Optional[float], at_most: Optional[float]) -> Statement:
        start = f"{name_word(self.name)} {verb}"
        sizes = [("by", by), ("by at least", at_least), ("by at most", at_most)]
        given = [f"{start} {words} {number_word(size)}" for words, size in sizes if size is not None]
        if by is not None and len(given) > 1:
            raise ValueError(f"{start}: give by alone, or at_least and at_most")
        return Statement(" and ".join(given) or start, "and" if len(given) > 1 else "")

    def is_in(self, values: Iterable[Any]) -> Statement:
        """It becomes, or stays, one of these levels or numbers."""
        if isinstance(values, str):
            raise TypeError(f"is_in takes a list of values, such as [{values!r}]")
        listed = [self._value(value) for value in values]
        if not listed:
            raise ValueError(f"col({self.name!r}).is_in([]): name at least one value")
        if len(listed) == 1:
            return Statement(f"{name_word(self.name)} is {listed[0]}")
        return Statement(f"{name_word(self.name)} is one of {', '.join(listed)}")

    def _value(self, value: Any) -> str:
        if is_missing(value):
            raise TypeError(f"col({self.name!r}) can't be compared with {value!r}; name a level, a number or another column")
        return number_word(value) if is_number(value) else level_word(value)

    def _compare(self, sign: str, other: Any) -> Statement:
        if isinstance(other, (Column, Sum)):
            return Sum._of(self)._compare(sign, other)
        value = self._value(other)
        if not is_number(other) and sign in ("=", "!="):
            return Statement(f"{name_word(self.name)} is {'not ' if sign == '!=' else ''}{value}")
        return Statement(f"{name_word(self.name)} {sign} {value}")

    def __add__(self, other: Any) -> Sum:
        return Sum._of(self).__add__(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Sum:
        return Sum._of(self).__sub__(other)

    def __rsub__(self, other: Any) -> Sum:
        return Sum._of(other).__sub__(self)

    def __mul__(self, factor: Any) -> Sum:
        return Sum._of(self).__mul__(factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Sum:
        return Sum._of(self).__truediv__(divisor)

    def __neg__(self) -> Sum:
        return Sum._of(self).__mul__(-1)

    def immutable(self) -> Setting:
        """No plan changes it."""
        return Setting(self.name, "change", '"immutable"')

    def only_rises(self) -> Setting:
        """It may go up only."""
        return Setting(self.name, "change", '"increase"')

    def only_falls(self) -> Setting:
        """It may go down only."""
        return Setting(self.name, "change", '"decrease"')

    def step(self, size: float) -> Setting:
        """New values are multiples of this."""
        return Setting(self.name, "step", number_word(size))

    def range(self, low: float, high: float) -> Setting:
        """New values lie in this range."""
        return Setting(self.name, "range", _bounds(low, high))

    def relative_range(self, low: float, high: float) -> Setting:
        """New values lie between the own one plus ``low`` and plus ``high``."""
        return Setting(self.name, "relative_range", _bounds(low, high))

    def max_change(self, size: float) -> Setting:
        """New values are at most this far from the own one."""
        return Setting(self.name, "max_change", number_word(size))

    def least_change(self, size: float) -> Setting:
        """New values are at least this far from the own one."""
        return Setting(self.name, "least_change", number_word(size))

    def one_step(self) -> Setting:
        """New levels are next to the own one."""
        return Setting(self.name, "one_step", "true")

    def moves(self, levels: Mapping[str, Iterable[str]]) -> Setting:
        """The levels that may follow each level; a level that is not named stays."""
        texts = [(level_text(old), [level_text(level) for level in new]) for old, new in levels.items()]
        moves = [f"{{ from = {_quoted(old)}, to = {_quoted(new)} }}" for old, new in texts]
        return Setting(self.name, "moves", f"[{', '.join(moves)}]")

    def effort(self, factor: float) -> Setting:
        """Changes cost this many times their plain distance."""
        return Setting(self.name, "effort", number_word(factor))

    def __repr__(self) -> str:
        return f"col({self.name!r})"


def _quoted(texts: Union[str, list[str]]) -> str:
    """Texts as TOML writes them, which is as JSON does."""
    return json.dumps(texts, ensure_ascii=False)


def _bounds(low: float, high: float) -> str:
    ends = []
    for end in (low, high):
        if not is_number(end) or math.isnan(end):
            raise ValueError(f"a range has two numbers as its ends, not {end!r}")
        ends.append(repr(float(end)))
    return f"[{', '.join(ends)}]"


def col(name: str) -> Column:
    """A column, to make rules of.

    Examples
    --------
    >>> import amends
    >>> from amends import col
    >>> col("debt") <= 3 * col("income")
    <Statement: debt <= 3 * income>
    >>> col("job") == "none"
    <Statement: job is none>
    >>> col("housing").is_in(["own", "for free"])
    <Statement: housing is one of own, "for free">
    >>> col("credit amount").rises(at_most=500) | col("duration").stays()
    <Statement: `credit amount` rises by at most 500 or duration stays>
    >>> col("income").max_change(500)
    <Rule: `income`.max_change = 500>
    """
    return Column(name)


def if_then(condition: Statement, then: Statement) -> Rule:
    """Where the first holds, the second holds as well.

    Examples
    --------
    >>> from amends import col, if_then
    >>> if_then(col("duration").rises(), col("credit_amount").stays())
    <Rule: if duration rises then credit_amount stays>
    """
    return Rule(f"if {_statement(condition).text} then {_statement(then).text}")


def never(statement: Statement) -> Rule:
    """The statement does not hold.

    Examples
    --------
    >>> from amends import col, never
    >>> never((col("housing") == "own") & (col("savings") == "none"))
    <Rule: never housing is own and savings is none>
    """
    return Rule(f"never {_statement(statement).text}")


def at_most(count: int, *columns: Union[str, Column]) -> Rule:
    """At most a number of these columns change.

    Examples
    --------
    >>> from amends import at_most
    >>> at_most(1, "duration", "credit_amount")
    <Rule: at most 1 of duration, credit_amount change>
    """
    if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 0:
        raise ValueError(f"at_most: give a whole number of columns first, not {count!r}")
    return Rule(f"at most {int(count)} of {_listed('at_most', columns)} change")


def together(*columns: Union[str, Column]) -> Rule:
    """These numbers move by the same amount or not at all; it counts as one change.

    Examples
    --------
    >>> from amends import together
    >>> together("age", "tenure")
    <Rule: age, tenure change together>
    """
    if len(columns) < 2:
        raise ValueError("together: name at least two columns")
    return Rule(f"{_listed('together', columns)} change together")


def _listed(what: str, columns: tuple[Union[str, Column], ...]) -> str:
    if not columns:
        raise ValueError(f"{what}: name the columns")
    return ", ".join(name_word(column.name if isinstance(column, Column) else col(column).name) for column in columns)


def _statement(statement: Any) -> Statement:
    if not isinstance(statement, Statement):
        raise TypeError(f"a statement such as col('a') <= 5 belongs here, not {statement!r}")
    return statement


#: What ``rules=`` takes: one rule or several.
Rules = Union[str, Rule, Statement, Iterable[Union[str, Rule, Statement]]]


def as_rules(rules: Rules) -> list[Rule]:
    """One rule or several, of any form."""
    if rules is None:
        return []
    given = [rules] if isinstance(rules, (str, Rule, Statement)) else rules
    if isinstance(given, (Column, Sum)) or not hasattr(given, "__iter__"):
        raise TypeError(f"rules: {rules!r} is not a rule; give a text, what is made with col(...), or a list of them")
    return [one if isinstance(one, Rule) else Rule(one) for one in given]


def as_json(rules: Iterable[Rule]) -> list[dict[str, Optional[str]]]:
    """Rules as the core reads them."""
    return [{"text": rule.text, "name": rule.name} for rule in rules]
