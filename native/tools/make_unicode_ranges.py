"""Write native/refscore/unicode_ranges.inc: the general categories P, S, N, L and M as the `regex` package knows them.

sacrebleu's `intl` tokenizer asks that package, so its Unicode version, and not Python's, decides what is punctuation.
Run with the version that the test extra pins: python native/tools/make_unicode_ranges.py
"""

import re
from importlib.metadata import distribution, version
from pathlib import Path

import regex

PER_LINE = 6
NAMES = {"P": "kPunctuation", "S": "kSymbols", "N": "kNumbers", "L": "kLetters", "M": "kMarks"}


def ranges(category: str) -> list[tuple[int, int]]:
    """The code points of a general category as inclusive ranges."""
    member = regex.compile(rf"\p{{{category}}}")
    found: list[tuple[int, int]] = []
    for code in range(0x110000):
        if member.match(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1] = (found[-1][0], code)
            else:
                found.append((code, code))
    return found


def main() -> None:
    """Write the file."""
    description = distribution("regex").read_text("METADATA") or ""
    stated = re.search(r"supports Unicode ([\d.]+\d)", description)
    assert stated is not None, "the regex package no longer states its Unicode version"
    lines = [
        "// Made by native/tools/make_unicode_ranges.py; do not edit.",
        f"// Unicode {stated.group(1)}, as in regex {version('regex')}.",
    ]
    for category, name in NAMES.items():
        lines.append(f"constexpr CodeRange {name}[] = {{")
        cells = [f"{{0x{first:x}, 0x{last:x}}}," for first, last in ranges(category)]
        lines += ["    " + " ".join(cells[i : i + PER_LINE]) for i in range(0, len(cells), PER_LINE)]
        lines.append("};")
    target = Path(__file__).parents[1] / "refscore" / "unicode_ranges.inc"
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
