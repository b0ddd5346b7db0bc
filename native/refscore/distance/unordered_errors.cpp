#include "refscore/distance/unordered_errors.hpp"

#include <algorithm>

#include "refscore/base/preconditions.hpp"
#include "refscore/distance/error_rate.hpp"

namespace refscore {

EditCounts UnorderedErrors::count(std::span<const uint32_t> hypothesis, const NumberedReferences& references) {
    require(!references.lengths.empty(), kNoReference);
    if (left_.size() <= references.vocabulary_size) left_.resize(references.vocabulary_size + size_t{1});
    EditCounts best;
    double lowest = -1;
    size_t begin = 0;
    for (uint32_t length : references.lengths) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, length);
        begin += length;
        for (uint32_t token : reference) ++left_[token];
        EditCounts counts;
        for (uint32_t token : hypothesis) {
            uint32_t is_hit = left_[token] != 0;
            left_[token] -= is_hit;
            counts.hits += is_hit;
        }
        for (uint32_t token : reference) left_[token] = 0;
        // Words that are left on both sides replace each other.
        auto own = static_cast<int64_t>(hypothesis.size()) - counts.hits,
             others = static_cast<int64_t>(reference.size()) - counts.hits;
        counts.substitutions = std::min(own, others);
        counts.deletions = others - counts.substitutions;
        counts.insertions = own - counts.substitutions;
        double rate = error_rate(static_cast<double>(counts.errors()), static_cast<double>(reference.size()));
        if (lowest >= 0 && rate >= lowest) continue;
        lowest = rate;
        best = counts;
    }
    return best;
}

}  // namespace refscore
