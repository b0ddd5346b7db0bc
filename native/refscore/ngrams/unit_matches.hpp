// Clipped n-gram matches of two sequences of frequently repeated units, such as characters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/symbols.hpp"

namespace refscore {

// A reference that is read once for many hypotheses. Empty if it must be read again for each of them.
struct IndexedUnits {
    std::span<const uint32_t> symbols;  // the distinct units, in the order of their numbers from 1
    std::span<const uint64_t> table;    // their places in a short reference, else its sorted keys, see UnitMatches
};

// Counts matches of all orders at once; one instance per thread. The positions of a short reference are bits, see
// place_matches.hpp. For a longer one, the n-grams of the highest order are sorted, those of both sequences together.
// N-grams of every order that are equal are then neighbours, and one pass counts them. The n-gram counter for tokens is
// used instead if an n-gram does not fit into a machine word.
//
// The key of a position has the symbols from there on, the first one in the highest bits, and in the lowest bit 1 for
// the hypothesis.
class UnitMatches {
  public:
    // matches[n - 1] = sum over distinct n-grams of the smaller of their two counts.
    void count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order,
               int64_t* matches, const IndexedUnits& indexed = {});
    // Appends the parts of IndexedUnits, or nothing if this processor would not be faster.
    void index_reference(std::span<const uint32_t> reference, std::vector<uint32_t>& symbols,
                         std::vector<uint64_t>& table);

  private:
    void number_reference(std::span<const uint32_t> reference);
    void number_hypothesis(std::span<const uint32_t> hypothesis, uint32_t unknown);
    const uint64_t* find_places(size_t reference);
    bool fits(size_t max_order) const;
    void write_keys(const uint32_t* symbols, size_t size, uint32_t padding, uint64_t side, uint64_t* keys) const;
    void sort_both(size_t hypothesis, size_t reference);
    const uint32_t* sort_by_digits(size_t hypothesis, size_t reference, size_t max_order);
    const uint32_t* sort_digits(uint32_t* digits, size_t size, size_t kinds, size_t width, size_t max_order);

    SymbolMap symbol_map_;
    uint32_t unknown_ = 0;  // the symbol of hypothesis units that the reference lacks
    size_t bits_ = 0;       // of a symbol
    Buffer<uint32_t> reference_;
    Buffer<uint32_t> hypothesis_;
    Buffer<uint64_t> keys_;  // or places
    Buffer<uint32_t> digits_;
    Buffer<uint32_t> order_;  // positions, sorted by the last symbols compared
    Buffer<uint32_t> next_order_;
    Buffer<uint32_t> starts_;  // by digit
    Buffer<uint32_t> counters_;
    NgramCounter counter_;
};

}  // namespace refscore
