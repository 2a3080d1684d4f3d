# %% [markdown]
# # German credit: from a fitted model to advice
#
# A notebook in plain Python: editors show the parts between `# %%` as cells, and `python german_credit.py` runs them all. It needs
# `pip install .` in a clone of the repository, and scikit-learn.

# %%
import amends
from amends import col
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

german = amends.load_german()
X_train, X_new, y_train, y_new = train_test_split(
    german.X, german.y, test_size=0.25, random_state=0, stratify=german.y
)

# %% [markdown]
# ## The model: yours, as it is
# Nothing about it is special. Columns are scaled and one-hot encoded before the forest; plans come in the columns of the frame.

# %%
columns = make_column_transformer(
    (StandardScaler(), make_column_selector(dtype_include="number")),
    (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include="category")),
)
model = make_pipeline(columns, RandomForestClassifier(100, max_depth=6, random_state=0)).fit(X_train, y_train)
print(f"accuracy on new applicants: {model.score(X_new, y_new):.3f}")

# %% [markdown]
# ## The explainer: what may change, and what is likely
# `fit` learns ranges, correlations and densities. The schema that comes with the data allows only what an applicant can do something about, in
# the direction that helps, and knows labels and units. Rules between columns are written as Python, or in words.

# %%
explainer = amends.Explainer(
    model,
    schema=german.schema,
    max_changes=3,
    rules=[
        col("duration").falls().implies(col("credit_amount").falls()),  # who pays back sooner borrows less
        "telephone stays",
    ],
).fit(X_train, y_train)

rejected = X_new[model.predict(X_new) == "bad"]
print(f"{len(rejected)} of {len(X_new)} new applicants are rejected")

# %% [markdown]
# ## One applicant
# `status` is `optimal`: no cheaper plan exists, proven. In a notebook, `answer` alone shows the table.

# %%
answer = explainer.explain(rejected.head(1))[0]
print(answer.to_text())
assert answer.status == "optimal"
assert answer.bound <= answer.objective + 1e-9

# %% [markdown]
# The model itself agrees. The changed application is a row of the frame, with its own types.

# %%
application = answer.applications()
print(application[[change.feature for change in answer.changes]])
assert (model.predict(application) == "good").all()
assert application.dtypes.equals(german.X.dtypes)

# %% [markdown]
# ## A choice of plans
# Each is the best of those that change another set of columns.

# %%
choice = explainer.explain(rejected.head(1), n_plans=3)[0]
for number, plan in enumerate(choice.plans, start=1):
    print(f"{number}. cost {plan.objective:.3f}: " + ", ".join(str(change) for change in plan.changes))
assert len({frozenset(change.feature for change in plan.changes) for plan in choice.plans}) == len(choice.plans)

# %% [markdown]
# ## More certainty
# 60 % for approval instead of just enough.

# %%
surer = explainer.explain(rejected.head(1), target_proba=0.6)[0]
good = list(model.classes_).index("good")
assert model.predict_proba(surer.applications())[0, good] >= 0.6
print(f"cost {surer.objective:.3f} for 60 %, {answer.objective:.3f} for one half")

# %% [markdown]
# ## No plan is an answer, too
# With only the telephone to change, most have none. The answer says so, proves it, and names the fewest rules that would have to give way.

# %%
strict = amends.Explainer(model, desired_class="good", features_to_vary=["telephone"]).fit(X_train, y_train)
none = strict.explain(rejected.head(1))[0]
print(none.to_text())
assert none.status == "infeasible" and none.why_none is not None

# %% [markdown]
# ## Everybody
# A batch is one tidy table: a row per applicant, plan and changed column.

# %%
results = explainer.explain(rejected)
table = results.to_frame()
print(table[["applicant", "status", "feature", "before", "after", "objective"]].head(8).to_string(index=False))
print(results.summary()["status"].value_counts().to_string())
print("changed most often: " + ", ".join(table["feature"].value_counts().index[:3]))
assert (model.predict(results.applications()) == "good").all()

# %% [markdown]
# ## Elsewhere, without Python
# The saved model holds numbers only; `amends explain --data .. --schema german.toml --model forest.json` serves it.

# %%
explainer.save("forest.json")
with open("german.toml", "w", encoding="utf-8") as file:
    file.write(explainer.schema)
