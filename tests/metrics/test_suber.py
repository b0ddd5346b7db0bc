"""SubER: the numbers of subtitle-edit-rate, texts without times, alignments and worked steps."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import SubER, tokenizers

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "suber.json").read_text(encoding="utf-8"))
METRICS = {"SubER": SubER.preset("suber"), "SubER-cased": SubER.preset("suber-cased")}
# Our names of the numbers of subtitle-edit-rate.
COLUMNS = {
    "moves": "num_shifts",
    "word_substitutions": "num_word_substitutions",
    "word_deletions": "num_word_deletions",
    "word_insertions": "num_word_insertions",
    "break_substitutions": "num_break_substitutions",
    "break_deletions": "num_break_deletions",
    "break_insertions": "num_break_insertions",
    "reference_words": "num_reference_words",
    "reference_breaks": "num_reference_breaks",
}


@pytest.mark.parametrize("name", METRICS)
def test_numbers_of_subtitle_edit_rate(name):
    metric = METRICS[name]
    hypotheses, references = zip(*GOLDEN["pairs"], strict=True)
    rows = metric.stats([*hypotheses], [*references])
    for row, scores in zip(rows, GOLDEN["scores"], strict=True):
        expected = scores[name]
        assert row.tolist() == [expected[COLUMNS[column]] for column in metric.columns]
        assert metric.score(row).percent == pytest.approx(expected["value"], rel=1e-12)
    assert min(rows.sum(0)) > 3  # every kind of edit occurs


@pytest.mark.slow
def test_subtitle_edit_rate_live(tmp_path):
    from suber.file_readers import read_input_file
    from suber.metrics import suber

    from tests.golden.make_suber import scores

    assert suber and read_input_file
    for pair in GOLDEN["pairs"][:40]:
        for name, expected in scores(*pair).items():
            assert METRICS[name].segment(*pair).percent == pytest.approx(expected["value"], rel=1e-12)


def test_words_in_cues_that_do_not_overlap():
    metric = SubER()
    assert metric.segment("0 --> 1\na b", "0 --> 1\na b").value == 0
    assert metric.segment("1 --> 2\na b", "0 --> 1\na b").row.tolist() == [0, 0, 2, 2, 0, 1, 1, 2, 1]
    assert metric.segment("1 --> 2\na c", "0 --> 2\na b").row.tolist() == [0, 1, 0, 0, 0, 0, 0, 2, 1]


def test_line_breaks_only_align_with_line_breaks():
    score = SubER().segment("0 --> 1\na b\nc", "0 --> 1\na b c")
    assert (score.break_insertions, score.word_edits, score.break_edits) == (1, 0, 1)
    score = SubER().segment("0 --> 1\na\n\n1 --> 2\nb", "0 --> 2\na\nb")
    assert (score.break_substitutions, score.edits) == (1, 1)


def test_texts_without_times():
    metric = SubER()
    assert metric.segment("a b c", "a b d").row.tolist() == [0, 1, 0, 0, 0, 0, 0, 3, 0]
    assert metric.segment("a b", "100:00:00,000 --> 100:00:01,000\na b").row.tolist() == [0, 0, 0, 0, 0, 1, 0, 2, 1]
    assert metric.segment("a <eol> b <eob>", "a b <eob>").break_insertions == 1
    assert metric.segment([1, 2, 3], [[1, 3, 2]]).value == pytest.approx(1 / 3)


def test_the_order_of_cues_is_that_of_their_starts():
    cues = ["0 --> 1\na b", "3 --> 4\nc", "5 --> 6\nd e"]
    assert SubER().segment("\n\n".join(reversed(cues)), "\n\n".join(cues)).value == 0


def test_empty_texts():
    metric = SubER()
    assert metric.segment("", "").value == 0
    assert metric.segment("0 --> 1\na", "").value == 1
    assert metric.segment("", "0 --> 1\na").value == 1
    assert metric.segment("0 --> 1\n", "0 --> 1").value == 0


def test_the_reference_with_the_lowest_rate_counts():
    texts = ["a b c d e f g h", "a x"]
    assert SubER().segment("a b", texts).row.tolist() == SubER().segment("a b", texts[1]).row.tolist()


def test_lengths_that_differ_much():
    short, long = "0 --> 1\na b", "0 --> 1\n" + "x " * 398 + "a b"
    assert SubER().segment(short, long).edits == 402  # as in subtitle-edit-rate, whose beam lacks the last words
    assert SubER().segment(long, short).edits == 398
    longest = "0 --> 1\n" + "x " * 398 + "a"
    assert SubER().segment("0 --> 1\na", longest).edits == 402  # no path through the beam: subtitle-edit-rate fails


@pytest.mark.slow
def test_a_film_without_pauses_takes_bounded_time():
    """No time is without a cue, so the film is one part."""
    words = [f"word{number}" for number in range(18)]

    def film(step, shift):
        cues = []
        for number in range(1500):
            start = number * 2 + shift
            line = " ".join(words[(number * step + k * k) % len(words)] for k in range(8))
            cues.append(f"{start} --> {start + 2}\n{line}")
        return "\n\n".join(cues)

    assert 0.5 < SubER().segment(film(3, 1), film(5, 0)).value < 2


def test_tokenizers():
    text = "7\n00:01.000 --> 00:02.000 align:start\n<i>Don't</i> go, …\n3.5 -\n8\n1:00:00,5 --> 1:00:01\nx"
    times = "00:00:01,000-->00:00:02,000", "01:00:00,500-->01:00:01,000"
    assert tokenizers.tokenize(text, "subtitles") == [
        *(times[0], "Dont", "go", "…", "<eol>", "35", "-", "<eob>", times[1], "x", "<eob>")
    ]
    assert tokenizers.tokenize(text, "subtitles-tercom") == [
        *(times[0], "Don't", "go", ",", "…", "<eol>", "3.5", "-", "<eob>", times[1], "x", "<eob>")
    ]
    numbers = "0 --> 1\n42\n\n2 --> 3\n7"
    assert tokenizers.tokenize(numbers, "subtitles").count("<eob>") == 2
    assert tokenizers.tokenize("a --> b", "subtitles") == ["a", "-->", "b"]


def test_alignment_of_tokens():
    parts = SubER().alignment(["a", "<eol>", "b"], ["a", "b"])
    assert [(edit.kind, edit.reference, edit.hypothesis) for edit in parts[0].edits] == [
        ("hit", "a", "a"),
        ("insertion", None, "<eol>"),
        ("hit", "b", "b"),
    ]


def test_steps_agree_with_the_score():
    metric = SubER()
    for text, reference in GOLDEN["pairs"][:20]:
        score, parts = metric.segment(text, reference), metric.alignment(text, reference)
        kinds = [edit.kind for part in parts for edit in part.edits]
        assert sum(len(part.shifts) for part in parts) == score.moves
        assert len(kinds) - kinds.count("hit") == score.word_edits + score.break_edits
        assert str(metric.explain(text, reference)).endswith(f"SubER = {score.value:.4f} ({score.percent:.2f} %)")


def test_scores_in_code():
    assert refscore.suber(["0 --> 1\na"], ["0 --> 1\nb"]).percent == 50
