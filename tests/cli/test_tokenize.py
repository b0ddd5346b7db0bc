"""The command `refscore tokenize`."""

import gzip
import json
import re

import pytest

import refscore
from refscore import tokenizers
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import FORMS, OFFERS
from tests.cli.running import at, check_failure, command, on_terminal, output_for, output_of

LINES = ["It costs 3.50, doesn't it?", "", "Äpfel & Birnen", "我喜欢 tea。"]
TEXT = "".join(f"{line}\n" for line in LINES).encode()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "text.txt").write_bytes(TEXT)
    (tmp_path / "text.txt.gz").write_bytes(gzip.compress(TEXT))
    (tmp_path / "data.jsonl").write_text('{"hyp": "a cat."}\n{"hyp": ["a", "b"]}\n{"hyp": null}\n')
    (tmp_path / "holes.jsonl").write_text('{"hyp": "a cat."}\n{"hyp": null}\n')
    (tmp_path / "half.jsonl").write_text('{"hyp": "half a pair \\ud83d"}\n')
    (tmp_path / "broken.txt").write_bytes(b"a\nb\xff\n")
    (tmp_path / "empty.txt").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(capsys, *arguments):
    return output_of(capsys, "tokenize", *arguments)


@pytest.mark.parametrize("name", BUILTIN)
def test_tokens_of_lines(folder, capsys, name):
    expected = [refscore.tokenize(line, name) for line in LINES]
    lines = shown(capsys, "text.txt", "-t", name).splitlines()
    assert lines == [" ".join(tokens) for tokens in expected]
    lines = shown(capsys, "text.txt", "--tokenizer", name, "--format", "json").splitlines()
    assert [json.loads(line) for line in lines] == expected


def test_13a_is_the_default(folder, capsys):
    assert shown(capsys, "text.txt") == "It costs 3.50 , doesn't it ?\n\nÄpfel & Birnen\n我喜欢 tea。\n"


def test_json_is_readable(folder, capsys):
    assert shown(capsys, "text.txt", "--format", "json").splitlines()[2] == '["Äpfel", "&", "Birnen"]'


def test_standard_input(capsys, monkeypatch):
    assert output_for(capsys, monkeypatch, "Äp fel\n".encode(), "tokenize", "-t", "char") == "Ä p f e l\n"
    assert output_for(capsys, monkeypatch, b"a,b\n", "tokenize", "-") == "a , b\n"


def test_several_files_and_compressed_ones(folder, capsys):
    assert shown(capsys, "text.txt", "text.txt.gz") == 2 * shown(capsys, "text.txt")


def test_fields(folder, capsys):
    (folder / "data.tsv").write_text("id\thyp\n1\ta cat.\n")
    assert shown(capsys, "data.tsv:hyp") == "a cat .\n"
    (folder / "data").write_text("id,hyp\n1,a cat.\n")
    assert shown(capsys, "data:hyp", "--input-format", "csv") == "a cat .\n"


def test_texts(folder, capsys):
    assert shown(capsys, "--text", "a,b", "text.txt") == "a , b\ntext . txt\n"


def test_lowercase_and_normalization(folder, capsys):
    assert shown(capsys, "--text", "ÄPFEL!", "--lowercase") == "äpfel !\n"
    assert shown(capsys, "--text", "Ａ\u0308 Ⅳ", "--normalize", "NFKC") == "Ä IV\n"


def test_output_is_utf8_whatever_the_terminal_is(folder):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = command("tokenize", "text.txt", environment=environment)
    assert result.stdout.decode().splitlines()[2] == "Äpfel & Birnen"


def test_half_a_pair(folder, capsys):
    assert shown(capsys, "half.jsonl:hyp") == "half a pair \\ud83d\n"
    assert json.loads(shown(capsys, "half.jsonl:hyp", "--format", "json")) == ["half", "a", "pair", "\ud83d"]


def test_list(capsys):
    lines = shown(capsys, "--list").splitlines()[2:]
    assert [line.split()[0] for line in lines] == [*tokenizers.available(), *FORMS]
    for line in lines:
        name, summary, *needs = re.split("  +", line)
        if name in FORMS:
            assert [summary, *needs] == [FORMS[name][0], f"refscore[{FORMS[name][1]}]"]
        elif name in OFFERS:
            assert [summary, *needs] == [OFFERS[name].summary, OFFERS[name].needs()]
        else:
            assert [summary, *needs] == [tokenizers.get(name).summary]


def test_the_list_says_what_to_install(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    lines = dict(line.split(maxsplit=1) for line in shown(capsys, "--list").splitlines()[2:])
    assert lines["ja-mecab"].endswith("  pip install 'refscore[ja]'")
    model = tmp_path / "models" / "flores200sacrebleuspm"
    assert lines["flores200"].endswith(f"  pip install 'refscore[spm]'; and the file {model}")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    model.parent.mkdir()
    model.touch()
    lines = dict(line.split(maxsplit=1) for line in shown(capsys, "--list").splitlines()[2:])
    assert lines["ja-mecab"].endswith("  refscore[ja], installed")
    assert lines["flores200"].endswith(f"  refscore[spm], installed; has {model}")


def test_a_tokenizer_of_ones_own_is_listed(capsys, monkeypatch):
    monkeypatch.setattr(tokenizers.registry, "_registered", dict(tokenizers.registry._registered))

    def commas(text):
        """Splits at commas.

        And that is all.
        """
        return text.split(",")

    tokenizers.register("commas", commas)
    assert re.search(r"^commas +Splits at commas\.$", shown(capsys, "--list"), re.MULTILINE)
    assert shown(capsys, "--text", "a b,c", "-t", "commas", "--format", "json") == '["a b", "c"]\n'


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nothing.txt"], at("nothing.txt")),
        (["."], at(".")),
        (["empty.txt"], at("empty.txt")),
        (["broken.txt"], at("broken.txt", 2)),
        (["text.txt", "-t", "13"], r"unknown tokenizer '13'; did you mean '13a'"),
        (["text.txt", "-t", "spm:nothing.model"], r"there is no file at nothing\.model"),
        (["--text"], r"--text needs a text"),
        (["data.jsonl:hyp"], at("data.jsonl", 2, "hyp")),
        (["holes.jsonl:hyp"], at("holes.jsonl", 2, "hyp")),
        (["data.jsonl:hpy"], r"no field 'hpy': did you mean 'hyp'\?"),
        (["text.txt", "--normalize", "NFD"], r"'NFD'"),
        (["text.txt", "--input-format", "docx"], r"'docx'"),
    ],
)
def test_mistakes(folder, capsys, arguments, expected):
    check_failure(capsys, ["tokenize", *arguments], expected)


@pytest.mark.slow
def test_the_list_on_a_terminal():
    assert tokenizers.get("13a").summary in on_terminal("tokenize", "--list")
