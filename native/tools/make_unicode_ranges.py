"""Write the character properties of kernels to native/refscore/generated/*.inc, as the `regex` package defines them.

sacrebleu's `intl` tokenizer uses this package, so its Unicode version defines punctuation, not Python's.
Run with the version that the test extra pins: python native/tools/make_unicode_ranges.py
"""

import re
from importlib.metadata import distribution, version
from pathlib import Path

import regex

PER_LINE = 6
FOLDER = Path(__file__).parents[1] / "refscore" / "generated"

# The properties that determine the end of a grapheme cluster. Hangul syllables are computed instead.
BREAKS = ["CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T"]
CONJUNCTS = ["Consonant", "Linker", "Extend"]


def members(prop: str) -> set[int]:
    """Return the code points with a property."""
    member = regex.compile(rf"\p{{{prop}}}")
    return {code for code in range(0x110000) if member.match(chr(code))}


def ranges(codes: set[int]) -> list[tuple[int, int]]:
    """Convert code points to inclusive ranges."""
    found: list[tuple[int, int]] = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1] = (found[-1][0], code)
        else:
            found.append((code, code))
    return found


def array(name: str, codes: set[int]) -> list[str]:
    """Return the lines of an array of ranges."""
    cells = [f"{{0x{first:x}, 0x{last:x}}}," for first, last in ranges(codes)]
    lines = ["    " + " ".join(cells[i : i + PER_LINE]) for i in range(0, len(cells), PER_LINE)]
    return [f"constexpr CodeRange {name}[] = {{", *lines, "};"]


def write(file: str, arrays: dict[str, str]) -> None:
    """Write a file of arrays, one per property."""
    description = distribution("regex").read_text("METADATA") or ""
    stated = re.search(r"supports Unicode ([\d.]+\d)", description)
    assert stated is not None, "the regex package no longer states its Unicode version"
    lines = [
        "// Made by native/tools/make_unicode_ranges.py; do not edit.",
        f"// Unicode {stated.group(1)}, as in regex {version('regex')}.",
    ]
    for name, prop in arrays.items():
        lines += array(name, members(prop))
    (FOLDER / file).write_text("\n".join(lines) + "\n")


def main() -> None:
    """Write the files."""
    categories = {"Punctuation": "P", "Symbols": "S", "Numbers": "N", "Decimals": "Nd", "Letters": "L", "Marks": "M"}
    write("unicode_ranges.inc", {f"k{name}": category for name, category in categories.items()})
    graphemes = {f"kBreak{name.replace('_', '')}": f"Grapheme_Cluster_Break={name}" for name in BREAKS}
    graphemes |= {f"kConjunct{name}": f"Indic_Conjunct_Break={name}" for name in CONJUNCTS}
    write("grapheme_ranges.inc", {**graphemes, "kPictographic": "Extended_Pictographic"})


if __name__ == "__main__":
    main()
