"""WER with alternatives in references: compared with all paths, and with sclite's reading of its notation."""

import pickle
import random

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import WER
from tests.examples import examples
from tests.locations import raises_at
from tests.reference import edits, lattices

METRIC = WER(alternatives="nist")
PLAIN = WER()


def written(draw, depth):
    """Write a random reference, with alternatives up to a depth."""
    parts = []
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["word", "word", "group", "optional", "@"]))
        if kind == "group" and depth:
            inner = [written(draw, depth - 1) or "@" for _ in range(draw(st.integers(1, 3)))]
            space = draw(st.sampled_from(["", " "]))
            parts.append("{" + space + f"{space}/{space}".join(inner) + space + "}")
        elif kind == "@":
            parts.append("@")
        else:
            word = draw(st.sampled_from(["a", "b", "c", "d", "é", "猫", "a-b"]))
            parts.append(f"({word})" if kind == "optional" else word)
    return " ".join(parts)


@st.composite
def pairs(draw):
    words = draw(st.lists(st.sampled_from(["a", "b", "c", "d", "é", "猫", "x"]), max_size=6))
    return " ".join(words), written(draw, 2)


def expected_row(hypothesis, reference):
    parts = lattices.tokens(reference)
    if not {"{", "}", "@"} & {*parts}:
        return edits.row(hypothesis.split(), [reference.split()])
    return lattices.row(hypothesis.split(), parts)


@given(pair=pairs())
@examples(300)
def test_best_of_all_paths(pair):
    hypothesis, reference = pair
    expected = expected_row(*pair)
    assert METRIC.segment(*pair).row.tolist() == expected
    assert list(METRIC.counts(*pair)) == expected
    assert METRIC.stats([hypothesis], METRIC.prepare([reference])).tolist() == [expected]
    assert METRIC.stats([hypothesis.split()], [[lattices.tokens(reference)]]).tolist() == [expected]
    assert WER(alternatives="nist", normalize="NFC").segment(*pair).row.tolist() == expected
    assert WER(alternatives="nist", tokenizer=str.split).segment(*pair).row.tolist() == expected
    aligned = METRIC.alignment(hypothesis, reference)
    kinds = [edit.kind for edit in aligned]
    assert [kinds.count(kind) for kind in ("hit", "substitution", "deletion", "insertion")] == expected
    assert [edit.hypothesis for edit in aligned if edit.kind != "deletion"] == hypothesis.split()
    path = tuple(edit.reference for edit in aligned if edit.kind != "insertion")
    assert path in lattices.paths(lattices.tokens(reference))
    assert all((edit.kind == "hit") == (edit.reference == edit.hypothesis) for edit in aligned)


@given(corpus=st.lists(pairs(), min_size=1, max_size=6))
@examples(60)
def test_corpora_and_threads(corpus):
    hypotheses, references = map(list, zip(*corpus, strict=True))
    rows = [expected_row(*pair) for pair in corpus]
    for threads in (1, 3):
        assert METRIC.stats(hypotheses, references, threads=threads).tolist() == rows
    assert METRIC.corpus(hypotheses, references).row.tolist() == [sum(column) for column in zip(*rows, strict=True)]
    assert METRIC.pairwise(hypotheses, references).shape == (len(corpus), len(corpus))


@pytest.mark.parametrize(
    ("hypothesis", "reference", "row"),
    # By hand; sclite of SCTK 2.4.10 (Debian 2.4.10-20151007) prints the same counts for all but the optional words.
    [
        ("i am going to do it", "i am {gonna / going to} do it", [6, 0, 0, 0]),
        ("um yes", "um { uh / @ } yes", [2, 0, 0, 0]),
        ("d e f", "{ a b / { c / d } e } f", [3, 0, 0, 0]),
        ("b c", "{a/b} c", [2, 0, 0, 0]),
        ("and/or c", "{and/or / x} c", [1, 1, 0, 0]),
        ("x c", "{ a / b } c", [1, 1, 0, 0]),
        ("a b", "a @ b", [2, 0, 0, 0]),
        ("a / b", "a / b", [3, 0, 0, 0]),
        ("x", "{ a b c / d }", [0, 1, 0, 0]),
        ("the cat sat", "the (big) cat sat", [3, 0, 0, 0]),
        ("the big cat sat", "the (big) cat sat", [4, 0, 0, 0]),
        ("a c", "{a b / a} {b c / c}", [2, 0, 0, 0]),
        ("", "{a / @}", [0, 0, 0, 0]),
        ("", "{}", [0, 0, 0, 0]),
        ("x", "{a / }", [0, 1, 0, 0]),  # the longer path
        ("a (b c", "a (b c", [3, 0, 0, 0]),  # not an optional word
        ("a@b", "a@b", [1, 0, 0, 0]),
    ],
)
def test_notation(hypothesis, reference, row):
    assert METRIC.segment(hypothesis, reference).row.tolist() == row


def test_without_alternatives_nothing_changes():
    texts = ["a b c", "x ( y ) z", "", "a / b"], ["a c b", "x ( y ) w", "q", "a / c"]
    assert METRIC.stats(*texts).tolist() == PLAIN.stats(*texts).tolist()
    assert PLAIN.segment("a", "{a / b}").row.tolist() == [0, 1, 2, 0]


def test_several_references():
    assert METRIC.segment("a b", ["{x / y} z", "a {b / c}"]).value == 0
    edits_ = METRIC.word_alignments(["a b"], [["{x / y} z", "a {b / c}"]])[0]
    assert [edit.reference for edit in edits_] == ["a", "b"]


def test_signature():
    assert METRIC.signature == PLAIN.signature.replace("|version", "|alt:nist|version")
    assert refscore.from_signature(METRIC.signature) == METRIC
    assert pickle.loads(pickle.dumps(METRIC)) == METRIC


def test_many_alternatives_are_linear():
    count = 1000
    hypothesis = " ".join(random.Random(1).choice("abc") for _ in range(count))
    score = METRIC.segment(hypothesis, "{a / b} " * count)
    assert score.errors == sum(word == "c" for word in hypothesis.split())
    assert METRIC.alignments([hypothesis], ["{a/b}" * count])[0]


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("a b {c / d", 'references[1] has a "{" without a "}" after 2 words'),
        ("a } b", 'references[1] has a "}" without a "{" after 1 word'),
        ("{" * 33 + "a" + "}" * 33, "more than 32 levels of braces after 0 words"),
        ("{" * 1_000_000, "more than 32 levels"),
        ("}" * 1_000_000, "without"),
    ],
    ids=range(5),
)
def test_bad_braces(reference, message):
    for call in (METRIC.corpus, METRIC.stats, METRIC.segments, METRIC.alignments, METRIC.word_alignments):
        with raises_at(refscore.InputError, side="references", segment=1) as caught:
            call(["a", "a"], ["a", reference])
        assert message in str(caught.value)
    with raises_at(refscore.InputError, side="references", segment=1):
        METRIC.prepare(["a", reference])
    with raises_at(refscore.InputError, side="references"):
        METRIC.segment("a", reference)
    with raises_at(refscore.InputError, side="references", segment=1, reference=1):
        METRIC.corpus(["a", "a"], ["a", ["a", reference]])


def test_deep_but_allowed():
    reference = "{a / " * 32 + "b" + "}" * 32
    assert METRIC.segment("b", reference).value == 0


def test_long_hypotheses():
    assert METRIC.segment("a " * 100_000, "{a / b}").insertions == 99_999
    with pytest.raises(refscore.InputError, match="split the segment"):
        METRIC.segment("a " * (1 << 21), "{a / b}")


def test_prepared_references_know_whether_they_have_alternatives():
    for maker, user in ((METRIC, PLAIN), (PLAIN, METRIC)):
        for references, hypotheses in ((["{a / b}"], ["a"]), ([[["a"]]], [["a"]])):
            with pytest.raises(refscore.InputError, match="prepare"):
                user.corpus(hypotheses, maker.prepare(references))


def test_tokens_must_be_strings():
    with pytest.raises(refscore.InputError):
        METRIC.segment(["a", 1], [["a", 1]])
    assert METRIC.segment([1, 2], [[1, 2]]).value == 0  # ids have no alternatives
    with pytest.raises(refscore.InputError, match="strings"):
        WER(alternatives="nist", tokenizer=lambda text: [len(word) for word in text.split()]).segment("a", "{a / b}")


def test_explanations():
    steps = str(METRIC.explain("i am going to", "i am {gonna / going to}"))
    assert "WER = 0.0000" in steps


# GLM rules

GLM = """\
;; rules
* NAME = "test.glm"
* FORMAT = 'NIST2'
* COPY_NO_HIT = 'T'
* CASE_SENSITIVE = 'F'
[uh] => [um] / [ ] __ [ ] ;; both
CANCELLED => canceled
[a] => [b] / [ ] __ [ ]
[b] => [c] / [ ] __ [ ]
Falkner => Faulkner / [William ] __
'x y' => xy
[going to] => [{gonna / going to}] / [ ] __ [ ]
[q] => [] / [ ] __ [ ]
;; INPUT_DEPENDENT_APPLICATION = "stm"
[side] => [reference] / [ ] __ [ ]
;; INPUT_DEPENDENT_APPLICATION = "ctm"
[side] => [hypothesis] / [ ] __ [ ]
"""


@pytest.mark.parametrize(
    ("text", "reference", "hypothesis"),
    # From the description of the rules in SCTK (doc/GLMRules.txt).
    [
        ("uh uh yes uh", "um um yes um", "um um yes um"),
        ("a b", "b c", "b c"),  # results are not rewritten again
        ("cancelledx UH", "canceledx um", "canceledx um"),
        ("William Falkner, J. Falkner", "William Faulkner, J. Falkner", "William Faulkner, J. Falkner"),
        ("x y", "xy", "xy"),
        ("i am going to go", "i am {gonna / going to} go", "i am going to go"),
        ("the side", "the reference", "the hypothesis"),
        ("{uh / side} uh", "{ um / reference } um", "{uh / side} um"),
        ("", "", ""),
    ],
)
def test_rules(text, reference, hypothesis):
    glm = refscore.metrics.GLM(GLM.split("\n"))
    assert glm.apply(text, is_reference=True).split() == reference.split()
    assert glm.apply(text, is_reference=False).split() == hypothesis.split()


def test_rules_are_a_setting(tmp_path):
    path = tmp_path / "en.glm"
    path.write_text(GLM, encoding="utf-8")
    metric = WER(alternatives="nist", glm=path)
    assert (
        metric
        == WER(alternatives="nist", glm=refscore.metrics.GLM(GLM.split("\n")))
        == pickle.loads(pickle.dumps(metric))
    )
    assert metric.glm.digest in metric.signature
    assert metric.corpus(["uh i am gonna go"], ["um i am going to go"]).value == 0
    assert metric.stats(["uh i am gonna go"], metric.prepare(["um i am going to go"])).tolist() == [[5, 0, 0, 0]]
    with pytest.raises(refscore.errors.SignatureError, match="glm"):
        refscore.from_signature(metric.signature)
    with pytest.raises(refscore.SettingError, match="nist"):
        WER(glm=path)
    state = metric.fitted_state()
    pairs_ = dict(part.split(":") for part in metric.signature.split("|")[1:])
    assert WER.from_fitted_state(pairs_, state) == metric


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a b", "is not a rule"),
        (" => b", "is not a rule"),
        ("a => b __ c", "'__' without '/'"),
        ("a => b / c", "'/' but no '__'"),
        ("[a => b", "'[' without ']'"),
        ("a => {b", "not paired"),
        ("* COPY_NO_HIT = 'F'", "not supported"),
        ("* SOMETHING = 'F'", "unknown header"),
        ("* what", "header"),
        (';; INPUT_DEPENDENT_APPLICATION = "rttm"', "neither"),
        (';; INPUT_DEPENDENT_APPLICATION = "("', "regular expression"),
    ],
)
def test_bad_rules_name_their_line(line, message, tmp_path):
    path = tmp_path / "bad.glm"
    path.write_text(f";; rules\n{line}\n", encoding="utf-8")
    with raises_at(refscore.InputError, line=2, file=str(path)) as caught:
        refscore.metrics.GLM.read(path)
    assert message in str(caught.value)
    with raises_at(refscore.InputError, file=str(tmp_path / "missing")):
        refscore.metrics.GLM.read(tmp_path / "missing")


def test_alternatives_for_hypotheses_are_not_supported():
    lines = [';; INPUT_DEPENDENT_APPLICATION = "ctm"', "[he's] => [{he is / he has}]"]
    with raises_at(refscore.InputError, side="lines", segment=1):
        refscore.metrics.GLM(lines)


def test_kernels_read_alternatives_without_preparation_in_python():
    assert METRIC.reads_directly
    assert not WER(alternatives="nist", normalize="NFC").reads_directly
