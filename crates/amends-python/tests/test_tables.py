"""Every family on real tables: scores and decisions of all rows, and of rows on the models' own thresholds."""

import families
import pytest
import tables
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from test_scores import edges, explained, same

#: Models are fitted on so many rows, and what else an explainer fits on fewer: scores don't depend on either.
TRAINED, FITTED = 800, 300


def pipeline(family, X):
    """What a user would put before the model: scaled numbers and encoded texts where the family wants them."""
    model = families.ALL[family]()
    texts = [name for name in X.columns if X[name].dtype.kind not in "if"]
    if texts:
        encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
        number = make_column_selector(dtype_include="number")
        return make_pipeline(ColumnTransformer([("num", StandardScaler(), number), ("text", encoder, texts)]), model)
    return model if family in families.TREES else make_pipeline(StandardScaler(), model)


@pytest.mark.parametrize("family", families.ALL)
@pytest.mark.parametrize("table", tables.ALL)
def test_real_tables(table, family):
    X, y = tables.ALL[table]()
    few = X.sample(TRAINED, random_state=1).index if len(X) > TRAINED else X.index
    model = pipeline(family, X).fit(X.loc[few], y[few])
    explainer = explained(model, X.loc[few[:FITTED]], y[few[:FITTED]])
    same(explainer, model, X)
    if family in families.TREES and not hasattr(model, "steps"):
        rows = edges(model, X, 800)
        if len(rows):
            same(explainer, model, rows)
