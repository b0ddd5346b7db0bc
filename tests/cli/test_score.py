"""The command `refscore score`: output and errors."""

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
from refscore.evaluation import intervals
from tests.cli.running import (
    at,
    check_failure,
    command,
    json_of,
    on_terminal,
    output_of,
    rows_of,
    status_of,
    write_lines,
)

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "", "3.5 % of it"]
REFERENCES = ["The cat sat on the mat.", "Ein Hund, sehr klein", "nothing", "3.5 % of all of it"]
OTHERS = ["A cat sat on a mat.", "Ein kleines Hündchen", "", "3.5 % of it"]
SCORED = ["hyp.txt", "-r", "ref.txt"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    texts = {"hyp.txt": HYPOTHESES, "ref.txt": REFERENCES, "other.txt": OTHERS}
    rows = [{"mt": text, "refs": [one, two]} for text, one, two in zip(HYPOTHESES, REFERENCES, OTHERS, strict=True)]
    write_lines(tmp_path, **texts, **{"short.txt": OTHERS[:2], "empty.txt": [], "data.jsonl": map(json.dumps, rows)})
    (tmp_path / "broken.txt").write_bytes(b"a\nb\nc\xff\nd\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "hyp.txt").write_bytes((tmp_path / "hyp.txt").read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys, *arguments):
    return output_of(capsys, "score", *arguments)


def content(capsys, *arguments):
    return json_of(capsys, "score", *arguments)


def test_the_installed_command(files):
    result = command("score", *SCORED, "-m", "bleu", cwd=files)
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
    result = command("score", "hyp.txt", "-r", "broken.txt", cwd=files)
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)
    assert command("--version").stdout.decode().strip() == f"refscore {refscore.__version__}"


def test_several_systems_and_metrics_against_sacrebleu(files, capsys):
    arguments = ["hyp.txt", "new=other.txt", "-r", "ref.txt", "-m", "bleu,chrf++,ter"]
    rows = rows_of(shown(capsys, *arguments, "--format", "tsv"))
    assert [row["system"] for row in rows] == ["hyp.txt", "new"]
    for row, texts in zip(rows, (HYPOTHESES, OTHERS), strict=True):
        expected = {
            "bleu": sacrebleu.corpus_bleu(texts, [REFERENCES]),
            "chrf++": sacrebleu.corpus_chrf(texts, [REFERENCES], word_order=2),
            "ter": sacrebleu.corpus_ter(texts, [REFERENCES]),
        }
        for label, score in expected.items():
            assert float(row[label]) == pytest.approx(score.score, rel=1e-12)


def test_intervals_are_numbers_in_csv(files, capsys):
    arguments = ["hyp.txt", "new=other.txt", "-r", "ref.txt", "-m", "bleu,ter", "--ci"]
    rows = rows_of(shown(capsys, *arguments, "--format", "csv", "--digits", "1"), "csv")
    names = [f"{label}{end}" for label in ("bleu", "ter") for end in ("", "_low", "_high")]
    assert [*rows[0]] == ["system", *names]
    for row, system in zip(rows, content(capsys, *arguments)["systems"], strict=True):
        for label, score in system["scores"].items():
            values = [score["value"], score["interval"]["low"], score["interval"]["high"]]
            cells = [row[name] for name in (label, f"{label}_low", f"{label}_high")]
            assert [*map(float, cells)] == [100 * value for value in values]


def test_the_best_of_each_metric_is_marked_by_its_direction(files, capsys):
    lines = shown(capsys, "hyp.txt", "same=ref.txt", "-r", "ref.txt", "-m", "chrf,ter").splitlines()
    assert lines[2].split()[0] == "hyp.txt" and "*" not in lines[2]
    assert lines[3].split() == ["same", "*100.00", "*0.00"]


def test_warnings_name_options(files, capsys):
    write_lines(files, one=["a short text of one segment"], lower=["it rained all day in the valley"] * 12)
    write_lines(files, upper=["It rained all day, in the Valley."] * 12, tokens=["it rains , so .", "we left ."] * 6)
    write_lines(files, chinese=["委员会将于星期二再次召开会议。", "没有人料到这座桥会这么早就关闭。"])
    cases = {
        ("one", "ref=one", "-m", "bleu"): "or use --set bleu.effective_order=yes for single segments [single]",
        ("lower", "upper", "-m", "wer"): "use --set wer.normalize=whisper-en for English, or --set wer.lowercase=yes",
        ("chinese", "chinese", "-m", "bleu,ter"): "use --set '*.tokenizer=zh' (or char) [unspaced]",
        ("tokens", "upper", "-m", "bleu"): "use --set bleu.tokenizer=none [tokenized]",
    }
    for (hypotheses, references, *options), advice in cases.items():
        assert status_of(["score", hypotheses, "-r", references.removeprefix("ref="), *options]) == 0
        assert advice in capsys.readouterr().err


def test_every_metric(files, capsys):
    options = ["-m", ",".join(refscore.metrics.METRICS), "--set", "ribes.empty_reference=skip", "--no-warn", "zero"]
    data = content(capsys, "hyp.txt", "other.txt", "-r", "ref.txt", "--source", "other.txt", *options)
    for system, texts in zip(data["systems"], (HYPOTHESES, OTHERS), strict=True):
        for name in refscore.metrics.METRICS:
            kind = refscore.metrics.METRICS[name]
            settings = {"empty_reference": "skip"} if name == "ribes" else {}
            settings |= {"sources": OTHERS} if kind.needs_sources else {}
            function = getattr(refscore if kind.needs_references else refscore.metrics, name)
            assert system["scores"][name] == function(texts, REFERENCES, **settings).to_dict()


BOTH = refscore.from_streams([REFERENCES, OTHERS])
TWO = ["hyp.txt", "-r", "ref.txt", "--reference", "other.txt"]
FLOOR = refscore.BLEU(smoothing="floor", lowercase=True)


@pytest.mark.parametrize(
    ("arguments", "references", "metric"),
    [
        ([*TWO, "-m", "bleu"], BOTH, refscore.BLEU()),
        (["data.jsonl:mt", "-r", "data.jsonl:refs", "-m", "bleu"], BOTH, refscore.BLEU()),
        ([*TWO, "-m", "bleu", "--blank-reference", "empty"], BOTH, refscore.BLEU()),
        (
            [*TWO, "-m", "bleu", "--blank-reference", "missing"],
            [[text for text in entry if text] for entry in BOTH],
            refscore.BLEU(),
        ),
        ([*SCORED, "-m", "bleu,bleu:nltk", "--set", "bleu.max_order=2"], REFERENCES, refscore.BLEU(max_order=2)),
        ([*SCORED, "--signature", FLOOR.signature], REFERENCES, FLOOR),
    ],
)
def test_references_and_settings(files, capsys, arguments, references, metric):
    data = content(capsys, *arguments)
    expected = metric.corpus(HYPOTHESES, references)
    assert data["systems"][0]["scores"]["bleu"] == expected.to_dict()
    assert data["metrics"]["bleu"]["signature"] == expected.signature


def test_files_larger_than_a_block(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 4096)
    monkeypatch.chdir(tmp_path)
    hypotheses, references = ([f"{'a word ' * (i % k)} {i}" for i in range(3000)] for k in (4, 3))
    write_lines(tmp_path, hyp=hypotheses, ref=references)
    data = content(capsys, "hyp", "again=hyp", "-r", "ref", "-m", "bleu,ter", "--segments", "s.jsonl")
    assert data["segments"] == 3000
    for system in data["systems"]:
        assert system["scores"]["bleu"] == refscore.bleu(hypotheses, references).to_dict()
        assert system["scores"]["ter"] == refscore.ter(hypotheses, references).to_dict()
    rows = rows_of(Path("s.jsonl").read_text(encoding="utf-8"), "jsonl")
    assert [row["ter"] for row in rows] == 2 * (100 * refscore.TER().segments(hypotheses, references)).tolist()


def test_groups(files, capsys):
    write_lines(files, **{"domains.tsv": ["domain", "news", "web", "web", "news"]})
    options = ["hyp.txt", "new=other.txt", "-r", "ref.txt", "-m", "chrf,ter", "--by", "domains.tsv:domain"]
    data = content(capsys, *options)
    assert [(group["group"], group["segments"]) for group in data["groups"]] == [("news", 2), ("web", 2)]
    for group, chosen in zip(data["groups"], ([0, 3], [1, 2]), strict=True):
        for system, texts in zip(group["systems"], (HYPOTHESES, OTHERS), strict=True):
            scored = refscore.scores([texts[k] for k in chosen], [REFERENCES[k] for k in chosen], ["chrf", "ter"])
            assert system["scores"] == {label: score.to_dict() for label, score in scored.items()}
    assert data["systems"] == content(capsys, *options[:-2])["systems"]
    lines = shown(capsys, *options).splitlines()
    assert lines[0].split() == ["group", "segments", "system", "chrF2", "TER", "↓"]
    assert [line.split()[:3] for line in lines[2:8]] == [
        [group, count, name]
        for group, count in (("all", "4"), ("news", "2"), ("web", "2"))
        for name in ("hyp.txt", "new")
    ]
    assert [line.count("*") for line in lines[2:8]].count(0) < 4  # the best system of each group is marked


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_many_groups_have_systems_as_columns(tmp_path, monkeypatch, capsys, metric):
    monkeypatch.chdir(tmp_path)
    texts = {name: [f"{word} {name} {number % shift} day" for number in range(50)] for name, word, shift in SYSTEMS}
    write_lines(tmp_path, **texts, ref=[f"a b {number} day" for number in range(50)], docs=range(50))
    arguments = ["one", "two", "-r", "ref", "-m", metric, "--by", "docs", "-q"]
    title, heading, _, whole, *rows = shown(capsys, *arguments).split("\n\n")[0].splitlines()
    assert (title.split()[0].lower()[:3], heading.split()) == (metric[:3], ["group", "segments", "one", "two"])
    assert whole.split()[:2] == ["all", "50"] and rows.pop().startswith("Groups with the largest differences")
    differences = [abs(float(one.strip("*")) - float(two.strip("*"))) for *_, one, two in map(str.split, rows)]
    assert len(rows) == 50 and differences == sorted(differences, reverse=True) and differences[0] > differences[-1]
    listed = [row["group"] for row in rows_of(shown(capsys, *arguments, "--format", "tsv"))]
    assert listed == ["all", "all", *(str(number) for number in range(50) for _ in range(2))]


def test_groups_with_intervals(files, capsys):
    write_lines(files, domains=["news", "web", "web", "web"])
    data = content(capsys, *SCORED, "-m", "chrf", "--by", "domains", "--ci")
    news, web = (group["systems"][0]["scores"]["chrf"] for group in data["groups"])
    assert "interval" not in news  # one segment cannot be resampled
    rows = refscore.CHRF().stats(HYPOTHESES[1:], REFERENCES[1:])
    assert web["interval"] == significance.bootstrap("chrf", rows).to_dict()
    assert shown(capsys, *SCORED, "-m", "chrf", "--by", "domains", "--ci").splitlines()[3].split()[-1] == "–"


SYSTEMS = (("one", "a", 7), ("two", "b", 11))

HELD = """
import numpy as np
from refscore.evaluation.retained_rows import GrowingRows
before = peak()
kept = GrowingRows(10, np.dtype(np.int64))
for number in range(1000):
    kept.add(np.full((1000, 10), number))
joined = kept.joined()
print((peak() - before) / joined.nbytes)
assert joined.shape == (1_000_000, 10) and (joined == np.arange(1000).repeat(1000)[:, None]).all()
"""
STREAMED = """
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
    return peak() / 1024**2
few = peak_after(200_000)  # several blocks: the next one is read while one is scored
print(peak_after(500_000) - few)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of ru_maxrss differs")
@pytest.mark.slow
@pytest.mark.parametrize(("program", "most"), [(HELD, 1.25), (STREAMED, 16)], ids=["retained rows", "segment file"])
def test_memory(tmp_path, program, most):
    """Retained rows are held once. A segment file needs none, where the rows of 300,000 lines would have 140 MB."""
    peak = "import resource\ndef peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
    line = [sys.executable, "-c", peak + program]
    ended = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout.splitlines()[-1]) < most


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_segment_files(files, capsys, ending):
    data = content(capsys, "hyp.txt", "b=other.txt", "-r", "ref.txt", "-m", "bleu,ter", "--segments", f"out.{ending}")
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    assert data["metrics"]["bleu"]["segment_signature"] == sentence.signature
    rows = rows_of(Path(f"out.{ending}").read_text(encoding="utf-8"), ending)
    expected = [(name, number) for name in ("hyp.txt", "b") for number in range(1, 5)]
    assert [(row["system"], int(row["segment"])) for row in rows] == expected
    pairs = list(zip(HYPOTHESES + OTHERS, REFERENCES * 2, strict=True))
    expected = [sacrebleu.sentence_bleu(text, [reference]).score for text, reference in pairs]
    assert [float(row["bleu"]) for row in rows] == pytest.approx(expected, rel=1e-12)
    expected = [sacrebleu.sentence_ter(text, [reference]).score for text, reference in pairs]
    assert [float(row["ter"]) for row in rows] == pytest.approx(expected, rel=1e-12)


def test_segments_on_standard_output(files, capsys):
    options = [*SCORED, "-m", "bleu:sacrebleu", "--segments", "-"]
    expected = (100 * refscore.BLEU().segments(HYPOTHESES, REFERENCES)).tolist()
    assert [float(row["bleu:sacrebleu"]) for row in rows_of(shown(capsys, *options))] == expected
    rows = rows_of(shown(capsys, *options, "--format", "json"), "jsonl")
    assert [row["bleu:sacrebleu"] for row in rows] == expected


def test_intervals(files, capsys, monkeypatch):
    threads = []
    bootstrap = significance.bootstrap
    monkeypatch.setattr(intervals, "bootstrap", lambda *a, **k: threads.append(k["threads"]) or bootstrap(*a, **k))
    options = ["hyp.txt", "other.txt", "-r", "ref.txt", "-m", "bleu,ter", "--ci", "--resamples", 50, "--seed", 7]
    data = content(capsys, *options, "--threads", 1)
    assert threads == [1] * 4
    metric = refscore.BLEU()
    expected = bootstrap(metric, metric.stats(OTHERS, REFERENCES), resamples=50, seed=7)
    assert data["systems"][1]["scores"]["bleu"]["interval"] == expected.to_dict()
    text = shown(capsys, *options)
    for part in (f"[{100 * expected.low:.2f}, {100 * expected.high:.2f}]", "95 % interval", expected.signature):
        assert part in text
    write_lines(files, units=["a", "a", "b", "b"])
    by_document = content(capsys, *options, "--units", "units")["systems"][1]["scores"]["bleu"]["interval"]
    assert by_document != expected.to_dict()


def test_forms_for_papers(files, capsys):
    arguments = ["hyp.txt", "b_1=other.txt", "-r", "ref.txt", "-m", "chrf", "--digits", 1]
    latex = shown(capsys, *arguments, "--format", "latex")
    values = [100 * refscore.chrf(texts, REFERENCES).value for texts in (HYPOTHESES, OTHERS)]
    better, worse = f"{max(values):.1f}", f"{min(values):.1f}"
    assert rf"\textbf{{{better}}}" in latex and rf"\textbf{{{worse}}}" not in latex
    assert r"b\_1 & " in latex
    assert f"% {refscore.chrf(HYPOTHESES, REFERENCES).signature}" in latex
    assert f"**{better}** |" in shown(capsys, *arguments, "--format", "markdown")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["hyp.txt", "folder/hyp.txt", "a=other.txt", "-r", "ref.txt"], ["hyp.txt", "folder/hyp.txt", "a"]),
        (["folder/hyp.txt", "./other.txt", "-r", "ref.txt"], ["hyp.txt", "other.txt"]),
        (["all.tsv:a", "all.tsv:b", "-r", "all.tsv:ref"], ["a", "b"]),
    ],
)
def test_names_of_systems(files, capsys, arguments, names):
    write_lines(files, **{"all.tsv": ["a\tb\tref", "x\ty\tx", "z w v u\tz w v u\tz w v u"]})
    assert [system["name"] for system in content(capsys, *arguments)["systems"]] == names


STREAM = '{"hyp": "a cat", "ref": ["the cat", "a cat"]}\n{"hyp": "b", "ref": "c"}\n'


def test_fields_of_standard_input(files, monkeypatch, capsys):
    (files / "x.jsonl").write_text(STREAM)
    expected = content(capsys, "x.jsonl:hyp", "-r", "x.jsonl:ref", "-m", "wer")["systems"][0]["scores"]
    (files / "x").write_text(STREAM)
    for arguments in (
        ["-:hyp", "-r", "x.jsonl:ref"],
        ["-:hyp", "-r", "-:ref"],
        ["-r", "-:ref", "-:hyp", "--input-format", "-=jsonl"],
        ["x:hyp", "-r", "-:ref", "--input-format", "x=jsonl"],
        ["x:hyp", "-r", "x.jsonl:ref", "--input-format", "jsonl"],
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(STREAM.encode())))
        assert content(capsys, *arguments, "-m", "wer")["systems"][0]["scores"] == expected


@pytest.mark.parametrize(
    ("systems", "is_noted"), [(["ref.txt"], True), (["ref.txt", "-q"], False), (["people=ref.txt"], False)]
)
def test_a_file_of_references_without_its_option_is_noted(files, capsys, systems, is_noted):
    assert status_of(["score", "hyp.txt", *systems, "-r", "other.txt", "-m", "wer", "--no-warn", "all"]) == 0
    note = "refscore: note: ref.txt is scored as a system: write -r before it if it has references\n"
    assert capsys.readouterr().err == (note if is_noted else "")


@pytest.mark.parametrize(
    ("file", "options", "begin"),
    [
        ("out.json", [], "{"),
        ("out.CSV", [], "system,"),
        ("out.tex", [], r"\begin{tabular}"),
        ("out.md", [], "| system"),
        ("out.json", ["--format", "text"], "system   WER"),
        ("out.txt", [], "system   WER"),
        ("out", [], "system   WER"),
    ],
)
def test_the_ending_of_the_output_chooses_the_format(files, capsys, file, options, begin):
    assert output_of(capsys, "score", *SCORED, "-m", "wer", "-o", file, *options) == ""
    assert Path(file).read_text(encoding="utf-8").startswith(begin)


def test_metrics_without_references(files, capsys):
    write_lines(files, scores=["1", "2", "3", "4"])
    given = ["hyp.txt", "--given", "comet=scores", "-m", "none"]
    for options in ([], ["--blank-reference", "missing"]):
        assert content(capsys, *given, *options)["systems"][0]["scores"]["comet"]["value"] == 2.5


MISTAKES = [
    (["all.tsv:a", "-r", "ref.txt", "--input-format", "all.tsv=tvs"], "'tvs' is not one of 'text'"),
    (["hyp.txt:a", "-r", "ref.txt"], "with --input-format"),
    (["-", "-r", "-:ref"], "standard input can be read only once: .* as in -:hyp and -:ref"),
    (["hyp.txt", "-r", "nothing.txt"], at("nothing.txt")),
    (["nothing.txt", "-r", "ref.txt"], at("nothing.txt")),
    (["hyp.tx", "-r", "ref.txt"], r"did you mean hyp\.txt\?"),
    ([*SCORED, "-m", "bleu", "chrF++"], "chrF[+]{2} is not a file: .* as in -m bleu,chrF[+]{2}"),
    (["no\nthing\x1b[1m", "-r", "ref.txt"], r"no\\nthing\\x1b\[1m"),
    (["", "-r", "ref.txt"], at("a file with an empty name")),
    (["folder", "-r", "ref.txt"], at("folder")),
    (["empty.txt", "-r", "ref.txt"], at("empty.txt")),
    (["hyp.txt", "-r", "broken.txt"], at("broken.txt", 3)),
    (["hyp.txt", "-r", "short.txt"], at("hyp.txt", 3)),
    ([*SCORED, "-r", "short.txt"], at("hyp.txt", 3)),
    (["hyp.txt", "short.txt", "-r", "ref.txt"], r"short\.txt has 2 lines but hyp\.txt has 4 lines"),
    (["data.jsonl:mtt", "-r", "ref.txt"], at("data.jsonl", 1)),
    (["data.jsonl:refs", "-r", "ref.txt"], at("data.jsonl", 1, "refs")),
    (["hyp.txt", "-r", "other.txt", "-m", "bleu", "--blank-reference", "missing"], at("other.txt", 3)),
    (["hyp.txt"], "Missing option '-r': name a file of references, or"),
    (["hyp.txt", "ref.txt"], "Missing option '-r': name a file of references, as in -r ref.txt"),
    (["hyp.txt", "-r", "ref.txt,other.txt"], "is not a file: write -r before each file, as in -r ref.txt -r other.txt"),
    ([], "(?i)hyp"),
    (["-", "-r", "-"], at("standard input")),
    (["a=hyp.txt", "a=other.txt", "-r", "ref.txt"], "'a'"),
    ([*SCORED, "-m", "blue"], "'blue'.*'bleu'"),
    ([*SCORED, "--set", "bleu.max_order=0"], "max_order"),
    ([*SCORED, "--segments", "out.xlsx"], at("out.xlsx")),
    ([*SCORED, "--segments", "other.txt"], at("other.txt")),
    ([*SCORED, "--segments", "nowhere/out.tsv"], at(str(Path("nowhere", "out.tsv")))),
    ([*SCORED, "--threads", "0"], "--threads"),
    ([*SCORED, "--seed", "1"], "--seed needs --ci"),
    ([*SCORED, "--units", "ref.txt"], "--units needs --ci"),
    ([*SCORED, "--master", "x"], "--master needs --engine"),
    ([*SCORED, "--engine", "ray", "--ci"], "--ci"),
    ([*SCORED, "--engine", "ray", "--by", "ref.txt"], "by="),
    ([*SCORED, "--by", "short.txt"], r"short\.txt has 2 lines but hyp\.txt has 4 lines"),
    ([*SCORED, "--by", "hyp.txt"], at("hyp.txt", 3)),
    ([*SCORED, "--engine", "ray"], at("hyp.txt")),
    (["a.parquet:x", "-r", "b.parquet:y", "--engine", "ray"], at("b.parquet")),
    (["a.parquet:x", "-r", "a.parquet:y", "--engine", "ray", "-m", "nist"], "nist"),
    (["hyp.txt", "-l", "en-de"], "-l needs -t"),
    (["hyp.txt", "-t", "wmt99", "-l", "en-de"], "'wmt99'.*'wmt"),
    (["hyp.txt", "-t", "wmt23"], r"-t wmt23 needs -l: .*en-de"),
    (["hyp.txt", "-t", "wmt23", "-l", "en-xx"], "wmt23 'en-xx'"),
]


@pytest.mark.parametrize(("arguments", "expected"), MISTAKES)
def test_mistakes(files, capsys, arguments, expected):
    check_failure(capsys, ["score", *arguments], expected)


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="such a link is replaced there")
def test_segments_into_a_link_to_itself(files, capsys):
    Path("loop.tsv").symlink_to("loop.tsv")
    check_failure(capsys, ["score", *SCORED, "--segments", "loop.tsv"], "^refscore: loop.tsv")


class TestTestSets:
    """sacrebleu's test sets without the network: its download folder is replaced."""

    ARGUMENTS = ("hyp.txt", "-t", "wmt23", "-l", "en-de", "-m", "bleu")

    def test_offline(self, files, capsys, monkeypatch):
        from sacrebleu import dataset

        def refuse(*arguments, **options):
            raise OSError("the network is down")

        monkeypatch.setattr(dataset.base, "SACREBLEU_DIR", str(files / "cache"))
        for module in (dataset.base, dataset.fake_sgml, dataset.plain_text, dataset.tsv, dataset.wmt_xml):
            monkeypatch.setattr(module, "download_file", refuse, raising=False)
        check_failure(capsys, ["score", *self.ARGUMENTS], "wmt23 en-de.* -r")

    def test_its_files_are_the_references(self, files, monkeypatch, capsys):
        from sacrebleu.dataset import DATASETS

        kind = type(DATASETS["wmt23"])
        monkeypatch.setattr(kind, "get_reference_files", lambda self, pair: [str(files / "ref.txt")])
        scores = content(capsys, *self.ARGUMENTS)["systems"][0]["scores"]
        assert scores["bleu"] == refscore.bleu(HYPOTHESES, REFERENCES).to_dict()

    def test_without_sacrebleu(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "sacrebleu", None)
        monkeypatch.setitem(sys.modules, "sacrebleu.dataset", None)
        with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[testsets\]"):
            test_sets.reference_files("wmt23", "en-de")


@pytest.mark.parametrize("width", [30, pytest.param(60, marks=pytest.mark.slow), 200])
def test_a_table_on_a_terminal(files, width):
    options = ["-m", "bleu,chrf", "--ci", "--resamples", 10]
    text = on_terminal("score", "hyp.txt", "other.txt", "-r", "ref.txt", *options, width=width)
    low, high = sorted(refscore.chrf(texts, REFERENCES).percent for texts in (HYPOTHESES, OTHERS))
    assert f"*{high:.2f}" in text  # also on a narrow terminal, numbers are whole
    assert f" {low:.2f}" in text
    if width == 200:
        assert "─" in text and refscore.bleu(HYPOTHESES, REFERENCES).signature in text
