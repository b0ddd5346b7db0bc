#include "refscore/distance/ribes.hpp"

#include <algorithm>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kWordWork = 16;  // nanoseconds per word, for checkpoint(); only the order of magnitude matters

}  // namespace

RibesRow Ribes::row(const RibesSettings& settings, std::span<const uint32_t> hypothesis,
                    const NumberedReferences& references) {
    RibesRow best;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        if (reference.empty() && settings.empty_reference == EmptyReferenceRule::Error) throw EmptyReference{r};
        if (reference.empty() && settings.empty_reference == EmptyReferenceRule::Skip) continue;
        RibesRow row = row_of_one(settings, hypothesis, reference, references.vocabulary_size, references.places);
        if (best.segments == 0 || row.score > best.score) best = row;
    }
    return best;
}

RibesRow Ribes::row_of_one(const RibesSettings& settings, std::span<const uint32_t> hypothesis,
                           std::span<const uint32_t> reference, uint32_t vocabulary, const uint64_t* places) {
    if (hypothesis.empty()) return {0, 0, 0, 0, 1};
    checkpoint(kWordWork * (hypothesis.size() + reference.size()));
    std::span<const AlignedWord> aligned =
        aligner_.align(settings.alignment, hypothesis, reference, vocabulary, places);
    uint32_t* ranks = ranks_.reserve(aligned.size());
    for (size_t i = 0; i < aligned.size(); ++i) ranks[i] = aligned[i].rank;
    double length = static_cast<double>(hypothesis.size());
    RibesRow row;
    row.correlation = correlation(settings, {ranks, aligned.size()}, reference.size());
    row.precision = static_cast<double>(aligned.size()) / length;
    row.brevity_penalty = ribes_brevity(length, static_cast<double>(reference.size()));
    if (row.correlation > 0)
        row.score =
            row.correlation * ribes_precision(settings, row.precision) * ribes_penalty(settings, row.brevity_penalty);
    row.segments = 1;
    return row;
}

double Ribes::correlation(const RibesSettings& settings, std::span<const uint32_t> ranks, size_t reference_length) {
    size_t size = ranks.size();
    if (size < 2) return size == 1 && reference_length == 1 && settings.single_word == SingleWord::Reference ? 1 : 0;
    double all = static_cast<double>(size) * static_cast<double>(size - 1) / 2;
    auto tau = [&](uint64_t pairs) { return 2 * static_cast<double>(pairs) / all - 1; };
    auto normalized = [](double coefficient) { return (coefficient + 1) / 2; };
    switch (settings.correlation) {
        case Correlation::Tau: return static_cast<double>(ascending_.count(ranks, reference_length)) / all;
        case Correlation::TauNltk: return normalized(tau(ascending_.count(ranks, reference_length)));
        case Correlation::TauRuns: return normalized(tau(pairs_in_runs(ranks)));
        case Correlation::Rho:
            return std::clamp(normalized(rho_.of(ranks)), 0.0,
                              1.0);  // with a million ranks, rounding exceeds the range
    }
    return 0;
}

}  // namespace refscore
