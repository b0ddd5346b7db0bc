// The n-grams of many sequences of units at once, numbered alike, so that any two can be compared without counting them again.
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
    // An n-gram of a sequence, and how often it is there.
    struct Entry {
        uint32_t ngram;
        uint32_t count;
    };

    // Numbers the n-grams up to `max_order` of all sequences, of which the first `left` are on one side and the others on the
    // other; n-grams that only one side has are left out. Sequence i is codes[ends[i - 1], ends[i]).
    void build(std::span<const uint32_t> codes, std::span<const size_t> ends, size_t left, size_t max_order);

    // How much memory is kept for the next call.
    size_t bytes() const {
        return starts_.capacity() * sizeof(size_t) + entries_.bytes() + units_.bytes() + classes_.bytes() +
               ngrams_.capacity() * sizeof(Ngram) + table_.bytes();
    }

    // The number of n-grams, of all orders; they are numbered from 0.
    size_t size() const { return size_; }
    // A sequence's distinct n-grams of an order, from 1.
    std::span<const Entry> entries(size_t sequence, size_t order) const {
        const size_t* range = starts_.data() + (order - 1) * sequences_ + sequence;
        return {entries_.data() + range[0], range[1] - range[0]};
    }

  private:
    struct Ngram {
        uint32_t number;
        uint32_t sequence;  // the last that has it, from 1
        uint32_t entry;     // its entry there
        uint8_t sides;      // that have it
    };
    static constexpr uint8_t kNoSide = 0, kLeft = 1, kRight = 2;

    void number_ngrams(std::span<const size_t> ends, size_t left, size_t order);
    void list_ngrams(std::span<const size_t> ends, size_t order);

    size_t sequences_ = 0;
    size_t size_ = 0;
    std::vector<size_t> starts_;  // by order and sequence, and the end of all
    Buffer<Entry> entries_;
    size_t entry_count_ = 0;

    SymbolMap symbols_;
    Buffer<uint32_t> units_;     // all sequences, as symbols
    Buffer<uint32_t> classes_;   // of the n-gram that begins there; 0 if only one side has it
    std::vector<Ngram> ngrams_;  // of one order, by class
    PairTable table_;
};

}  // namespace refscore
