// Clipped n-gram matches of a hypothesis with its references, for all orders at once.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "segments.hpp"

namespace refscore {

// Scratch memory of one thread, for counting. Short references are bit sets of positions, in which the occurrences of an n-gram are those of
// its prefix, shifted by one, that are also occurrences of its last token; a hypothesis n-gram uses one up in each reference, and
// matches if one was left in any. For the usual order and number of references each reference is one word. Long references number
// each n-gram by its prefix's number and its last token, through a hash table. All ways give the same numbers.
class NgramCounter {
  public:
    // matches[n - 1] = sum over the hypothesis' distinct n-grams of min(its count, its largest count in one reference).
    void count(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, int64_t* matches);

    static constexpr size_t kMostMarked = 64;
    // Bit n - 1 of matched[i] says whether the n-gram that ends at the hypothesis' token i matches; for at most kMostMarked orders.
    void mark(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, uint64_t* matched);

  private:
    // Calls take(n - 1, i) for each n-gram that matches and ends at the hypothesis' token i.
    template <class Take>
    void find(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);
    uint64_t* clear_masks(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words);
    const uint64_t* masks_by_reference(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words);
    template <size_t kWords, class Take>
    void find_in_bits(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);
    template <class Take>
    void find_by_number(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);

    Buffer<uint64_t> masks_;  // positions of each token
    Buffer<uint64_t> found_;  // per order: where the last n-gram occurs
    Buffer<uint64_t> used_;   // per order: occurrences that hypothesis n-grams have used up
    Buffer<uint64_t> fields_; // positions of each reference

    Buffer<uint64_t> keys_;
    Buffer<uint32_t> numbers_;
    Buffer<uint32_t> reference_ngrams_;
    Buffer<uint32_t> hypothesis_ngrams_;
    struct Tally {
        uint32_t reference;  // the reference that `here` counts in
        uint32_t here;
        uint32_t most;
        uint32_t hypothesis;
    };
    Buffer<Tally> tallies_;
};

}  // namespace refscore
