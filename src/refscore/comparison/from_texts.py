from __future__ import annotations

from collections.abc import Iterator, Mapping, Sized
from typing import TYPE_CHECKING, Any

from refscore.comparison.from_rows import Progress, compare_evaluation
from refscore.comparison.model import SystemComparison
from refscore.errors import InputError, Location
from refscore.evaluation import evaluate
from refscore.inputs import References, Sources
from refscore.metrics import DEFAULT_METRICS, MetricChoices
from refscore.significance import Tests
from refscore.significance.inputs import unit_numbers
from refscore.significance.settings import Units

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.settings import TestsSettings


def compare(
    systems: Mapping[str, Any],
    references: References,
    metrics: MetricChoices = DEFAULT_METRICS,
    *,
    sources: Sources = None,
    rows: Mapping[str, Mapping[str, Any]] | None = None,
    units: Units | None = None,
    by: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[TestsSettings],
) -> SystemComparison:
    """Test whether systems differ from a baseline by each metric. This is `refscore compare` in Python.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. Token sequences also work. The
            texts of several training runs are a dictionary with one entry per run, or a list of lists of texts.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source of each segment, for metrics that need it.
        rows: One row of statistics per segment, as an array of shape (segments, columns). By the labels of metrics that
            do not score texts, such as `refscore.Given`, and by system. Several runs have a list of arrays.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        by: A label per segment, such as its domain. Each group of segments with the same label is also compared.
        threads: The number of threads; all cores by default.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings of `refscore.significance.Tests`: `test`, `trials`, `resamples`, `seed`, `confidence`,
            `holm`, `alpha`, `paper` and `power`.

    Returns:
        The comparison. It prints the tables of `refscore compare`.

    Example:
        >>> import refscore
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = refscore.compare(outputs, refs, ["chrf"], test="bootstrap")
        >>> print(result)
        system   chrF2       Δ   Δ within (95 %)     wins   p boot.  verdict
        ------  ------  ------  ----------------  -------  --------  --------
        old      29.54       –                 –        –         –  baseline
        new     100.00  +70.46  [+57.10, +82.65]  100.0 %  *≤ 0.001  better
        <BLANKLINE>
        chrf|nrefs:1|case:mixed|norm:none|chars:codepoints|nc:6|nw:0|beta:2.0|space:no|smooth:none|avg:micro|version:0.1.0
        test:paired-bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|holm:no|version:0.1.0
        >>> result.verdict("chrf", "new"), round(result["chrf"]["new"].difference, 3)
        ('better', 0.705)
        >>> comet = refscore.Given("comet")
        >>> given = {"comet": {"old": comet.stats([0.5, 0.6, 0.4, 0.7]), "new": comet.stats([0.9, 0.8, 0.9, 0.8])}}
        >>> both = refscore.compare(outputs, refs, {"chrF": "chrf", "comet": comet}, rows=given)
        >>> both.verdict("comet", "new"), round(both["comet"]["new"].difference, 4)
        ('better', 0.3)
    """
    Tests(**settings)  # raises errors before any work
    given: object = systems
    if not isinstance(given, Mapping):
        fix = "map the name of each system to its texts, the baseline first"
        raise InputError(Location("systems"), "is not a mapping", fix)
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location("systems"), f"has {len(systems)} system{'' if len(systems) == 1 else 's'}", fix)
    units, by = (list(labels) if isinstance(labels, Iterator) else labels for labels in (units, by))
    if isinstance(units, Sized):
        unit_numbers(units, len(units))
    groups = None if by is None else {"by": by}
    evaluation = evaluate(
        systems,
        references,
        metrics,
        sources=sources,
        rows=rows,
        units=units,
        groups=groups,
        threads=threads,
        progress=progress,
    )
    return compare_evaluation(
        evaluation, by=None if by is None else "by", threads=threads, progress=progress, **settings
    )
