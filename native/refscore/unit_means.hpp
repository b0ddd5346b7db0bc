// N-gram matches of many sequences of units with the mean counts of many others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "pair_table.hpp"
#include "symbols.hpp"

namespace refscore {

class UnitMeans {
  public:
    // Sequence i is codes[ends[i - 1], ends[i]); the first `left` of them are compared with the mean of all others, of which there is
    // at least one. matches[i * max_order + n - 1] = sum over distinct n-grams of the smaller of the count in sequence i and the
    // mean count in the others.
    void count(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order, std::vector<double>& matches);

    // How much room is kept for the next time.
    size_t bytes() const { return units_.bytes() + left_.bytes() + right_.bytes() + tallies_.bytes() + table_.bytes(); }

  private:
    struct Place {
        uint32_t position;
        uint32_t ngram;  // the class of the n-gram that begins there
    };
    struct Tally {
        uint32_t right;     // in all sequences of the other side
        uint32_t left;      // in one sequence
        uint32_t sequence;  // which one that is, from 1
    };

    // The n-grams of an order, from those of the order below; places whose n-gram the other side does not have are dropped.
    size_t number_left(size_t places, size_t order);
    size_t tally_right(size_t places, size_t order);

    SymbolMap symbols_;
    Buffer<uint32_t> units_;  // all sequences as symbols, with SymbolMap::kNone after each, which no n-gram contains
    Buffer<Place> left_;
    Buffer<Place> right_;
    std::vector<size_t> starts_;  // of the sequences on the left, in left_; and their end
    Buffer<Tally> tallies_;
    PairTable table_;
};

}  // namespace refscore
