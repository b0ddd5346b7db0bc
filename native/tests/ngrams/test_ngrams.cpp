// Matches of n-grams equal counts in maps, for all sizes that select a different algorithm.
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;

std::map<Sequence, int64_t, SequenceOrder> ngrams(const Sequence& tokens, size_t order) {
    std::map<Sequence, int64_t, SequenceOrder> counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[Sequence(tokens.begin() + i, tokens.begin() + i + order)];
    return counts;
}

std::vector<int64_t> expected_matches(const Sequence& hypothesis, const std::vector<Sequence>& references,
                                      size_t max_order) {
    std::vector<int64_t> matches(max_order);
    for (size_t n = 1; n <= max_order; ++n) {
        std::map<Sequence, int64_t, SequenceOrder> most;
        for (const Sequence& reference : references)
            for (const auto& [ngram, count] : ngrams(reference, n)) most[ngram] = std::max(most[ngram], count);
        for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
            auto found = most.find(ngram);
            if (found != most.end()) matches[n - 1] += std::min(count, found->second);
        }
    }
    return matches;
}

// Numbers the tokens like a vocabulary: from 1 in the references, 0 for others. `unused` further numbers belong to
// other references.
std::vector<int64_t> counted_matches(NgramCounter& counter, const Sequence& hypothesis,
                                     const std::vector<Sequence>& references, size_t max_order, uint32_t unused = 0) {
    std::map<uint32_t, uint32_t> numbers;
    Sequence tokens, lengths, numbered;
    for (const Sequence& reference : references) {
        for (uint32_t token : reference) tokens.push_back(numbers.try_emplace(token, numbers.size() + 1).first->second);
        lengths.push_back(static_cast<uint32_t>(reference.size()));
    }
    for (uint32_t token : hypothesis) numbered.push_back(numbers.count(token) ? numbers[token] : kUnknown);
    std::vector<int64_t> matches(max_order);
    NumberedReferences numbered_references{{}, static_cast<uint32_t>(numbers.size()) + unused, tokens, lengths};
    counter.count(numbered, numbered_references, max_order, matches.data());
    std::vector<uint64_t> marks(numbered.size());
    counter.mark(numbered, numbered_references, max_order, marks.data());
    for (size_t n = 1; n <= max_order; ++n) {
        int64_t marked = 0;
        for (uint64_t mark : marks) marked += mark >> (n - 1) & 1;
        CHECK(marked == matches[n - 1]);
    }
    return matches;
}

}  // namespace

TEST_CASE("matches of n-grams equal counts in maps") {
    std::mt19937 random(2);
    NgramCounter counter;
    for (int round = 0; round < 6000; ++round) {
        size_t longest = std::vector<size_t>{3, 20, 66, 140, 300}[random() % (round % 20 == 0 ? 5 : 3)];
        uint32_t kinds = 1 + random() % 12;
        auto draw = [&] {
            Sequence tokens(random() % (longest + 1));
            for (uint32_t& token : tokens) token = random() % kinds;
            return tokens;
        };
        Sequence hypothesis = draw();
        std::vector<Sequence> references(1 + random() % 6);
        for (Sequence& reference : references) reference = draw();
        size_t max_order = round % 2 ? 4 : 1 + random() % 8;
        CHECK(counted_matches(counter, hypothesis, references, max_order) ==
              expected_matches(hypothesis, references, max_order));
    }
    // Long references: copies with changed tokens, unrelated tokens, and passages that occur more than once.
    for (size_t size : {63u, 64u, 65u, 127u, 128u, 129u, 511u, 512u, 513u, 2000u})
        for (uint32_t kinds : {2u, 50u, 1000u, 100000u}) {
            auto draw = [&] {
                Sequence tokens(size);
                for (uint32_t& token : tokens) token = random() % (1 + random() % kinds);
                return tokens;
            };
            Sequence hypothesis = draw(), copy = hypothesis, repeated = hypothesis;
            for (uint32_t& token : copy)
                if (random() % 5 == 0) token = random() % kinds;
            std::copy(repeated.begin(), repeated.begin() + static_cast<ptrdiff_t>(size / 3),
                      repeated.begin() + static_cast<ptrdiff_t>(size / 2));
            for (const std::vector<Sequence>& references : std::vector<std::vector<Sequence>>{
                     {copy}, {draw()}, {repeated}, {hypothesis}, {copy, draw(), repeated, {}}})
                for (size_t max_order : {1u, 2u, 4u, 7u})
                    CHECK(counted_matches(counter, hypothesis, references, max_order, size % 2 ? 50000 : 0) ==
                          expected_matches(hypothesis, references, max_order));
        }
    std::vector<uint64_t> marks(3);
    Sequence tokens{1, 2, 3};
    uint32_t length = 3;
    NumberedReferences none{{}, 3, {}, {}}, one{{}, 3, tokens, {&length, 1}};
    for (size_t max_order : {1, 4, 5})
        CHECK_THROWS_AS(counter.count(tokens, none, max_order, nullptr), std::invalid_argument);
    CHECK_THROWS_AS(counter.mark(tokens, none, 4, marks.data()), std::invalid_argument);
    CHECK_THROWS_AS(counter.mark(tokens, one, 65, marks.data()), std::invalid_argument);
    counter.mark(tokens, one, 64, marks.data());
    CHECK((marks == std::vector<uint64_t>{1, 3, 7}));
}
