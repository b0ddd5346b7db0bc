"""Record the tokens of CoreNLP 3.4.1 in ptb.json, for the lines of ptb_lines.

Run from the root of the repository, with Java and a Python that has pycocoevalcap==1.2:
`python -m tests.golden.make_ptb`
"""

import json
from importlib.metadata import version
from pathlib import Path

from tests.golden import ptb_lines
from tests.tokenizers import ptb_program as ptb

SEED, COUNT = 1, 800


def main():
    if version("pycocoevalcap") != "1.2":
        raise SystemExit(f"this records pycocoevalcap 1.2, not {version('pycocoevalcap')}")
    lines = ptb_lines.lines(SEED, COUNT)
    data = {
        "tool": "edu.stanford.nlp.process.PTBTokenizer of Stanford CoreNLP, in pycocoevalcap 1.2",
        "version": "3.4.1",
        "command": "python -m tests.golden.make_ptb",
        "origin": "run for this record: java -cp stanford-corenlp-3.4.1.jar edu.stanford.nlp.process.PTBTokenizer "
        "-preserveLines, and for coco with -lowerCase and without coco-caption's punctuation; lines of ptb_lines.lines",
        "lines": [
            {"text": text, "ptb": tokens, "coco": coco}
            for text, tokens, coco in zip(lines, ptb.tokenize_files(lines), ptb.tokenize_coco(lines), strict=True)
        ],
    }
    text = json.dumps(data, separators=(",", ":")).replace('{"text"', '\n{"text"')
    (Path(__file__).parent / "ptb.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
