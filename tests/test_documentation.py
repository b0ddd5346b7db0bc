"""The examples in the README and in all pages are true, and the pages have what they should."""

import dataclasses
import doctest
import importlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import refscore
from refscore.cli import main
from refscore.cli.demo import FOLDER
from refscore.cli.main import commands
from refscore.metrics.core import registry as metric_registry
from refscore.tokenizers import registry
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
METRIC_PAGES = {
    name: f"docs/reference/metrics/{'wer' if name == 'cer' else name}.md" for name in refscore.metrics.METRICS
}


def fences(text, language):
    """The blocks of code in a language, each without its fence."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def _registry_as_before(monkeypatch):
    """The examples register tokenizers and metrics."""
    for module in (registry, metric_registry):
        monkeypatch.setattr(module, "_registered", dict(module._registered))


@pytest.mark.parametrize("page", [name for name, text in TEXTS.items() if ">>> " in text])
def test_examples(page):
    failed, attempted = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert attempted > 0
    assert failed == 0


def test_there_are_examples():
    assert sum(">>> " in text for text in TEXTS.values()) > 30


# Programs without output, which may need packages that are not installed. Those of engines are run in tests/engines.
PROGRAMS = [
    (name, block)
    for name, text in TEXTS.items()
    if name != "docs/howto/use-spark-and-ray.md"
    for block in fences(text, "py")
]


@pytest.mark.parametrize(("page", "program"), PROGRAMS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(PROGRAMS)])
def test_programs(page, program, tmp_path):
    for package in re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{page}: {package} is not installed")
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr


# What the commands print that blocks named `console` show: lines that begin with a dollar sign, and what follows.
CONSOLE = [
    (line, shown)
    for text in TEXTS.values()
    for block in fences(text, "console")
    for line, shown in re.findall(r"^\$ refscore ([^\n]*)\n(.*?)(?=^\$ refscore |\Z)", block, re.DOTALL | re.MULTILINE)
]


def printed(line, capsys):
    """What the command prints on both streams, and the part of it that `| head -n` leaves."""
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


def test_there_are_consoles():
    assert len(CONSOLE) > 12


# Commands without their output: in blocks of shell, and in the text.
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


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_are_understood(line):
    """Files may not be there; commands, options and their values have to."""
    name, *arguments = shlex.split(re.split(r" [|>]+ ", line)[0])
    command = commands.get_command(click.Context(commands), name)
    assert command is not None, line
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    for argument in arguments:
        if argument.startswith("-") and argument != "-":
            assert argument.partition("=")[0] in known, f"refscore {name} has no option {argument}"


def test_there_are_commands():
    assert len(COMMANDS) > 15


def shown(page, beginning):
    block = re.search(rf"```text\n({beginning}.*?)\n```", TEXTS[page], re.DOTALL)
    assert block is not None
    return block.group(1)


STEPS = {
    "bleu": lambda: refscore.BLEU(max_order=2).explain("the the cat", ["the cat sat", "a cat"]),
    "chrf": lambda: refscore.CHRF(char_order=3).explain("the cat", ["a cat sat", "the bat"]),
    "gleu": lambda: refscore.GLEU(max_order=2).explain("the the cat", ["a cat", "the cat sat"]),
    "meteor": lambda: refscore.METEOR().explain("the dogs were walking on the big hill", "the dog walked on a hill"),
    "nist": lambda: refscore.NIST.fit(["the cat sat on the mat"], max_order=2).explain(
        "the the cat", ["the cat sat", "a cat"]
    ),
    "ribes": lambda: refscore.RIBES().explain("the book was read by the boy", "the boy read the book"),
    "rouge": lambda: refscore.ROUGE().explain("the cat sat on a mat", "the cat is on the mat today"),
    "ter": lambda: refscore.TER().explain("the ferry leaves at seven", "at seven the ferry departs"),
    "wer": lambda: refscore.WER().explain("a cat sat down", "the cat sat"),
}


@pytest.mark.parametrize("name", STEPS)
def test_worked_steps(name):
    steps = str(STEPS[name]())
    assert shown(METRIC_PAGES[name], steps.partition("\n")[0]) == steps


def test_worked_steps_in_the_readme():
    assert shown("README.md", "BLEU, step by step") == str(STEPS["bleu"]())


@pytest.mark.parametrize("name", METRIC_PAGES)
def test_pages_of_metrics_are_complete(name):
    """The formula, worked steps, every setting and every preset."""
    text = TEXTS[METRIC_PAGES[name]]
    assert name in STEPS or name == "cer"
    assert "```math\n" in text
    metric = refscore.metrics.METRICS[name]
    missing = [field.name for field in dataclasses.fields(metric) if field.init and f"`{field.name}`" not in text]
    assert missing == []
    assert [preset for preset in metric.presets if not re.search(rf"[`\"]{re.escape(preset)}[`\"]", text)] == []


@pytest.mark.parametrize("name", METRIC_PAGES)
def test_signature_keys_are_explained(name):
    keys = [part.partition(":")[0] for part in refscore.metrics.METRICS[name]().signature.split("|")[1:]]
    assert [key for key in keys if f"`{key}`" not in TEXTS["docs/explanation/reproducibility.md"]] == []


def test_the_command_of_ribes(monkeypatch, capsys):
    line = re.search(r"^refscore (ribes .*)$", TEXTS["docs/reference/metrics/ribes.md"], re.MULTILINE)
    assert line is not None
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as end:
        main(line.group(1).split())
    assert not end.value.code
    assert capsys.readouterr().out == shown("docs/reference/metrics/ribes.md", r"\d\.\d{6} alpha=") + "\n"


def test_the_commands_of_conventions(monkeypatch, capsys):
    lines = re.findall(r"^refscore (conventions .*)$", TEXTS["docs/howto/find-the-settings.md"], re.MULTILINE)
    assert len(lines) == 2
    monkeypatch.chdir(ROOT)
    for line, beginning in zip(lines, ("BLEU of 8 segments", "Settings that give BLEU 62.9"), strict=True):
        with pytest.raises(SystemExit):
            main(line.split())
        assert capsys.readouterr().out == shown("docs/howto/find-the-settings.md", beginning) + "\n"


def test_readme_begins_with_its_two_commands():
    blocks = fences(TEXTS["README.md"], "sh")
    assert [len(block.strip().splitlines()) for block in blocks[:2]] == [1, 1]
    assert "refscore score examples/" in blocks[0]
    assert "pytest" in blocks[1]


def test_figures_of_the_readme_are_those_of_the_page():
    table = re.search(r"^\| task \| refscore, 1 thread.*?(?=\n\n)", TEXTS["README.md"], re.DOTALL | re.MULTILINE)
    assert table is not None
    assert table.group() in TEXTS["docs/explanation/performance.md"]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.group().splitlines()[2:]]
    figures = {task: (one, two, peers, ratio) for task, one, two, peers, ratio in rows}
    # "28 to 660 times as fast" is about scores of segments, by the package that each is compared with first.
    scores = [
        ratio for task, (*_, ratio) in figures.items() if re.match(r"corpus|BLEU of token|BLEU of arr|.*every", task)
    ]
    ratios = sorted(int(ratio.partition("×")[0]) for ratio in scores)
    assert f"{ratios[0]} to {ratios[-1]} times" in TEXTS["README.md"].replace("\n", " ")
    one, two, peer, ratio = figures["BLEU as a reward, 200 words"]
    for figure in (one, two, peer.split()[1], ratio):
        assert figure in TEXTS["docs/howto/train-with-rewards.md"]


def test_the_table_of_signature_keys():
    listed = re.findall(r"^\| (\w+) \| (`.*) \|$", TEXTS["docs/explanation/reproducibility.md"], re.MULTILINE)
    found = {name: [*re.findall("`(\\w+)`", keys)] for name, keys in listed}
    common = found.pop("all")
    for metric in metric_registry.METRICS.values():
        keys = [setting.key for setting in metric.settings().values() if setting.key]
        expected = found.pop(metric.display_name, [])
        assert {*keys} == {*expected} | {key for key in common if key in keys}, metric.name
        assert {*common} - {*keys} <= {"tok"}
    assert not found


def test_every_page_is_in_the_contents():
    entries = [line for block in fences(TEXTS["docs/index.md"], r"\{toctree\}") for line in block.splitlines()]
    listed = {re.sub(r".* <(.*)>", r"\1", line) for line in entries if line and not line.startswith(":")}
    assert listed == {page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md")} - {"index"}


@pytest.mark.parametrize("page", TEXTS)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", TEXTS[page], flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", re.sub(r"`[^`\n]*`", "", text)):
        if not link.startswith(("https://", "http://")):
            assert (ROOT / page).parent.joinpath(link).exists(), f"{page}: {link}"


def test_the_reference_has_every_public_name():
    text = "".join(text for name, text in TEXTS.items() if name.startswith("docs/reference/api/"))
    documented = set(re.findall(r"^\.\. (?:auto\w+|py:data):: refscore\.([\w.]+)$", text, re.MULTILINE))
    short = {name.rpartition(".")[2] for name in documented}
    assert set(refscore.__all__) - short == {"__version__"}
    packages = [
        "accumulation",
        "conventions",
        "mbr",
        "metrics",
        "readers",
        "report",
        "rewards",
        "significance",
        "steps",
    ]
    for package in [*packages, "tables", "tokenizers"]:
        module = importlib.import_module(f"refscore.{package}")
        for name in module.__all__:
            assert f"{package}.{name}" in documented or name in refscore.__all__, f"refscore.{package}.{name}"


# Dotted names in the text; the name of a schema and that of a file look like them.
NAMES = {name for text in TEXTS.values() for name in re.findall(r"(?<![\w.])refscore(?:\.[A-Za-z_]\w*)+", text)}
NAMES -= {"refscore.score", "refscore.fish", "refscore.differences"}  # the last: a former name, in the changelog


@pytest.mark.parametrize("name", sorted(NAMES))
def test_names_in_the_text_exist(name):
    module, rest = refscore, name.split(".")[1:]
    try:
        for i, part in enumerate(rest):
            if not hasattr(module, part) and hasattr(module, "__path__"):
                importlib.import_module(".".join(["refscore", *rest[: i + 1]]))
            module = getattr(module, part)
    except refscore.NotInstalledError as missing:
        pytest.skip(str(missing))


def test_the_line_of_mbr(monkeypatch, capsys):
    """Shown without the fields that were there before, and with fewer digits."""
    (block,) = fences(TEXTS["docs/howto/decode-with-mbr.md"], "json")
    monkeypatch.chdir(ROOT)
    status_of(["mbr", "examples/candidates.jsonl", "--field", "samples.text"])
    found = json.loads(capsys.readouterr().out.splitlines()[0])["mbr"]
    found["expected"] = [round(value, 4) for value in found["expected"]]
    assert json.loads(block) == {"mbr": found}


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {refscore.__version__}\n" in citation
    assert re.search(rf"^## {re.escape(refscore.__version__)}\b", TEXTS["CHANGELOG.md"], re.MULTILINE)
