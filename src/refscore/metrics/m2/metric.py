from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from refscore import _native
from refscore.inputs import Hypotheses, MixedTokens, References, Segment, Sources
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import TAKES_TOKENS, Preset
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric, formula_setting
from refscore.settings import WholeNumber, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class M2Score(Score):
    """An M² score with its precision, its recall and the numbers of edits.

    Example:
        >>> import refscore
        >>> gold = ["A 1 2|||Verb|||goes|||REQUIRED|||-NONE-|||0 A 3 4|||Art||||||REQUIRED|||-NONE-|||0"]
        >>> score = refscore.m2(["he goes to a school"], gold, sources=["he go to a school"])
        >>> print(score)
        M2 = 83.33 (P = 1.000 R = 0.500 correct = 1 proposed = 1 gold = 2)
        >>> score.signature
        'm2|nrefs:1|case:mixed|norm:none|tok:none|unchanged:2|beta:0.5|version:0.1.0'
    """

    __slots__ = ()

    metric: M2

    @property
    def value(self) -> float:
        """The F-score, from 0 to 1. It is 1 if there are no edits at all."""
        return _f_score(self.metric.beta, *self.row.tolist())

    @property
    def precision(self) -> float:
        """The share of the hypotheses' edits that are correct, or 1 if there are none."""
        return float(self.correct / self.proposed) if self.proposed else 1.0

    @property
    def recall(self) -> float:
        """The share of the annotators' edits that the hypotheses have, or 1 if there are none."""
        return float(self.correct / self.gold) if self.gold else 1.0

    correct = RowCount(0, "The number of edits that an annotator has too.")
    proposed = RowCount(1, "The number of edits of the hypotheses.")
    gold = RowCount(2, "The number of edits of the annotators.")
    parts = ("precision", "recall", "correct", "proposed", "gold")
    parts_text = (
        "P = {0.precision:.3f} R = {0.recall:.3f} correct = {0.correct} proposed = {0.proposed} gold = {0.gold}"
    )


def _f_score(beta: float, correct: float, proposed: float, gold: float) -> float:
    precision, recall = correct / proposed if proposed else 1.0, correct / gold if gold else 1.0
    total = beta**2 * precision + recall
    return float((1 + beta**2) * precision * recall / total) if total else 0.0


@dataclass(frozen=True, kw_only=True)
class M2(TextMetric[M2Score]):
    """M2, the MaxMatch score of grammatical error correction: F0.5 of edits, compared with those of annotators.

    A reference has the edits of one annotator, as lines of M² files. Of all ways to turn the source into the
    hypothesis, the one with the most edits of the annotator counts. With several annotators, the best F-score of the
    segment counts. A reference can also be a corrected text, whose edits are then the differences from the source.

    Example:
        >>> import refscore
        >>> metric = refscore.M2()
        >>> source, gold = "he go to a school", "A 1 2|||Verb|||goes|||REQUIRED|||-NONE-|||0"
        >>> metric.segment("he goes to a school", gold, source=source).value
        1.0
        >>> round(metric.segment("he goes to school", gold, source=source).value, 4)
        0.5556
        >>> metric.segment("he goes to school", "he goes to school", source=source).value
        1.0
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "none", "none", note='M² files need "none", because other tokenizers split their edits.'
    )
    max_unchanged: int = setting(
        2,
        "The most unchanged words within an edit.",
        WholeNumber(0, 255),
        key="unchanged",
        title="unchanged words",
        otherwise="an edit has at most {max_unchanged} unchanged words",
        alternatives=(0, 2),
    )
    beta: float = formula_setting(
        0.5, "The weight of recall.", "recall weighs {beta} times as much as precision", "beta"
    )

    name = "m2"
    kernel_type = _native.MaxMatch
    needs_sources = True
    display_name = "M2"
    columns = ("correct", "proposed", "gold")
    papers = ("Dahlmeier, Ng (2012): Better Evaluation for Grammatical Error Correction. NAACL.",)
    presets: ClassVar[Mapping[str, Preset]] = {
        "m2scorer": Preset({}, tool="m2scorer", version="3.2", scale=1, note=TAKES_TOKENS)
    }

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: numbering would lose their text."""
        return "refuse"

    def edits(self, hypothesis: Segment, reference: Segment, *, source: Segment) -> list[tuple[int, int, str, bool]]:
        """Return the hypothesis's edits that agree best with one annotator.

        Args:
            hypothesis: A text or a token sequence.
            reference: The edits of one annotator, or a corrected text.
            source: The text or token sequence that the hypothesis was made from.

        Returns:
            For each edit, the begin and end of the source's words that it replaces, the replacement, and whether the
            annotator has it.

        Example:
            >>> import refscore
            >>> gold = "A 1 2|||Verb|||goes|||REQUIRED|||-NONE-|||0"
            >>> refscore.M2().edits("he goes to the school", gold, source="he go to a school")
            [(1, 2, 'goes', True), (2, 5, 'to the school', False)]
        """
        given = (source, False), (hypothesis, False), (reference, True)
        texts = [
            " ".join(map(str, self.pipeline.words(item, is_reference=is_reference))).encode("utf-8", "surrogatepass")
            for item, is_reference in given
        ]
        found = self.kernel.edits(*texts)
        return [(begin, end, text.decode("utf-8", "surrogatepass"), correct) for begin, end, text, correct in found]

    def cumulative(self, hypotheses: Hypotheses, references: References, *, sources: Sources) -> M2Score:
        """Return the corpus score with m2scorer's choice of annotators, which depends on the segments before.

        m2scorer chooses the annotator of each segment that gives the best score of all segments so far. Its result can
        change if segments are reordered, and it cannot be computed from parts of a corpus.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids.
            references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
            sources: The text or token sequence that each hypothesis was made from.

        Example:
            >>> import refscore
            >>> sources, texts = ["a b c", "a b"], ["a x c", "a c"]
            >>> references = [["A 1 2|||T|||x|||R|||-|||0", "A 0 1|||T|||y|||R|||-|||1"], "A 1 2|||T|||d|||R|||-|||0"]
            >>> refscore.M2().cumulative(texts, references, sources=sources).value
            0.5
        """
        texts: Any = hypotheses
        entries: Any = references
        origins: Any = sources
        lists = [[entry] if isinstance(entry, str) else [*entry] for entry in entries]
        pairs = [(i, [reference]) for i, entry in enumerate(lists) for reference in entry]
        texts, origins = [*texts], [*origins]
        self.corpus(texts, lists, sources=origins)  # which reports what is wrong, with its location
        rows = self.stats(
            [texts[i] for i, _ in pairs], [entry for _, entry in pairs], sources=[origins[i] for i, _ in pairs]
        )
        total = np.zeros(len(self.columns), np.int64)
        at = 0
        for entry in lists:
            choices = total + rows[at : at + len(entry)]
            at += len(entry)
            total = max(choices, key=self._preference)
        return self.score(total)

    def _preference(self, row: Any) -> tuple[float, float, float]:
        correct, proposed, gold = map(float, row)
        weighted = self.beta**2 * gold + proposed
        return (1 + self.beta**2) * correct / weighted if weighted else 1.0, correct, -weighted


m2 = corpus_function(M2)
