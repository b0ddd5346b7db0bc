// RIBES' alignment, ascending pairs and suffix order equal their definitions. The score is between 0 and 1.
#include "refscore/distance/ribes.hpp"

#include "expected.hpp"
#include "input.hpp"

// It uses CHECK, which input.hpp defines.
#include "distance/ribes_definition.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Ribes used;
    static Aligner used_aligner;
    static SuffixOrder used_order;
    Input input(data, size);
    RibesSettings settings;
    uint8_t flags = input.byte();
    settings.alignment.first = static_cast<FirstContext>(flags & 1);
    settings.alignment.limit = static_cast<ContextLimit>(flags >> 1 & 1);
    settings.correlation = static_cast<Correlation>(flags >> 2 & 3);
    settings.single_word = static_cast<SingleWord>(flags >> 4 & 1);
    settings.empty_reference = static_cast<EmptyReferenceRule>(flags / 32 % 3);
    settings.alpha = input.choose({0.25, 0.0, 1.0});
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    double score = 0;
    read_all_ways(
        segments.block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
            bool has_empty =
                std::find(references.lengths.begin(), references.lengths.end(), 0u) != references.lengths.end();
            RibesRow row;
            try {
                row = used.row(settings, hypothesis, references);
                CHECK(!has_empty || settings.empty_reference != EmptyReferenceRule::Error);
            } catch (const EmptyReference& empty) {
                CHECK(settings.empty_reference == EmptyReferenceRule::Error &&
                      references.lengths[empty.reference] == 0);
                return;
            }
            CHECK(row.score >= 0 && row.score <= 1 && row.correlation >= 0 && row.correlation <= 1);
            CHECK(Ribes().row(settings, hypothesis, references).score == row.score);
            if (is_first) score = row.score;
            CHECK(row.score == score);
            if (!is_first) return;
            for (Sequence reference : each(references)) {
                if (reference.empty() || hypothesis.empty()) continue;
                Aligner fresh;
                std::span<const AlignedWord> found =
                    used_aligner.align(settings.alignment, hypothesis, reference, references.vocabulary_size);
                std::span<const AlignedWord> again =
                    fresh.align(settings.alignment, hypothesis, reference, references.vocabulary_size);
                CHECK(found.size() == again.size());
                Words ranks;
                for (size_t i = 0; i < found.size(); ++i) {
                    CHECK(found[i].position == again[i].position && found[i].rank == again[i].rank);
                    CHECK(found[i].rank < reference.size() &&
                          hypothesis[found[i].position] == reference[found[i].rank]);
                    ranks.push_back(found[i].rank);
                }
                if (ranks.size() <= 300) check_pairs(ranks, reference.size());
                if (hypothesis.size() + reference.size() <= 300)
                    check_suffixes(used_order, hypothesis, references.vocabulary_size);
                if (hypothesis.size() * reference.size() <= 1 << 10)
                    check_alignment(found, settings.alignment, hypothesis, reference);
            }
        });
    return 0;
}
