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
    // mean count in the others. Each of the others has a weight, all the same if `weights` is empty; they are not negative, and not
    // all 0.
    void count(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order, std::span<const double> weights,
               std::vector<double>& matches);

    // The mean of value_of(i) for i = 0..count-1 with such weights.
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

    // How much memory is kept for the next call.
    size_t bytes() const { return units_.bytes() + left_.bytes() + right_.bytes() + tallies_.bytes() + table_.bytes(); }

  private:
    struct Place {
        uint32_t position;
        uint32_t ngram;  // the class of the n-gram that begins there
    };
    struct Tally {
        double right;       // in all sequences of the other side, times their weights
        uint32_t left;      // in one sequence
        uint32_t sequence;  // which one that is, from 1
    };

    // The n-grams of an order, from those of the order below; places whose n-gram the other side does not have are dropped.
    size_t number_left(size_t places, size_t order);
    size_t tally_right(size_t order, std::span<const double> weights);

    SymbolMap symbols_;
    Buffer<uint32_t> units_;  // all sequences as symbols, with SymbolMap::kNone after each, which no n-gram contains
    Buffer<Place> left_;
    Buffer<Place> right_;
    std::vector<size_t> starts_;        // of the sequences on the left, in left_; and their end
    std::vector<size_t> right_starts_;  // the same of the others, in right_
    Buffer<Tally> tallies_;
    PairTable table_;
};

}  // namespace refscore
