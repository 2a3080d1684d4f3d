"""What several tests share."""

import os

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
        protected = ["age", "personal_status_sex", "foreign_worker"]
        self.explainer = amends.Explainer(self.model, desired_class="good", immutable=protected)
        self.explainer.fit(self.german.X, self.german.y)
        self.rejected = self.german.X[self.model.predict(self.german.X) == "bad"]


@pytest.fixture(scope="session")
def shared():
    return Shared()
