"""Rewards of a batch, as a trainer requests them in each step."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

import refscore
from bench import data, peers
from bench.contestants import ours, peer, sacrebleu, scaled
from bench.data import Corpus
from bench.timing import Task
from refscore.rewards import Reward

_PROMPTS = 64
_COMPLETIONS = 16
_WORDS = 200
_PART = 128
_RATE = 0.3

_SENTENCE = refscore.BLEU.preset("sacrebleu-sentence")
_NMT = refscore.BLEU(smoothing="none", reference_length="shortest")


def _batch(corpus: Corpus, seed: int) -> tuple[list[str], list[str]]:
    """Return completions, grouped by prompt, and the reference of each."""
    words = cycle(word for text in corpus.hypotheses for word in text.split())
    generator = data.Generator(seed)
    completions, references = [], []
    for _ in range(_PROMPTS):
        reference = list(islice(words, _WORDS))
        completions += [" ".join(generator.vary(reference, _RATE)) for _ in range(_COMPLETIONS)]
        references += [" ".join(reference)] * _COMPLETIONS
    return completions, references


def rewards(corpus: Corpus, seed: int) -> Task:
    """Time BLEU of 16 completions of 200 words for each of 64 prompts."""
    completions, references = _batch(corpus, seed)
    wrapped = (completions, [[reference] for reference in references])
    part = (completions[:_PART], wrapped[1][:_PART])

    def run(batch: Any, threads: int | None) -> list[float | None]:
        return Reward(threads=threads)(prompts=None, completions=batch[0], reference=batch[1])

    contestants = [
        *ours("refscore", (completions, references), run),
        sacrebleu("sacrebleu sentence_bleu", peers.sacrebleu_sentences, wrapped, lambda: _SENTENCE.segments(*wrapped)),
        peer("the formula of evaluate's bleu", peers.sacrebleu, peers.nmt_bleu_sentences, wrapped,
             lambda: _NMT.segments(*wrapped), "evaluate's module cannot be had offline: 13a of sacrebleu, and the same "
             "formula in Python, once per completion, without what evaluate does around it"),
    ]  # fmt: skip
    if peers.evaluate is not None:
        loop = peer("evaluate, once per completion", peers.sacrebleu, peers.evaluate_bleu_sentences, part,
                    lambda: _NMT.segments(*part), "a module of the same formula in evaluate's own machinery; measured "
                    f"on {_PART} of the {len(completions)} completions and scaled")  # fmt: skip
        contestants.append(scaled(loop, len(completions) / _PART))
    title = f"BLEU as a reward, {_PROMPTS} prompts x {_COMPLETIONS} completions x {_WORDS} words"
    return Task("rewards", title, "completions/s", contestants, len(completions))


TASKS = (rewards,)
