// Edit distances, alignments and longest common subsequences equal those of complete tables. Error rates count the best
// reference.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/distance/error_rate.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

constexpr size_t kLargeTable = size_t{1} << 14;  // cells up to which the slow definition still runs fast enough

void check_alignment(EditDistance& scratch, const EditCounts& counts, Sequence hypothesis, Sequence reference,
                     uint32_t vocabulary) {
    EditCounts listed;
    size_t i = 0, j = 0;
    for (Edit edit : scratch.align(hypothesis, reference, vocabulary)) {
        bool takes_reference = edit != Edit::Insertion, takes_hypothesis = edit != Edit::Deletion;
        CHECK(i + takes_reference <= reference.size() && j + takes_hypothesis <= hypothesis.size());
        if (edit == Edit::Hit) CHECK(reference[i] == hypothesis[j]);
        if (edit == Edit::Substitution) CHECK(reference[i] != hypothesis[j]);
        listed.hits += edit == Edit::Hit;
        listed.substitutions += edit == Edit::Substitution;
        listed.deletions += edit == Edit::Deletion;
        listed.insertions += edit == Edit::Insertion;
        i += takes_reference;
        j += takes_hypothesis;
    }
    CHECK(i == reference.size() && j == hypothesis.size());
    CHECK(listed.hits == counts.hits && listed.substitutions == counts.substitutions);
    CHECK(listed.deletions == counts.deletions && listed.insertions == counts.insertions);
}

// The pairs must be those that rouge-score reads from its table.
void check_subsequence(CommonSubsequence& scratch, Sequence hypothesis, Sequence reference, uint32_t vocabulary) {
    std::vector<std::vector<size_t>> table = subsequences(hypothesis, reference);
    CHECK(scratch.length(hypothesis, reference, vocabulary) == table.back().back());
    std::span<const CommonSubsequence::Pair> pairs = scratch.pairs(hypothesis, reference, vocabulary);
    CHECK(pairs.size() == table.back().back());
    size_t i = reference.size(), j = hypothesis.size();
    for (const CommonSubsequence::Pair& pair : pairs) {
        while (reference[i - 1] != hypothesis[j - 1]) (table[i][j - 1] > table[i - 1][j] ? j : i) -= 1;
        CHECK(pair.reference == --i && pair.hypothesis == --j);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static EditDistance used;
    static CommonSubsequence used_subsequence;
    Input input(data, size);
    bool is_fresh = input.flag();
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    Numberer numberer(rules);
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(segments.block, segment);
        Sequence hypothesis = numberer.hypothesis(segments.block, segment, references);
        EditDistance fresh;
        CommonSubsequence fresh_subsequence;
        EditDistance& scratch = is_fresh ? fresh : used;
        EditCounts best;
        double lowest = 0;
        bool is_first = true;
        for (Sequence reference : each(references)) {
            EditCounts counts = scratch.count(hypothesis, reference, references.vocabulary_size);
            CHECK(counts.hits + counts.substitutions + counts.deletions == static_cast<int64_t>(reference.size()));
            CHECK(counts.hits + counts.substitutions + counts.insertions == static_cast<int64_t>(hypothesis.size()));
            check_alignment(scratch, counts, hypothesis, reference, references.vocabulary_size);
            if (hypothesis.size() * reference.size() <= kLargeTable) {
                CHECK(static_cast<size_t>(counts.errors()) == edit_distance(hypothesis, reference));
                check_subsequence(is_fresh ? fresh_subsequence : used_subsequence, hypothesis, reference,
                                  references.vocabulary_size);
            }
            double rate = static_cast<double>(counts.errors()) / std::max(1.0, static_cast<double>(reference.size()));
            if (is_first || rate < lowest) best = counts, lowest = rate;
            is_first = false;
        }
        ErrorScratch both;
        EditCounts counts = count_errors(hypothesis, references, false, both);
        CHECK(counts.hits == best.hits && counts.substitutions == best.substitutions);
        CHECK(counts.deletions == best.deletions && counts.insertions == best.insertions);
    }
    return 0;
}
