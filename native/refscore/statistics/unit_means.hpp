// N-gram matches of many sequences with the mean counts of many others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/pair_table.hpp"
#include "refscore/segments/symbols.hpp"

namespace refscore {

class UnitMeans {
  public:
    // Sequence i is codes[ends[i - 1], ends[i]). The first `left` sequences are compared with the mean of all others,
    // of which there must be at least one. matches[i * max_order + n - 1] = sum over distinct n-grams of min(count in
    // sequence i, mean count in the others). `weights` has a weight for each of the others, or is empty for equal
    // weights. Weights must not be negative, nor all 0.
    void count(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order,
               std::span<const double> weights, std::vector<double>& matches);

    // Returns the mean of value_of(i) for i = 0..count-1 with these weights.
    template <class ValueOf>
    static double mean(std::span<const double> weights, size_t count, ValueOf value_of) {
        double sum = 0, total = 0;
        for (size_t i = 0; i < count; ++i) {
            double weight = weights.empty() ? 1 : weights[i];
            sum += weight * static_cast<double>(value_of(i));
            total += weight;
        }
        return sum / total;
    }

    // The memory that stays allocated between calls.
    size_t bytes() const { return units_.bytes() + left_.bytes() + right_.bytes() + tallies_.bytes() + table_.bytes(); }

  private:
    struct Place {
        uint32_t position;
        uint32_t ngram;  // the class of the n-gram at this position
    };
    struct Tally {
        double right;       // occurrences in all sequences of the other side, times their weights
        uint32_t left;      // occurrences in one sequence
        uint32_t sequence;  // the index of that sequence, from 1
    };

    // Derive the n-grams of one order from those of the order below. Places whose n-gram the other side lacks are
    // dropped.
    size_t number_left(size_t places, size_t order);
    size_t tally_right(size_t order, std::span<const double> weights);

    SymbolMap symbols_;
    Buffer<uint32_t> units_;  // all sequences as symbols, each followed by SymbolMap::kNone, which no n-gram contains
    Buffer<Place> left_;
    Buffer<Place> right_;
    std::vector<size_t> starts_;        // of the left sequences in left_, and their end
    std::vector<size_t> right_starts_;  // the same for the others in right_
    Buffer<Tally> tallies_;
    PairTable table_;
};

}  // namespace refscore
