// Clipped n-gram matches of a hypothesis with its references, for all orders at once.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "segments.hpp"

namespace refscore {

// Counts matches; one instance per thread.
//
// Short references are bit sets of positions. An n-gram occurs where its prefix, shifted by one, and its last token both occur. A
// hypothesis n-gram uses up one occurrence in each reference, and matches if at least one was left. For the most common order and
// few references, each reference is one machine word. Long references use a hash table: an n-gram is numbered by the number of
// its prefix and its last token. All methods give the same counts.
class NgramCounter {
  public:
    // matches[n - 1] = sum over the hypothesis' distinct n-grams of min(its count, its largest count in one reference).
    void count(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, int64_t* matches);

    static constexpr size_t kCommonOrder = 4;  // BLEU's usual order, which has its own fast path
    static constexpr size_t kMostMarked = 64;  // orders: one bit of a machine word each
    // Sets bit n - 1 of matched[i] if the n-gram that ends at hypothesis token i matches; for at most kMostMarked orders.
    void mark(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, uint64_t* matched);

  private:
    // Calls take(n - 1, i) for each matching n-gram that ends at hypothesis token i.
    template <class Take>
    void find(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);
    uint64_t* clear_masks(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words);
    const uint64_t* masks_by_reference(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words);
    template <size_t kWords, class Take>
    void find_in_bits(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);
    template <class Take>
    void find_by_number(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);

    Buffer<uint64_t> masks_;  // positions of each token
    Buffer<uint64_t> found_;  // by order: where the last n-gram occurs
    Buffer<uint64_t> used_;   // by order: occurrences that hypothesis n-grams have used up
    Buffer<uint64_t> fields_; // by reference: its positions

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
