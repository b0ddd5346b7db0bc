"""The presets of papers and tools."""

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore import overlap
from refscore.overlap import PRESETS
from tests.reference import overlap as oracle


def text(*numbers):
    return " ".join(f"w{number}" for number in numbers)


def test_gpt3_chooses_the_order_by_the_lengths():
    """Brown et al. (2020), appendix C: the 5th percentile of lengths, at least 8 and at most 13."""
    generator = random.Random(1)
    for _ in range(200):
        lengths = [generator.randint(0, 30) for _ in range(generator.randint(1, 60))]
        found = overlap.find([text(*range(length)) for length in lengths], ["a"], "gpt3")
        assert found.order == oracle.percentile_order(lengths, 8, 13)


def test_a_given_order_is_fixed():
    assert overlap.find([text(*range(9))], ["a"], "gpt3", order=12).order == 12
    assert overlap.find([text(*range(9))], ["a"], "gpt3", order=12, shortest_order=3).order == 9


def test_gpt3_ignores_case_and_punctuation():
    """The released 13-grams have words such as `i m` and `one s`, so punctuation separates words."""
    segments = ["I’m sure: it's one's own \"well-known\" problem, isn't it?"]
    corpus = ["… I m sure it s one s own WELL KNOWN problem isn t it …"]
    assert overlap.find(segments, corpus, "gpt3")[0].token_share == 1
    assert overlap.find(segments, corpus, "lm-eval")[0].matches == 0


def test_gpt3_filter_ignores_frequent_ngrams():
    segment = text(*range(13))
    for documents, contaminated in [(1, True), (10, True), (11, False), (300, False)]:
        # A document counts once, however often it has the n-gram.
        found = overlap.find([segment], [f"{segment} {segment}"] * documents, "gpt3-filter")
        assert found.contaminated.tolist() == [contaminated]


@pytest.mark.parametrize(("matching", "contaminated"), [(6, False), (7, True)])
def test_palm_needs_70_percent_of_the_8_grams(matching, contaminated):
    found = overlap.find([text(*range(17))], [text(*range(matching + 7))], "palm")
    assert (found[0].ngrams, found[0].matches, found[0].contaminated) == (10, matching, contaminated)


@pytest.mark.parametrize(("length", "covered"), [(10, 0), (11, 11), (12, 12), (16, 16)])
def test_llama2_counts_tokens_in_matches_longer_than_10(length, covered):
    found = overlap.find([text(*range(20))], [text(*range(length))], "llama2")
    assert found[0].covered == covered
    assert found[0].contaminated == (covered >= 16)


def test_llama3_has_no_threshold():
    found = overlap.find([text(*range(16))], [text(*range(8))], "llama3")
    assert (found[0].token_share, found[0].contaminated, found.summary["contaminated"]) == (0.5, None, None)
    with pytest.raises(refscore.SettingError, match="set one, such as threshold"):
        found.contaminated  # noqa: B018
    assert overlap.find([text(*range(16))], [text(*range(8))], "llama3", threshold=0.5)[0].contaminated


def test_presets_name_their_source():
    for name, preset in PRESETS.items():
        assert name == "plain" or (preset.reference and preset.published), name


def janitor():
    """Return the class Janitor of lm-evaluation-harness, without importing the rest of the package."""
    spec = importlib.util.find_spec("lm_eval")
    if spec is None:
        pytest.skip("needs lm_eval: pip install --no-deps lm_eval")
    file = Path(spec.submodule_search_locations[0], "decontamination", "janitor.py")
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("janitor", file))
    module.__spec__.loader.exec_module(module)
    return module


def test_lm_eval_is_the_original():
    module = janitor()
    own = module.Janitor()
    generator = random.Random(2)
    pieces = ["the", "Cat,", "don't", "--", "naïve", "“quoted”", "3.5", "x_y", "!", "ÄÖ", "\u3000", "\t", "a\0b", "I"]
    texts = [" ".join(generator.choices(pieces, k=generator.randint(0, 60))) for _ in range(300)]
    segments, corpus = texts[:150], [*texts[150:], *(text.upper() + " end" for text in texts[:20])]
    training = {ngram for text in corpus for ngram in module.word_ngrams(own.normalize_string(text), 13)}
    expected = []
    for segment in segments:
        ngrams = [*module.word_ngrams(own.normalize_string(segment), 13)]
        expected.append([len(ngrams), sum(ngram in training for ngram in ngrams)])
    found = overlap.find(segments, corpus, "lm-eval")
    assert found.counts[:, 1:3].tolist() == expected
    assert 0 < np.sum(found.contaminated) < len(segments)
