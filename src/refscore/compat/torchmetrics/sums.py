"""The shared base of the metrics: states that are sums over segments, and results in the metric's type."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from refscore.errors import NotInstalledError

try:
    import torch
    import torchmetrics
except ModuleNotFoundError as error:
    if error.name not in ("torch", "torchmetrics"):  # a dependency of these packages is missing
        raise
    raise NotInstalledError(
        "refscore.compat.torchmetrics needs torch and torchmetrics: pip install 'refscore[torch]'", name=error.name
    ) from None

__all__ = ["Sums", "SumsMetric", "result", "torch"]

Sums = Mapping[str, Any]
"""A number or an array per state. For lists of segment scores, an array."""


class SumsMetric(torchmetrics.Metric):
    """A metric with sums over segments as its states. Integer sums are exact for any split between processes."""

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = False  # the sums of batches can be added
    plot_lower_bound: ClassVar[float] = 0.0
    plot_upper_bound: ClassVar[float] = 1.0

    def _add_sum(self, name: str, shape: tuple[int, ...] = (), dtype: Any = torch.int64) -> None:
        self.add_state(name, torch.zeros(shape, dtype=dtype), dist_reduce_fx="sum")

    @abstractmethod
    def _batch(self, preds: Any, target: Any) -> Sums:
        """Return the amount that segments add to each state."""

    @abstractmethod
    def _score(self, sums: Sums) -> Any:
        """Return the result for sums."""

    def update(self, preds: Any, target: Any) -> None:
        """Add segments: predictions, and for each prediction its reference or a list of references."""
        self._add(self._batch(preds, target))

    def compute(self) -> Any:
        """Return the result for all segments so far."""
        return self._score({name: _numbers(getattr(self, name)) for name in self._defaults})

    @torch.jit.unused  # type: ignore[untyped-decorator]  # as torchmetrics' own: a scripted module calls it in Python
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for these segments, and add them to the states.

        torchmetrics would copy all states twice, which is unnecessary for sums.
        """
        changed = type(self).update is not SumsMetric.update or type(self).compute is not SumsMetric.compute
        if changed or self.dist_sync_on_step or self.compute_on_cpu or self._is_synced:
            return super().forward(*args, **kwargs)
        batch = self._batch(*args, **kwargs)
        self._computed = None
        self._update_count += 1
        self._add(batch)
        self._forward_cache = _squeezed(self._score(batch))
        return self._forward_cache

    def set_dtype(self, dst_type: Any) -> SumsMetric:
        """Set the type of results, such as `torch.float64`, and return the metric. Sums are not affected."""
        self._dtype = torch.zeros(0).type(dst_type).dtype
        return self

    def _add(self, batch: Sums) -> None:
        for name, value in batch.items():
            state = getattr(self, name)
            if isinstance(state, list):
                state.append(self._result(value))
            elif isinstance(value, np.ndarray):
                setattr(self, name, state + torch.tensor(value, dtype=state.dtype, device=state.device))
            else:
                setattr(self, name, state + value)

    def _result(self, value: Any) -> Any:
        return torch.tensor(value, dtype=self.dtype, device=self.device)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one or several results, by default the current one. Return the figure and its axis."""
        return self._plot(val, ax)


def _numbers(state: Any) -> Any:
    """Return a state as numbers. Lists of segment scores become one array, whether gathered from processes or not."""
    if isinstance(state, list):
        state = torch.cat(state) if state else torch.zeros(0)
    return state.cpu().numpy() if state.dim() else state.item()


def _squeezed(value: Any) -> Any:
    """Return a result in torchmetrics' form, in which a single number has no dimension."""
    if isinstance(value, tuple):
        return tuple(_squeezed(item) for item in value)
    return value.squeeze() if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def result(value: Any) -> Any:
    """Return numbers as a tensor of torch's default type, as the functions do."""
    return torch.tensor(value, dtype=torch.get_default_dtype())
