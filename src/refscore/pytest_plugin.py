"""The plug-in for pytest: tests that fail if outputs are worse than a saved baseline.

pytest loads this module at every start, so it imports the rest of refscore only when a test needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from refscore.evaluation import Evaluation
    from refscore.gate import Configuration, Criteria, Gate
    from refscore.inputs import Groups, Hypotheses, References, Sources
    from refscore.metrics import MetricChoices

_OPTION = "--refscore-update"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes baselines."""
    parser.getgroup("refscore").addoption(
        _OPTION,
        action="store_true",
        help="Write the outputs that pass a gate as its new baseline, and baselines that do not exist yet.",
    )


@pytest.fixture
def refscore_gate(request: pytest.FixtureRequest) -> RefscoreGate:
    """Return the gate, whose `assert_not_worse` compares outputs with a saved baseline."""
    return RefscoreGate(request.path.parent, request.config.rootpath, update=request.config.getoption(_OPTION))


class RefscoreGate:
    """What the fixture `refscore_gate` returns.

    Args:
        folder: The folder of relative baselines, where the test's file is.
        root: The folder whose `pyproject.toml` may have a table `[tool.refscore.gate]`.
        update: Whether to write baselines.
    """

    def __init__(self, folder: Path, root: Path, *, update: bool) -> None:
        self._folder = folder
        self._root = root
        self._update = update

    def assert_not_worse(
        self,
        hypotheses: Hypotheses,
        references: References,
        *,
        baseline: str | PathLike[str],
        metrics: MetricChoices | None = None,
        sources: Sources = None,
        groups: Groups | None = None,
        oldest: str | PathLike[str] | None = None,
        criteria: Criteria | Configuration | None = None,
        threads: int | None = None,
        **settings: Any,
    ) -> Gate:
        """Fail the test with the table of the gate if outputs are worse than a baseline.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
            baseline: The record of the baseline, relative to the test's file. With `--refscore-update`, outputs that
                pass become the baseline.
            metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels. By
                default the baseline's metrics.
            sources: The source of each segment, for metrics that need it.
            groups: A list with a label per segment, by the name of a single grouping. Each group is also checked.
            oldest: An older record, to find a slow decline. `--refscore-update` creates it, but never overwrites it.
            criteria: The criteria. By default the ones in `pyproject.toml`.
            threads: The number of threads, by default all cores.
            **settings: Settings of the criteria by name, such as `margin=0.5`.

        Returns:
            The verdict, which has passed.
        """
        __tracebackhide__ = True
        from refscore.evaluation import evaluate, load
        from refscore.gate import check

        paths = [None if path is None else self._folder / path for path in (baseline, oldest)]
        main, old = (load(path) if path is not None and path.exists() else None for path in paths)
        if main is None and not self._update:
            pytest.fail(f"there is no baseline {paths[0]}: create it with pytest {_OPTION}", pytrace=False)
        configuration = self._configuration() if criteria is None else criteria
        chosen = metrics or _default_metrics(configuration, main)
        from refscore.data_warnings import unchecked

        with unchecked():  # the gate lists the warnings
            new = evaluate({"new": hypotheses}, references, chosen, sources=sources, groups=groups, threads=threads)
        if main is not None and metrics is None:
            new.titles, new.segment_metrics = main.titles, main.segment_metrics
        by = next(iter(groups), None) if groups else None
        result = check(new, main, configuration, oldest=old, by=by, threads=threads, **settings)
        if not result.passed:
            pytest.fail(str(result), pytrace=False)
        if self._update:
            for path, record in zip(paths, (None, old), strict=True):
                if path is not None and record is None:
                    _save(new, path)
        return result

    def _configuration(self) -> Configuration | None:
        from refscore.gate import Configuration

        file = Configuration.find(self._root)
        return None if file is None else Configuration.read(file)


def _default_metrics(configuration: Criteria | Configuration | None, main: Evaluation | None) -> Any:
    """Return the metrics of the baseline, of the configuration, or the default ones."""
    from refscore.metrics import DEFAULT_METRICS

    named = getattr(configuration, "metrics", ())
    metrics: Mapping[str, Any] | None = None if main is None else main.metrics
    return metrics or named or DEFAULT_METRICS


def _save(new: Evaluation, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    has_texts = all(digest is not None for digest in new.digests.hypotheses) and new.references_digest is not None
    new.save(path, texts=has_texts)
