// Clipped n-gram matches of a hypothesis with its references, for all orders at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/pair_numbers.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Counts matches; one instance per thread.
//
// Short references are bit sets of positions. An n-gram occurs where its prefix, shifted by one, and its last token
// both occur. A hypothesis n-gram uses up one occurrence in each reference, and matches if at least one was left. For
// the most common order and few references, each reference is one machine word. The n-grams of longer references are
// numbered, by the number of their prefix and their last token. All methods give the same counts.
class NgramCounter {
  public:
    // matches[n - 1] = sum over the hypothesis' distinct n-grams of min(its count, its largest count in one reference).
    void count(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
               int64_t* matches);

    static constexpr size_t kCommonOrder = 4;  // BLEU's usual order, which has its own fast path
    static constexpr size_t kMostMarked = 64;  // orders: one bit of a machine word each
    // Sets bit n - 1 of matched[i] if the n-gram that ends at hypothesis token i matches; for at most kMostMarked
    // orders.
    void mark(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
              uint64_t* matched);

  private:
    // Calls take(n - 1, i, is_match) for n-grams that end at hypothesis token i, including all that match.
    template <class Take>
    void find(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take);
    uint64_t* clear_masks(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words);
    const uint64_t* masks_by_reference(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                                       size_t words);
    template <size_t kWords, class Take>
    void find_in_bits(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
                      Take take);
    template <class Take>
    void find_by_number(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
                        Take take);

    Buffer<uint64_t> masks_;   // positions of each token
    Buffer<uint64_t> found_;   // by order: where the last n-gram occurs
    Buffer<uint64_t> used_;    // by order: occurrences that hypothesis n-grams have used up
    Buffer<uint64_t> fields_;  // by reference: its positions

    struct Ngram {
        uint32_t begin;
        uint32_t number;
    };
    // A hypothesis n-gram that occurs once in the references.
    struct Link {
        uint32_t begin;
        uint32_t place;
    };
    struct Tally {
        uint32_t hypothesis;
        uint32_t total;  // occurrences in all references
        uint32_t most;   // occurrences in one reference
        uint32_t here;   // occurrences in the last reference
        uint32_t place;  // the last occurrence

        void count(uint32_t at, uint32_t reference_begin) {
            here = place >= reference_begin ? here + 1 : 1;
            most = std::max(most, here);
            place = at;
            ++total;
        }
    };
    PairNumbers numbers_;
    Buffer<uint32_t> own_tokens_;
    Buffer<uint32_t> reference_tokens_;
    Buffer<uint32_t> last_use_;  // by place: the order of the last n-gram that used it up
    Buffer<Ngram> shared_;       // hypothesis n-grams that occur more than once in the references
    Buffer<Ngram> in_reference_;
    Buffer<Link> links_;
    Buffer<Tally> tallies_;
};

}  // namespace refscore
