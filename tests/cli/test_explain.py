"""The command `refscore explain`."""

import json
from pathlib import Path

import jsonschema
import pytest

import refscore
from tests.cli.running import at, check_failure, json_of, on_terminal, output_of, status_of

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "a test"]
REFERENCES = ["The cat sat on the mat.", "Ein Hund, sehr klein", "a fest"]
OTHERS = ["A cat sat on a mat.", "Ein kleines Hündchen", ""]
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "reference" / "schemas" / "explain.1.json").read_text(encoding="utf-8")
)
SENTENCE = refscore.BLEU.preset("sacrebleu-sentence")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, lines in [("hyp.txt", HYPOTHESES), ("ref.txt", REFERENCES), ("other.txt", OTHERS)]:
        (tmp_path / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    rows = [
        {"hyp": HYPOTHESES[0], "refs": [REFERENCES[0], None, OTHERS[0]], "none": None},
        {"hyp": HYPOTHESES[1], "refs": REFERENCES[1], "none": [None]},
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "data.tsv").write_text(f"1\t{HYPOTHESES[0]}\n2\t{HYPOTHESES[1]}\n")
    (tmp_path / "empty.txt").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys, *arguments):
    return output_of(capsys, "explain", *arguments)


def steps(index, *streams, metric=SENTENCE):
    return f"{metric.explain(HYPOTHESES[index], [stream[index] for stream in streams])}\n"


FIRST, SECOND, THIRD = ((HYPOTHESES[k], [REFERENCES[k], OTHERS[k]]) for k in range(3))


@pytest.mark.parametrize(
    ("arguments", "segment"),
    [
        (["a b", "a c", "b c"], ("a b", ["a c", "b c"])),
        (["hyp.txt:2", "ref.txt:2", "other.txt:2"], SECOND),
        (["hyp.txt:3", "ref.txt", "other.txt"], THIRD),  # references take the line of the hypothesis
        (["data.jsonl:hyp:1", "data.jsonl:refs:1"], FIRST),
        (["data.jsonl:hyp:1", "data.jsonl:refs"], FIRST),
        (["data.tsv:2:1", "ref.txt", "other.txt"], FIRST),
        ([HYPOTHESES[1], "ref.txt:2", OTHERS[1]], SECOND),
        (["hyp.txt:1", "it is 12:30"], (HYPOTHESES[0], ["it is 12:30"])),
        (["hyp.txt", "ref.txt", "--text"], ("hyp.txt", ["ref.txt"])),
        (["folder", "a folder"], ("folder", ["a folder"])),
    ],
)
def test_texts_and_places(folder, capsys, arguments, segment):
    assert shown(capsys, *arguments) == f"{SENTENCE.explain(*segment)}\n"


def test_several_metrics(folder, capsys):
    text = shown(capsys, "hyp.txt:1", "ref.txt", "-m", "bleu,ter", "-m", "chrf++")
    metrics = [SENTENCE, refscore.TER(), refscore.CHRF(word_order=2)]
    assert text == "\n".join(steps(0, REFERENCES, metric=metric) for metric in metrics)


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        (["--preset", "sacrebleu", "-m", "bleu"], refscore.BLEU()),
        (["--set", "bleu.max_order=2"], refscore.BLEU(max_order=2, effective_order=True)),
        (["--signature", refscore.BLEU(max_order=3).signature], refscore.BLEU(max_order=3)),
        (["-m", "ribes:nltk"], refscore.RIBES.preset("nltk")),
    ],
)
def test_settings(folder, capsys, options, metric):
    assert shown(capsys, "hyp.txt:1", "ref.txt", *options) == steps(0, REFERENCES, metric=metric)


def test_nist_is_fitted_on_the_references(folder, capsys):
    assert status_of(["explain", "hyp.txt:1", "ref.txt", "other.txt", "-m", "nist"]) == 0
    references = [REFERENCES[0], OTHERS[0]]
    output = capsys.readouterr()
    assert output.out == f"{refscore.NIST.fit([references]).explain(HYPOTHESES[0], references)}\n"
    assert output.err == "refscore: note: NIST takes its weights from only these references\n"


def test_json(folder, capsys):
    data = json_of(capsys, "explain", "hyp.txt:2", "ref.txt", "other.txt", "-m", "bleu,ter")
    references = [REFERENCES[1], OTHERS[1]]
    assert list(data) == ["schema", "version", "hypothesis", "references", "explanations"]
    assert data["schema"] == "refscore.explain/1"
    assert (data["hypothesis"], data["references"]) == (HYPOTHESES[1], references)
    labels = {"bleu": SENTENCE, "ter": refscore.TER()}
    assert [part["label"] for part in data["explanations"]] == list(labels)
    for part, metric in zip(data["explanations"], labels.values(), strict=True):
        assert part["score"] == metric.segment(HYPOTHESES[1], references).to_dict()
        assert part["steps"] == metric.explain(HYPOTHESES[1], references).to_dict()


@pytest.mark.parametrize("name", refscore.metrics.METRICS)
def test_every_metric(folder, capsys, name):
    assert status_of(["explain", "hyp.txt:1", "ref.txt", "-m", name]) == 0
    assert "Result: " in capsys.readouterr().out
    assert status_of(["explain", "hyp.txt:1", "ref.txt", "other.txt", "-m", name, "--format", "json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), SCHEMA)


def test_html(folder, capsys):
    page = shown(capsys, "a <b>", "a <c>", "-m", "bleu,ter", "--format", "html")
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")
    assert page.count('<section class="refscore">') == 2
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hyp.txt", "ref.txt"], r"hyp\.txt is a file: name a line, as in hyp\.txt:1, or add --text"),
        (["a cat", "ref.txt"], r"ref\.txt is a file, but the hypothesis is a text: name a line"),
        (["data.jsonl:hyp", "a"], at("data.jsonl:hyp")),
        (["hyp.txt:4", "ref.txt"], r"hyp\.txt has only 3 lines, so there is no line 4"),
        (["hyp.txt:0", "ref.txt"], at("hyp.txt", 0)),
        (["hyp.txt:1", "empty.txt"], at("empty.txt")),
        (["hpy.txt:1", "ref.txt"], r"hpy\.txt:1 does not exist: add --text"),
        (["hyp.txt:1", "reff.txt"], at("reff.txt")),
        (["hyp.txt:1", "dta.jsonl:refs:1"], at("dta.jsonl:refs:1")),
        (["data.jsonl:refs:1", "a"], at("data.jsonl", 1, "refs")),
        (["data.jsonl:none:1", "a"], at("data.jsonl", 1, "none")),
        (["data.jsonl:hyp:1", "data.jsonl:none"], at("data.jsonl:none", 1)),
        (["data.jsonl:hyp:2", "data.jsonl:none"], at("data.jsonl:none", 2)),
        (["data.jsonl:hpy:1", "a"], r"no field 'hpy': did you mean 'hyp'\?"),
        (["a", "b", "-m", ""], r"-m names no metric"),
        (["a", "b", "--set", "ter.tokenizer=tercom-norm"], r"ter"),
        (["a", "", "-m", "ribes"], "skip empty references with --set ribes"),
        (["a"], r"REF"),
        (["a", "b", "--format", "pdf"], r"'pdf'"),
    ],
)
def test_mistakes(folder, capsys, arguments, expected):
    check_failure(capsys, ["explain", *arguments], expected)


@pytest.mark.slow
def test_on_a_terminal(folder):
    text = on_terminal("explain", "hyp.txt:1", "ref.txt", "-m", "bleu,ter")
    assert "BLEU, step by step" in text and "TER, step by step" in text
    assert "=====" not in text  # drawn for a terminal, not underlined
    assert "\x1b[32m" in on_terminal("explain", "hyp.txt:1", "ref.txt", styled=True)  # green
