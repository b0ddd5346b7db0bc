// Loops equal those found by comparing every n-gram with the next ones.
#include <algorithm>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/repetition.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;

// Marks the tokens of `repeats` equal n-grams in a row, for every place and order.
std::vector<bool> expected_tokens(const Sequence& tokens, size_t max_order, size_t repeats) {
    std::vector<bool> looped(tokens.size());
    for (size_t order = 1; order <= max_order; ++order)
        for (size_t i = 0; i + order * repeats <= tokens.size(); ++i) {
            auto ngram = [&](size_t r) { return Sequence(&tokens[i + r * order], &tokens[i + r * order] + order); };
            bool is_loop = true;
            for (size_t r = 1; r < repeats; ++r) is_loop &= ngram(r) == ngram(0);
            if (is_loop) std::fill_n(looped.begin() + static_cast<std::ptrdiff_t>(i), order * repeats, true);
        }
    return looped;
}

void check_round(std::mt19937& random, Repetition& repetition) {
    uint32_t kinds = 1 + random() % 4;
    Sequence tokens;
    for (size_t parts = random() % 5; parts > 0; --parts) {
        Sequence ngram(1 + random() % 7);
        for (uint32_t& token : ngram) token = 1 + random() % kinds;
        for (size_t repeats = random() % 6; repeats > 0; --repeats)
            tokens.insert(tokens.end(), ngram.begin(), ngram.end());
        for (size_t rest = random() % ngram.size(); rest > 0; --rest) tokens.push_back(ngram[rest]);
    }
    RepetitionSettings settings;
    settings.max_order = 1 + random() % 9;
    settings.repeats = 2 + random() % 4;
    std::vector<bool> expected = expected_tokens(tokens, settings.max_order, settings.repeats);
    auto looped = static_cast<size_t>(std::count(expected.begin(), expected.end(), true));
    RepetitionRow row = repetition.row(settings, tokens);
    CHECK(row.looped == looped);
    CHECK(row.tokens == tokens.size());
    CHECK(row.loops == (looped > 0));
    CHECK(row.segments == 1);
    std::vector<bool> found(tokens.size());
    for (const Loop& loop : repetition.find(settings, tokens)) {
        CHECK(loop.end - loop.begin >= loop.order * settings.repeats);
        CHECK(loop.order <= settings.max_order);
        for (size_t i = loop.begin; i < loop.end; ++i) {
            found[i] = true;
            CHECK((i < loop.begin + loop.order || tokens[i] == tokens[i - loop.order]));
        }
    }
    CHECK(found == expected);
}

}  // namespace

TEST_CASE("loops equal those found by comparing every n-gram") {
    std::mt19937 random(1);
    Repetition repetition;
    for (int round = 0; round < 20000; ++round) check_round(random, repetition);
}
