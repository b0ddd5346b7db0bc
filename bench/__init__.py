"""Benchmarks of refscore and other tools side by side: run ``python -m bench`` in the root of the repository."""
