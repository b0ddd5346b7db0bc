// Counts the n-grams that two sequences share, for all orders at once. Positions in the reference are bits: an n-gram
// occurs where its prefix, shifted by one, and its last unit both occur. The lanes of a register are the orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refscore {

struct PlaceMatches {
    static constexpr size_t kOrders = 8;
    static constexpr size_t kPlaces = 64;  // bits of a machine word: one position each

    // matches[n - 1] = sum over distinct n-grams of the smaller of their two counts. A row of `places` has the
    // positions of one unit, in `words` machine words; `units` are the rows of the hypothesis.
    void (*count)(const uint32_t* units, size_t size, const uint64_t* places, size_t words, int64_t* matches) = nullptr;
    // The most machine words. Sorting is faster for longer references.
    size_t most_words = 0;

    static size_t words(size_t reference) { return (reference + kPlaces - 1) / kPlaces; }
    bool takes(size_t reference, size_t max_order) const {
        return max_order <= kOrders && words(reference) <= most_words;
    }
};

// The versions that this processor can run, fastest first. There is no generic one: without vectors, sorting is faster.
std::vector<PlaceMatches> usable_place_matches();

// The fastest one; it takes no reference if there is none.
extern const PlaceMatches kPlaceMatches;

PlaceMatches place_matches_avx2();
PlaceMatches place_matches_avx512();

}  // namespace refscore
