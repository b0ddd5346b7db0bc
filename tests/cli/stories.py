"""Pages that tell a story: run the commands of a page in order, and compare what they print with what it shows."""

import re
import shlex
import shutil
from pathlib import Path

from tests.cli.running import status_of

ROOT = Path(__file__).parents[2]
DATA = ROOT / "src" / "refscore" / "cli" / "example"


def tell(page, folder, capsys, monkeypatch):
    """Run the commands in `sh` blocks of a page in a copy of the example data.

    Yield each command with its exit status and output. The output must be the `text` block that follows it.
    """
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for lines, shown in re.findall(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, re.DOTALL | re.MULTILINE):
        printed = ""
        for line in lines.splitlines():
            name, *arguments = shlex.split(line)
            assert name == "refscore"
            capsys.readouterr()
            status = status_of(arguments)
            output = capsys.readouterr()
            printed += output.out + output.err
            yield line, status, output.out
        assert not shown or printed == shown, printed
