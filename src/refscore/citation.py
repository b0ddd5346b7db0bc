"""How to cite refscore. `CITATION.cff` has the same entry for tools that read a repository."""

from refscore._version import RELEASED, __version__

AUTHORS = "The refscore authors"
TITLE = "refscore: exact, fast, explained scores of generated text against references"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def bibtex() -> str:
    """Return a BibTeX entry for this version of refscore.

    Cite the papers of your metrics too: `refscore.BLEU.papers` lists them for BLEU.

    Example:
        >>> import refscore
        >>> print(refscore.citation.bibtex().splitlines()[0])
        @misc{refscore,
    """
    year, month, _ = RELEASED.split("-")
    name, colon, subtitle = TITLE.partition(":")
    # @misc, not @software: styles of plain BibTeX do not know the latter, and print no `version`.
    # The inner braces keep the case of the name, and keep the authors from being read as given name and surname.
    fields = {
        "title": f"{{{{{name}}}{colon}{subtitle}}}",
        "author": f"{{{{{AUTHORS}}}}}",
        "year": f"{{{year}}}",
        "month": MONTHS[int(month) - 1],
        "howpublished": f"{{Software, version {__version__}}}",
    }
    lines = (f"  {field} = {value},\n" for field, value in fields.items())
    return f"@misc{{refscore,\n{''.join(lines)}}}"
