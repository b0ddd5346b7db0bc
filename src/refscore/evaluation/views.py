"""The views of an evaluation as methods. This is the only file that imports from layers above."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

import numpy as np

from refscore.errors import InputError, UnknownNameError, check_instance, requires
from refscore.metrics import Values

if TYPE_CHECKING:
    import os

    import pandas as pd
    from typing_extensions import Unpack

    from refscore.alignments import WordErrors
    from refscore.comparison import SystemComparison
    from refscore.evaluation.evaluation import Evaluation
    from refscore.evaluation.summary import Summary
    from refscore.meta import Judgments
    from refscore.meta.judgments import Scores
    from refscore.progress import Progress
    from refscore.report import Report
    from refscore.report.model import ReportOptions
    from refscore.significance import Interval, Tests


class Views:
    """What an evaluation shows. Each view is a function of its own package."""

    if TYPE_CHECKING:

        @property
        def _evaluation(self) -> Evaluation: ...

    else:
        _evaluation = property(lambda self: self)

    def segment_scores(self, label: str | None = None, *, threads: int | None = None) -> dict[str, Values]:
        """Return the score of each segment by a metric, with its settings for single segments, by system.

        Example:
            >>> import refscore
            >>> evaluation = refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "chrf")
            >>> {name: values.round(2).tolist() for name, values in evaluation.segment_scores().items()}
            {'old': [0.31], 'new': [1.0]}
        """
        evaluation = self._evaluation
        chosen = evaluation._label(label)
        metric = evaluation.segment_metrics[chosen]
        return {
            name: metric.values(evaluation.rows_of_run(chosen, evaluation.only_run(name)), threads=threads)
            for name in evaluation.systems
        }

    def interval(
        self,
        label: str | None = None,
        system: str | None = None,
        tests: Tests | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **settings: object,
    ) -> Interval:
        """Return the bootstrap confidence interval of a score. This needs retained rows.

        The interval of a sample is centred on the score of all segments and scaled to their number: the error of a
        score shrinks with the square root of the number of segments.

        Args:
            label: The label of a metric. Needed if there are several.
            system: The name of a system. Needed if there are several.
            tests: The settings, of which `resamples`, `seed`, `confidence` and `formulas` have an effect.
            threads: The number of threads, by default all cores.
            progress: A function called with the name of the current step, the amount of work done and the total.
            **settings: Settings by name, which replace the ones in `tests`.
        """
        from refscore.evaluation.intervals import interval

        label = self._evaluation._label(label)
        return interval(self._evaluation, label, system, tests, threads=threads, progress=progress, **settings)

    def intervals(
        self,
        tests: Tests | None = None,
        *,
        threads: int | None = None,
        progress: Progress | None = None,
        **settings: object,
    ) -> dict[str, dict[str, Interval]]:
        """Return the bootstrap confidence interval of each score, by system and label. This needs retained rows.

        Args:
            tests: The settings, of which `resamples`, `seed`, `confidence` and `formulas` have an effect.
            threads: The number of threads, by default all cores.
            progress: A function called with the name of the current step, the amount of work done and the total.
            **settings: Settings by name, which replace the ones in `tests`.

        Example:
            >>> import refscore
            >>> texts = ["the cat sat on a mat", "it rains", "we go home", "no one came"]
            >>> references = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
            >>> evaluation = refscore.evaluate(texts, references, ["chrf"])
            >>> found = evaluation.intervals(seed=1)["system"]["chrf"]
            >>> found.low < evaluation.score("chrf") < found.high
            True
        """
        from refscore.evaluation.intervals import intervals

        return intervals(self._evaluation, tests, threads=threads, progress=progress, **settings)

    def by(self, name: str) -> dict[Hashable, Evaluation]:
        """Return the evaluation of each group of segments, by label, in the order of first occurrence.

        Args:
            name: The name of the grouping, such as "domain".

        Example:
            >>> import refscore
            >>> labels = {"domain": ["news", "talks", "news"]}
            >>> texts = ["a cat", "a dog ran", "it rains"]
            >>> evaluation = refscore.evaluate(texts, ["the cat", "a dog ran", "it rained"], "wer", groups=labels)
            >>> {label: part.score().percent for label, part in evaluation.by("domain").items()}
            {'news': 50.0, 'talks': 0.0}
        """
        evaluation = self._evaluation
        check_instance("name", name, str, "pass labels to refscore.evaluate, as in groups={'domain': labels}")
        if name not in evaluation.groups:
            if not evaluation.groups:
                problem = f"the evaluation has no groups, so it cannot be split by {name!r}"
                raise InputError(None, problem, f"pass groups={{{name!r}: labels}} with one label per segment")
            raise UnknownNameError.suggest("grouping", name, evaluation.groups)
        labels = evaluation.groups[name]
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        group_of = np.array([numbers[label] for label in labels])
        return {label: evaluation.select(np.flatnonzero(group_of == number)) for label, number in numbers.items()}

    def compare(
        self,
        baseline: str | None = None,
        tests: Tests | None = None,
        *,
        by: str | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        **settings: object,
    ) -> SystemComparison:
        """Test whether systems differ from a baseline by each metric. This needs retained rows.

        Takes the same arguments as `refscore.comparison.compare_evaluation`.

        Example:
            >>> import refscore
            >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
            >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
            >>> refscore.evaluate(outputs, refs, "chrf").compare("old", test="bootstrap").verdict("chrf", "new")
            'better'
        """
        from refscore.comparison import compare_evaluation

        return compare_evaluation(
            self._evaluation, baseline, tests, by=by, threads=threads, progress=progress, **settings
        )

    def agreement(self, human: Scores) -> Judgments:
        """Return the agreement of the metrics with human scores, as judgments for `refscore.meta.rank_metrics`.

        Args:
            human: The human score of each segment, by system. None and NaN are missing scores.
        """
        from refscore.meta import judge_evaluation

        return judge_evaluation(self._evaluation, human)

    def errors(self, label: str | None = None, system: str | None = None, *, threads: int | None = None) -> WordErrors:
        """Return the errors of a system by word, for a metric with alignments such as WER. This needs the texts.

        Args:
            label: The label of the metric. Needed if there are several.
            system: The name of a system. Needed if there are several.
            threads: The number of threads, by default all cores.

        Example:
            >>> import refscore
            >>> evaluation = refscore.evaluate(["i scream", "a b"], ["ice cream", "a b c"], "wer")
            >>> [(error.reference, error.hypothesis) for error in evaluation.errors().substitutions]
            [('cream', 'scream'), ('ice', 'i')]
        """
        from refscore.alignments import word_errors

        evaluation = self._evaluation
        if evaluation.texts is None:
            problem = "errors by word need the texts, which this evaluation does not have"
            raise InputError(None, problem, "evaluate all texts in one call of refscore.evaluate")
        metric = evaluation.metrics[evaluation._label(label)]
        hypotheses = evaluation.texts.hypotheses[evaluation.only_run(system)]
        return word_errors(hypotheses, evaluation.texts.references, metric, threads=threads)

    def to_pandas(self, *, segments: bool = False) -> pd.DataFrame:
        """Return the scores as a pandas data frame: one row per system and metric.

        Args:
            segments: Return one row per system and segment instead, with the labels of groups and a column of segment
                scores per metric. This needs retained rows.

        Example:
            >>> import refscore
            >>> evaluation = refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "wer")
            >>> evaluation.to_pandas()[["system", "metric", "value"]].to_dict("list")
            {'system': ['old', 'new'], 'metric': ['wer', 'wer'], 'value': [0.5, 0.0]}
            >>> evaluation.to_pandas(segments=True).to_dict("list")
            {'system': ['old', 'new'], 'segment': [0, 0], 'wer': [0.5, 0.0]}
        """
        with requires("to_pandas", "pandas"):
            import pandas as pd
        evaluation = self._evaluation
        if not segments:
            return pd.DataFrame(
                {"system": name, "metric": label, "value": score.value, "signature": score.signature}
                for name in evaluation.systems
                for label, score in evaluation[name].items()
            )
        scores = {label: evaluation.segment_scores(label) for label in evaluation.metrics}
        frames = (
            pd.DataFrame(
                {
                    "system": name,
                    "segment": range(evaluation.segments),
                    **evaluation.groups,
                    **{label: by_system[name] for label, by_system in scores.items()},
                }
            )
            for name in evaluation.systems
        )
        return pd.concat(frames, ignore_index=True)

    def summary(
        self,
        tests: Tests | None = None,
        *,
        intervals: bool = False,
        by: str | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
        **settings: object,
    ) -> Summary:
        """Return the table of scores that `refscore score` prints: one row per system, one column per metric.

        Args:
            tests: The settings of the intervals.
            intervals: Add bootstrap confidence intervals. This needs retained rows.
            by: The name of a grouping. The table also has the scores of each group of segments.
            threads: The number of threads, by default all cores.
            progress: A function called with the name of the current step, the amount of work done and the total.
            **settings: Settings by name, which replace the ones in `tests`.

        Example:
            >>> import refscore
            >>> print(refscore.evaluate({"old": ["a cat"], "new": ["the cat"]}, ["the cat"], "chrf").summary())
            system    chrF2
            ------  -------
            old       31.25
            new     *100.00
            <BLANKLINE>
            chrf|nrefs:1|case:mixed|norm:none|chars:codepoints|nc:6|nw:0|beta:2.0|space:no|smooth:none|avg:micro|version:0.1.0
        """
        from refscore.evaluation.summary import summarize

        return summarize(
            self._evaluation, tests, intervals=intervals, by=by, threads=threads, progress=progress, **settings
        )

    def report(self, path: str | os.PathLike[str] | None = None, **options: Unpack[ReportOptions]) -> Report:
        """Return the report on the systems, and write it as an HTML page if there is a path.

        Args:
            path: The file to write.
            **options: The options of `refscore.report.describe_evaluation`.
        """
        from refscore.report import report_evaluation

        return report_evaluation(self._evaluation, path, **options)
