#include "refscore/distance/edit_similarity.hpp"

#include <algorithm>

namespace refscore {

EditSimilarityRow EditSimilarity::row(const EditSimilaritySettings& settings, std::span<const uint32_t> hypothesis,
                                      const NumberedReferences& references) {
    require(!references.lengths.empty(), kNoReference);
    EditSimilarityRow best;
    double lowest = 2;  // the distance divided by the length
    size_t begin = 0;
    for (uint32_t length : references.lengths) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, length);
        begin += length;
        size_t longer = std::max(hypothesis.size(), reference.size());
        // The lengths alone show that a text cannot be better, or how similar it is to an empty one.
        size_t least = longer - std::min(hypothesis.size(), reference.size());
        if (longer > 0 && static_cast<double>(least) / static_cast<double>(longer) >= lowest) continue;
        size_t edits = least == longer ? longer : distance_.distance(hypothesis, reference, references.vocabulary_size);
        double share = longer > 0 ? static_cast<double>(edits) / static_cast<double>(longer) : 0;
        if (share >= lowest) continue;
        lowest = share;
        best.edits = static_cast<double>(edits);
        best.longer = static_cast<double>(longer);
    }
    if (settings.skips_empty && best.longer == 0) return {};
    best.segments = 1;
    best.similarity = 1 - lowest;
    // Both comparisons are the originals': one tests the distance, the other one the similarity.
    bool counts = settings.threshold == 0 ||
                  (settings.counts_threshold ? best.similarity >= settings.threshold : lowest < 1 - settings.threshold);
    if (!counts) best.similarity = 0;
    return best;
}

}  // namespace refscore
