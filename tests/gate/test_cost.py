"""A gate of 3,000 segments by three metrics is small and fast, start included."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import refscore
from tests.cli.running import write_lines

GENERATOR = random.Random(1)
WORDS = ["".join(GENERATOR.choices("abcdefghij", k=GENERATOR.randint(2, 8))) for _ in range(2000)]
REFERENCES = [" ".join(GENERATOR.choices(WORDS, k=25)) for _ in range(3000)]


def varied(text, rate):
    return " ".join(GENERATOR.choice(WORDS) if GENERATOR.random() < rate else word for word in text.split())


def test_a_record_is_small():
    evaluation = refscore.evaluate([varied(text, 0.2) for text in REFERENCES], REFERENCES, ["bleu", "chrf", "ter"])
    assert len(evaluation.to_bytes()) < 200_000


@pytest.mark.slow
def test_a_gate_takes_less_than_a_second_of_processor_time(tmp_path):
    """The time of the processors is comparable on a busy machine. On two idle cores, a gate takes less than that."""
    resource = pytest.importorskip("resource", reason="needs Unix")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(refscore.__file__).parents[1]), *sys.path])}
    new = [varied(text, 0.2) for text in REFERENCES]
    write_lines(tmp_path, old=[varied(text, 0.2) for text in REFERENCES], new=new, ref=REFERENCES)

    def run(*arguments):
        command = [sys.executable, "-m", "refscore", *arguments, "-r", "ref", "-q"]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)

    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    run("stats", "old", "--rows", "-o", "main.refscore")
    seconds = []
    for _ in range(3):
        before = used()
        run("gate", "new", "--baseline", "main.refscore", "--allow-warnings")
        seconds.append(used() - before)
    assert min(seconds) < 1
