"""CIDEr-D of captions, and the drop-in for pycocoevalcap."""

from __future__ import annotations

import random
from itertools import accumulate
from typing import Any

import refscore
from bench import peers
from bench.contestants import ours, peer
from bench.data import Corpus
from bench.timing import Task
from refscore.compat.pycocoevalcap.bleu.bleu import Bleu
from refscore.compat.pycocoevalcap.cider.cider import Cider
from refscore.compat.pycocoevalcap.rouge.rouge import Rouge

_CAPTIONS = 5000
_REFERENCES = 5
_WORDS = [f"w{i}" for i in range(8000)]
_RANKS = [*accumulate(1 / (rank + 3) for rank in range(len(_WORDS)))]  # Zipf's law


def _captions(seed: int) -> tuple[list[str], list[list[str]]]:
    """Draw captions of 8 to 14 words, which share about half of their words with the references of their image."""
    generator = random.Random(seed)

    def caption(words: list[str]) -> str:
        size = generator.randint(8, 14)
        drawn = generator.choices(_WORDS, cum_weights=_RANKS, k=size)
        return " ".join(
            words[i] if i < len(words) and generator.random() < 0.6 else word for i, word in enumerate(drawn)
        )

    images = [generator.choices(_WORDS, cum_weights=_RANKS, k=12) for _ in range(_CAPTIONS)]
    return [caption(words) for words in images], [[caption(words) for _ in range(_REFERENCES)] for words in images]


def cider(corpus: Corpus, seed: int) -> Task:
    """Time CIDEr-D of captions that are already tokenized, with and without fitting."""
    source = _captions(seed)

    def at_once(d: Any, threads: int | None) -> float:
        return refscore.cider(d[0], d[1], threads=threads, tokenizer="none").value

    fitted = refscore.CIDER.fit(source[1], tokenizer="none")
    contestants = [
        *ours("refscore, fitting included", source, at_once),
        *ours("refscore, fitted before", source, lambda d, threads: fitted.corpus(*d, threads=threads).value),
        peer("pycocoevalcap Cider", peers.coco_cider, lambda d: _score(peers.coco_cider.Cider(), d), source),
    ]
    return Task(
        "cider", f"CIDEr-D of {_CAPTIONS} captions, {_REFERENCES} references", "segments/s", contestants, _CAPTIONS
    )


def _score(scorer: Any, data: tuple[list[str], list[list[str]]], *options: Any) -> Any:
    captions = {image: [caption] for image, caption in enumerate(data[0])}
    return scorer.compute_score(dict(enumerate(data[1])), captions, *options)[0]


def _drop_in(name: str, module: Any, own: Any, theirs: str, seed: int, *options: Any) -> Task:
    source = _captions(seed)
    contestants = [
        peer("refscore's drop-in", refscore, lambda d: _score(own(), d, *options), source),
        peer(f"pycocoevalcap {theirs}", module, lambda d: _score(getattr(module, theirs)(), d, *options), source),
    ]
    return Task(
        name, f"{theirs} of {_CAPTIONS} captions, {_REFERENCES} references", "segments/s", contestants, _CAPTIONS
    )


def pycocoevalcap_cider(corpus: Corpus, seed: int) -> Task:
    """Time `Cider().compute_score`."""
    return _drop_in("pycocoevalcap-cider", peers.coco_cider, Cider, "Cider", seed)


def pycocoevalcap_bleu(corpus: Corpus, seed: int) -> Task:
    """Time `Bleu().compute_score`."""
    return _drop_in("pycocoevalcap-bleu", peers.coco_bleu, Bleu, "Bleu", seed, 0)


def pycocoevalcap_rouge(corpus: Corpus, seed: int) -> Task:
    """Time `Rouge().compute_score`."""
    return _drop_in("pycocoevalcap-rouge", peers.coco_rouge, Rouge, "Rouge", seed)


TASKS = (cider, pycocoevalcap_bleu, pycocoevalcap_cider, pycocoevalcap_rouge)
