"""`python -m refscore.compat LIBRARIES ARGUMENTS`: run Python and its child processes with drop-ins."""

from __future__ import annotations

import os
import subprocess
import sys

from refscore.compat.children import hand_down, parse_choices
from refscore.compat.overrides import LIBRARIES, check_choice
from refscore.errors import RefscoreError, SettingError

USAGE = f"""usage: python -m refscore.compat LIBRARIES ARGUMENTS

Run `python ARGUMENTS` and its child processes with refscore's drop-ins.

LIBRARIES   names separated by commas: {", ".join(sorted(LIBRARIES))};
            nltk==3.9.1 reproduces that version of NLTK
ARGUMENTS   -m MODULE, a script or -c CODE, with their arguments; Python's options come first

example: python -m refscore.compat sacrebleu,rouge_score -m lm_eval --tasks wmt16"""


def main(arguments: list[str]) -> int:
    """Run the command line and return its exit status. On POSIX, replace this process."""
    if len(arguments) < 2 or arguments[0].startswith("-"):
        help_wanted = arguments[:1] in (["-h"], ["--help"])
        print(USAGE, file=sys.stdout if help_wanted else sys.stderr)
        return 0 if help_wanted else 2
    choices = parse_choices(arguments[0])
    try:
        if not choices:
            raise SettingError(f"LIBRARIES is empty: name one or several of {', '.join(sorted(LIBRARIES))}")
        for library, version in choices.items():
            check_choice(library, version)
    except RefscoreError as error:
        print(f"refscore.compat: {error}", file=sys.stderr)
        return 2
    environment = dict(os.environ)
    hand_down(choices, environment)
    command = [sys.executable, *arguments[1:]]
    if os.name == "nt":  # exec would return to the shell before the program ends
        return subprocess.run(command, env=environment, check=False).returncode
    os.execve(command[0], command, environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
