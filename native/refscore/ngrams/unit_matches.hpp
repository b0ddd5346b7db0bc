// Clipped n-gram matches of two sequences of frequently repeated units, such as characters.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/symbols.hpp"

namespace refscore {

// Counts matches of all orders at once; one instance per thread. The n-grams of the highest order are sorted, those of
// both sequences together. N-grams of every order that are equal are then neighbours, and one pass counts them. The
// n-gram counter for tokens is used instead if an n-gram does not fit into a machine word.
class UnitMatches {
  public:
    // matches[n - 1] = sum over distinct n-grams of the smaller of their two counts.
    void count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order,
               int64_t* matches);

  private:
    const uint32_t* sort(uint32_t* digits, size_t size, size_t kinds, size_t width, size_t max_order);

    SymbolMap symbol_map_;
    Buffer<uint32_t> symbols_;  // both sequences, each followed by symbols that the other one lacks
    Buffer<uint64_t> ngrams_;   // by position: the symbols from there on, the first one in the highest bits
    Buffer<uint32_t> pairs_;    // by position: two symbols
    Buffer<uint32_t> order_;    // positions, sorted by the last symbols compared
    Buffer<uint32_t> next_order_;
    Buffer<uint32_t> starts_;  // by digit
    Buffer<uint32_t> counters_;
    NgramCounter counter_;
};

}  // namespace refscore
