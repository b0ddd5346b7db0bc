"""Stanford CoreNLP's PTBTokenizer 3.4.1, which pycocoevalcap contains, as a Java program."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

JAR = "stanford-corenlp-3.4.1.jar"
# Tokens that coco-caption drops.
PUNCTUATION = {"''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"}

# Java 17 (Unicode 13) does not know these letters.
NEWER_LETTERS = re.compile("[\u2c2f\u2c5f\ua7c0\ua7c1\ua7cb-\ua7dc\U00010570-\U000105bf\U00010d50-\U00010d8f]")


def load():
    """Return pycocoevalcap's module, or skip the test without the package or without Java."""
    module = pytest.importorskip(
        "pycocoevalcap.tokenizer.ptbtokenizer", reason="needs pycocoevalcap: pip install pycocoevalcap"
    )
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    return module


def tokenize_files(texts, *options):
    """Return the program's tokens of each text: a file that contains the text as one line."""
    jar = Path(load().__file__).parent / JAR
    with tempfile.TemporaryDirectory() as folder:
        pairs = []
        for i, text in enumerate(texts):
            line = text.replace("\n", " ") + "\n"
            Path(folder, f"{i}.txt").write_bytes(line.encode())
            pairs.append(f"{folder}/{i}.txt {folder}/{i}.tok\n")
        Path(folder, "list").write_text("".join(pairs))
        command = ["java", "-cp", str(jar), "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", *options]
        subprocess.run([*command, "-ioFileList", f"{folder}/list"], stderr=subprocess.DEVNULL, check=True)
        outputs = [Path(folder, f"{i}.tok").read_bytes().decode() for i in range(len(texts))]
    # Line breaks inside a text are line breaks in the output too.
    return [[token for line in output.split(os.linesep) for token in line.split(" ") if token] for output in outputs]


def tokenize_coco(texts):
    """Return coco-caption's tokens of each text, as its BLEU and CIDEr use them."""
    kept = [[token for token in tokens if token not in PUNCTUATION] for tokens in tokenize_files(texts, "-lowerCase")]
    return [" ".join(tokens).split() for tokens in kept]
