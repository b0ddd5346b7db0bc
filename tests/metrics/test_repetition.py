"""Repetition and compression ratio, and metrics without references in every way in and view."""

import json
import time
import zlib
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore import InputError
from refscore.metrics import Loop
from tests.cli.running import check_failure, json_of, output_of, status_of, write_lines
from tests.reference import repetition as oracle

LOOP = "thank you. " * 9
OLD = ["we left early", "it rained", "nobody came", "so what", "yes"] * 8
NEW = [LOOP if k % 10 == 3 else text for k, text in enumerate(OLD)]
METRICS = ["repetition", "compression_ratio"]


def test_loops():
    metric = refscore.metrics.Repetition()
    assert metric.loops("no no no") == []
    assert metric.loops("oh no no no no") == [Loop(1, 5, ("no",))]
    # The incomplete n-gram at the end is inside the loop, and loops inside longer ones are left out.
    assert metric.loops("a b a b a b a b a") == [Loop(0, 9, ("a", "b"))]
    assert metric.loops("a a a a b a a a a b a a a a b a a a a b") == [Loop(0, 20, ("a", "a", "a", "a", "b"))]
    assert metric.loops("a a a a x b b b b") == [Loop(0, 4, ("a",)), Loop(5, 9, ("b",))]
    assert metric.loops([1, 2, 1, 2, 1, 2, 1, 2]) == [Loop(0, 8, (1, 2))]
    assert metric.loops("ご視聴" * 4) == [Loop(0, 12, ("ご", "視", "聴"))]
    assert metric.loops(". . . . !!!!") == []
    assert refscore.metrics.Repetition(tokenizer="char").loops("hahahaha") == [Loop(0, 8, ("h", "a"))]


def test_the_limits_of_orders_and_repeats():
    words = [f"w{k}" for k in range(101)]
    assert refscore.metrics.Repetition().segment(words[:100] * 4).looped_tokens == 400
    assert refscore.metrics.Repetition().segment(words * 4).looped_tokens == 0
    assert refscore.metrics.Repetition(max_order=101).segment(words * 4).looped_tokens == 404
    for settings in ({"repeats": 1}, {"repeats": 0}, {"max_order": 0}, {"unit": "words"}):
        with pytest.raises(refscore.SettingError):
            refscore.metrics.Repetition(**settings)


def test_units():
    score, of_segments = (refscore.metrics.Repetition(unit=unit).corpus(NEW) for unit in ("tokens", "segments"))
    assert (score.looped_tokens, score.tokens) == (18 * 4, sum(len(text.split()) for text in NEW))
    assert (score.looped_segments, score.segments) == (4, 40)
    assert score.value == score.looped_tokens / score.tokens
    assert of_segments.value == 0.1 and of_segments.row.tolist() == score.row.tolist()


def seconds(text):
    begin = time.process_time()
    refscore.metrics.Repetition().stats([text], threads=1)
    return time.process_time() - begin


@pytest.mark.parametrize("unit", ["a ", "a b ", "a a b a b ", "".join(f"w{k} " for k in range(100))], ids=len)
def test_time_is_linear(unit):
    short, long = unit * (40_000 // len(unit)), unit * (400_000 // len(unit))
    fastest, slowest = min(seconds(short) for _ in range(5)), min(seconds(long) for _ in range(3))
    assert slowest < 30 * fastest + 0.05


def test_whisper():
    content = json.loads((Path(__file__).parents[1] / "golden" / "whisper.json").read_text(encoding="utf-8"))
    metric = refscore.metrics.CompressionRatio.preset("whisper")
    for text, ratio in content["ratios"]:
        data = text.strip().encode()
        if ".ng" not in zlib.ZLIB_RUNTIME_VERSION and "-ng" not in zlib.ZLIB_RUNTIME_VERSION:
            assert metric.segment(text).value == ratio
        assert metric.segment(text).row.tolist()[:2] == [len(data), oracle.compression_row(text.strip())[1]]
    above = sum(ratio > 2.4 for _, ratio in content["ratios"])
    assert metric.corpus([text for text, _ in content["ratios"]]).above == above > 0


def test_tokens_have_a_compression_ratio():
    metric = refscore.metrics.CompressionRatio()
    assert metric.segment(["a", "b"]).row.tolist() == metric.segment("a b").row.tolist()
    assert metric.segment([1, 2]).row.tolist() == metric.segment("1 2").row.tolist()


class TestWithoutReferences:
    """References are optional, and change nothing if they are given."""

    @pytest.mark.parametrize("name", METRICS)
    def test_methods(self, name):
        metric = refscore.metrics.METRICS[name]()
        references = ["any text"] * len(NEW)
        assert np.array_equal(metric.stats(NEW), metric.stats(NEW, references))
        assert np.array_equal(metric.segments(NEW), metric.segments(NEW, metric.prepare(references)))
        assert metric.corpus(NEW).signature == metric.corpus(NEW, references).signature == metric.signature
        assert metric.segment(NEW[3]) == metric.segment(NEW[3], "any text") == metric.segments([NEW[3]])[0]
        assert metric.value_and_row(NEW[3])[0] == metric.segment(NEW[3])
        assert str(metric.explain(NEW[3])) == str(metric.explain(NEW[3], "any text"))
        assert getattr(refscore.metrics, name)(NEW) == metric.corpus(NEW)
        assert metric.corpus([""]).value == 0
        with pytest.raises(InputError, match="hypotheses is empty"):
            metric.corpus([])
        with pytest.raises(InputError, match=r"hypotheses\[0\]"):
            metric.corpus([None])

    @pytest.mark.parametrize("tokenizer", ["13a", str.split])
    def test_kinds_of_input(self, tokenizer):
        metric = refscore.metrics.Repetition(tokenizer=tokenizer, normalize="NFC")
        tokens = [text.split() for text in NEW]
        numbers = {word: number for number, word in enumerate({word for words in tokens for word in words})}
        ids = [[numbers[word] for word in words] for words in tokens]
        padded = np.full((len(ids), 18), -1)
        for row, words in zip(padded, ids, strict=True):
            row[: len(words)] = words
        plain = refscore.metrics.Repetition(tokenizer="none").stats(NEW).tolist()
        for hypotheses in (
            tokens,
            ids,
            [np.array(words) for words in ids],
            iter(tokens),
            [tuple(words) for words in ids],
        ):
            assert metric.stats(hypotheses).tolist() == plain
        assert metric.stats([[object, 1, "a"] * 4]).tolist() == [[12, 12, 1, 1]]
        assert metric.stats(padded[:, :4]).tolist() == metric.stats([row[:4].tolist() for row in padded]).tolist()

    def test_arrow(self):
        pa = pytest.importorskip("pyarrow")
        metric = refscore.metrics.Repetition()
        assert metric.stats(pa.array(NEW)).tolist() == metric.stats(NEW).tolist()

    def test_evaluations(self, tmp_path):
        evaluation = refscore.evaluate({"old": OLD, "new": NEW}, None, METRICS)
        assert evaluation["new"]["repetition"] == refscore.metrics.repetition(NEW)
        assert evaluation.compare("old", test="bootstrap").verdict("repetition", "new") == "worse"
        evaluation.save(tmp_path / "both.refscore", texts=True)
        again = refscore.load(tmp_path / "both.refscore")
        assert again.texts.references is None and again.texts.hypotheses == [OLD, NEW]
        assert again["new"]["compression_ratio"] == evaluation["new"]["compression_ratio"]
        beside = refscore.evaluate({"old": OLD, "new": NEW}, OLD, [*METRICS, "chrf"])
        assert beside["new"]["repetition"] == evaluation["new"]["repetition"]
        assert beside["new"]["repetition"].signature == evaluation["new"]["repetition"].signature
        with pytest.raises(InputError, match="references is None"):
            refscore.evaluate({"old": OLD}, None, ["repetition", "chrf"])

    def test_commands(self, tmp_path, capsys, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_lines(tmp_path, old=OLD, new=NEW)
        names = ",".join(METRICS)
        scores = json_of(capsys, "score", "old", "new", "-m", names, "-q")["systems"]
        assert scores[1]["scores"]["repetition"]["value"] == refscore.metrics.repetition(NEW).value
        assert "worse" in output_of(capsys, "compare", "old", "new", "-m", names, "-q")
        output_of(capsys, "stats", "old", "-m", names, "--rows", "--texts", "-o", "old.refscore", "-q")
        assert "Repetition" in output_of(capsys, "show", "old.refscore")
        assert json_of(capsys, "verify", "old.refscore", "old")["same"]
        assert status_of(["verify", "old.refscore", "new"]) == 1
        capsys.readouterr()
        assert "worse" in output_of(capsys, "compare", "old.refscore", "new", "-q")
        assert "you" in output_of(capsys, "explain", "new:4", "-m", names)
        assert "Repetition" in output_of(capsys, "conventions", "new", "-m", "repetition", "-q")
        result = {}
        for name in ("old", "new"):
            status = status_of(["gate", name, "--baseline", "old.refscore", "-q", "--format", "json"])
            result[name] = (status, json.loads(capsys.readouterr().out))
        assert result["old"][0] == 0 and result["new"][0] == 1
        failed = [each["criterion"] for each in result["new"][1]["checks"] if each["status"] == "failed"]
        assert "loops" in failed
        check_failure(capsys, ["score", "old", "-m", "repetition,bleu"], "'-r'")
        check_failure(capsys, ["explain", "old:1", "-m", "bleu"], "'-r'")
        check_failure(capsys, ["score", "old", "-m", "repetition:nltk"], "there are: none")

    def test_reports(self, tmp_path, capsys, monkeypatch):
        monkeypatch.chdir(tmp_path)
        write_lines(tmp_path, old=OLD, new=NEW, ref=OLD)
        output_of(capsys, "report", "old", "new", "-m", "repetition", "-o", "alone.html", "-q")
        page = (tmp_path / "alone.html").read_text(encoding="utf-8")
        assert "no references: the outputs of old are in their place" in page and "Repetition" in page
        output_of(capsys, "report", "old", "new", "-r", "ref", "-m", "chrf,repetition", "-o", "both.html", "-q")
        page = (tmp_path / "both.html").read_text(encoding="utf-8")
        assert "1 reference each" in page and "Repetition" in page
        report = refscore.report.build_report({"old": OLD, "new": NEW}, None, metrics="repetition")
        assert report.reference_counts == (0, 0)
        check_failure(capsys, ["report", "old", "new", "-m", "repetition,chrf", "-o", "x.html"], "'-r'")
