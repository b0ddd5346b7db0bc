// BLEU: the row of statistics of one segment, and the score of a row.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

enum class ReferenceLength : uint8_t { Closest, ClosestFirst, Shortest, Total };
// When the score is 0 with any smoothing: never, without a match of tokens, or without one of any order.
enum class NoMatch : uint8_t { Smooth, Zero, ZeroIfAny };
enum class ShortOrder : uint8_t { Zero, Pad, Perfect };
enum class Smoothing : uint8_t {
    None,
    Exp,
    Floor,
    AddK,
    FloorSegments,
    AddKAll,
    Coco,
    Nltk0,
    Nltk1,
    Nltk2,
    Nltk3,
    Nltk4,
    Nltk5,
    Nltk6,
    Nltk7
};

struct BleuSettings {
    size_t max_order = 4;
    std::vector<double> weights;  // empty: uniform
    Smoothing smoothing = Smoothing::Exp;
    double smoothing_value = 0;
    bool effective_order = false;
    ReferenceLength reference_length = ReferenceLength::Closest;
    ShortOrder short_order = ShortOrder::Zero;
    NoMatch no_match = NoMatch::Zero;

    void check() const {
        require_order(max_order);
        require(weights.empty() || weights.size() == max_order, "there must be one weight for each order");
        for (double weight : weights) require_finite(weight, "a weight must be finite");
        require_finite(smoothing_value, "the value of a smoothing must be finite");
    }

    // NLTK's smoothings 5 and 7 always use 5-grams.
    size_t counted_orders() const {
        bool needs_five = smoothing == Smoothing::Nltk5 || smoothing == Smoothing::Nltk7;
        return needs_five && max_order < 5 ? 5 : max_order;
    }
    bool has_short() const { return short_order == ShortOrder::Pad; }
    bool has_unmatched() const { return smoothing == Smoothing::FloorSegments; }
    // hyp_len, ref_len, correct…, total…, [short…], [unmatched…]
    size_t columns() const { return 2 + counted_orders() * (2u + has_short() + has_unmatched()); }
};

struct BleuParts {
    double value = 0;
    double brevity_penalty = 0;
    std::vector<double> precisions;  // after smoothing
};

// Returns the reference length that counts for a hypothesis of this length.
int64_t reference_length(ReferenceLength rule, int64_t hypothesis, std::span<const uint32_t> lengths);

void bleu_row(const BleuSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
              NgramCounter& counter, std::span<int64_t> row);

// Fills the columns that depend only on the hypothesis length and the matches. Instantiated for int64_t and double.
void complete_bleu_row(const BleuSettings& settings, std::span<int64_t> row);
void complete_bleu_row(const BleuSettings& settings, std::span<double> row);

inline double brevity_penalty(double hypothesis_length, double reference_length) {
    if (hypothesis_length >= reference_length) return 1;
    return hypothesis_length > 0 ? std::exp(1 - reference_length / hypothesis_length) : 0;
}

// Returns the number of orders for which at least one segment is long enough.
size_t existing_orders(const BleuSettings& settings, std::span<const double> row);

// Computes the score. `parts.precisions` is also scratch memory, so scoring many rows allocates only once.
void bleu_score(const BleuSettings& settings, std::span<const double> row, BleuParts& parts);

// Returns the score from 0 to 100. For settings that sacrebleu has, every bit is sacrebleu's (with Python up to 3.11).
double bleu_percent(const BleuSettings& settings, std::span<const double> row, BleuParts& parts);

}  // namespace refscore
