"""Print how many annotations the documented signatures have, and which have Any: python -m tests.typing.public_types.

An entry is a parameter or a result of a documented function, method or property, or a field of a documented class.
Overloads and stubs count instead of the function that implements them.
"""

import ast
import importlib
import inspect
import re
import sys
import typing
from functools import cached_property
from pathlib import Path

import refscore

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference" / "api"
STUBS = (ROOT / "src" / "refscore").rglob("*.pyi")
SPECIAL = ("__init__", "__call__", "__getitem__", "__iter__")


def documented():
    """Yield the objects on the API pages. Modules of packages that are not installed are left out."""
    for page in sorted(PAGES.glob("*.md")):
        module = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            found = re.match(r"\.\. (currentmodule|py:currentmodule|auto\w+)::\s+([\w.]+)", line)
            if found and found[1].endswith("currentmodule"):
                module = found[2]
            elif found:
                yield from filter(None, [resolve(found[2], module)])


def resolve(name, module):
    for path in (name, f"{module}.{name}") if module else (name,):
        parts = path.split(".")
        for end in range(len(parts), 0, -1):
            try:
                value = importlib.import_module(".".join(parts[:end]))
                for part in parts[end:]:
                    value = getattr(value, part)
            except (ImportError, AttributeError):
                continue
            return value
    return None


def entries():
    """Return the annotations as text, by object and name."""
    found = {}
    stubs = stub_functions()

    def add_function(where, function):
        function = inspect.unwrap(function)
        if function.__name__ in stubs and function.__module__.startswith("refscore.metrics"):
            found.update({(where, name): text for name, text in stubs[function.__name__].items()})
            return
        for number, each in enumerate(overloads(function) or [function]):
            for name, annotation in each.__annotations__.items():
                found[where if number == 0 else f"{where} ({number})", name] = shown(annotation)

    def add_class(kind):
        for base in kind.__mro__:
            where = f"{base.__module__}.{base.__qualname__}"
            if not base.__module__.startswith("refscore"):
                continue
            for name, annotation in vars(base).get("__annotations__", {}).items():
                if not name.startswith("_"):
                    found[where, name] = shown(annotation)
            is_dataclass = "__dataclass_fields__" in vars(base)
            for name, value in vars(base).items():
                if name.startswith("_") and (name not in SPECIAL or (is_dataclass and name == "__init__")):
                    continue  # the fields of a dataclass are its parameters
                function = unwrapped(value)
                if inspect.isfunction(function):
                    add_function(f"{where}.{name}", function)

    for each in documented():
        members = vars(each).values() if inspect.ismodule(each) else [each]
        for member in members:
            if not str(getattr(member, "__module__", "")).startswith("refscore"):
                continue
            if inspect.isclass(member):
                add_class(member)
            elif inspect.isfunction(member) and not member.__name__.startswith("_"):
                add_function(f"{member.__module__}.{member.__qualname__}", member)
    return found


def overloads(function):
    """Return the overloads of a function. Python 3.10 does not know them."""
    return typing.get_overloads(function) if sys.version_info >= (3, 11) else []


def unwrapped(value):
    if isinstance(value, property):
        return value.fget
    if isinstance(value, cached_property):
        return value.func
    return getattr(value, "__func__", value)


def shown(annotation):
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def stub_functions():
    """Return the annotations of the functions in stubs, such as `refscore.bleu`, by name."""
    functions = {}
    for file in STUBS:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                texts = {each.arg: ast.unparse(each.annotation) for each in arguments if each.annotation is not None}
                functions[node.name] = {**texts, "return": ast.unparse(node.returns)}
    return functions


def main():
    found = entries()
    with_any = {place: text for place, text in found.items() if re.search(r"\bAny\b", text)}
    for (where, name), text in sorted(with_any.items()):
        print(f"{where}  {name}: {text}")
    print(f"refscore {refscore.__version__}: {len(with_any)} of {len(found)} entries contain Any")


if __name__ == "__main__":
    sys.exit(main())
