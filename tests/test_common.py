"""Properties of every metric, as tables: a metric that is missing from them fails the suite."""

import itertools
import math
import pickle
import random

import numpy as np
import pytest

import refscore
from refscore.metrics import RowSum, sum_rows

# The references for metrics that must be fitted.
FITTED_ON = [
    "The cat sat, on a mat.",
    ["a cat, on the mat", "the cat sat on the mat and looked at it"],
    "你好。 3.5% é",
]

# For every metric, the settings under which all properties are checked.
METRICS = {
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
        refscore.CHRF(units="graphemes", normalize="NFC", smoothing="nltk"),
        refscore.CHRF(units="graphemes", word_order=1, whitespace=True, beta=0),
        *map(refscore.CHRF.preset, ["chrf++", "nltk"]),
    ],
    "GLEU": [
        refscore.GLEU(),
        refscore.GLEU(tokenizer="char", lowercase=True, normalize="NFC", min_order=2, max_order=6),
        refscore.GLEU(tokenizer="intl", lowercase="ascii", max_order=1),
        *map(refscore.GLEU.preset, ["evaluate", "nltk"]),
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
        *map(refscore.ROUGE.preset, ["rouge1", "rouge2", "rougeL", "rougeLsum"]),
    ],
    "TER": [
        refscore.TER(),
        refscore.TER(tokenizer="tercom-norm", references_twice=False),
        refscore.TER(tokenizer="tercom-nopunct", lowercase=False),
        refscore.TER(tokenizer="tercom-norm-nopunct-asian"),
        refscore.TER.preset("sacrebleu", tokenizer="tercom-norm", lowercase=False),
    ],
    "WER": [refscore.WER(), refscore.WER(tokenizer="13a", lowercase="ascii"), refscore.WER(tokenizer="unicode")],
}

# Whether rows are integers.
ROWS_ARE_COUNTS = {
    "BLEU": lambda metric: metric.reference_length != "average",
    "CER": lambda metric: True,
    "CHRF": lambda metric: metric.average == "micro",
    "GLEU": lambda metric: True,
    "METEOR": lambda metric: False,
    "NIST": lambda metric: False,
    "RIBES": lambda metric: False,
    "ROUGE": lambda metric: False,
    "TER": lambda metric: False,
    "WER": lambda metric: True,
}

# Scores are plain Python numbers; these attributes are tuples of floats or of ints.
FLOAT_ATTRIBUTES = {
    "BLEU": ["value", "percent", "brevity_penalty", "ratio"],
    "CER": ["value", "percent", "mer", "wil", "wip"],
    "CHRF": ["value", "percent"],
    "GLEU": ["value", "percent"],
    "METEOR": ["value", "percent", "precision", "recall", "f_mean", "penalty"],
    "NIST": ["value", "percent", "length_penalty", "ref_len"],
    "RIBES": ["value", "percent", "nkt", "precision", "brevity_penalty"],
    "ROUGE": ["value", "percent", "precision", "recall"],
    "TER": ["value", "percent", "ref_len"],
    "WER": ["value", "percent", "mer", "wil", "wip"],
}
FLOAT_TUPLES = {**{name: [] for name in METRICS}, "BLEU": ["precisions"], "NIST": ["information"]}
INT_TUPLES = {**{name: [] for name in METRICS}, "BLEU": ["counts", "totals"], "NIST": ["totals"]}

# Whether a text compared with itself has the best score. nltk-5 averages with a virtual order of precision 2, METEOR
# has a penalty even for a single chunk, and NIST has no best score.
PERFECT_IS_BEST = {
    "BLEU": lambda metric: metric.smoothing != "nltk-5",
    "CER": lambda metric: True,
    "CHRF": lambda metric: True,
    "GLEU": lambda metric: True,
    "METEOR": lambda metric: metric.gamma == 0,
    "NIST": lambda metric: False,
    "RIBES": lambda metric: True,
    "ROUGE": lambda metric: True,
    "TER": lambda metric: True,
    "WER": lambda metric: True,
}

# Whether references without tokens have a score.
SCORES_EMPTY_REFERENCES = {
    "BLEU": lambda metric: True,
    "CER": lambda metric: True,
    "CHRF": lambda metric: True,
    "GLEU": lambda metric: True,
    "METEOR": lambda metric: True,
    "NIST": lambda metric: True,
    "RIBES": lambda metric: metric.empty_reference == "zero",
    "ROUGE": lambda metric: True,
    "TER": lambda metric: True,
    "WER": lambda metric: True,
}

# Whether a signature describes the metric completely; fitted weights are only named there.
SIGNATURE_IS_ALL = {
    "BLEU": lambda metric: True,
    "CER": lambda metric: True,
    "CHRF": lambda metric: True,
    "GLEU": lambda metric: True,
    "METEOR": lambda metric: True,
    "NIST": lambda metric: metric.information is None,
    "RIBES": lambda metric: True,
    "ROUGE": lambda metric: True,
    "TER": lambda metric: True,
    "WER": lambda metric: True,
}

# Whether token sequences have a score; they cannot be split into words.
SCORES_TOKENS = {
    "BLEU": lambda metric: True,
    "CER": lambda metric: True,
    "CHRF": lambda metric: metric.word_order == 0,
    "GLEU": lambda metric: True,
    "METEOR": lambda metric: True,
    "NIST": lambda metric: True,
    "RIBES": lambda metric: True,
    "ROUGE": lambda metric: True,
    "TER": lambda metric: True,
    "WER": lambda metric: True,
}

TABLES = [
    METRICS,
    ROWS_ARE_COUNTS,
    FLOAT_ATTRIBUTES,
    FLOAT_TUPLES,
    INT_TUPLES,
    PERFECT_IS_BEST,
    SCORES_EMPTY_REFERENCES,
    SIGNATURE_IS_ALL,
    SCORES_TOKENS,
]


def instances():
    for name, metrics in METRICS.items():
        for metric in metrics:
            yield pytest.param(name, metric, id=metric.signature)


every_metric = pytest.mark.parametrize(("name", "metric"), list(instances()))


def make_corpus(name, metric, size=60, seed=0):
    """Return short texts of few distinct words, with punctuation, some empty, and one to three references."""
    generator = random.Random(seed)
    vocabulary = ["the", "The", "cat", "sat,", "on", "a", "mat.", "3.5%", "don't", "你好。", "é", "👍🏽", "x-1"]

    def line(*lengths):
        return " ".join(generator.choices(vocabulary, k=generator.choice(lengths)))

    fewest = 0 if SCORES_EMPTY_REFERENCES[name](metric) else 1
    hypotheses, references = [], []
    for _ in range(size):
        references.append([line(fewest, 1, 3, 8, 12, 20) for _ in range(generator.randint(1, 3))])
        another = line(0, 1, 3, 8, 12, 20)
        hypotheses.append(generator.choice([another, references[-1][0], references[-1][0] + " " + another]))
    return hypotheses, references


@pytest.fixture
def corpus(name, metric):
    return make_corpus(name, metric)


@pytest.fixture
def texts(corpus):
    return corpus[0]


@pytest.fixture
def targets(corpus):
    return corpus[1]


def test_every_metric_is_in_every_table():
    metrics = {kind.__name__ for kind in refscore.metrics.METRICS.values() if kind.__module__.startswith("refscore.")}
    assert metrics <= {*refscore.__all__}
    for table in TABLES:
        assert set(table) == metrics


@every_metric
def test_permuted_segments(name, metric, texts, targets):
    order = list(range(len(texts)))
    random.Random(1).shuffle(order)
    hypotheses, references = [texts[i] for i in order], [targets[i] for i in order]
    assert np.array_equal(metric.stats(hypotheses, references), metric.stats(texts, targets)[order])
    assert np.array_equal(metric.segments(hypotheses, references), metric.segments(texts, targets)[order])
    assert metric.corpus(hypotheses, references).row.tolist() == metric.corpus(texts, targets).row.tolist()


@every_metric
def test_shards_add_up(name, metric, texts, targets):
    whole = metric.stats(texts, targets)
    cuts = [0, 1, 7, 7, 40, len(texts)]
    shards = [metric.stats(texts[a:b], targets[a:b]) for a, b in itertools.pairwise(cuts)]
    assert np.array_equal(np.concatenate(shards), whole)
    expected = metric.corpus(texts, targets)
    assert expected.row.tolist() == [math.fsum(column) for column in whole.T.tolist()]
    total = RowSum(len(metric.columns), metric.row_type)
    for shard in shards[::-1]:
        total.add(shard)
    assert total.row.tolist() == expected.row.tolist()
    assert metric.score(total.row).value == expected.value
    # NumPy rounds its sums after each addition.
    assert metric.score(sum(shard.sum(axis=0) for shard in shards)).value == pytest.approx(expected.value, rel=1e-12)


@every_metric
def test_segments_are_scores_of_rows(name, metric, texts, targets):
    rows, values = metric.stats(texts, targets), metric.segments(texts, targets)
    assert values.dtype == np.float64
    assert values.shape == (len(texts),)
    for i, (hypothesis, references) in enumerate(zip(texts, targets, strict=True)):
        assert metric.score(rows[i]).value == values[i] == metric.segment(hypothesis, references).value
        value, row = metric.value_and_row(hypothesis, references)
        assert (value, row) == (values[i], tuple(rows[i].tolist()))
        assert [type(value), *map(type, row)] == [float, *map(type, rows[i].tolist())]


@every_metric
def test_rows_follow_the_columns(name, metric, texts, targets):
    rows = metric.stats(texts, targets)
    assert rows.shape == (len(texts), len(metric.columns))
    assert rows.dtype == (np.int64 if ROWS_ARE_COUNTS[name](metric) else np.float64)
    assert len(set(metric.columns)) == len(metric.columns)
    for wrong in (rows[0][:-1], np.append(rows[0], 0)):
        with pytest.raises(refscore.InputError):
            metric.score(wrong)


@every_metric
def test_threads_change_nothing(name, metric):
    hypotheses, references = make_corpus(name, metric, 300, seed=2)  # several blocks of 64
    serial = metric.stats(hypotheses, references, threads=1)
    for threads in (None, 2, 7):
        assert np.array_equal(metric.stats(hypotheses, references, threads=threads), serial)
        score = metric.corpus(hypotheses, references, threads=threads)
        assert score.row.tolist() == [math.fsum(column) for column in serial.T.tolist()]
        assert score.value == metric.score(sum_rows(serial)).value
        values = metric.segments(hypotheses, references, threads=threads)
        assert np.array_equal(values, metric.segments(hypotheses, references, threads=1))


@every_metric
def test_pickling(name, metric, texts, targets):
    copy = pickle.loads(pickle.dumps(metric))
    assert copy == metric
    assert hash(copy) == hash(metric)
    assert np.array_equal(copy.stats(texts, targets), metric.stats(texts, targets))
    score = metric.corpus(texts, targets)
    again = pickle.loads(pickle.dumps(score))
    assert (again.value, again.signature) == (score.value, score.signature)


@pytest.mark.parametrize("name", METRICS)
def test_equality_and_hashing(name):
    metrics = METRICS[name]
    kind = getattr(refscore, name)
    assert kind() == kind()
    assert hash(kind()) == hash(kind())
    assert len({*metrics, *(pickle.loads(pickle.dumps(metric)) for metric in metrics)}) == len(set(metrics))
    assert len({metric.signature for metric in metrics}) == len(set(metrics))
    assert kind() != "something else"


@every_metric
def test_frozen(name, metric):
    with pytest.raises(AttributeError):
        metric.tokenizer = "none"


@every_metric
def test_settings_are_named(name, metric):
    with pytest.raises(TypeError, match="positional"):
        type(metric)("none")


@every_metric
def test_a_row_of_nothing_scores_as_its_kernel_says(name, metric):
    """Sums over no segments, as of an empty shard."""
    nothing = np.zeros(len(metric.columns), metric.row_type)
    score = metric.score(nothing)
    assert score.value == metric.values(nothing[np.newaxis])[0]
    assert all(np.isfinite(number) for number in score.details().values() if isinstance(number, float))


@every_metric
def test_empty_corpus(name, metric, texts, targets):
    assert metric.stats([], []).shape == (0, len(metric.columns))
    assert metric.stats([], []).dtype == metric.stats(texts, targets).dtype
    assert metric.segments([], []).shape == (0,)
    with pytest.raises(refscore.InputError):
        metric.corpus([], [])


@every_metric
def test_length_mismatch(name, metric, texts, targets):
    prepared = metric.prepare(targets[:-1])
    for references in (targets[:-1], [*targets, ["one more"]], [], prepared):
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError):
                method(texts, references)


@every_metric
def test_wrong_shapes(name, metric):
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
    for score in (
        metric.corpus(texts, targets),
        metric.segment(texts[0], targets[0]),
        metric.segment("", ["a"]),
        metric.score(metric.stats(texts, targets).sum(axis=0)),
    ):
        assert float(score) == score.value
        for attribute in FLOAT_ATTRIBUTES[name]:
            assert type(getattr(score, attribute)) is float, attribute
        for attribute, kind in [
            *((attribute, float) for attribute in FLOAT_TUPLES[name]),
            *((attribute, int) for attribute in INT_TUPLES[name]),
        ]:
            assert type(getattr(score, attribute)) is tuple
            assert {type(item) for item in getattr(score, attribute)} == {kind}, attribute
        assert score.percent == pytest.approx(100 * score.value, rel=1e-15)


@every_metric
def test_prepared_references(name, metric, texts, targets):
    prepared = metric.prepare(targets)
    for _ in range(2):  # prepare once, use twice
        assert np.array_equal(metric.stats(texts, prepared), metric.stats(texts, targets))
    assert np.array_equal(metric.segments(texts, prepared), metric.segments(texts, targets))
    assert metric.corpus(texts, prepared).value == metric.corpus(texts, targets).value
    others = texts[::-1]
    assert np.array_equal(metric.stats(others, prepared), metric.stats(others, targets))


@every_metric
def test_prepared_references_of_tokens(name, metric, texts, targets):
    hypotheses = [text.split() for text in texts]
    references = [[text.split() for text in refs] for refs in targets]
    if not SCORES_TOKENS[name](metric):
        for call in (lambda: metric.prepare(references), lambda: metric.stats(hypotheses, references)):
            with pytest.raises(refscore.InputError, match="tokens"):
                call()
        return
    prepared = metric.prepare(references)
    assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, references))


@every_metric
def test_pairwise_is_segment_scores(name, metric, texts, targets):
    hypotheses, references = texts[:6], [refs[0] for refs in targets[:4]]
    expected = [
        [metric.segment(hypothesis, [reference]).value for reference in references] for hypothesis in hypotheses
    ]
    for threads in (None, 1, 3):
        matrix = metric.pairwise(hypotheses, references, threads=threads)
        assert matrix.dtype == np.float64
        assert matrix.tolist() == expected


@every_metric
def test_pairwise_batches_and_tokens(name, metric, texts, targets):
    batches = (
        [texts[:3], texts[3:5]],
        [[refs[0] for refs in targets[:2]], [refs[0] for refs in targets[2:6]]],
    )
    matrices = metric.pairwise(*batches)
    assert [matrix.shape for matrix in matrices] == [(3, 2), (2, 4)]
    for matrix, hypotheses, references in zip(matrices, *batches, strict=True):
        assert np.array_equal(matrix, metric.pairwise(hypotheses, references))

    hypotheses, references = [text.split() for text in texts[:4]], [refs[0].split() for refs in targets[:3]]
    if not SCORES_TOKENS[name](metric):
        with pytest.raises(refscore.InputError, match="tokens"):
            metric.pairwise(hypotheses, references, tokens=True)
        return
    expected = [
        [metric.segment(hypothesis, [reference]).value for reference in references] for hypothesis in hypotheses
    ]
    assert metric.pairwise(hypotheses, references, tokens=True).tolist() == expected


@every_metric
def test_signature_round_trip(name, metric):
    if not SIGNATURE_IS_ALL[name](metric):
        with pytest.raises(refscore.SignatureError):
            refscore.from_signature(metric.signature)
        return
    assert refscore.from_signature(metric.signature) == metric
    assert metric.signature == refscore.from_signature(metric.signature).signature


@every_metric
def test_scores_carry_their_settings(name, metric, texts, targets):
    score = metric.corpus(texts, targets)
    if SIGNATURE_IS_ALL[name](metric):
        assert refscore.from_signature(score.signature) == metric
    else:
        assert (
            score.signature.replace(f"|nrefs:{score.signature.split('nrefs:')[1].split('|')[0]}", "")
            == metric.signature
        )


@every_metric
def test_perfect_score(name, metric):
    text = "the cat sat on the mat and looked at it"
    best = 1.0 if metric.higher_is_better else 0.0
    assert (metric.corpus([text], [[text]]).value == pytest.approx(best)) == PERFECT_IS_BEST[name](metric)


@every_metric
def test_ways_to_write_one_reference(name, metric, texts, targets):
    """A text is a list of one text, a tuple is a list, and None is a missing reference."""
    hypotheses, references = texts[:5], [refs[0] for refs in targets[:5]]
    plain = metric.stats(hypotheses, references)
    assert np.array_equal(plain, metric.stats(hypotheses, [[text] for text in references]))
    assert np.array_equal(plain, metric.stats(tuple(hypotheses), tuple((text,) for text in references)))
    assert np.array_equal(plain, metric.stats(hypotheses, [[None, text, None] for text in references]))
