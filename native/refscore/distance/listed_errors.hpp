// Error rates of some words only, such as names or rare words.
#pragma once

#include "refscore/distance/error_rate.hpp"
#include "refscore/segments/collection.hpp"

namespace refscore {

// Which words count: those of a list, or all others.
enum class CountedWords : uint8_t { Listed, Others };

// Aligns with the reference of count_errors() and counts the edits of some words. Hits, substitutions and deletions
// belong to the word of the reference, and insertions to the inserted word. The counts of both kinds of words add up to
// those of all words.
EditCounts count_listed_errors(const NumberedTexts& hypothesis, const NumberedReferences& references, bool alternatives,
                               const Lexicon& words, CountedWords counted, ErrorScratch& scratch);

}  // namespace refscore
