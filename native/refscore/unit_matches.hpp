// Clipped n-gram matches of two sequences of units that repeat a lot, such as characters.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "ngrams.hpp"
#include "symbols.hpp"

namespace refscore {

// Scratch memory of one thread, for counting. The n-grams of both sequences are refined from order to order: an n-gram's class is looked up by its
// prefix's class and its last symbol, in a table that has a place for every such pair, and positions whose n-gram is not in the
// other sequence are dropped. Where that table would be large, the n-gram counter of tokens does the work.
class UnitMatches {
  public:
    // matches[n - 1] = sum over distinct n-grams of the smaller of their two counts.
    void count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order, int64_t* matches);

  private:
    static constexpr size_t kMostEntries = size_t{1} << 20;
    static constexpr uint32_t kMostClasses = 0xffff;  // fit beside a generation

    struct Place {
        uint32_t position;
        uint32_t ngram;  // its class
    };
    struct Tally {
        uint32_t reference;
        uint32_t hypothesis;
    };

    void count_by_class(size_t hypothesis_size, size_t reference_size, size_t max_order, int64_t* matches);
    void start_generation();

    SymbolMap symbols_;
    Buffer<uint32_t> hypothesis_;  // as symbols
    Buffer<uint32_t> reference_;
    Buffer<Place> hypothesis_places_;
    Buffer<Place> reference_places_;
    Buffer<Tally> tallies_;
    Buffer<uint32_t> table_;  // generation << 16 | class
    size_t table_size_ = 0;
    uint32_t generation_ = 0;
    NgramCounter counter_;
};

}  // namespace refscore
