// Slow definitions of RIBES' alignment, ascending pairs and suffix order, with checks against them. The including file
// defines CHECK.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "refscore/distance/alignment.hpp"
#include "refscore/overlap/suffix_order.hpp"
#include "refscore/statistics/rank_correlation.hpp"

namespace refscore {

inline size_t occurrences(std::span<const uint32_t> words, std::span<const uint32_t> part) {
    size_t count = 0;
    for (size_t i = 0; i + part.size() <= words.size(); ++i)
        count += std::equal(part.begin(), part.end(), words.begin() + static_cast<ptrdiff_t>(i));
    return count;
}

inline std::optional<AlignedWord> align_word(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                             std::span<const uint32_t> reference, size_t i) {
    size_t length = hypothesis.size();
    auto tried = [&](size_t begin, size_t end) -> std::optional<AlignedWord> {
        std::span<const uint32_t> context = hypothesis.subspan(begin, end - begin);
        if (occurrences(reference, context) != 1 || occurrences(hypothesis, context) != 1) return std::nullopt;
        auto found = std::search(reference.begin(), reference.end(), context.begin(), context.end());
        auto place = static_cast<size_t>(found - reference.begin()) + i - begin;
        return AlignedWord{static_cast<uint32_t>(i), static_cast<uint32_t>(place), static_cast<uint32_t>(begin),
                           static_cast<uint32_t>(end)};
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

inline void check_alignment(std::span<const AlignedWord> found, const AlignmentSettings& settings,
                            std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    size_t k = 0;
    for (size_t i = 0; i < hypothesis.size(); ++i) {
        std::optional<AlignedWord> expected = align_word(settings, hypothesis, reference, i);
        if (!expected) continue;
        CHECK(k < found.size());
        CHECK(found[k].position == expected->position);
        CHECK(found[k].rank == expected->rank);
        CHECK(found[k].begin == expected->begin);
        CHECK(found[k].end == expected->end);
        ++k;
    }
    CHECK(k == found.size());
}

inline void check_pairs(const std::vector<uint32_t>& ranks, size_t limit) {
    uint64_t pairs = 0;
    for (size_t j = 0; j < ranks.size(); ++j)
        for (size_t i = 0; i < j; ++i) pairs += ranks[i] < ranks[j];
    CHECK(AscendingPairs().count(ranks, limit) == pairs);
    std::vector<int64_t> spread;
    for (uint32_t rank : ranks) spread.push_back(static_cast<int64_t>(rank) * 3'000'000'000 - 7'000'000'000);
    CHECK(AscendingPairs().count(spread) == pairs);
}

inline void check_suffixes(SuffixOrder& order, std::span<const uint32_t> words, uint32_t vocabulary) {
    order.build(words, vocabulary + 1);
    for (size_t k = 1; k < words.size(); ++k) {
        auto before = words.begin() + order.suffix(k - 1), after = words.begin() + order.suffix(k);
        CHECK(std::lexicographical_compare(before, words.end(), after, words.end()));
        CHECK(order.common(k) ==
              static_cast<size_t>(std::mismatch(before, words.end(), after, words.end()).first - before));
    }
}

}  // namespace refscore
