// Numbers the n-grams of many sequences consistently, so any two sequences can be compared without counting again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "pair_table.hpp"
#include "symbols.hpp"

namespace refscore {

class NgramIndex {
  public:
    // An n-gram of a sequence and its number of occurrences.
    struct Entry {
        uint32_t ngram;
        uint32_t count;
    };

    // Numbers the n-grams of all sequences up to `max_order`. The first `left` sequences are one side, the others the other side.
    // N-grams that only one side has are omitted. Sequence i is codes[ends[i - 1], ends[i]).
    void build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order);

    // The memory that stays allocated between calls.
    size_t bytes() const {
        return starts_.capacity() * sizeof(size_t) + entries_.bytes() + units_.bytes() + classes_.bytes() +
               ngrams_.capacity() * sizeof(Ngram) + table_.bytes();
    }

    // The number of n-grams of all orders. They are numbered from 0.
    size_t size() const { return size_; }
    // Returns the distinct n-grams of one order (from 1) in a sequence.
    std::span<const Entry> entries(size_t sequence, size_t order) const {
        const size_t* range = starts_.data() + (order - 1) * sequences_ + sequence;
        return {entries_.data() + range[0], range[1] - range[0]};
    }

  private:
    struct Ngram {
        uint32_t number;
        uint32_t sequence;  // the last sequence that contains it, from 1
        uint32_t entry;     // its entry in that sequence
        uint8_t sides;      // the sides that contain it
    };
    static constexpr uint8_t kNoSide = 0, kLeft = 1, kRight = 2;

    void number_ngrams(std::span<const size_t> ends, size_t left, size_t order);
    void list_ngrams(std::span<const size_t> ends, size_t order);

    size_t sequences_ = 0;
    size_t size_ = 0;
    std::vector<size_t> starts_;  // by order and sequence; the last element is the end
    Buffer<Entry> entries_;
    size_t entry_count_ = 0;

    SymbolMap symbols_;
    Buffer<uint32_t> units_;     // all sequences, as symbols
    Buffer<uint32_t> classes_;   // of the n-gram at this position; 0 if only one side has it
    std::vector<Ngram> ngrams_;  // of the current order, by class
    PairTable table_;
};

}  // namespace refscore
