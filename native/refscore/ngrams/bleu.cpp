#include "refscore/ngrams/bleu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "refscore/statistics/compensated_sum.hpp"

namespace refscore {

int64_t reference_length(ReferenceLength rule, int64_t hypothesis, std::span<const uint32_t> lengths) {
    int64_t chosen = lengths[0];
    for (size_t r = 1; r < lengths.size(); ++r) {
        int64_t length = lengths[r];
        int64_t distance = std::abs(length - hypothesis), best = std::abs(chosen - hypothesis);
        switch (rule) {
            case ReferenceLength::Closest:
                if (distance < best || (distance == best && length < chosen)) chosen = length;
                break;
            case ReferenceLength::ClosestFirst:
                if (distance < best) chosen = length;
                break;
            case ReferenceLength::Shortest: chosen = std::min(chosen, length); break;
            case ReferenceLength::Total: chosen += length; break;
        }
    }
    return chosen;
}

namespace {

// NLTK omits a precision that is still 0 after smoothing from the mean. Method 6 is defined only if a trigram matches.
bool skips_zero(Smoothing smoothing, double trigrams) {
    return smoothing >= Smoothing::Nltk1 && (smoothing != Smoothing::Nltk6 || trigrams > 0);
}

// coco-caption's constants against division by 0. The first is added to matches and hypothesis lengths, the second to
// their divisors.
constexpr double kCocoMatches = 1e-15, kCocoNgrams = 1e-9;

double coco_brevity_penalty(double hypothesis_length, double reference_length) {
    double ratio = (hypothesis_length + kCocoMatches) / (reference_length + kCocoNgrams);
    return ratio < 1 ? std::exp(1 - 1 / ratio) : 1;
}

// The columns of a row, as the fractions that smoothing changes.
class Counts {
  public:
    Counts(const BleuSettings& settings, std::span<const double> row)
        : settings_(settings), columns_(row.subspan(2)), orders_(settings.counted_orders()) {}

    double matches(size_t n) const { return columns_[n]; }
    double ngrams(size_t n) const { return columns_[orders_ + n]; }

    double numerator(size_t n) const {
        double value = matches(n) + added(n, kCocoMatches);
        if (settings_.has_unmatched())
            value += settings_.smoothing_value * columns_[(2u + settings_.has_short()) * orders_ + n];
        return value;
    }
    double denominator(size_t n) const {
        double value = ngrams(n) + added(n, kCocoNgrams);
        if (settings_.has_short()) value += columns_[2 * orders_ + n];
        return value;
    }

  private:
    double added(size_t n, double coco) const {
        switch (settings_.smoothing) {
            case Smoothing::AddK: return n > 0 ? settings_.smoothing_value : 0;
            case Smoothing::AddKAll: return settings_.smoothing_value;
            case Smoothing::Coco: return coco;
            case Smoothing::Nltk2: return n > 0 ? 1 : 0;
            default: return 0;
        }
    }

    const BleuSettings& settings_;
    std::span<const double> columns_;
    size_t orders_;
};

// The precision of an order without matches. `zeros` is the number of such orders up to this one.
double zero_precision(const BleuSettings& settings, double denominator, double hypothesis_length, int zeros) {
    switch (settings.smoothing) {
        case Smoothing::Exp:
        case Smoothing::Nltk3: return std::ldexp(1.0, -zeros) / denominator;
        case Smoothing::Floor:
        case Smoothing::Nltk1: return settings.smoothing_value / denominator;
        case Smoothing::Nltk0: return std::numeric_limits<double>::min();
        case Smoothing::Nltk4:
        case Smoothing::Nltk7:
            if (hypothesis_length <= 1) return 0;
            return std::ldexp(std::log(hypothesis_length), -zeros) / settings.smoothing_value / denominator;
        default: return 0;
    }
}

double raw_precision(const BleuSettings& settings, const Counts& counts, size_t n) {
    double denominator = counts.denominator(n);
    if (denominator == 0) return settings.short_order == ShortOrder::Perfect ? 1 : 0;
    return counts.numerator(n) / denominator;
}

// Methods 5 and 7: each precision becomes the mean of itself, its left neighbour (already averaged) and its right
// neighbour.
void average_neighbours(const BleuSettings& settings, const Counts& counts, std::vector<double>& precisions) {
    double left = precisions[0] + 1;
    for (size_t n = 0; n < precisions.size(); ++n) {
        double right = n + 1 < precisions.size() ? precisions[n + 1] : raw_precision(settings, counts, 4);
        left = precisions[n] = (left + precisions[n] + right) / 3;
    }
}

// Method 6: interpolates with the precision that the two lower orders predict.
void interpolate(const BleuSettings& settings, const Counts& counts, std::vector<double>& precisions) {
    double alpha = settings.smoothing_value;
    for (size_t n = 2; n < precisions.size(); ++n) {
        double expected = precisions[n - 2] == 0 ? 0 : precisions[n - 1] * precisions[n - 1] / precisions[n - 2];
        double denominator = counts.ngrams(n) + alpha;
        precisions[n] = denominator == 0 ? 0 : (counts.matches(n) + alpha * expected) / denominator;
    }
}

// The methods of other tools, and the score without smoothing, have formulas from 0 to 1.
bool has_sacrebleu_formula(const BleuSettings& settings) {
    bool has_method = settings.smoothing == Smoothing::None || settings.smoothing == Smoothing::Exp ||
                      settings.smoothing == Smoothing::Floor || settings.smoothing == Smoothing::AddK;
    return has_method && settings.weights.empty() && settings.reference_length == ReferenceLength::Closest &&
           settings.short_order == ShortOrder::Zero && settings.no_match == NoMatch::Zero;
}

bool matches_enough(const BleuSettings& settings, const Counts& counts) {
    size_t orders = settings.no_match == NoMatch::ZeroIfAny ? settings.max_order : settings.no_match == NoMatch::Zero;
    for (size_t n = 0; n < orders; ++n)
        if (counts.matches(n) == 0) return false;
    return true;
}

template <class T>
void complete_row(const BleuSettings& settings, std::span<T> row) {
    size_t orders = settings.counted_orders();
    T length = row[0];
    std::span<T> matches = row.subspan(2, orders);
    auto next = matches.end();
    for (size_t n = 0; n < orders; ++n) *next++ = std::max<T>(0, length - static_cast<T>(n));
    if (settings.has_short())
        for (size_t n = 0; n < orders; ++n) *next++ = length <= static_cast<T>(n);
    if (settings.has_unmatched())
        for (size_t n = 0; n < orders; ++n) *next++ = matches[n] == 0;
}

}  // namespace

void bleu_row(const BleuSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references,
              NgramCounter& counter, std::span<int64_t> row) {
    size_t orders = settings.counted_orders();
    int64_t length = static_cast<int64_t>(hypothesis.size());
    row[0] = length;
    row[1] = reference_length(settings.reference_length, length, references.lengths);
    counter.count(hypothesis, references, orders, row.data() + 2);
    complete_bleu_row(settings, row);
}

void complete_bleu_row(const BleuSettings& settings, std::span<int64_t> row) { complete_row(settings, row); }
void complete_bleu_row(const BleuSettings& settings, std::span<double> row) { complete_row(settings, row); }

size_t existing_orders(const BleuSettings& settings, std::span<const double> row) {
    Counts counts(settings, row);
    size_t orders = 0;
    while (orders < settings.max_order && counts.denominator(orders) != 0) ++orders;
    return orders;
}

void bleu_score(const BleuSettings& settings, std::span<const double> row, BleuParts& parts) {
    double hypothesis_length = row[0], reference_length = row[1];
    size_t max_order = settings.max_order;
    std::vector<double>& precisions = parts.precisions;
    precisions.assign(max_order, 0);
    parts.value = 0;
    auto penalty = settings.smoothing == Smoothing::Coco ? coco_brevity_penalty : brevity_penalty;
    parts.brevity_penalty = penalty(hypothesis_length, reference_length);
    Counts counts(settings, row);
    if (hypothesis_length == 0 || !matches_enough(settings, counts)) return;

    size_t orders = existing_orders(settings, row);
    int zeros = 0;
    for (size_t n = 0; n < orders; ++n) {
        double numerator = counts.numerator(n), denominator = counts.denominator(n);
        precisions[n] =
            numerator > 0 ? numerator / denominator : zero_precision(settings, denominator, hypothesis_length, ++zeros);
    }
    if (settings.short_order == ShortOrder::Perfect)
        std::fill(precisions.begin() + static_cast<ptrdiff_t>(orders), precisions.end(), 1);
    if (settings.smoothing == Smoothing::Nltk5 || settings.smoothing == Smoothing::Nltk7)
        average_neighbours(settings, counts, precisions);
    if (settings.smoothing == Smoothing::Nltk6) interpolate(settings, counts, precisions);

    // NLTK's replacement for 0 has a logarithm of about -700, large enough for rounding errors to show.
    CompensatedSum logarithms, weights, all_weights;
    bool any = false;
    for (size_t n = 0; n < max_order; ++n) {
        double weight = settings.weights.empty() ? 1 : settings.weights[n];
        all_weights.add(weight);
        if (weight == 0 || (settings.effective_order && n >= orders)) continue;
        weights.add(weight);
        if (precisions[n] > 0) {
            logarithms.add(weight * std::log(precisions[n]));
            any = true;
        } else if (!skips_zero(settings.smoothing, max_order > 2 ? counts.matches(2) : 0)) {
            return;
        } else {
            // If NLTK omits every weighted order, its sum is empty and the score is the brevity penalty.
            any = any || precisions[0] > 0;
        }
    }
    if (!any) return;
    double mean = logarithms.value();
    if (settings.weights.empty()) mean /= static_cast<double>(max_order);
    // Effective order: the missing orders' weight is redistributed to the others.
    if (settings.effective_order && orders < max_order) mean *= all_weights.value() / weights.value();
    parts.value = parts.brevity_penalty * std::exp(mean);
}

double bleu_percent(const BleuSettings& settings, std::span<const double> row, BleuParts& parts) {
    if (!has_sacrebleu_formula(settings)) {
        bleu_score(settings, row, parts);
        return 100 * parts.value;
    }
    Counts counts(settings, row);
    if (row[0] == 0 || !matches_enough(settings, counts)) return 0;
    // Scores of different counts may differ only in the last bit, which decides whether they are ties. So each
    // operation is sacrebleu's: precisions from 0 to 100, and their logarithms added from left to right.
    size_t orders = existing_orders(settings, row);
    if (orders < settings.max_order && !settings.effective_order) return 0;
    double logarithms = 0, halved = 1;
    for (size_t n = 0; n < orders; ++n) {
        double numerator = counts.numerator(n), denominator = counts.denominator(n), precision = 0;
        if (numerator != 0)
            precision = 100 * numerator / denominator;
        else if (settings.smoothing == Smoothing::Exp)
            precision = 100 / ((halved *= 2) * denominator);
        else if (settings.smoothing == Smoothing::Floor)
            precision = 100 * settings.smoothing_value / denominator;
        if (precision == 0) return 0;
        logarithms += std::log(precision);
    }
    return brevity_penalty(row[0], row[1]) * std::exp(logarithms / static_cast<double>(orders));
}

}  // namespace refscore
