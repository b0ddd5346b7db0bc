"""Bloom filters of a corpus: no missing matches, a known rate of false ones, and files."""

import json
import math
import random
import zlib

import numpy as np
import pytest

import refscore
from refscore import overlap
from refscore.overlap import NgramFilter
from tests.cli.running import status_of
from tests.reference import overlap as oracle
from tests.tokenizers.subword_models import hugging_face


def texts(count, seed, length=30):
    generator = random.Random(seed)
    return [" ".join(str(generator.getrandbits(40)) for _ in range(length)) for _ in range(count)]


@pytest.mark.parametrize("hashes", [1, 3, 8, 14])
@pytest.mark.parametrize("bits", [2, 6, 12])
def test_the_rate_of_false_matches(hashes, bits):
    """All n-grams of the corpus match, and others at the computed rate."""
    corpus = texts(1000, 1)
    ngrams = 1000 * 26
    built = NgramFilter.build(corpus, order=5, memory=ngrams * bits // 8, hashes=hashes)
    assert built.ngrams == ngrams
    assert overlap.find(corpus, built)[0].ngram_share == 1
    found = overlap.find(texts(8000, 2), built)
    queries, matches, rate = found.summary["ngrams"], found.summary["matches"], found.false_positive_rate
    assert rate == built.false_positive_rate > 0
    # 5 standard deviations of a binomial, and a few for rates near 0.
    assert abs(matches - queries * rate) <= 5 * math.sqrt(queries * rate * (1 - rate)) + 3
    # The formula for a filter without blocks is a little lower.
    assert rate > 0.9 * (1 - math.exp(-hashes * ngrams / (8 * built.memory))) ** hashes


def test_a_filter_finds_what_a_search_finds():
    segments, corpus = texts(300, 3, 12), texts(300, 4, 12)
    corpus += [f"x {text} y" for text in segments[::3]]
    for settings in ({"order": 3}, {"order": 13, "tokenizer": "char"}, {"order": 2, "tokenizer": str.split}):
        built = NgramFilter.build(corpus, memory=1 << 22, **settings)
        exact, found = overlap.find(segments, corpus, **settings), overlap.find(segments, built)
        assert (found.counts >= exact.counts).all()
        assert found.documents == exact.documents and found.corpus_tokens == exact.corpus_tokens
        assert np.sum(found.counts != exact.counts) <= 2


def test_threads_change_nothing():
    corpus = texts(2000, 5)
    one, many = (NgramFilter.build(corpus, order=5, memory=1 << 16, threads=threads) for threads in (1, 4))
    assert bytes(one.native.bytes()) == bytes(many.native.bytes())


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "corpus.filter"
    built = NgramFilter.build(texts(100, 6), "palm", memory=1 << 14, order=4, lowercase="ascii")
    built.save(path)
    return built, path


def test_a_saved_filter_is_the_same(saved):
    built, path = saved
    loaded = NgramFilter.load(path)
    assert bytes(loaded.native.bytes()) == bytes(built.native.bytes())
    for name in ("settings", "documents", "tokens", "ngrams", "hashes", "memory", "false_positive_rate"):
        assert getattr(loaded, name) == getattr(built, name)
    segments = [*texts(30, 6), *texts(30, 7)]
    assert overlap.find(segments, loaded).contaminated.tolist() == [True] * 30 + [False] * 30


def test_the_tokenizer_of_a_file_is_given_again(tmp_path, monkeypatch):
    pytest.importorskip("tokenizers")
    monkeypatch.chdir(tmp_path)
    hugging_face().save("words.json")
    (tmp_path / "test.txt").write_text("the cat sat\n", encoding="utf-8")
    chosen = {"tokenizer": "hf:words.json", "order": 2, "memory": 64}
    NgramFilter.build(["the cat sat"], **chosen).save("corpus.filter")
    assert str(tmp_path).encode() not in (tmp_path / "corpus.filter").read_bytes()
    loaded = NgramFilter.load("corpus.filter", tokenizer=f"hf:{tmp_path}/words.json")
    assert overlap.find(["the cat sat"], loaded, tokenizer="hf:words.json").counts[0].tolist() == [3, 2, 2, 3]
    with pytest.raises(refscore.InputError, match="pass this tokenizer with the path of its file"):
        NgramFilter.load("corpus.filter")
    with pytest.raises(refscore.InputError, match="not 'char'"):
        NgramFilter.load("corpus.filter", tokenizer="char")
    assert status_of(["overlap", "test.txt", "--filter", "corpus.filter", "--tokenizer", "hf:words.json"]) == 0


@pytest.mark.parametrize("hashes", [1, 7, 8, 14])
def test_the_bits_are_part_of_the_file_format(hashes):
    text = "a bc incomprehensibilities äöü " + "x" * 16 + " " + "y" * 17 + " " + "z" * 32
    built = NgramFilter.build([text], order=3, memory=64 * 1000, hashes=hashes)
    bits = np.flatnonzero(np.unpackbits(built.native.bytes(), bitorder="little")).tolist()
    assert bits == oracle.filter_bits(text.split(), 3, 1000, hashes)


@pytest.mark.parametrize("position", [0, 10, 40, 300, -1])
def test_damage_is_found(saved, position):
    _, path = saved
    data = bytearray(path.read_bytes())
    data[position] ^= 8
    path.write_bytes(data)
    with pytest.raises(refscore.InputError, match=str(path)):
        NgramFilter.load(path)
    path.write_bytes(data[:-100])
    with pytest.raises(refscore.InputError, match=str(path)):
        NgramFilter.load(path)


@pytest.mark.parametrize("settings", [b"null", b"5", b'"text"', b"[1]", b'{"order": "x"}', b'{"unknown": 1}'])
def test_headers_with_other_settings(saved, settings):
    _, path = saved
    magic, line, bits = path.read_bytes().split(b"\n", 2)
    header = line.replace(json.dumps(json.loads(line)["settings"]).encode(), settings) + b"\n"
    path.write_bytes(magic + b"\n" + header + bits[:-4] + zlib.crc32(header + bits[:-4]).to_bytes(4, "little"))
    with pytest.raises(refscore.InputError, match="is damaged"):
        NgramFilter.load(path)


def test_what_is_not_a_filter(tmp_path):
    with pytest.raises(refscore.InputError, match="cannot be read: No such file"):
        NgramFilter.load(tmp_path / "none")
    for content in (
        b"",
        b"text",
        b"refscore overlap filter 1\n",
        b"refscore overlap filter 1\n{}\n",
        b"refscore overlap filter 1\n" + b"[" * 70000,
    ):
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(refscore.InputError, match="file is"):
            NgramFilter.load(tmp_path / "file")


def test_settings_are_checked(saved):
    built, path = saved
    for settings, problem in [
        ({"order": 5}, "the filter has order=4, not 5"),
        ({"tokenizer": "char"}, "the filter has tokenizer='none', not 'char'"),
        ({"max_documents": 3}, "does not count documents"),
    ]:
        with pytest.raises(refscore.SettingError, match=problem):
            overlap.find(["a"], built, **settings)
    assert overlap.find(["a"], built, threshold=0.1).settings.threshold == 0.1
    for settings, problem in [
        ({"memory": 63}, "memory must be a whole number of at least 64"),
        ({"memory": 1 << 60}, "memory must be at most"),
        ({"hashes": 15}, "hashes must be at most 14"),
        ({"preset": "gpt3"}, "needs a fixed order: set it, such as order=13"),
        ({"preset": "gpt3-filter"}, "does not count documents"),
    ]:
        with pytest.raises(refscore.SettingError, match=problem):
            NgramFilter.build(["a"], **settings)
    with pytest.raises(refscore.SettingError, match="has no name"):
        NgramFilter.build(["a"], tokenizer=str.split, memory=64).save(path)
