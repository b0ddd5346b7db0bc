"""jiwer's interface in refscore compared with jiwer: values, types, words, alignments and their visualization."""

import copy
import dataclasses
import pickle
import random

import jiwer
import pytest
from click.testing import CliRunner
from hypothesis import given, strategies as st

import refscore
from refscore import compat
from refscore.compat import jiwer as ours
from tests import strategies
from tests.compat.alike import assert_alike, parameters
from tests.examples import examples

LIBRARIES = (ours, jiwer)
MEASURES = ["wer", "mer", "wil", "wip", "cer"]
PROCESSES = ["process_words", "process_characters"]
CHAINS = [name for name in ours.__all__ if name.startswith(("wer_", "cer_"))]


def check_output(output, original):
    assert repr(output) == repr(original)
    assert_alike(dataclasses.asdict(output), dataclasses.asdict(original), rel=1e-12)
    for line_width in (None, 20, 1):
        for show_measures, skip_correct in ((True, True), (False, False), (False, True)):
            options = {"show_measures": show_measures, "skip_correct": skip_correct, "line_width": line_width}
            assert ours.visualize_alignment(output, **options) == jiwer.visualize_alignment(original, **options)
    assert_alike(ours.collect_error_counts(output), jiwer.collect_error_counts(original))
    for options in ({}, {"top_k": 1}, {"show_substitutions": False}, {"show_insertions": False, "top_k": 2}):
        drawn = ours.visualize_error_counts(output, **options)
        assert drawn == jiwer.visualize_error_counts(original, **options)


def check(*texts):
    for name in MEASURES:
        assert_alike(*[getattr(library, name)(*texts) for library in LIBRARIES], rel=1e-12)
    for name in PROCESSES:
        check_output(*[getattr(library, name)(*texts) for library in LIBRARIES])


@given(corpus=strategies.text_corpora)
@examples(60)
def test_awkward_text(corpus):
    hypotheses, references = corpus[0], [refs[0] for refs in corpus[1]]
    check(references, hypotheses)
    check(references[0], hypotheses[0])


CASES = [
    *(("", ""), ("", "a b"), ("a b", ""), ([], []), ([], ["a"]), (["a b"], [])),
    *((["", ""], ["", ""]), (["", "a"], ["b", ""]), ("hello world", ["hello duck"]), ("* b *", "a * c *")),
    *(("a\tb  c\n\nd", "a b c d"), ("\ud800 x", "\udfff x")),
    (["short one here", "quite a bit of longer sentence"], ["shoe order one", "quite bit of an even longest sentence"]),
]


@pytest.mark.parametrize(("reference", "hypothesis"), CASES)
def test_cases(reference, hypothesis):
    check(reference, hypothesis)


def generated(seed, size, words, longest):
    generator = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    references = [" ".join(generator.choices(vocabulary, k=generator.randrange(longest))) for _ in range(size)]
    noisy = [strategies.noisy_copy(generator.random(), reference.split(), 0.4) for reference in references]
    return references, [" ".join(hypothesis) for hypothesis in noisy]


@pytest.mark.parametrize(
    ("size", "words", "longest"),
    [
        (40, 3, 15),
        (20, 50, 40),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((20, 5, 300), (2, 20, 3000))),
    ],
)
def test_generated_text(size, words, longest):
    check(*generated(size, size, words, longest))


def chains_of(library):
    """Return transform chains as users write them, and jiwer's own."""
    words, chars = library.ReduceToListOfListOfWords(), library.ReduceToListOfListOfChars()
    spaces, strip, lower = library.RemoveMultipleSpaces(), library.Strip(), library.ToLowerCase()
    plain = [lower, library.ExpandCommonEnglishContractions(), library.RemovePunctuation()]
    single = [spaces, strip, library.RemoveEmptyStrings(), library.ReduceToSingleSentence(), words]
    chains = {
        "lower": [lower, spaces, strip, words],
        "lower last": [spaces, strip, lower, words],
        "strip first": [strip, spaces, words],
        "lower, strip first": [lower, strip, spaces, words],
        "no strip": [spaces, words],
        "lower characters": [lower, strip, chars],
        "commas": [spaces, strip, library.ReduceToListOfListOfWords(",")],
        "usual": [*plain, library.RemoveWhiteSpace(replace_by_space=True), *single],
        "strip last": [library.RemovePunctuation(), library.ToUpperCase(), library.RemoveKaldiNonWords(), strip, words],
        "other order": [spaces, strip, *reversed(plain), library.RemoveSpecificWords(["a", "é"]), spaces, words],
        "characters without spaces": [library.RemoveWhiteSpace(), library.SubstituteWords({"b": "c"}), chars],
        "regexes": [lower, library.SubstituteRegexes({"a": "b"}), library.RemovePunctuation(), spaces, words],
    }
    composed = {name: library.Compose(transforms) for name, transforms in chains.items()}
    return {**{name: getattr(library, name) for name in CHAINS}, **composed, "characters": chars}


ALL_CHAINS = [chains_of(library) for library in LIBRARIES]


@pytest.mark.parametrize("name", ALL_CHAINS[0])
@given(corpus=strategies.text_corpora)
@examples(15)
def test_chains_of_transforms(name, corpus):
    hypotheses, references = corpus[0], [refs[0] for refs in corpus[1]]
    chains = [chains[name] for chains in ALL_CHAINS]
    outputs, rates = [], []
    for library, chain in zip(LIBRARIES, chains, strict=True):
        outputs.append(repr(library.process_words(references, hypotheses, chain, chain)))
        rates.append(library.cer(references[0], hypotheses[0], chain, chain))
    assert outputs[0] == outputs[1]
    assert_alike(*rates, rel=1e-12)


@pytest.mark.parametrize("name", ["lower", "wer_default", "cer_default"])
@pytest.mark.parametrize("pair", [("The cat", "THE cat"), (["A b", "c"], ["a B", "c"])])
def test_each_side_has_a_chain_of_its_own(name, pair):
    found, expected = (
        library.process_words(*pair, chains["wer_default"], chains[name])
        for library, chains in zip(LIBRARIES, ALL_CHAINS, strict=True)
    )
    assert repr(found) == repr(expected)


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


def test_every_name_is_there():
    # The command is a module that jiwer does not import itself: another test may have imported it.
    names = {name for name in dir(jiwer) if not name.startswith("_")} - {"cli"}
    assert names <= set(dir(ours))
    for module in ("alignment", "measures", "process", "transformations", "transforms"):
        assert set(getattr(jiwer, module).__all__) == set(getattr(ours, module).__all__)
    assert ours.name == jiwer.name


METHODS = ["process_string", "process_list"]


@pytest.mark.parametrize(
    "name", [name for name in ours.__all__ if callable(getattr(jiwer, name)) and name not in CHAINS]
)
def test_signatures(name):
    signatures = []
    for library in LIBRARIES:
        chains = {id(getattr(library, chain)): chain for chain in CHAINS}  # defaults, which are compared by name
        calls = [getattr(library, name), *(getattr(getattr(library, name), m, None) for m in METHODS)]
        signatures.append(
            [
                (p, chains.get(id(default), default), kind)
                for call in calls
                if call
                for p, default, kind in parameters(call)
            ]
        )
    assert signatures[0] == signatures[1]


@pytest.mark.parametrize("name", PROCESSES)
def test_an_output_is_a_plain_dataclass(name):
    pair = (["a b c", "d"], ["a x", "d e"])
    original = getattr(jiwer, name)(*pair)

    def made():
        return getattr(ours, name)(*pair)

    assert set(vars(made())) == set(vars(original))
    assert made() == made() != getattr(ours, name)("a", "b")
    assert dataclasses.asdict(made()) == dataclasses.asdict(original)
    assert [field.name for field in dataclasses.fields(made())] == [f.name for f in dataclasses.fields(original)]
    for again in (pickle.loads(pickle.dumps(made())), copy.copy(made()), copy.deepcopy(made())):
        assert repr(again) == repr(original)
    assert type(made())(**{field.name: getattr(made(), field.name) for field in dataclasses.fields(original)}) == made()
    assert dataclasses.replace(made(), hits=7).hits == 7
    output = made()
    output.references = "changed"
    assert output.references == "changed"
    assert output.hypotheses == original.hypotheses
    assert not hasattr(output, "nothing")


def test_what_was_passed_may_be_changed_afterwards():
    references, hypotheses = ["a b", "c"], ["a", "c"]
    output = ours.process_words(references, hypotheses)
    references[0] = hypotheses[1] = "changed"
    assert output.references == [["a", "b"], ["c"]]
    assert output.hypotheses == [["a"], ["c"]]


@pytest.mark.parametrize("library", LIBRARIES)
def test_chunks(library):
    assert library.AlignmentChunk("replace", 0, 1, 0, 1).type == "substitute"
    for arguments in (("other", 0, 1, 0, 1), ("equal", 2, 1, 0, 1), ("equal", 0, 1, 1, 0)):
        with pytest.raises(ValueError):  # noqa: PT011 - jiwer's has no message
            library.AlignmentChunk(*arguments)
    output = ours.process_words("a", "b")
    output.alignments[0][0].type = "other"
    with pytest.raises(ValueError, match="other"):
        library.visualize_alignment(output)


def test_jiwer_s_own_output_can_be_drawn():
    for name in PROCESSES:
        original = getattr(jiwer, name)(["a b c", "d"], ["a x", "d e"])
        assert ours.visualize_alignment(original) == jiwer.visualize_alignment(original)
        assert ours.visualize_error_counts(original) == jiwer.visualize_error_counts(original)


REFUSED = [(None, None), ("a", None), (("a",), ("a",)), (["a", "b"], ["a"]), (["a", None], ["a", "b"]), ([1], ["a"])]


@pytest.mark.parametrize(("reference", "hypothesis"), [*REFUSED, ([["a"]], [["a"]]), (b"a", b"a")])
def test_what_jiwer_refuses_is_refused_alike(reference, hypothesis):
    for name in [*MEASURES, *PROCESSES]:
        with pytest.raises(Exception) as refused:  # noqa: PT011
            getattr(jiwer, name)(reference, hypothesis)
        with pytest.raises(refused.type):
            getattr(ours, name)(reference, hypothesis)


def test_a_chain_that_makes_no_words():
    for library in LIBRARIES:
        words = library.wer_default
        for chains in ((library.Strip(), words), (words, lambda texts: [[1]])):
            with pytest.raises(ValueError, match="transform"):
                library.wer("a", "b", *chains)


def test_a_number_of_errors_that_makes_no_sense():
    with pytest.raises(refscore.InputError, match="top_k"):
        ours.visualize_error_counts(ours.process_words("a", "b"), top_k=0)


@pytest.mark.parametrize("options", [[], ["-c"], ["-a"], ["-g"], ["--cer", "--align"], ["-c", "-g"], ["-a", "-g"]])
def test_the_command(options, tmp_path):
    from jiwer.cli import cli

    references, hypotheses = generated(3, 30, 20, 12)
    hypotheses = [r and (h or "xy") for r, h in zip(references, hypotheses, strict=True)]
    (tmp_path / "ref").write_text("\n".join(references) + "\nx\n\nlast line", encoding="utf-8")
    (tmp_path / "hyp").write_text("\n".join(hypotheses) + "\nlast lyne\n", encoding="utf-8")
    arguments = ["-r", str(tmp_path / "ref"), "-h", str(tmp_path / "hyp"), *options]
    original = CliRunner().invoke(cli, arguments)
    compat.install("jiwer")
    result = CliRunner().invoke(cli, arguments)
    compat.uninstall("jiwer")
    assert original.exit_code == result.exit_code == 0, result.output
    assert result.output == original.output


def transforms_of(library):
    return [
        *(library.ReduceToListOfListOfWords(), library.ReduceToListOfListOfWords(",")),
        *(library.ReduceToListOfListOfChars(), library.ReduceToSingleSentence(), library.ReduceToSingleSentence("|")),
        library.SubstituteRegexes({r"a": r"b", r"\b(\w+)b\b": r"<\1>"}),
        library.SubstituteWords({"the": "a", "I'm": "I am", "a": "b", ".": "!"}),
        library.RemoveSpecificWords(["the", "cat", "a"]),
        *(library.RemoveWhiteSpace(), library.RemoveWhiteSpace(replace_by_space=True), library.RemovePunctuation()),
        *(library.RemoveMultipleSpaces(), library.Strip(), library.RemoveEmptyStrings()),
        *(library.ExpandCommonEnglishContractions(), library.ToLowerCase(), library.ToUpperCase()),
        library.RemoveKaldiNonWords(),
    ]


TRANSFORMS = list(zip(transforms_of(ours), transforms_of(jiwer), strict=True))
CONTRACTIONS = ["won't can't let's n't 're 's 'd 'll 't 've 'm", "Won't shan't y'all'd've [a] <b> [c> <d", "", " "]


def test_every_transform_is_compared():
    kinds = {type(transform).__name__ for transform, _ in TRANSFORMS}
    assert kinds | {"AbstractTransform", "Compose"} == set(ours.transforms.__all__)


@pytest.mark.parametrize(("transform", "original"), TRANSFORMS, ids=lambda transform: type(transform).__name__)
@given(texts=st.lists(st.one_of(strategies.lines(), st.sampled_from(CONTRACTIONS)), max_size=4))
@examples(60)
def test_transforms(transform, original, texts):
    assert transform(texts) == original(texts)
    for text in texts:
        assert transform(text) == original(text)
    composed = [library.Compose([step]) for library, step in ((ours, transform), (jiwer, original))]
    assert composed[0](texts) == composed[1](texts)
    assert set(vars(transform)) == set(vars(original))


def test_punctuation_that_is_to_stay():
    transform = ours.RemovePunctuation()
    transform.tokens_to_remove = transform.tokens_to_remove - {"'"}
    assert transform("don't, stop!") == "don't stop"
    transform.replace_token = "_"
    assert transform("stop!") == "stop_"
    assert ours.RemovePunctuation()("don't, stop!") == "dont stop"


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_transforms_refuse(library):
    for value in (None, 3, ("a",), b"a"):
        with pytest.raises(ValueError, match="string"):
            library.Strip()(value)
    with pytest.raises(NotImplementedError):
        library.AbstractTransform()("a")
