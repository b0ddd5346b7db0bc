"""Stop the import of refscore in a subinterpreter, before it loads anything."""

from __future__ import annotations


def is_main() -> bool:
    """Return whether this is the main interpreter of the process, not a subinterpreter."""
    import _thread

    known = getattr(_thread, "_is_main_interpreter", None)  # since Python 3.13
    if known is not None:
        return bool(known())
    try:
        interpreters = __import__("_xxsubinterpreters")
    except ImportError:  # a Python without subinterpreters
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


if not is_main():
    raise ImportError(
        "refscore cannot be imported in a subinterpreter, since its native module and NumPy need the main interpreter: "
        "use threads, which run in parallel while refscore scores, or processes"
    )
