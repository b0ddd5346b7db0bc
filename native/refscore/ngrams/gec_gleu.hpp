// GLEU of grammatical error correction: n-grams that a correction shares with its reference, less those that it keeps
// from the source although the reference does not have them.
#pragma once

#include <cstdint>
#include <span>

#include "refscore/base/buffer.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/pair_numbers.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// How often a kept n-gram of the source counts against a correction.
enum class GecPenalty : uint8_t {
    Excess,  // as often as the source and the hypothesis have it beyond the reference
    Absent,  // as often as both have it, if the reference does not have it at all; never below 0 matches per segment
};
enum class GecShortOrder : uint8_t { Zero, Perfect };  // the precision of an order without n-grams
enum class GecSmoothing : uint8_t { None, One };       // One: all numbers that are 0 are 1 instead

struct GecGleuSettings {
    size_t max_order = 4;
    GecPenalty penalty = GecPenalty::Absent;
    GecShortOrder short_order = GecShortOrder::Zero;
    GecSmoothing smoothing = GecSmoothing::None;

    void check() const { require_order(max_order); }
    size_t columns() const { return 3 * max_order + 2; }
};

// One instance per thread.
class GecGleu {
  public:
    // Writes the row of a segment, the mean over its references: matches, penalties and n-grams of the hypothesis of
    // each order, then the lengths of the hypothesis and the reference. The first reference is the source.
    void row(const GecGleuSettings& settings, std::span<const uint32_t> hypothesis,
             const NumberedReferences& source_and_references, std::span<double> out);
    static double value(const GecGleuSettings& settings, std::span<const double> row);

  private:
    void number_order(size_t order);
    void count_reference(const GecGleuSettings& settings, size_t order, size_t text, std::span<double> out);

    // All texts, one after the other: the source, the references, the hypothesis.
    Buffer<uint32_t> tokens_;
    Buffer<uint32_t> ngrams_;  // the number of the n-gram that begins at each token; 0 with an unknown token
    Buffer<size_t> begins_;
    size_t texts_ = 0;
    PairNumbers pairs_;
    uint32_t ngram_count_ = 0;  // of the current order
    Buffer<uint32_t> in_source_;
    Buffer<uint32_t> in_reference_;
    Buffer<uint32_t> in_hypothesis_;
};

}  // namespace refscore
