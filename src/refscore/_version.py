"""The version and its date; the build and the citation read them from here."""

__version__ = "0.1.0"
RELEASED = "2026-11-18"
