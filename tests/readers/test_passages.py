"""Passages of subtitles: the cuts, and how commands read the files."""

import itertools

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.readers import evaluate_files
from refscore.readers.passages import cut_passages
from tests.examples import examples

SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=8).map(
    lambda spans: sorted((start, start + length) for start, length in spans)
)


@examples(200)
@given(st.lists(SPANS, min_size=1, max_size=3))
def test_passages(files):
    found = cut_passages(files)
    count = len(found[0])
    assert all(len(starts) == count and starts[:1] in ([], [0]) for starts in found)
    passages = [[] for _ in range(count)]
    for spans, starts in zip(files, found, strict=True):
        for passage, (start, end) in zip(passages, itertools.pairwise([*starts, len(spans)]), strict=True):
            passage.extend(spans[start:end])
    assert all(passages)
    for before, after in itertools.pairwise(passages):
        assert max(end for _, end in before) <= min(after)[0]
        assert max(before)[0] < min(after)[0]
    for spans in passages:  # which cannot be cut
        for start in {start for start, _ in spans} - {min(spans)[0]}:
            assert any(begin < start < end for begin, end in spans)


REFERENCE = "1\n00:00:01,000 --> 00:00:02,000\nIt rained.\n\n2\n00:00:05,000 --> 00:00:06,000\nAll day\nlong.\n"
SYSTEM = REFERENCE.replace("rained", "poured").replace("day\nlong", "day long")


@pytest.fixture
def files(tmp_path):
    paths = {name: tmp_path / f"{name}.srt" for name in ("system", "reference")}
    paths["system"].write_text(SYSTEM)
    paths["reference"].write_text(REFERENCE)
    return paths


def test_subtitles_are_scored_by_passage(files):
    metric = refscore.SubER()
    evaluation = evaluate_files({"system": files["system"]}, [files["reference"]], "suber")
    assert evaluation.segments == 2
    assert evaluation["system"]["suber"] == metric.segment(SYSTEM, REFERENCE)
    assert [*evaluation.segment_scores("suber")["system"]] == [1 / 3, 1 / 5]


def test_one_system_does_not_change_the_score_of_another(files):
    files["other"] = files["system"].with_name("other.srt")
    files["other"].write_text("00:00:01,500 --> 00:00:05,500\nIt rained all day long.\n")
    alone = evaluate_files({"system": files["system"]}, [files["reference"]], "suber")
    both = evaluate_files({name: files[name] for name in ("system", "other")}, [files["reference"]], "suber")
    assert both.segments == 1
    assert both["system"]["suber"] == alone["system"]["suber"]


def test_films(files):
    systems, references = {"system": f"{files['system']}:film"}, [f"{files['reference']}:film"]
    evaluation = evaluate_files(systems, references, "suber")
    assert evaluation.segments == 1
    assert evaluation["system"]["suber"] == refscore.SubER().segment(SYSTEM, REFERENCE)


def test_other_metrics_read_the_text_of_cues(files):
    evaluation = evaluate_files({"system": files["system"]}, [files["reference"]], "wer")
    assert evaluation["system"]["wer"] == refscore.WER().corpus(
        ["It poured.", "All day long."], ["It rained.", "All day long."]
    )


def test_files_without_times(files):
    text = files["reference"].with_name("text.txt")
    text.write_text("It rained.\n")
    with pytest.raises(refscore.InputError, match="has no times") as caught:
        evaluate_files({"system": files["system"]}, [text], "suber")
    assert caught.value.location.file == str(text)


def test_metrics_with_and_without_times(files):
    with pytest.raises(refscore.InputError, match="SubER needs and BLEU does not read"):
        evaluate_files({"system": files["system"]}, [files["reference"]], ["suber", "bleu"])
