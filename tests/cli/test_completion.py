"""Shell completion: the scripts and the completions."""

import shutil
import subprocess

import pytest

from tests.cli.running import output_of


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell, capsys):
    script = output_of(capsys, "completion", shell)
    assert f"_REFSCORE_COMPLETE={shell}_complete" in script
    assert "%(" not in script
    if shutil.which(shell) and shell != "fish":
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=300)


@pytest.mark.parametrize(
    ("words", "found", "not_found"),
    [
        (["e"], {"explain"}, {"score"}),
        (["--c"], {"--citation"}, {"--version"}),
        (["tokenize", "--l"], {"--lowercase", "--list"}, {"--format"}),
        (["tokenize", "--tokenizer", "z"], {"zh", "zh-sacrebleu"}, {"13a"}),
        (["metrics", "r"], {"ribes", "rouge"}, {"bleu"}),
        (["explain", "a", "b", "-m", "bleu,ch"], {"bleu,chrf", "bleu,chrf++"}, {"bleu"}),
        (["explain", "a", "b", "--format", ""], {"text", "html", "json"}, set()),
    ],
)
def test_what_is_offered(monkeypatch, capsys, words, found, not_found):
    monkeypatch.setenv("_REFSCORE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["refscore", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    offered = {line.partition(",")[2] for line in output_of(capsys).splitlines() if line.startswith("plain,")}
    assert found <= offered
    assert not not_found & offered
