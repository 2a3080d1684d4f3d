# %% [markdown]
# # German credit on Spark
#
# `python spark_german.py` runs it on this machine; on a cluster the session is the cluster's. It needs `pip install .` in a clone of the
# repository, scikit-learn, pyarrow, pyspark and Java.

# %%
import os
import sys

import amends
import amends.spark
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

# The workers run this Python and not the system's.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
from pyspark.sql import SparkSession

# %% [markdown]
# ## On the driver: the model and the explainer, fitted once

# %%
german = amends.load_german()
columns = make_column_transformer(
    (StandardScaler(), make_column_selector(dtype_include="number")),
    (OneHotEncoder(), make_column_selector(dtype_include="category")),
)
model = make_pipeline(columns, RandomForestClassifier(30, max_depth=6, random_state=0)).fit(german.X, german.y)
explainer = amends.Explainer(model, schema=german.schema, max_changes=3).fit(german.X, german.y)

# %% [markdown]
# ## The applications: any DataFrame with the model's columns and a key
# A file here; a table of the warehouse elsewhere. There should be a few times as many partitions as cores, because some applications take longer.

# %%
german.X.head(120).rename_axis("application").reset_index().to_csv("applications.csv", index=False)
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
applications = spark.read.csv("applications.csv", header=True, inferSchema=True).repartition(6)

# %% [markdown]
# ## The plans
# Nothing has run yet, but the columns are known. Each task writes its answers as they come; writing them once also keeps Spark from explaining everything
# again for the next question.

# %%
plans = amends.spark.explain(applications, explainer, key="application", accepted="drop", time_limit=20)
assert plans.columns[:3] == ["application", "plan", "status"]
plans.write.mode("overwrite").parquet("plans.parquet")

plans = spark.read.parquet("plans.parquet")
plans.select("application", "status", "feature", "before", "after", "objective").orderBy("application").show(8, truncate=False)
plans.select("application", "status").distinct().groupBy("status").count().show()
plans.groupBy("feature").count().orderBy("count", ascending=False).show(3)

# %% [markdown]
# ## The same plans as on one machine

# %%
row = plans.where("status = 'optimal'").first()
alone = explainer.explain(german.X.loc[[row.application]])
assert alone.objective == row.objective
print(alone.to_text())
spark.stop()
