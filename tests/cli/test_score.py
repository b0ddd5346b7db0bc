"""The command `refscore score`: output and errors."""

import csv
import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import sacrebleu

import refscore
from refscore import significance
from refscore.cli import test_sets
from tests.cli.running import at, check_failure, command, json_of, on_terminal, output_for, status_of

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "", "3.5 % of it"]
REFERENCES = ["The cat sat on the mat.", "Ein Hund, sehr klein", "nothing", "3.5 % of all of it"]
OTHERS = ["A cat sat on a mat.", "Ein kleines Hündchen", "", "3.5 % of it"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, lines in [("hyp", HYPOTHESES), ("ref", REFERENCES), ("other", OTHERS), ("short", OTHERS[:2])]:
        (tmp_path / f"{name}.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())
    (tmp_path / "empty.txt").touch()
    (tmp_path / "broken.txt").write_bytes(b"a\nb\nc\xff\nd\n")
    (tmp_path / "folder").mkdir()
    rows = [
        {"mt": hypothesis, "refs": [reference, other]}
        for hypothesis, reference, other in zip(HYPOTHESES, REFERENCES, OTHERS, strict=True)
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def score(*arguments):
    """Run the command in this process and return the exit status."""
    return status_of(["score", *arguments])


def content(capsys, *arguments):
    return json_of(capsys, "score", *arguments)


def test_plain_output_in_a_pipe(files):
    result = command("score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", cwd=files)
    expected = refscore.bleu(HYPOTHESES, REFERENCES)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode().splitlines() == [
        "system    BLEU",
        "-------  -----",
        f"hyp.txt  {expected.percent:.2f}",
        "",
        str(expected),
        expected.signature,
    ]
    assert str(sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES])) in result.stdout.decode()


def test_several_systems_and_metrics_against_sacrebleu(files, capsys):
    assert score("hyp.txt", "new=other.txt", "-r", "ref.txt", "-m", "bleu,chrf++,ter", "--format", "tsv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter="\t"))
    assert [row["system"] for row in rows] == ["hyp.txt", "new"]
    for row, texts in zip(rows, (HYPOTHESES, OTHERS), strict=True):
        assert row["BLEU"] == f"{sacrebleu.corpus_bleu(texts, [REFERENCES]).score:.2f}"
        assert row["chrF2++"] == f"{sacrebleu.corpus_chrf(texts, [REFERENCES], word_order=2).score:.2f}"
        assert row["TER ↓"] == f"{sacrebleu.corpus_ter(texts, [REFERENCES]).score:.2f}"


def test_the_best_of_each_metric_is_marked_by_its_direction(files, capsys):
    assert score("hyp.txt", "ref.txt", "-r", "ref.txt", "-m", "chrf,ter") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[0] == "hyp.txt" and "*" not in lines[2]
    assert lines[3].split() == ["ref.txt", "*100.00", "*0.00"]


@pytest.mark.parametrize("metric", sorted(refscore.metrics.METRICS))
def test_every_metric_as_the_library_computes_it(files, capsys, metric):
    data = content(capsys, "hyp.txt", "other.txt", "-r", "ref.txt", "-m", metric, *_skip(metric))
    options = {"empty_reference": "skip"} if metric == "ribes" else {}
    for system, texts in zip(data["systems"], (HYPOTHESES, OTHERS), strict=True):
        assert system["scores"][metric] == getattr(refscore, metric)(texts, REFERENCES, **options).to_dict()


def _skip(metric):
    return ["--set", "ribes.empty_reference=skip"] if metric == "ribes" else []


def test_several_references(files, capsys):
    expected = refscore.bleu(HYPOTHESES, refscore.from_streams([REFERENCES, OTHERS])).to_dict()
    data = content(capsys, "hyp.txt", "-r", "ref.txt", "--reference", "other.txt", "-m", "bleu")
    assert data["systems"][0]["scores"]["bleu"] == expected
    assert "nrefs:2" in data["metrics"]["bleu"]["signature"]
    data = content(capsys, "data.jsonl:mt", "-r", "data.jsonl:refs", "-m", "bleu")
    assert data["systems"][0]["scores"]["bleu"] == expected


def test_blank_references(files, capsys):
    references = [[first, second] if second else [first] for first, second in zip(REFERENCES, OTHERS, strict=True)]
    options = ["hyp.txt", "-r", "ref.txt", "-r", "other.txt", "-m", "bleu"]
    data = content(capsys, *options, "--blank-reference", "missing")
    assert data["systems"][0]["scores"]["bleu"] == refscore.bleu(HYPOTHESES, references).to_dict()
    assert "nrefs:var" in data["metrics"]["bleu"]["signature"]
    assert data != content(capsys, *options, "--blank-reference", "empty")


@pytest.mark.slow
def test_files_larger_than_a_block(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    hypotheses = [f"{'word ' * (i % 7)} {i}" for i in range(90_000)]
    references = [f"{'word ' * (i % 5)} {i}" for i in range(90_000)]
    with gzip.open("hyp.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in hypotheses)
    Path("ref.txt").write_text("\n".join(references), encoding="utf-8")
    data = content(capsys, "hyp.gz", "again=hyp.gz", "-r", "ref.txt", "-m", "bleu,ter", "--segments", "s.jsonl")
    assert data["segments"] == 90_000
    for system in data["systems"]:
        assert system["scores"]["bleu"] == refscore.bleu(hypotheses, references).to_dict()
        assert system["scores"]["ter"] == refscore.ter(hypotheses, references).to_dict()
    lines = [json.loads(line) for line in Path("s.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 180_000
    assert [line["ter"] for line in lines[:90_000]] == (100 * refscore.TER().segments(hypotheses, references)).tolist()


HELD = """
import resource
import numpy as np
from refscore.accumulation.retained_rows import GrowingRows
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
kept = GrowingRows(10, np.dtype(np.int64))
for number in range(1000):
    kept.add(np.full((1000, 10), number))
joined = kept.joined()
print((peak() - before) / joined.nbytes)
assert joined.shape == (1_000_000, 10) and (joined == np.arange(1000).repeat(1000)[:, None]).all()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of ru_maxrss differs")
@pytest.mark.slow
def test_rows_are_held_once():
    ended = subprocess.run([sys.executable, "-c", HELD], capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout) < 1.25


STREAMED = """
import resource
from refscore.cli import main
def peak_after(lines):
    for name in ("hyp", "ref"):
        with open(name, "w") as file:
            file.writelines(f"a few words and {number}\\n" for number in range(lines))
    try:
        main(["score", "hyp", "other=ref", "-r", "ref", "-m", "bleu,chrf", "--segments", "out.tsv"])
    except SystemExit as end:
        assert not end.code
    assert sum(1 for _ in open("out.tsv")) == 2 * lines + 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
few = peak_after(50_000)
print(peak_after(200_000) - few)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of ru_maxrss differs")
@pytest.mark.slow
def test_segment_files_take_no_memory(tmp_path):
    """150,000 further lines have 35 MB of rows per system."""
    code = [sys.executable, "-c", STREAMED]
    ended = subprocess.run(code, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout.splitlines()[-1]) < 16


def test_standard_input(files, capsys, monkeypatch):
    options = ["score", "-", "-r", "ref.txt", "-m", "bleu", "--format", "json"]
    data = json.loads(output_for(capsys, monkeypatch, Path("hyp.txt").read_bytes(), *options))
    assert data["systems"][0]["scores"]["bleu"] == refscore.bleu(HYPOTHESES, REFERENCES).to_dict()


def test_settings_presets_and_signatures(files, capsys):
    data = content(capsys, "hyp.txt", "-r", "ref.txt", "-m", "bleu,bleu:nltk", "--set", "bleu.max_order=2")
    assert data["systems"][0]["scores"]["bleu"] == refscore.bleu(HYPOTHESES, REFERENCES, max_order=2).to_dict()
    signature = refscore.BLEU(smoothing="floor", lowercase=True).signature
    data = content(capsys, "hyp.txt", "-r", "ref.txt", "--signature", signature)
    assert list(data["metrics"]) == ["bleu"]
    expected = refscore.bleu(HYPOTHESES, REFERENCES, smoothing="floor", lowercase=True)
    assert data["systems"][0]["scores"]["bleu"] == expected.to_dict()


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_segment_files(files, capsys, ending):
    data = content(capsys, "hyp.txt", "b=other.txt", "-r", "ref.txt", "-m", "bleu,ter", "--segments", f"out.{ending}")
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    assert data["metrics"]["bleu"]["segment_signature"] == sentence.signature
    text = Path(f"out.{ending}").read_text(encoding="utf-8")
    if ending == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        rows = list(csv.DictReader(io.StringIO(text), delimiter="\t" if ending == "tsv" else ","))
    assert [(row["system"], int(row["segment"])) for row in rows] == [
        (name, number) for name in ("hyp.txt", "b") for number in range(1, 5)
    ]
    expected = [
        sacrebleu.sentence_bleu(text, [reference]).score
        for texts in (HYPOTHESES, OTHERS)
        for text, reference in zip(texts, REFERENCES, strict=True)
    ]
    assert [float(row["bleu"]) for row in rows] == pytest.approx(expected, rel=1e-12)
    expected = 100 * refscore.TER().segments(HYPOTHESES + OTHERS, REFERENCES * 2)
    assert [float(row["ter"]) for row in rows] == expected.tolist()


def test_segments_on_standard_output(files, capsys):
    assert score("hyp.txt", "-r", "ref.txt", "-m", "bleu", "--preset", "sacrebleu", "--segments", "-") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "system\tsegment\tbleu"
    expected = 100 * refscore.BLEU().segments(HYPOTHESES, REFERENCES)
    assert [float(line.split("\t")[2]) for line in lines[1:]] == expected.tolist()
    assert score("hyp.txt", "-r", "ref.txt", "-m", "bleu:sacrebleu", "--segments", "-", "--format", "json") == 0
    items = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [item["bleu:sacrebleu"] for item in items] == expected.tolist()


def test_a_failed_run_leaves_the_segment_file_alone(files, capsys):
    Path("out.tsv").write_text("precious", encoding="utf-8")
    assert score("hyp.txt", "-r", "short.txt", "--segments", "out.tsv") == 2
    assert Path("out.tsv").read_text(encoding="utf-8") == "precious"
    assert sorted(path.name for path in files.iterdir() if path.name.startswith(".")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="such a link is replaced there")
def test_segments_into_a_link_to_itself(files, capsys):
    Path("loop.tsv").symlink_to("loop.tsv")
    assert score("hyp.txt", "-r", "ref.txt", "--segments", "loop.tsv") == 2
    assert capsys.readouterr().err.startswith("refscore: loop.tsv cannot be written: ")


def test_intervals(files, capsys):
    options = ["hyp.txt", "other.txt", "-r", "ref.txt", "-m", "bleu,ter", "--ci", "--resamples", 50, "--seed", 7]
    data = content(capsys, *options)
    metric = refscore.BLEU()
    expected = refscore.significance.bootstrap(metric, metric.stats(OTHERS, REFERENCES), resamples=50, seed=7)
    assert data["systems"][1]["scores"]["bleu"]["interval"] == expected.to_dict()
    assert score(*options) == 0
    shown = capsys.readouterr().out
    assert f"[{100 * expected.low:.2f}, {100 * expected.high:.2f}]" in shown
    assert "95 % interval" in shown
    assert expected.signature in shown
    Path("units").write_text("a\na\nb\nb\n", encoding="utf-8")
    by_document = content(capsys, *options, "--units", "units")
    assert by_document["systems"][0]["scores"]["bleu"]["interval"] != data["systems"][0]["scores"]["bleu"]["interval"]


def test_intervals_take_the_threads_they_are_given(files, capsys, monkeypatch):
    taken = []
    real = significance.bootstrap
    monkeypatch.setattr(significance, "bootstrap", lambda *a, **k: taken.append(k["threads"]) or real(*a, **k))
    assert score("hyp.txt", "-r", "ref.txt", "-m", "bleu,ter", "--ci", "--resamples", 20, "--threads", 1) == 0
    assert taken == [1, 1]


def test_forms_for_papers(files, capsys):
    assert score("hyp.txt", "b_1=other.txt", "-r", "ref.txt", "-m", "chrf", "--format", "latex", "--digits", 1) == 0
    latex = capsys.readouterr().out
    values = [100 * refscore.chrf(texts, REFERENCES).value for texts in (HYPOTHESES, OTHERS)]
    better, worse = f"{max(values):.1f}", f"{min(values):.1f}"
    assert rf"\textbf{{{better}}}" in latex and rf"\textbf{{{worse}}}" not in latex
    assert r"b\_1 & " in latex
    assert f"% {refscore.chrf(HYPOTHESES, REFERENCES).signature}" in latex
    assert score("hyp.txt", "b=other.txt", "-r", "ref.txt", "-m", "chrf", "--format", "markdown", "--digits", 1) == 0
    assert f"**{better}** |" in capsys.readouterr().out


def test_names_of_systems(files, capsys):
    (files / "folder" / "hyp.txt").write_bytes((files / "hyp.txt").read_bytes())
    data = content(capsys, "hyp.txt", "folder/hyp.txt", "a=other.txt", "-r", "ref.txt")
    assert [system["name"] for system in data["systems"]] == ["hyp.txt", "folder/hyp.txt", "a"]
    data = content(capsys, "folder/hyp.txt", "./other.txt", "-r", "ref.txt")
    assert [system["name"] for system in data["systems"]] == ["hyp.txt", "other.txt"]
    Path("all.tsv").write_text("a\tb\tref\nx\ty\tx\n", encoding="utf-8")
    data = content(capsys, "all.tsv:a", "all.tsv:b", "-r", "all.tsv:ref")
    assert [system["name"] for system in data["systems"]] == ["a", "b"]


ONE = ["hyp.txt", "-r", "ref.txt"]
MISTAKES = [
    (["hyp.txt", "-r", "nothing.txt"], at("nothing.txt")),
    (["nothing.txt", "-r", "ref.txt"], at("nothing.txt")),
    (["hyp.tx", "-r", "ref.txt"], r"hyp\.tx cannot be read: .*: did you mean hyp\.txt\?"),
    ([*ONE, "-m", "bleu", "chrF++"], "chrF[+]{2} is not a file: .* commas, as in -m bleu,chrF[+]{2}"),
    (["no\nthing\x1b[1m", "-r", "ref.txt"], r"no\\nthing\\x1b\[1m cannot be read"),
    (["", "-r", "ref.txt"], at("a file with an empty name")),
    (["folder", "-r", "ref.txt"], at("folder")),
    (["hyp.txt", "-r", "folder"], at("folder")),
    (["empty.txt", "-r", "ref.txt"], at("empty.txt")),
    (["hyp.txt", "-r", "empty.txt"], at("empty.txt")),
    (["hyp.txt", "-r", "broken.txt"], at("broken.txt", 3)),
    (["hyp.txt", "-r", "short.txt"], at("hyp.txt", 3)),
    ([*ONE, "-r", "short.txt"], at("hyp.txt", 3)),
    (["hyp.txt", "short.txt", "-r", "ref.txt"], r"short\.txt has 2 lines but hyp\.txt has 4 lines"),
    (["data.jsonl:mtt", "-r", "ref.txt"], at("data.jsonl", 1)),
    (["data.jsonl:refs", "-r", "ref.txt"], at("data.jsonl", 1, "refs")),
    (["hyp.txt", "-r", "other.txt", "-m", "bleu", "--blank-reference", "missing"], at("other.txt", 3)),
    (["hyp.txt"], "-r"),
    ([], "(?i)hyp"),
    (["-", "-r", "-"], at("standard input")),
    (["a=hyp.txt", "a=other.txt", "-r", "ref.txt"], "the same system name as another file, 'a'"),
    ([*ONE, "--outptu", "json"], "--outptu"),
    ([*ONE, "--format", "xml"], "xml"),
    ([*ONE, "-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'"),
    ([*ONE, "--preset", "nlkt"], "unknown preset of bleu 'nlkt'; did you mean 'nltk'"),
    ([*ONE, "--set", "bleu.max_order=0"], "max_order must be a whole number of at least 1"),
    ([*ONE, "--signature", "x"], "'x' is a signature of an unknown metric, 'x'"),
    ([*ONE, "--segments", "out.xlsx"], at("out.xlsx")),
    ([*ONE, "--segments", "other.txt"], at("other.txt")),
    ([*ONE, "--segments", "nowhere/out.tsv"], at(str(Path("nowhere", "out.tsv")))),
    ([*ONE, "--threads", "0"], "--threads"),
    ([*ONE, "--input-format", "xls"], "xls"),
    ([*ONE, "--seed", "1"], "--seed needs --ci"),
    ([*ONE, "--units", "ref.txt"], "--units needs --ci"),
    ([*ONE, "--master", "x"], "--master needs --engine"),
    ([*ONE, "--engine", "ray", "--ci"], "instead of --ci"),
    ([*ONE, "--engine", "ray"], at("hyp.txt")),
    (["a.parquet:x", "-r", "b.parquet:y", "--engine", "ray"], at("b.parquet")),
    (["a.parquet:x", "-r", "a.parquet:y", "--engine", "ray", "-m", "nist"], "nist .* leave out --engine"),
    (["hyp.txt", "-l", "en-de"], "-l needs -t"),
    (["hyp.txt", "-t", "wmt99", "-l", "en-de"], "unknown test set 'wmt99'; did you mean 'wmt"),
    (["hyp.txt", "-t", "wmt23"], r"-t wmt23 needs -l: add a language pair \(there are: .*en-de"),
    (["hyp.txt", "-t", "wmt23", "-l", "en-xx"], "unknown language pair of wmt23 'en-xx'"),
]


@pytest.mark.parametrize(("arguments", "expected"), MISTAKES)
def test_mistakes(files, capsys, arguments, expected):
    check_failure(capsys, ["score", *arguments], expected)


def test_a_mistake_of_the_installed_command(files):
    result = command("score", "hyp.txt", "-r", "broken.txt", cwd=files)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert b"broken.txt" in result.stderr


class TestTestSets:
    """sacrebleu's test sets without the network: its download folder is replaced."""

    @pytest.fixture
    def offline(self, files, monkeypatch):
        from sacrebleu import dataset

        def refuse(*arguments, **options):
            raise OSError("the network is down")

        monkeypatch.setattr(dataset.base, "SACREBLEU_DIR", str(files / "cache"))
        monkeypatch.setattr(dataset.base, "download_file", refuse, raising=False)
        for module in (dataset.fake_sgml, dataset.plain_text, dataset.tsv, dataset.wmt_xml):
            monkeypatch.setattr(module, "download_file", refuse, raising=False)
        return files

    def test_offline(self, offline, capsys):
        assert score("hyp.txt", "-t", "wmt23", "-l", "en-de") == 2
        error = capsys.readouterr().err
        assert "cannot get the test set wmt23 en-de" in error
        assert "name reference files with -r" in error
        assert error.count("\n") == 1

    def test_its_files_are_the_references(self, files, monkeypatch, capsys):
        from sacrebleu.dataset import DATASETS

        monkeypatch.setattr(
            type(DATASETS["wmt23"]), "get_reference_files", lambda self, pair: [str(files / "ref.txt")], raising=True
        )
        data = content(capsys, "hyp.txt", "-t", "wmt23", "-l", "en-de", "-m", "bleu")
        assert data["systems"][0]["scores"]["bleu"] == refscore.bleu(HYPOTHESES, REFERENCES).to_dict()

    def test_without_sacrebleu(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "sacrebleu", None)
        monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
        with pytest.raises(refscore.NotInstalledError, match=r"pip install 'refscore\[testsets\]'"):
            test_sets.reference_files("wmt23", "en-de")


def test_version():
    result = command("--version")
    assert (result.returncode, result.stdout.decode().strip()) == (0, f"refscore {refscore.__version__}")


def test_output_needs_no_utf8(files):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = command("score", "hyp.txt", "-r", "ref.txt", cwd=files, environment=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"TER \\u2193" in result.stdout


@pytest.mark.slow
def test_numbers_are_whole_on_a_narrow_terminal(files):
    for width in (30, 60, 80):
        text = on_terminal("score", files / "hyp.txt", "-r", files / "ref.txt", "--ci", width=width)
        assert f"{refscore.chrf(HYPOTHESES, REFERENCES).percent:.2f}" in text


def test_a_table_on_a_terminal(files):
    text = on_terminal("score", files / "hyp.txt", files / "other.txt", "-r", files / "ref.txt", "-m", "bleu,chrf")
    values = [refscore.chrf(texts, REFERENCES).percent for texts in (HYPOTHESES, OTHERS)]
    assert f"*{max(values):.2f}" in text
    assert f" {min(values):.2f}" in text
    assert refscore.bleu(HYPOTHESES, REFERENCES).signature in text
    assert "─" in text
