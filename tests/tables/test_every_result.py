"""Every class of results: its short `repr`, and its renderings in every format."""

import json
import math
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import jsonschema
import numpy as np
import pytest

import refscore
from refscore import gate, meetings, meta, overlap, significance
from refscore.errors import SettingError
from refscore.tables import FORMATS, Column, Result, Table

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"
HYPOTHESES = ["a <b>cat</b> sat", "it rains all day", "we go home early"]
REFERENCES = ["the cat sat", "it rained all day", "we went home early"]
PEOPLE = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}


def comparison():
    rows = {name: refscore.WER().stats(texts, REFERENCES) for name, texts in (("old", HYPOTHESES), ("new", REFERENCES))}
    return significance.paired_bootstrap(refscore.WER(), rows)


def meeting():
    return meetings.score([meetings.Utterance("s", "Ann", "a b")], [meetings.Utterance("s", "1", "a")])


def diarization():
    return meetings.score([meetings.Utterance("s", "Ann", "", 0, 2)], [meetings.Utterance("s", "1", "", 0, 1)], "der")


def error_sources():
    reference = [meetings.Utterance("<b>", "Ann", "a b")]
    return meetings.split_errors(meetings.evaluate(reference, reference, ["cpwer", "dicpwer"]))


def scored_conventions():
    return refscore.conventions.compare_conventions(HYPOTHESES, REFERENCES, "gleu")


def compared():
    systems = {"old": HYPOTHESES, "new": REFERENCES}
    return refscore.compare(systems, REFERENCES, "wer", resamples=10, trials=10)


def gated():
    old, new = (refscore.evaluate({"<b>": texts}, REFERENCES, "wer") for texts in (REFERENCES, ["x", "", "y"]))
    return gate.check(new, old, resamples=100)


RESULTS = {
    "AgreementByDifference": lambda: refscore.comparison.published_agreement("wmt23"),
    "AlignmentView": lambda: refscore.alignments.alignment_view(HYPOTHESES, REFERENCES),
    "Average": lambda: meta.average(
        {"en-de": meta.Judgments.from_scores(PEOPLE, {"new": PEOPLE, "<b>": PEOPLE})}, "wmt23"
    ),
    "RankedCandidates": lambda: refscore.mbr.choose(HYPOTHESES),
    "Comparison": comparison,
    "Conventions": scored_conventions,
    "ErrorTotals": lambda: refscore.alignments.error_totals(HYPOTHESES, REFERENCES, by=["<b>", "c", "c"]),
    "Gate": gated,
    "History": lambda: gate.History(
        [gate.history.Run.describe(gated(), refscore.evaluate(HYPOTHESES, REFERENCES, "wer"))]
    ),
    "Finding": lambda: scored_conventions().find(12.34),
    "Judgments": lambda: meta.Judgments.from_scores({**PEOPLE, "<b>": [1, 2, 3, None]}),
    "DiarizationScore": diarization,
    "ErrorSources": error_sources,
    "MeetingScore": meeting,
    "MetricRanking": lambda: meta.rank_metrics(
        meta.Judgments.from_scores(PEOPLE, {"new": PEOPLE, "<b>": PEOPLE}), trials=10
    ),
    "Overlap": lambda: overlap.find(HYPOTHESES, REFERENCES, order=2),
    "Resegmentation": lambda: refscore.resegmentation.resegment("so we left", ["So we", "left."]),
    "Selection": lambda: meta.select_segments(PEOPLE, 2, texts={"<b>": ["one", "<b>", "", "four"]}),
    "Timeline": lambda: meetings.timeline([meetings.Utterance("<b>", "Ann", "", 0, 2)], []),
    "Steps": lambda: refscore.WER().explain(HYPOTHESES[0], [REFERENCES[0]]),
    "Summary": lambda: refscore.evaluate({"old": HYPOTHESES, "<b>": REFERENCES}, REFERENCES, "wer").summary(),
    "SystemComparison": compared,
    "Table": lambda: Table("Words", [Column("word")], [["<b>"]]),
    "WordErrors": lambda: refscore.alignments.word_errors(HYPOTHESES, REFERENCES),
}
# The parts of results, which have no tables.
PARTS = {
    "AlignedSegment": lambda: RESULTS["AlignmentView"]()[0],
    "AveragedMetric": lambda: meta.average({"en-de": meta.Judgments.from_scores(PEOPLE, {"new": PEOPLE})}, "wmt23")[0],
    "Convention": lambda: scored_conventions()["nltk"],
    "GroupTotals": lambda: RESULTS["ErrorTotals"]().groups[0],
    "Namesake": lambda: scored_conventions().namesakes[0],
    "FrequentError": lambda: RESULTS["WordErrors"]().substitutions[0],
    "Check": lambda: gated().checks[0],
    "LostSegment": lambda: gated().lost[0],
    "Interval": lambda: comparison()["new"].interval,
    "Match": lambda: scored_conventions().find(12.34).nearest[0],
    "MetricScores": lambda: meta.Judgments.from_scores(PEOPLE, {"new": PEOPLE}).metrics["new"],
    "Outcome": lambda: comparison()["new"],
    "PairErrors": lambda: meeting()["s"].pairs[0],
    "RankedMetric": lambda: RESULTS["MetricRanking"]().metrics[0],
    "SegmentOverlap": lambda: RESULTS["Overlap"]()[0],
    "SessionErrors": lambda: meeting()["s"],
    "Step": lambda: scored_conventions()["nltk"].steps[0],
    "WordRate": lambda: RESULTS["WordErrors"]().words[0],
}
# Formats of some results only. Worked steps are not one table.
WITHOUT = {"Steps": ("csv", "tsv")}


def result_classes(base=Result):
    for subclass in base.__subclasses__():
        if subclass.__module__.startswith("refscore."):
            yield subclass
        yield from result_classes(subclass)


def test_every_class_of_results_is_tried():
    for module in walk_packages(refscore.__path__, "refscore."):
        if module.name.split(".")[1] in {
            *["alignments", "comparison", "conventions", "evaluation", "gate", "meetings", "meta", "overlap"]
        }:
            import_module(module.name)
    import_module("refscore.resegmentation")
    import_module("refscore.mbr")
    public = {each.__name__ for each in result_classes() if not each.__name__.startswith("_")}
    public.remove("SessionScores")  # an abstract class
    assert public == {*RESULTS}


@pytest.mark.parametrize("name", [*RESULTS, *PARTS])
def test_a_repr_is_short(name):
    part = {**RESULTS, **PARTS}[name]()
    assert type(part).__name__ == name
    text = repr(part)
    assert (text[0], text[-1]) == ("<", ">") or text == str(part)
    assert len(text) <= 110 and ("\n" not in text or name == "Table")


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_result_renders_in_every_format(name, form):
    result = RESULTS[name]()
    if form in WITHOUT.get(name, ()):
        with pytest.raises(SettingError, match="json"):
            result.render(form)
        return
    text = result.render(form)
    assert text.strip() == text.rstrip() and text.encode()
    if form == "json":
        content = json.loads(text)
        if result.schema:
            assert list(content)[:2] == ["schema", "version"] and content["schema"] == f"refscore.{result.schema}/1"
    elif form == "html":
        assert result._repr_html_() == text
        assert text.startswith("<section class=") and "<b>" not in text
    elif form == "text":
        assert str(result).split("\n")[0] in text


@pytest.mark.parametrize("name", ["Conventions", "Finding", "Gate", "Overlap"])
def test_json_fits_its_schema(name):
    """Those of other results are objects of a command, with a list of results or the names of files."""
    result = RESULTS[name]()
    schema = json.loads((SCHEMAS / f"{result.schema}.1.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(result.render("json")), schema)


def test_json_has_no_nan():
    class Undefined(Result):
        def to_dict(self):
            return {"nan": math.nan, "more": [{"inf": (-math.inf, 1.5)}], "array": np.array([1, np.nan])}

    assert json.loads(Undefined().render("json")) == {"nan": None, "more": [{"inf": [None, 1.5]}], "array": [1, None]}


def test_notes_and_hints_surround_the_signatures():
    errors = RESULTS["WordErrors"]()
    shown = refscore.tables.render(errors, "text", hints=["hint"], notes={"more": "note", "data": [1]})
    assert shown.endswith(f"\n\nhint\n{errors.signature}\nnote")
    content = json.loads(refscore.tables.render(errors, "json", hints=["hint"], notes={"more": "note", "data": [1]}))
    assert (content["more"], content["data"], "hint" in content) == ("note", [1], False)
