// Alignment, ascending pairs and suffix order equal their definitions. Random and repetitive sequences have sizes
// around those at which the kernels change their algorithm.
#include <algorithm>
#include <random>
#include <vector>

#include "doctest.hpp"

#include "distance/ribes_definition.hpp"
#include "refscore/distance/alignment.hpp"
#include "refscore/overlap/suffix_order.hpp"
#include "refscore/statistics/rank_correlation.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

void check_alignment(const Words& hypothesis, const Words& reference, uint32_t vocabulary) {
    static Aligner aligner;
    for (FirstContext first : {FirstContext::Left, FirstContext::Right})
        for (ContextLimit limit : {ContextLimit::None, ContextLimit::Nltk}) {
            AlignmentSettings settings{first, limit};
            std::span<const AlignedWord> found = aligner.align(settings, hypothesis, reference, vocabulary);
            refscore::check_alignment(found, settings, hypothesis, reference);
        }
}

}  // namespace

TEST_CASE("alignment, ascending pairs and suffix order equal their definitions") {
    SuffixOrder order;
    std::mt19937 random(1);
    auto below = [&](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
    auto make = [&](size_t size, uint32_t first, uint32_t vocabulary) {
        Words words(size);
        for (uint32_t& word : words) word = first + below(vocabulary + 1 - first);
        return words;
    };
    const size_t kSizes[] = {0, 1, 2, 5, 12, 63, 64, 65, 90};
    for (int round = 0; round < 15; ++round)
        for (size_t size : kSizes)
            for (uint32_t vocabulary : {1u, 2u, 3u, 20u, 100u}) {
                Words reference = make(size, 1, vocabulary);
                Words hypothesis = make(kSizes[below(9)], 0, vocabulary);
                if (round % 3 == 0) hypothesis = reference;
                if (round % 3 == 1 && size > 0)
                    std::rotate(hypothesis.begin(),
                                hypothesis.begin() + below(static_cast<uint32_t>(hypothesis.size()) + 1),
                                hypothesis.end());
                check_alignment(hypothesis, reference, vocabulary);
                check_suffixes(order, hypothesis, vocabulary);
                check_pairs(reference, vocabulary + 1);
            }
    // Passages that occur twice, on one side or both: contexts as long as a passage, few enough to grow them or so many
    // that suffixes are sorted.
    for (ptrdiff_t passage : {10, 60})
        for (uint32_t vocabulary : {3u, 30u, 300u}) {
            Words reference = make(80, 1, vocabulary), hypothesis = reference;
            for (int copies = 0; copies < 2; ++copies) {
                Words first(hypothesis.begin(), hypothesis.begin() + passage),
                    other(reference.begin() + 20, reference.begin() + 20 + passage);
                hypothesis.insert(hypothesis.begin() + 70, first.begin(), first.end());
                check_alignment(hypothesis, reference, vocabulary);
                reference.insert(reference.end(), other.begin(), other.end());
                hypothesis[below(80)] = 0;
                check_alignment(hypothesis, reference, vocabulary);
            }
        }
    check_suffixes(order, Words(500, 3), 3);
    check_pairs(make(300, 0, 1000), 1001);
}
