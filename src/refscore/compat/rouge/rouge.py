"""rouge's `rouge.rouge`: the scores of texts and files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from refscore.compat.rouge.rouge_score import rouge_l_summary_level, rouge_n
from refscore.metrics import check_limits, has_limits

__all__ = ["FilesRouge", "Rouge"]

Scores = dict[str, dict[str, Any]]


class Rouge:
    """Score texts by ROUGE-1 to ROUGE-5 and ROUGE-L. A full stop ends a sentence.

    Example:
        >>> from refscore.compat.rouge import Rouge
        >>> Rouge(metrics=["rouge-1"]).get_scores("the cat sat", "the cat sat down")
        [{'rouge-1': {'r': 0.75, 'p': 1.0, 'f': 0.8571428522448981}}]
    """

    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[dict[str, Callable[..., Any]]] = {
        **{f"rouge-{n}": partial(rouge_n, n=n) for n in range(1, 6)},
        "rouge-l": rouge_l_summary_level,
    }
    DEFAULT_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar[list[str]] = ["r", "p", "f"]

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,
        raw_results: bool = False,
        exclusive: bool = True,
    ) -> None:
        self.return_lengths = return_lengths
        self.raw_results = raw_results
        self.exclusive = exclusive
        self.metrics = self.DEFAULT_METRICS if metrics is None else _known("metric", metrics, self.AVAILABLE_METRICS)
        if raw_results:
            self.stats = ["hyp", "ref", "overlap"]
        else:
            self.stats = self.DEFAULT_STATS if stats is None else _known("stat", stats, self.AVAILABLE_STATS)

    def get_scores(
        self, hyps: str | Sequence[str], refs: str | Sequence[str], avg: bool = False, ignore_empty: bool = False
    ) -> list[Scores] | Scores:
        """Return the scores of each pair of texts, or their means with `avg`."""
        if isinstance(hyps, str):
            hyps, refs = [hyps], [refs]  # type: ignore[list-item]
        if ignore_empty:
            hyps, refs = zip(*((hyp, ref) for hyp, ref in zip(hyps, refs, strict=False) if hyp and ref), strict=True)
        assert isinstance(hyps, type(refs)), "hyps and refs must be of the same type"
        assert len(hyps) == len(refs), f"there are {len(hyps)} hyps, but {len(refs)} refs"
        if avg:
            return self._get_avg_scores(hyps, refs)
        return [self._scores(hyp, ref, self.raw_results) for hyp, ref in zip(hyps, refs, strict=True)]

    def _scores(self, hyp: str, ref: str, raw_results: bool) -> Scores:
        lines, targets = ([" ".join(text.split()) for text in self._sentences(side) if text] for side in (hyp, ref))
        if has_limits():
            check_limits([" ".join(lines).split()], [[" ".join(targets).split()]])
        scores: Scores = {}
        for name in self.metrics:
            score = self.AVAILABLE_METRICS[name](lines, targets, raw_results=raw_results, exclusive=self.exclusive)
            scores[name] = {stat: score[stat] for stat in self.stats}
        if self.return_lengths:
            scores["lengths"] = {"hyp": len(" ".join(lines).split()), "ref": len(" ".join(targets).split())}
        return scores

    def _get_avg_scores(self, hyps: Sequence[str], refs: Sequence[str]) -> Scores:
        sums: Scores = {name: dict.fromkeys(self.stats, 0) for name in self.metrics}
        if self.return_lengths:
            sums["lengths"] = {"hyp": 0, "ref": 0}
        for hyp, ref in zip(hyps, refs, strict=True):
            for name, scores in self._scores(hyp, ref, raw_results=False).items():
                for stat, value in scores.items():
                    sums[name][stat] += value
        return {name: {stat: value / len(hyps) for stat, value in scores.items()} for name, scores in sums.items()}

    def _sentences(self, text: str) -> list[str]:
        return text.split(".")


class FilesRouge:
    r"""Score files, with one text per line. Takes the arguments of `Rouge`.

    Example:
        >>> import pathlib, tempfile
        >>> from refscore.compat.rouge import FilesRouge
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     files = [pathlib.Path(folder, name) for name in ("hyp.txt", "ref.txt")]
        ...     _ = files[0].write_text("the cat\nit rains\n"), files[1].write_text("a cat\nit rained\n")
        ...     FilesRouge(metrics=["rouge-1"]).get_scores(*files, avg=True)["rouge-1"]["p"]
        0.5
    """

    _kind: ClassVar[type[Rouge]] = Rouge

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.rouge = self._kind(*args, **kwargs)

    def get_scores(
        self, hyp_path: str, ref_path: str, avg: bool = False, ignore_empty: bool = False
    ) -> list[Scores] | Scores:
        """Return the scores of each pair of lines, or their means with `avg`. The last line must end too."""
        hyps, refs = _lines(hyp_path), _lines(ref_path)
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)


def _lines(path: str) -> list[str]:
    with Path(path).open(encoding="utf-8") as file:
        return [line[:-1] for line in file]  # like rouge, also without a line break at the end


def _known(kind: str, names: Sequence[str], known: Any) -> list[str]:
    lowered = [name.lower() for name in names]
    for name in lowered:
        if name not in known:
            raise ValueError(f"Unknown {kind} {name!r} (there are: {', '.join(known)})")
    return lowered
