"""The command `refscore tokenize`."""

import json
import re

import pytest

import refscore
from refscore import normalizers, tokenizers
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import FORMS, OFFERS
from tests.cli.running import at, check_failure, command, output_for, output_of, write_lines

LINES = ["It costs 3.50, doesn't it?", "", "Äpfel & Birnen", "我喜欢 tea。"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pairs = ['{"hyp": "a cat."}', '{"hyp": ["a", "b"]}']
    half = ['{"hyp": "half a pair \\ud83d"}']
    write_lines(tmp_path, **{"text.txt": LINES, "data.jsonl": pairs, "half.jsonl": half})
    write_lines(tmp_path, **{"data.tsv": ["id\thyp", "1\ta cat."], "table": ["id,hyp", "1,a cat."]})
    monkeypatch.chdir(tmp_path)


def shown(capsys, *arguments):
    return output_of(capsys, "tokenize", *arguments)


@pytest.mark.parametrize("name", BUILTIN)
def test_tokens_of_lines(folder, capsys, name):
    expected = [refscore.tokenize(line, name) for line in LINES]
    lines = shown(capsys, "text.txt", "--tokenizer", name).splitlines()
    assert lines == [" ".join(tokens) for tokens in expected]
    lines = shown(capsys, "text.txt", "--tokenizer", name, "--format", "json").splitlines()
    assert [json.loads(line) for line in lines] == expected


def test_standard_input(capsys, monkeypatch):
    assert output_for(capsys, monkeypatch, "Äp fel\n".encode(), "tokenize", "--tokenizer", "char") == "Ä p f e l\n"
    assert output_for(capsys, monkeypatch, b"a,b\n", "tokenize", "-") == "a , b\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["text.txt"], "It costs 3.50 , doesn't it ?\n\nÄpfel & Birnen\n我喜欢 tea。\n"),
        (["data.tsv:hyp", "data.tsv:id"], "a cat .\n1\n"),
        (["table:hyp", "--input-format", "csv"], "a cat .\n"),
        (["--text", "a,b", "text.txt"], "a , b\ntext . txt\n"),
        (["--text", "ÄPFEL!", "--lowercase"], "äpfel !\n"),
        (["--text", "Ａ\u0308 Ⅳ", "--normalize", "NFKC"], "Ä IV\n"),
        (["--text", "It's ten dollars", "--normalize", "whisper-en"], "it is $ 10\n"),
        (["half.jsonl:hyp"], "half a pair \\ud83d\n"),
        (["half.jsonl:hyp", "--format", "json"], '["half", "a", "pair", "\\ud83d"]\n'),
        (["--text", "Äp", "--format", "json"], '["Äp"]\n'),
    ],
)
def test_inputs_and_options(folder, capsys, arguments, expected):
    assert shown(capsys, *arguments) == expected


def test_output_is_utf8_whatever_the_terminal_is(folder):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = command("tokenize", "text.txt", environment=environment)
    assert result.stdout.decode().splitlines()[2] == "Äpfel & Birnen"


def test_list(capsys):
    lines, other_lines = (table.splitlines()[2:] for table in shown(capsys, "--list").split("\n\n"))
    assert [line.split()[0] for line in lines] == [*tokenizers.available(), *FORMS]
    assert [re.split("  +", line.strip()) for line in other_lines] == [
        [name, normalizers.get(name).summary] for name in normalizers.available()
    ]
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
    lines = dict(line.split(maxsplit=1) for line in shown(capsys, "--list").split("\n\n")[0].splitlines()[2:])
    assert lines["ja-mecab"].endswith("  pip install 'refscore[ja]'")
    model = tmp_path / "models" / "flores200sacrebleuspm"
    assert lines["flores200"].endswith(f"  pip install 'refscore[spm]'; and the file {model}")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    model.parent.mkdir()
    model.touch()
    lines = dict(line.split(maxsplit=1) for line in shown(capsys, "--list").split("\n\n")[0].splitlines()[2:])
    assert lines["ja-mecab"].endswith("  refscore[ja], installed")
    assert lines["flores200"].endswith(f"  refscore[spm], installed; has {model}")


def test_a_tokenizer_of_ones_own_is_listed(capsys):

    def commas(text):
        """Splits at commas.

        And that is all.
        """
        return text.split(",")

    tokenizers.register("commas", commas)
    assert re.search(r"^commas +Splits at commas\.$", shown(capsys, "--list"), re.MULTILINE)
    assert shown(capsys, "--text", "a b,c", "--tokenizer", "commas", "--format", "json") == '["a b", "c"]\n'


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nothing.txt"], at("nothing.txt")),
        (["text.txt", "--tokenizer", "13"], "'13'.*'13a'"),
        (["text.txt", "--tokenizer", "spm:nothing.model"], "nothing.model"),
        (["--text"], "--text"),
        (["It costs 3.50."], "'It costs 3.50.' is not a file: add --text"),
        (["data.jsonl:hyp"], at("data.jsonl", 2, "hyp")),
    ],
)
def test_mistakes(folder, capsys, arguments, expected):
    check_failure(capsys, ["tokenize", *arguments], expected)
