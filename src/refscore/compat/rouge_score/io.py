"""rouge-score's `rouge_score.io`: score files and write the results as CSV."""

from __future__ import annotations

import glob
import logging
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from refscore.compat.rouge_score.scoring import AggregateScore, BaseScorer, BootstrapAggregator, Score
from refscore.errors import InputError, Location
from refscore.writing import whole_file

__all__ = ["compute_scores_and_write_to_csv"]

_log = logging.getLogger(__name__)
_MEASURES = {"P": "precision", "R": "recall", "F": "fmeasure"}


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: BaseScorer,
    aggregator: BootstrapAggregator | None,
    delimiter: str = "\n",
) -> None:
    r"""Score the records of files and write the scores to a CSV file.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.compat.rouge_score import io, rouge_scorer
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> for name, text in [("a.targets", "a cat sat\n"), ("a.decodes", "a cat\n")]:
        ...     size = (folder / name).write_text(text)
        >>> patterns, scorer = (f"{folder}/*.targets", f"{folder}/*.decodes"), rouge_scorer.RougeScorer(["rouge1"])
        >>> io.compute_scores_and_write_to_csv(*patterns, f"{folder}/scores.csv", scorer, None)
        >>> print((folder / "scores.csv").read_text().strip())
        id,rouge1-P,rouge1-R,rouge1-F
        0,1.000000,0.666667,0.800000
    """
    targets, predictions = sorted(glob.glob(target_filepattern)), sorted(glob.glob(prediction_filepattern))
    if not targets or len(targets) != len(predictions):
        raise InputError(
            None,
            f"{len(targets)} files of targets ({target_filepattern}) but {len(predictions)} of predictions "
            f"({prediction_filepattern})",
            "the patterns must match the same number of files, at least one",
        )
    scores = [
        scorer.score(target, prediction)
        for pair in zip(targets, predictions, strict=True)
        for target, prediction in _records(*pair, delimiter)
    ]
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        lines = _lines_of_aggregates(aggregator.aggregate())
    elif scores:
        lines = _lines_of_scores(scores)
    else:
        _log.warning("No scores to write")
        return
    with whole_file(output_filename) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


def _records(target_file: str, prediction_file: str, delimiter: str) -> Iterator[tuple[str, str]]:
    for target, prediction in zip_longest(_split(target_file, delimiter), _split(prediction_file, delimiter)):
        if target is None or prediction is None:
            fix = "each target needs one prediction"
            raise InputError(None, f"{target_file} and {prediction_file} have different numbers of records", fix)
        yield target, prediction


def _split(name: str, delimiter: str) -> list[str]:
    try:
        with open(name, encoding="utf-8") as file:
            records = file.read().split(delimiter)
    except UnicodeDecodeError as error:
        reason = f"{error.reason} at byte {error.start}"
        raise InputError(Location(file=name), "is not UTF-8", reason) from None
    if records[-1] == "":
        return records[:-1]
    _log.warning("Expected delimiter at end of file")
    return records


def _lines_of_aggregates(aggregates: Mapping[str, AggregateScore]) -> Iterator[str]:
    yield "score_type,low,mid,high"
    for name, aggregate in sorted(aggregates.items()):
        for letter in "RPF":
            bounds = (f"{getattr(bound, _MEASURES[letter]):f}" for bound in aggregate)
            yield f"{name}-{letter},{','.join(bounds)}"


def _lines_of_scores(scores: list[dict[str, Score]]) -> Iterator[str]:
    names = sorted(scores[0])
    yield ",".join(["id", *(f"{name}-{letter}" for name in names for letter in _MEASURES)])
    for number, record in enumerate(scores):
        values = (f"{getattr(record[name], measure):f}" for name in names for measure in _MEASURES.values())
        yield f"{number},{','.join(values)}"
