from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from refscore.cli.help import command

SHELLS = ("bash", "zsh", "fish")


@command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes refscore's commands, options and file names in SHELL.

    \b
    bash: refscore completion bash >> ~/.bashrc
    zsh:  refscore completion zsh >> ~/.zshrc
    fish: refscore completion fish > ~/.config/fish/completions/refscore.fish
    """  # noqa: D301 - \b tells click not to join the lines
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "refscore", "_REFSCORE_COMPLETE")
    # Not `source()`: for bash it runs the installed bash to check its version.
    click.echo(script.source_template % script.source_vars())
