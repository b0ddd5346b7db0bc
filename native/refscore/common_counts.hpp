// How many n-grams each of many texts has in common with one other text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"
#include "ngram_index.hpp"

namespace refscore {

// The k-th occurrence of an n-gram in a text is an item of its own, so that two texts have as many occurrences in common as items.
// Items that many texts have are rows of 0 and 1, one for each text, which are added up for all texts at once; other items are
// lists of texts.
class CommonCounts {
  public:
    // Scratch memory of one thread.
    struct Scratch {
        std::vector<const uint8_t*> rows;
        Buffer<uint8_t> sums;  // of up to 255 rows
    };

    // Of the index' first `texts` sequences, in n-grams up to `max_order`. The index has to stay.
    void build(const NgramIndex& index, size_t texts, size_t max_order);

    // counts[t] is what text t has in common with a sequence of the other side, in n-grams of one order.
    void count(Scratch& scratch, size_t sequence, size_t order, uint32_t* counts) const;

    size_t bytes() const {
        return (first_items_.capacity() + places_.capacity() + starts_.capacity() + texts_.capacity()) * sizeof(uint32_t) + rows_.bytes();
    }

  private:
    // A row costs as much as a list of that share of all texts.
    static constexpr size_t kRare = 64;
    static constexpr size_t kMostBytes = size_t{1} << 25;  // of all rows
    static constexpr uint32_t kListed = uint32_t{1} << 31;

    const NgramIndex* index_ = nullptr;
    size_t width_ = 0;                   // of a row: the number of texts, rounded up
    size_t count_ = 0;                   // of texts
    std::vector<uint32_t> first_items_;  // by n-gram, and the end of all
    std::vector<uint32_t> places_;       // by item: its row, or its list and kListed
    std::vector<uint32_t> starts_;       // of the lists, and the end of all
    std::vector<uint32_t> texts_;        // of the lists
    Buffer<uint8_t> rows_;
};

}  // namespace refscore
