// Which reference word each hypothesis word corresponds to, as RIBES decides it: by the smallest context, to one side of the
// word, that occurs exactly once in the hypothesis and exactly once in the reference.
#pragma once

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "renumber.hpp"
#include "suffix_order.hpp"

namespace refscore {

enum class FirstContext : uint8_t { Left, Right };
enum class ContextLimit : uint8_t { None, Nltk };

struct AlignmentSettings {
    FirstContext first = FirstContext::Left;  // of two contexts of the same width
    ContextLimit limit = ContextLimit::None;

    // Whether a context of `width` words beyond the one at `position` of `length` is tried at all.
    bool tries(size_t width, size_t position, size_t length) const {
        return limit == ContextLimit::None || width < (position > length - position + 1 ? position : length - position + 1);
    }
};

// A hypothesis word and its place in the reference; the context is the hypothesis words [begin, end).
struct AlignedWord {
    uint32_t position;
    uint32_t rank;
    uint32_t begin;
    uint32_t end;
};

// The most words that a sequence may have for its places to be the bits of a number.
constexpr size_t kMostPlaces = 64;

// The ranks of the aligned words, in the order of the hypothesis, for sequences of up to kMostPlaces words: from the places of each
// hypothesis word in the reference and in the hypothesis. Returns how many there are.
size_t rank_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference, const uint64_t* in_hypothesis,
                      uint32_t* ranks);

// Scratch memory of one thread, for aligning one pair after the other. Words are numbers up to `vocabulary`; kUnknown is none of the reference's.
// The time does not depend on the vocabulary, which is that of all references.
class Aligner {
  public:
    // The aligned words, in the order of the hypothesis; valid until the next call.
    std::span<const AlignedWord> align(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                       std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    static constexpr size_t kBits = kMostPlaces;

    // What one side's contexts of a word come to: the shortest that occurs once in both, and where in the reference the word is.
    struct Found {
        uint32_t length;  // 0: there is none
        uint32_t rank;
    };

    // The suffixes nearest to one, on one side of it in their order: how many words each has in common with it.
    struct Nearest {
        uint32_t hypothesis = 0;             // the hypothesis' nearest
        uint32_t reference = 0, second = 0;  // the reference's nearest two
        uint32_t place = 0;                  // of the nearest in the reference

        void step(uint32_t common);
        void pass_hypothesis();
        void pass_reference(uint32_t at);
    };

    size_t align_short(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                       uint32_t vocabulary);
    size_t align_long(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                      uint32_t vocabulary);
    bool words_suffice(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    void find_contexts(size_t hypothesis_size, size_t size, uint32_t vocabulary, Found* found);

    Buffer<AlignedWord> aligned_;
    Renumberer renumberer_;
    Buffer<uint64_t> reference_places_;  // of a word, one bit for each
    Buffer<uint64_t> hypothesis_places_;
    Buffer<uint64_t> matches_;  // of the hypothesis' words, in the reference and in the hypothesis
    Buffer<uint32_t> counts_;
    Buffer<uint32_t> sequence_;
    SuffixOrder order_;
    Buffer<Found> right_;
    Buffer<Found> left_;
    Buffer<Nearest> nearest_;
};

}  // namespace refscore
