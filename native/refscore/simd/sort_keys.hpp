// Sorts 64-bit keys with vectors: a sorting network has no branches that a processor could mispredict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refscore {

// No key is larger.
constexpr uint64_t kLastKey = ~uint64_t{0} >> 1;

// Sizes are multiples of kKeyBlock. Callers fill up with kLastKey.
struct KeySorter {
    void (*sort)(uint64_t* keys, size_t size);
    // Sorts keys of which the first `middle` are sorted, and the others, too.
    void (*merge)(uint64_t* keys, size_t middle, size_t size);
    // Up to this size, sorting is faster than a radix sort of chrF's n-grams; longer sequences need more passes.
    size_t most = 0;
};

constexpr size_t kKeyBlock = 64;

inline size_t padded_keys(size_t size) { return (size + kKeyBlock - 1) / kKeyBlock * kKeyBlock; }

// The versions that this processor can run. There is none for AVX2, and no generic one: a radix sort of the caller is
// faster, and AVX2 counts short sequences by their places (place_matches.hpp).
std::vector<KeySorter> usable_key_sorters();

// The fastest one; null functions if there is none.
extern const KeySorter kKeySorter;

KeySorter key_sorter_avx512();

}  // namespace refscore
