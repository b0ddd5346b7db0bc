"""sacrebleu's intervals and paired tests by the drop-in and by sacrebleu, which sums in float32: equal to the bit."""

import random

import numpy as np
import pytest
import sacrebleu
import sacrebleu.significance

from refscore.compat import sacrebleu as ours
from refscore.compat.sacrebleu import significance

LIBRARIES = (ours, sacrebleu)
SETTINGS = [
    ("BLEU", {}),
    ("BLEU", {"tokenize": "none", "smooth_method": "add-k", "effective_order": True}),
    ("BLEU", {"smooth_method": "floor", "lowercase": True, "max_ngram_order": 2}),
    ("CHRF", {}),
    ("CHRF", {"word_order": 2, "eps_smoothing": True}),
    ("TER", {}),
]


def corpus(segments, seed=3):
    """Return references in two streams and three systems of different quality; the last one equals the first."""
    generator = random.Random(seed)
    words = [f"w{k}" for k in range(60)]

    def changed(text, share):
        return " ".join(generator.choice(words) if generator.random() < share else word for word in text.split())

    first = [" ".join(generator.choices(words, k=generator.randint(3, 25))) for _ in range(segments)]
    references = [first, [changed(text, 0.2) for text in first]]
    bad, good = [[changed(text, share) for text in first] for share in (0.4, 0.3)]
    return references, [("bad", bad), ("good", good), ("again", list(bad))]


REFERENCES, SYSTEMS = corpus(40)
CONFIDENCE = [{}, {"n_ar_confidence": 100}]


@pytest.mark.parametrize(("name", "options"), SETTINGS)
@pytest.mark.parametrize("resamples", [2, 39, 40, 300])
def test_intervals_of_scores(name, options, resamples):
    made = []
    for library in LIBRARIES:
        metric = getattr(library, name)(**options, references=REFERENCES)
        score = metric.corpus_score(SYSTEMS[0][1], None, n_bootstrap=resamples)
        made.append((score, str(metric.get_signature())))
    (mine, signature), (theirs, their_signature) = made
    assert signature == their_signature
    assert f"bs:{resamples}|seed:12345" in signature
    assert (mine.score, mine._mean, mine._ci) == (theirs.score, theirs._mean, theirs._ci)


def same_results(found, expected):
    assert list(found) == list(expected)
    assert found["System"] == expected["System"]
    for name in list(expected)[1:]:
        for mine, theirs in zip(found[name], expected[name], strict=True):
            assert list(vars(mine)) == list(vars(theirs))
            assert vars(mine) == vars(theirs)
            assert type(mine.mean) is type(theirs.mean)


@pytest.mark.parametrize(("name", "options"), SETTINGS)
@pytest.mark.parametrize(
    "test",
    [{"test_type": "bs", "n_samples": 200}, *({"test_type": "ar", "n_samples": 300, **more} for more in CONFIDENCE)],
    ids=str,
)
def test_paired_tests(name, options, test):
    made = []
    for library in LIBRARIES:
        metrics = {"first": getattr(library, name)(**options), "second": library.CHRF(char_order=3)}
        run = library.significance.PairedTest(SYSTEMS[:2], metrics, REFERENCES, **test)
        made.append((run, *run()))
    (mine, signatures, found), (theirs, their_signatures, expected) = made
    assert {key: str(value) for key, value in signatures.items()} == {
        key: str(value) for key, value in their_signatures.items()
    }
    same_results(found, expected)
    for attribute in ("test_type", "n_samples", "n_ar_confidence", "n_systems", "n_jobs", "_seed"):
        assert getattr(mine, attribute) == getattr(theirs, attribute)
    assert list(mine.metrics) == list(theirs.metrics)


def test_fractional_lengths():
    """Mean lengths of three references are no whole numbers. Few segments make equal trials, which rounding decides."""

    def changed(texts):
        cut = [text.split()[: generator.randint(1, 9)] for text in texts]
        return [
            " ".join(generator.choice("xyz") if generator.random() < 0.4 else word for word in text) for text in cut
        ]

    for seed in range(60):
        generator = random.Random(seed)
        first = [
            " ".join(generator.choices("abcdefgh", k=generator.randint(1, 9))) for _ in range(generator.randint(2, 5))
        ]
        references = [first, changed(first), changed(first)]
        systems = [(name, changed(first)) for name in ("one", "two", "three")]
        made = [
            library.significance.PairedTest(systems, {"TER": library.TER()}, references, "ar", 60)()
            for library in LIBRARIES
        ]
        same_results(made[0][1], made[1][1])


@pytest.mark.parametrize("kind", ["bs", pytest.param("ar", marks=pytest.mark.slow)])
def test_a_system_against_itself_and_cached_references(kind):
    """Such a system is significant in sacrebleu, and therefore in the drop-in."""
    for names in (("bad", "good", "again"), ("a", "b", "b")):
        made = []
        for library in LIBRARIES:
            metrics = {"BLEU": library.BLEU(references=REFERENCES), "TER": library.TER(references=REFERENCES)}
            systems = [(name, texts) for name, (_, texts) in zip(names, SYSTEMS, strict=True)]
            made.append(library.significance.PairedTest(systems, metrics, None, kind, 100, n_jobs=2)()[1])
        same_results(*made)
        assert made[0]["BLEU"][2].p_value == 1 / 101


HARD_TEXTS = {
    "no match": (["a b", "c d", "e"], ["v w", "x", "y z"]),
    "empty": (["", "", "a b c d e"], ["", "", "a b c d e"]),
    "short": (["a", "b", "c"], ["a", "x", "c"]),
    "long": (["a b c d " * 400, "e"], ["a c b d " * 350, "e f"]),
}


@pytest.mark.parametrize(("name", "options"), [*SETTINGS, ("BLEU", {"smooth_method": "none"})])
@pytest.mark.parametrize("texts", HARD_TEXTS)
def test_texts_without_matches(name, options, texts):
    """sacrebleu's numbers have several types then, and its intervals depend on them."""
    hypotheses, references = HARD_TEXTS[texts]
    if name == "TER" and texts == "long":
        hypotheses, references = ([text[:100] for text in side] for side in (hypotheses, references))
    made = []
    for library in LIBRARIES:
        systems = [("first", hypotheses), ("second", [*references[1:], "a b c"])]
        metric = getattr(library, name)(**options)
        made.append(library.significance.PairedTest(systems, {"one": metric}, [references], "bs", 100)()[1])
    same_results(*made)


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_large_sums(name):
    """float32 rounds sums above 2**24, so the order of summation matters."""
    metrics = [getattr(library, name)() for library in LIBRARIES]
    width = metrics[0]._table(["a b"], [["a b"]]).shape[1]
    table = np.random.default_rng(4).integers(2**20, 2**21, size=(50, width))
    seed, values = significance.bootstrap_resample(table, metrics[0], 60)
    expected_seed, expected = sacrebleu.significance._bootstrap_resample(table.tolist(), metrics[1], 60)
    assert (seed, values.tolist()) == (expected_seed, [score.score for score in expected])


def test_numbers_one_by_one():
    """Scores of arrays equal those of single numbers, also for a user's subclass."""
    sums = np.random.default_rng(5).integers(0, 4, size=(500, 60)).astype(np.float32)
    for name, options in [*SETTINGS, ("BLEU", {"effective_order": True}), ("BLEU", {"smooth_method": "none"})]:
        metric = getattr(ours, name)(**options)
        width = metric._table(["a b"], [["a b"]]).shape[1]
        changed = type(
            "Changed", (type(metric),), {"_compute_score_from_stats": lambda self, stats: type("", (), {"score": 1})}
        )
        drawn = sums[:, :width] + np.float32(name == "CHRF")
        drawn[:, :2] += 1
        expected = [metric._compute_score_from_stats(row).score for row in drawn.copy()]
        assert metric._values_of_sums(drawn).tolist() == np.array(expected).tolist()
        assert changed(**options)._values_of_sums(drawn).tolist() == [1] * 500


@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_one_segment_and_one_system(kind):
    references, systems = corpus(1)
    for chosen in (systems, systems[:1]):
        made = []
        for library in LIBRARIES:
            test = library.significance.PairedTest(chosen, {"c": library.CHRF()}, references, kind, 50, 20)
            made.append(test()[1])
        same_results(*made)
    scores = [library.CHRF().corpus_score(systems[0][1], references, n_bootstrap=10) for library in LIBRARIES]
    assert (scores[0]._mean, scores[0]._ci) == (scores[1]._mean, scores[1]._ci)


@pytest.mark.parametrize("seed", ["7", "123456789012"])
def test_the_seed_of_the_environment(seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    made = []
    for library in LIBRARIES:
        metric = library.BLEU()
        score = metric.corpus_score(SYSTEMS[0][1], REFERENCES, n_bootstrap=50)
        made.append(score._mean)
        assert f"seed:{seed}" in str(metric.get_signature())
        metrics = {"BLEU": library.BLEU()}
        made.append(library.significance.PairedTest(SYSTEMS[:2], metrics, REFERENCES, "bs", 50)()[1]["BLEU"][1].mean)
    assert made[:2] == made[2:]


@pytest.mark.parametrize("seed", ["None", "none", "0"])
def test_no_seed(seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    for library in LIBRARIES:
        metric = library.BLEU()
        metric.corpus_score(SYSTEMS[0][1], REFERENCES, n_bootstrap=50)
        assert f"seed:{seed.lower()}" in str(metric.get_signature())
        means = set()
        for _ in range(3):
            test = library.significance.PairedTest(SYSTEMS[:2], {"BLEU": metric}, REFERENCES, "bs", 50)
            means.add(float(test()[1]["BLEU"][1].mean))
        assert len(means) > 1


@pytest.mark.parametrize("count", [1, 39, 40, 100])
def test_estimate_ci(count):
    values = np.random.default_rng(2).normal(size=count)
    assert significance.estimate_ci(values) == sacrebleu.significance.estimate_ci(values)
    scores = [library.metrics.base.Score("x", 1.0) for library in LIBRARIES]
    for library, score in zip(LIBRARIES, scores, strict=True):
        score.estimate_ci([library.metrics.base.Score("x", float(value)) for value in values])
    assert (scores[0]._mean, scores[0]._ci) == (scores[1]._mean, scores[1]._ci)


def test_results():
    for numbers in ((1.5, 0.1), (1.5, None, np.float32(18.18182), np.float32(0.1))):
        assert repr(significance.Result(*numbers)) == repr(sacrebleu.significance.Result(*numbers))
