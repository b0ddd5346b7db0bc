// Alignment, ascending pairs and suffix order against their definitions, on random and repetitive sequences around the sizes at
// which the kernels change their ways.
#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "check.hpp"
#include "refscore/alignment.hpp"
#include "refscore/rank_correlation.hpp"
#include "refscore/suffix_order.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

size_t occurrences(const Words& words, Words::const_iterator begin, Words::const_iterator end) {
    size_t size = static_cast<size_t>(end - begin), count = 0;
    for (size_t i = 0; i + size <= words.size(); ++i) count += std::equal(begin, end, words.begin() + static_cast<ptrdiff_t>(i));
    return count;
}

std::optional<AlignedWord> align_word(const AlignmentSettings& settings, const Words& hypothesis, const Words& reference, size_t i) {
    size_t length = hypothesis.size();
    auto tried = [&](size_t begin, size_t end) -> std::optional<AlignedWord> {
        auto from = hypothesis.begin() + static_cast<ptrdiff_t>(begin), to = hypothesis.begin() + static_cast<ptrdiff_t>(end);
        if (occurrences(reference, from, to) != 1 || occurrences(hypothesis, from, to) != 1) return std::nullopt;
        auto place = static_cast<size_t>(std::search(reference.begin(), reference.end(), from, to) - reference.begin()) + i - begin;
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

void check_alignment(const Words& hypothesis, const Words& reference, uint32_t vocabulary) {
    static Aligner aligner;
    for (FirstContext first : {FirstContext::Left, FirstContext::Right})
        for (ContextLimit limit : {ContextLimit::None, ContextLimit::Nltk}) {
            AlignmentSettings settings{first, limit};
            std::span<const AlignedWord> found = aligner.align(settings, hypothesis, reference, vocabulary);
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
}

void check_suffixes(const Words& words, uint32_t alphabet) {
    static SuffixOrder order;
    order.build(words, alphabet);
    for (size_t k = 1; k < words.size(); ++k) {
        auto before = words.begin() + order.suffix(k - 1), after = words.begin() + order.suffix(k);
        CHECK(std::lexicographical_compare(before, words.end(), after, words.end()));
        auto common = static_cast<size_t>(std::mismatch(before, words.end(), after, words.end()).first - before);
        CHECK(order.common(k) == common);
    }
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

}  // namespace

int main() {
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
                if (round % 3 == 1 && size > 0) std::rotate(hypothesis.begin(), hypothesis.begin() + below(static_cast<uint32_t>(hypothesis.size()) + 1), hypothesis.end());
                check_alignment(hypothesis, reference, vocabulary);
                check_suffixes(hypothesis, vocabulary + 1);
                check_pairs(reference, vocabulary + 1);
            }
    check_suffixes(Words(500, 3), 4);
    check_pairs(make(300, 0, 1000), 1001);
}
