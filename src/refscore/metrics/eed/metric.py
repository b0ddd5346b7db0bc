"""EED: the metric and its settings."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from refscore import _native
from refscore.errors import InputError
from refscore.inputs import Hypotheses, References, Segment
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric, tokenizer_setting
from refscore.metrics.core.word_pairs import numbered_pair
from refscore.settings import Number, setting
from refscore.tokenizers.base import AnyTokenizer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class EEDSettings(TextSettings, total=False):
        """The settings of `EED`, and `preset` to start from."""

        alpha: float
        rho: float
        deletion: float
        insertion: float


class EEDStep(NamedTuple):
    """One step of the cheapest path from the hypothesis to the reference.

    Args:
        kind: "match", "substitution", "deletion" (only the hypothesis has the character), "insertion" (only the
            reference has it) or "jump" (to a different position in the hypothesis).
        character: The character of the hypothesis; None for an insertion or a jump.
        reference_character: The character of the reference; None for a deletion or a jump.
        position: The number of hypothesis characters before the position after this step.

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
        steps: The steps of the path.
        visits: For each reference character, the position in the hypothesis with the lowest cost up to it.

    Example:
        >>> import refscore
        >>> refscore.EED().path("b", "ab").visits
        (1, 1, 2, 3)
    """

    steps: tuple[EEDStep, ...]
    visits: tuple[int, ...]


class EEDScore(MeanScore):
    """An EED score: the means of the segments' scores, distances, coverages and reference lengths.

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

    def __str__(self) -> str:
        return (
            f"EED = {round(self.percent, 10):.2f} (distance = {self.distance:.2f} coverage = {self.coverage:.2f} "
            f"reference length = {self.ref_len:.2f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class EED(TextMetric[EEDScore]):
    """EED, the extended edit distance, as torchmetrics computes it. 0..1, lower is better.

    EED is an edit distance of characters that can also jump: after a space of the reference, the path may continue at
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
    alpha: float = setting(
        2.0,
        "The cost of a jump.",
        Number(0),
        key="alpha",
        title="alpha",
        stage="formula",
        otherwise="a jump costs {alpha}",
    )
    rho: float = setting(
        0.3,
        "The weight of the coverage, which counts positions that are visited several times or never.",
        Number(0),
        key="rho",
        title="rho",
        stage="formula",
        otherwise="the coverage has the weight {rho}",
    )
    deletion: float = setting(
        0.2,
        "The cost of a character that only the hypothesis has.",
        Number(0),
        key="del",
        title="deletion",
        stage="formula",
        otherwise="a character that only the hypothesis has costs {deletion}",
    )
    insertion: float = setting(
        1.0,
        "The cost of a character that only the reference has. A substitution always costs 1.",
        Number(0),
        key="ins",
        title="insertion",
        stage="formula",
        otherwise="a character that only the reference has costs {insertion}",
    )

    name: ClassVar[str] = "eed"
    columns = ("score", "distance", "coverage", "ref_len", "segments")
    row_type = FLOATS
    summary: ClassVar[str] = (
        "EED: the extended edit distance of characters, with jumps between words and a penalty for characters that are "
        "used several times or never."
    )
    scale: ClassVar[str] = "0..1, lower is better"
    papers: ClassVar[tuple[str, ...]] = (
        "Stanchev, Wang, Ney (2019): EED: Extended Edit Distance Measure for Machine Translation. WMT.",
    )
    score_type: ClassVar[type[EEDScore]] = EEDScore
    higher_is_better: ClassVar[bool] = False
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

    def _make_kernel(self) -> _native.Eed:
        return _native.Eed(
            rules=self.pipeline.native,
            alpha=self.alpha,
            rho=self.rho,
            deletion=self.deletion,
            insertion=self.insertion,
        )

    def path(self, hypothesis: Segment, reference: Segment) -> EEDPath:
        """Return the cheapest path from the hypothesis to a reference.

        Args:
            hypothesis: A text or a token sequence.
            reference: A text or a token sequence, like the hypothesis.

        Raises:
            InputError: If the texts are too long: the table of the path would have more than 67,108,864 cells.

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
        kernel = self.kernel
        assert isinstance(kernel, _native.Eed)
        space = next(
            (number for word, number in zip(pair.targets, pair.target_numbers, strict=True) if word == " "),
            pair.vocabulary,
        )
        found, visits = kernel.path(pair.numbers, pair.target_numbers, pair.vocabulary, space)
        steps = []
        targets = iter(pair.targets)
        for step, position in found:
            kind = step.name
            steps.append(
                EEDStep(
                    kind,  # type: ignore[arg-type]
                    pair.words[position - 1] if kind in ("match", "substitution", "deletion") else None,
                    next(targets) if kind in ("match", "substitution", "insertion") else None,
                    position,
                )
            )
        return EEDPath(tuple(steps), tuple(visits))


def eed(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[EEDSettings]
) -> EEDScore:
    """Return the EED of a corpus, the mean of its segments' scores, as in torchmetrics. 0..1, lower is better.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `EED`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> hypotheses = ["this is the prediction", "here is an other sample"]
        >>> references = ["this is the reference", "here is another one"]
        >>> round(refscore.eed(hypotheses, references).value, 4)
        0.3078
    """
    return EED.with_settings(settings).corpus(hypotheses, references, threads=threads)
