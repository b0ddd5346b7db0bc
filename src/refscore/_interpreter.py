"""refscore works in the main interpreter of a process only, and says so before anything is loaded."""

from __future__ import annotations


def is_main() -> bool:
    """Whether this is the first interpreter of the process, and not a subinterpreter."""
    import _thread

    known = getattr(_thread, "_is_main_interpreter", None)  # since Python 3.13
    if known is not None:
        return bool(known())
    try:
        interpreters = __import__("_xxsubinterpreters")
    except ImportError:  # a Python that has none
        return True
    return bool(interpreters.get_current() == interpreters.get_main())


if not is_main():
    raise ImportError(
        "refscore cannot be imported in a subinterpreter, since its native module and NumPy are made for the main one: "
        "use threads, which run side by side while it scores, or processes"
    )
