// Extended grapheme clusters, Unicode Standard Annex 29: what a reader takes for one character.
#pragma once

#include <cstdint>

namespace refscore {

// What of the clusters before one matters for it: consonants of Indic scripts conjoin even across a break.
struct Conjoining {
    bool after_consonant = false;  // a consonant and any linkers and extenders end here
    bool joins_consonant = false;  // … with a linker among them
};

// Where the cluster ends that begins at `begin`, which is before `end`; (generalized) UTF-8. To be called for one cluster of a text
// after the other, with the same `conjoining`.
const uint8_t* end_of_cluster(const uint8_t* begin, const uint8_t* end, Conjoining& conjoining);

}  // namespace refscore
