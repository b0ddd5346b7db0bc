"""Reports as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refscore.errors import InputError
from refscore.metrics import Metric
from refscore.report.library import require_library
from refscore.report.model import MOST_SEGMENTS, Progress, build_report
from refscore.report.page import render_page
from refscore.report.texts import DEFAULT_METRICS
from refscore.report.verdicts import Resampling
from refscore.writing import written_text


def write_report(
    path: str | Path,
    systems: Mapping[str, Any],
    references: Any,
    *,
    source: Any = None,
    metrics: Any = DEFAULT_METRICS,
    segment_metrics: Mapping[str, Metric[Any]] | None = None,
    title: str = "",
    notes: str = "",
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Any = None,
    alpha: float = 0.05,
    holm: bool = False,
    max_segments: int = MOST_SEGMENTS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes one HTML file that shows how systems differ; it opens anywhere and loads nothing.

    Needs vl-convert-python, for its charts (`pip install 'refscore[report]'`).

    Args:
        path: The file; one that is there is replaced.
        systems: The texts of each system by its name; the first is the baseline.
        references: One entry per segment: a string or a list of strings.
        source: The source texts, one per segment.
        metrics: Names of metrics, or metrics; in a mapping, under names of your own.
        segment_metrics: Those for single segments, under the same names; the same by default, but that BLEU with
            default settings becomes sacrebleu's sentence_bleu.
        title: The heading of the page; by default it names the systems.
        notes: Text under the heading; a blank line ends a paragraph.
        resamples: How many corpora the paired bootstrap draws.
        seed: What to draw with; the same gives the same file.
        confidence: That of intervals.
        units: A label for each segment, such as its document; segments of one label are drawn together.
        alpha: The largest p that is called significant.
        holm: Correct p-values of the comparisons with the baseline for the number of systems.
        max_segments: How many segments can be looked at; of more, a random sample.
        threads: How many to use; all cores by default.
        progress: Called with what is being done, and how much of how much of it is done, now and then.

    Example:
        >>> import refscore, tempfile
        >>> from pathlib import Path
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "report.html")
        ...     refscore.write_report(path, systems, references, metrics=["bleu", "chrf"], title="Old and new")
        ...     "<h1>Old and new</h1>" in path.read_text(encoding="utf-8")
        True
    """
    require_library()
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        problem = "it is a directory" if target.is_dir() else f"there is no folder {target.parent}"
        raise InputError(None, f"{target} cannot be written: {problem}")
    report = build_report(
        systems,
        references,
        source=source,
        metrics=metrics,
        segment_metrics=segment_metrics,
        title=title,
        notes=notes,
        resampling=Resampling(resamples, seed, confidence, units, alpha, holm),
        max_segments=max_segments,
        threads=threads,
        progress=progress,
    )
    with written_text(target) as file:
        file.write(render_page(report))
