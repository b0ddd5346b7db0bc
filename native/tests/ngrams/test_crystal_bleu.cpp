// The most frequent n-grams and CrystalBLEU's rows equal those computed with maps, and n-grams survive writing and
// reading.
#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/crystal_bleu.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;

struct Tally {
    int64_t count = 0;
    size_t first = 0;  // the number of n-grams of this order before its first occurrence
};

std::map<Sequence, int64_t, SequenceOrder> ngrams(const Sequence& tokens, size_t order) {
    std::map<Sequence, int64_t, SequenceOrder> counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[Sequence(tokens.begin() + i, tokens.begin() + i + order)];
    return counts;
}

// The n-grams to ignore: the first ones by count, then by order, then by first occurrence.
std::map<Sequence, int64_t, SequenceOrder> most_frequent(const std::vector<Sequence>& texts, size_t max_order,
                                                         size_t most) {
    std::map<Sequence, Tally, SequenceOrder> tallies;
    for (size_t order = 1, seen = 0; order <= max_order; ++order)
        for (const Sequence& text : texts)
            for (size_t i = 0; i + order <= text.size(); ++i) {
                Tally& tally = tallies[Sequence(text.begin() + i, text.begin() + i + order)];
                if (tally.count++ == 0) tally.first = ++seen;
            }
    std::vector<std::pair<Sequence, Tally>> ranked(tallies.begin(), tallies.end());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return std::tuple(-a.second.count, a.first.size(), a.second.first) <
               std::tuple(-b.second.count, b.first.size(), b.second.first);
    });
    std::map<Sequence, int64_t, SequenceOrder> frequent;
    for (size_t i = 0; i < std::min(most, ranked.size()); ++i) frequent[ranked[i].first] = ranked[i].second.count;
    return frequent;
}

uint32_t find(const FrequentNgrams& ngrams, const Sequence& ngram) {
    uint32_t number = ngrams.token(token_of_id(ngram[0]), nullptr);
    for (size_t i = 1; i < ngram.size() && number != kUnknown; ++i) {
        uint32_t token = ngrams.token(token_of_id(ngram[i]), nullptr);
        number = token == kUnknown ? kUnknown : ngrams.longer(number, token);
    }
    return number;
}

void check_round(std::mt19937& random) {
    uint32_t kinds = 1 + random() % 8;
    size_t max_order = 1 + random() % 6, most = random() % 3 == 0 ? random() % 2000 : random() % 20;
    auto draw = [&](size_t longest) {
        Sequence tokens(random() % (longest + 1));
        for (uint32_t& token : tokens) token = 1 + random() % kinds;
        return tokens;
    };
    std::vector<Sequence> fitted(1 + random() % 6);
    Lexicon lexicon;
    Collection collection;
    for (Sequence& text : fitted) {
        text = draw(random() % 5 == 0 ? 400 : 12);
        Sequence numbers;
        for (uint32_t token : text) numbers.push_back(lexicon.add(token_of_id(token), nullptr));
        uint32_t length = static_cast<uint32_t>(text.size());
        collection.add(numbers, {&length, 1});
    }
    std::map<Sequence, int64_t, SequenceOrder> frequent = most_frequent(fitted, max_order, most);
    FrequentNgrams counted(lexicon, collection, max_order, most, true);
    std::string bytes = counted.bytes();
    FrequentNgrams ignored(std::span<const char>(bytes.data(), bytes.size()));
    CHECK(ignored.bytes() == bytes);
    CHECK(ignored.size() == counted.size());
    CHECK(ignored.size() == frequent.size());
    for (const auto& [ngram, count] : frequent) CHECK(ignored.weight(find(ignored, ngram)) == count);

    Sequence hypothesis = draw(random() % 5 == 0 ? 80 : 12), tokens, lengths;
    std::vector<Sequence> references(1 + random() % 3);
    for (Sequence& reference : references) {
        reference = random() % 2 ? fitted[random() % fitted.size()] : draw(12);
        tokens.insert(tokens.end(), reference.begin(), reference.end());
        lengths.push_back(static_cast<uint32_t>(reference.size()));
    }
    Vocabulary vocabulary;
    vocabulary.reset();
    vocabulary.reserve(kinds);
    for (uint32_t token = 1; token <= kinds; ++token) vocabulary.add(token_of_id(token), nullptr);
    std::vector<Token> texts;
    for (uint32_t token : hypothesis) texts.push_back(token_of_id(token));
    BleuSettings settings;
    settings.max_order = max_order;
    settings.short_order = ShortOrder::Pad;
    std::vector<int64_t> row(settings.columns());
    static CrystalBleu used;
    used.row(settings, ignored, {{ItemKind::Ids, texts, nullptr}, hypothesis},
             {vocabulary.view(nullptr), kinds, tokens, lengths, ItemKind::Ids}, row);
    for (size_t n = 1; n <= max_order; ++n) {
        std::map<Sequence, int64_t, SequenceOrder> wanted;
        for (const Sequence& reference : references)
            for (const auto& [ngram, count] : ngrams(reference, n)) wanted[ngram] = std::max(wanted[ngram], count);
        int64_t matches = 0, total = 0;
        for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
            if (frequent.contains(ngram)) continue;
            total += count;
            if (wanted.contains(ngram)) matches += std::min(count, wanted[ngram]);
        }
        CHECK(row[1 + n] == matches);
        CHECK(row[1 + max_order + n] == total);
        CHECK(row[1 + 2 * max_order + n] == (total == 0));
    }
    // Bytes that are cut short are rejected.
    for (size_t size : {size_t{0}, size_t{5}, bytes.size() - 1}) {
        bool is_rejected = false;
        try {
            FrequentNgrams(std::span<const char>(bytes.data(), size));
        } catch (const std::invalid_argument&) {
            is_rejected = true;
        }
        CHECK(is_rejected);
    }
}

}  // namespace

TEST_CASE("frequent n-grams and rows equal those computed with maps") {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) check_round(random);
}
