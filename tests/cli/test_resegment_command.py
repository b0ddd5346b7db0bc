"""`refscore resegment`, and --resegment of the commands that read systems."""

import json

import pytest

import refscore
from refscore.readers import evaluate_files
from tests.cli.running import error_of, json_of, output_of, status_of

REFERENCES = ["the cat sat on the mat", "it was late", "so we all left at once"]
LINES = ["The cat sat on a", "mat it was very late so we", "left at once"]
CUT = ["The cat sat on a mat", "it was very late", "so we left at once"]


def settings_of(*texts):
    """Return the options for settings of the re-segmentation."""
    return [word for text in texts for word in ("--set", f"resegment.{text}")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {
        "ref.txt": REFERENCES,
        "hyp.txt": LINES,
        "cut.txt": CUT,
        "other.txt": ["the cat sat on the mat it was late", "so all left"],
        "long.txt": ["the cat sat", "on a big old mat it was late so we all left"],
        "documents.txt": ["x", "x", "y"],
        "labels.txt": ["x", "x", "y"],
    }.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def test_command(files, capsys):
    assert output_of(capsys, "resegment", "hyp.txt", "-r", "ref.txt").splitlines() == CUT
    output_of(
        capsys,
        "resegment",
        "hyp.txt",
        "-r",
        "ref.txt",
        "-r",
        "cut.txt",
        "-o",
        "out.txt",
        "--set",
        "resegment.ties=earliest",
    )
    assert (files / "out.txt").read_text().splitlines() == CUT
    settings = "documents=documents.txt hypothesis_documents=labels.txt tokenizer=char lowercase=no"
    options = settings_of(*settings.split())
    content = json.loads(output_of(capsys, "resegment", "hyp.txt", "-r", "ref.txt", "--format", "json", *options))
    assert content["segments"][-1] == "left at once"
    assert content["signature"].startswith("resegment|tok:char|case:mixed|punct:keep|ties:latest|")


@pytest.mark.parametrize("metrics", ["bleu,chrf", "wer,nist"])
def test_score(files, capsys, metrics):
    options = ("-r", "ref.txt", "-m", metrics)
    content = json.loads(output_of(capsys, "score", "hyp.txt", *options, "--resegment", "--format", "json"))
    expected = json.loads(output_of(capsys, "score", "cut.txt", *options, "--format", "json"))
    assert content.pop("resegmentation") == refscore.resegmentation.resegment("a", ["a"]).signature
    assert content["systems"][0]["scores"] == expected["systems"][0]["scores"]
    text = output_of(capsys, "score", "hyp.txt", *options, "--resegment", *settings_of("ties=earliest"))
    assert "resegment|tok:words|case:lc|punct:keep|ties:earliest|" in text


def test_systems_with_different_lines(files, capsys):
    options = ("-r", "ref.txt", "-m", "chrf", "--resegment")
    compared = json.loads(output_of(capsys, "compare", "hyp.txt", "other.txt", *options, "--format", "json"))
    assert compared["resegmentation"].startswith("resegment|")
    assert "resegment|" in output_of(capsys, "compare", "hyp.txt", "other.txt", *options)
    assert "resegment|" in output_of(capsys, "conventions", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "--resegment")


def test_documents(files, capsys):
    options = ("-r", "ref.txt", "-m", "wer", "--resegment", *settings_of("documents=documents.txt"), "--format", "json")
    labels = settings_of("hypothesis_documents=labels.txt")
    of_lines = json.loads(output_of(capsys, "score", "hyp.txt", *options, *labels))
    cut = refscore.resegmentation.resegment(LINES, REFERENCES, documents=[*"xxy"], hypothesis_documents=[*"xxy"])
    value = of_lines["systems"][0]["scores"]["wer"]["value"]
    assert value == pytest.approx(refscore.wer(cut.segments, REFERENCES).value)
    # The other system has one line per document.
    output_of(capsys, "score", "other.txt", *options)


def test_statistics(files, capsys):
    options = ("-r", "ref.txt", "-m", "wer", "-q")
    output_of(capsys, "stats", "hyp.txt", *options, "--resegment", "-o", "a.refscore")
    output_of(capsys, "stats", "cut.txt", *options, "-o", "b.refscore")
    assert output_of(capsys, "merge", "a.refscore").split()[3] == output_of(capsys, "merge", "b.refscore").split()[3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["score", "hyp.txt", "-r", "ref.txt", *settings_of("documents=x")],
            "--set resegment.documents=x needs --resegment: add it",
        ),
        (
            ["score", "hyp.txt", "-r", "ref.txt", "--resegment", *settings_of("hypothesis_documents=documents.txt")],
            "--set resegment.hypothesis_documents needs --set resegment.documents",
        ),
        (
            ["score", "hyp.txt", "-r", "ref.txt", "--resegment", *settings_of("documents=documents.txt")],
            "hyp.txt has 3 lines for 2 documents: write one line per document in order, or name the label of each "
            "line with --set resegment.hypothesis_documents=VALUE",
        ),
        (
            [
                *("resegment", "hyp.txt", "-r", "ref.txt"),
                *settings_of("documents=hyp.txt", "hypothesis_documents=labels.txt"),
            ],
            "line 1 of labels.txt is 'x', which is not a document of the references",
        ),
        (["resegment", "hyp.txt", "-r", "ref.txt", *settings_of("tokenizer=no-such")], "no-such"),
        (
            ["resegment", "hyp.txt", "-r", "ref.txt", *settings_of("document=x")],
            "unknown setting of resegment 'document'; did you mean 'documents'?",
        ),
        (["resegment", "hyp.txt", "-r", "ref.txt", "--set", "bleu.max_order=2"], "is not a setting of resegment"),
        (
            ["resegment", "hyp.txt", "-r", "ref.txt", *settings_of("documents=labels.txt"), "-o", "labels.txt"],
            "labels.txt is an input and would be overwritten",
        ),
        (
            ["score", "a.parquet:h", "-r", "a.parquet:r", "--resegment", "--engine", "spark"],
            "with --engine spark, cut the systems with `refscore resegment` first",
        ),
        (
            ["score", "long.txt", "-r", "ref.txt", "--resegment", "--max-tokens", "6", "-m", "wer"],
            "segment 1 after re-segmentation in long.txt has 8 tokens",
        ),
    ],
)
def test_mistakes(files, capsys, arguments, message):
    assert status_of(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("conventions", "-m", "bleu"),
        ("conventions", "-m", "bleu", "--find", "12.34"),
        ("errors",),
        ("meta", "long.txt", "--human", "human.tsv", "-m", "wer", "--statistic", "pearson"),
    ],
    ids=lambda arguments: " ".join(arguments[::3]),
)
def test_settings_in_output(files, capsys, arguments):
    (files / "human.tsv").write_text("hyp.txt\tlong.txt\n1\t2\n2\t3\n4\t1\n")
    command, *options = arguments
    signature = refscore.resegmentation.resegment("a", ["a"]).signature
    call = (command, "hyp.txt", "-r", "ref.txt", "--resegment", *options)
    assert output_of(capsys, *call).splitlines()[-1] == signature
    assert json_of(capsys, *call)["resegmentation"] == signature


def test_settings_in_latex(files, capsys):
    call = ("compare", "hyp.txt", "other.txt", "-r", "ref.txt", "--resegment", "-m", "wer", "--format", "latex")
    assert output_of(capsys, *call).splitlines()[-1] == f"% {refscore.resegmentation.resegment('a', ['a']).signature}"


def test_folder_cannot_be_cut(files):
    assert "--resegment needs systems instead of a folder" in str(error_of("meta", files, "--resegment"))


def test_a_text_in_one_line_needs_resegmentation(files):
    (files / "whole.txt").write_text(" ".join(LINES))
    (files / "same.txt").write_text("\n".join(LINES))
    message = str(error_of("score", "whole.txt", "-r", "ref.txt"))
    assert "ref.txt has 3 lines but whole.txt has 1 line" in message
    assert message.endswith(", or cut the text into segments with --resegment")
    for call in (
        ("compare", "whole.txt", "same.txt"),
        ("compare", "same.txt", "whole.txt"),
        ("report", "same.txt", "whole.txt", "-o", "x.html"),
        ("gate", "whole.txt", "--baseline", "same.txt"),
        ("gate", "same.txt", "--baseline", "whole.txt"),
        ("errors", "whole.txt"),
        ("conventions", "whole.txt"),
        ("stats", "whole.txt", "-o", "x.refscore"),
        ("select", "same.txt", "whole.txt"),
    ):
        assert str(error_of(*call, "-r", "ref.txt")).endswith(", or cut the text into segments with --resegment")
    assert "--resegment" not in str(error_of("score", "long.txt", "-r", "ref.txt"))
    with pytest.raises(refscore.InputError, match=r"cut the text into segments with resegmenter$"):
        evaluate_files({"whole": files / "whole.txt"}, [files / "ref.txt"])


def test_subtitles(files, capsys):
    reference = "1 --> 3\nIt rained\nall day.\n\n3 --> 5\nWe left.\n"
    (files / "ref.srt").write_text(reference)
    (files / "hyp.srt").write_text("1 --> 5\nIt rained all day. We left.\n")
    for align, cues in {
        "times": ["It rained all", "day. We left."],
        "words": ["It rained all day.", "We left."],
    }.items():
        options = settings_of(f"align={align}")
        assert output_of(capsys, "resegment", "hyp.srt", "-r", "ref.srt", *options).splitlines() == cues
        scored = json_of(capsys, "score", "hyp.srt", "-r", "ref.srt", "-m", "wer", "--resegment", *options)
        assert scored["resegmentation"].startswith(f"resegment|align:{align}|version:")
    assert "'times'" in str(error_of("resegment", "hyp.srt", "-r", "ref.srt", *settings_of("align=time")))
    both = settings_of("align=times", "ties=latest")
    assert "has no other settings" in str(error_of("resegment", "hyp.srt", "-r", "ref.srt", *both))
    resegmented = "score", "hyp.srt", "-r", "ref.srt", "-m", "suber", "--resegment"
    assert "without --resegment" in str(error_of(*resegmented))
