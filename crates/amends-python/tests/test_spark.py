"""A real Spark on this machine: the answers of `explain`, whatever happens to rows, tasks and workers."""

import datetime
import os
import signal

import families
import pytest
import sklearn.linear_model

import amends
import amends.spark


def plain_rows(frame):
    """A frame's rows as Spark takes them, with a key."""
    return [{"number": int(number), **row} for number, row in frame.astype(object).to_dict("index").items()]


def collected(answers):
    """The rows of the answers by number, plan and feature."""
    rows = [row.asDict() for row in answers.collect()]
    return sorted(rows, key=lambda row: (row["number"], row.get("plan") or 0, row.get("feature") or ""))


@pytest.fixture(scope="module")
def asked(spark, shared):
    """Rejected and accepted applications by turns in six partitions."""
    frame = shared.german.X.head(60)
    return spark.createDataFrame(plain_rows(frame)).repartition(6), frame


def test_answers_are_those_of_explain(asked, shared):
    df, frame = asked
    expected = shared.explainer.explain(frame, n_plans=2).to_frame()
    expected = expected.sort_values(["applicant", "plan", "feature"], na_position="first")
    answered = collected(amends.spark.explain(df, shared.explainer, key="number", n_plans=2))
    assert [row["number"] for row in answered] == expected["applicant"].tolist()
    for name in ("status", "feature", "title"):
        assert [row[name] for row in answered] == expected[name].tolist()
    for name in ("objective", "bound", "distance", "outlier", "score_after"):
        assert [row[name] for row in answered] == [None if cell != cell else cell for cell in expected[name]]
    assert [row["after"] for row in answered] == [None if cell is None else str(cell) for cell in expected["after"]]
    assert all(row["verified"] for row in answered if row["plan"])


@pytest.mark.parametrize("accepted", ["keep", "drop"])
def test_accepted_rows_have_a_status_or_no_row(accepted, asked, shared):
    df, frame = asked
    expected = shared.explainer.explain(frame).summary()
    if accepted == "drop":
        expected = expected[expected["status"] != "already-accepted"]
    answered = collected(amends.spark.explain(df, shared.explainer, key="number", output="summary", accepted=accepted))
    assert [row["number"] for row in answered] == expected.index.tolist()
    assert [row["status"] for row in answered] == expected["status"].tolist()
    assert [row["objective"] for row in answered] == [None if cell != cell else cell for cell in expected["objective"]]


def test_the_columns_are_known_before_anything_runs(spark, asked, shared):
    from pyspark.sql import functions

    df, _ = asked
    broken = df.withColumn("age", functions.raise_error(functions.lit("nobody asked")).cast("int"))
    for output, count in (("frame", "plan"), ("summary", "plans")):
        answers = amends.spark.explain(broken, shared.explainer, key=["number", "housing"], output=output)
        types = dict(answers.dtypes)
        assert answers.columns[:2] == ["number", "housing"] and types["number"] == "bigint" and types["housing"] == "string"
        assert types[count] == "bigint" and types["verified"] == "boolean" and types["status"] == types["message"] == "string"
        assert types["objective"] == types["bound"] == "double"


def test_a_bad_row_has_its_message_or_names_its_key(spark, shared):
    rows = plain_rows(shared.rejected.head(6))
    rows[3]["housing"], rows[5]["duration"] = "castle", None
    df = spark.createDataFrame(rows, spark.createDataFrame(rows[:1]).schema).repartition(2)
    answered = collected(amends.spark.explain(df, shared.explainer, key="number", output="summary"))
    assert [row["status"] for row in answered] == ["optimal"] * 3 + ["error", "optimal", "error"]
    assert answered[3]["message"].startswith("column `housing`: `castle` is not a level")
    assert answered[5]["message"].startswith("column `duration`: is missing")
    with pytest.raises(Exception, match=rf"number = {rows[3]['number']}: column `housing`: `castle`|number = {rows[5]['number']}: column `duration`"):
        amends.spark.explain(df.coalesce(1), shared.explainer, key="number", errors="raise").collect()


def test_time_limits_are_for_each_row(asked, shared):
    df, _ = asked
    answered = collected(amends.spark.explain(df, shared.explainer, key="number", output="summary", accepted="drop", time_limit=1e-9))
    assert answered and {row["status"] for row in answered} <= {"timeout", "feasible", "optimal"}
    assert any(row["status"] != "optimal" for row in answered)


def of_class(explainer_class, shared):
    """An explainer of a class that Spark has to send along."""
    german = shared.german
    return explainer_class(shared.model, desired_class="good").fit(german.X, german.y)


def test_a_worker_process_fits_once_for_all_its_tasks(asked, shared, tmp_path):
    df, frame = asked
    log = str(tmp_path / "unpickled")

    class Logged(amends.Explainer):
        def __setstate__(self, state):
            super().__setstate__(state)
            with open(log, "a") as file:
                file.write(f"{os.getpid()}\n")

    explainer = of_class(Logged, shared)
    answered = [collected(amends.spark.explain(df, explainer, key="number", accepted="drop")) for _ in range(2)]
    assert answered[0] == answered[1]
    processes = (tmp_path / "unpickled").read_text().split()
    # Twelve tasks of two jobs, two at a time.
    assert len(processes) == len(set(processes)) <= 4


def test_a_worker_that_dies_loses_nothing(asked, shared, tmp_path):
    df, frame = asked
    marker, driver = tmp_path / "died", os.getpid()

    class DiesOnce(amends.Explainer):
        def explain(self, X, **options):
            answered = super().explain(X, **options)
            if os.getpid() != driver and any(one.plans for one in answered):
                try:
                    marker.touch(exist_ok=False)
                except FileExistsError:
                    return answered
                os.kill(os.getpid(), signal.SIGKILL)
            return answered

    explainer = of_class(DiesOnce, shared)
    expected = explainer.explain(frame).summary()
    answered = collected(amends.spark.explain(df, explainer, key="number", output="summary", batch_size=5))
    assert marker.exists()
    assert [row["number"] for row in answered] == expected.index.tolist()
    assert [row["objective"] for row in answered] == [None if cell != cell else cell for cell in expected["objective"]]


def test_names_with_dots_and_quotes(spark):
    X, y = families.numbers()
    X = X.rename(columns={"a": "a.b", "b": "c`d"})
    model = sklearn.linear_model.LogisticRegression(max_iter=5000).fit(X, y)
    explainer = amends.Explainer(model).fit(X, y)
    rejected = X[model.predict(X) == 0].head(2)
    df = spark.createDataFrame([{"the.key": int(label), **row} for label, row in rejected.astype(object).to_dict("index").items()])
    answered = amends.spark.explain(df, explainer, key="the.key", output="summary").collect()
    assert sorted(row["objective"] for row in answered) == sorted(explainer.explain(rejected).summary()["objective"])


def test_what_can_not_work_is_refused_at_once(spark, asked, shared):
    from pyspark.sql import functions

    df, _ = asked
    refused = [
        (df, {"key": ()}, ValueError, "key: name at least one column"),
        (df, {"key": "id"}, ValueError, "key `id`: is not in the table"),
        (df, {"key": "number", "n_jobs": 2}, TypeError, "every task of Spark has one thread"),
        (df, {"key": "number", "batch_size": 0}, ValueError, "batch_size"),
        (df, {"key": "number", "rules": "housing flies"}, ValueError, "housing flies"),
        (df.drop("age"), {"key": "number"}, ValueError, "column `age`: is not in the table"),
        (df.withColumn("age", functions.lit(datetime.date(2020, 1, 1))), {"key": "number"}, ValueError, "column `age`: is of type date"),
    ]
    for table, given, kind, message in refused:
        with pytest.raises(kind, match=message):
            amends.spark.explain(table, shared.explainer, **given)
    with pytest.raises(ValueError, match="not fitted"):
        amends.spark.explain(df, amends.Explainer(shared.model, desired_class="good"), key="number")


def test_what_is_no_spark_frame_is_a_type_error(shared):
    with pytest.raises(TypeError, match="df: is of type DataFrame; give a DataFrame of Spark"):
        amends.spark.explain(shared.german.X.head(3), shared.explainer, key="number")


def test_names_that_differ_in_case_alone_are_refused_on_the_driver(spark, asked, shared):
    df, _ = asked
    with pytest.raises(ValueError, match="key: Spark takes `Status` and the answers' column `status` for one"):
        amends.spark.explain(df.withColumnRenamed("number", "Status"), shared.explainer, key="Status")
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        twice = df.withColumn("AGE", df["age"])
        amends.spark.explain(twice, shared.explainer, key="number")
    finally:
        spark.conf.set("spark.sql.caseSensitive", "false")
    with pytest.raises(ValueError, match="df: Spark takes the columns `age` and `AGE` for one; rename one of them"):
        amends.spark.explain(twice, shared.explainer, key="number")


def test_texts_for_a_numeric_feature_are_refused_on_the_driver(asked, shared):
    df, _ = asked
    texts = df.withColumn("duration", df["duration"].cast("string"))
    with pytest.raises(ValueError, match="column `duration`: is of type string; give numbers$"):
        amends.spark.explain(texts, shared.explainer, key="number")
