/* How the search ranks results: pages before the names of the API, the changelog last.
   Sphinx copies this file into its search script, which declares the same variable: `const` would be an error. */
var Scorer = {
  score: ([page, , , , score, , kind]) => {
    if (page === "project/changelog") return score - 20;
    if (kind === "object") return score;
    return score + (/^(tutorial|howto|explanation|glossary|reference\/(?!api|schemas))/.test(page) ? 8 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 2,
  objPrio: { 0: 4, 1: 2, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

/* Excerpts are fetched from the pages, which browsers forbid for files that are opened from a disk. */
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
