"""Properties of every metric: one that is missing from the table of settings fails the suite."""

import itertools
import json
import math
import pickle
import random
from functools import cache

import numpy as np
import pytest

import refscore
from refscore.metrics import METRICS as CLASSES, RowSum, sum_rows
from tests.derived_sources import derive_sources
from tests.python_metrics import Overlap

# The references for metrics that must be fitted.
FITTED_ON = [
    "The cat sat, on a mat.",
    ["a cat, on the mat", "the cat sat on the mat and looked at it"],
    "你好。 3.5% é",
]

# For every metric, the settings under which all properties are checked.
METRICS = {
    "Accuracy": [
        refscore.Accuracy(),
        refscore.Accuracy(match="contains", tokenizer="squad", lowercase="ascii", annotators="vote"),
        refscore.Accuracy(match="number", tolerance=0.5, normalize="NFKC"),
        *map(refscore.Accuracy.preset, refscore.Accuracy.presets),
    ],
    "BLEU": [
        refscore.BLEU(),
        refscore.BLEU(tokenizer="none", max_order=2, weights=(0.25, 0.75), smoothing="floor", smoothing_value=0.2),
        refscore.BLEU(tokenizer="intl", lowercase=True, normalize="NFC", smoothing="add-k", effective_order=True),
        refscore.BLEU(tokenizer="zh", lowercase="ascii", max_order=6, reference_length="shortest"),
        refscore.BLEU(tokenizer="char", reference_length="average"),
        refscore.BLEU(smoothing="nltk-5", max_order=3, short_order="pad"),
        refscore.BLEU(smoothing="floor-segments", short_order="pad"),
        *map(refscore.BLEU.preset, refscore.BLEU.presets),
    ],
    "CER": [refscore.CER(), refscore.CER(tokenizer="char", lowercase=True, normalize="NFKC")],
    "CHRF": [
        refscore.CHRF(),
        refscore.CHRF(char_order=3, beta=1, lowercase=True, normalize="NFKC", whitespace=True, smoothing="epsilon"),
        refscore.CHRF(char_order=0, word_order=3, beta=0.5, lowercase="ascii", average="macro"),
        refscore.CHRF(characters="graphemes", normalize="NFC", smoothing="nltk"),
        refscore.CHRF(characters="graphemes", word_order=1, whitespace=True, beta=0),
        *map(refscore.CHRF.preset, ["chrf++", "nltk"]),
    ],
    "ExactMatch": [
        refscore.ExactMatch(),
        refscore.ExactMatch(tokenizer="text", lowercase="ascii", ignore_punctuation=True, ignore_numbers=True),
        refscore.ExactMatch(ignore_patterns=["cat", r"[|/,:%]\s*$"], empty_reference="skip", normalize="NFC"),
        *map(refscore.ExactMatch.preset, refscore.ExactMatch.presets),
    ],
    "CIDER": [
        refscore.CIDER.fit(FITTED_ON),
        refscore.CIDER.fit(FITTED_ON[:2], tokenizer="char", lowercase=True, normalize="NFC", max_order=9),
        refscore.CIDER.fit(FITTED_ON, tokenizer="intl", lowercase="ascii", max_order=1, sigma=0.5),
        refscore.CIDER.preset("textbook").fit(FITTED_ON),
    ],
    "CharacTER": [
        refscore.CharacTER(),
        refscore.CharacTER(tokenizer="13a", lowercase=True, normalize="NFKC"),
        refscore.CharacTER(tokenizer="char", lowercase="ascii"),
        *map(refscore.CharacTER.preset, refscore.CharacTER.presets),
    ],
    "CompressionRatio": [
        refscore.metrics.CompressionRatio(),
        refscore.metrics.CompressionRatio(tokenizer="13a", lowercase=True, normalize="NFC", threshold=0.8),
        *map(refscore.metrics.CompressionRatio.preset, refscore.metrics.CompressionRatio.presets),
    ],
    "EED": [
        refscore.EED(),
        refscore.EED(tokenizer="char-spaces", lowercase=True, alpha=0.5, rho=0.1, deletion=1.0, insertion=0.7),
        refscore.EED(lowercase="ascii", alpha=0.0, rho=0.0),
        *map(refscore.EED.preset, refscore.EED.presets),
    ],
    "EditSimilarity": [
        refscore.EditSimilarity(),
        refscore.EditSimilarity(tokenizer="none", lowercase="ascii", normalize="NFKC", average="characters"),
        refscore.EditSimilarity(threshold=0.3, at_threshold="count", both_empty="skip"),
        *map(refscore.EditSimilarity.preset, refscore.EditSimilarity.presets),
    ],
    "CrystalBLEU": [
        refscore.CrystalBLEU.fit(FITTED_ON, k=3),
        refscore.CrystalBLEU.fit(FITTED_ON, k=500),
        refscore.CrystalBLEU.fit(FITTED_ON, tokenizer="char", lowercase=True, max_order=7, smoothing="exp", k=9),
        refscore.CrystalBLEU.fit(FITTED_ON, tokenizer="13a", reference_length="average", smoothing="nltk-5", k=0),
        refscore.CrystalBLEU.fit(FITTED_ON, smoothing="floor-segments", short_order="zero", effective_order=True, k=4),
    ],
    "GECGLEU": [
        refscore.GECGLEU(),
        refscore.GECGLEU(tokenizer="char", lowercase=True, normalize="NFC", max_order=6, penalty="excess"),
        *map(refscore.GECGLEU.preset, refscore.GECGLEU.presets),
    ],
    "GLEU": [
        refscore.GLEU(),
        refscore.GLEU(tokenizer="char", lowercase=True, normalize="NFC", min_order=2, max_order=6),
        refscore.GLEU(tokenizer="intl", lowercase="ascii", max_order=1),
        *map(refscore.GLEU.preset, ["evaluate", "nltk"]),
    ],
    "Latency": [
        refscore.metrics.Latency(),
        refscore.metrics.Latency(tokenizer="none", lowercase=True, normalize="NFC", measure="atd", source="text"),
        *map(refscore.metrics.Latency.preset, refscore.metrics.Latency.presets),
    ],
    "M2": [
        refscore.M2(),
        refscore.M2(lowercase=True, normalize="NFC", max_unchanged=0, beta=1),
    ],
    "METEOR": [
        refscore.METEOR(),
        refscore.METEOR(tokenizer="13a", lowercase="ascii", normalize="NFKC", alpha=0.5, beta=0.2, gamma=0.3),
        refscore.METEOR(tokenizer="char", lowercase=False, gamma=0),
        refscore.METEOR.preset("nltk", synonyms=None, tokenizer="intl", alpha=0),
    ],
    "NIST": [
        refscore.NIST.fit(FITTED_ON),
        refscore.NIST.fit(FITTED_ON[:2], tokenizer="char", lowercase=True, normalize="NFC", max_order=9),
        refscore.NIST.fit(FITTED_ON, tokenizer="intl", lowercase="ascii", max_order=1),
        refscore.NIST.preset("nltk").fit(FITTED_ON),
    ],
    "RIBES": [
        refscore.RIBES(),
        refscore.RIBES(tokenizer="13a", lowercase="ascii", normalize="NFKC", alpha=0, beta=1.5, correlation="rho"),
        refscore.RIBES(tokenizer="char", first_context="right", single_word="zero", empty_reference="zero"),
        refscore.RIBES(tokenizer="intl", lowercase=False, context_limit="nltk", empty_reference="skip"),
        *map(refscore.RIBES.preset, ["official", "nltk", "nltk-3.9"]),
    ],
    "ROUGE": [
        refscore.ROUGE(),
        refscore.ROUGE(variant="3", tokenizer="unicode", normalize="NFKC"),
        refscore.ROUGE(variant="1", stem=True, lowercase="ascii", tokenizer="13a"),
        refscore.ROUGE(variant="Lsum", stem=True),
        refscore.ROUGE(variant="W", combine="pool", beta=2),
        refscore.ROUGE(variant="W-3", combine="recall", tokenizer="unicode"),
        refscore.ROUGE(variant="S4", combine="recall", beta=0),
        refscore.ROUGE(variant="S*", tokenizer="unicode"),
        refscore.ROUGE(variant="SU4", combine="pool", beta=0.5),
        *map(refscore.ROUGE.preset, ["rouge1", "rouge2", "rougeL", "rougeLsum", "rouge-1.5.5"]),
    ],
    "Repetition": [
        refscore.metrics.Repetition(),
        refscore.metrics.Repetition(tokenizer="char", lowercase=True, normalize="NFC", max_order=5, repeats=2),
        refscore.metrics.Repetition(tokenizer="13a", lowercase="ascii", repeats=2, unit="segments"),
    ],
    "SARI": [
        refscore.SARI(),
        refscore.SARI(tokenizer="intl", lowercase="ascii", max_order=6, deletion="precision", counting="sets"),
        refscore.SARI(tokenizer="char", order_average="precisions", undefined="one", empty_text="token"),
        *map(refscore.SARI.preset, ["evaluate", "tensor2tensor", "xu"]),
    ],
    "TER": [
        refscore.TER(),
        refscore.TER(tokenizer="tercom-norm", references_twice=False),
        refscore.TER(tokenizer="tercom-nopunct", lowercase=False),
        refscore.TER(tokenizer="tercom-norm-nopunct-asian"),
        refscore.TER.preset("sacrebleu", tokenizer="tercom-norm", lowercase=False),
    ],
    "TokenF1": [
        refscore.TokenF1(),
        refscore.TokenF1(tokenizer="char", lowercase=False, normalize="NFKC", both_empty="one"),
        *map(refscore.TokenF1.preset, refscore.TokenF1.presets),
    ],
    "SubER": [
        refscore.SubER(),
        refscore.SubER(tokenizer="none", lowercase="ascii", normalize="NFC"),
        refscore.SubER.preset("suber-cased"),
    ],
    "UWER": [refscore.UWER(), refscore.UWER(tokenizer="unicode", lowercase=True, normalize="NFKC")],
    "WER": [refscore.WER(), refscore.WER(tokenizer="13a", lowercase="ascii"), refscore.WER(tokenizer="unicode")],
    # A metric in Python, like those of other packages.
    "Overlap": [Overlap(), Overlap(tokenizer=str.split), Overlap(tokenizer="char", lowercase=True, normalize="NFC")],
}


def rows_are_counts(metric):
    """Return whether rows are integers."""
    if metric.name in ("bleu", "crystalbleu"):
        return metric.reference_length != "average"
    if metric.name == "chrf":
        return metric.average == "micro"
    if metric.name == "sari":
        return metric.average == "corpus" and metric.counting == "counts"
    return metric.name in ("cer", "exact_match", "gleu", "m2", "repetition", "suber", "uwer", "wer")


def scores_empty_references(metric):
    return metric.name != "ribes" or metric.empty_reference == "zero"


# Whether token sequences have a score; they cannot be split into words.
SCORES_TOKENS = {name: lambda metric: metric.name != "chrf" or metric.word_order == 0 for name in METRICS}


def signature_is_complete(metric):
    """Return whether the signature describes all settings. It has only a digest of fitted weights and functions."""
    return metric.name not in ("cider", "crystalbleu", "nist") and "custom(" not in metric.signature


def instances():
    return [
        pytest.param(name, derive_sources(metric), id=metric.signature) for name in METRICS for metric in METRICS[name]
    ]


every_metric = pytest.mark.parametrize(("name", "metric"), instances())


@cache
def make_texts(size, fewest_words):
    """Return short texts of few distinct words, with punctuation, some empty, and one to three references."""
    generator = random.Random(0)
    vocabulary = ["the", "The", "cat", "sat,", "on", "a", "mat.", "3.5%", "don't", "你好。", "é", "👍🏽", "x-1"]

    def line(*lengths):
        return " ".join(generator.choices(vocabulary, k=generator.choice(lengths)))

    hypotheses, references = [], []
    for _ in range(size):
        references.append([line(fewest_words, 1, 3, 8, 12, 20) for _ in range(generator.randint(1, 3))])
        another = line(0, 1, 3, 8, 12, 20)
        hypotheses.append(generator.choice([another, references[-1][0], references[-1][0] + " " + another]))
    return hypotheses, references


def make_corpus(name, metric, size=60):
    hypotheses, references = make_texts(size, 0 if scores_empty_references(metric) else 1)
    return [*hypotheses], [[*refs] for refs in references]


@pytest.fixture
def texts(name, metric):
    return make_corpus(name, metric)[0]


@pytest.fixture
def targets(name, metric):
    return make_corpus(name, metric)[1]


def test_every_metric_is_in_the_table():
    built_in = {kind.__name__ for kind in CLASSES.values() if kind.__module__.startswith("refscore.")}
    assert {*METRICS} - {"Overlap"} == built_in
    assert built_in <= {*refscore.__all__, *refscore.metrics.__all__}


@every_metric
def test_rows_and_segments(name, metric, texts, targets):
    rows, values = metric.stats(texts, targets), metric.segments(texts, targets)
    assert rows.shape == (len(texts), len(metric.columns))
    assert rows.dtype == (np.int64 if rows_are_counts(metric) else np.float64)
    assert len(set(metric.columns)) == len(metric.columns)
    assert (values.shape, values.dtype) == ((len(texts),), np.float64)
    for i, (hypothesis, references) in enumerate(zip(texts, targets, strict=True)):
        assert metric.score(rows[i]).value == values[i] == metric.segment(hypothesis, references).value
        value, row = metric.value_and_row(hypothesis, references)
        assert (value, row) == (values[i], tuple(rows[i].tolist()))
        assert [type(value), *map(type, row)] == [float, *map(type, rows[i].tolist())]


@every_metric
def test_any_order_and_any_split(name, metric, texts, targets):
    rows, score = metric.stats(texts, targets), metric.corpus(texts, targets)
    assert score.row.tolist() == [math.fsum(column) for column in rows.T.tolist()]
    order = random.Random(1).sample(range(len(texts)), len(texts))
    shuffled = [texts[i] for i in order], [targets[i] for i in order]
    assert np.array_equal(metric.stats(*shuffled), rows[order])
    assert np.array_equal(metric.segments(*shuffled), metric.segments(texts, targets)[order])
    assert metric.corpus(*shuffled).row.tolist() == score.row.tolist()

    cuts = [0, 1, 7, 7, 40, len(texts)]
    shards = [metric.stats(texts[a:b], targets[a:b]) for a, b in itertools.pairwise(cuts)]
    assert np.array_equal(np.concatenate(shards), rows)
    total = RowSum(len(metric.columns), metric.row_type)
    for shard in shards[::-1]:
        total.add(shard)
    assert total.row.tolist() == score.row.tolist()
    assert metric.score(total.row).value == score.value
    # NumPy rounds its sums after each addition.
    assert metric.score(sum(shard.sum(axis=0) for shard in shards)).value == pytest.approx(score.value, rel=1e-12)


@every_metric
def test_threads_change_nothing(name, metric):
    corpus = make_corpus(name, metric, 300)  # several blocks of 64
    prepared = metric.prepare(corpus[1])
    rows, values = metric.stats(*corpus, threads=1), metric.segments(*corpus, threads=1)
    pairs = metric.pairwise(corpus[0][:3], prepared, threads=1)
    total = sum_rows(rows).tolist()
    for threads in (None, 2, 7):
        for references in (corpus[1], prepared):
            assert np.array_equal(metric.stats(corpus[0], references, threads=threads), rows)
        assert np.array_equal(metric.segments(*corpus, threads=threads), values)
        assert metric.corpus(*corpus, threads=threads).row.tolist() == total
        assert np.array_equal(metric.pairwise(corpus[0][:3], prepared, threads=threads), pairs)


@every_metric
def test_pickling(name, metric, texts, targets):
    copy = pickle.loads(pickle.dumps(metric))
    assert (copy, hash(copy)) == (metric, hash(metric))
    assert np.array_equal(copy.stats(texts, targets), metric.stats(texts, targets))
    score = metric.corpus(texts, targets)
    again = pickle.loads(pickle.dumps(score))
    assert (again, again.signature, again.row.tolist()) == (score, score.signature, score.row.tolist())


@pytest.mark.parametrize("name", METRICS)
def test_equality_and_hashing(name):
    metrics, kind = METRICS[name], type(METRICS[name][0])
    assert (kind(), hash(kind())) == (kind(), hash(kind()))
    assert kind() != "something else"
    assert len({*metrics, *(pickle.loads(pickle.dumps(metric)) for metric in metrics)}) == len(set(metrics))
    assert len({metric.signature for metric in metrics}) == len(set(metrics))


@every_metric
def test_no_segments(name, metric):
    nothing = np.zeros(len(metric.columns), metric.row_type)  # the sums of an empty shard
    score = metric.score(nothing)
    assert score.value == metric.values(nothing[np.newaxis])[0]
    assert all(np.isfinite(number) for number in score.details().values() if isinstance(number, float))
    assert metric.stats([], []).shape == (0, len(metric.columns))
    assert metric.stats([], []).dtype == metric.row_type
    assert metric.segments([], []).shape == (0,)
    assert (metric.pairwise([], ["a"]).shape, metric.pairwise(["a"], []).shape) == ((0, 1), (1, 0))
    with pytest.raises(refscore.InputError):
        metric.corpus([], [])


@every_metric
def test_wrong_input(name, metric, texts, targets):
    for references in (targets[:-1], [*targets, ["one more"]], [], metric.prepare(targets[:-1])):
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError):
                method(texts, references)
    for hypotheses, references in [
        ("one text", ["one text"]),
        (["one text"], "one text"),
        (["one text"], [[]]),
        (["one text"], [[None]]),
        (["one text"], [None]),
        ([None], ["one text"]),
    ]:
        with pytest.raises(refscore.InputError):
            metric.stats(hypotheses, references)


@every_metric
def test_plain_numbers(name, metric, texts, targets):
    for score in (metric.corpus(texts, targets), metric.segment(texts[0], targets[0]), metric.segment("", ["a"])):
        assert float(score) == score.value
        assert score.percent == pytest.approx(100 * score.value, rel=1e-15)
        attributes = {attribute: getattr(score, attribute) for attribute in dir(score) if not attribute.startswith("_")}
        for attribute, value in attributes.items():
            for number in value if isinstance(value, tuple) else [value]:
                assert not isinstance(number, np.generic), attribute
        assert type(score.value) is type(score.percent) is float


@every_metric
def test_prepared_references(name, metric, texts, targets):
    prepared = metric.prepare(targets)
    for hypotheses in (texts, texts[::-1]):  # prepare once, use twice
        assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, targets))
    assert np.array_equal(metric.segments(texts, prepared), metric.segments(texts, targets))
    assert metric.corpus(texts, prepared).value == metric.corpus(texts, targets).value
    expected = [[metric.segment(text, refs).value for refs in targets[:4]] for text in texts[:3]]
    assert metric.pairwise(texts[:3], metric.prepare(targets[:4])).tolist() == expected

    hypotheses, references = [text.split() for text in texts], [[text.split() for text in refs] for refs in targets]
    if SCORES_TOKENS[name](metric):
        prepared = metric.prepare(references)
        assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, references))
        return
    for call in (lambda: metric.prepare(references), lambda: metric.stats(hypotheses, references)):
        with pytest.raises(refscore.InputError, match="tokens"):
            call()


@every_metric
def test_pairwise_is_segment_scores(name, metric, texts, targets):
    def single_scores(hypotheses, references):
        return [[metric.segment(text, [other]).value for other in references] for text in hypotheses]

    hypotheses, references = texts[:6], [refs[0] for refs in targets[:4]]
    for threads in (None, 1, 3):
        matrix = metric.pairwise(hypotheses, references, threads=threads)
        assert matrix.dtype == np.float64
        assert matrix.tolist() == single_scores(hypotheses, references)
    batches = [hypotheses[:3], hypotheses[3:5]], [references[:1], references[1:]]
    for matrix, *sides in zip(metric.pairwise(*batches), *batches, strict=True):
        assert matrix.tolist() == single_scores(*sides)
    tokens = [text.split() for text in hypotheses], [text.split() for text in references]
    if SCORES_TOKENS[name](metric):
        assert metric.pairwise(*tokens, tokens=True).tolist() == single_scores(*tokens)
        return
    with pytest.raises(refscore.InputError, match="tokens"):
        metric.pairwise(*tokens, tokens=True)


@every_metric
def test_signatures(name, metric, texts, targets):
    if name == "Overlap":
        refscore.metrics.register(Overlap)
    signature = metric.corpus(texts, targets).signature
    assert signature.replace("|nrefs:var", "") == metric.signature
    if signature_is_complete(metric):
        assert refscore.from_signature(metric.signature) == refscore.from_signature(signature) == metric
        return
    with pytest.raises(refscore.errors.SignatureError):
        refscore.from_signature(metric.signature)


@every_metric
def test_steps(name, metric, texts, targets):
    for segment in zip(texts[:3], targets, strict=False):
        steps = metric.explain(*segment)
        assert f"{metric.segment(*segment).value:.4f}" in steps.result
        assert str(steps) and steps._repr_html_() and json.dumps(steps.to_dict())
    needed = [None] if metric.needs_references else []
    for references in ([], [None], *needed, 5, metric.prepare(targets[:1])):
        with pytest.raises(refscore.InputError):
            metric.explain("a", references)


def test_a_missing_package_is_named_for_an_index_and_a_checkout():
    error = refscore.errors.NotInstalledError("reports need vega: pip install 'refscore[report]'", name="vega")
    text = "reports need vega: pip install 'refscore[report]' (in a source checkout: pip install '.[report]')"
    assert (str(error), error.name) == (text, "vega")
    assert str(pickle.loads(pickle.dumps(error))) == text
    assert str(refscore.errors.NotInstalledError("tensors need torch: pip install torch")).endswith("torch")
