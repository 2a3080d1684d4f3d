"""What Python's and scikit-learn's tools expect of objects: parameters, copies, pickles, the names of columns.

An explainer has `fit(X, y)` and parameters as estimators have, so that `clone`, `get_params` and `check_is_fitted` work on it. It is no
estimator: it predicts nothing, and its `score(X)` is one number per row, so that searches and cross-validation can't use it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _amends
from ._description import Description
from ._frames import nearest
from ._schema import Schema


class Conventions:
    """The conventions that :class:`amends.Explainer` follows."""

    #: The parameters as they were given.
    _params: dict[str, Any]
    model: Any
    _fitted: Any
    _names: list[str]
    _schema: Schema
    _said: Description
    _recipe: tuple[Any, ...]
    _rows: int

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters as they were given. Those of the model are not among them: it is fitted, and stays as it is.

        Examples
        --------
        >>> explainer.get_params()["desired_class"]
        'good'
        """
        return dict(self._params)

    def set_params(self, **params: Any) -> Any:
        """Changes parameters; the explainer has to be fitted again then.

        Examples
        --------
        >>> import amends
        >>> amends.Explainer(model, desired_class="good").set_params(max_changes=2).get_params()["max_changes"]
        2
        """
        for name in params:
            if name not in self._params:
                near = nearest(name, self._params)
                raise ValueError(f"`{name}` is not a parameter of Explainer; {f'did you mean `{near}`?' if near else 'get_params has them'}")
        if params:
            changed = type(self)(**{**self._params, **params})
            self.__dict__.clear()
            self.__dict__.update(changed.__dict__)
        return self

    def __sklearn_clone__(self) -> Any:
        """A copy that is not fitted, with the same fitted model: a copy of the model would have to be fitted."""
        return type(self)(**self._params)

    def __sklearn_is_fitted__(self) -> bool:
        return self._fitted is not None

    def __sklearn_tags__(self) -> Any:
        """From scikit-learn 1.6 on: no estimator of any kind, that takes what its model takes."""
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(allow_nan=True, categorical=True, string=True)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=inputs)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The columns that the model was fitted on, once the explainer is fitted."""
        if self._fitted is None:
            raise AttributeError("feature_names_in_ is there once the explainer is fitted")
        return np.array(self._names, dtype=object)

    @property
    def n_features_in_(self) -> int:
        """How many these are."""
        return len(self.feature_names_in_)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        fitted = state.pop("_fitted")
        state["_training"] = None if fitted is None else fitted.training()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        training = state.pop("_training")
        self.__dict__.update(state)
        self._fitted = None
        if training is not None:
            rows, favourable = training
            self._fitted = _amends.Fitted(self._schema.toml, rows, favourable, *self._recipe)

    def __repr__(self) -> str:
        name = type(self.model).__name__
        if self._fitted is None:
            return f"<Explainer of {name}: not fitted>"
        schema = self._schema
        desired = f"`{schema.favourable}` is desired"
        if self._said.threshold is not None:
            desired += f" from a probability of {self._said.threshold:g} on"
        return f"<Explainer of {name}: {len(schema.features)} features, {self._rows} rows, {desired}>"
