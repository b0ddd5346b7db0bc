#include "refscore/ngrams/gec_gleu.hpp"

#include <algorithm>
#include <cmath>

namespace refscore {

// Extends all n-grams by one token, and numbers them.
void GecGleu::number_order(size_t order) {
    const size_t* begins = begins_.data();
    if (order == 1) return;
    pairs_.start(begins[texts_]);
    for (size_t text = 0; text < texts_; ++text) {
        for (size_t i = begins[text]; i + order <= begins[text + 1]; ++i) {
            uint32_t token = tokens_.data()[i + order - 1], &ngram = ngrams_.data()[i];
            ngram = ngram != 0 && token != 0 ? pairs_.add(ngram, token) : 0;
        }
    }
    ngram_count_ = pairs_.size();
}

void GecGleu::count_reference(const GecGleuSettings& settings, size_t order, size_t text, std::span<double> out) {
    const size_t* begins = begins_.data();
    const uint32_t* ngrams = ngrams_.data();
    uint32_t *source = in_source_.data(), *reference = in_reference_.data(), *own = in_hypothesis_.data();
    auto each = [&](size_t which, auto visit) {
        for (size_t i = begins[which]; i + order <= begins[which + 1]; ++i)
            if (ngrams[i] != 0) visit(ngrams[i]);
    };
    std::fill_n(reference, ngram_count_ + size_t{1}, 0u);
    std::fill_n(own, ngram_count_ + size_t{1}, 0u);
    each(text, [&](uint32_t ngram) { ++reference[ngram]; });
    int64_t matches = 0, penalty = 0;
    // Token by token: the k-th occurrence of an n-gram in the hypothesis is common if the other text has k of them.
    each(texts_ - 1, [&](uint32_t ngram) {
        uint32_t k = ++own[ngram];
        matches += k <= reference[ngram];
        bool is_kept = k <= source[ngram] && k > reference[ngram];
        penalty += is_kept && (settings.penalty == GecPenalty::Excess || reference[ngram] == 0);
    });
    if (settings.penalty == GecPenalty::Absent) penalty = std::min(penalty, matches);
    out[0] += static_cast<double>(matches);
    out[1] += static_cast<double>(penalty);
}

void GecGleu::row(const GecGleuSettings& settings, std::span<const uint32_t> hypothesis,
                  const NumberedReferences& source_and_references, std::span<double> out) {
    require(source_and_references.lengths.size() >= 2, "a segment of GLEU needs a source and a reference");
    texts_ = source_and_references.lengths.size() + 1;
    size_t size = source_and_references.tokens.size() + hypothesis.size();
    uint32_t* tokens = tokens_.reserve(size);
    uint32_t* ngrams = ngrams_.reserve(size);
    size_t* begins = begins_.reserve(texts_ + 1);
    std::copy(hypothesis.begin(), hypothesis.end(),
              std::copy(source_and_references.tokens.begin(), source_and_references.tokens.end(), tokens));
    std::copy_n(tokens, size, ngrams);
    begins[0] = 0;
    for (size_t text = 0; text + 1 < texts_; ++text)
        begins[text + 1] = begins[text] + source_and_references.lengths[text];
    begins[texts_] = size;
    ngram_count_ = source_and_references.vocabulary_size;
    size_t most = std::max<size_t>(size, ngram_count_) + 1;
    in_source_.reserve(most);
    in_reference_.reserve(most);
    in_hypothesis_.reserve(most);
    std::fill(out.begin(), out.end(), 0.0);
    auto references = static_cast<double>(texts_ - 2);
    for (size_t order = 1; order <= settings.max_order && order <= hypothesis.size(); ++order, out = out.subspan(3)) {
        number_order(order);
        uint32_t* source = in_source_.data();
        std::fill_n(source, ngram_count_ + size_t{1}, 0u);
        for (size_t i = 0; i + order <= begins[1]; ++i) ++source[ngrams[i]];
        for (size_t text = 1; text + 1 < texts_; ++text) count_reference(settings, order, text, out);
        out[0] /= references;
        out[1] /= references;
        out[2] = static_cast<double>(hypothesis.size() - order + 1);
    }
    out = out.last(2);
    out[0] = static_cast<double>(hypothesis.size());
    out[1] = static_cast<double>(begins[texts_ - 1] - begins[1]) / references;
}

double GecGleu::value(const GecGleuSettings& settings, std::span<const double> row) {
    auto number = [&](double count) { return settings.smoothing == GecSmoothing::One && count <= 0 ? 1 : count; };
    double logs = 0;
    for (size_t order = 0; order < settings.max_order; ++order, row = row.subspan(3)) {
        if (row[2] <= 0 && settings.short_order == GecShortOrder::Perfect) continue;
        double matches = number(row[0] - row[1]), total = number(row[2]);
        if (matches <= 0 || total <= 0) return 0;
        logs += std::log(matches / total);
    }
    double length = number(row[0]), reference_length = number(row[1]);
    if (length <= 0) return 0;
    return std::exp(std::min(0.0, 1 - reference_length / length) + logs / static_cast<double>(settings.max_order));
}

}  // namespace refscore
