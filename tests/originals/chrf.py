"""Other implementations of chrF: sacrebleu, NLTK, fastchrf and the oracle."""

from dataclasses import asdict, replace

import fastchrf
import sacrebleu
from hypothesis import strategies as st
from nltk.translate import chrf_score as nltk_chrf

from refscore import CHRF
from tests import strategies
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS, Inputs
from tests.differential import Expected, Original, drawn, each, streams
from tests.reference import chrf as oracle
from tests.sacrebleu_options import chrf_settings

BETAS = (0, 1, 2, 3, 0.5, 3.25, 1e-9, 1e9)
CHARACTERS = {
    "char_order": st.integers(1, 8),
    "beta": st.sampled_from([0.5, 1.0, 2.0, 3.0]),
    "whitespace": st.booleans(),
}
FLAGS = {"lowercase": st.booleans(), "whitespace": st.booleans(), "eps_smoothing": st.booleans()}


def sacrebleu_scores(hypotheses, references, **options):
    original = sacrebleu.CHRF(**options)
    rows = original._extract_corpus_statistics(hypotheses, streams(references))
    return Expected(
        segments=[score.score / 100 for score in each(original.sentence_score, hypotheses, references)],
        corpus=original.corpus_score(hypotheses, streams(references)).score / 100,
        rows=[list(map(int, row)) for row in rows],
    )


def without_separators(text):
    """Replace U+001C to U+001F, which neither NLTK's regex nor fastchrf's Rust treats as whitespace."""
    return text.translate(dict.fromkeys(range(0x1C, 0x20), " "))


def nltk_scores(hypotheses, references, *, char_order=6, beta=3.0, whitespace=False):
    options = {"max_len": char_order, "beta": beta, "ignore_whitespace": not whitespace}

    def segment(hypothesis, references):
        return nltk_chrf.sentence_chrf(references[0], hypothesis, **options)

    return Expected(
        segments=each(segment, hypotheses, references),
        corpus=nltk_chrf.corpus_chrf([refs[0] for refs in references], hypotheses, **options),
    )


def fastchrf_scores(hypotheses, references, *, whitespace=False, **options):
    singles = [[hypothesis] for hypothesis in hypotheses]
    matrices = fastchrf.pairwise_chrf(singles, references, remove_whitespace=not whitespace, **options)
    return Expected(segments=[max(matrix[0]) / 100 for matrix in matrices])


# The oracle

settings = st.builds(
    oracle.Settings,
    char_order=st.integers(1, 8),
    word_order=st.integers(0, 3),
    beta=st.sampled_from(BETAS),
    lowercase=st.sampled_from(oracle.LOWERCASES),
    normalize=st.sampled_from(oracle.NORMALIZATIONS),
    whitespace=st.booleans(),
    smoothing=st.sampled_from(oracle.SMOOTHINGS),
    characters=st.sampled_from(oracle.UNITS),
    average=st.sampled_from(oracle.AVERAGES),
)
token_settings = settings.map(lambda setting: replace(setting, word_order=0))
word_settings = settings.map(lambda setting: replace(setting, char_order=0, word_order=setting.word_order + 1))


def make(setting):
    return CHRF(**asdict(setting))


def oracle_scores(hypotheses, references, *, setting):
    def fields(row):
        fields = {"value": oracle.score(setting, row)}
        if setting.average == "micro":
            fields["precision"], fields["recall"] = oracle.mean_precision_and_recall(row)
            fields |= {"hyp_ngrams": row[0::3], "ref_ngrams": row[1::3], "matches": row[2::3]}
        return fields

    rows = oracle.rows(setting, hypotheses, references)
    total = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=list(map(fields, rows)), corpus=fields(total), rows=rows)


@st.composite
def few_letters(draw):
    """Return a segment of few distinct characters, so most n-grams repeat."""
    letters = draw(st.sampled_from(["a", "ab", "aA ", "ab ,.", "é\u0301e ", "İiI\u0307", "Σσς α", "\ud83d\udc4d👍"]))
    text = st.text(letters, max_size=30)
    return draw(text), draw(st.lists(text, min_size=1, max_size=3))


LETTERS = Inputs("few letters", strategies.corpora(few_letters()))


FASTCHRF = Original(
    name="fastchrf",
    metric=lambda whitespace=False, **options: CHRF(whitespace=whitespace, **chrf_settings(**options)),
    scores=fastchrf_scores,
    table=[{}, {"whitespace": True, "eps_smoothing": True, "beta": 0.5}],
    options=drawn(eps_smoothing=st.booleans(), **CHARACTERS),
    # UTF-8 cannot encode lone surrogates.
    clean=lambda text: without_separators(text).encode("utf-8", "replace").decode(),
)

ORACLE = Original(
    name="oracle",
    metric=make,
    scores=oracle_scores,
    inputs=(TEXT, LETTERS),
    table=[
        {"setting": oracle.Settings(word_order=2, characters="graphemes", lowercase=True)},
        {"setting": oracle.Settings(word_order=2, whitespace=True, lowercase="ascii", normalize="NFKC")},
        {"setting": oracle.Settings(normalize="NFC", characters="graphemes", whitespace=True, smoothing="epsilon")},
        {"setting": oracle.PRESETS["nltk"]},
    ],
    options=drawn(setting=settings | word_settings),
    long=False,
)

ORIGINALS = [
    Original(
        name="sacrebleu",
        metric=lambda **options: CHRF.preset("sacrebleu", **chrf_settings(**options)),
        scores=sacrebleu_scores,
        table=[
            {},
            {"char_order": 40, "word_order": 2, "lowercase": True},
            {"char_order": 0, "word_order": 3, "beta": 0.5},
            {"word_order": 2, "whitespace": True, "eps_smoothing": True},
        ],
        options=st.one_of(
            drawn(char_order=st.integers(1, 8), word_order=st.integers(0, 3), beta=st.sampled_from(BETAS), **FLAGS),
            drawn(char_order=st.just(0), word_order=st.integers(1, 4), **FLAGS),
        ),
    ),
    Original(
        name="nltk",
        metric=lambda **options: CHRF.preset("nltk", **options),
        scores=nltk_scores,
        table=[{}, {"whitespace": True, "beta": 0.5}],
        options=drawn(**CHARACTERS),
        clean=without_separators,
        references=1,
    ),
    FASTCHRF,
    ORACLE,
    Original(
        name="oracle of tokens",
        metric=make,
        scores=oracle_scores,
        inputs=(TOKENS, IDS, OBJECTS),
        table=[{"setting": oracle.Settings()}],
        options=drawn(setting=token_settings),
    ),
]
