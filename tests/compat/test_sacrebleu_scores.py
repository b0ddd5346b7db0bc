"""sacrebleu's scores by the drop-in and by sacrebleu, on difficult text."""

import logging
import random

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from refscore.compat import sacrebleu as ours
from refscore.compat.sacrebleu.metrics import lib_ter
from tests import strategies
from tests.compat.alike import assert_alike, both, streams
from tests.examples import examples

SMOOTHINGS = [("none", None), ("exp", None), ("exp", 3)]
SMOOTHINGS += [(name, value) for name in ("floor", "add-k") for value in (None, 0.01, 1, 2.5)]
flags = st.booleans()
bleu_settings = st.fixed_dictionaries(
    {
        "lowercase": flags,
        "tokenize": st.sampled_from([None, "none", "13a", "intl", "zh", "char"]),
        "smoothing": st.sampled_from(SMOOTHINGS),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": flags,
    }
)
chrf_settings = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 3),
        "lowercase": flags,
        "whitespace": flags,
        "eps_smoothing": flags,
    }
)
ter_settings = st.fixed_dictionaries(
    dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), flags)
)


def check(name, chosen, corpus):
    """Compare the corpus, each segment, cached references, signatures and statistics."""
    hypotheses, references = corpus
    given_streams = streams(references)
    made = [getattr(library, name)(**chosen) for library in (ours, sacrebleu)]
    assert_alike(*[metric.corpus_score(hypotheses, given_streams) for metric in made])
    for short in (False, True):
        assert made[0].get_signature().format(short) == made[1].get_signature().format(short)
    stats = [metric._extract_corpus_statistics(hypotheses, given_streams) for metric in made]
    assert_alike(*stats)
    assert_alike(*[metric._aggregate_and_compute(rows) for metric, rows in zip(made, stats, strict=True)])
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        assert_alike(*[metric.sentence_score(hypothesis, texts) for metric in made])
        assert str(made[0].get_signature()) == str(made[1].get_signature())
        one = [
            metric._compute_segment_statistics(
                metric._preprocess_segment(hypothesis),
                metric._extract_reference_info([metric._preprocess_segment(text) for text in texts]),
            )
            for metric in made
        ]
        assert_alike(*one)
    cached = [getattr(library, name)(**chosen, references=given_streams) for library in (ours, sacrebleu)]
    assert_alike(*[metric.corpus_score(hypotheses, None) for metric in cached])
    assert str(cached[0].get_signature()) == str(cached[1].get_signature())


@pytest.mark.parametrize("call", ["corpus_bleu", "sentence_bleu", "raw_corpus_bleu"])
@pytest.mark.parametrize("length", [4, 6, 30])
def test_a_perfect_match_has_the_same_bits(call, length):
    """Some of sacrebleu's are above 100, which clients compare with."""
    text = " ".join(map(str, range(length)))
    arguments = (text, [text]) if call == "sentence_bleu" else ([text], [[text]])
    scores = [getattr(library, call)(*arguments).score for library in (ours, sacrebleu)]
    assert scores[0].hex() == scores[1].hex()


@examples(150)
@given(corpus=strategies.text_corpora, chosen=bleu_settings)
def test_bleu(corpus, chosen):
    method, value = chosen.pop("smoothing")
    check("BLEU", {**chosen, "smooth_method": method, "smooth_value": value}, corpus)


@examples(100)
@given(corpus=strategies.text_corpora, chosen=chrf_settings)
def test_chrf(corpus, chosen):
    check("CHRF", chosen, corpus)


@examples(60)
@given(corpus=strategies.text_corpora, chosen=ter_settings)
def test_ter(corpus, chosen):
    check("TER", chosen, corpus)


@examples(60)
@given(corpus=strategies.text_corpora, chosen=bleu_settings)
def test_functions_of_bleu(corpus, chosen):
    hypotheses, references = corpus
    method, value = chosen["smoothing"]
    options = {"smooth_method": method, "smooth_value": value, "lowercase": chosen["lowercase"]}
    options |= {"tokenize": chosen["tokenize"], "use_effective_order": chosen["effective_order"]}
    for texts in (streams(references), tuple(streams(references))):
        assert_alike(*[library.corpus_bleu(hypotheses, texts, **options) for library in (ours, sacrebleu)])
        assert_alike(*[library.raw_corpus_bleu(hypotheses, texts) for library in (ours, sacrebleu)])
    for pair in zip(hypotheses, references, strict=True):
        assert_alike(*[library.sentence_bleu(*pair, **options) for library in (ours, sacrebleu)])
        assert_alike(*[library.sentence_bleu(*pair) for library in (ours, sacrebleu)])


@examples(40)
@given(corpus=strategies.text_corpora, chosen=chrf_settings, ter=ter_settings)
def test_functions_of_the_others(corpus, chosen, ter):
    hypotheses, references = corpus
    options = {key: chosen[key] for key in ("char_order", "word_order", "beta", "eps_smoothing")}
    options["remove_whitespace"] = not chosen["whitespace"]
    texts = streams(references)
    for library_options, name in ((options, "chrf"), ({}, "chrf"), (ter, "ter"), ({}, "ter")):
        corpus_calls = [getattr(library, f"corpus_{name}") for library in (ours, sacrebleu)]
        assert_alike(*[call(hypotheses, texts, **library_options) for call in corpus_calls])
        sentence_calls = [getattr(library, f"sentence_{name}") for library in (ours, sacrebleu)]
        for pair in zip(hypotheses, references, strict=True):
            assert_alike(*[call(*pair, **library_options) for call in sentence_calls])


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_references_that_vary_in_number(name):
    hypotheses = ["the cat sat on the mat", "it rained all day long", "nobody came"]
    texts = [["the cat sat on a mat", None, "nobody came"], [None, "it rained all day long", ""]]
    made = [getattr(library, name)() for library in (ours, sacrebleu)]
    assert_alike(*[metric.corpus_score(hypotheses, texts) for metric in made])
    assert str(made[0].get_signature()) == str(made[1].get_signature())
    assert "nrefs:var" in str(made[0].get_signature())
    assert_alike(*[metric.sentence_score("a b c", [None, "a b d"]) for metric in made])
    assert "nrefs:1" in str(made[0].get_signature())


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
    for library in (ours, sacrebleu):
        lists = list(correct), list(total)
        sides = length, length if reference_length is None else reference_length
        made.append(library.BLEU.compute_bleu(*lists, *sides, *smoothing, effective, len(shares)))
        assert made[-1].counts is lists[0]
    assert_alike(*made)


def test_the_example_of_evaluates_wiki_split():
    """Values printed by the module card, which calls `sacrebleu.corpus_bleu`."""
    texts = ["About 95 you now get in ."], [["About 95 species are currently known ."]]
    assert ours.corpus_bleu(*texts).score == sacrebleu.corpus_bleu(*texts).score == 14.535768424205482


@examples(400)
@given(text=strategies.lines(), flags=ter_settings)
def test_tokenizers(text, flags):
    for module, name in [
        ("13a", "Tokenizer13a"),
        ("char", "TokenizerChar"),
        ("intl", "TokenizerV14International"),
        ("none", "NoneTokenizer"),
        ("re", "TokenizerRegexp"),
        ("zh", "TokenizerZh"),
    ]:
        kinds = [getattr(found, name) for found in both(f".tokenizers.tokenizer_{module}")]
        assert kinds[0]()(text) == kinds[1]()(text)
        assert kinds[0]().signature() == kinds[1]().signature()
    tercom = [found.TercomTokenizer(**flags) for found in both(".tokenizers.tokenizer_ter")]
    assert tercom[0](text) == tercom[1](text)
    assert tercom[0].signature() == tercom[1].signature()


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
            made = [library.BLEU.compute_bleu(*lists, total, total).prec_str for library in (ours, sacrebleu)]
            assert made[0] == made[1]


def test_a_larger_corpus():
    generator = random.Random(5)
    words = [f"w{k}" for k in range(200)] + [",", "."]
    references = [[" ".join(generator.choices(words, k=generator.randint(1, 20))) for _ in range(60)] for _ in range(3)]
    hypotheses = [" ".join(word for word in text.split() if generator.random() < 0.9) or "x" for text in references[0]]
    for name in ("BLEU", "CHRF", "TER"):
        made = [getattr(library, name)() for library in (ours, sacrebleu)]
        assert_alike(*[metric.corpus_score(hypotheses, references) for metric in made])


@pytest.mark.parametrize("count", [99, 100])
@pytest.mark.parametrize("force", [False, True])
def test_text_that_looks_tokenized_is_warned_about(count, force, caplog):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    hypotheses = ["it is late ."] * count + ["it is late."]
    for library in (ours, sacrebleu):
        caplog.clear()
        library.corpus_bleu(hypotheses, [hypotheses], force=force)
        assert bool(caplog.records) == (count == 100 and not force)


def test_single_sentences_without_effective_order_are_warned_about(caplog):
    caplog.set_level(logging.WARNING, logger="sacrebleu")
    for library in (ours, sacrebleu):
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
