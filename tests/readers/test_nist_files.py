"""TRN, STM and CTM files, and their totals, equal sclite's."""

import random

import pytest

import refscore
from refscore.alignments import error_totals
from refscore.readers import open_segments
from refscore.readers.files import SegmentFiles
from refscore.readers.system_scores import System
from tests.sclite import needs_sclite, summary, write_trn

METRIC = refscore.WER.preset("sclite")


def texts_of(hypothesis, reference, by=None):
    """Return hypotheses, references and groups as commands read them."""
    systems = [System("a", str(hypothesis))]
    with SegmentFiles(systems, [str(reference)], groups=None if by is None else {"by": str(by)}) as files:
        block = files.read_all()
    return block.hypotheses[0], block.references, block.groups.get("by")


def check_totals(folder, hypothesis, reference, speakers, *options):
    """Compare the tables with sclite's reports."""
    hypotheses, references, groups = texts_of(folder / hypothesis, folder / reference, folder / speakers)
    for report, raw in (("sum", False), ("rsum", True)):
        theirs = summary(folder, *options, "-D", "-o", report)
        table = error_totals(hypotheses, references, METRIC, by=[group.lower() for group in groups], raw=raw).table()
        ours = {row.cells[0]: [*row.cells[1:]] for row in table.rows}
        ours = {name: [cell.replace(",", "") for cell in cells] for name, cells in ours.items()}
        assert ours == theirs


def random_words(generator, most=9):
    return [generator.choice("abcd") for _ in range(generator.randint(0, most))]


@needs_sclite
@pytest.mark.parametrize("separator", ["-", "_"])
def test_trn_totals(tmp_path, separator):
    generator = random.Random(3)
    names = [f"{speaker}{separator}{i:02d}" for speaker in ("Ann", "bob", "cy", "dee") for i in range(6)]
    references = [" ".join([*random_words(generator), "{a / b c}", "(d)", "x"]) for _ in names]
    write_trn(tmp_path / "ref.trn", references, names)
    order = generator.sample(range(len(names)), len(names))
    write_trn(tmp_path / "hyp.trn", [" ".join(random_words(generator)) for _ in names], [names[i] for i in order])
    options = ["-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id"]
    check_totals(tmp_path, "hyp.trn", "ref.trn", "hyp.trn:speaker", *options)


@needs_sclite
@pytest.mark.parametrize("seed", range(4))
def test_ctm_totals(tmp_path, seed):
    generator = random.Random(seed)
    stm, ctm = [";; a comment\n"], []
    for recording in ("r1", "r2"):
        for channel in ("A", "B"):
            time = 0.0
            for i in range(8):
                end = time + generator.choice([0.5, 1.0, 2.25])
                words = " ".join([*random_words(generator), "z"])
                text = "IGNORE_TIME_SEGMENT_IN_SCORING" if i == 3 else words
                label = generator.choice(["", "<O,F,00> "])
                speaker = generator.choice(["ann", "bob", "cy"])
                stm.append(f"{recording} {channel} {speaker} {time:.2f} {end:.2f} {label}{text}\n")
                time = end + generator.choice([0.0, 0.25])
            at = 0.0
            while at < time + 1:
                ctm.append(f"{recording} {channel} {at:.2f} 0.25 {generator.choice('abcdz')} 0.9\n")
                at += generator.choice([0.125, 0.25, 0.5])
    (tmp_path / "ref.stm").write_text("".join(stm))
    (tmp_path / "hyp.ctm").write_text("".join(ctm))
    # Without confidences, whose column would be added.
    (tmp_path / "plain.ctm").write_text("".join(line.replace(" 0.9\n", "\n") for line in ctm))
    options = ["-r", "ref.stm", "stm", "-h", "plain.ctm", "ctm"]
    check_totals(tmp_path, "plain.ctm", "ref.stm", "ref.stm:speaker", *options)
    assert texts_of(tmp_path / "hyp.ctm", tmp_path / "ref.stm") == texts_of(
        tmp_path / "plain.ctm", tmp_path / "ref.stm"
    )


def test_trn_fields_and_order(tmp_path):
    hypothesis, reference = tmp_path / "hyp.trn", tmp_path / "ref.trn"
    hypothesis.write_text("b (bob_2)\n\na (x) (Ann-1_0)\n;; nothing\n(cy)\n")
    reference.write_text("A (ann-1_0)\nB (bob_2)\nC (CY)\n")
    with open_segments(f"{hypothesis}:speaker") as reader:
        assert [*reader] == [["bob", "Ann", "cy"]]
        assert reader.location(1).line == 3
    with open_segments(f"{hypothesis}:id") as reader:
        assert [*reader] == [["bob_2", "Ann-1_0", "cy"]]
    assert texts_of(hypothesis, reference, f"{reference}:speaker") == (
        ["b", "a (x)", ""],
        ["B", "A", "C"],
        ["bob", "ann", "CY"],
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hyp.trn", "a\n", "line 1 of hyp.trn has no name of an utterance: end each line in one, as in"),
        ("hyp.trn", "a (x)\nb (X)\n", "line 2 of hyp.trn has the utterance 'X' again, after line 1"),
        ("hyp.trn", "a (x)\n", "line 2 of ref.trn has the utterance 'y', which hyp.trn lacks"),
        ("hyp.trn", "a (x)\nb (y)\nc (z)\n", "line 3 of hyp.trn has the utterance 'z', which ref.trn lacks"),
        ("hyp.ctm", "r A 0 1 a\n", "hyp.ctm has words with times, which need the segments of an STM file"),
    ],
)
def test_errors(tmp_path, monkeypatch, name, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text)
    (tmp_path / "ref.trn").write_text("a (x)\nb (y)\n")
    with pytest.raises(refscore.InputError) as error:
        texts_of(name, "ref.trn")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("stm", "ctm", "message"),
    [
        ("r A s 0 1 a\n", "r A 0 1\n", "line 1 of hyp.ctm has 4 fields: CTM needs"),
        ("r A s 0 1 a\n", "r A x 1 a\n", "line 1 of hyp.ctm has 'x' where a time is expected"),
        ("r A s 0 1 a\n", "r A * * <ALT_BEGIN>\n", "line 1 of hyp.ctm has an alternative"),
        ("r A s 0 1 a\n", "r B 0 1 a\n", "has a word of r, channel B, of which ref.stm has no segment"),
        ("r A s 1 2 a\nr A s 0 1 a\n", "r A 0 1 a\n", "line 2 of ref.stm is not sorted by time: sort the file"),
        ("r A s 0\n", "r A 0 1 a\n", "line 1 of ref.stm has 4 fields: STM needs"),
        ("r A s 0 nan a\n", "r A 0 1 a\n", "line 1 of ref.stm has 'nan' where a time is expected"),
    ],
)
def test_errors_of_times(tmp_path, monkeypatch, stm, ctm, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.stm").write_text(stm)
    (tmp_path / "hyp.ctm").write_text(ctm)
    with pytest.raises(refscore.InputError) as error:
        texts_of("hyp.ctm", "ref.stm")
    assert message in str(error.value)


def test_no_words(tmp_path):
    (tmp_path / "ref.stm").write_text("r A s 0 1 a\nr B t 0 1 <O> b\nr B t 1 2\n")
    (tmp_path / "hyp.ctm").write_text("r A 0 1 a\n")
    assert texts_of(tmp_path / "hyp.ctm", tmp_path / "ref.stm", f"{tmp_path}/ref.stm:speaker") == (
        ["a", "", ""],
        ["a", "b", ""],
        ["s", "t", "t"],
    )
    totals = error_totals(["a", "b"], ["a", ""], by=["s", "t"])
    assert [row.cells[6] for row in totals.table().rows] == ["0.0", "–", "100.0", "0.0", "0.0", "0.0"]
    assert totals.to_dict()["groups"][1]["rates"]["errors"] is None
