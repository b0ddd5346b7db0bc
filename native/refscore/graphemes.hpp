// Extended grapheme clusters, Unicode Standard Annex 29: what a reader takes for one character.
#pragma once

#include <cstdint>

namespace refscore {

// Where the cluster ends that begins at `begin`, which is before `end`; (generalized) UTF-8.
const uint8_t* end_of_cluster(const uint8_t* begin, const uint8_t* end);

}  // namespace refscore
