// Aligns each hypothesis word with a reference word, as RIBES does. The context of a word extends to one side of it.
// The smallest context that occurs exactly once in the hypothesis and once in the reference decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/ngrams/pair_numbers.hpp"
#include "refscore/overlap/suffix_order.hpp"
#include "refscore/segments/renumber.hpp"

namespace refscore {

enum class FirstContext : uint8_t { Left, Right };
enum class ContextLimit : uint8_t { None, Nltk };

struct AlignmentSettings {
    FirstContext first = FirstContext::Left;  // preferred if both contexts have the same width
    ContextLimit limit = ContextLimit::None;

    // Whether to try a context of `width` further words for the word at `position` of `length`. NLTK stops early.
    bool tries(size_t width, size_t position, size_t length) const {
        return limit == ContextLimit::None ||
               width < (position > length - position + 1 ? position : length - position + 1);
    }
};

// A hypothesis word, its position in the reference (`rank`), and the hypothesis words [begin, end) that identified it.
struct AlignedWord {
    uint32_t position;
    uint32_t rank;
    uint32_t begin;
    uint32_t end;
};

// 64: one bit of a machine word per position, so extending a context is a single AND.
constexpr size_t kMostPlaces = 64;

// Writes the ranks of the aligned words in hypothesis order and returns their number. For sequences of up to
// kMostPlaces words. in_reference[i] and in_hypothesis[i] are the positions of hypothesis word i on each side, one bit
// each.
size_t rank_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference,
                      const uint64_t* in_hypothesis, uint32_t* ranks);

// Aligns one pair after another; one instance per thread. Positions in short sequences are bits. In longer ones, the
// contexts of words that are not aligned yet grow word by word. If many contexts become long, as in repetitive
// sequences, suffixes are sorted instead. All methods give the same alignment. Words are numbers up to `vocabulary`;
// kUnknown marks a word that the reference lacks. The time does not depend on the size of the vocabulary, which may
// cover many references.
class Aligner {
  public:
    // The aligned words, in the order of the hypothesis; valid until the next call. `places` has the positions of each
    // word in the reference, if they are known (NumberedReferences::places).
    std::span<const AlignedWord> align(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                       std::span<const uint32_t> reference, uint32_t vocabulary,
                                       const uint64_t* places = nullptr);

  private:
    static constexpr size_t kBits = kMostPlaces;

    // A word and its context, as a number. Equal contexts on both sides have the same number; 0 does not occur in the
    // reference.
    struct Place {
        uint32_t position;
        uint32_t context;
    };
    struct Tally {
        uint32_t hypothesis = 0;  // occurrences
        uint32_t reference = 0;
        uint32_t rank = 0;     // the last occurrence in the reference
        uint32_t is_open = 0;  // whether an unaligned hypothesis word has this context

        bool is_unique() const { return hypothesis == 1 && reference == 1; }
    };
    // The contexts on one side of their words that may become unique when they grow.
    struct Contexts {
        Buffer<Place> hypothesis;
        Buffer<Place> reference;
        size_t hypothesis_size = 0, reference_size = 0;
        Buffer<Tally> tallies;  // by number of the context

        size_t size() const { return hypothesis_size + reference_size; }
        bool is_done() const { return hypothesis_size == 0 || reference_size == 0; }
    };

    // The shortest unique context of a word on one side, and the position of the word in the reference.
    struct Found {
        uint32_t length;  // 0: no unique context
        uint32_t rank;
    };

    // The number of words that a suffix shares with its nearest neighbours on one side of it in suffix order.
    struct Nearest {
        uint32_t hypothesis = 0;             // with the nearest hypothesis suffix
        uint32_t reference = 0, second = 0;  // with the nearest two reference suffixes
        uint32_t place = 0;                  // where the nearest reference suffix begins

        void step(uint32_t common);
        void pass_hypothesis();
        void pass_reference(uint32_t at);
    };

    size_t align_short(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                       std::span<const uint32_t> reference, uint32_t vocabulary, const uint64_t* places);
    std::optional<size_t> align_by_growth(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                          std::span<const uint32_t> reference, uint32_t vocabulary);
    template <FirstContext kSide>
    void grow(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
              std::span<const uint32_t> reference, size_t length);
    size_t align_by_suffixes(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                             std::span<const uint32_t> reference, uint32_t vocabulary);
    void find_contexts(size_t hypothesis_size, size_t size, uint32_t vocabulary, Found* found);

    Buffer<AlignedWord> aligned_;
    Renumberer renumberer_;
    Buffer<uint64_t> reference_places_;  // by word, one bit per position
    Buffer<uint64_t> hypothesis_places_;
    Buffer<uint64_t> matches_;  // by hypothesis word: positions in the reference, then in the hypothesis
    Contexts contexts_[2];      // by FirstContext
    PairNumbers numbers_;
    Buffer<uint32_t> sequence_;
    SuffixOrder order_;
    Buffer<Found> right_;
    Buffer<Found> left_;
    Buffer<Nearest> nearest_;
};

}  // namespace refscore
