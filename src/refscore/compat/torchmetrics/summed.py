"""What the metrics share: states that are sums over segments, and results in the metric's type."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from refscore.compat.torchmetrics.needed import torch, torchmetrics

Sums = Mapping[str, Any]
"""For each state a number, or an array of them; for lists of segments' scores, an array."""


class Summed(torchmetrics.Metric):
    """A metric whose states are sums over segments: exact in int64 however the segments are split among processes."""

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = False  # sums of batches are the sum of all
    plot_lower_bound: ClassVar[float] = 0.0
    plot_upper_bound: ClassVar[float] = 1.0

    def _add_sum(self, name: str, shape: tuple[int, ...] = (), dtype: Any = torch.int64) -> None:
        self.add_state(name, torch.zeros(shape, dtype=dtype), dist_reduce_fx="sum")

    @abstractmethod
    def _batch(self, preds: Any, target: Any) -> Sums:
        """What segments add to each state."""

    @abstractmethod
    def _score(self, sums: Sums) -> Any:
        """The result of sums."""

    def update(self, preds: Any, target: Any) -> None:
        """Adds segments: predictions, and for each of them its reference or a list of references."""
        self._add(self._batch(preds, target))

    def compute(self) -> Any:
        """The result for all segments so far."""
        return self._score({name: _numbers(getattr(self, name)) for name in self._defaults})

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The result for these segments, which are added to those so far.

        torchmetrics does it by copying all states twice; sums need no copies.
        """
        changed = type(self).update is not Summed.update or type(self).compute is not Summed.compute
        if changed or self.dist_sync_on_step or self.compute_on_cpu or self._is_synced:
            return super().forward(*args, **kwargs)
        batch = self._batch(*args, **kwargs)
        self._computed = None
        self._update_count += 1
        self._add(batch)
        self._forward_cache = _squeezed(self._score(batch))
        return self._forward_cache

    def set_dtype(self, dst_type: Any) -> Summed:
        """Sets the type of results; the sums stay exact.

        Args:
            dst_type: A type of torch's, such as `torch.float64`.

        Returns:
            The metric itself.
        """
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
        """Draws one value or several, by torchmetrics' own means.

        Args:
            val: A result of the metric or a list of them; what it has now by default.
            ax: An axis of matplotlib to draw on.

        Returns:
            The figure and its axis.
        """
        return self._plot(val, ax)


def _numbers(state: Any) -> Any:
    """A state as numbers; lists of segments' scores as one array, gathered from all processes or not yet."""
    if isinstance(state, list):
        state = torch.cat(state) if state else torch.zeros(0)
    return state.cpu().numpy() if state.dim() else state.item()


def _squeezed(value: Any) -> Any:
    """A result as torchmetrics returns it: one number has no dimension, also among several results."""
    if isinstance(value, tuple):
        return tuple(_squeezed(item) for item in value)
    return value.squeeze() if isinstance(value, torch.Tensor) and value.numel() == 1 else value


def result(value: Any) -> Any:
    """Numbers as the functions return them: a tensor of torch's default type."""
    return torch.tensor(value, dtype=torch.get_default_dtype())
