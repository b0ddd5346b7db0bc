"""Record the results of mt-metrics-eval in mt_metrics_eval.json, for the scores of judged_scores.

Run from the root of the repository, with SciPy and the source of google-research/mt-metrics-eval. PyPI has a different
package with this name.

    git clone https://github.com/google-research/mt-metrics-eval source
    git -C source checkout 68a481aea1a787392d55af8f76ac8ef40c5f4664
    PYTHONPATH=source python -m tests.golden.make_mt_metrics_eval
"""

import json

import scipy

from tests.golden.judged_scores import COMMIT, PATH, SETS, compute, generate


def main():
    data = {
        "tool": "google-research/mt-metrics-eval",
        "version": COMMIT,
        "scipy": scipy.__version__,
        "command": "python -m tests.golden.make_mt_metrics_eval",
        "origin": "run for this record: mt_metrics_eval.stats on the scores of judged_scores.generate",
        "sets": [],
    }
    for settings in SETS:
        human, metric = generate(*settings)
        data["sets"].append({"settings": settings, "human": human, "metric": metric, "values": compute(human, metric)})
    text = (
        json.dumps(data, separators=(",", ":"))
        .replace('{"settings"', '\n{"settings"')
        .replace('"values"', '\n"values"')
    )
    PATH.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
