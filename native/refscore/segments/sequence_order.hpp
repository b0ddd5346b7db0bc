// The lexicographic order of sequences, for sorting and for maps.
#pragma once

#include <algorithm>

namespace refscore {

// Not std::less: on big-endian processors, libstdc++ 12 compares only the first bytes of two vectors of unsigned
// integers.
struct SequenceOrder {
    template <class Sequence>
    bool operator()(const Sequence& one, const Sequence& other) const {
        return std::lexicographical_compare(one.begin(), one.end(), other.begin(), other.end());
    }
};

}  // namespace refscore
