// Clipped n-gram matches of two sequences of frequently repeated units, such as characters.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "ngrams.hpp"
#include "symbols.hpp"

namespace refscore {

// Counts matches order by order; one instance per thread. The class of an n-gram is looked up by the class of its prefix and its
// last symbol, in a dense table with an entry for every such pair. Positions whose n-gram does not occur in the other sequence
// are dropped. If the table would be too large, the n-gram counter for tokens is used instead.
class UnitMatches {
  public:
    // matches[n - 1] = sum over distinct n-grams of the smaller of their two counts.
    void count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, size_t max_order, int64_t* matches);

  private:
    // 2**20 entries are 4 MiB, enough for 10,000 characters of 100 kinds. Larger tables fall back to NgramCounter. Results do not depend on it.
    static constexpr size_t kMostEntries = size_t{1} << 20;
    static constexpr uint32_t kMostClasses = 0xffff;  // 16 bits; the other 16 bits of an entry are the generation

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
