// Extended grapheme clusters of Unicode Standard Annex 29: user-perceived characters.
#pragma once

#include <cstdint>

namespace refscore {

// State that a cluster inherits from earlier ones: Indic consonants can join across a break.
struct Conjoining {
    bool after_consonant = false;  // a consonant with any linkers and extenders precedes
    bool joins_consonant = false;  // … including at least one linker
};

// Returns the end of the cluster that begins at `begin` (before `end`), in generalized UTF-8. Call it for each cluster
// of a text in order, with the same `conjoining`.
const uint8_t* end_of_cluster(const uint8_t* begin, const uint8_t* end, Conjoining& conjoining);

}  // namespace refscore
