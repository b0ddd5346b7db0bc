"""WER of listed words: B-WER and U-WER compared with counts from the alignment, and their sums."""

import pickle
from collections import Counter

import pytest
from hypothesis import given

import refscore
from refscore import WER
from refscore.metrics import WordList
from tests.corpora import TEXT
from tests.examples import examples

KINDS = ("hit", "substitution", "deletion", "insertion")


def expected(metric, hypothesis, reference, listed):
    """Count edits by the class of the reference word, and insertions by the class of the inserted word.

    This is the rule of Le et al. (2021) and of their scoring script.
    """
    counts = {True: Counter(), False: Counter()}
    for kind, above, below in metric.alignment(hypothesis, reference):
        counts[(below if kind == "insertion" else above) in listed][kind] += 1
    return [[counts[flag][kind] for kind in KINDS] for flag in (True, False)]


@pytest.mark.parametrize(
    "settings", [{}, {"lowercase": True}, {"normalize": "NFKC"}, {"alternatives": "nist"}], ids=str
)
@given(corpus=TEXT.drawn)
@examples(60)
def test_rows_by_class(settings, corpus):
    hypotheses, references = corpus[0], [texts[0].translate(str.maketrans("", "", "{}")) for texts in corpus[1]]
    metric = WER(**settings)
    words = {word for text in [*hypotheses[::2], *references] for word in metric.pipeline.words(text)[::2]}
    words = {word for word in words if word.strip() == word and len(metric.pipeline.words(word)) == 1} or {"zzz"}
    listed = {metric.pipeline.words(word)[0] for word in words}
    biased, unbiased = (WER(**settings, words=words, counted=counted) for counted in ("listed", "others"))
    rows = [expected(metric, *pair, listed) for pair in zip(hypotheses, references, strict=True)]
    assert biased.stats(hypotheses, references).tolist() == [row[0] for row in rows]
    assert unbiased.stats(hypotheses, references).tolist() == [row[1] for row in rows]
    total = biased.stats(hypotheses, references) + unbiased.stats(hypotheses, references)
    assert total.tolist() == metric.stats(hypotheses, references).tolist()
    prepared = biased.prepare(references)
    assert biased.stats(hypotheses, prepared).tolist() == [row[0] for row in rows]


def test_worked_example():
    """A listed word is replaced by "turin", the listed "rome" is inserted, and "the" is deleted."""
    hypothesis, reference = "ada went to turin rome", "ada went to the turing"
    biased, unbiased = (WER(words=["turing", "rome", "ada"], counted=counted) for counted in ("listed", "others"))
    assert biased.segment(hypothesis, reference).row.tolist() == [1, 1, 0, 0]
    assert unbiased.segment(hypothesis, reference).row.tolist() == [2, 1, 0, 0]
    assert biased.segment("rome ada", "ada").row.tolist() == [1, 0, 0, 1]
    assert biased.counts("rome ada", "ada") == (1, 0, 0, 1)
    assert (biased.title, WER(words=["a"], counted="others").title) == ("B-WER", "U-WER")


def test_words_that_never_occur():
    """Without reference words the rate is the number of insertions, as for empty references."""
    metric = WER(words=["zebra"])
    assert metric.corpus(["a b"], ["a c"]).value == 0
    assert metric.corpus(["a zebra zebra"], ["a"]).value == 2


def test_many_repeated_words():
    metric = WER(words=["a"])
    assert metric.segment("a " * 100_000, "a b").row.tolist()[0] == 1
    assert metric.segment("", "").value == 0


def test_several_references_are_chosen_by_all_words():
    assert WER(words=["x"]).segment("a b", ["x y", "a b"]).row.tolist() == [0, 0, 0, 0]


def test_lists(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("\ufeffAda\n\nTuring\r\nAda\n", encoding="utf-8")
    metric = WER(words=path)
    assert metric == WER(words=["Turing", "Ada", "Ada"]) == pickle.loads(pickle.dumps(metric))
    assert metric.words.digest in metric.signature and "|words:" in metric.signature
    assert WER(words=["b"]).signature != WER(words=["a"]).signature != WER(words=["a"], counted="others").signature
    with pytest.raises(refscore.errors.SignatureError, match="words"):
        refscore.from_signature(metric.signature)
    pairs = dict(part.split(":") for part in metric.signature.split("|")[1:])
    assert WER.from_fitted_state(pairs, metric.fitted_state()) == metric
    for wrong in ("new york", ""):
        with pytest.raises(refscore.SettingError, match="words"):
            WER(words=[wrong])
    with pytest.raises(refscore.SettingError, match="set words"):
        WER(counted="others")
    with pytest.raises(refscore.SettingError):
        WordList("ada")
    with pytest.raises(refscore.InputError, match="strings"):
        metric.segment([1], [[1]])
    assert WER(words=["ADA"], lowercase=True).segment("ada", "Ada").hits == 1


def test_saved_statistics(tmp_path):
    metric = WER(words=["b"])
    evaluation = refscore.Evaluation(metric)
    evaluation.add(["a b", "b"], ["a b c", "x"])
    evaluation.save(tmp_path / "part")
    assert (
        refscore.Evaluation.load(tmp_path / "part").score().value == metric.corpus(["a b", "b"], ["a b c", "x"]).value
    )
