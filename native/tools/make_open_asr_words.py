"""Write the words that the Open ASR Leaderboard replaces to native/refscore/generated/open_asr_words.inc.

The lists are in normalizer/english_abbreviations.py of github.com/huggingface/open_asr_leaderboard. Spellings are
written only where they differ from those of Whisper. Run with that file at the commits that `EDITIONS` names:
python native/tools/make_open_asr_words.py english_abbreviations.2025-09.py english_abbreviations.2026-06.py
"""

import ast
import json
import re
import sys
from importlib.resources import files
from pathlib import Path

FILE = Path(__file__).parents[1] / "refscore" / "generated" / "open_asr_words.inc"
WIDTH = 140
# By edition of the leaderboard's normalizer: the commit of the file.
EDITIONS = {"2025_09": "6a3e6d4", "2026_06": "d589a09"}


def read_lists(path: str) -> dict[str, dict[str, str]]:
    """Return the dictionaries of a file by name, without running it."""
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    return {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }


def changed_spellings(spellings: dict[str, str]) -> dict[str, str]:
    """Return the spellings that differ from Whisper's. A word that is no longer replaced stands for itself."""
    list_file = files("whisper_normalizer").joinpath("normalizers/english.json")
    whisper = json.loads(list_file.read_text(encoding="utf-8"))
    words = {word for word in {*whisper, *spellings} if not re.search(r"\s", word)}  # only single words are looked up
    return {word: spellings.get(word, word) for word in words if whisper.get(word) != spellings.get(word)}


def table(name: str, pairs: dict[str, str]) -> list[str]:
    """Return the lines of a table."""
    assert all(text.isascii() and '"' not in text and "\\" not in text for pair in pairs.items() for text in pair)
    rows, row = [f"constexpr Spelling {name}[] = {{"], "   "
    for word, replacement in sorted(pairs.items()):
        cell = f' {{"{word}", "{replacement}"}},'
        if len(row) + len(cell) > WIDTH:
            rows.append(row)
            row = "   "
        row += cell
    return [*rows, row, "};"]


def lines(paths: list[str]) -> list[str]:
    """Return the lines of the file."""
    rows = [
        "// Made by native/tools/make_open_asr_words.py; do not edit.",
        f"// The Open ASR Leaderboard at the commits {' and '.join(EDITIONS.values())}.",
        "// Copyright 2022 The OpenAI team and The HuggingFace Team. Apache License 2.0.",
    ]
    for edition, path in zip(EDITIONS, paths, strict=True):
        lists = read_lists(path)
        rows += table(f"kSpellings_{edition}", changed_spellings(lists["english_spelling_normalizer"]))
    rows += table("kNames_2026_06", lists["english_name_normalizer"])
    compounds = lists["english_compound_normalizer"]
    rows.append("// In the order of the original. Two words with spaces between them become one word.")
    rows.append("constexpr WordPair kWordPairs_2026_06[] = {")
    for pattern, replacement in compounds.items():
        first, second = re.fullmatch(r"\\b([a-z]+)\\s\+([a-z]+)\\b", pattern).groups()
        rows.append(f'    {{"{first}", "{second}", "{replacement}"}},')
    return [*rows, "};"]


if __name__ == "__main__":
    FILE.write_text("\n".join(lines(sys.argv[1:])) + "\n")
