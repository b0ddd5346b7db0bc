"""METEOR with synonyms: compared with NLTK with a small handmade WordNet, and with the real one if it is installed."""

import pickle
import random
import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import nltk
import nltk.translate.meteor_score as original
import numpy as np
import pytest
from nltk.corpus.reader import WordNetCorpusReader
from nltk.corpus.util import LazyCorpusLoader

import refscore
from refscore.metrics.meteor import wordnet as synonyms
from tests import wordnets
from tests.corpora import joined
from tests.differential import compare
from tests.examples import examples
from tests.originals.meteor import ORIGINALS, nltk_scores
from tests.reference import close, meteor as oracle

WORDS = (  # noqa: SIM905 - as one text it can still be read
    "big large great fine good Good run runs running hurry hurri go goes leave leav dog dogs hound home house hous "
    "a b c d x"
).split()


@pytest.fixture(autouse=True)
def nothing_loaded():
    """Forget the reader of WordNet and its synonyms before and after a test."""
    reader = synonyms.reader
    for cached in (reader, synonyms.synonyms_of):
        cached.cache_clear()
    yield
    for cached in (reader, synonyms.synonyms_of):
        cached.cache_clear()


@pytest.fixture
def small(monkeypatch):
    """Replace the real WordNet by the small one."""
    monkeypatch.setattr(synonyms, "reader", lambda: wordnets.SMALL)
    return wordnets.SMALL


@pytest.fixture(scope="module")
def real_data(tmp_path_factory):
    """Make NLTK find the data of the real WordNet."""
    with pytest.MonkeyPatch.context() as patch:
        try:
            nltk.data.find("corpora/wordnet")
        except LookupError:
            if not (wordnets.DEBIAN / "data.noun").exists():
                pytest.skip(wordnets.MISSING)
            folder = tmp_path_factory.mktemp("nltk_data")
            wordnets.make_nltk_data(folder)
            patch.setattr(nltk.data, "path", [str(folder), *nltk.data.path])
        yield


@pytest.fixture
def real(real_data):
    """Return NLTK's reader of the real WordNet."""
    return synonyms.reader()


def make_corpus(seed, size, words, longest=12):
    generator = random.Random(seed)
    hypotheses, references = [], []
    for _ in range(size):
        few = generator.sample(words, min(len(words), 14))
        hypotheses.append(generator.choices(few, k=generator.randrange(longest)))
        references.append(
            [generator.choices(few, k=generator.randrange(longest)) for _ in range(generator.randint(1, 3))]
        )
    return hypotheses, references


def check(wordnet, hypotheses, references, **weights):
    """Compare scores and matches with NLTK, which lowercases in its function for matches."""
    scores = partial(nltk_scores, wordnet=wordnet)
    metric = partial(refscore.METEOR, synonyms="wordnet")
    for corpus in ((hypotheses, references), joined((hypotheses, references))):
        compare(replace(ORIGINALS[0], metric=metric, scores=scores), *corpus, **weights)
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        if all(word == word.lower() for word in hypothesis + refs[0]):
            matched = metric().alignment(hypothesis, refs[0])
            found = [(i, word.rank) for i, word in enumerate(matched) if word.stage]
            assert found == original.align_words(hypothesis, refs[0], wordnet=wordnet)[0]


@pytest.mark.parametrize("weights", [{}, {"alpha": 0.5, "beta": 1, "gamma": 0.9}], ids=str)
@pytest.mark.generated
def test_a_small_wordnet(small, weights):
    check(small, *make_corpus(1, examples(800).max_examples, WORDS), **weights)


@pytest.mark.generated
def test_a_small_wordnet_against_the_oracle(small):
    hypotheses, references = make_corpus(2, examples(300).max_examples, WORDS)
    metric = refscore.METEOR(synonyms="wordnet")

    def names(word):
        return {name for group in small.groups if word in group for name in group if "_" not in name}

    expected = [oracle.row(oracle.Settings(), *pair, names) for pair in zip(hypotheses, references, strict=True)]
    for threads in (1, 3):
        assert np.allclose(metric.stats(hypotheses, references, threads=threads), expected, rtol=1e-12, atol=0)
    assert np.any(np.array(expected)[:, 0] > refscore.METEOR().stats(hypotheses, references)[:, 0])
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        wanted = [place or (None, None) for place in oracle.match(hypothesis, refs[0], names)]
        assert [(word.rank, word.stage) for word in metric.alignment(hypothesis, refs[0])] == wanted


def test_synonyms_come_last_and_go_one_way(monkeypatch):
    """Only synonyms of hypothesis words are looked up."""
    one_way = wordnets.HandmadeWordNet([])
    one_way.synsets = lambda word: [wordnets.Synset(["b"])] if word == "a" else []
    monkeypatch.setattr(synonyms, "reader", lambda: one_way)
    metric = refscore.METEOR(synonyms="wordnet")
    assert metric.segment(["a"], [["b"]]).value == 0.5
    assert metric.segment(["b"], [["a"]]).value == 0
    assert [word.stage for word in metric.alignment("a b", "b")] == [None, "exact"]


def test_the_preset(small):
    metric = refscore.METEOR(synonyms="wordnet")
    assert pickle.loads(pickle.dumps(metric)) == metric == refscore.METEOR.preset("nltk")
    assert refscore.from_signature(metric.signature) == metric
    assert "|syn:wordnet|" in metric.signature
    steps = metric.explain("a big dog", "a great hound")
    assert "Synonyms" in str(steps)
    assert steps.result == f"METEOR = {metric.segment('a big dog', 'a great hound').value:.4f} (98.15 %)"


def test_ids_have_no_synonyms(small):
    plain, metric = refscore.METEOR(), refscore.METEOR(synonyms="wordnet")
    ids, targets = [[1, 2, 3], []], [[[1, 3], [3, 2]], [[1]]]
    assert np.array_equal(metric.stats(ids, targets), plain.stats(ids, targets))
    arrays = [np.array(item, "int64") for item in ids]
    assert np.array_equal(metric.stats(arrays, metric.prepare(targets)), plain.stats(ids, targets))
    batch = refscore.inputs.padded(np.array([[1, 2, 3], [0, 0, 0]]), pad_id=0)
    assert np.array_equal(metric.stats(batch, targets), plain.stats(ids, targets))
    assert np.array_equal(metric.pairwise(ids, [[1, 2]]), plain.pairwise(ids, [[1, 2]]))
    assert metric.stats([], []).shape == (0, 6)
    assert metric.pairwise([], ["a"]).shape == (0, 1)


# The real WordNet


def vocabulary(wordnet, size):
    """Return words with common meanings, inflected and not, and some unknown to WordNet."""
    generator = random.Random(7)
    names = sorted({name for name in generator.sample(sorted(wordnet.all_lemma_names()), 4000) if "_" not in name})
    words = []
    for name in generator.sample(names, size):
        words += [name, name + "s"]
        for synset in wordnet.synsets(name)[:3]:
            words += [lemma.name() for lemma in synset.lemmas()][:4]
    return [*words, "ran", "geese", "better", "children", "zzzz", "", "é", "...", "don't", "new_york", "\ud800"]


@pytest.mark.slow
def test_the_real_wordnet(real):
    words = vocabulary(real, 120)
    for seed in range(40):
        few = random.Random(seed).sample(words, 25)
        check(real, *make_corpus(seed, 20, few))


@pytest.mark.slow
def test_the_real_wordnet_on_texts(real):
    metric = refscore.METEOR.preset("nltk")
    hypothesis, reference = "The large Hound was running home", "the big dog runs to its house"
    expected = original.meteor_score([reference.split()], hypothesis.split())
    assert close(metric.segment(hypothesis, reference).value, expected)
    assert expected > refscore.METEOR().segment(hypothesis, reference).value
    # WordNet contains hound, but not larg, the stem of large.
    stages = [word.stage for word in metric.alignment("the large hound", "the big dog")]
    assert stages == ["exact", None, "synonym"]


# Errors if it is missing


def test_without_nltk(monkeypatch):
    for name in ("nltk", "nltk.corpus"):
        monkeypatch.setitem(sys.modules, name, None)
    assert refscore.meteor(["cats"], ["cat"]).value == 0.5
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[wordnet\]"):
        refscore.METEOR(synonyms="wordnet")


def test_without_data(monkeypatch, tmp_path):
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    # A loader of its own, because NLTK's becomes the reader once it has found the data.
    monkeypatch.setattr("nltk.corpus.wordnet", LazyCorpusLoader("wordnet", WordNetCorpusReader, None))
    with pytest.raises(refscore.errors.NotInstalledError, match=r"nltk\.downloader wordnet"):
        refscore.METEOR(synonyms="wordnet")


def test_a_newer_wordnet(monkeypatch):
    newer = SimpleNamespace(ensure_loaded=lambda: None, get_version=lambda: "3.1")
    monkeypatch.setattr("nltk.corpus.wordnet", newer)
    with pytest.raises(refscore.SettingError, match=r"3\.1"):
        refscore.METEOR(synonyms="wordnet")
