"""Write the tables of settings and presets in the pages: `python docs/tables.py`.

A table is generated from declarations if it is between the comments `table: KIND NAME` and `end of table`. A test fails
if a page differs from the declarations.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import refscore
from refscore.meta import Ranking
from refscore.metrics import METRICS
from refscore.overlap import PRESETS, OverlapSettings
from refscore.report import Reporting
from refscore.resegmentation import Resegmenter
from refscore.settings import Choice, HasSettings, Kind, OrNone
from refscore.significance import Resampling, Tests
from refscore.tokenizers.settings import NormalizerKind, TokenizerKind

DOCS = Path(__file__).parent
BLOCK = re.compile(r"(<!-- table: ([\w ]+) -->\n\n?)(.*?)(\n?<!-- end of table -->)", re.DOTALL)
OTHERS = (Resampling, Tests, Reporting, Ranking, Resegmenter, OverlapSettings)
CLASSES: dict[str, type[HasSettings]] = {**METRICS, **{kind.name: kind for kind in OTHERS}}
SHARED = ("tokenizer", "lowercase", "normalize", "max_order")
PAGES = {TokenizerKind: "tokenizer", NormalizerKind: "normalizer"}


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [re.sub(r"\|  (?=\|)", "| ", f"| {' | '.join(cells)} |") for cells in (titles, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(titles), *lines[1:]])


def code(value: Any) -> str:
    """Return a value as Python code."""
    return f'`"{value}"`' if isinstance(value, str) else f"`{value!r}`"


def values_in_words(kind: Kind, page: Path) -> str:
    """Return the accepted values of a setting."""
    if isinstance(kind, OrNone):
        return f"{values_in_words(kind.kind, page)}, `None`"
    if isinstance(kind, Choice):
        return ", ".join(code(kind.parse(text)) for text in kind.values)
    for special, name in PAGES.items():
        if isinstance(kind, special):
            return f"a [{name}]({os.path.relpath(DOCS / 'reference' / f'{name}s.md', page.parent)})"
    return ", ".join("`None`" if text == "none" else text for text in kind.values)


_CODE = re.compile(r'\w+=(?:"[^"]+"|\w+)|"[^" ]+"|\b(?:True|False|None|\w+_\w+)\b')


def with_code(text: str) -> str:
    """Return a text with values and names of functions as code, and each described value on a line."""
    text = re.sub(r'(?:(?<=\.) |; )(?="[^"]+": )', "<br>", text)
    text = text.removesuffix(".") if "<br>" in text else text
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [_CODE.sub(r"`\g<0>`", part) for part in parts[::2]]
    return "".join(parts)


def settings_table(page: Path, name: str) -> str:
    """Return the settings of a class; with their keys in signatures, if it is not a metric."""
    rows = []
    for setting in CLASSES[name].settings().values():
        words = values_in_words(setting.kind, page)
        key = () if name in METRICS else (f"`{setting.key}`" if setting.key else "",)
        rows.append((f"`{setting.name}`", code(setting.default), words, with_code(setting.explanation), *key))
    return table(("setting", "default", "values", "meaning", *(() if name in METRICS else ("key",))), rows)


def presets_table(_page: Path, name: str) -> str:
    """Return the presets of a metric."""
    declared = CLASSES[name].settings()
    rows = []
    for label, preset in METRICS[name].presets.items():
        changed = {key: value for key, value in preset.items() if value != declared[key].default}
        settings = ", ".join(f"`{key}={code(value).strip('`')}`" for key, value in changed.items())
        rows.append(
            (f"`{label}`", with_code(preset.source + (f" ({preset.note})" if preset.note else "")), settings or "none")
        )
    return table(("preset", "reproduces", "settings that differ from the defaults"), rows)


def defaults_table(_page: Path) -> str:
    """Return the defaults of the settings that several metrics share."""
    rows = []
    for metric in METRICS.values():
        declared = metric.settings()
        cells = (f"`{declared[name].default}`" if name in declared else "" for name in SHARED)
        rows.append((metric.display_name, *cells))
    return table(("metric", *(f"`{name}`" for name in SHARED)), rows)


def keys_table(_page: Path) -> str:
    """Return the keys of signatures."""
    rows = [("all", "`case` lowercase, `norm` normalize, `tok` tokenizer (not chrF)")]
    for kind in METRICS.values():
        keys = []
        for setting in kind.settings().values():
            if setting.key and setting.name not in SHARED[:3]:
                names = [] if setting.names == (setting.key,) else [" and ".join(setting.names)]
                keys.append(" ".join([f"`{setting.key}`", *names]))
        if keys:
            rows.append((kind.display_name, ", ".join(keys)))
    return table(("metric", "keys, each followed by its setting if the names differ"), rows)


def overlap_presets_table(_page: Path) -> str:
    """Return the presets of overlaps."""
    declared = OverlapSettings.settings()
    rows = []
    for label, preset in PRESETS.items():
        changed = {name: getattr(preset, name) for name in declared}
        settings = ", ".join(
            f"`{name}={code(value).strip('`')}`" for name, value in changed.items() if value != declared[name].default
        )
        rows.append((f"`{label}`", settings or "none", preset.published, preset.reference))
    return table(("preset", "settings that differ from the defaults", "the source states", "source"), rows)


TABLES: dict[str, Callable[..., str]] = {
    "settings": settings_table,
    "presets": presets_table,
    "defaults": defaults_table,
    "keys": keys_table,
    "overlap-presets": overlap_presets_table,
}


def with_tables(page: Path) -> str:
    """Return the text of a page with its tables generated anew."""

    def generate(match: re.Match[str]) -> str:
        kind, *names = match[2].split()
        return f"<!-- table: {match[2]} -->\n\n{TABLES[kind](page, *names)}\n\n<!-- end of table -->"

    return BLOCK.sub(generate, page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    assert refscore.__file__
    for path in sorted(DOCS.rglob("*.md")):
        path.write_text(with_tables(path), encoding="utf-8")
