from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from refscore import _native
from refscore.errors import InputError
from refscore.inputs import Segment
from refscore.metrics.core.alignments import numbered_pair
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric, formula_setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class EEDStep(NamedTuple):
    """One step on the cheapest path from the hypothesis to the reference.

    Args:
        kind: "match", "substitution", "deletion" (only the hypothesis has the character), "insertion" (only the
            reference has it) or "jump" (to a different position in the hypothesis).
        character: The hypothesis character, or None for an insertion or a jump.
        reference_character: The reference character, or None for a deletion or a jump.
        position: The hypothesis characters before the new position.

    Example:
        >>> import refscore
        >>> for step in refscore.EED().path("a cat", "a car").steps[-3:]:
        ...     print(*step)
        match a a 5
        substitution t r 6
        match     7
    """

    kind: Literal["match", "substitution", "deletion", "insertion", "jump"]
    character: Hashable
    reference_character: Hashable
    position: int


class EEDPath(NamedTuple):
    """The cheapest path from a hypothesis to a reference, and the positions that the coverage counts.

    Args:
        steps: The steps.
        visits: For each reference character, the position in the hypothesis with the lowest cost up to it.

    Example:
        >>> import refscore
        >>> refscore.EED().path("b", "ab").visits
        (1, 1, 2, 3)
    """

    steps: tuple[EEDStep, ...]
    visits: tuple[int, ...]


class EEDScore(MeanScore):
    """An EED score: mean scores, distances, coverages and reference lengths over segments.

    Example:
        >>> import refscore
        >>> score = refscore.eed(["this is the prediction"], ["this is the reference"])
        >>> print(score)
        EED = 38.35 (distance = 6.60 coverage = 3.60 reference length = 23.00 segments = 1)
        >>> score.signature
        'eed|nrefs:1|case:mixed|norm:none|tok:eed-en|alpha:2.0|rho:0.3|del:0.2|ins:1.0|version:0.1.0'
    """

    __slots__ = ()

    metric: EED

    distance = RowMean(1, "The mean cost of the cheapest path.")
    coverage = RowMean(2, "The mean penalty for characters that are visited several times or never.")
    ref_len = RowMean(3, "The mean number of characters of the reference that counts, after the text rules.")
    parts = ("distance", "coverage", "ref_len", "segments")
    parts_text = (
        "distance = {0.distance:.2f} coverage = {0.coverage:.2f} reference length = {0.ref_len:.2f} segments = "
        "{0.segments}"
    )


@dataclass(frozen=True, kw_only=True)
class EED(TextMetric[EEDScore]):
    """EED: the extended edit distance of characters, with jumps between words and a penalty for coverage.

    It is computed as in torchmetrics. Its paths can jump: after a space of the reference, the path may continue at
    any position of the hypothesis. The cost of the cheapest path plus a coverage penalty is divided by the reference
    length plus the same penalty, and is at most 1. With several references, the lowest score counts. A corpus score is
    the mean of the segment scores. An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.EED()
        >>> round(metric.segment("this is the prediction", "this is the reference").value, 4)
        0.3835
        >>> metric.segments(["a cat", "a dog"], ["a cat", ["the dog", "dogs"]]).round(4)
        array([0.0411, 0.3611])
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "eed-en",
        "eed-en",
        "eed-ja",
        "char-spaces",
        note='"eed-en" has the rules for English of torchmetrics; "eed-ja" with normalize="NFKC" those for Japanese.',
    )
    alpha: float = formula_setting(2.0, "The cost of a jump.", "a jump costs {alpha}", "alpha")
    rho: float = formula_setting(
        0.3,
        "The weight of the coverage, which counts positions that are visited several times or never.",
        "the coverage has the weight {rho}",
        "rho",
    )
    deletion: float = formula_setting(
        0.2,
        "The cost of a character that only the hypothesis has.",
        "a character that only the hypothesis has costs {deletion}",
        "del",
        title="deletion",
    )
    insertion: float = formula_setting(
        1.0,
        "The cost of a character that only the reference has. A substitution always costs 1.",
        "a character that only the reference has costs {insertion}",
        "ins",
        title="insertion",
    )

    name = "eed"
    kernel_type = _native.Eed
    columns = ("score", "distance", "coverage", "ref_len", "segments")
    row_type = FLOATS
    papers = ("Stanchev, Wang, Ney (2019): EED: Extended Edit Distance Measure for Machine Translation. WMT.",)
    higher_is_better = False
    presets: ClassVar[Mapping[str, Preset]] = {
        "torchmetrics": Preset({}, tool="torchmetrics", version="1.9.0", part="extended_edit_distance", scale=1),
        "torchmetrics-ja": Preset(
            {"tokenizer": "eed-ja", "normalize": "NFKC"},
            tool="torchmetrics",
            version="1.9.0",
            part='extended_edit_distance(language="ja")',
            scale=1,
        ),
    }

    def path(self, hypothesis: Segment, reference: Segment) -> EEDPath:
        """Return the cheapest path from the hypothesis to a reference.

        Both are texts or token sequences.

        Raises:
            InputError: If the texts are too long: the path's table would have more than 67,108,864 cells.

        Example:
            >>> import refscore
            >>> steps = refscore.EED().path("today it rained", "it rained today").steps
            >>> [step.position for step in steps if step.kind == "jump"]
            [6, 1, 17]
        """
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        if (len(pair.words) + 1) * len(pair.targets) > _native.EED_LARGEST_PATH:
            raise InputError(
                None,
                f"the table of the path has {len(pair.words) + 1} by {len(pair.targets)} cells, which is too large",
                "use shorter texts, or segment() for the score only",
            )
        space = next(
            (number for word, number in zip(pair.targets, pair.target_numbers, strict=True) if word == " "),
            pair.vocabulary,
        )
        found, visits = self.kernel.path(pair.numbers, pair.target_numbers, pair.vocabulary, space)
        steps = []
        targets = iter(pair.targets)
        for step, position in found:
            kind = step
            steps.append(
                EEDStep(
                    kind,
                    pair.words[position - 1] if kind in ("match", "substitution", "deletion") else None,
                    next(targets) if kind in ("match", "substitution", "insertion") else None,
                    position,
                )
            )
        return EEDPath(tuple(steps), tuple(visits))


eed = corpus_function(EED)
