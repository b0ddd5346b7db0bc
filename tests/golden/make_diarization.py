"""Record the diarization error rates of pyannote.metrics, md-eval.pl and dscore, as tests/golden/diarization.json.

    pip install pyannote.metrics==4.2.0 intervaltree
    python -m tests.golden.make_diarization DSCORE

DSCORE is the folder with dscore 1.1.0 (github.com/nryant/dscore, commit e02f949), which includes md-eval-22.pl. The
turns are those of tests/meetings/turns.py.
"""

import contextlib
import io
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.meetings.turns import md_eval, pyannote, turns, write_rttm, write_uem

SEEDS = range(24)
SESSIONS = 4
SETTINGS = ((0, False), (0.25, False), (0.25, True), (0, True))


def case(seed):
    """Return reference, hypothesis and the regions by session. Every second case has a UEM file."""
    reference, hypothesis, regions = [], [], {}
    for k in range(SESSIONS):
        spoken, heard, listed = turns(f"golden {seed} {k}", overlaps_itself=seed % 4 > 1)
        reference += [replace(turn, session_id=f"x{k}") for turn in spoken]
        hypothesis += [replace(turn, session_id=f"x{k}") for turn in heard]
        regions[f"x{k}"] = listed or [(0.0, 70.0)]
    return reference, hypothesis, regions if seed % 2 else None


def dscore(reference, hypothesis, regions, collar, skip_overlap):
    """Return dscore's DER and JER in percent by session, or None where it fails."""
    from scorelib.score import score
    from scorelib.turn import Turn, merge_turns, trim_turns
    from scorelib.uem import UEM, gen_uem

    sides = [
        [Turn(each.start_time, offset=each.end_time, speaker_id=each.speaker, file_id=each.session_id) for each in side]
        for side in (reference, hypothesis)
    ]
    uem = gen_uem(*sides) if regions is None else UEM(regions)
    with contextlib.redirect_stderr(io.StringIO()):
        sides = [merge_turns(trim_turns(side, uem)) for side in sides]
        try:
            by_file, total = score(*sides, uem, collar=collar, ignore_overlaps=skip_overlap)
        except KeyError:  # md-eval.pl divided by zero
            return None
    return {each.file_id: [float(each.der), float(each.jer)] for each in (*by_file, total._replace(file_id="ALL"))}


def of_session(session, reference, hypothesis, regions):
    """Return the turns and regions of one session."""
    sides = [[turn for turn in side if turn.session_id == session] for side in (reference, hypothesis)]
    return *sides, None if regions is None else regions[session]


def main():
    folder = Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    results = []
    for seed in SEEDS:
        reference, hypothesis, regions = case(seed)
        found = {}
        with tempfile.TemporaryDirectory() as name:
            files = Path(name)
            write_rttm(files / "ref.rttm", reference)
            write_rttm(files / "sys.rttm", hypothesis)
            write_uem(files / "all.uem", regions or {})
            for collar, skip_overlap in SETTINGS:
                settings = {"collar": collar, "skip_overlap": skip_overlap}
                program = folder / "scorelib" / "md-eval-22.pl"
                found[f"{collar} {skip_overlap}"] = {
                    "md-eval": md_eval(program, files, has_uem=regions is not None, **settings),
                    "dscore": dscore(reference, hypothesis, regions, collar, skip_overlap),
                    "pyannote": {
                        f"x{k}": {
                            name: pyannote(name, *of_session(f"x{k}", reference, hypothesis, regions), **settings)
                            for name in ("der", "jer")
                        }
                        for k in range(SESSIONS)
                    },
                }
        results.append(found)
    command = "python -m tests.golden.make_diarization DSCORE"
    content = {
        "tool": {"pyannote.metrics": "4.2.0", "dscore": "1.1.0", "md-eval": "22"},
        "command": command,
        "results": results,
    }
    Path(__file__).with_name("diarization.json").write_text(json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
