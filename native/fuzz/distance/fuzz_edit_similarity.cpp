// Edit similarity equals the distance to the most similar reference, and its rule at the threshold.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/edit_similarity.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static EditSimilarity used;
    Input input(data, size);
    uint8_t flags = input.byte();
    EditSimilaritySettings settings{static_cast<double>(flags & 3) / 4, (flags & 4) != 0, (flags & 8) != 0,
                                    (flags & 16) != 0};
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    double first = 0;
    read_all_ways(
        segments.block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
            EditSimilarityRow row = EditSimilarity().row(settings, hypothesis, references),
                              again = used.row(settings, hypothesis, references);
            CHECK(row.similarity == again.similarity && row.edits == again.edits);
            CHECK(row.similarity >= 0 && row.similarity <= 1 && row.edits <= row.longer);
            if (is_first) first = row.similarity;
            CHECK(row.similarity == first);
            double best = 2;
            for (Sequence reference : each(references)) {
                size_t longer = std::max(hypothesis.size(), reference.size());
                size_t edits = EditDistance().distance(hypothesis, reference, references.vocabulary_size);
                if (longer > 0) best = std::min(best, static_cast<double>(edits) / static_cast<double>(longer));
                if (longer == 0) best = 0;
            }
            bool counts = settings.counts_threshold ? 1 - best >= settings.threshold
                                                    : best < 1 - settings.threshold || settings.threshold == 0;
            bool is_empty = settings.skips_empty && row.segments == 0;
            CHECK(row.similarity == (counts && !is_empty ? 1 - best : 0));
        });
    return 0;
}
