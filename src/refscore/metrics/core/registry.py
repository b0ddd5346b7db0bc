"""Metrics by name: built-in, registered in this process, or from installed packages.

A package provides a metric through an entry point in the group `refscore.metrics`. The entry point has the metric's
name and points to its class.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from refscore.errors import SettingError, SignatureError, UnknownNameError
from refscore.lazy_names import LazyNames
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.row_metric import RowMetric
from refscore.plugins import broken_entry_point, describe_error, entry_points_of
from refscore.settings import read_signature, split

GROUP = "refscore.metrics"

# The built-in metrics' modules, which are imported on first use.
_stubs = (
    Path(__file__).parents[1] / name for name in ("functions.pyi", "special_functions.pyi", "without_references.pyi")
)
_BUILTIN = {name: module for name, module in LazyNames("refscore.metrics", *_stubs).items() if name.islower()}

# Modules with metrics that score no text, also in packages above this one, which import it. Signatures name them.
_MEETINGS = "refscore.meetings.metric"
_WITHOUT_TEXT = {
    "given": "refscore.metrics.given.metric",
    "cpwer": _MEETINGS,
    "orcwer": _MEETINGS,
    "tcpwer": _MEETINGS,
    "tcorcwer": _MEETINGS,
    "dicpwer": _MEETINGS,
    "ditcpwer": _MEETINGS,
    "mimower": _MEETINGS,
    "greedy_orcwer": _MEETINGS,
    "greedy_tcorcwer": _MEETINGS,
    "der": "refscore.meetings.diarization",
    "jer": "refscore.meetings.diarization",
}

_registered: dict[str, type[Metric[Any]]] = {}
# Errors from other packages' metrics that cannot be loaded. `METRICS` skips them after a warning.
_broken: dict[str, SettingError] = {}

K = TypeVar("K", bound=type[Metric[Any]])


def register(metric: K) -> K:
    """Make a metric available by name in this process. Returns the class, so it works as a decorator.

    Args:
        metric: A subclass of `Metric` with a `name` of lowercase letters, digits and `_`.

    Example:
        >>> import refscore
        >>> from dataclasses import dataclass
        >>> @refscore.metrics.register
        ... @dataclass(frozen=True, kw_only=True)
        ... class Coverage(refscore.metrics.PythonMetric):
        ...     name = "coverage"
        ...     columns = ("covered", "words")
        ...
        ...     def row(self, hypothesis, references):
        ...         return len(set(hypothesis) & set(references[0])), len(set(references[0]))
        ...
        ...     def value(self, row):
        ...         return row[0] / row[1] if row[1] else 0.0
        >>> round(refscore.scores(["a cat sat"], ["the cat sat down"], "coverage")["coverage"], 2)
        0.5
    """
    name = getattr(metric, "name", None)
    if not isinstance(metric, type) or not issubclass(metric, Metric):
        raise SettingError(f"a metric must be a subclass of refscore.metrics.Metric, not {metric!r}")
    if name is None:
        example = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", metric.__name__).lower()
        raise SettingError(f"{metric.__name__} has no name: set name = {example!r} in the class")
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise SettingError(f"a metric's name can have only lowercase letters, digits and _, not {name!r}")
    lacking = getattr(metric, "__abstractmethods__", None)
    if lacking:
        raise SettingError(f"the metric {name!r} lacks {', '.join(sorted(lacking))}: define them in its class")
    if name in _BUILTIN or name in _WITHOUT_TEXT:
        raise SettingError(f"the metric {name!r} is built in and cannot be replaced: choose a different name")
    _registered[name] = metric
    return metric


def is_class_path(text: str) -> bool:
    """Return whether a text is a class path, with a module that is dotted or can be imported."""
    module, _, name = text.partition(":")
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        return False
    from importlib.util import find_spec  # rarely needed

    return "." in module or module in sys.modules or find_spec(module) is not None


def load_class(path: str) -> type[Metric[Any]]:
    """Import a metric's class by a path such as `package.module:Class`, and register it."""
    module, _, name = path.partition(":")
    if module.endswith(".py"):
        raise UnknownNameError(f"unknown metric {path!r}: name the module without .py, as in {module[:-3]}:{name}")
    try:
        loaded = import_module(module)
    except (Exception, SystemExit) as error:  # a module can raise anything
        raise SettingError(f"the metric {path!r} cannot be imported: {describe_error(error)}") from error
    metric = getattr(loaded, name, None)
    if metric is None:
        classes = [key for key, value in vars(loaded).items() if isinstance(value, type) and issubclass(value, Metric)]
        raise UnknownNameError.suggest(f"class of the module {module!r}", name, classes)
    try:
        registered: type[Metric[Any]] = register(metric)
    except SettingError as error:
        raise SettingError(f"the metric {path!r} cannot be used: {error}") from None
    return registered


@cache
def _find_class(module: str, name: str) -> Any:
    return next(
        kind
        for kind in vars(import_module(module)).values()
        if isinstance(kind, type) and vars(kind).get("name") == name
    )


def signature_class(name: str) -> type[RowMetric[Any]] | None:
    """Return the metric's class that signatures call by this name, or None if there is none."""
    return class_without_text(name) or METRICS.get(name)


def class_without_text(name: str) -> type[RowMetric[Any]] | None:
    """Return the class for a metric that scores no text, or None if there is none."""
    return _find_class(_WITHOUT_TEXT[name], name) if name in _WITHOUT_TEXT else None


class _Metrics(Mapping[str, type[Metric[Any]]]):
    def __getitem__(self, name: str) -> type[Metric[Any]]:
        if name in _BUILTIN:
            metric: type[Metric[Any]] = _find_class(_BUILTIN[name], name)
            return metric
        if name not in _registered:
            _registered[name] = self._load(name)
        return _registered[name]

    def _load(self, name: str) -> type[Metric[Any]]:
        point = entry_points_of(GROUP)[name]
        try:
            metric: type[Metric[Any]] = register(point.load())
        except (Exception, SystemExit) as error:
            raise broken_entry_point("metric", point, error) from error
        if metric.name != name:
            raise SettingError(f"the entry point {name!r} has a metric named {metric.name!r}: rename one of them")
        return metric

    def __iter__(self) -> Iterator[str]:
        for name in entry_points_of(GROUP).keys() - _registered.keys() - _broken.keys():
            try:
                self[name]
            except SettingError as error:
                _broken[name] = error
                warnings.warn(str(error), RuntimeWarning, stacklevel=2)
        return iter(sorted({*_BUILTIN, *_registered}))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in _BUILTIN or name in _registered or name in entry_points_of(GROUP)


def loaded_metrics() -> list[type[Metric[Any]]]:
    return [METRICS[name] for name in (*_BUILTIN, *_registered)]


METRICS: Mapping[str, type[Metric[Any]]] = _Metrics()


def from_signature(text: str) -> RowMetric[Any]:
    """Return the metric for a signature that refscore or sacrebleu wrote.

    sacrebleu's signatures can be long or short, the line that its command prints, or BLEU signatures from version 1
    (`BLEU+case.mixed+…`). They omit BLEU's n-gram order, and chrF's beta unless the name has it (`chrF2|…`).
    A `SignatureWarning` names the assumed values.

    Args:
        text: A metric's or a score's signature.

    Returns:
        The metric with the same settings.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU(max_order=2, smoothing="floor")
        >>> refscore.from_signature(metric.signature) == metric
        True
    """
    if not isinstance(text, str):
        raise SignatureError(f"a signature must be a string, not {text!r}")
    name = text.partition("|")[0].strip()
    metric_class = signature_class(name)
    if metric_class is not None:
        return read_signature(metric_class, split(text.partition(" = ")[0])[1])
    for kind in loaded_metrics():
        metric = kind._from_other_signature(text)
        if metric is not None:
            return metric
    name_or_none, _ = split(text.partition(" = ")[0])
    raise SignatureError(
        f"{text!r} is a signature of an unknown metric, {name_or_none!r} (there are: {', '.join(METRICS)})"
    )
