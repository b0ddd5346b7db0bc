"""Record the latencies of SimulEval and OmniSTEval, as tests/golden/latency.json.

    python -m tests.golden.make_latency

It needs SimulEval 1.1.4 and OmniSTEval 0.1.10 (`pip install simuleval==1.1.4 omnisteval==0.1.10`).
"""

import json
import random
from functools import partial
from pathlib import Path


def lines():
    """Return lines of instances.log, also awkward ones."""
    generator = random.Random(3)
    found = []
    for index in range(120):
        length = generator.choice([900, 2500.5, 4000, 12345.678])
        size = generator.choice([0, 1, 2, 5, 12, 30])
        times = sorted(
            min(generator.choice([300, 320, 640, 1000.25]) * generator.randint(0, 20), length * 1.2)
            for _ in range(size)
        )
        if generator.random() < 0.1:
            generator.shuffle(times)
        elapsed, spent = [], 0
        for time in times:
            spent += generator.choice([0, 12.5, 100])
            elapsed.append(time + spent)
        line = {
            "index": index,
            "prediction": " ".join("w" * size),
            "delays": times,
            "elapsed": elapsed if generator.random() < 0.9 else [0] * size,
            "source_length": length,
        }
        words = generator.choice([0, 1, 3, 8, 12, 40])
        if generator.random() < 0.9:
            line["reference"] = generator.choice([" ", "  "]).join("v" * words)
        elif generator.random() < 0.5:
            line["reference"] = None
        found.append(json.dumps(line))
    return found


def value(call):
    try:
        return call()
    except ZeroDivisionError:
        return "ZeroDivisionError"


def simuleval(logged):
    from simuleval.evaluator.instance import LogInstance
    from simuleval.evaluator.scorers.latency_scorer import LATENCY_SCORERS_DICT

    def scored(scorer, unit):
        instances = [LogInstance(line, unit) for line in logged]
        single = []
        for instance in instances:
            times = instance.elapsed if scorer.computation_aware else instance.delays
            single.append(value(partial(scorer, {0: instance})) if times and instance.delays else None)
        return {"instances": single, "all": value(partial(scorer, dict(enumerate(instances))))}

    return {
        f"{name}{'_CA' * aware} {unit}": scored(LATENCY_SCORERS_DICT[name](computation_aware=aware), unit)
        for name in ("AL", "LAAL", "AP", "DAL", "ATD")
        for aware in (False, True)
        for unit in ("word", "char")
    }


def omnisteval(logged):
    from omnisteval.data import Instance
    from omnisteval.scoring import ALScorer, DALScorer, LAALScorer, YAALScorer

    instances = []
    for number, line in enumerate(logged):
        info = json.loads(line)
        info |= {"emission_cu": info.pop("delays"), "emission_ca": info.pop("elapsed")}
        info["reference"] = info.get("reference") or ""
        if number % 3:
            info["time_to_recording_end"] = info["source_length"] * 1.1
        instances.append((json.dumps(info), Instance.from_dict(info)))
    scores = {}
    for aware in (False, True):
        for name, scorer in {
            "YAAL": YAALScorer(aware),
            "LongYAAL": YAALScorer(aware, is_longform=True),
            "AL": ALScorer(aware),
            "LAAL": LAALScorer(aware),
            "DAL": DALScorer(aware),
        }.items():
            scores[f"{name}{'_CA' * aware}"] = scorer([instance for _, instance in instances])
    return {"lines": [line for line, _ in instances], "scores": scores}


def main():
    logged = lines()
    record = {
        "command": "python -m tests.golden.make_latency",
        "version": "SimulEval 1.1.4, OmniSTEval 0.1.10",
        "lines": logged,
        "scores": simuleval(logged),
        "omnisteval": omnisteval(logged),
    }
    path = Path(__file__).parent / "latency.json"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
