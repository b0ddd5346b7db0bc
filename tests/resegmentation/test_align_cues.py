"""Subtitles in the cues of the references: the texts and scores of subtitle-edit-rate, and errors."""

import json
import string
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.readers import open_segments
from refscore.readers.files import Cuts, SegmentFiles
from refscore.readers.system_scores import System
from refscore.resegmentation import Resegmenter, align_cues
from tests.examples import examples
from tests.readers.reading import stdin

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "suber.json").read_text(encoding="utf-8"))
PAIRS = [
    (*pair, expected) for pair, expected in zip(GOLDEN["pairs"], GOLDEN["aligned"], strict=True) if expected is not None
]


def read(text, field=None):
    with open_segments(**stdin(text, field, format="srt")) as reader:
        cues = [cue for block in reader for cue in block]
        return cues, [(start / 10**6, end / 10**6) for start, end in reader.times]


@pytest.mark.parametrize("align", ["times", "words"])
def test_cues_of_subtitle_edit_rate(align):
    for hypothesis, reference, expected in PAIRS:
        if not hypothesis:
            continue
        (cues, times), (targets, reference_times) = read(hypothesis, "breaks"), read(reference, "breaks")
        options = {"times": times, "reference_times": reference_times} if align == "times" else {}
        assert align_cues(cues, targets, **options) == expected[align]["cues"]


# How subtitle-edit-rate calls its scores, with our metrics and fields.
NORMALIZED = {"lowercase": True, "normalize": "nopunct"}
METRICS = {
    "BLEU": (refscore.BLEU(), "text"),
    "BLEU-seg": (refscore.BLEU(), "breaks"),
    "TER": (refscore.TER(), "text"),
    "TER-seg": (refscore.TER(), "breaks"),
    "chrF": (refscore.CHRF(), "text"),
    "CER": (refscore.CER(tokenizer="char-all", **NORMALIZED), "text"),
    "CER-cased": (refscore.CER(), "text"),
    "WER": (refscore.WER(**NORMALIZED), "text"),
    "WER-cased": (refscore.WER(tokenizer="tercom-norm"), "text"),
    "WER-seg": (refscore.WER(**NORMALIZED), "breaks"),
}


@pytest.mark.parametrize("align", ["times", "words"])
@pytest.mark.parametrize("name", METRICS)
def test_scores_of_subtitle_edit_rate(align, name):
    metric, field = METRICS[name]
    compared = 0
    for hypothesis, reference, expected in PAIRS:
        if not hypothesis or name not in expected[align]:  # jiwer refuses references without words
            continue
        (cues, times), (targets, reference_times) = read(hypothesis, field), read(reference, field)
        options = {"times": times, "reference_times": reference_times} if align == "times" else {}
        segments = align_cues(cues, targets, **options)
        # subtitle-edit-rate leaves out empty references of sacrebleu's metrics.
        counts = "ER" in name and "T" not in name
        pairs = [(text, target) for text, target in zip(segments, targets, strict=True) if target or counts]
        score = metric.corpus(*map(list, zip(*pairs, strict=True)))
        assert score.percent == pytest.approx(expected[align][name], rel=1e-12, abs=1e-12)
        compared += 1
    assert compared > 50


@pytest.fixture
def files(tmp_path):
    hypothesis, reference, expected = max(PAIRS, key=lambda pair: len(pair[0]))
    for name, text in (("hyp", hypothesis), ("ref", reference)):
        (tmp_path / f"{name}.srt").write_text(text, encoding="utf-8")
    return tmp_path / "hyp.srt", tmp_path / "ref.srt", expected


@pytest.mark.parametrize("align", ["times", "words"])
def test_files(files, align):
    hypothesis, reference, expected = files
    with SegmentFiles(
        [System("a", f"{hypothesis}:breaks")], [f"{reference}:breaks"], cuts=Cuts(Resegmenter(), align=align)
    ) as opened:
        assert opened.read_all().hypotheses == [expected[align]["cues"]]
        assert opened.resegmentation.startswith(f"resegment|align:{align}|version:")


def opened(hypothesis, *references, **options):
    with SegmentFiles([System("a", str(hypothesis))], [*map(str, references)], **options) as files:
        return files.read_all()


def test_errors_of_files(files, tmp_path):
    hypothesis, reference, _ = files
    text = tmp_path / "text.txt"
    text.write_text("a\n")
    with pytest.raises(refscore.InputError, match=r"text.txt has no times"):
        opened(hypothesis, text, cuts=Cuts(Resegmenter(), align="times"))
    with pytest.raises(refscore.InputError, match="name a single file"):
        opened(hypothesis, reference, reference, cuts=Cuts(Resegmenter(), align="words"))


def test_errors():
    with pytest.raises(refscore.InputError, match="times of one side"):
        align_cues(["a"], ["a"], times=[(0, 1)])
    with pytest.raises(refscore.InputError, match="0 times for 1 texts"):
        align_cues(["a"], ["a"], times=[], reference_times=[(0, 1)])


def test_empty_sides():
    assert align_cues([], ["a", ""]) == ["", ""]
    assert align_cues(["a b"], []) == []
    assert align_cues(["a b"], ["", ""]) == ["a b", ""]
    assert align_cues([], ["a"], times=[], reference_times=[(0, 1)]) == [""]
    assert align_cues(["a"], [], times=[(0, 1)], reference_times=[]) == []


LINES = st.lists(st.lists(st.sampled_from(["a", "B", "b.", "c", "-"]), max_size=4).map(" ".join), max_size=5)


def distance(words, targets):
    row = [*range(len(targets) + 1)]
    for word in words:
        last, row = row, [row[0] + 1]
        for column, target in enumerate(targets):
            row.append(min(last[column] + (word != target), last[column + 1] + 1, row[-1] + 1))
    return row[-1]


@examples(200)
@given(LINES, LINES.filter(len))
def test_alignments_are_optimal(cues, references):
    def keys(text):
        return [word.lower().strip(string.punctuation) or word for word in text.split()]

    segments = align_cues(cues, references)
    assert " ".join(segments).split() == " ".join(cues).split()
    parts = sum(distance(keys(text), keys(target)) for text, target in zip(segments, references, strict=True))
    assert parts == distance(keys(" ".join(cues)), keys(" ".join(references)))
