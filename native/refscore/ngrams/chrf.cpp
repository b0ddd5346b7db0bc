#include "refscore/ngrams/chrf.hpp"

#include <algorithm>
#include <cmath>

namespace refscore {
namespace {

// sacrebleu's and NLTK's replacement for a precision or recall that would be 0/0.
constexpr double kEpsilon = 1e-16;

// `factor` is beta squared. If it overflows, only recall counts.
double f_score(double factor, double precision, double recall) {
    return std::isinf(factor) ? recall : (1 + factor) * precision * recall / (factor * precision + recall);
}

// The F-score of one order, for conventions where every order counts.
double order_score(ChrfSmoothing smoothing, double factor, double hypothesis, double reference, double matches) {
    if (smoothing == ChrfSmoothing::Nltk && (hypothesis == 0 || reference == 0 || matches == 0)) return kEpsilon;
    double precision = hypothesis > 0 ? matches / hypothesis : kEpsilon,
           recall = reference > 0 ? matches / reference : kEpsilon;
    double denominator = factor * precision + recall;  // NaN if factor is infinite and precision 0
    return denominator > 0 ? f_score(factor, precision, recall) : kEpsilon;
}

template <class T>
ChrfParts score(const ChrfSettings& settings, std::span<const T> counts) {
    ChrfParts parts;
    double factor = settings.beta * settings.beta, sum = 0, effective = 0;
    for (size_t i = 0; i < settings.orders(); ++i) {
        double hypothesis = static_cast<double>(counts[3 * i]), reference = static_cast<double>(counts[3 * i + 1]),
               matches = static_cast<double>(counts[3 * i + 2]);
        if (settings.smoothing != ChrfSmoothing::Effective)
            sum += order_score(settings.smoothing, factor, hypothesis, reference, matches);
        if (hypothesis > 0 && reference > 0) {
            parts.precision += matches / hypothesis;
            parts.recall += matches / reference;
            ++effective;
        }
    }
    if (effective > 0) {
        parts.precision /= effective;
        parts.recall /= effective;
    }
    if (settings.smoothing != ChrfSmoothing::Effective) {
        parts.value = sum / static_cast<double>(settings.orders());
        parts.percent = 100 * sum / static_cast<double>(settings.orders());
    } else if (parts.precision + parts.recall > 0) {
        parts.value = f_score(factor, parts.precision, parts.recall);
        parts.percent = 100 * parts.value;
    }
    return parts;
}

}  // namespace

ChrfParts chrf_score(const ChrfSettings& settings, std::span<const int64_t> counts) { return score(settings, counts); }
ChrfParts chrf_score(const ChrfSettings& settings, std::span<const double> counts) { return score(settings, counts); }

std::span<const int64_t> Chrf::counts(const ChrfSettings& settings, const ChrfHypothesis& hypothesis,
                                      const ChrfReferences& references) {
    size_t orders = settings.orders();
    here_.resize(3 * orders);
    best_.resize(3 * orders);
    matches_.resize(orders);
    double best_percent = -1;
    size_t unit = 0, word = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> units = references.units.subspan(unit, references.lengths[r]), words;
        unit += units.size();
        units_.count(hypothesis.units, units, settings.char_order, matches_.data(),
                     references.indexed.empty() ? IndexedUnits{} : references.indexed[r]);
        if (settings.word_order > 0) {
            words = references.words.tokens.subspan(word, references.words.lengths[r]);
            word += words.size();
            NumberedReferences one{{}, references.words.vocabulary_size, words, references.words.lengths.subspan(r, 1)};
            words_.count(hypothesis.words, one, settings.word_order, matches_.data() + settings.char_order);
        }
        for (size_t i = 0; i < orders; ++i) {
            bool is_word = i >= settings.char_order;
            size_t order = is_word ? i - settings.char_order + 1 : i + 1;
            int64_t in_reference = ngram_count(is_word ? words.size() : units.size(), order);
            here_[3 * i] =
                in_reference == 0 ? 0 : ngram_count(is_word ? hypothesis.words.size() : hypothesis.units.size(), order);
            here_[3 * i + 1] = in_reference;
            here_[3 * i + 2] = matches_[i];
        }
        double percent = references.lengths.size() == 1 ? 0 : chrf_score(settings, here_).percent;
        if (percent > best_percent) {
            best_percent = percent;
            std::swap(here_, best_);
        }
    }
    return best_;
}

}  // namespace refscore
