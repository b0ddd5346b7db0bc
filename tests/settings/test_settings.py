"""Kinds, and the declared settings of everything except metrics: checks, suggestions, signatures, options and types."""

import ast
import pickle
import re
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

import click
import pytest

import refscore
from refscore.cli.declared_options import setting_option
from refscore.cli.main import commands
from refscore.meta import Ranking
from refscore.overlap import PRESETS, OverlapSettings
from refscore.report import Reporting
from refscore.resegmentation import Resegmenter
from refscore.settings import Choice, HasSettings, Number, OrNone, Share, WholeNumber, choice, setting
from refscore.significance import Resampling
from refscore.significance.settings import Tests as DeclaredTests

KINDS = (Resampling, DeclaredTests, Reporting, Ranking, Resegmenter, OverlapSettings)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def test_shares():
    inside, up_to_1 = Share(0.95), Share(0.8, may_be_1=True)
    assert (inside.check("x", 0.5), up_to_1.check("x", 1)) == (0.5, 1.0)
    for kind, value in [(inside, 0), (inside, 1), (up_to_1, 0), (up_to_1, 1.1), (inside, "a"), (inside, True)]:
        with pytest.raises(refscore.SettingError, match=f"x must be {kind.values[0]}, not"):
            kind.check("x", value)


def test_values_that_may_be_none():
    limit = OrNone(WholeNumber(1, 9), none="all")
    for value, written in {None: "all", 3: "3"}.items():
        assert (limit.check("x", value), limit.write(value), limit.read(written)) == (value, written, value)
    assert (limit.parse("None"), limit.parse("4"), limit.show(None), limit.show(4)) == (None, 4, "none", "4")
    assert limit.values == ("a whole number from 1 to 9", "none")
    with pytest.raises(refscore.SettingError, match="x must be at most 9"):
        limit.check("x", 10)


def test_bounds_in_words():
    kinds = [WholeNumber(), WholeNumber(0), WholeNumber(1, 1000), WholeNumber(0, 2**128 - 1), Number(0, 1)]
    assert [kind.values[0] for kind in kinds] == [
        "a whole number",
        "a whole number of at least 0",
        "a whole number from 1 to 1,000",
        "a whole number from 0 to 2**128 - 1",
        "a number from 0 to 1",
    ]


@dataclass(frozen=True, kw_only=True)
class Cuts(HasSettings):
    """Cuts."""

    name = "cuts"
    first_keys = ("s",)

    limit: int | None = setting(None, "The limit.", OrNone(WholeNumber(1), none="all"), key="limit")
    cased: bool = setting(True, "Compare case.", Choice({True: "mixed", False: "lc"}), key="case", is_rare=True)
    share: float = setting(0.5, "The share.", Share(0.5), key="s")
    ties: str = choice("late", "Which cut to choose.", {"late": "the last one", "early": "the first one"}, key="ties")
    note: str = field(default="", compare=False)


def test_signatures_begin_with_the_first_keys():
    assert Cuts().signature == f"cuts|s:0.5|limit:all|ties:late|version:{refscore.__version__}"
    assert "|limit:3|case:lc|" in Cuts(limit=3, cased=False).signature


def test_notes_are_no_settings():
    noted = Cuts(limit=2, note="why")
    assert list(Cuts.settings()) == ["limit", "cased", "share", "ties"]
    assert noted == Cuts(limit=2)
    assert pickle.loads(pickle.dumps(noted)).note == replace(noted, limit=3).note == "why"


def test_named_values_are_explained_once():
    assert Cuts.settings()["ties"].explanation == ('Which cut to choose. "late": the last one; "early": the first one.')
    assert Cuts.settings()["share"].explanation == "The share."
    smoothing = refscore.BLEU.settings()["smoothing"]
    assert smoothing.explanation == smoothing.meaning
    assert '"early": the first one.' in " ".join(Cuts.__doc__.split())


@every_kind
def test_declarations(kind):
    assert all("setting" in entry.metadata for entry in fields(kind) if entry.compare)
    declared = kind.settings()
    keys = [entry.key for entry in declared.values() if entry.key]
    assert len(keys) == len({*keys})
    for name, entry in declared.items():
        assert entry.meaning.endswith("."), name
        assert entry.kind.check(name, entry.default) == entry.default
        if isinstance(entry.kind, Choice) and all(isinstance(value, str) for value in entry.words):
            assert [*entry.words] == [] or [*entry.words] == [entry.kind.parse(text) for text in entry.kind.values]
        assert entry.explanation in " ".join(re.sub(r"\s+", " ", kind.__doc__).split())


def test_settings_have_names():
    for kind, values in ((refscore.ROUGE, ["L"]), (refscore.Given, ["comet", 3]), (refscore.significance.Tests, [5])):
        with pytest.raises(TypeError, match=r"\(\) takes settings by name, as in \w+\(\w+=\.\.\.\)$"):
            kind(*values)


@every_kind
def test_unknown_settings(kind):
    name = next(iter(kind.settings()))
    with pytest.raises(
        refscore.errors.UnknownNameError, match=f"unknown setting of {kind.name} '{name}s'; did you mean '{name}'"
    ):
        kind(**{f"{name}s": 1})


@every_kind
def test_wrong_values(kind):
    for name in kind.settings():
        for value in ([], {}, object()):
            with pytest.raises(refscore.SettingError):
                kind(**{name: value})


@every_kind
def test_instances_are_values(kind):
    assert kind() == kind() == pickle.loads(pickle.dumps(kind()))
    assert hash(kind()) == hash(kind())
    with pytest.raises(AttributeError):
        setattr(kind(), next(iter(kind.settings())), 1)


def test_functions_check_their_settings():
    systems = {"a": ["x y", "z"], "b": ["x", "z"]}
    rows = refscore.TER().stats(["x y", "z"], ["x y", "z"])
    evaluation = refscore.Evaluation("ter", retain="rows")
    evaluation.add_rows(rows)
    calls = {
        "resample": lambda **wrong: refscore.compare(systems, ["x y", "z"], **wrong),
        "confidences": lambda **wrong: refscore.significance.bootstrap("ter", rows, **wrong),
        "seeds": evaluation.interval,
        "seedss": evaluation.summary,  # without intervals, which need the settings
        "max_segment": refscore.report.Reporting,
        "tokeniser": lambda **wrong: refscore.resegmentation.resegment("a", ["a"], **wrong),
        "ordr": lambda **wrong: refscore.overlap.find(["a"], ["a"], **wrong),
    }
    for name, call in calls.items():
        with pytest.raises(refscore.errors.UnknownNameError, match=f"unknown setting of .* '{name}'; did you mean"):
            call(**{name: 1})
    for paired in ("holm", "alpha", "trials"):
        with pytest.raises(refscore.SettingError, match=paired):
            evaluation.interval(**{paired: 1})


def test_conventions_keep_their_sources():
    palm = pickle.loads(pickle.dumps(PRESETS["palm"]))
    assert palm.published == palm.changed({"order": 3}).published != ""


def test_types_of_keyword_arguments():
    """Read the typed dictionary from the source, because it only exists for type checkers."""
    source = Path(refscore.resegmentation.cutting.__file__).read_text(encoding="utf-8")
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    (listed,) = (node for node in classes if node.name == "ResegmenterSettings")
    typed = {node.target.id: ast.unparse(node.annotation) for node in listed.body if isinstance(node, ast.AnnAssign)}
    kind = refscore.resegmentation.Resegmenter
    assert typed == {name: vars(kind)["__annotations__"][name] for name in kind.settings()}


@pytest.mark.parametrize("chosen", [None, DeclaredTests(seed=3)])
def test_settings_by_name_replace_those_of_the_object(chosen):
    systems = {"a": ["x y", "z w"], "b": ["x", "z"]}
    tests = refscore.compare(systems, ["x y", "z"], "ter", chosen, resamples=20).tests
    assert tests["bootstrap"]["ter"].resamples == 20
    assert tests["bootstrap"]["ter"].seed == (DeclaredTests() if chosen is None else chosen).seed
    for wrong in (5, {"seed": 3}, Resampling()):
        with pytest.raises(refscore.SettingError, match=r"must be a Tests, not .*: pass Tests\(\.\.\.\)"):
            refscore.compare(systems, ["x y", "z"], "ter", wrong)


# Options of commands


def option_of(decorator):
    @decorator
    def command(**_):
        pass

    (option,) = command.__click_params__
    return option


def test_options_have_the_types_of_settings():
    limit, share, ties = (option_of(setting_option(Cuts, name)) for name in ("limit", "share", "ties"))
    assert (limit.opts, limit.default, limit.type.min, limit.metavar) == (["--limit"], None, 1, "N")
    assert (share.default, share.type.min, share.type.max_open, share.help) == (0.5, 0, True, "The share.")
    assert (ties.default, [*ties.type.choices]) == ("late", ["late", "early"])
    changed = option_of(setting_option(Cuts, "ties", default="early", help="Other."))
    assert (changed.opts, changed.default, changed.help) == (["--ties"], "early", "Other.")


@pytest.mark.parametrize(
    ("command", "kind"),
    [("compare", DeclaredTests), ("report", Reporting), ("score", Resampling), ("meta", Ranking)],
)
def test_commands_have_the_declared_options(command, kind):
    options = {option.name: option for option in commands.get_command(click.Context(commands), command).params}
    for name, declared in kind.settings().items():
        if name != "power":  # a flag on the command line
            option = options[name]
            assert (option.default or False, option.help) == (declared.default, declared.meaning), name
