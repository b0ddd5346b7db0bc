"""The presets of BLEU: whose number, with which settings. One entry is all that a further one needs."""

from __future__ import annotations

from collections.abc import Mapping

from refscore.metrics.core.presets import Preset

PRESETS: Mapping[str, Preset] = {
    "sacrebleu": Preset({}, tool="sacrebleu", version="2.6.0", part="corpus_bleu and its command", scale=100),
    "sacrebleu-sentence": Preset(
        {"effective_order": True}, tool="sacrebleu", version="2.6.0", part="sentence_bleu", scale=100
    ),
    "nltk": Preset(
        {"tokenizer": "none", "smoothing": "nltk-0", "short_order": "pad"},
        tool="NLTK",
        version="3.10.4",
        part="corpus_bleu",
        scale=1,
        note="it takes tokens: text is split at white space here",
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
        note="it takes token ids: text is split at white space here",
    ),
    "mteval": Preset(
        {"lowercase": "ascii", "short_order": "perfect", "no_match": "smooth"}, tool="mteval-v13a.pl", scale=1
    ),
    "textbook": Preset(
        {"tokenizer": "none", "smoothing": "none"},
        tool="Papineni et al. 2002",
        scale=1,
        note="it takes tokens: text is split at white space here",
    ),
    "multi-bleu": Preset(
        {"tokenizer": "ascii-spaces", "smoothing": "none"},
        tool="Moses' multi-bleu.perl",
        scale=100,
        note="it takes text that is tokenized; its -lc is lowercase='ascii'",
    ),
    "evaluate": Preset(
        {"tokenizer": "13a-evaluate", "smoothing": "none", "reference_length": "shortest"},
        tool="Hugging Face's evaluate",
        part="bleu",
        scale=1,
        note="the same as the script of TensorFlow's NMT tutorial, which takes tokens",
    ),
    "evaluate-smooth": Preset(
        {
            "tokenizer": "13a-evaluate",
            "smoothing": "add-k-all",
            "reference_length": "shortest",
            "no_match": "smooth",
        },
        tool="Hugging Face's evaluate",
        part="bleu with smooth=True",
        scale=1,
        note="the same as the script of TensorFlow's NMT tutorial, which takes tokens",
    ),
    "torchmetrics": Preset(
        {"tokenizer": "none", "smoothing": "none", "reference_length": "closest-first"},
        tool="torchmetrics",
        version="1.9.0",
        part="BLEUScore",
        scale=1,
        note="it computes in single precision",
    ),
    "torchmetrics-smooth": Preset(
        {"tokenizer": "none", "smoothing": "add-k", "reference_length": "closest-first", "no_match": "zero-if-any"},
        tool="torchmetrics",
        version="1.9.0",
        part="BLEUScore with smooth=True",
        scale=1,
        note="it computes in single precision",
    ),
    "coco-caption": Preset(
        {"tokenizer": "none", "smoothing": "coco", "no_match": "smooth"},
        tool="pycocoevalcap",
        version="1.2",
        part="Bleu_4 of coco-caption",
        scale=1,
        note="it takes captions that its PTB tokenizer has split: text is split at white space here",
    ),
}
