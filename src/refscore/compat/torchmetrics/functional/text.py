"""The functions, in a module with the same name as in torchmetrics."""

from refscore.compat.torchmetrics.bleu import bleu_score, sacre_bleu_score
from refscore.compat.torchmetrics.chrf import chrf_score
from refscore.compat.torchmetrics.edit import edit_distance
from refscore.compat.torchmetrics.eed import extended_edit_distance
from refscore.compat.torchmetrics.error_rates import (
    char_error_rate,
    match_error_rate,
    word_error_rate,
    word_information_lost,
    word_information_preserved,
)
from refscore.compat.torchmetrics.rouge import rouge_score
from refscore.compat.torchmetrics.rows import ribes_score
from refscore.compat.torchmetrics.squad import squad
from refscore.compat.torchmetrics.ter import translation_edit_rate

__all__ = [
    "bleu_score",
    "char_error_rate",
    "chrf_score",
    "edit_distance",
    "extended_edit_distance",
    "match_error_rate",
    "ribes_score",
    "rouge_score",
    "sacre_bleu_score",
    "squad",
    "translation_edit_rate",
    "word_error_rate",
    "word_information_lost",
    "word_information_preserved",
]
