"""Base classes for metrics whose states are sums over segments, and `RowsScore`, which wraps any refscore metric.

A `Scoring` subclass declares a metric. torchmetrics' class is an interface to this declaration:
`class BLEUScore(SumsMetric, scoring=…)`. `functional.text` has the functions.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, Signature, signature
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
import torchmetrics
from numpy.typing import NDArray

from refscore.compat.torchmetrics.inputs import grouped, wrapped
from refscore.errors import SettingError
from refscore.metrics import RIBES, Metric, sum_rows

Sums = Mapping[str, Any]
"""A number or an array per state. For lists of segment scores, an array."""

_SELF = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
_MORE = Parameter("kwargs", Parameter.VAR_KEYWORD)


class Results(NamedTuple):
    """Convert numbers to tensors with the results' type and device."""

    dtype: Any
    device: Any = None

    def __call__(self, value: Any) -> Any:
        return torch.tensor(value, dtype=self.dtype, device=self.device)


class Scoring:
    """A metric's settings, as dataclass fields, and how it computes sums and results.

    The fields have torchmetrics' names and defaults, in its function's order.
    """

    @abstractmethod
    def states(self) -> Mapping[str, Any]:
        """Return each state's initial value: a tensor that sums are added to, or a list for segment scores."""

    @abstractmethod
    def batch(self, preds: Any, target: Any) -> Sums:
        """Return the amount that segments add to each state."""

    @abstractmethod
    def value(self, sums: Sums, results: Results) -> Any:
        """Return the result for sums."""

    def attributes(self) -> Mapping[str, Any]:
        return {name: getattr(self, name) for name in signature(type(self)).parameters}

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        return self.value(self.batch(preds, target), results)


class SentenceScoring(Scoring):
    """A refscore metric. With `return_sentence_level_score`, it has a list of segment scores as a state."""

    metric: Metric[Any]
    return_sentence_level_score: bool
    sentence_state: ClassVar[str]

    @abstractmethod
    def sums(self) -> Mapping[str, Any]:
        """Return each column's initial state."""

    @abstractmethod
    def rows_and_scores(self, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return each segment's row and score."""

    def score(self, row: NDArray[Any]) -> float:
        return float(self.metric.score(row).value)

    def states(self) -> dict[str, Any]:
        return {**self.sums(), **({self.sentence_state: []} if self.return_sentence_level_score else {})}

    def batch(self, preds: Any, target: Any) -> Sums:
        rows, values = self.rows_and_scores(preds, target)
        sums = dict(zip(self.sums(), sum_rows(rows).tolist(), strict=True))
        return {**sums, self.sentence_state: values} if self.return_sentence_level_score else sums

    def value(self, sums: Sums, results: Results) -> Any:
        value = results(self.score(np.array([sums[name] for name in self.sums()])))
        return (value, results(sums[self.sentence_state])) if self.return_sentence_level_score else value

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        """Return what `value` returns, but only the score if there are no segments."""
        result = self.value(self.batch(preds, target), results)
        return result[0] if self.return_sentence_level_score and not len(result[1]) else result


def counts(*shape: int) -> Any:
    """Return a state for whole numbers. Their sums are exact for any split between processes."""
    return torch.zeros(shape, dtype=torch.int64)


def amount(*shape: int) -> Any:
    """Return a state for other sums."""
    return torch.zeros(shape, dtype=torch.float64)


class SumsMetric(torchmetrics.Metric):
    """A metric with sums over segments as its states."""

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = False  # the sums of batches can be added
    plot_lower_bound: ClassVar[float] = 0.0
    plot_upper_bound: ClassVar[float] = 1.0
    _scoring_type: ClassVar[Callable[..., Scoring]]

    def __init_subclass__(
        cls, scoring: Callable[..., Scoring] | None = None, order: Sequence[str] = (), **kwargs: Any
    ) -> None:
        """Give a class `scoring`'s settings as arguments, in a different order if there is one."""
        super().__init_subclass__(**kwargs)
        if scoring is None:
            return
        settings = signature(scoring).parameters
        interface = Signature([*(settings[name] for name in order or settings), _MORE])

        def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
            given = interface.bind(*args, **kwargs).arguments
            more = given.pop("kwargs", {})
            SumsMetric.__init__(self, scoring(**given), **more)

        initialize.__signature__ = Signature([_SELF, *interface.parameters.values()])  # type: ignore[attr-defined]
        cls.__init__ = initialize  # type: ignore[method-assign]
        cls._scoring_type = staticmethod(scoring)

    def __init__(self, scoring: Scoring, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._scoring = scoring
        self.__dict__.update(scoring.attributes())
        for name, state in scoring.states().items():
            self.add_state(name, state, dist_reduce_fx="cat" if isinstance(state, list) else "sum")

    def update(self, preds: Any, target: Any) -> None:
        """Add segments: predictions, and for each prediction one or several references."""
        self._add(self._scoring.batch(preds, target))

    def compute(self) -> Any:
        return self._value({name: _numbers(getattr(self, name)) for name in self._defaults})

    @torch.jit.unused  # type: ignore[untyped-decorator]  # as torchmetrics' own: a scripted module calls it in Python
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Return the result for these segments, and add them to the states.

        torchmetrics would copy all states twice, which is unnecessary for sums.
        """
        changed = type(self).update is not SumsMetric.update or type(self).compute is not SumsMetric.compute
        if changed or self.dist_sync_on_step or self.compute_on_cpu or self._is_synced:
            return super().forward(*args, **kwargs)
        batch = self._scoring.batch(*args, **kwargs)
        self._computed = None
        self._update_count += 1
        self._add(batch)
        self._forward_cache = _squeezed(self._value(batch))
        return self._forward_cache

    def set_dtype(self, dst_type: Any) -> SumsMetric:
        """Set the results' type, such as `torch.float64`, and return the metric. Sums are not affected."""
        self._dtype = torch.zeros(0).type(dst_type).dtype
        return self

    def _add(self, batch: Sums) -> None:
        for name, value in batch.items():
            state = getattr(self, name)
            if isinstance(state, list):
                # The type in which torchmetrics gathers the empty list of a process without segments.
                state.append(Results(self.dtype, self.device)(value))
            elif isinstance(value, np.ndarray):
                state += torch.from_numpy(value.copy()).to(state.device)
            else:
                state += value  # in place, like torchmetrics: setting an attribute of a module takes longer

    def _value(self, sums: Sums) -> Any:
        return self._scoring.value(sums, Results(self.dtype, self.device))

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        return self._plot(val, ax)


def _numbers(state: Any) -> Any:
    """Return a state as numbers. A list becomes one array, whether gathered from processes or not."""
    if isinstance(state, list):
        state = torch.cat(state) if state else torch.zeros(0)
    return state.cpu().numpy() if state.dim() else state.item()


def _squeezed(value: Any) -> Any:
    """Return a result in torchmetrics' form, in which a single number has no dimension."""
    if isinstance(value, tuple):
        return tuple(_squeezed(item) for item in value)
    return value.squeeze() if isinstance(value, torch.Tensor) and value.numel() == 1 else value


@dataclass
class _RowScoring(Scoring):
    metric: Metric[Any]

    def __post_init__(self) -> None:
        if not isinstance(self.metric, Metric):
            raise SettingError(f"metric must be one of refscore's, such as refscore.GLEU(), not {self.metric!r}")

    def attributes(self) -> dict[str, Any]:
        return {"metric": self.metric}

    def states(self) -> dict[str, Any]:
        state = counts if self.metric.row_type.kind == "i" else amount
        return {"row": state(len(self.metric.columns))}

    def batch(self, preds: Any, target: Any) -> Sums:
        return {"row": sum_rows(self.metric.stats(*grouped(*wrapped(preds, target))))}

    def value(self, sums: Sums, results: Results) -> Any:
        return results(self.metric.score(sums["row"]).value)


class _Ribes(_RowScoring):
    def __init__(self, alpha: float = 0.25, beta: float = 0.10, preset: str = "official") -> None:
        super().__init__(RIBES.preset(preset, alpha=alpha, beta=beta))


class RowsScore(SumsMetric, scoring=_RowScoring):
    """A refscore metric as a torchmetrics metric. Its state is its summed rows, in int64 or float64.

    Example:
        >>> import refscore
        >>> from refscore.compat.torchmetrics import RowsScore
        >>> metric = RowsScore(refscore.GLEU())
        >>> metric(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7778)
        >>> metric.row
        tensor([14, 18])
    """

    @property
    def higher_is_better(self) -> bool:
        return bool(self.metric.higher_is_better)


class RIBESScore(RowsScore, scoring=_Ribes):
    """RIBES, which compares word order, from 0 to 1. Higher is better.

    Args:
        alpha: The exponent for the precision, the share of aligned words.
        beta: The exponent for the brevity penalty.
        preset: The conventions: "official", "nltk" or "nltk-3.9".
        **kwargs: Arguments for `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import RIBESScore
        >>> RIBESScore()(["the book was read by the boy"], [["the boy read the book"]])
        tensor(0.1839)
    """
