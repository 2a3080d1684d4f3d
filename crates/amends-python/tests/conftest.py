"""What several tests share."""

import os
import shutil
import sys

# Before numpy is there: tables here are small, and threads would only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from sklearn.linear_model import LogisticRegression

import amends
import families


class Shared:
    """German credit, a logistic model of it and its explainer."""

    def __init__(self):
        self.german = amends.load_german()
        self.model = families.german_pipeline(LogisticRegression(max_iter=1000)).fit(self.german.X, self.german.y)
        self.protected = ["age", "personal_status_sex", "foreign_worker"]
        self.explainer = amends.Explainer(self.model, desired_class="good", immutable=self.protected)
        self.explainer.fit(self.german.X, self.german.y)
        self.rejected = self.german.X[self.model.predict(self.german.X) == "bad"]


@pytest.fixture(scope="session")
def shared():
    return Shared()


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """A local Spark of two cores that gives a task four attempts; starting it takes seconds, so all tests share it."""
    pytest.importorskip("pyspark")
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    if shutil.which(java) is None:
        pytest.skip("skipped: no Java")
    # Workers would take the system's Python otherwise.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2,4]").appName("amends")
    settings = {"spark.ui.enabled": "false", "spark.driver.memory": "1g", "spark.driver.host": "localhost"}
    # Java keeps the folder that it is started in: what documents write goes there.
    here = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("spark"))
    session = builder.config(map=settings).getOrCreate()
    os.chdir(here)
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
