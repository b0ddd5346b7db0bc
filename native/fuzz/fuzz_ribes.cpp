// RIBES' alignment, ascending pairs and suffix order equal their definitions; its score lies between 0 and 1.
#include <optional>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ribes.hpp"
#include "refscore/suffix_order.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

size_t occurrences(Sequence words, Sequence part) {
    size_t count = 0;
    for (size_t i = 0; i + part.size() <= words.size(); ++i) count += std::equal(part.begin(), part.end(), words.begin() + static_cast<ptrdiff_t>(i));
    return count;
}

std::optional<AlignedWord> align_word(const AlignmentSettings& settings, Sequence hypothesis, Sequence reference, size_t i) {
    size_t length = hypothesis.size();
    auto tried = [&](size_t begin, size_t end) -> std::optional<AlignedWord> {
        Sequence context = hypothesis.subspan(begin, end - begin);
        if (occurrences(reference, context) != 1 || occurrences(hypothesis, context) != 1) return std::nullopt;
        auto found = std::search(reference.begin(), reference.end(), context.begin(), context.end());
        auto place = static_cast<size_t>(found - reference.begin()) + i - begin;
        return AlignedWord{static_cast<uint32_t>(i), static_cast<uint32_t>(place), static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    };
    if (auto found = tried(i, i + 1)) return found;
    size_t bound = settings.limit == ContextLimit::None ? length + 2 : std::max(i, length - i + 1);
    for (size_t width = 1; width < bound; ++width)
        for (bool left : {settings.first == FirstContext::Left, settings.first != FirstContext::Left}) {
            if (left ? width > i : i + width >= length) continue;
            if (auto found = left ? tried(i - width, i + 1) : tried(i, i + width + 1)) return found;
        }
    return std::nullopt;
}

void check_alignment(std::span<const AlignedWord> found, const AlignmentSettings& settings, Sequence hypothesis, Sequence reference) {
    size_t k = 0;
    for (size_t i = 0; i < hypothesis.size(); ++i) {
        std::optional<AlignedWord> expected = align_word(settings, hypothesis, reference, i);
        if (!expected) continue;
        CHECK(k < found.size());
        CHECK(found[k].position == expected->position && found[k].rank == expected->rank);
        CHECK(found[k].begin == expected->begin && found[k].end == expected->end);
        ++k;
    }
    CHECK(k == found.size());
}

void check_pairs(const Words& ranks, size_t limit) {
    uint64_t pairs = 0;
    for (size_t j = 0; j < ranks.size(); ++j)
        for (size_t i = 0; i < j; ++i) pairs += ranks[i] < ranks[j];
    CHECK(AscendingPairs().count(ranks, limit) == pairs);
    std::vector<int64_t> spread;
    for (uint32_t rank : ranks) spread.push_back(static_cast<int64_t>(rank) * 3'000'000'000 - 7'000'000'000);
    CHECK(AscendingPairs().count(spread) == pairs);
}

void check_suffixes(SuffixOrder& order, Sequence words, uint32_t vocabulary) {
    order.build(words, vocabulary + 1);
    for (size_t k = 1; k < words.size(); ++k) {
        auto before = words.begin() + order.suffix(k - 1), after = words.begin() + order.suffix(k);
        CHECK(std::lexicographical_compare(before, words.end(), after, words.end()));
        CHECK(order.common(k) == static_cast<size_t>(std::mismatch(before, words.end(), after, words.end()).first - before));
    }
}

}  // namespace

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
    read_all_ways(segments.block, rules, [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
        bool has_empty = std::find(references.lengths.begin(), references.lengths.end(), 0u) != references.lengths.end();
        RibesRow row;
        try {
            row = used.row(settings, hypothesis, references);
            CHECK(!has_empty || settings.empty_reference != EmptyReferenceRule::Error);
        } catch (const EmptyReference& empty) {
            CHECK(settings.empty_reference == EmptyReferenceRule::Error && references.lengths[empty.reference] == 0);
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
            std::span<const AlignedWord> found = used_aligner.align(settings.alignment, hypothesis, reference, references.vocabulary_size);
            std::span<const AlignedWord> again = fresh.align(settings.alignment, hypothesis, reference, references.vocabulary_size);
            CHECK(found.size() == again.size());
            Words ranks;
            for (size_t i = 0; i < found.size(); ++i) {
                CHECK(found[i].position == again[i].position && found[i].rank == again[i].rank);
                CHECK(found[i].rank < reference.size() && hypothesis[found[i].position] == reference[found[i].rank]);
                ranks.push_back(found[i].rank);
            }
            if (ranks.size() <= 300) check_pairs(ranks, reference.size());
            if (hypothesis.size() + reference.size() <= 300) check_suffixes(used_order, hypothesis, references.vocabulary_size);
            if (hypothesis.size() * reference.size() <= 1 << 10) check_alignment(found, settings.alignment, hypothesis, reference);
        }
    });
    return 0;
}
