"""meeteval's error rates of generated sessions, as plain data. Its names are those of `refscore.meetings`."""

import logging

from tests.meetings.generated import has_empty_stream

# meeteval's names of functions, where they differ.
NAMES = {"dicpwer": "greedy_dicpwer", "ditcpwer": "greedy_ditcpwer"}


def judged(metric, reference, hypothesis, settings):
    """Counts and assignment of meeteval, or None where meeteval fails or does not find the lowest rate."""
    import meeteval
    from meeteval.wer import api

    if metric in ("orcwer", "mimower") and (not hypothesis or has_empty_stream(hypothesis)):
        return None
    logging.disable(logging.CRITICAL)  # meeteval warns about the sessions that these tests are about
    try:
        # A session must not be missing, and a list without segments has no sessions.
        other = [{**utterance, "session_id": "other", "words": "a"} for utterance in reference[:1]]
        copies = [{**other[0], "session_id": f"other{k}"} for k in range(9)] if not hypothesis else []
        found = getattr(api, NAMES.get(metric, metric))(
            meeteval.io.SegLST([*reference, *copies]), meeteval.io.SegLST([*hypothesis, *copies]), **settings
        )["x"]
    finally:
        logging.disable(logging.NOTSET)
    names = ["errors", "length", "insertions", "deletions", "substitutions"]
    if metric in ("cpwer", "tcpwer"):
        names += ["missed_speaker", "falarm_speaker", "scored_speaker"]
    counts = [int(getattr(found, name)) for name in names]
    overlaps = [found.reference_self_overlap, found.hypothesis_self_overlap]
    times = [None if each is None else [float(each.overlap_time), float(each.total_time)] for each in overlaps]
    assignment = [[*pair] if isinstance(pair, tuple) else pair for pair in found.assignment]
    return {"counts": counts, "assignment": assignment, "self_overlaps": times}


def scored(metric, reference, hypothesis, settings):
    """The same from refscore."""
    import warnings

    from refscore import meetings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", meetings.MeetingWarning)
        found = meetings.score(reference, hypothesis, metric, max_missing=1, **settings)["x"]
    names = ["errors", "length", "insertions", "deletions", "substitutions"]
    if metric in ("cpwer", "tcpwer"):
        names += ["missed_speakers", "false_alarm_speakers", "scored_speakers"]
    overlaps = [found.reference_self_overlap, found.hypothesis_self_overlap]
    times = [None if each is None else [each.overlap_time, each.total_time] for each in overlaps]
    assignment = [[*pair] if isinstance(pair, tuple) else pair for pair in found.assignment]
    return {"counts": [getattr(found, name) for name in names], "assignment": assignment, "self_overlaps": times}


def comparable(metric, result, reference, hypothesis):
    """A result without the streams of utterances without words, which meeteval assigns too."""
    if metric in ("cpwer", "tcpwer"):
        return result
    assigned, streams = (hypothesis, reference) if metric.startswith("di") else (reference, hypothesis)
    has_words = any(utterance["words"].split() for utterance in streams)
    if metric == "mimower":
        is_assigned = has_words and any(utterance["words"].split() for utterance in assigned)
        return {**result, "assignment": result["assignment"] if is_assigned else None}
    assignment = [
        stream if utterance["words"].split() and has_words else None
        for utterance, stream in zip(assigned, result["assignment"], strict=True)
    ]
    return {**result, "assignment": assignment}
