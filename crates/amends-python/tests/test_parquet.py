"""The program reads Parquet files that pyarrow writes, and writes files that pyarrow and pandas read."""

import datetime
import decimal
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

#: `make test-python` names the program; without it, the one that `cargo build` left behind.
PROGRAM = os.environ.get("AMENDS") or str(Path(__file__).parents[3] / "target" / "debug" / "amends")

SCHEMA = """version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "income"
kind = "integer"
[[feature]]
name = "debt"
kind = "continuous"
[[feature]]
name = "share"
kind = "continuous"
[[feature]]
name = "years"
kind = "integer"
codes = [{ value = "", label = "missing" }]
[[feature]]
name = "guarantor"
kind = "binary"
levels = ["False", "True"]
[[feature]]
name = "housing"
kind = "categorical"
levels = ["own", "rent", "free"]
"""


def loans(rows=80):
    """A table as pandas has it: years are missing in every seventh row."""
    random = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "id": [f"p{row}" for row in range(rows)],
            "income": random.integers(10, 90, rows),
            "debt": random.integers(0, 400, rows) / 8,
            "share": (random.integers(0, 100, rows) / 100).astype("float32"),
            "years": pd.array(random.integers(0, 30, rows), dtype="Int64"),
            "guarantor": random.integers(0, 2, rows).astype(bool),
            "housing": random.choice(["own", "rent", "free"], rows),
        }
    )
    frame.loc[::7, "years"] = pd.NA
    paid = frame.income + random.integers(0, 20, rows) > frame.debt + 20
    return frame.assign(outcome=np.where(paid, "paid", "lost"))


def arrow(frame, income, debt, years, text):
    """The table with these types, and columns of types that no feature has."""
    columns = {
        "id": pa.array(frame.id, pa.large_string()),
        "income": pa.array(list(frame.income), pa.int64()).cast(income),
        "debt": pa.array(frame.debt, pa.float64()).cast(debt),
        "share": pa.array(frame["share"], pa.float32()),
        "years": pa.array(frame.years.astype(object).where(frame.years.notna(), None), pa.int64()).cast(years),
        "guarantor": pa.array(frame.guarantor, pa.bool_()),
        "housing": pa.array(frame.housing, pa.string()).cast(text),
        "outcome": pa.array(frame.outcome, pa.string()).cast(text),
        "born": pa.array([datetime.date(1980, 1, 1)] * len(frame), pa.date32()),
        "asked": pa.array([datetime.datetime(2026, 1, 1)] * len(frame), pa.timestamp("ns")),
        "loans": pa.array([[1, 2]] * len(frame), pa.list_(pa.int32())),
    }
    return pa.table(columns)


def run(folder, *more, code=0):
    assert os.path.exists(PROGRAM), "build the program first: cargo build -p amends-cli"
    command = [PROGRAM, "explain", "--schema", "loans.toml", "--no-why-none", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == code, (more, done.stderr)
    return done


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "loans.toml").write_text(SCHEMA, encoding="utf-8")
    loans().to_csv(tmp_path / "loans.csv", index=False)
    return tmp_path


def timeless(path):
    return pd.read_csv(path).drop(columns="seconds")


@pytest.mark.parametrize(
    "types, how",
    [
        ((pa.int32(), pa.float64(), pa.int64(), pa.string()), {"compression": "snappy", "row_group_size": 7}),
        ((pa.int64(), pa.float32(), pa.int16(), pa.large_string()), {"compression": "zstd", "use_dictionary": False}),
        ((pa.float64(), pa.decimal128(12, 4), pa.float64(), pa.dictionary(pa.int32(), pa.string())), {"compression": "gzip", "version": "1.0", "store_decimal_as_integer": True}),
        ((pa.decimal128(22, 2), pa.decimal256(40, 3), pa.uint8(), pa.string()), {"compression": "lz4", "data_page_version": "2.0"}),
        ((pa.uint64(), pa.float64(), pa.decimal128(20, 0), pa.string()), {"compression": "none", "use_dictionary": True}),
    ],
)
def test_parquet_in_answers_what_csv_in_answers(types, how, folder):
    run(folder, "--data", "loans.csv", "--applicants", "loans.csv", "-o", "of_csv.csv")
    pq.write_table(arrow(loans(), *types), folder / "loans.parquet", **how)
    run(folder, "--data", "loans.parquet", "--applicants", "loans.parquet", "-o", "of_parquet.csv")
    pd.testing.assert_frame_equal(timeless(folder / "of_csv.csv"), timeless(folder / "of_parquet.csv"))
    assert set(timeless(folder / "of_csv.csv").status) == {"optimal", "already-accepted"}


def test_parquet_out_has_types_that_pyarrow_and_pandas_know(folder):
    people = loans(12).astype({"income": object})
    people.loc[3, "income"] = "much"
    people.to_csv(folder / "people.csv", index=False)
    run(folder, "--data", "loans.csv", "--applicants", "people.csv", "-o", "plans.parquet", code=4)
    table = pq.read_table(folder / "plans.parquet")
    expected = {"row": pa.int64(), "plan": pa.int64(), "status": pa.string(), "objective": pa.float64(), "message": pa.string()}
    expected |= {"income": pa.int64(), "debt": pa.float64(), "guarantor": pa.string(), "housing": pa.string(), "years": pa.int64()}
    assert {name: table.schema.field(name).type for name in expected} == expected
    assert table["row"].to_pylist() == list(range(1, 13))
    assert table["status"][3].as_py() == "error"
    assert table["message"][3].as_py().startswith("column `income`: `much` is not a number")
    assert table["objective"][3].as_py() is None and table["income"].null_count > 0

    frame = pd.read_parquet(folder / "plans.parquet", dtype_backend="numpy_nullable")
    kinds = {"row": "Int64", "objective": "Float64", "income": "Int64", "status": "string", "housing": "string"}
    assert {name: str(frame[name].dtype) for name in kinds} == kinds
    run(folder, "--data", "loans.csv", "--applicants", "people.csv", "-o", "plans.csv", code=4)
    csv = pd.read_csv(folder / "plans.csv")
    assert csv.objective.round(12).tolist() == pytest.approx(frame.objective.astype("float64").round(12).tolist(), nan_ok=True)


def test_bad_cells_of_parquet_files_are_answered_in_their_place(folder):
    table = arrow(loans(), pa.int64(), pa.float64(), pa.int64(), pa.string())
    debt = table["debt"].to_pylist()
    debt[4], debt[5], debt[6] = None, float("nan"), float("inf")
    housing = table["housing"].to_pylist()
    housing[9] = "castle"
    table = table.set_column(2, "debt", pa.array(debt, pa.float64())).set_column(6, "housing", pa.array(housing))
    pq.write_table(table, folder / "people.parquet", row_group_size=4)
    done = run(folder, "--data", "loans.csv", "--applicants", "people.parquet", "-o", "plans.csv", code=4)
    assert "4 of 80 rows could not be read" in done.stderr
    plans = pd.read_csv(folder / "plans.csv")
    assert plans[plans.status == "error"].row.tolist() == [5, 6, 7, 10]
    messages = plans.message[[4, 5, 6, 9]].tolist()
    assert ["is empty" in message for message in messages] == [True, True, False, False], messages
    assert "`castle` is not a level" in messages[3]


@pytest.mark.parametrize(
    "name, column, kind",
    [
        ("debt", pa.array([datetime.datetime(2026, 1, 1)] * 80, pa.timestamp("us")), "timestamp"),
        ("debt", pa.array([datetime.datetime(2026, 1, 1)] * 80, pa.timestamp("ns", "UTC")), "timestamp"),
        ("income", pa.array([datetime.date(2026, 1, 1)] * 80, pa.date32()), "date"),
        ("income", pa.array([datetime.time(1)] * 80, pa.time64("us")), "time"),
        ("housing", pa.array([b"own"] * 80, pa.binary()), "binary"),
        ("housing", pa.array([["own"]] * 80), "group (a list, map or struct)"),
        ("share", pa.array([{"a": 1}] * 80), "group (a list, map or struct)"),
    ],
)
def test_types_that_no_feature_has_are_refused(name, column, kind, folder):
    table = arrow(loans(), pa.int64(), pa.float64(), pa.int64(), pa.string())
    table = table.set_column(table.column_names.index(name), name, column)
    pq.write_table(table, folder / "loans.parquet")
    for named in (["--data", "loans.parquet"], ["--data", "loans.csv", "--applicants", "loans.parquet"]):
        done = run(folder, *named, code=2)
        assert f"loans.parquet, column `{name}`: is of type {kind}; give numbers, texts or booleans" in done.stderr


def test_files_that_break_off_are_refused(folder):
    table = arrow(loans(), pa.int64(), pa.float64(), pa.int64(), pa.string())
    pq.write_table(table, folder / "loans.parquet")
    whole = (folder / "loans.parquet").read_bytes()
    (folder / "half.parquet").write_bytes(whole[: len(whole) // 2])
    damaged = bytearray(whole)
    damaged[60:400] = bytes(340)
    (folder / "damaged.parquet").write_bytes(damaged)
    pq.write_table(table, folder / "brotli.parquet", compression="brotli")
    for name in ("half", "damaged", "brotli"):
        done = run(folder, "--data", "loans.csv", "--applicants", f"{name}.parquet", "-o", "out.csv", code=2)
        assert f"{name}.parquet: is a Parquet file that can't be read (" in done.stderr
        assert not (folder / "out.csv").exists()


def test_decimals_are_read_to_the_last_digit(folder):
    table = arrow(loans(), pa.int64(), pa.float64(), pa.int64(), pa.string())
    amounts = [decimal.Decimal(row) / 100 - 3 for row in range(80)]
    exact = table.set_column(2, "debt", pa.array(amounts, pa.decimal128(20, 10)))
    pq.write_table(exact, folder / "people.parquet")
    loans().assign(debt=[float(amount) for amount in amounts]).to_csv(folder / "people.csv", index=False)
    for name in ("people.parquet", "people.csv"):
        run(folder, "--data", "loans.csv", "--applicants", name, "-o", f"{name}.plans.csv")
    pd.testing.assert_frame_equal(timeless(folder / "people.parquet.plans.csv"), timeless(folder / "people.csv.plans.csv"))
