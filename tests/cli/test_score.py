"""The command `refscore score`: what it prints, and how it fails."""

import json
import re
import sys

import pytest
import sacrebleu

import refscore
from tests.cli.running import command, on_terminal, status_of

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "", "3.5 % of it"]
REFERENCES = ["The cat sat on the mat.", "Ein Hund, sehr klein", "nothing", "3.5 % of all of it"]
OTHERS = ["A cat sat on a mat.", "Ein kleines Hündchen", "", "3.5 % of it"]


@pytest.fixture
def files(tmp_path):
    for name, lines in [("hyp", HYPOTHESES), ("ref", REFERENCES), ("other", OTHERS), ("short", OTHERS[:2])]:
        (tmp_path / f"{name}.txt").write_bytes("".join(f"{line}\n" for line in lines).encode())
    (tmp_path / "empty.txt").touch()
    (tmp_path / "broken.txt").write_bytes(b"a\nb\nc\xff\nd\n")
    (tmp_path / "folder").mkdir()
    return tmp_path


def score(*arguments):
    """Runs the command in this process; the exit status."""
    return status_of(["score", *arguments])


def test_plain_output_in_a_pipe(files):
    result = command("score", files / "hyp.txt", "-r", files / "ref.txt")
    expected = refscore.bleu(HYPOTHESES, REFERENCES)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode().splitlines() == [str(expected), expected.signature]
    assert b"\x1b" not in result.stdout
    assert str(sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES])) in result.stdout.decode()


def test_json(files, capsys):
    assert score(files / "hyp.txt", "-r", files / "ref.txt", "--reference", files / "other.txt", "--json") == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.count("\n") == 1
    expected = refscore.bleu(HYPOTHESES, refscore.from_streams([REFERENCES, OTHERS]))
    assert json.loads(output.out) == {"segments": 4, **expected.to_dict()}
    assert "nrefs:2" in json.loads(output.out)["signature"]


def test_several_references(files, capsys):
    assert score(files / "hyp.txt", "-r", files / "ref.txt", "-r", files / "other.txt") == 0
    expected = refscore.bleu(HYPOTHESES, refscore.from_streams([REFERENCES, OTHERS]))
    assert capsys.readouterr().out.splitlines() == [str(expected), expected.signature]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hyp.txt", "-r", "nothing.txt"], r"nothing\.txt cannot be read: No such file"),
        (["nothing.txt", "-r", "ref.txt"], r"nothing\.txt cannot be read"),
        (["folder", "-r", "ref.txt"], "folder is a directory"),
        (["hyp.txt", "-r", "folder"], "folder is a directory"),
        (["empty.txt", "-r", "ref.txt"], r"empty\.txt is empty"),
        (["hyp.txt", "-r", "empty.txt"], r"empty\.txt is empty"),
        (["hyp.txt", "-r", "broken.txt"], r"broken\.txt, line 3 is not UTF-8 \(byte 0xff\)"),
        (["hyp.txt", "-r", "short.txt"], r"short\.txt has 2 lines but .*hyp\.txt has 4"),
        (["hyp.txt", "-r", "ref.txt", "-r", "short.txt"], r"short\.txt has 2 lines"),
        (["hyp.txt"], "(?i)-r"),
        ([], "(?i)hyp"),
        (["hyp.txt", "-r", "ref.txt", "--jsno"], "--jsno"),
        (["hyp.txt", "surplus.txt", "-r", "ref.txt"], r"surplus\.txt"),
    ],
)
def test_mistakes(files, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(files)
    assert score(*arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.search(message, output.err)
    assert "Traceback" not in output.err
    assert len(output.err.splitlines()) == 1


@pytest.mark.parametrize("name", ["nothing.txt", "broken.txt", "folder"])
def test_mistakes_of_the_installed_command(files, name):
    result = command("score", "hyp.txt", "-r", name, cwd=files)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().startswith(f"refscore: {name}")
    assert result.stderr.count(b"\n") == 1


def test_unknown_command(capsys):
    assert status_of(["scroe"]) == 2
    assert "scroe" in capsys.readouterr().err


def test_line_ends(tmp_path, capsys):
    (tmp_path / "hyp").write_bytes("a\u2028b c d\r\ne\x85f g h\r\n".encode())
    (tmp_path / "ref").write_bytes(b"a b c d\ne f g h")
    assert score(tmp_path / "hyp", "-r", tmp_path / "ref", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["segments"], data["percent"]) == (2, pytest.approx(100))


def test_byte_order_mark(tmp_path, capsys):
    (tmp_path / "hyp").write_bytes(b"\xef\xbb\xbfa b c d\n")
    (tmp_path / "ref").write_bytes(b"a b c d\n")
    assert score(tmp_path / "hyp", "-r", tmp_path / "ref", "--json") == 0
    assert json.loads(capsys.readouterr().out)["percent"] == pytest.approx(100)


def test_help(capsys):
    for arguments, words in [
        (["--help"], ["Usage: refscore", "score"]),
        (["-h"], ["Usage: refscore"]),
        (["score", "--help"], ["Usage: refscore score", "HYP", "--reference", "REF", "--json"]),
    ]:
        assert status_of(arguments) == 0
        output = capsys.readouterr()
        assert output.err == ""
        assert all(word in output.out for word in words)


def test_version():
    result = command("--version")
    assert (result.returncode, result.stdout.decode().strip()) == (0, f"refscore {refscore.__version__}")


def test_output_needs_no_utf8(files):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = command("score", "hyp.txt", "-r", "ref.txt", cwd=files, environment=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"BLEU = ")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_table_on_a_terminal(files):
    text = on_terminal("score", files / "hyp.txt", "-r", files / "ref.txt")
    expected = refscore.bleu(HYPOTHESES, REFERENCES)
    assert f"BLEU = {expected.percent:.2f}" in text
    assert expected.signature in text
    for number in (*expected.counts, *expected.totals, expected.hyp_len, expected.ref_len):
        assert re.search(rf"\b{number}\b", text)
