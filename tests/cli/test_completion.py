"""Shell completion: the scripts and the completions."""

import shutil
import subprocess

import pytest

from tests.cli.running import command, status_of


def completed(*words):
    """Return the completions of the last word."""
    environment = {
        "_REFSCORE_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["refscore", *words]),
        "COMP_CWORD": str(len(words)),
    }
    result = command(environment=environment)
    assert result.returncode == 0
    return [line.split(",", 1)[1] for line in result.stdout.decode().splitlines() if line.startswith("plain,")]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts(shell, capsys):
    assert status_of(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_REFSCORE_COMPLETE={shell}_complete" in script
    assert "%(" not in script
    if shutil.which(shell) and shell != "fish":
        subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=60)


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
def test_what_is_offered(words, found, not_found):
    offered = set(completed(*words))
    assert found <= offered
    assert not not_found & offered
