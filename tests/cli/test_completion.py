"""Shell completion: the scripts and the completions."""

import shutil
import subprocess

import pytest

from tests.cli.running import output_of, status_of


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell, capsys):
    assert status_of(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_REFSCORE_COMPLETE={shell}_complete" in script
    assert "%(" not in script
    if shutil.which(shell) and shell != "fish":
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=300)


def test_a_shell_that_is_not_supported(capsys):
    assert status_of(["completion", "csh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err


def test_the_scripts_are_explained(capsys):
    assert status_of(["completion", "-h"]) == 0
    assert "\n  zsh:  refscore completion zsh >> ~/.zshrc\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "found", "not_found"),
    [
        (["e"], {"explain"}, {"score"}),
        (["--v"], {"--version"}, {"score"}),
        (["tokenize", "--l"], {"--lowercase", "--list"}, {"--format"}),
        (["tokenize", "-t", "z"], {"zh", "zh-sacrebleu"}, {"13a"}),
        (["metrics", "r"], {"ribes", "rouge"}, {"bleu"}),
        (["explain", "a", "b", "-m", "bleu,ch"], {"bleu,chrf", "bleu,chrf++"}, {"bleu"}),
        (["explain", "a", "b", "--format", ""], {"text", "html", "json"}, set()),
        (["completion", "f"], {"fish"}, {"zsh"}),
    ],
)
def test_what_is_offered(monkeypatch, capsys, words, found, not_found):
    monkeypatch.setenv("_REFSCORE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["refscore", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    offered = {line.partition(",")[2] for line in output_of(capsys).splitlines() if line.startswith("plain,")}
    assert found <= offered
    assert not not_found & offered
