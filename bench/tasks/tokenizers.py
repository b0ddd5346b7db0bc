"""Tokenizers that otherwise need another program."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import refscore
from bench.contestants import our_calls
from bench.data import Corpus
from bench.timing import Contestant, Task

_JAR = "stanford-corenlp-3.4.1.jar"
_REPORT = re.compile(rb"tokenized (\d+) tokens at ([\d.]+) tokens per second")
_PUNCTUATION = frozenset(["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"])
_NOTE = "one file with all segments; the program's own clock, without the start of Java"


def _find_jar() -> Path | None:
    package = find_spec("pycocoevalcap")
    if package is None or package.submodule_search_locations is None or shutil.which("java") is None:
        return None
    return Path(package.submodule_search_locations[0]) / "tokenizer" / _JAR


def _run_java(jar: Path, texts: list[str]) -> tuple[float, Any]:
    """Return the seconds that the program reports, and the number of tokens without punctuation."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write("".join(text.replace("\n", " ") + "\n" for text in texts))
        file.flush()
        command = [
            "java",
            "-cp",
            str(jar),
            "edu.stanford.nlp.process.PTBTokenizer",
            "-preserveLines",
            "-lowerCase",
            file.name,
        ]
        finished = subprocess.run(command, capture_output=True, check=True)
    report = _REPORT.search(finished.stderr)
    assert report is not None, "the program reports its speed"
    tokens = finished.stdout.decode().split()
    return int(report[1]) / float(report[2]), sum(token not in _PUNCTUATION for token in tokens)


def _count_tokens(texts: list[str]) -> int:
    return sum(len(refscore.tokenize(text, "ptb-coco")) for text in texts)


def ptb_tokens(corpus: Corpus, seed: int) -> Task:
    """Time coco-caption's tokens, one call per segment."""
    texts, jar = list(corpus.hypotheses), _find_jar()
    java = None if jar is None else lambda: _run_java(jar, texts)
    contestants = [
        our_calls(texts, _count_tokens),
        Contestant("CoreNLP 3.4.1 in Java", "1", java, expected=lambda: _count_tokens(texts), note=_NOTE),
    ]
    return Task("ptb-tokens", "Penn Treebank tokens of every segment of text", "segments/s", contestants, len(texts))


TASKS = (ptb_tokens,)
