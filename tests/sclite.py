"""Run sclite, Debian's package sctk."""

import re
import shutil
import subprocess

import pytest

SCTK = shutil.which("sctk")
needs_sclite = pytest.mark.skipif(SCTK is None, reason="sclite is not installed: apt install sctk")


def sclite(folder, *options):
    """Return what sclite prints in a folder."""
    return subprocess.run(
        [SCTK, "sclite", *options], cwd=folder, capture_output=True, timeout=300, check=True
    ).stdout.decode(errors="replace")


def segment_counts(folder, *options):
    """Return correct words, substitutions, deletions and insertions by the name of the utterance."""
    report = sclite(folder, *options, "-o", "pra", "stdout")
    rows = re.findall(r"id: \((\S+)\)\s*\n(?:.*\n)?Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)", report)
    return {name: [*map(int, counts)] for name, *counts in rows}


def summary(folder, *options):
    """Return the numbers of the report -o sum or rsum, by row."""
    rows = {}
    for line in sclite(folder, *options, "stdout").splitlines():
        cells = [cell.split() for cell in line.strip(" |").split("|")]
        numbers = [cell for part in cells[1:] for cell in part]
        if len(cells) == 3 and len(numbers) == 8 and re.match(r"[\d.]", numbers[0]):
            rows[" ".join(cells[0])] = numbers
    return rows


def write_trn(path, texts, names):
    lines = [f"{text} ({name})\n" for text, name in zip(texts, names, strict=True)]
    path.write_text("".join(lines), encoding="utf-8")
