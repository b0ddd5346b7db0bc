"""The doctests of the functions that all engines share."""

import doctest


def failed_examples(engine, frame):
    """Return the number of failed examples with an engine and a frame of it."""
    from refscore.engines.engine import Engine  # needs pyarrow

    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(Engine, globs={"engine": engine, "frame": frame}):
        runner.run(test)
    assert runner.tries > 4
    return runner.failures
