"""refscore and its peers side by side: ``python -m bench`` from the root of the repository."""
