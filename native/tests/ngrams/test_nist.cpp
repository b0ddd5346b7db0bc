// NIST's weights and rows equal those computed with maps, and survive writing and reading.
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/nist.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;

bool close(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::max({1.0, std::fabs(a), std::fabs(b)}); }

std::map<Sequence, int64_t, SequenceOrder> ngrams(const Sequence& tokens, size_t order) {
    std::map<Sequence, int64_t, SequenceOrder> counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[Sequence(tokens.begin() + i, tokens.begin() + i + order)];
    return counts;
}

// A vocabulary of a segment that maps each token to the same number.
struct OwnNumbers {
    Vocabulary vocabulary;
    explicit OwnNumbers(uint32_t kinds) {
        vocabulary.reset();
        vocabulary.reserve(kinds);
        for (uint32_t token = 1; token <= kinds; ++token) vocabulary.add(token_of_id(token), nullptr);
    }
};

double weight(const std::map<Sequence, int64_t, SequenceOrder>& counts, int64_t words, const Sequence& ngram) {
    auto found = counts.find(ngram);
    if (found == counts.end()) return 0;
    int64_t whole = ngram.size() == 1 ? words : counts.at(Sequence(ngram.begin(), ngram.end() - 1));
    return std::log2(static_cast<double>(whole) / static_cast<double>(found->second));
}

void check_round(std::mt19937& random) {
    uint32_t kinds = 1 + random() % 8;
    size_t max_order = 1 + random() % 7;
    auto draw = [&](size_t longest) {
        Sequence tokens(random() % (longest + 1));
        for (uint32_t& token : tokens) token = 1 + random() % kinds;
        return tokens;
    };
    std::vector<Sequence> fitted(1 + random() % 6);
    std::map<Sequence, int64_t, SequenceOrder> counts;
    int64_t words = 0;
    Lexicon lexicon;
    Collection collection;
    for (Sequence& text : fitted) {
        text = draw(random() % 5 == 0 ? 80 : 12);
        words += static_cast<int64_t>(text.size());
        for (size_t n = 1; n <= max_order; ++n)
            for (const auto& [ngram, count] : ngrams(text, n)) counts[ngram] += count;
        Sequence numbers;
        for (uint32_t token : text) numbers.push_back(lexicon.add(token_of_id(token), nullptr));
        uint32_t length = static_cast<uint32_t>(text.size());
        collection.add(numbers, {&length, 1});
    }
    NistInformation counted(lexicon, collection, max_order, true);
    std::string bytes = counted.bytes();
    NistInformation information(std::span<const char>(bytes.data(), bytes.size()));
    CHECK(information.bytes() == bytes);
    CHECK(information.size() == counted.size());

    Sequence hypothesis = draw(random() % 5 == 0 ? 80 : 12), tokens, lengths;
    std::vector<Sequence> references(1 + random() % 3);
    for (Sequence& reference : references) {
        reference = random() % 2 ? fitted[random() % fitted.size()] : draw(12);
        tokens.insert(tokens.end(), reference.begin(), reference.end());
        lengths.push_back(static_cast<uint32_t>(reference.size()));
    }
    OwnNumbers numbers(kinds);
    std::vector<double> row(Nist::columns(max_order));
    Nist().row(information, hypothesis, {numbers.vocabulary.view(nullptr), kinds, tokens, lengths, ItemKind::Ids}, row);
    CHECK(row[0] == static_cast<double>(hypothesis.size()));
    for (size_t n = 1; n <= max_order; ++n) {
        double most = 0;
        for (const Sequence& reference : references) {
            double sum = 0;
            auto there = ngrams(reference, n);
            for (const auto& [ngram, count] : ngrams(hypothesis, n))
                if (auto found = there.find(ngram); found != there.end())
                    sum += weight(counts, words, ngram) * static_cast<double>(std::min(count, found->second));
            most = std::max(most, sum);
        }
        CHECK(close(row[1 + n], most));
        CHECK(row[1 + max_order + n] == (hypothesis.size() < n ? 0 : static_cast<double>(hypothesis.size() - n + 1)));
    }
    for (uint32_t order : {0u, 65u, UINT32_MAX}) {
        std::string broken = bytes;
        std::memcpy(broken.data() + 17, &order, sizeof order);
        bool is_refused = false;
        try {
            NistInformation read(std::span<const char>(broken.data(), broken.size()));
        } catch (const std::invalid_argument&) {
            is_refused = true;
        }
        CHECK(is_refused);
    }
    for (int i = 0; i < 20; ++i) {
        std::string broken = bytes.substr(0, random() % (bytes.size() + 1));
        if (!broken.empty()) broken[random() % broken.size()] = static_cast<char>(random());
        try {
            NistInformation read(std::span<const char>(broken.data(), broken.size()));
            (void)read.bytes();
        } catch (const std::invalid_argument&) {}
    }
}

}  // namespace

TEST_CASE("information equals that computed with maps") {
    std::mt19937 random(4);
    for (int round = 0; round < 2000; ++round) check_round(random);
}
