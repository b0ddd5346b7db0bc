// Counts the n-grams that each of many texts shares with one other text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/ngram_index.hpp"

namespace refscore {

// The k-th occurrence of an n-gram in a text is an item, so two texts share as many occurrences as items. Items of many
// texts are stored as rows of 0 and 1, one byte per text, which are summed for all texts at once. Rare items are stored
// as lists of texts.
class CommonCounts {
  public:
    // One instance per thread.
    struct Scratch {
        std::vector<const uint8_t*> rows;
        Buffer<uint8_t> sums;  // of up to 255 rows
    };

    // Indexes the first `texts` sequences for n-grams up to `max_order`. The index must outlive this object.
    void build(const NgramIndex& index, size_t texts, size_t max_order, size_t threads = 1);

    // counts[t] = the number of n-grams of one order that text t shares with a sequence of the other side.
    void count(Scratch& scratch, size_t sequence, size_t order, uint32_t* counts) const;

    size_t bytes() const {
        return (first_items_.capacity() + places_.capacity() + starts_.capacity() + texts_.capacity()) *
                   sizeof(uint32_t) +
               rows_.bytes();
    }

  private:
    // An item becomes a row if at least 1 text in 64 has it. A row costs one byte addition per text (32 per AVX2
    // instruction), a list one scattered increment per entry. The ratio is an estimate; the counts do not depend on it.
    static constexpr size_t kRare = 64;
    static constexpr size_t kMostBytes = size_t{1} << 25;   // 32 MiB for all rows; further items become lists
    static constexpr uint32_t kListed = uint32_t{1} << 31;  // flag in the highest bit of an item's place

    // A range of n-grams of one order, which one thread indexes.
    struct Part;

    const NgramIndex* index_ = nullptr;
    size_t width_ = 0;                   // of a row: the number of texts, rounded up to kAlign
    size_t count_ = 0;                   // of texts
    std::vector<uint32_t> first_items_;  // by n-gram; the last element is the end
    std::vector<uint32_t> places_;       // by item: its row, or its list with the flag kListed
    std::vector<uint32_t> starts_;       // of the lists; the last element is the end
    std::vector<uint32_t> texts_;        // the contents of the lists
    Buffer<uint8_t> rows_;
};

}  // namespace refscore
