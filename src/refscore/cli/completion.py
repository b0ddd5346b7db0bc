"""`refscore completion`: the script that a shell needs to complete command lines."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands, options and file names of refscore in SHELL.

    \b
    bash: refscore completion bash >> ~/.bashrc
    zsh:  refscore completion zsh >> ~/.zshrc
    fish: refscore completion fish > ~/.config/fish/completions/refscore.fish
    """  # noqa: D301 - \b is click's mark for lines that are not to be joined
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "refscore", "_REFSCORE_COMPLETE")
    # Not `source()`: for bash it first asks the bash that is installed here for its version.
    click.echo(script.source_template % script.source_vars())
