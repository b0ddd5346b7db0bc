"""sacrebleu's command line by the drop-in and by sacrebleu: same output and exit status."""

import gzip
import signal
import subprocess
import sys
import textwrap

import pytest
import sacrebleu
from sacrebleu.dataset import DATASETS

from refscore.compat import sacrebleu as ours
from tests.compat.command_server import CommandServer

OURS, THEIRS = "refscore.compat.sacrebleu", "sacrebleu"

REFERENCE = ["The cat sat on the mat.", "It rained all day, and all night!", "Nobody came to the party.", "5.5 % of it"]
TEXTS = {
    "ref.txt": REFERENCE,
    "ref2.txt": ["A cat was on the mat.", "It rained day and night.", "No one came to the party.", "5.5% of it"],
    "old.txt": ["A cat sits on a mat.", "It rains all day and night.", "No one came to a party.", "5.5 % of"],
    "new.txt": ["The cat sat on a mat.", "It rained all day and all night!", "Nobody came.", "5.5 % of it"],
    "third_system.txt": ["cat mat", "rain", "Nobody came to the party.", "5.5 % of it   "],
    "1.50": ["The cat", "It rained all day, and all night!", "party", "%"],
    "same.txt": REFERENCE,
}
SYSTEMS = ["-i", "old.txt", "new.txt", "third_system.txt", "same.txt"]
ALL = ["-m", "bleu", "chrf", "ter"]

# Arguments after the reference, in one line.
ONE = """
-i old.txt
-i old.txt -b
-i old.txt -b -w 4 ALL
-i new.txt -f text -w 3 --chrf-word-order 2 ALL
-i new.txt -f text -m chrf -cc 4 --chrf-beta 3 --chrf-whitespace
-i new.txt -f text -m chrf --chrf-lowercase --chrf-eps-smoothing
-i new.txt -f text -m ter --ter-case-sensitive --ter-no-punct
-i new.txt -f text -m ter --ter-normalized --ter-asian-support
-i new.txt -f text -tok intl -lc -s floor -sv 0.2
-i new.txt -f text -tok none -s add-k --force
-i new.txt -l en-zh -q
-i new.txt -sl
-i new.txt -sl -b -m ter -w 2
-i new.txt -sl -sh -m chrf
-i third_system.txt -ci -cin 50 ALL
-i third_system.txt -ci -f text -sh ALL
SYSTEMS
SYSTEMS -f text ALL
SYSTEMS -f latex -w 2 ALL
-i 1.50 new.txt -f text -w 0 ALL
SYSTEMS -f text --paired-bs -pbsn 200 ALL
SYSTEMS -f latex --paired-bs -pbsn 200 ALL
SYSTEMS old.txt -f text --paired-bs -sh -pbsn 200
SYSTEMS -f latex --paired-ar -parn 300
"""
CASES = [f"ref.txt {arguments}" for arguments in ONE.strip().splitlines()]
CASES += ["ref.txt ref2.txt -i new.txt ALL", "ref.txt ref2.txt -i new.txt -f text -sh ALL"]
CASES += ["ref.txt ref2.txt SYSTEMS -f text --paired-ar -parn 300 ALL", "refs.tsv -nr 2 -i new.txt"]
CASES += ["ref.txt.gz -i new.txt.gz -f text", "latin.txt -e latin-1 -i latin.txt -f text", "--version"]
FROM_INPUT = [  # and the numbers of systems
    (["ref.txt"], [1, 2]),
    (["ref.txt", "-f", "text", *ALL], [1, 2]),
    (["ref.txt", "ref2.txt", "-f", "text", "--paired-bs", "-pbsn", "100"], [2]),
]
WRONG = {
    1: """
ref.txt ref2.txt -nr 2 -i new.txt
-i new.txt
ref.txt -i new.txt -sl ALL
ref.txt -i new.txt old.txt -sl
ref.txt -i new.txt -sl -ci
ref.txt -i new.txt --paired-bs
ref.txt -i new.txt old.txt -ci
ref.txt -i new.txt new.txt
ref.txt -i short.txt
ref.txt -t wmt19 -i new.txt
-t wmt1066 -l de-en -i new.txt
-t wmt19 -i new.txt
-t wmt19 -l de-xx -i new.txt
--cite
missing.txt -i new.txt
ref.txt -i .
ref.txt -i latin.txt
ref.txt -i new.txt -e utf-80
""",
    2: """
ref.txt -m meteor
ref.txt -f xml
ref.txt --paired-bs --paired-ar
""",
    17: "refs.tsv -nr 3 -i new.txt",
}


def split(arguments):
    """Return the words, with abbreviations written out."""
    return arguments.replace("ALL", " ".join(ALL)).replace("SYSTEMS", " ".join(SYSTEMS)).split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts")
    for name, lines in TEXTS.items():
        (path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for name in ("ref.txt", "new.txt"):
        with gzip.open(path / f"{name}.gz", "wt", encoding="utf-8") as file:
            file.write((path / name).read_text(encoding="utf-8"))
    pairs = zip(TEXTS["ref.txt"], TEXTS["ref2.txt"], strict=True)
    (path / "refs.tsv").write_text("".join(f"{one}\t{two}\n" for one, two in pairs), encoding="utf-8")
    (path / "latin.txt").write_bytes("Fünf Äpfel für den Bären\n".encode("latin-1") * 3)
    (path / "short.txt").write_text("one\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def both(folder):
    """Run a command by the drop-in and by sacrebleu; return statuses, outputs and messages."""
    with CommandServer(OURS, folder) as ours, CommandServer(THEIRS, folder) as theirs:
        yield lambda *given, **environment: [library.run(*given, **environment) for library in (ours, theirs)]


@pytest.mark.parametrize("arguments", CASES)
def test_same_output(arguments, both):
    ours, theirs = both(split(arguments))
    assert theirs[0] == 0
    assert ours[:2] == theirs[:2]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["ref.txt", *SYSTEMS, "-f", "text", *ALL], ["-i", "new.txt"]], ids=" ".join)
@pytest.mark.parametrize("module", [OURS, THEIRS])
def test_a_new_process_prints_what_a_fork_prints(arguments, module, folder):
    with CommandServer(module, folder) as server:
        assert server.run(arguments) == server.run_alone(arguments)


@pytest.mark.parametrize(("arguments", "widths"), FROM_INPUT, ids=str)
def test_systems_from_standard_input(arguments, widths, both):
    for width in widths:
        systems = (TEXTS["old.txt"], TEXTS["new.txt"])[:width]
        ours, theirs = both(arguments, "".join("\t".join(row) + "\n" for row in zip(*systems, strict=True)))
        assert ours[:2] == theirs[:2] == (0, theirs[1])
    assert [status for status, *_ in both(arguments, "a\tb\nc\n")] == [17, 17]


@pytest.mark.parametrize(
    ("status", "arguments"), [(status, case) for status, cases in WRONG.items() for case in cases.strip().splitlines()]
)
def test_mistakes(status, arguments, both):
    ours, theirs = both(split(arguments))
    assert ours[:2] == (status, "")
    assert theirs[0] == status
    assert ours[2] and "Traceback" not in ours[2]


@pytest.mark.parametrize(
    "environment",
    [{"SACREBLEU_FORMAT": "text"}, {"SACREBLEU_FORMAT": "yaml"}, {"SACREBLEU_SEED": "7", "SACREBLEU_FORMAT": "TEXT"}],
    ids=str,
)
def test_the_environment(environment, both):
    ours, theirs = both(["ref.txt", "-i", "old.txt", "-ci", "-cin", "50"], **environment)
    assert ours[:2] == theirs[:2] == (0, theirs[1])


@pytest.mark.parametrize("arguments", [[], ["-t", "wmt17"], ["-l", "en-fr"], ["-t", "wmt19", "-l", "de-en"]], ids=str)
def test_test_sets_are_the_installed_packages(arguments, both):
    ours, theirs = both(["--list", *arguments])
    assert ours[1]
    assert ours[:2] == theirs[:2]


def test_a_test_set_that_is_there(folder, tmp_path):
    """Score without a download: the files are already in sacrebleu's folder."""
    dataset = DATASETS["wmt17"]
    raw = tmp_path / "wmt17" / "raw" / dataset.langpairs["en-de"][0]
    raw.parent.mkdir(parents=True)
    documents = [("en", "one", 3), ("de", "two", 1)]
    raw.write_text(
        "".join(
            f'<doc sysid="ref" docid="{name}" genre="news" origlang="{language}">\n'
            + '<seg id="1">text</seg>\n' * count
            for language, name, count in documents
        ),
        encoding="utf-8",
    )
    for field in dataset.fieldnames("en-de"):
        lines = TEXTS["old.txt" if field == "src" else "ref.txt"]
        path = tmp_path / "wmt17" / f"wmt17.en-de.{field}"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    cases = [
        ["-i", "new.txt"],
        ["-i", "new.txt", "--origlang", "en", "-f", "text"],
        ["-i", "new.txt", "old.txt", "--origlang", "non-en", "-f", "text"],
        ["-i", "new.txt", "-d", "-m", "bleu", "ter"],
        ["--echo", "src", "ref"],
    ]
    results = []
    for module in (OURS, THEIRS):
        with CommandServer(module, folder, SACREBLEU=str(tmp_path)) as server:  # sacrebleu reads it when imported
            results.append([server.run(["-t", "wmt17", "-l", "en-de", *case])[:2] for case in cases])
    assert results[0] == results[1]
    assert [status for status, _ in results[1]] == [0] * len(cases)


def run_program(folder, code, arguments):
    """Run code as a program with the arguments of the command; return its status, output and messages."""
    (folder / "program.py").write_text(textwrap.dedent(code), encoding="utf-8")
    command = [sys.executable, "program.py", *arguments]
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return finished.returncode, finished.stdout, finished.stderr


def test_without_sacrebleu(folder):
    code = """
        import sys
        sys.modules["sacrebleu"] = None
        from refscore.compat.sacrebleu.__main__ import main
        main()
    """
    status, _, messages = run_program(folder, code, ["ref.txt", "-i", "new.txt"])
    assert status == 1
    assert "pip install 'refscore[testsets]'" in messages
    assert "Traceback" not in messages


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no SIGPIPE")
def test_a_closed_pipe_ends_the_command(folder):
    command = [sys.executable, "-m", OURS, "--list"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder)
    process.stdout.close()
    assert process.wait(300) == -signal.SIGPIPE
    assert not process.stderr.read()
    process.stderr.close()


@pytest.mark.parametrize(
    ("module", "names"),
    [("utils", ["download_test_set", "get_langpairs_for_testset", "get_source_file"]), ("dataset", ["DATASETS"])],
)
def test_names_of_test_sets_are_sacrebleus(module, names):
    for name in names:
        assert getattr(getattr(ours, module), name) is getattr(getattr(sacrebleu, module), name)
