"""The workflow of the page, whose commands run in a repository as on the service."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import refscore
from refscore.gate import History
from tests.cli.running import write_lines
from tests.gate.test_story import DAY_1, DAY_2, DAY_3, REFERENCES

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "gate-changes.md"


def steps_of_the_page():
    yaml = pytest.importorskip("yaml", reason="needs PyYAML: pip install pyyaml")
    text = PAGE.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    return yaml.safe_load(text)["jobs"]["gate"]["steps"]


def git(folder, *arguments):
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(os.name == "nt", reason="the service runs the steps in bash")
def test_three_nights(tmp_path):
    bin_folder, remote, folder = (tmp_path / name for name in ("bin", "remote", "work"))
    bin_folder.mkdir()
    for name, line in {"refscore": f'exec "{sys.executable}" -m refscore "$@"', "pip": "exit 0"}.items():
        (bin_folder / name).write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
        (bin_folder / name).chmod(0o755)
    git(tmp_path, "init", "-q", "--bare", "-b", "main", remote)
    git(tmp_path, "clone", "-q", remote, folder)
    write_lines(folder, **{"ref.txt": REFERENCES, "source.txt": DAY_1})
    (folder / "translate.sh").write_text("#!/bin/sh\nexec cat\n", encoding="utf-8")
    (folder / "translate.sh").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(Path(refscore.__file__).parents[1]), *sys.path]),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
    }

    def run_night(outputs):
        """Return the output of the steps, which are skipped after a failure unless they always run."""
        write_lines(folder, **{"source.txt": outputs})
        printed, failed = "", False
        for step in steps_of_the_page():
            if "run" in step and (not failed or step.get("if") == "always()"):
                done = subprocess.run(
                    ["bash", "-eo", "pipefail", "-c", step["run"]],
                    check=False,
                    cwd=folder,
                    env=environment,
                    capture_output=True,
                    text=True,
                    encoding="utf-8",
                )
                printed, failed = printed + done.stdout, failed or done.returncode != 0
                assert done.returncode == 0 or "refscore gate" in step["run"], done.stderr
        return printed, failed

    git(folder, "checkout", "-q", "-b", "main")
    git(folder, "config", "push.default", "current")
    nights = [run_night(each) for each in (DAY_1, DAY_3, DAY_2)]
    assert [failed for _, failed in nights] == [False, True, False]
    assert "::error title=refscore%3A significantly worse::" in nights[1][0]
    assert (folder / "history.html").stat().st_size > 1000
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert summary.count("**Passed.**") == 2 and summary.count("**Failed: ") == 1
    assert [run.passed for run in History.read(folder / "runs.jsonl").runs] == [True, False, True]
    # Every run is in the repository, and the baseline is that of the last night that passed.
    assert git(remote, "log", "--format=%s", "main").splitlines() == ["Add a run of the gate"] * 3
    assert [len(git(remote, "show", f"main~{k}:runs.jsonl").splitlines()) for k in (2, 1, 0)] == [1, 2, 3]
    blobs = [git(remote, "rev-parse", f"main~{k}:main.refscore") for k in (2, 1, 0)]
    assert blobs[0] == blobs[1] != blobs[2]
