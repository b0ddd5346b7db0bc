"""PAGE and ALTO, compared with the texts and error rates of dinglehopper."""

import json
from pathlib import Path

import pytest

import refscore
from refscore.readers import evaluate_files, open_segments

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "dinglehopper.json").read_text(encoding="utf-8"))


def text_of(spec):
    with open_segments(spec) as reader:
        ((text,),) = [*reader]
    return text


@pytest.mark.parametrize("case", GOLDEN["cases"])
def test_equals_dinglehopper(tmp_path, case):
    files = [tmp_path / "ref.xml", tmp_path / "hyp.xml"]
    for file, content in zip(files, case["pages"], strict=True):
        file.write_text(content, encoding="utf-8")
    assert [*map(text_of, files)] == case["texts"]
    # Without lines, dinglehopper drops a region, and this reader an empty line.
    assert [text_of(f"{file}:lines") for file in files] == case["lines"]
    evaluation = evaluate_files(
        {"hyp": files[1]},
        [files[0]],
        {"cer": refscore.CER(normalize="NFC"), "wer": refscore.WER(tokenizer="unicode", normalize="NFC")},
    )
    for name in ("cer", "wer"):
        rate, length = case[name]
        score = evaluation["hyp"][name]
        assert score.ref_len == length
        if length:
            assert score.value == pytest.approx(rate, abs=1e-12)


def test_folders_are_matched_by_name(tmp_path):
    for side, names in (("ref", "ab"), ("hyp", "ba")):
        (tmp_path / side).mkdir()
        for name, case in zip(names, GOLDEN["cases"], strict=False):
            (tmp_path / side / f"{name}.{side}.xml").write_text(case["pages"][0], encoding="utf-8")
    texts = {name: case["texts"][0] for name, case in zip("ab", GOLDEN["cases"], strict=False)}
    swapped = {name: case["texts"][0] for name, case in zip("ba", GOLDEN["cases"], strict=False)}
    own = refscore.uwer([swapped["a"], swapped["b"]], [texts["a"], texts["b"]])
    evaluation = evaluate_files({"x": tmp_path / "hyp"}, [tmp_path / "ref"], "uwer")
    assert evaluation["x"]["uwer"].row.tolist() == own.row.tolist()
    (tmp_path / "hyp" / "c.xml").write_text(GOLDEN["cases"][0]["pages"][0], encoding="utf-8")
    with pytest.raises(refscore.InputError, match=r"c\.xml has the page 'c', which .*ref lacks"):
        evaluate_files({"x": tmp_path / "hyp"}, [tmp_path / "ref"], "uwer")


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><PcGts>&b;</PcGts>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, "line 1 of a.xml has a document type declaration (<!DOCTYPE …>), which is not allowed: remove it"),
        ("<PcGts>" * 200, "line 1 of a.xml has elements within more than 100 others"),
        ("<PcGts><Page>", "line 1 of a.xml is not XML (column 14: no element found)"),
        (
            '<PcGts><ReadingOrder><OrderedGroup><RegionRefIndexed index="x"/></OrderedGroup></ReadingOrder></PcGts>',
            "a.xml has an index in its reading order that is not a number",
        ),
    ],
)
def test_bad_pages(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_text(content, encoding="utf-8")
    with pytest.raises(refscore.InputError) as error:
        open_segments("a.xml")
    assert message in str(error.value)


def test_other_roots_need_a_format(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.xml").write_text("<html/>", encoding="utf-8")
    with pytest.raises(refscore.InputError, match="is not a page: its root element is html"):
        open_segments("a.xml", format="page")
    Path("empty").mkdir()
    with pytest.raises(refscore.InputError, match="is a directory without XML files"):
        open_segments("empty")
    with pytest.raises(refscore.InputError, match="is a directory: name a file"):
        open_segments("empty", format="text")
    Path("b.xml").write_text("<PcGts/>", encoding="utf-8")
    assert text_of("b.xml") == ""
