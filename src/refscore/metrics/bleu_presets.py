"""The presets of BLEU: whose number, with which settings. One entry is all that a further one needs."""

from __future__ import annotations

from collections.abc import Mapping

from refscore.metrics.presets import Preset

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
            "require_match": False,
        },
        tool="sacRebleu for R",
        version="0.2.0",
        scale=1,
        note="it takes token ids: text is split at white space here",
    ),
    "mteval": Preset(
        {"lowercase": "ascii", "short_order": "perfect", "require_match": False}, tool="mteval-v13a.pl", scale=1
    ),
    "textbook": Preset(
        {"tokenizer": "none", "smoothing": "none"},
        tool="Papineni et al. 2002",
        scale=1,
        note="it takes tokens: text is split at white space here",
    ),
}
