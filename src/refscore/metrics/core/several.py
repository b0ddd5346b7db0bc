"""Several metrics at once: a row of a results table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from refscore.errors import SettingError, UnknownNameError
from refscore.metrics.bleu.metric import bleu
from refscore.metrics.chrf.metric import chrf
from refscore.metrics.core.arrow_columns import columns
from refscore.metrics.core.metric import Metric, Score, kernel_threads
from refscore.metrics.core.selection import read_name
from refscore.metrics.error_rate.cer import cer
from refscore.metrics.error_rate.wer import wer
from refscore.metrics.gleu.metric import gleu
from refscore.metrics.meteor.metric import meteor
from refscore.metrics.nist.metric import nist
from refscore.metrics.ribes.metric import ribes
from refscore.metrics.rouge.metric import rouge
from refscore.metrics.ter.metric import ter

_FUNCTIONS: Mapping[str, Callable[..., Score]] = {
    function.__name__: function for function in (bleu, cer, chrf, gleu, meteor, nist, ribes, rouge, ter, wer)
}


def scores(
    hypotheses: Any,
    references: Any,
    metrics: Iterable[str | Metric[Any]] | Mapping[str, str | Metric[Any]] = ("bleu", "chrf", "ter"),
    *,
    threads: int | None = None,
) -> dict[str, Score]:
    """The scores of a corpus by several metrics: the whole row of a results table.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        metrics: Names of metrics, also with a preset ("chrf++", "bleu:nltk"), or metrics; in a dictionary, under names
            of your own.
        threads: How many to use; all cores by default.

    Returns:
        A score for each metric, under its name.

    Example:
        >>> import refscore
        >>> hypotheses, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
        >>> for name, score in refscore.scores(hypotheses, references).items():
        ...     print(f"{name:4} {score.percent:.2f}")
        bleu 53.73
        chrf 65.98
        ter  16.67
        >>> chosen = {"chrF++": refscore.CHRF(word_order=2), "RIBES": "ribes"}
        >>> {name: round(score.value, 4) for name, score in refscore.scores(hypotheses, references, chosen).items()}
        {'chrF++': 0.6744, 'RIBES': 0.9554}
    """
    if isinstance(metrics, (str, Metric)):
        metrics = (metrics,)
    if not isinstance(metrics, Iterable):
        raise SettingError(f"metrics must be names of metrics, or metrics, not {metrics!r}")
    calls: dict[str, Callable[..., Score]] = {}
    for given, metric in metrics.items() if isinstance(metrics, Mapping) else ((None, metric) for metric in metrics):
        label, call = _call(metric)
        name = label if given is None else given
        if name in calls:
            raise SettingError(f"there are two metrics of the name {name!r}: pass a dictionary with names of your own")
        calls[name] = call
    hypotheses, references = columns(hypotheses, references, kernel_threads(threads))
    if isinstance(hypotheses, Iterator):
        hypotheses = list(hypotheses)
    if isinstance(references, Iterator):
        references = list(references)
    return {name: call(hypotheses, references, threads=threads) for name, call in calls.items()}


def _call(metric: Any) -> tuple[str, Callable[..., Score]]:
    """The name of a metric, and what scores a corpus by it."""
    if isinstance(metric, Metric):
        return metric.name, metric.corpus
    if not isinstance(metric, str):
        raise UnknownNameError.of("metric", metric, _FUNCTIONS)
    label, kind, preset = read_name(metric)
    return label, partial(_FUNCTIONS[kind.name], preset=preset)
