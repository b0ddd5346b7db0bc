"""Regenerate the types of corpus functions such as `refscore.bleu` in the stub of refscore: python docs/stubs.py.

Type checkers cannot derive keyword-only parameters from a class.
"""

import re
import sys
from pathlib import Path

import refscore
from refscore.metrics import METRICS, Metric

TARGET = Path(refscore.__file__).parent / "metrics" / "signatures.pyi"
HEAD = "# The type of each metric's function, written by docs/stubs.py."
MODULES = {
    "Literal": "typing",
    "TypeAlias": "typing",
    "Hypotheses": "refscore.inputs",
    "References": "refscore.inputs",
    "Sources": "refscore.inputs",
    "AnyNormalizer": "refscore.normalizers.base",
    "AnyTokenizer": "refscore.tokenizers.base",
    "Lowercase": "refscore.tokenizers.pipeline",
}


def function(kind: type[Metric]) -> str:
    """Return the definition of a metric's function."""
    annotations: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        annotations |= vars(base).get("__annotations__", {})
    parameters = [
        "hypotheses: Hypotheses",
        "references: References",
        "*",
        *(["sources: Sources"] if kind.needs_sources else []),
        "threads: int | None = ...",
        f"preset: _{kind.__name__}Preset | None = ...",
        *(f"{name}: {annotations[name]} = ..." for name in kind.settings()),
    ]
    lines = "".join(f"    {line},\n" for line in parameters)
    return f"def {kind.name}(\n{lines}) -> {kind.score_type.__name__}: ...".replace("'", '"')


def presets(kind: type[Metric]) -> str:
    """Return the type of the names of a metric's presets."""
    names = [f'"{name}"' for name in kind.presets]
    listed = names[0] if len(names) == 1 else "\n" + "".join(f"    {name},\n" for name in names)
    return f"_{kind.__name__}Preset: TypeAlias = Literal[{listed}]"


def stub() -> str:
    """Return the text of the stub."""
    # Metrics without references are not in refscore itself.
    kinds = [kind for kind in METRICS.values() if kind.__module__.startswith("refscore.") and kind.needs_references]
    aliases, functions = "\n".join(map(presets, kinds)), "\n".join(map(function, kinds))
    defined = {name: value for kind in kinds for name, value in vars(sys.modules[kind.__module__]).items()}
    imports: dict[str, set[str]] = {}
    for name in {*re.findall(r"\b[A-Z]\w+", re.sub('"[^"]*"', "", aliases + functions))} - {"None"}:
        module = MODULES.get(name) or defined[name].__module__
        imports.setdefault(module, set()).add(name)
    order = sorted(imports, key=lambda module: (module != "typing", module))
    lines = [f"from {module} import {', '.join(sorted(imports[module]))}" for module in order]
    typing, *ours = lines
    return "\n".join([HEAD, "", typing, "", *ours, "", aliases, "", functions, ""])


if __name__ == "__main__":
    TARGET.write_text(stub(), encoding="utf-8")
