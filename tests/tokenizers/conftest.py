"""Fixtures of the tests of tokenizers."""

import pytest

from refscore.tokenizers import external, models


@pytest.fixture
def nothing_loaded(monkeypatch):
    """Empty the caches of tokenizers, and restore them afterwards."""
    monkeypatch.setattr(external, "_loaded", {})
    monkeypatch.setattr(models, "_loaded", {})
    monkeypatch.setattr(models, "_paths", {})
