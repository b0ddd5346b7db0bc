"""The command `refscore explain`."""

import json

import pytest

import refscore
from tests.cli.running import at, check_failure, json_of, output_of, write_lines

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "a test"]
REFERENCES = ["The cat sat on the mat.", "Ein Hund, sehr klein", "a fest"]
OTHERS = ["A cat sat on a mat.", "Ein kleines Hündchen", ""]
SENTENCE = refscore.BLEU.preset("sacrebleu-sentence")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [
        {"hyp": HYPOTHESES[0], "refs": [REFERENCES[0], None, OTHERS[0]], "none": None},
        {"hyp": HYPOTHESES[1], "refs": REFERENCES[1], "none": [None]},
    ]
    table = [f"1\t{HYPOTHESES[0]}", f"2\t{HYPOTHESES[1]}"]
    texts = {"hyp.txt": HYPOTHESES, "ref.txt": REFERENCES, "other.txt": OTHERS, "data.tsv": table, "empty.txt": []}
    write_lines(tmp_path, **texts, **{"data.jsonl": map(json.dumps, rows)})
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)


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
    references = [REFERENCES[0], OTHERS[0]]
    text = output_of(capsys, "explain", "hyp.txt:1", "ref.txt", "other.txt", "-m", "nist", notes=1)
    assert text == f"{refscore.NIST.fit([references]).explain(HYPOTHESES[0], references)}\n"


@pytest.mark.parametrize("name", refscore.metrics.METRICS)
def test_every_metric_as_json(folder, capsys, name):
    arguments = ["hyp.txt:2", "ref.txt", "other.txt", "--source", "other.txt", "-m", name, "-m", "ter:sacrebleu"]
    data = json_of(capsys, "explain", *arguments, notes=int(refscore.metrics.METRICS[name]().needs_fit))
    segment = (HYPOTHESES[1], [REFERENCES[1], OTHERS[1]])
    assert (data["hypothesis"], data["references"], data["source"]) == (*segment, OTHERS[1])
    assert [part["label"] for part in data["explanations"]] == [name, "ter:sacrebleu"]
    assert data["explanations"][1]["score"] == refscore.TER().segment(*segment).to_dict()
    assert data["explanations"][1]["steps"] == refscore.TER().explain(*segment).to_dict()


def test_html(folder, capsys):
    page = shown(capsys, "a <b>", "a <c>", "-m", "bleu,ter", "--format", "html")
    assert page.startswith("<!doctype html>\n")
    assert page.endswith("</html>\n")
    assert page.count('<section class="refscore">') == 2
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hyp.txt", "ref.txt"], r"hyp\.txt:1, or add --text"),
        (["a cat", "ref.txt"], r"ref\.txt is a file"),
        (["data.jsonl:hyp", "a"], at("data.jsonl:hyp")),
        (["hyp.txt:4", "ref.txt"], "3 lines.* line 4"),
        (["hyp.txt:0", "ref.txt"], at("hyp.txt", 0)),
        (["hyp.txt:1", "empty.txt"], at("empty.txt")),
        (["hpy.txt:1", "ref.txt"], at("hpy.txt:1")),
        (["hyp.txt:1", "dta.jsonl:refs:1"], at("dta.jsonl:refs:1")),
        (["data.jsonl:refs:1", "a"], at("data.jsonl", 1, "refs")),
        (["data.jsonl:none:1", "a"], at("data.jsonl", 1, "none")),
        (["data.jsonl:hyp:1", "data.jsonl:none"], at("data.jsonl:none", 1)),
        (["data.jsonl:hyp:2", "data.jsonl:none"], at("data.jsonl:none", 2)),
        (["data.jsonl:hpy:1", "a"], "'hpy'.*'hyp'"),
        (["a", "", "-m", "ribes"], "--set ribes"),
        (["a"], "Missing option '-r'"),
    ],
)
def test_mistakes(folder, capsys, arguments, expected):
    check_failure(capsys, ["explain", *arguments], expected)


def test_references_may_be_given_with_an_option(folder, capsys):
    expected = shown(capsys, "hyp.txt:2", "ref.txt:2", "other.txt")
    assert shown(capsys, "hyp.txt:2", "-r", "ref.txt:2", "-r", "other.txt") == expected
    assert shown(capsys, "hyp.txt:2", "-r", "other.txt", "ref.txt:2") == expected
