#include "refscore/ngrams/token_f1.hpp"

#include <algorithm>

#include "refscore/ngrams/exact_match.hpp"

namespace refscore {

size_t TokenF1::common(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    for (uint32_t token : reference) ++left_[token];
    size_t matches = 0;
    for (uint32_t token : hypothesis) {
        uint32_t is_left = left_[token] != 0;
        left_[token] -= is_left;
        matches += is_left;
    }
    for (uint32_t token : reference) left_[token] = 0;
    return matches;
}

TokenF1Row TokenF1::row(const TokenF1Settings& settings, std::span<const uint32_t> hypothesis,
                        const NumberedReferences& references) {
    if (left_.size() <= references.vocabulary_size) left_.resize(references.vocabulary_size + size_t{1});
    TokenF1Row best;
    bool is_exact = false;
    for_each_answer(references, settings.skip_empty, [&](std::span<const uint32_t> reference) {
        TokenF1Row row;
        if (hypothesis.empty() && reference.empty()) {
            row.f1 = row.precision = row.recall = settings.both_empty;
        } else if (size_t matches = common(hypothesis, reference); matches > 0) {
            row.precision = static_cast<double>(matches) / static_cast<double>(hypothesis.size());
            row.recall = static_cast<double>(matches) / static_cast<double>(reference.size());
            row.f1 = 2 * row.precision * row.recall / (row.precision + row.recall);
        }
        if (row.f1 > best.f1) best = row;
        is_exact |= row.recall == row.precision && std::ranges::equal(hypothesis, reference);
        return best.f1 < 1 || !is_exact;
    });
    best.exact = is_exact;
    return best;
}

}  // namespace refscore
