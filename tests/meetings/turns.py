"""Generated turns of speakers, and the error rates of other tools for them."""

import random
import re
import subprocess
import warnings
from pathlib import Path

from refscore.meetings import Utterance

PARTS = ("missed", "false_alarm", "confusion", "scored")


def turns(seed, *, decimals=3, overlaps_itself=False, length=60):
    """Reference, hypothesis and regions of a session, or None for the regions. Without the argument, no speaker
    overlaps with himself."""
    generator = random.Random(seed)

    def time(most):
        return round(generator.uniform(0, most), generator.choice([0, 1, decimals]))

    def side():
        result, busy_until = [], {}
        for _ in range(generator.choice([1, 2, 5, 12, 30])):
            speaker = f"s{generator.randrange(generator.choice([1, 2, 4, 12]))}"
            begin, duration = time(length), time(generator.choice([1, 5, 20]))
            if not overlaps_itself:
                begin = max(begin, busy_until.get(speaker, 0))
                busy_until[speaker] = round(begin + duration + generator.choice([0, 0, 0.5]), decimals)
            if duration > 0:
                result.append(Utterance("x", speaker, "", begin, round(begin + duration, decimals)))
        return result

    regions = None
    if generator.random() < 0.5:
        bounds = sorted({time(length) for _ in range(generator.choice([2, 4, 8]))})
        regions = [*zip(bounds[::2], bounds[1::2], strict=False)] or None
    return side(), side(), regions


def pyannote(name, reference, hypothesis, regions, **settings):
    """pyannote.metrics' parts of a session."""
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate, JaccardErrorRate

    def annotation(side):
        result = Annotation(uri="x")
        for track, each in enumerate(side):
            result[Segment(each.start_time, each.end_time), track] = each.speaker
        return result

    uem = None if regions is None else Timeline([Segment(*region) for region in regions])
    metric = {"der": DiarizationErrorRate, "jer": JaccardErrorRate}[name](**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = metric(annotation(reference), annotation(hypothesis), uem=uem, detailed=True)
    names = {
        "der": ("missed detection", "false alarm", "confusion", "total", "diarization error rate"),
        "jer": ("speaker error", "speaker count", "jaccard error rate"),
    }
    return [float(parts[each]) for each in names[name]]


def write_rttm(path, side):
    lines = [
        f"SPEAKER {each.session_id} 1 {each.start_time:.3f} {each.end_time - each.start_time:.3f} <NA> <NA> "
        f"{each.speaker} <NA> <NA>\n"
        for each in side
    ]
    Path(path).write_text("".join(lines))


def write_uem(path, regions):
    lines = [f"{session} 1 {begin:.3f} {end:.3f}\n" for session, listed in regions.items() for begin, end in listed]
    Path(path).write_text("".join(lines))


def md_eval(program, folder, *, collar=0, skip_overlap=False, has_uem=False):
    """md-eval.pl's parts by session, and of all, from the files in a folder. It prints six decimals."""
    command = ["perl", program, "-af", "-r", folder / "ref.rttm", "-s", folder / "sys.rttm", "-c", str(collar)]
    command += ["-u", folder / "all.uem"] if has_uem else []
    command += ["-1"] if skip_overlap else []
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return parse_md_eval(printed)


def parse_md_eval(printed):
    found = {}
    names = ("MISSED SPEAKER", "FALARM SPEAKER", "SPEAKER ERROR", "SCORED SPEAKER")
    for block in printed.split("*** Performance analysis for Speaker Diarization for ")[1:]:
        times = [re.search(f"{name} TIME =([0-9.]+)", block) for name in names]
        if all(times):
            found[block.split(" ***")[0].removeprefix("f=")] = [float(each[1]) for each in times]
    return found
