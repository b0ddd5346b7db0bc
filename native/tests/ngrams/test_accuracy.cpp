// Accuracy: containment equals std::search, and votes equal their definition, for any tokens.
#include "refscore/ngrams/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "doctest.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

bool by_definition(AnswerMatch match, const Words& hypothesis, const Words& reference) {
    if (match == AnswerMatch::Equal) return hypothesis == reference;
    return std::search(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end()) != hypothesis.end() ||
           reference.empty();
}

double votes_by_definition(const std::vector<bool>& matches) {
    double total = 0;
    for (size_t left_out = 0; left_out < matches.size(); ++left_out) {
        int votes = 0;
        for (size_t i = 0; i < matches.size(); ++i) votes += i != left_out && matches[i];
        total += std::min(1.0, votes / 3.0);
    }
    return total / static_cast<double>(matches.size());
}

TEST_CASE("against definition") {
    std::mt19937 random(9);
    Accuracy scratch;
    for (int round = 0; round < 20000; ++round) {
        AccuracySettings settings;
        settings.match = random() % 2 == 0 ? AnswerMatch::Equal : AnswerMatch::Contains;
        settings.is_vote = random() % 2 == 0;
        settings.check();
        uint32_t words = 1 + static_cast<uint32_t>(random()) % 3;
        auto draw = [&](size_t longest, uint32_t least) {
            Words drawn(random() % (longest + 1));
            for (uint32_t& word : drawn) word = least + static_cast<uint32_t>(random()) % (words + 1 - least);
            return drawn;
        };
        Words hypothesis = draw(settings.match == AnswerMatch::Equal ? 2 : 12, 0), joined;
        std::vector<uint32_t> lengths;
        std::vector<bool> matches;
        for (size_t r = 0, size = 1 + random() % 10; r < size; ++r) {
            Words reference = draw(settings.match == AnswerMatch::Equal ? 2 : 5, 1);
            joined.insert(joined.end(), reference.begin(), reference.end());
            lengths.push_back(static_cast<uint32_t>(reference.size()));
            matches.push_back(by_definition(settings.match, hypothesis, reference));
        }
        double score = scratch.score(settings, {{ItemKind::Tokens, {}, nullptr}, hypothesis},
                                     {VocabularyView{}, words, joined, lengths}),
               expected = settings.is_vote ? votes_by_definition(matches)
                                           : std::find(matches.begin(), matches.end(), true) != matches.end();
        CHECK(std::abs(score - expected) < 1e-12);
    }
}

}  // namespace
