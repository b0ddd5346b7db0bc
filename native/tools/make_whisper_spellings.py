"""Write the British spellings that Whisper replaces to native/refscore/generated/whisper_spellings.inc.

The list is the file english.json of the package whisper-normalizer. openai-whisper and transformers have the same one.
Run with the version that the test extra pins: python native/tools/make_whisper_spellings.py
"""

import json
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

FILE = Path(__file__).parents[1] / "refscore" / "generated" / "whisper_spellings.inc"
WIDTH = 140


def lines() -> list[str]:
    """Return the lines of the file."""
    list_file = files("whisper_normalizer").joinpath("normalizers/english.json")
    spellings = json.loads(list_file.read_text(encoding="utf-8"))
    assert all(text.isascii() and '"' not in text and "\\" not in text for pair in spellings.items() for text in pair)
    rows = [
        "// Made by native/tools/make_whisper_spellings.py; do not edit.",
        f"// {len(spellings):,} pairs of whisper-normalizer {version('whisper-normalizer')}.",
        "// Copyright (c) 2022 OpenAI, MIT License.",
        "constexpr Spelling kSpellings[] = {",
    ]
    row = "   "
    for british, american in sorted(spellings.items()):
        cell = f' {{"{british}", "{american}"}},'
        if len(row) + len(cell) > WIDTH:
            rows.append(row)
            row = "   "
        row += cell
    return [*rows, row, "};"]


def main() -> None:
    """Write the file."""
    FILE.write_text("\n".join(lines()) + "\n")


if __name__ == "__main__":
    main()
