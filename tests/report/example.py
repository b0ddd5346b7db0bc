"""The example data of the package."""

from refscore.cli.demo import FOLDER


def lines(name):
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


SYSTEMS = {name: lines(f"{name}.txt") for name in ("alder", "birch", "clover")}
REFERENCES = [list(entry) for entry in zip(lines("reference.a.txt"), lines("reference.b.txt"), strict=True)]
