"""Arrow batches: the answers of `explain`, in order, with a schema that is known beforehand."""

import decimal
import itertools
import subprocess
import sys

import families
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import amends
import amends.arrow


def table_of(frame):
    """A frame as other programs have it: texts instead of categories, and a key."""
    texts = frame.astype({name: object for name in frame.columns if frame[name].dtype == "category"})
    return pa.Table.from_pandas(texts.assign(number=[f"A{label}" for label in frame.index]), preserve_index=False)


@pytest.fixture(scope="module")
def asked(shared):
    """Rejected and accepted applications by turns, and what `explain` says of them."""
    X = shared.german.X.head(40)
    return X, shared.explainer.explain(X, n_plans=2)


def same_frame(answered, expected):
    """Whether an Arrow table says what `to_frame` or `summary` says, column by column."""
    for name in expected.columns:
        ours, theirs = answered.column(name).to_pylist(), expected[name].tolist()
        if name in ("before", "after"):
            theirs = [None if cell is None else str(cell) for cell in theirs]
        for one, other in zip(ours, theirs):
            absent = other is None or other is pd.NA or other != other
            assert one is None if absent else one == other, name
        assert len(ours) == len(theirs)


@pytest.mark.parametrize("batch_size", [1, 7, 100])
def test_batches_have_the_rows_of_to_frame_in_order(batch_size, shared, asked):
    X, results = asked
    batches = table_of(X).to_batches(max_chunksize=16)
    answered = list(amends.arrow.explain(iter(batches), shared.explainer, key="number", n_plans=2, batch_size=batch_size))
    assert all(batch.schema == amends.arrow.schema(batches[0].schema, key="number") for batch in answered)
    answered = pa.Table.from_batches(answered)
    expected = results.to_frame()
    assert answered.column("number").to_pylist() == [f"A{label}" for label in expected["applicant"]]
    same_frame(answered, expected.drop(columns="applicant"))
    assert {"optimal", "already-accepted"} <= set(answered.column("status").to_pylist())


def test_what_is_no_arrow_table_is_a_type_error(shared, asked):
    X, _ = asked
    with pytest.raises(TypeError, match="batch: is of type DataFrame; give a pyarrow.RecordBatch or pyarrow.Table"):
        amends.arrow.explain_batch(X, shared.explainer)
    with pytest.raises(TypeError, match="batches: number 1 is of type int; give Arrow record batches"):
        next(amends.arrow.explain([1, 2], shared.explainer))
    with pytest.raises(TypeError, match="batches: is of type int"):
        amends.arrow.explain(3, shared.explainer)


def test_texts_for_a_numeric_feature_are_refused_by_the_schema(shared, asked):
    X, _ = asked
    table = table_of(X)
    place = table.column_names.index("duration")
    texts = table.set_column(place, "duration", table.column("duration").cast(pa.string()))
    with pytest.raises(ValueError, match="column `duration`: is of type string; give numbers$"):
        amends.arrow.explain_batch(texts, shared.explainer)


def test_rows_without_memory_are_answered_in_place(shared, asked, monkeypatch):
    X, _ = asked
    explain = amends.Explainer.explain

    def short_of_memory(self, frame, **options):
        if 3 in frame.index:
            raise MemoryError("a search takes too much")
        return explain(self, frame, **options)

    monkeypatch.setattr(amends.Explainer, "explain", short_of_memory)
    answered = amends.arrow.explain_batch(table_of(X.head(5)), shared.explainer, output="summary")
    assert [status == "error" for status in answered.column("status").to_pylist()] == [False, False, False, True, False]
    assert answered.column("message").to_pylist()[3] == "a search takes too much"


def test_summary_has_the_rows_of_summary(shared, asked):
    X, results = asked
    answered = amends.arrow.explain_batch(table_of(X), shared.explainer, output="summary", n_plans=2)
    assert answered.schema == amends.arrow.schema(table_of(X).schema, output="summary")
    assert answered.column("applicant").to_pylist() == list(range(len(X)))
    same_frame(answered, results.summary().drop(columns="seconds"))


def test_accepted_rows_can_be_left_out(shared, asked):
    X, results = asked
    rejected = [f"A{one.applicant}" for one in results if one.status != "already-accepted"]
    for more in ({}, {"target_proba": 0.5}):
        answered = amends.arrow.explain_batch(table_of(X), shared.explainer, key="number", output="summary", accepted="drop", **more)
        assert answered.column("number").to_pylist() == rejected
    accepted = X.loc[[one.applicant for one in results if one.status == "already-accepted"]]
    assert list(amends.arrow.explain(table_of(accepted), shared.explainer, accepted="drop")) == []
    assert amends.arrow.explain_batch(table_of(accepted), shared.explainer, accepted="drop").num_rows == 0


def test_a_record_batch_for_a_record_batch(shared, asked):
    X, _ = asked
    batch = table_of(X).combine_chunks().to_batches()[0].slice(3, 2)
    answered = amends.arrow.explain_batch(batch, shared.explainer, key=["number", "age"], output="summary")
    assert isinstance(answered, pa.RecordBatch)
    assert answered.schema.names[:3] == ["number", "age", "status"]
    assert answered.column("age").to_pylist() == X["age"].iloc[3:5].tolist()
    empty = amends.arrow.explain_batch(batch.slice(0, 0), shared.explainer, key="number")
    assert empty.num_rows == 0 and empty.schema == amends.arrow.schema(batch.schema, key="number")


def test_streams_are_read_as_they_are_asked_for(shared, asked):
    X, _ = asked
    read = []

    def endless():
        for number in itertools.count():
            read.append(number)
            yield table_of(X.iloc[[3]]).to_batches()[0]

    answered = amends.arrow.explain(endless(), shared.explainer, output="summary")
    assert [batch.column("applicant").to_pylist() for batch in itertools.islice(answered, 3)] == [[0], [1], [2]]
    assert len(read) == 3


def test_types_of_other_programs_are_read():
    X, y = families.mixed()
    model = families.behind_encoders(LogisticRegression(max_iter=2000), StandardScaler()).fit(X, y)
    explainer = amends.Explainer(model, desired_class=1, max_changes=3).fit(X, y)
    rejected = X[model.predict(X) == 0].head(4)
    expected = explainer.explain(rejected).summary()
    plain = pa.Table.from_pandas(rejected.assign(grade=rejected["grade"].astype(object)), preserve_index=False)

    def retyped(name, column):
        return plain.set_column(plain.schema.get_field_index(name), name, column)

    forms = [
        pa.Table.from_pandas(rejected, preserve_index=False),
        retyped("housing", plain.column("housing").cast(pa.large_string())),
        retyped("housing", plain.column("housing").dictionary_encode()),
        retyped("region", plain.column("region").cast(pa.int16())),
        retyped("d", plain.column("d").cast(pa.float64())),
        retyped("e", pa.array([decimal.Decimal(str(cell)) for cell in rejected["e"]], pa.decimal128(18, 2))),
    ]
    for form in forms:
        answered = amends.arrow.explain_batch(form, explainer, output="summary")
        np.testing.assert_array_equal(answered.column("objective").to_numpy(), expected["objective"])


def spoiled(X, **cells):
    """A table whose second row has these cells."""
    table = table_of(X)
    for name, cell in cells.items():
        values = table.column(name).to_pylist()
        values[1] = cell
        table = table.set_column(table.schema.get_field_index(name), name, pa.array(values))
    return table


@pytest.mark.parametrize(
    "cells, message",
    [
        ({"housing": "castle"}, "column `housing`: `castle` is not a level"),
        ({"housing": None}, "column `housing`: is missing"),
        ({"duration": None}, "column `duration`: is missing"),
        ({"duration": 3.5}, "column `duration`: `3.5` is not a whole number"),
        ({"credit_amount": float("inf")}, "column `credit_amount`: `inf` is not a finite number"),
    ],
)
@pytest.mark.parametrize("accepted", ["keep", "drop"])
def test_one_bad_row_has_its_message_and_the_others_their_answers(cells, message, accepted, shared):
    X = shared.rejected.head(5)
    good = shared.explainer.explain(X).summary()["objective"].tolist()
    answered = amends.arrow.explain_batch(spoiled(X, **cells), shared.explainer, key="number", output="summary", accepted=accepted)
    assert answered.column("status").to_pylist() == ["optimal", "error", "optimal", "optimal", "optimal"]
    assert answered.column("message")[1].as_py().startswith(message)
    assert answered.column("objective").to_pylist() == [good[0], None, *good[2:]]
    with pytest.raises(ValueError, match=f"^number = 'A{X.index[1]}': {message}"):
        amends.arrow.explain_batch(spoiled(X, **cells), shared.explainer, key="number", errors="raise")
    with pytest.raises(ValueError, match=f"^row 2: {message}"):
        list(amends.arrow.explain(spoiled(X, **cells), shared.explainer, errors="raise", batch_size=1))


def test_why_there_is_no_plan_is_the_message(shared):
    german = shared.german
    strict = amends.Explainer(shared.model, desired_class="good", features_to_vary=["telephone"]).fit(german.X, german.y)
    rejected = shared.rejected.iloc[[1]]
    answered = amends.arrow.explain_batch(table_of(rejected), strict)
    assert answered.column("status").to_pylist() == ["infeasible"]
    assert answered.column("message").to_pylist() == [str(strict.explain(rejected).why_none)]


@pytest.mark.parametrize(
    "given, kind, message",
    [
        ({"key": "nobody"}, ValueError, "key `nobody`: is not in the table"),
        ({"key": "numbr"}, ValueError, "but `number` is"),
        ({"key": "status"}, ValueError, "key: `status` is a column of the answers"),
        ({"key": ["number", "number"]}, ValueError, "named twice"),
        ({"output": "json"}, ValueError, "output: 'json' is unknown; give 'frame' or 'summary'"),
        ({"accepted": False}, ValueError, "accepted: False is unknown"),
        ({"errors": "ignore"}, ValueError, "errors: 'ignore' is unknown"),
        ({"time_limit": -1}, ValueError, "time_limit"),
        ({"rules": "housing flies"}, ValueError, "housing flies"),
        ({"progress": True}, TypeError, "`progress` is not an option"),
        ({"n_plan": 2}, TypeError, "`n_plan` is not an option; there are .*n_plans"),
    ],
)
def test_bad_requests_are_refused_before_anything_is_explained(given, kind, message, shared):
    with pytest.raises(kind, match=message):
        amends.arrow.explain_batch(table_of(shared.rejected.head(2)), shared.explainer, **given)


def test_tables_that_do_not_fit_are_refused(shared):
    table = table_of(shared.rejected.head(2))
    with pytest.raises(ValueError, match="column `age`: is not in the table"):
        amends.arrow.explain_batch(table.drop_columns(["age"]), shared.explainer)
    dates = table.set_column(table.schema.get_field_index("age"), "age", pa.array([0, 1], pa.date32()))
    with pytest.raises(ValueError, match="column `age`: is of type date32"):
        list(amends.arrow.explain(dates, shared.explainer))
    with pytest.raises(ValueError, match="2 columns of this name"):
        list(amends.arrow.explain(table.append_column("age", table.column("age")), shared.explainer))
    with pytest.raises(TypeError, match="batches: is of type int"):
        amends.arrow.explain(3, shared.explainer)
    with pytest.raises(ValueError, match="not fitted"):
        amends.arrow.explain(table, amends.Explainer(shared.model, desired_class="good"))


def test_pyarrow_is_imported_only_when_it_is_used():
    hidden = "import sys; sys.modules['pyarrow'] = None\nimport amends, amends.arrow\namends.arrow.explain([], None)"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert "ImportError: Arrow tables need pyarrow: pip install pyarrow" in done.stderr
