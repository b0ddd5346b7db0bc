"""Record meeteval's error rates of generated meetings, as tests/golden/meetings.json.

    pip install meeteval==0.4.3
    python -m tests.golden.make_meetings

The sessions are those of tests/meetings/generated.py. meeteval takes more than a minute to compile, so the usual tests
compare with this file. tests/meetings/test_meeteval.py compares with meeteval itself where it is installed.
"""

import importlib.metadata
import json
from pathlib import Path

from tests.meetings.generated import ALL_METRICS, as_decimals, session, settings
from tests.meetings.judge import judged

SEEDS = range(120)


def case(seed):
    """Return a session, with times as floats or as decimal numbers."""
    reference, hypothesis = session(seed)
    return (as_decimals(reference), as_decimals(hypothesis)) if seed % 2 else (reference, hypothesis)


def main():
    results = {
        metric: {str(seed): judged(metric, *case(seed), settings(seed, metric)[1]) for seed in SEEDS}
        for metric in ALL_METRICS
    }
    versions = {name: importlib.metadata.version(name) for name in ("meeteval", "kaldialign", "scipy")}
    content = {"tool": versions, "command": "python -m tests.golden.make_meetings", "results": results}
    Path(__file__).with_name("meetings.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
