from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from refscore import _native
from refscore.errors import SettingError
from refscore.inputs import MixedTokens
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowNumber
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import Number, choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class AccuracyScore(MeanScore):
    """The share of correct answers, with their number.

    Example:
        >>> import refscore
        >>> score = refscore.accuracy(["41", "12 %", "Asia"], ["40", "0.12", "asia"], preset="chartqa")
        >>> print(score)
        Accuracy = 100.00 (correct = 3.00 segments = 3)
        >>> score.signature
        'accuracy|nrefs:1|case:lc|norm:none|tok:text|match:number|process:text|tolerance:0.05|annotators:any|version:0.1.0'
    """

    __slots__ = ()

    metric: Accuracy

    correct = RowNumber(0, "The number of correct answers, or the sum of their shares of votes.")
    parts = ("correct", "segments")
    parts_text = "correct = {0.correct:.2f} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class Accuracy(TextMetric[AccuracyScore]):
    """Accuracy, the share of correct answers by the rules of a benchmark.

    The presets are the rules of VQA and TextVQA (votes of annotators), ChartQA (numbers within 5 %), MMStar (the letter
    of a choice) and containment. The default settings compare words. For numbers, letters and processed answers, tokens
    are joined by spaces.

    Example:
        >>> import refscore
        >>> annotators = ["2", "two", "2", "3", "2", "two", "a 2", "4", "2.", "2"]
        >>> round(refscore.Accuracy.preset("vqa").segment("Two", annotators).value, 4)
        1.0
        >>> round(refscore.Accuracy.preset("vqa").segment("3", annotators).value, 4)
        0.3
        >>> refscore.Accuracy.preset("containment").segment("It is in Paris.", ["Paris", "paris"]).value
        1.0
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "none",
        "none",
        "text",
        "char-all",
        "char-words",
        "squad",
        note='"text" keeps a text as one token. For `match="contains"`, "char-all" searches for characters instead '
        "of words.",
    )
    match: Literal["equal", "contains", "number", "letter"] = choice(
        "equal",
        "When an answer is correct.",
        {
            "equal": "an answer is correct if it is equal to a reference",
            "contains": "an answer is correct if it contains the tokens of a reference, next to each other",
            "number": "numbers are correct within the tolerance, and other answers if they are equal to a reference",
            "letter": 'an answer is correct if it begins with the letter of the reference, or with "(", "option " or '
            '"the answer is " and the letter',
        },
        key="match",
        title="correct answers",
    )
    processing: Literal["text", "vqa", "textvqa"] = choice(
        "text",
        "How to change answers before they are compared, for `match='equal'`.",
        {
            "text": "answers are compared as they are",
            "vqa": "answers are changed as in VQA, unless all references of a segment are equal",
            "textvqa": "answers are changed as in TextVQA",
        },
        key="process",
        title="processing of answers",
    )
    tolerance: float = setting(
        0.05,
        "The largest error of a number, relative to the reference, for `match='number'`.",
        Number(0),
        key="tolerance",
        title="tolerance",
        stage="formula",
        otherwise="numbers may differ by the factor {tolerance} of the reference",
    )
    annotators: Literal["any", "vote"] = choice(
        "any",
        "How several references count.",
        {
            "any": "one matching reference is enough",
            "vote": "an answer counts fully if three annotators gave it, averaged over leaving out each annotator",
        },
        key="annotators",
        title="annotators",
        stage="formula",
    )

    name = "accuracy"
    kernel_type = _native.Accuracy
    compares_answers = True
    display_name = "Accuracy"
    needs_words = False
    columns = ("correct", "segments")
    row_type = FLOATS
    papers = (
        "Antol, Agrawal, Lu, Mitchell, Batra, Zitnick, Parikh (2015): VQA: Visual Question Answering. ICCV.",
        "Masry, Long, Tan, Joty, Hoque (2022): ChartQA: A Benchmark for Question Answering about Charts with Visual "
        "and Logical Reasoning. Findings of ACL.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "vqa": Preset(
            {"tokenizer": "text", "processing": "vqa", "annotators": "vote"}, tool="VQA", part="vqaEval.py", scale=100
        ),
        "textvqa": Preset(
            {"tokenizer": "text", "processing": "textvqa", "annotators": "vote"},
            tool="lmms-eval",
            version="0.7.3",
            part="EvalAIAnswerProcessor",
            scale=1,
        ),
        "chartqa": Preset(
            {"tokenizer": "text", "match": "number", "lowercase": True},
            tool="pix2struct",
            part="relaxed_correctness",
            scale=1,
        ),
        "mmstar": Preset(
            {"tokenizer": "text", "match": "letter", "lowercase": True}, tool="MMStar", part="exact_match", scale=1
        ),
        "containment": Preset({"match": "contains", "tokenizer": "char-all"}, tool="Self-RAG", part="match", scale=1),
    }

    def _check(self) -> None:
        if self.processing != "text" and self.match != "equal":
            raise SettingError(f'processing="{self.processing}" needs match="equal"')

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: numbering would lose their text."""
        return "refuse"


accuracy = corpus_function(Accuracy)
