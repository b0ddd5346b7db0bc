"""`python -m refscore.compat LIBRARIES PROGRAM`: run a program with drop-ins. `python -m refscore.compat ribes`."""

from __future__ import annotations

import os
import runpy
import sys

from refscore.compat.overrides import LIBRARIES, install
from refscore.errors import RefscoreError, SettingError

USAGE = f"""usage: python -m refscore.compat LIBRARIES PROGRAM
       python -m refscore.compat ribes HYP... -r REF

Run a Python program with refscore's drop-ins, or print RIBES like RIBES.py.

LIBRARIES   names separated by commas: {", ".join(sorted(LIBRARIES))};
            nltk==3.9.1 reproduces that version of NLTK
PROGRAM     -m MODULE or a script, with its arguments

example: python -m refscore.compat sacrebleu,rouge_score -m lm_eval --tasks wmt16"""


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["ribes"]:
        from refscore.compat import ribes

        return ribes.main(arguments[1:])
    chosen, *program = arguments or [""]
    is_module = program[:1] == ["-m"] and len(program) > 1
    if not program or chosen.startswith("-") or (program[0].startswith("-") and not is_module):
        help_wanted = arguments[:1] in (["-h"], ["--help"])
        print(USAGE, file=sys.stdout if help_wanted else sys.stderr)
        return 0 if help_wanted else 2
    try:
        libraries = [name.strip() for name in chosen.split(",") if name.strip()]
        if not libraries:
            raise SettingError(f"LIBRARIES is empty: name one or several of {', '.join(sorted(LIBRARIES))}")
        for library in libraries:
            name, _, version = library.partition("==")
            install(name, version=version or None)
    except RefscoreError as error:
        print(f"refscore.compat: {error}", file=sys.stderr)
        return 2
    _run(program)
    return 0


def _run(program: list[str]) -> None:
    if program[0] == "-m":
        sys.argv = program[1:]
        if not hasattr(sys.modules.get(program[1]), "__path__"):
            sys.modules.pop(program[1], None)  # `install` has loaded it, and runpy warns about that
        runpy.run_module(program[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = program
        sys.path[0] = os.path.dirname(os.path.abspath(program[0]))
        runpy.run_path(program[0], run_name="__main__")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
