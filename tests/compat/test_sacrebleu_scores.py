"""sacrebleu's scores by the drop-in and by sacrebleu, on difficult text."""

import logging
import random

import pytest
import sacrebleu
from hypothesis import given, strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from refscore.compat import sacrebleu as ours
from refscore.compat.sacrebleu.metrics import lib_ter
from tests import strategies
from tests.compat.alike import assert_alike, both, streams
from tests.examples import examples

SMOOTHINGS = [("none", None), ("exp", None), ("exp", 3)]
SMOOTHINGS += [(name, value) for name in ("floor", "add-k") for value in (None, 0.01, 1, 2.5)]
flags = st.booleans()
ter_settings = st.fixed_dictionaries(
    dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), flags)
)
SETTINGS = {
    "BLEU": st.fixed_dictionaries(
        {
            "lowercase": flags,
            "tokenize": st.sampled_from([None, "none", "13a", "intl", "zh", "char"]),
            "smoothing": st.sampled_from(SMOOTHINGS),
            "max_ngram_order": st.integers(1, 6),
            "effective_order": flags,
        }
    ),
    "CHRF": st.fixed_dictionaries(
        {
            **{"char_order": st.integers(1, 7), "word_order": st.integers(0, 3), "beta": st.integers(1, 3)},
            **dict.fromkeys(("lowercase", "whitespace", "eps_smoothing"), flags),
        }
    ),
    "TER": ter_settings,
}
LIBRARIES = (ours, sacrebleu)


def check(name, chosen, corpus):
    """Compare the corpus, each segment, cached references, signatures and statistics."""
    hypotheses, references = corpus
    given_streams = streams(references)
    made = [getattr(library, name)(**chosen) for library in LIBRARIES]
    assert_alike(*[metric.corpus_score(hypotheses, given_streams) for metric in made])
    for short in (False, True):
        assert made[0].get_signature().format(short) == made[1].get_signature().format(short)
    stats = [metric._extract_corpus_statistics(hypotheses, given_streams) for metric in made]
    assert_alike(*stats)
    assert_alike(*[metric._aggregate_and_compute(rows) for metric, rows in zip(made, stats, strict=True)])
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        assert_alike(*[metric.sentence_score(hypothesis, texts) for metric in made])
        assert str(made[0].get_signature()) == str(made[1].get_signature())
        one = []
        for metric in made:
            info = metric._extract_reference_info(
                [metric._preprocess_segment(text) for text in texts if text is not None]
            )
            one.append(metric._compute_segment_statistics(metric._preprocess_segment(hypothesis), info))
        assert_alike(*one)
    cached = [getattr(library, name)(**chosen, references=given_streams) for library in LIBRARIES]
    assert_alike(*[metric.corpus_score(hypotheses, None) for metric in cached])
    assert str(cached[0].get_signature()) == str(cached[1].get_signature())


def check_functions(name, options, corpus):
    """Compare the functions of a metric."""
    hypotheses, references = corpus
    for texts in (streams(references), tuple(streams(references))):
        assert_alike(*[getattr(library, f"corpus_{name}")(hypotheses, texts, **options) for library in LIBRARIES])
    for pair in zip(hypotheses, references, strict=True):
        assert_alike(*[getattr(library, f"sentence_{name}")(*pair, **options) for library in LIBRARIES])


@pytest.mark.parametrize("name", SETTINGS)
@examples(100)
@given(corpus=strategies.text_corpora, data=st.data())
def test_metrics_and_functions(name, corpus, data):
    chosen = data.draw(SETTINGS[name])
    if name == "BLEU":
        chosen["smooth_method"], chosen["smooth_value"] = chosen.pop("smoothing")
    check(name, chosen, corpus)
    options = {
        key: value
        for key, value in chosen.items()
        if (name, key) not in (("BLEU", "max_ngram_order"), ("CHRF", "lowercase"))
    }
    if name == "BLEU":
        options["use_effective_order"] = options.pop("effective_order")
        assert_alike(*[library.raw_corpus_bleu(corpus[0], streams(corpus[1])) for library in LIBRARIES])
    if name == "CHRF":
        options["remove_whitespace"] = not options.pop("whitespace")
    check_functions(name.lower(), options, corpus)


GENERATOR = random.Random(5)
WORDS = [f"w{k}" for k in range(200)] + [",", "."]
MANY = [[" ".join(GENERATOR.choices(WORDS, k=GENERATOR.randint(1, 20))) for _ in range(3)] for _ in range(60)]
CASES = {
    **{f"perfect match of {n}": ([" ".join(map(str, range(n)))], [[" ".join(map(str, range(n)))]]) for n in (4, 6, 30)},
    "numbers of references that vary": (
        ["the cat sat on the mat", "it rained all day long", "nobody came"],
        [["the cat sat on a mat"], [None, "it rained all day long"], ["nobody came", ""]],
    ),
    "the example of evaluate's wiki_split": (
        *(["About 95 you now get in ."], [["About 95 species are currently known ."]]),
    ),
    "a larger corpus": ([" ".join(group[0].split()[:-1]) or "x" for group in MANY], MANY),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("case", CASES)
def test_cases(name, case):
    """Some of sacrebleu's scores of perfect matches are above 100, which clients compare with."""
    check(name, {}, CASES[case])
    check_functions(name.lower(), {}, CASES[case])


lengths = st.one_of(st.integers(1, 9), st.integers(10, 60), st.integers(61, 10**7))
shares = st.lists(st.one_of(st.floats(0, 1), st.just(1.0)), min_size=1, max_size=7)


@examples(1500)
@given(
    length=lengths,
    shares=shares,
    reference_length=st.none() | lengths,
    smoothing=st.sampled_from(SMOOTHINGS),
    effective=flags,
)
def test_compute_bleu(*, length, shares, reference_length, smoothing, effective):
    """The same bits for any counts, up to corpora of ten million words and with equal lengths."""
    total = [max(0, length - n) for n in range(len(shares))]
    correct = [int(count * share) for count, share in zip(total, shares, strict=True)]
    made = []
    for library in LIBRARIES:
        lists = list(correct), list(total)
        sides = length, length if reference_length is None else reference_length
        made.append(library.BLEU.compute_bleu(*lists, *sides, *smoothing, effective, len(shares)))
        assert made[-1].counts is lists[0]
    assert_alike(*made)


@examples(400)
@given(text=strategies.lines(), flags=ter_settings)
def test_tokenizers(text, flags):
    names = {"13a": "Tokenizer13a", "char": "TokenizerChar", "intl": "TokenizerV14International"}
    names |= {"none": "NoneTokenizer", "re": "TokenizerRegexp", "zh": "TokenizerZh", "ter": "TercomTokenizer"}
    for module, name in names.items():
        options = flags if module == "ter" else {}
        made = [getattr(found, name)(**options) for found in both(f".tokenizers.tokenizer_{module}")]
        assert made[0](text) == made[1](text)
        assert made[0].signature() == made[1].signature()


@given(text=strategies.lines(), order=st.integers(1, 4), whitespace=flags)
def test_counters(text, order, whitespace):
    helpers = both(".metrics.helpers")
    for made in (
        [found.extract_all_word_ngrams(text, 1, order) for found in helpers],
        [found.extract_word_ngrams(text.split(), order) for found in helpers],
        [found.extract_char_ngrams(text, order, whitespace) for found in helpers],
        [found.extract_all_char_ngrams(text, order, whitespace) for found in helpers],
    ):
        assert made[0] == made[1]


@given(st.lists(st.sampled_from("abcde"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12))
def test_edits_of_tokens(hypothesis, reference):
    assert lib_ter.translation_edit_rate(hypothesis, reference) == translation_edit_rate(hypothesis, reference)


def test_precisions_on_ties_are_rounded_alike():
    for total in range(16, 500, 16):  # only multiples of 16 can make a percentage end in exactly .x5
        for correct in range(1, total + 1, max(1, total // 40)):
            lists = [correct] * 4, [total] * 4
            made = [library.BLEU.compute_bleu(*lists, total, total).prec_str for library in LIBRARIES]
            assert made[0] == made[1]


@pytest.mark.parametrize("count", [99, 100])
@pytest.mark.parametrize("force", [False, True])
def test_text_that_looks_tokenized_is_warned_about(count, force, caplog):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    hypotheses = ["it is late ."] * count + ["it is late."]
    for library in LIBRARIES:
        caplog.clear()
        library.corpus_bleu(hypotheses, [hypotheses], force=force)
        assert bool(caplog.records) == (count == 100 and not force)


def test_single_sentences_without_effective_order_are_warned_about(caplog):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    for library in LIBRARIES:
        caplog.clear()
        library.sentence_bleu("a b", ["a b"])
        assert not caplog.records
        library.sentence_bleu("a b", ["a b"], use_effective_order=False)
        assert "effective_order" in caplog.text
        caplog.clear()
        library.BLEU(trg_lang="zh", tokenize="13a")
        assert "'zh'" in caplog.text
        assert library.BLEU(trg_lang="zh").tokenizer.signature() == "zh"
        assert library.BLEU(trg_lang="de").tokenizer.signature() == "13a"
