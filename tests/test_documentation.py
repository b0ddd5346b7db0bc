"""The examples in the README and in all pages are correct, and the pages are complete."""

import ast
import contextlib
import dataclasses
import doctest
import importlib
import importlib.util
import json
import pkgutil
import re
import shlex
import warnings
import zlib
from pathlib import Path

import click
import pytest

import refscore
from refscore.cli.demo import FOLDER
from refscore.cli.main import commands
from refscore.compat.__main__ import main as drop_in_main
from refscore.metrics.core import registry
from refscore.normalizers.builtin import BUILTIN as NORMALIZERS
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import FORMS, OFFERS
from tests.children import printed_by
from tests.cli.running import status_of

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(DOCS.rglob("*.md")),
    ROOT / "bench" / "README.md",
    ROOT / "examples" / "README.md",
]
TEXTS = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
# Metrics on the page of another one.
SHARED_PAGES = {"cer": "wer", "compression_ratio": "repetition"}
METRIC_PAGES = {name: f"docs/reference/metrics/{SHARED_PAGES.get(name, name)}.md" for name in refscore.metrics.METRICS}


def table_rows(text, beginning):
    """Return the cells of each row of the table with this first line, by the first cell."""
    lines = re.search(rf"^{beginning}.*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE).group().splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]
    return {first: others for first, *others in rows}


def fences(text, language):
    """Return the code blocks in a language, without their fences."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


# These draw charts.
SLOW = {"docs/howto/write-a-report.md", "refscore.report.page"}


def examples_of(names):
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in names]
    )


WITH_EXAMPLES = [name for name, text in TEXTS.items() if ">>> " in text]


# Examples must not have warnings, which readers would see on their terminals. These are about the problem.
WITH_WARNINGS = {
    "docs/explanation/why-numbers-differ.md",
    "docs/howto/score-other-languages.md",
    "docs/reference/settings.md",
    "refscore.metrics.core.metric",
}


@pytest.fixture
def _no_warnings(name):
    with warnings.catch_warnings():
        if name not in WITH_WARNINGS:
            warnings.simplefilter("error", refscore.data_warnings.DataWarning)
        yield


@pytest.mark.usefixtures("_no_warnings")
@examples_of(WITH_EXAMPLES)
def test_examples(name):
    failed, attempted = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert attempted > 0
    assert failed == 0


# Engines have separate tests with a cluster and frames for the examples.
NOT_HERE = ("_native", "__main__", "engines.engine", "engines.ray", "engines.spark")
MODULES = [
    name
    for name in ["refscore", *(module.name for module in pkgutil.walk_packages(refscore.__path__, "refscore."))]
    if not name.endswith(NOT_HERE)
    if ">>> " in Path(importlib.util.find_spec(name).origin).read_text(encoding="utf-8")
]


class Finder(doctest.DocTestFinder):
    """Also finds functions that a helper in a different module made for this one, such as `refscore.bleu`."""

    def _from_module(self, module, value):
        return getattr(value, "__module__", None) == module.__name__ or super()._from_module(module, value)


@pytest.mark.usefixtures("_no_warnings")
@examples_of(MODULES)
def test_docstrings(name):
    try:
        module = importlib.import_module(name)
    except refscore.errors.NotInstalledError as missing:
        pytest.skip(str(missing))
    runner = doctest.DocTestRunner()
    for test in Finder().find(module, name):
        runner.run(test)
    assert runner.failures == 0
    assert runner.tries > 0


# Programs without output, which may need packages that are not installed. Those of engines run in tests/engines.
PROGRAMS = [
    (name, block)
    for name, text in TEXTS.items()
    if name != "docs/howto/use-spark-and-ray.md"
    for block in fences(text, "py")
]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "program"), PROGRAMS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(PROGRAMS)])
def test_programs(page, program, tmp_path):
    for package in re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"an example needs {package}: pip install 'refscore[all]'")
    printed_by("-c", program, cwd=tmp_path, environment={"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"})


# The output of commands in `console` blocks: lines that begin with a dollar sign, and the lines that follow.
CONSOLE = [
    (line, shown)
    for text in TEXTS.values()
    for block in fences(text, "console")
    for line, shown in re.findall(r"^\$ refscore ([^\n]*)\n(.*?)(?=^\$ refscore |\Z)", block, re.DOTALL | re.MULTILINE)
]


def printed(line, capsys):
    """Return the output of the command on both streams, and the part that `| head -n` shows."""
    line, _, count = line.partition(" | head -n ")
    status_of(shlex.split(line))
    output = capsys.readouterr()
    lines = (output.out + output.err).splitlines(keepends=True)
    return "".join(lines[: int(count)] if count else lines)


@pytest.mark.parametrize(("line", "shown"), dict.fromkeys(CONSOLE), ids=[line for line, _ in dict.fromkeys(CONSOLE)])
def test_console(line, shown, capsys, monkeypatch):
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", "80")
    assert printed(line, capsys) == shown


def test_there_is_something_to_check():
    assert len(WITH_EXAMPLES) > 30
    assert len(MODULES) > 30
    assert len(CONSOLE) > 12
    assert len(COMMANDS) > 15


# Commands without their output: in shell blocks and in the text.
COMMANDS = sorted(
    {
        line
        for text in TEXTS.values()
        for line in [
            *(
                line
                for block in fences(text, "sh")
                for line in re.findall(r"^refscore ([a-z]+.*)$", block, re.MULTILINE)
            ),
            *re.findall(r"`refscore ([a-z]+ [^`…]*)`", text),
            *re.findall(r"^    refscore (.*)$", text, re.MULTILINE),
        ]
    }
)


def test_commands_are_understood():
    """Files may be missing, but commands and options must exist."""
    for line in COMMANDS:
        name, *arguments = shlex.split(re.split(r" [|>]+ ", line)[0])
        command = commands.get_command(click.Context(commands), name)
        assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
        options = [word.partition("=")[0] for word in arguments if word.startswith("-") and word != "-"]
        assert {*options} <= known, line


def shown(page, beginning):
    block = re.search(rf"```text\n({beginning}.*?)\n```", TEXTS[page], re.DOTALL)
    assert block is not None
    return block.group(1)


STEPS = {
    "bleu": lambda: refscore.BLEU(max_order=2).explain("the the cat", ["the cat sat", "a cat"]),
    "character_ter": lambda: refscore.CharacTER().explain("the ferry leaves at seven", "at seven the ferry departs"),
    "chrf": lambda: refscore.CHRF(char_order=3).explain("the cat", ["a cat sat", "the bat"]),
    "exact_match": lambda: refscore.ExactMatch().explain("the Norman people", ["Normans", "Norman people!"]),
    "cider": lambda: refscore.CIDER.fit(["the cat sat", "a dog", "a cat"], max_order=2).explain(
        "the the cat", ["the cat sat", "a cat"]
    ),
    "accuracy": lambda: refscore.Accuracy.preset("vqa").explain("Two!", ["2", "two", "2", "a 3", "two"]),
    "gec_gleu": lambda: refscore.GECGLEU(max_order=2).explain(
        "he goes to a school", "he goes to school", source="he go to a school"
    ),
    "m2": lambda: refscore.M2().explain(
        "he goes to the school", "A 1 2|||V|||goes|||R|||-|||0", source="he go to a school"
    ),
    "latency": lambda: refscore.metrics.Latency().explain(
        '{"delays": [1000, 1000, 2000], "source_length": 2000, "reference": "it rained today"}', None
    ),
    "suber": lambda: refscore.SubER().explain(
        "0 --> 2\nit rained\n\n4 --> 6\nall day long,\nwe left", "0 --> 2\nIt rained all day.\n\n4 --> 6\nWe left."
    ),
    "uwer": lambda: refscore.UWER().explain("a a b x y", "a b b z"),
    "edit_similarity": lambda: refscore.EditSimilarity.preset("anls").explain("Room  B1", ["the hall", "room b12"]),
    "eed": lambda: refscore.EED().explain("today it rained", "it rained today"),
    "repetition": lambda: refscore.metrics.Repetition().explain("well, no, no, no, no, no"),
    "crystalbleu": lambda: refscore.CrystalBLEU.fit(["int a = f ( b ) ;", "int c = 0 ;"], k=3, max_order=2).explain(
        "int x = 1 ;", "int x = 0 ;"
    ),
    "gleu": lambda: refscore.GLEU(max_order=2).explain("the the cat", ["a cat", "the cat sat"]),
    "sari": lambda: refscore.SARI(max_order=1).explain("a cat sat", "the cat sat down", source="the cat perched"),
    "meteor": lambda: refscore.METEOR().explain("the dogs were walking on the big hill", "the dog walked on a hill"),
    "nist": lambda: refscore.NIST.fit(["the cat sat on the mat"], max_order=2).explain(
        "the the cat", ["the cat sat", "a cat"]
    ),
    "ribes": lambda: refscore.RIBES().explain("the book was read by the boy", "the boy read the book"),
    "rouge": lambda: refscore.ROUGE().explain("the cat sat on a mat", "the cat is on the mat today"),
    "ter": lambda: refscore.TER().explain("the ferry leaves at seven", "at seven the ferry departs"),
    "token_f1": lambda: refscore.TokenF1().explain("the cat and the cat", ["a dog", "cat, cat; dog"]),
    "wer": lambda: refscore.WER().explain("a cat sat down", "the cat sat"),
}


@pytest.mark.parametrize("name", STEPS)
def test_worked_steps(name):
    steps = str(STEPS[name]())
    assert shown(METRIC_PAGES[name], steps.partition("\n")[0]) == steps


def test_the_command_of_ribes(monkeypatch, capsys):
    line = re.search(r"^python -m refscore\.compat (ribes .*)$", TEXTS["docs/reference/metrics/ribes.md"], re.MULTILINE)
    assert line is not None
    monkeypatch.chdir(ROOT)
    assert drop_in_main(line.group(1).split()) == 0
    assert capsys.readouterr().out == shown("docs/reference/metrics/ribes.md", r"\d\.\d{6} alpha=") + "\n"


def test_readme_begins_with_its_two_commands():
    blocks = fences(TEXTS["README.md"], "sh")
    assert [len(block.strip().splitlines()) for block in blocks[:2]] == [1, 1]
    assert "refscore score examples/" in blocks[0]
    assert "pytest" in blocks[1]


def test_figures_are_the_same_on_all_pages():
    heading = r"\| task \| refscore, 1 thread"
    every = table_rows(TEXTS["docs/explanation/performance.md"], heading)
    assert table_rows(TEXTS["README.md"], heading).items() <= every.items()
    # "28 to 660 times faster" is about scores of segments, compared with the first library of each row.
    scores = [row[-1] for task, row in every.items() if re.match(r"corpus|BLEU of token|BLEU of arr|.*every", task)]
    ratios = sorted(int(ratio.partition("×")[0]) for ratio in scores)
    assert f"{ratios[0]} to {ratios[-1]} times faster" in TEXTS["README.md"].replace("\n", " ")
    one, two, peer, ratio = every["BLEU as a reward, 200 words"]
    for figure in (one, two, peer.split()[1], ratio):
        assert figure in TEXTS["docs/howto/train-with-rewards.md"]


@pytest.mark.parametrize(("page", "most"), [("README.md", 150), ("docs/explanation/architecture.md", 100)])
def test_these_pages_are_short(page, most):
    assert len(TEXTS[page].splitlines()) <= most


def test_every_page_begins_with_an_example():
    """Pages of documentation show their first example, picture or table within ten lines of the title."""
    late = []
    for name, text in TEXTS.items():
        if re.match(r"docs/(?!project|reference/api|index)", name):
            title = next(i for i, line in enumerate(text.splitlines()) if line.startswith("# "))
            beginning = text.splitlines()[title + 1 : title + 12]
            if not any(line.startswith(("```", "![", "|", "    ")) for line in beginning):
                late.append(name)
    assert late == []


def test_the_table_of_signature_keys():
    section = TEXTS["docs/reference/settings.md"].partition("\n## Signatures\n")[2].partition("\n### ")[0]
    listed = re.findall(r"^\| (\w+) \| (`.*) \|$", section, re.MULTILINE)
    found = {name: [*re.findall("`(\\w+)`", keys)] for name, keys in listed}
    common = found.pop("all")
    for metric in registry.METRICS.values():
        keys = [setting.key for setting in metric.settings().values() if setting.key]
        expected = found.pop(metric.display_name, [])
        assert {*keys} == {*expected} | {key for key in common if key in keys}, metric.name
        assert {*common} - {*keys} <= {"tok"}
    assert not found


def test_the_table_of_default_settings():
    text = TEXTS["docs/reference/settings.md"]
    names = re.findall(r"`(\w+)`", re.search(r"^\| metric \|((?: `\w+` \|)+)$", text, re.MULTILINE)[1])
    listed = table_rows(text, r"\| metric \| `")
    for metric in registry.METRICS.values():
        cells = dict(zip(names, listed.pop(metric.display_name), strict=True))
        defaults = {name: str(metric.settings()[name].default) for name in names if name in metric.settings()}
        assert {name: cell.strip("`") for name, cell in cells.items() if cell} == defaults, metric.name
    assert not listed


METRIC_HEADINGS = ["Definition", "Settings", "Presets", "Tokenization", "Empty inputs", "More functions"]
METRIC_HEADINGS += ["Rows", "Signatures", "Worked steps", "Cost"]
# Sections that a metric's page leaves out if it has nothing to say there.
OPTIONAL_HEADINGS = {"More functions", "Signatures"}


@pytest.mark.parametrize("name", METRIC_PAGES)
def test_pages_of_metrics_are_complete(name):
    """Check for the headings, the formula, worked steps and every setting."""
    text = TEXTS[METRIC_PAGES[name]]
    assert name in STEPS or name in SHARED_PAGES
    assert "```math\n" in text
    fields = dataclasses.fields(refscore.metrics.METRICS[name])
    assert [field.name for field in fields if field.init and f"`{field.name}`" not in text] == []
    without_code = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^## (.*)$", without_code, re.MULTILINE)
    assert headings == [heading for heading in METRIC_HEADINGS if heading in headings]
    assert {*METRIC_HEADINGS} - {*headings} <= OPTIONAL_HEADINGS


@pytest.mark.parametrize("name", METRIC_PAGES)
def test_tables_of_presets(name):
    """Each row has the version of the tool, and the settings: `name=value`, or those of another preset and changes."""
    presets = refscore.metrics.METRICS[name].presets
    defaults = {key: setting.default for key, setting in refscore.metrics.METRICS[name].settings().items()}
    rows = re.findall(
        r"^\| `(\S+)` \| (.*) \| (.*) \|$", TEXTS[METRIC_PAGES[name]].partition("\n## Presets\n")[2], re.M
    )
    listed = {preset: (tool, settings) for preset, tool, settings in rows if preset in presets}
    assert listed.keys() == presets.keys()
    for preset, (tool, settings) in listed.items():
        assert presets[preset].version in tool or tool.startswith("the same")
        start = re.match(r"those of `(\S+)`, with ", settings)
        written = dict(presets[start.group(1)]) if start else {}
        for setting, value in re.findall(r"`(\w+)=([^`]*)`", settings):
            written[setting] = ast.literal_eval(value)
        assert written == {key: value for key, value in presets[preset].items() if value != defaults[key]}, preset


def test_the_tables_of_tokenizers():
    text = TEXTS["docs/reference/tokenizers.md"]

    def rows_by_name(heading):
        rows = table_rows(text.partition(f"\n## {heading}\n")[2], r"\| ")
        return {name: cells for names, cells in rows.items() for name in re.findall("`([^`]*)`", names)}

    rows = rows_by_name("Built-in tokenizers")
    assert rows.keys() == BUILTIN.keys()
    for name, (*_, defaults) in rows.items():
        assert {word.strip() for word in defaults.split(",") if word.strip()} == {
            metric.display_name
            for metric in registry.METRICS.values()
            if "tokenizer" in metric.settings() and metric.settings()["tokenizer"].default == name
        }
    rows = rows_by_name("Tokenizers of other packages")
    extras = {name: offer.extra for name, offer in OFFERS.items()} | {form: extra for form, (_, extra) in FORMS.items()}
    assert rows.keys() == extras.keys()
    for name, extra in extras.items():
        assert f"`refscore[{extra}]`" in rows[name][1]


def test_the_table_of_normalizers():
    rows = table_rows(TEXTS["docs/reference/normalizers.md"].partition("\n## Built-in normalizers\n")[2], r"\| ")
    assert [*rows] == [f"`{name}`" for name in NORMALIZERS]


def test_times_of_untrusted_text_are_those_of_the_table():
    """At most 3 ms for 1,000 tokens; for 100,000, below 0.15 s but for WER (0.2 s), TER (0.9 s) and EED (19 s)."""
    rows = table_rows(TEXTS["docs/reference/limits.md"], r"\| metric \| 100 tokens")
    units = {"µs": 1e-6, "ms": 1e-3, "s": 1.0}
    times = {
        metric: [float(cell.split()[0]) * units[cell.split()[1]] for cell in cells[:4]]
        for metric, cells in rows.items()
        if metric != "CharacTER"
    }
    assert rows["CharacTER"][1] == "> 1 s"
    assert max(columns[1] for columns in times.values()) <= 3e-3
    slow = {metric: round(columns[3], 1) for metric, columns in times.items() if columns[3] >= 0.15}
    assert slow == {"EED": 18.9, "TER": 0.9, "WER, CER": 0.2}


def test_every_page_is_in_the_contents():
    listed = set()
    for name, text in TEXTS.items():
        entries = [line for block in fences(text, r"\{toctree\}") for line in block.splitlines()]
        pages = [re.sub(r".* <(.*)>", r"\1", line) for line in entries if line and not line.startswith(":")]
        listed |= {(ROOT / name).parent.joinpath(page).relative_to(DOCS).as_posix() for page in pages}
    assert listed == {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")} - {"index"}


def test_links_lead_somewhere():
    for page, text in TEXTS.items():
        without_code = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", without_code):
            if not link.startswith(("https://", "http://")):
                assert (ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


def test_the_reference_has_every_public_name():
    text = "".join(text for name, text in TEXTS.items() if name.startswith("docs/reference/api/"))
    documented = set(re.findall(r"^\.\. (?:auto\w+|py:data):: refscore\.([\w.]+)$", text, re.MULTILINE))
    short = {name.rpartition(".")[2] for name in documented}
    assert set(refscore.__all__) <= short
    packages = "comparison conventions evaluation mbr metrics readers report rewards significance steps tables"
    for package in [*packages.split(), "settings", "tokenizers"]:
        module = importlib.import_module(f"refscore.{package}")
        for name in module.__all__:
            assert f"{package}.{name}" in documented or name in documented, f"refscore.{package}.{name}"


def test_documented_modules_are_attributes_after_import_refscore():
    """Each module is looked up in a process of its own, because the import of one module can import others."""
    text = "".join(text for name, text in TEXTS.items() if name.startswith("docs/reference/api/"))
    names = re.findall(r"^\.\. (?:auto\w+|py:data):: refscore\.([\w.]+)$", text, re.MULTILINE)
    one_per_module = {name.rpartition(".")[0]: name for name in names}
    program = """if True:
        import os, sys, operator, refscore
        print(*sorted(name for name in sys.modules if name.startswith("refscore.")), flush=True)
        for name in sys.argv[1:]:
            if not os.fork():
                try:
                    operator.attrgetter(name)(refscore)
                except refscore.errors.NotInstalledError:
                    pass
                except AttributeError as error:
                    print(error, flush=True)
                os._exit(0)
            os.wait()
    """
    light = "refscore._interpreter refscore._version refscore.lazy_names"
    assert printed_by("-c", program, *one_per_module.values()).split("\n") == [light, ""]


# Dotted names in the text, except names of schemas, of a file and of metadata (stats), and a former name in the
# changelog (differences).
NAMES = {name for text in TEXTS.values() for name in re.findall(r"(?<![\w./-])refscore(?:\.[A-Za-z_]\w*)+", text)}
NAMES -= {"refscore.differences", "refscore.explain", "refscore.fish", "refscore.score", "refscore.stats"}


def test_names_in_the_text_exist():
    for name in sorted(NAMES):
        module, rest = refscore, name.split(".")[1:]
        with contextlib.suppress(refscore.errors.NotInstalledError):
            for i, part in enumerate(rest):
                if not hasattr(module, part) and hasattr(module, "__path__"):
                    importlib.import_module(".".join(["refscore", *rest[: i + 1]]))
                assert hasattr(module, part), name
                module = getattr(module, part)


def test_the_line_of_mbr(monkeypatch, capsys):
    """The page omits earlier fields and shows fewer digits."""
    (block,) = fences(TEXTS["docs/howto/decode-with-mbr.md"], "json")
    monkeypatch.chdir(ROOT)
    status_of(["mbr", "examples/candidates.jsonl", "--field", "samples.text"])
    found = json.loads(capsys.readouterr().out.splitlines()[0])["mbr"]
    found["expected"] = [round(value, 4) for value in found["expected"]]
    assert json.loads(block) == {"mbr": found}


def test_the_page_of_records_lists_every_field():
    """The fields of the header, those of its metrics and arrays, and the names of the arrays."""
    nist = refscore.NIST.fit(["a cat"])
    evaluation = refscore.Evaluation(nist, retain=2)
    evaluation.add(["a cat", "a dog"], ["a cat", "the dog"])
    data = evaluation.to_bytes()
    header = json.loads(zlib.decompress(data[16:-32])[: int.from_bytes(data[12:16], "little")])
    text = TEXTS["docs/reference/records.md"]
    fields, arrays = (text.partition(f"\n### {heading}\n")[2].partition("\n#")[0] for heading in ("Header", "Arrays"))
    assert {*re.findall(r"^\| `(\w+)` \|", fields, re.MULTILINE)} == header.keys()
    for entry in (header["metrics"][0], header["arrays"][0]):
        assert [key for key in entry if f"`{key}`" not in fields] == []
    named = {array["name"].replace("nist", "LABEL").replace("/0/", "/RUN/") for array in header["arrays"]}
    assert {*re.findall(r"^\| `([\w/]+)` \|", arrays, re.MULTILINE)} == named
