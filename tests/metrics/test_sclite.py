"""The counts of WER with sclite's costs equal those of sclite, Debian's package sctk."""

import random
import re
import shutil
import subprocess

import pytest

import refscore

SCLITE = shutil.which("sctk")
WORDS = ["the", "The", "cat", "CAT", "sat", "Émile", "émile", "don't", "a-b", "won't.", "über", "Über", "x", "y", "z"]


def segments(seed, count):
    generator = random.Random(seed)
    for _ in range(count):
        vocabulary = WORDS[: generator.choice([2, 3, 5, 15])]
        yield tuple(generator.choices(vocabulary, k=generator.randint(1, 14)) for _ in range(2))


@pytest.mark.skipif(SCLITE is None, reason="sclite is not installed: apt install sctk")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_equals_sclite(tmp_path, seed):
    pairs = [*segments(seed, 400 if seed == 1 else 20_000)]
    for side, name in enumerate(("hyp", "ref")):
        lines = [f"{' '.join(pair[side])} (s_{i:06d})\n" for i, pair in enumerate(pairs)]
        (tmp_path / f"{name}.trn").write_text("".join(lines), encoding="utf-8")
    report = subprocess.run(
        [SCLITE, "sclite", "-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id", "-o", "pra", "stdout"],
        cwd=tmp_path,
        capture_output=True,
        timeout=300,
        check=True,
    ).stdout.decode(errors="replace")
    rows = re.findall(r"id: \(s_(\d+)\)\s*\n(?:.*\n)?Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)", report)
    assert len(rows) == len(pairs)
    metric = refscore.WER.preset("sclite")
    ours = metric.stats([" ".join(own) for own, _ in pairs], [" ".join(words) for _, words in pairs])
    for number, *counts in rows:
        assert ours[int(number)].tolist() == [int(count) for count in counts], pairs[int(number)]
