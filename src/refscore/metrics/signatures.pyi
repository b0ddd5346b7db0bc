# The type of each metric's function, written by docs/stubs.py.

from typing import Literal, TypeAlias

from refscore.inputs import Hypotheses, References, Sources
from refscore.metrics.accuracy.metric import AccuracyScore
from refscore.metrics.bleu.metric import BLEUScore
from refscore.metrics.character_ter.metric import CharacTERScore
from refscore.metrics.chrf.metric import CHRFScore
from refscore.metrics.cider.metric import CIDERScore, DocumentFrequencies
from refscore.metrics.crystalbleu.metric import CrystalBLEUScore, FrequentNgrams
from refscore.metrics.edit_similarity.metric import EditSimilarityScore
from refscore.metrics.eed.metric import EEDScore
from refscore.metrics.error_rate.cer import CERScore
from refscore.metrics.error_rate.glm import GLM
from refscore.metrics.error_rate.uwer import UWERScore
from refscore.metrics.error_rate.wer import WERScore
from refscore.metrics.error_rate.word_list import WordList
from refscore.metrics.exact_match.metric import ExactMatchScore
from refscore.metrics.gec_gleu.metric import GECGLEUScore
from refscore.metrics.gleu.metric import GLEUScore
from refscore.metrics.m2.metric import M2Score
from refscore.metrics.meteor.metric import METEORScore
from refscore.metrics.nist.metric import Information, NISTScore
from refscore.metrics.ribes.metric import RIBESScore
from refscore.metrics.rouge.metric import ROUGEScore
from refscore.metrics.sari.metric import SARIScore
from refscore.metrics.suber.metric import SubERScore
from refscore.metrics.ter.metric import TERScore
from refscore.metrics.token_f1.metric import TokenF1Score
from refscore.normalizers.base import AnyNormalizer
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase

_AccuracyPreset: TypeAlias = Literal[
    "vqa",
    "textvqa",
    "chartqa",
    "mmstar",
    "containment",
]
_BLEUPreset: TypeAlias = Literal[
    "sacrebleu",
    "sacrebleu-sentence",
    "nltk",
    "r",
    "mteval",
    "textbook",
    "multi-bleu",
    "evaluate",
    "evaluate-smooth",
    "torchmetrics",
    "torchmetrics-smooth",
    "coco-caption",
]
_CERPreset: TypeAlias = Literal["jiwer"]
_CharacTERPreset: TypeAlias = Literal["cer"]
_CHRFPreset: TypeAlias = Literal[
    "sacrebleu",
    "chrf++",
    "nltk",
]
_CIDERPreset: TypeAlias = Literal[
    "coco-caption",
    "textbook",
]
_CrystalBLEUPreset: TypeAlias = Literal["original"]
_EditSimilarityPreset: TypeAlias = Literal[
    "anls",
    "anls-star",
    "omnidocbench",
    "omnidocbench-sample",
]
_EEDPreset: TypeAlias = Literal[
    "torchmetrics",
    "torchmetrics-ja",
]
_ExactMatchPreset: TypeAlias = Literal[
    "squad",
    "squad_v2",
    "mlqa-zh",
    "evaluate",
]
_GECGLEUPreset: TypeAlias = Literal[
    "official",
    "official-sentence",
    "gec-metrics",
    "gec-metrics-official",
]
_GLEUPreset: TypeAlias = Literal[
    "evaluate",
    "nltk",
]
_M2Preset: TypeAlias = Literal["m2scorer"]
_METEORPreset: TypeAlias = Literal["nltk"]
_NISTPreset: TypeAlias = Literal["nltk"]
_RIBESPreset: TypeAlias = Literal[
    "official",
    "nltk",
    "nltk-3.9",
]
_ROUGEPreset: TypeAlias = Literal[
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rouge-1.5.5",
]
_SARIPreset: TypeAlias = Literal[
    "easse",
    "easse-paper",
    "evaluate",
    "tensor2tensor",
    "xu",
]
_SubERPreset: TypeAlias = Literal[
    "suber",
    "suber-cased",
]
_TERPreset: TypeAlias = Literal["sacrebleu"]
_TokenF1Preset: TypeAlias = Literal[
    "squad",
    "squad_v2",
    "torchmetrics",
    "mlqa-zh",
]
_UWERPreset: TypeAlias = Literal["ocrevaluation"]
_WERPreset: TypeAlias = Literal[
    "jiwer",
    "sclite",
    "kaldialign",
    "open-asr",
    "open-asr-2025-09",
    "open-asr-multilingual",
    "open-asr-multilingual-2026-03",
]

def accuracy(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _AccuracyPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    match: Literal["equal", "contains", "number", "letter"] = ...,
    processing: Literal["text", "vqa", "textvqa"] = ...,
    tolerance: float = ...,
    annotators: Literal["any", "vote"] = ...,
) -> AccuracyScore: ...
def bleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _BLEUPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    weights: tuple[float, ...] | None = ...,
    smoothing: str = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    reference_length: Literal["closest", "closest-first", "shortest", "average"] = ...,
    short_order: Literal["zero", "pad", "perfect"] = ...,
    no_match: Literal["zero", "zero-if-any", "smooth"] = ...,
) -> BLEUScore: ...
def cer(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _CERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
) -> CERScore: ...
def character_ter(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _CharacTERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
) -> CharacTERScore: ...
def chrf(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _CHRFPreset | None = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    characters: Literal["codepoints", "graphemes"] = ...,
    char_order: int = ...,
    word_order: int = ...,
    beta: float = ...,
    whitespace: bool = ...,
    smoothing: Literal["none", "epsilon", "nltk"] = ...,
    average: Literal["micro", "macro"] = ...,
) -> CHRFScore: ...
def cider(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _CIDERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    clip: bool = ...,
    sigma: float | None = ...,
    document_frequencies: DocumentFrequencies | None = ...,
) -> CIDERScore: ...
def crystalbleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _CrystalBLEUPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    weights: tuple[float, ...] | None = ...,
    smoothing: str = ...,
    smoothing_value: float | None = ...,
    effective_order: bool = ...,
    reference_length: Literal["closest", "closest-first", "shortest", "average"] = ...,
    short_order: Literal["zero", "pad", "perfect"] = ...,
    no_match: Literal["zero", "zero-if-any", "smooth"] = ...,
    k: int = ...,
    ignored: FrequentNgrams | None = ...,
) -> CrystalBLEUScore: ...
def edit_similarity(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _EditSimilarityPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    threshold: float = ...,
    at_threshold: Literal["zero", "count"] = ...,
    average: Literal["segments", "characters"] = ...,
    both_empty: Literal["one", "skip"] = ...,
) -> EditSimilarityScore: ...
def eed(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _EEDPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    alpha: float = ...,
    rho: float = ...,
    deletion: float = ...,
    insertion: float = ...,
) -> EEDScore: ...
def exact_match(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _ExactMatchPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    ignore_punctuation: bool = ...,
    ignore_numbers: bool = ...,
    ignore_patterns: tuple[str, ...] = ...,
    empty_reference: Literal["count", "skip"] = ...,
) -> ExactMatchScore: ...
def gec_gleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    sources: Sources,
    threads: int | None = ...,
    preset: _GECGLEUPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    penalty: Literal["absent", "excess"] = ...,
    short_order: Literal["zero", "perfect"] = ...,
    smoothing: Literal["none", "one"] = ...,
) -> GECGLEUScore: ...
def gleu(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _GLEUPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    min_order: int = ...,
    max_order: int = ...,
) -> GLEUScore: ...
def m2(
    hypotheses: Hypotheses,
    references: References,
    *,
    sources: Sources,
    threads: int | None = ...,
    preset: _M2Preset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_unchanged: int = ...,
    beta: float = ...,
) -> M2Score: ...
def meteor(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _METEORPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    alpha: float = ...,
    beta: float = ...,
    gamma: float = ...,
    synonyms: Literal["wordnet"] | None = ...,
) -> METEORScore: ...
def nist(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _NISTPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    information: Information | None = ...,
) -> NISTScore: ...
def ribes(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _RIBESPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    alpha: float = ...,
    beta: float = ...,
    first_context: Literal["left", "right"] = ...,
    context_limit: Literal["none", "nltk"] = ...,
    correlation: Literal["tau", "tau-nltk", "tau-runs", "rho"] = ...,
    single_word: Literal["reference", "zero"] = ...,
    empty_reference: Literal["error", "skip", "zero"] = ...,
) -> RIBESScore: ...
def rouge(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _ROUGEPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    variant: str = ...,
    beta: float = ...,
    combine: Literal["best", "recall", "pool"] = ...,
    stem: bool = ...,
) -> ROUGEScore: ...
def sari(
    hypotheses: Hypotheses,
    references: References,
    *,
    sources: Sources,
    threads: int | None = ...,
    preset: _SARIPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    max_order: int = ...,
    counting: Literal["counts", "ratios", "sets"] = ...,
    keep_recall: Literal["counts", "ratios"] = ...,
    undefined: Literal["zero", "one"] = ...,
    deletion: Literal["f1", "precision"] = ...,
    order_average: Literal["scores", "precisions"] = ...,
    average: Literal["corpus", "segments"] = ...,
    empty_text: Literal["nothing", "token"] = ...,
) -> SARIScore: ...
def suber(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _SubERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
) -> SubERScore: ...
def ter(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _TERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    references_twice: bool = ...,
) -> TERScore: ...
def token_f1(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _TokenF1Preset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    both_empty: Literal["zero", "one"] = ...,
    empty_reference: Literal["count", "skip"] = ...,
) -> TokenF1Score: ...
def uwer(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _UWERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
) -> UWERScore: ...
def wer(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = ...,
    preset: _WERPreset | None = ...,
    tokenizer: AnyTokenizer = ...,
    lowercase: Lowercase = ...,
    normalize: AnyNormalizer = ...,
    alternatives: Literal["none", "nist"] = ...,
    glm: GLM | None = ...,
    words: WordList | None = ...,
    counted: Literal["listed", "others"] = ...,
    costs: Literal["equal", "sclite"] = ...,
    compounds: Literal["none", "merge", "regions", "regions-merge"] = ...,
    empty_reference: Literal["count", "skip"] = ...,
    form: Literal["words", "punctuation", "case"] = ...,
    marks: str = ...,
) -> WERScore: ...
