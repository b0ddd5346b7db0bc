"""Reports as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError, Location
from refscore.report.model import build_report
from refscore.report.page import render_page
from refscore.report.vega import require_vega
from refscore.writing import written_text

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    from refscore.metrics import Metric, MetricChoices
    from refscore.report.model import Progress

    class ReportOptions(TypedDict, total=False):
        """The options of `build_report`."""

        source: Any
        metrics: MetricChoices
        segment_metrics: Mapping[str, Metric[Any]] | None
        title: str
        notes: str
        resamples: int
        seed: int
        confidence: float
        units: Any
        alpha: float
        holm: bool
        max_segments: int
        threads: int | None
        progress: Progress | None


def write_report(
    path: str | Path, systems: Mapping[str, Any], references: Any, **options: Unpack[ReportOptions]
) -> None:
    """Write one HTML file that shows how systems differ; it opens anywhere and loads nothing.

    Needs vl-convert-python for its charts (`pip install 'refscore[report]'`).

    Args:
        path: The file; an existing one is replaced.
        systems: The texts of each system by its name; the first is the baseline.
        references: One entry per segment: a string or a list of strings.
        **options: Those of `refscore.report.build_report`: source, metrics, title, notes, resamples, seed and others.

    Example:
        >>> import refscore, tempfile
        >>> from pathlib import Path
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "report.html")
        ...     refscore.write_report(path, systems, references, metrics=["bleu", "chrf++"], title="Old and new")
        ...     "<h1>Old and new</h1>" in path.read_text(encoding="utf-8")
        True
    """
    require_vega()
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        problem = "it is a directory" if target.is_dir() else f"there is no folder {target.parent}"
        raise InputError(Location(file=str(target)), "cannot be written", problem)
    report = build_report(systems, references, **options)
    with written_text(target) as file:
        file.write(render_page(report))
