"""Write the alphabet of the tokenizers `ptb` and `ptb-coco`, and the table of lowercase letters.

The letters, digits and capitals are those that Stanford CoreNLP's tokenizer recognizes: this script shows every UTF-16
code unit to the program in a context where the class changes the tokens. The lowercase letters are Python's.
Needs Java and pycocoevalcap 1.2, which contains CoreNLP 3.4.1: python native/tools/make_ptb_tables.py
Then run make_ptb_automata.py, which reads the alphabet.
"""

import json
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "refscore" / "generated"
ALPHABET = Path(__file__).parent / "ptb_alphabet.json"
PER_LINE = 6
LINE_BREAKS = "\n\v\f\r\x85\u2028\u2029"
UNITS = [code for code in range(0x10000) if not 0xD800 <= code < 0xE000 and chr(code) not in LINE_BREAKS]


def tokens_of_lines(lines: list[str]) -> list[list[str]]:
    """Return the tokens of each line, as the Java program prints them."""
    package = find_spec("pycocoevalcap")
    assert package is not None, "install pycocoevalcap 1.2"
    assert package.submodule_search_locations is not None
    jar = Path(package.submodule_search_locations[0]) / "tokenizer" / "stanford-corenlp-3.4.1.jar"
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        command = ["java", "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", file.name]
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
    printed = output.decode().split("\n")[:-1]
    assert len(printed) == len(lines), "the program prints one line per line"
    return [line.split(" ") for line in printed]


def probe(context: str, is_member: Callable[[list[str]], bool], excluded: str) -> list[int]:
    """Return the units that change the tokens of a context, in which they replace a `#`."""
    tokens = tokens_of_lines([context.replace("#", chr(unit)) for unit in UNITS])
    return [unit for unit, line in zip(UNITS, tokens, strict=True) if is_member(line) and chr(unit) not in excluded]


def ranges(codes: Iterable[int]) -> list[tuple[int, int]]:
    """Convert sorted code points to inclusive ranges."""
    found: list[tuple[int, int]] = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def array(kind: str, name: str, rows: list[tuple[int, ...]]) -> list[str]:
    """Return the lines of an array."""
    cells = [
        "{" + ", ".join(f"0x{number:x}" if i < 2 else str(number) for i, number in enumerate(row)) + "},"
        for row in rows
    ]
    lines = ["    " + " ".join(cells[i : i + PER_LINE]) for i in range(0, len(cells), PER_LINE)]
    return [f"constexpr {kind} {name}[] = {{", *lines, "};"]


def lowercase_runs() -> list[tuple[int, ...]]:
    """Return first code point, last code point, step and distance of characters with a single lowercase character."""
    runs: list[list[int]] = []
    for code in range(0x80, sys.maxunicode + 1):
        lower = chr(code).lower()
        if len(lower) != 1 or ord(lower) == code:
            continue
        distance = ord(lower) - code
        if runs and runs[-1][3] == distance:
            gap = code - runs[-1][1]
            if gap <= 2 and (runs[-1][2] == gap or runs[-1][0] == runs[-1][1]):
                runs[-1][1:3] = [code, gap]
                continue
        runs.append([code, code, 1, distance])
    return [tuple(run) for run in runs]


def write(file: str, source: str, lines: list[str]) -> None:
    """Write a file of arrays."""
    header = ["// Made by native/tools/make_ptb_tables.py; do not edit.", f"// {source}"]
    (FOLDER / file).write_text("\n".join([*header, *lines]) + "\n")


def main() -> None:
    """Write the files."""
    # "ca." is a token only before a digit, "1_" is part of a longer one before letters and digits, and a capital after
    # "etc." adds a period.
    digits = probe("ca.# ", lambda line: line[0] == "ca.", ",:;\u3001\xad")
    letters = probe("1_# ", lambda line: len(line[0]) == 3, "".join(map(chr, digits)))
    spaces = " \t\xa0\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
    capitals = probe("etc. #q", lambda line: line[:2] == ["etc.", "."], spaces + ".")
    # By the letters that stand for them in patterns.
    alphabet = {"l": ranges(letters), "d": ranges(digits), "p": ranges(capitals)}
    ALPHABET.write_text(json.dumps(alphabet) + "\n")
    unicode = unicodedata.unidata_version
    write(
        "lowercase_runs.inc",
        f"Unicode {unicode}, as in Python.",
        array("LowercaseRun", "kLowercaseRuns", lowercase_runs()),
    )


if __name__ == "__main__":
    main()
