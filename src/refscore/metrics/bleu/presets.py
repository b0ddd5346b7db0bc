"""The presets of BLEU. To add a preset, add an entry."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from refscore.metrics.core.presets import NLTK, SACREBLEU, TAKES_TOKENS, Preset

_EVALUATE = partial(
    Preset,
    tool="Hugging Face's evaluate",
    scale=1,
    note="the same as the script of TensorFlow's NMT tutorial, which takes tokens",
)
_TORCHMETRICS = partial(Preset, tool="torchmetrics", version="1.9.0", scale=1, note="it computes in single precision")

PRESETS: Mapping[str, Preset] = {
    "sacrebleu": SACREBLEU({}, part="corpus_bleu and its command"),
    "sacrebleu-sentence": SACREBLEU({"effective_order": True}, part="sentence_bleu"),
    "nltk": NLTK(
        {"tokenizer": "none", "smoothing": "nltk-0", "short_order": "pad"}, part="corpus_bleu", note=TAKES_TOKENS
    ),
    "r": Preset(
        {
            "tokenizer": "none",
            "smoothing": "none",
            "reference_length": "closest-first",
            "short_order": "pad",
            "no_match": "smooth",
        },
        tool="sacRebleu for R",
        version="0.2.0",
        scale=1,
        note="it takes token ids, so refscore splits text at whitespace",
    ),
    "mteval": Preset(
        {"lowercase": "ascii", "short_order": "perfect", "no_match": "smooth"}, tool="mteval-v13a.pl", scale=1
    ),
    "textbook": Preset(
        {"tokenizer": "none", "smoothing": "none"}, tool="Papineni et al. 2002", scale=1, note=TAKES_TOKENS
    ),
    "multi-bleu": Preset(
        {"tokenizer": "ascii-spaces", "smoothing": "none"},
        tool="Moses' multi-bleu.perl",
        scale=100,
        note="it takes tokenized text, and its option -lc is lowercase='ascii'",
    ),
    "evaluate": _EVALUATE(
        {"tokenizer": "13a-evaluate", "smoothing": "none", "reference_length": "shortest"}, part="bleu"
    ),
    "evaluate-smooth": _EVALUATE(
        {
            "tokenizer": "13a-evaluate",
            "smoothing": "add-k-all",
            "reference_length": "shortest",
            "no_match": "smooth",
        },
        part="bleu with smooth=True",
    ),
    "torchmetrics": _TORCHMETRICS(
        {"tokenizer": "none", "smoothing": "none", "reference_length": "closest-first"}, part="BLEUScore"
    ),
    "torchmetrics-smooth": _TORCHMETRICS(
        {"tokenizer": "none", "smoothing": "add-k", "reference_length": "closest-first", "no_match": "zero-if-any"},
        part="BLEUScore with smooth=True",
    ),
    "coco-caption": Preset(
        {"tokenizer": "none", "smoothing": "coco", "no_match": "smooth"},
        tool="pycocoevalcap",
        version="1.2",
        part="Bleu_4 of coco-caption",
        scale=1,
        note="it takes captions split by its PTB tokenizer, so refscore splits text at whitespace",
    ),
}
