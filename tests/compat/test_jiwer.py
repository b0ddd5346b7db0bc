"""jiwer's interface in refscore compared with jiwer: values, types, words, alignments and their visualization."""

import copy
import dataclasses
import inspect
import pickle
import random

import jiwer
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.compat import jiwer as ours
from refscore.compat.jiwer import cli as our_cli
from tests import strategies
from tests.examples import examples

MEASURES = ["wer", "mer", "wil", "wip", "cer"]
PROCESSES = ["process_words", "process_characters"]
CHAINS = [name for name in ours.__all__ if name.startswith(("wer_", "cer_"))]


def same(value, expected):
    """Check values and types: jiwer returns integers if there are no words."""
    assert type(value) is type(expected)
    assert value == expected or abs(value - expected) <= 1e-12 * abs(expected)


def check_output(output, original):
    assert repr(output) == repr(original)
    for field, value in dataclasses.asdict(original).items():
        if isinstance(value, (int, float)):
            same(getattr(output, field), value)
        else:
            assert dataclasses.asdict(output)[field] == value
    for line_width in (None, 20, 1):
        for show_measures, skip_correct in ((True, True), (False, False), (False, True)):
            options = {"show_measures": show_measures, "skip_correct": skip_correct, "line_width": line_width}
            assert ours.visualize_alignment(output, **options) == jiwer.visualize_alignment(original, **options)
    counts, original_counts = ours.collect_error_counts(output), jiwer.collect_error_counts(original)
    assert counts == original_counts
    assert [list(errors) for errors in counts] == [list(errors) for errors in original_counts]
    for options in ({}, {"top_k": 1}, {"show_substitutions": False}, {"show_insertions": False, "top_k": 2}):
        drawn = ours.visualize_error_counts(output, **options)
        assert drawn == jiwer.visualize_error_counts(original, **options)


def check(references, hypotheses):
    for name in MEASURES:
        same(getattr(ours, name)(references, hypotheses), getattr(jiwer, name)(references, hypotheses))
    for name in PROCESSES:
        check_output(getattr(ours, name)(references, hypotheses), getattr(jiwer, name)(references, hypotheses))


@given(corpus=strategies.text_corpora)
@examples(60)
def test_awkward_text(corpus):
    hypotheses, references = corpus[0], [refs[0] for refs in corpus[1]]
    check(references, hypotheses)
    check(references[0], hypotheses[0])


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("", ""),
        ("", "a b"),
        ("a b", ""),
        ([], []),
        ([], ["a"]),
        (["a b"], []),
        (["", ""], ["", ""]),
        (["", "a"], ["b", ""]),
        ("hello world", ["hello duck"]),
        ("* b *", "a * c *"),
        ("a\tb  c\n\nd", "a b c d"),
        ("\ud800 x", "\udfff x"),
        (
            ["short one here", "quite a bit of longer sentence"],
            ["shoe order one", "quite bit of an even longest sentence"],
        ),
    ],
)
def test_cases(reference, hypothesis):
    check(reference, hypothesis)


def generated(seed, size, words, longest):
    generator = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    references = [" ".join(generator.choices(vocabulary, k=generator.randrange(longest))) for _ in range(size)]
    hypotheses = [
        " ".join(strategies.noisy_copy(generator.random(), reference.split(), 0.4)) for reference in references
    ]
    return references, hypotheses


@pytest.mark.parametrize(
    ("size", "words", "longest"),
    [
        (40, 3, 15),
        (20, 50, 40),
        *(pytest.param(*long, marks=pytest.mark.slow) for long in ((20, 5, 300), (2, 20, 3000))),
    ],
)
def test_generated_text(size, words, longest):
    references, hypotheses = generated(size, size, words, longest)
    check(references, hypotheses)
    for pair in list(zip(references, hypotheses, strict=True))[:10]:
        check(*pair)


def chains_of(library):
    """Return transform chains as users write them, and jiwer's own."""
    words, chars = library.ReduceToListOfListOfWords(), library.ReduceToListOfListOfChars()
    spaces, strip, lower = library.RemoveMultipleSpaces(), library.Strip(), library.ToLowerCase()
    return {
        **{name: getattr(library, name) for name in CHAINS},
        "lower": library.Compose([lower, spaces, strip, words]),
        "lower last": library.Compose([spaces, strip, lower, words]),
        "strip first": library.Compose([strip, spaces, words]),
        "lower, strip first": library.Compose([lower, strip, spaces, words]),
        "no strip": library.Compose([spaces, words]),
        "lower characters": library.Compose([lower, strip, chars]),
        "commas": library.Compose([spaces, strip, library.ReduceToListOfListOfWords(",")]),
        "characters": chars,
        "usual": library.Compose(
            [
                library.ToLowerCase(),
                library.ExpandCommonEnglishContractions(),
                library.RemovePunctuation(),
                library.RemoveWhiteSpace(replace_by_space=True),
                spaces,
                strip,
                library.RemoveEmptyStrings(),
                library.ReduceToSingleSentence(),
                words,
            ]
        ),
    }


OUR_CHAINS, CHAINS_OF_JIWER = chains_of(ours), chains_of(jiwer)


@pytest.mark.parametrize("name", OUR_CHAINS)
@given(corpus=strategies.text_corpora)
@examples(15)
def test_chains_of_transforms(name, corpus):
    hypotheses, references = corpus[0], [refs[0] for refs in corpus[1]]
    chain, original = OUR_CHAINS[name], CHAINS_OF_JIWER[name]
    output = ours.process_words(references, hypotheses, chain, chain)
    assert repr(output) == repr(jiwer.process_words(references, hypotheses, original, original))
    same(
        ours.cer(references[0], hypotheses[0], chain, chain),
        jiwer.cer(references[0], hypotheses[0], original, original),
    )


def test_each_side_has_a_chain_of_its_own():
    for name in ("lower", "wer_default", "cer_default"):
        ref_chain, hyp_chain = OUR_CHAINS["wer_default"], OUR_CHAINS[name]
        original = CHAINS_OF_JIWER["wer_default"], CHAINS_OF_JIWER[name]
        for pair in (("The cat", "THE cat"), (["A b", "c"], ["a B", "c"])):
            assert repr(ours.process_words(*pair, ref_chain, hyp_chain)) == repr(jiwer.process_words(*pair, *original))


def test_a_chain_that_was_changed():
    chain = ours.Compose(list(ours.wer_default.transforms))
    assert ours.wer("A b", "a b", chain, chain) == 0.5
    chain.transforms.insert(0, ours.ToLowerCase())
    assert ours.wer("A b", "a b", chain, chain) == 0
    chain.transforms[-1] = ours.ReduceToListOfListOfWords("-")
    assert ours.process_words("A-b", "a-b", chain, chain).references == [["a", "b"]]


class Shouting(ours.Strip):
    def process_string(self, s):
        return s.strip().upper()


def test_a_transform_of_the_user_s():
    chain = ours.Compose([ours.RemoveMultipleSpaces(), Shouting(), ours.ReduceToListOfListOfWords()])
    assert ours.process_words("a b", "A c", chain, chain).references == [["A", "B"]]
    assert ours.wer("a b", "A c", lambda texts: [text.split() for text in texts], chain) == 1


def signatures(library, name):
    value = getattr(library, name)
    return [
        (p.name, p.kind, p.default if isinstance(p.default, (int, str, type(None))) else "chain")
        for p in inspect.signature(value).parameters.values()
    ]


def names_of(library):
    return {name for name in dir(library) if not name.startswith("_")}


def test_every_name_is_there():
    assert names_of(jiwer) <= names_of(ours)
    for module in ("alignment", "measures", "process", "transformations", "transforms"):
        assert set(getattr(jiwer, module).__all__) == set(getattr(ours, module).__all__)
    assert ours.name == jiwer.name


@pytest.mark.parametrize(
    "name", [name for name in ours.__all__ if callable(getattr(jiwer, name)) and name not in CHAINS]
)
def test_signatures(name):
    assert signatures(ours, name) == signatures(jiwer, name)
    if isinstance(getattr(jiwer, name), type):
        for method in ("__call__", "process_string", "process_list"):
            if hasattr(getattr(jiwer, name), method):
                parameters = [
                    list(inspect.signature(getattr(getattr(library, name), method)).parameters)
                    for library in (ours, jiwer)
                ]
                assert parameters[0] == parameters[1]


def test_defaults_are_the_chains_of_the_same_name():
    for name, chain in [("wer", "wer_default"), ("process_words", "wer_default"), ("cer", "cer_default")]:
        parameters = inspect.signature(getattr(ours, name)).parameters
        assert parameters["reference_transform"].default is getattr(ours, chain)
        assert parameters["hypothesis_transform"].default is getattr(ours, chain)


@pytest.mark.parametrize("name", PROCESSES)
def test_an_output_is_a_plain_dataclass(name):
    pair = (["a b c", "d"], ["a x", "d e"])
    original = getattr(jiwer, name)(*pair)

    def made():
        return getattr(ours, name)(*pair)

    assert set(vars(made())) == set(vars(original))
    assert made() == made()
    assert made() != getattr(ours, name)("a", "b")
    assert dataclasses.asdict(made()) == dataclasses.asdict(original)
    assert [field.name for field in dataclasses.fields(made())] == [f.name for f in dataclasses.fields(original)]
    for again in (pickle.loads(pickle.dumps(made())), copy.copy(made()), copy.deepcopy(made())):
        assert repr(again) == repr(original)
    built = type(made())(**{field.name: getattr(made(), field.name) for field in dataclasses.fields(original)})
    assert built == made()
    assert dataclasses.replace(made(), hits=7).hits == 7
    output = made()
    output.references = "changed"
    assert output.references == "changed"
    assert output.hypotheses == original.hypotheses
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        made().nothing  # noqa: B018


def test_what_was_passed_may_be_changed_afterwards():
    references, hypotheses = ["a b", "c"], ["a", "c"]
    output = ours.process_words(references, hypotheses)
    references[0] = hypotheses[1] = "changed"
    assert output.references == [["a", "b"], ["c"]]
    assert output.hypotheses == [["a"], ["c"]]


def test_chunks():
    assert ours.AlignmentChunk("replace", 0, 1, 0, 1).type == jiwer.AlignmentChunk("replace", 0, 1, 0, 1).type
    for arguments in (("other", 0, 1, 0, 1), ("equal", 2, 1, 0, 1), ("equal", 0, 1, 1, 0)):
        for library in (ours, jiwer):
            with pytest.raises(ValueError):  # noqa: PT011 - jiwer's has no message
                library.AlignmentChunk(*arguments)
    for call in (ours.visualize_alignment, jiwer.visualize_alignment):
        output = ours.process_words("a", "b")
        output.alignments[0][0].type = "other"
        with pytest.raises(ValueError, match="other"):
            call(output)


def test_jiwer_s_own_output_can_be_drawn():
    for name in PROCESSES:
        original = getattr(jiwer, name)(["a b c", "d"], ["a x", "d e"])
        assert ours.visualize_alignment(original) == jiwer.visualize_alignment(original)
        assert ours.visualize_error_counts(original) == jiwer.visualize_error_counts(original)


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        (None, None),
        ("a", None),
        (("a",), ("a",)),
        (["a", "b"], ["a"]),
        (["a", None], ["a", "b"]),
        ([1], ["a"]),
        ([["a"]], [["a"]]),
        (b"a", b"a"),
    ],
)
def test_what_jiwer_refuses_is_refused_alike(reference, hypothesis):
    for name in [*MEASURES, *PROCESSES]:
        with pytest.raises(Exception) as refused:  # noqa: PT011
            getattr(jiwer, name)(reference, hypothesis)
        with pytest.raises(refused.type):
            getattr(ours, name)(reference, hypothesis)


def test_a_chain_that_makes_no_words():
    for library in (ours, jiwer):
        with pytest.raises(ValueError, match="transform"):
            library.wer("a", "b", library.Strip(), library.wer_default)
        with pytest.raises(ValueError, match="transform"):
            library.wer("a", "b", library.wer_default, lambda texts: [[1]])


def test_a_number_of_errors_that_makes_no_sense():
    with pytest.raises(refscore.InputError, match="top_k must be at least 1"):
        ours.visualize_error_counts(ours.process_words("a", "b"), top_k=0)


def jiwer_command(arguments):
    from jiwer.cli import cli

    return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize("options", [[], ["-c"], ["-a"], ["-g"], ["--cer", "--align"], ["-c", "-g"], ["-a", "-g"]])
def test_the_command(options, tmp_path):
    references, hypotheses = generated(3, 30, 20, 12)
    (tmp_path / "ref").write_text("\n".join(references) + "\nx\n\nlast line", encoding="utf-8")
    (tmp_path / "hyp").write_text(
        "\n".join(r and (h or "xy") for r, h in zip(references, hypotheses, strict=True)) + "\nlast lyne\n",
        encoding="utf-8",
    )
    arguments = ["-r", str(tmp_path / "ref"), "-h", str(tmp_path / "hyp"), *options]
    original, result = jiwer_command(arguments), CliRunner().invoke(our_cli.cli, arguments)
    assert original.exit_code == result.exit_code == 0, result.output
    assert result.output == original.output


def test_mistakes_of_the_command(tmp_path):
    (tmp_path / "ref").write_text("one line\nand two\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("one line\n", encoding="utf-8")
    (tmp_path / "bad").write_bytes(b"\xff\xfe")
    for hypothesis, message in [
        ("hyp", "2 references but 1 hypotheses"),
        ("no", "cannot be read"),
        ("bad", "is not UTF-8"),
    ]:
        arguments = ["-r", str(tmp_path / "ref"), "-h", str(tmp_path / hypothesis)]
        result = CliRunner().invoke(our_cli.cli, arguments)
        assert result.exit_code == 2
        assert message in result.output


sentences = strategies.lines()


def transforms_of(library):
    return {
        "ReduceToListOfListOfWords": library.ReduceToListOfListOfWords(),
        "words between commas": library.ReduceToListOfListOfWords(","),
        "ReduceToListOfListOfChars": library.ReduceToListOfListOfChars(),
        "ReduceToSingleSentence": library.ReduceToSingleSentence(),
        "one sentence with bars": library.ReduceToSingleSentence("|"),
        "SubstituteRegexes": library.SubstituteRegexes({r"a": r"b", r"\b(\w+)b\b": r"<\1>"}),
        "SubstituteWords": library.SubstituteWords({"the": "a", "I'm": "I am", "a": "b", ".": "!"}),
        "RemoveSpecificWords": library.RemoveSpecificWords(["the", "cat", "a"]),
        "RemoveWhiteSpace": library.RemoveWhiteSpace(),
        "spaces for white space": library.RemoveWhiteSpace(replace_by_space=True),
        "RemovePunctuation": library.RemovePunctuation(),
        "RemoveMultipleSpaces": library.RemoveMultipleSpaces(),
        "Strip": library.Strip(),
        "RemoveEmptyStrings": library.RemoveEmptyStrings(),
        "ExpandCommonEnglishContractions": library.ExpandCommonEnglishContractions(),
        "ToLowerCase": library.ToLowerCase(),
        "ToUpperCase": library.ToUpperCase(),
        "RemoveKaldiNonWords": library.RemoveKaldiNonWords(),
    }


OUR_TRANSFORMS, TRANSFORMS_OF_JIWER = transforms_of(ours), transforms_of(jiwer)
CONTRACTIONS = ["won't can't let's n't 're 's 'd 'll 't 've 'm", "Won't shan't y'all'd've [a] <b> [c> <d", "", " "]


def test_every_transform_is_compared():
    kinds = {type(transform).__name__ for transform in OUR_TRANSFORMS.values()}
    assert kinds | {"AbstractTransform", "Compose"} == set(ours.transforms.__all__)


@pytest.mark.parametrize("name", OUR_TRANSFORMS)
@given(texts=st.lists(st.one_of(sentences, st.sampled_from(CONTRACTIONS)), max_size=4))
@examples(60)
def test_transforms(name, texts):
    transform, original = OUR_TRANSFORMS[name], TRANSFORMS_OF_JIWER[name]
    assert transform(texts) == original(texts)
    for text in texts:
        assert transform(text) == original(text)
    assert set(vars(transform)) == set(vars(original))


def test_punctuation_that_is_to_stay():
    transform = ours.RemovePunctuation()
    transform.tokens_to_remove = transform.tokens_to_remove - {"'"}
    assert transform("don't, stop!") == "don't stop"
    transform.replace_token = "_"
    assert transform("stop!") == "stop_"
    assert ours.RemovePunctuation()("don't, stop!") == "dont stop"


@pytest.mark.parametrize("value", [None, 3, ("a",), b"a"])
def test_transforms_of_what_is_no_text(value):
    for library in (ours, jiwer):
        with pytest.raises(ValueError, match="string"):
            library.Strip()(value)


def test_a_transform_without_anything():
    with pytest.raises(NotImplementedError):
        ours.AbstractTransform()("a")
