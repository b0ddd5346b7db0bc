// Rows of each text with all others, and distinct n-grams, equal counts in maps, on one thread and on several.
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/diversity.hpp"
#include "refscore/ngrams/gleu.hpp"
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

int64_t common(const std::map<Sequence, int64_t, SequenceOrder>& own,
               const std::map<Sequence, int64_t, SequenceOrder>& other) {
    int64_t sum = 0;
    for (const auto& [ngram, count] : own)
        if (auto found = other.find(ngram); found != other.end()) sum += std::min(count, found->second);
    return sum;
}

std::vector<int64_t> expected_matches(const std::vector<Sequence>& texts, size_t own, size_t max_order) {
    std::vector<int64_t> matches;
    for (size_t n = 1; n <= max_order; ++n) {
        std::map<Sequence, int64_t, SequenceOrder> most;
        for (size_t other = 0; other < texts.size(); ++other)
            if (other != own)
                for (const auto& [ngram, count] : ngrams(texts[other], n)) most[ngram] = std::max(most[ngram], count);
        matches.push_back(common(ngrams(texts[own], n), most));
    }
    return matches;
}

void check_set(const std::vector<Sequence>& texts, uint32_t vocabulary, size_t max_order, size_t threads) {
    Collection collection;
    for (const Sequence& text : texts) {
        uint32_t length = static_cast<uint32_t>(text.size());
        collection.add(text, {&length, 1});
    }
    CHECK(collection.size() == texts.size());
    BleuSettings settings;
    settings.max_order = max_order;
    std::vector<int64_t> rows(texts.size() * settings.columns());
    leave_one_out_rows(settings, collection, vocabulary, threads, rows);
    for (size_t text = 0; text < texts.size(); ++text) {
        const int64_t* row = rows.data() + text * settings.columns();
        CHECK(row[0] == static_cast<int64_t>(texts[text].size()));
        int64_t closest = INT64_MAX;
        for (size_t other = 0; other < texts.size(); ++other) {
            int64_t length = static_cast<int64_t>(texts[other].size());
            int64_t distance = std::abs(length - row[0]), best = std::abs(closest - row[0]);
            if (other != text && (distance < best || (distance == best && length < closest))) closest = length;
        }
        CHECK(row[1] == closest);
        CHECK(std::vector<int64_t>(row + 2, row + 2 + max_order) == expected_matches(texts, text, max_order));
    }
    std::vector<uint64_t> distinct = distinct_ngrams(collection, vocabulary, max_order, threads);
    for (size_t n = 1; n <= max_order; ++n) {
        std::set<Sequence, SequenceOrder> all;
        for (const Sequence& text : texts)
            for (const auto& [ngram, count] : ngrams(text, n)) all.insert(ngram);
        CHECK(distinct[n - 1] == all.size());
    }
}

// The best of many references, in a vocabulary that mainly belongs to the others.
void check_gleu(const Sequence& hypothesis, const std::vector<Sequence>& references, uint32_t vocabulary,
                size_t min_order, size_t max_order) {
    Sequence tokens, lengths;
    GleuRow best;
    auto count = [&](const Sequence& text) {
        int64_t sum = 0;
        for (size_t n = min_order; n <= max_order && n <= text.size(); ++n)
            sum += static_cast<int64_t>(text.size() - n + 1);
        return sum;
    };
    for (const Sequence& reference : references) {
        tokens.insert(tokens.end(), reference.begin(), reference.end());
        lengths.push_back(static_cast<uint32_t>(reference.size()));
        GleuRow row{0, std::max(count(hypothesis), count(reference))};
        for (size_t n = min_order; n <= max_order; ++n)
            row.matches += common(ngrams(hypothesis, n), ngrams(reference, n));
        if (row.total > 0 && (best.total == 0 || row.value() > best.value())) best = row;
    }
    GleuRow row = Gleu().row({min_order, max_order}, hypothesis, {{}, vocabulary, tokens, lengths});
    CHECK(row.matches == best.matches);
    CHECK(row.total == best.total);
}

void check_lexicon() {
    Lexicon lexicon;
    std::vector<std::string> words;
    for (int i = 0; i < 3000; ++i) words.push_back(std::string(static_cast<size_t>(i % 40), 'x') + std::to_string(i));
    auto token = [](const std::string& word) {
        auto bytes = reinterpret_cast<const uint8_t*>(word.data());
        uint32_t size = static_cast<uint32_t>(word.size());
        return size > Token::kInline ? Token{hash_bytes(bytes, size), 0, size} : short_token(bytes, size);
    };
    auto arena = [](const std::string& word) { return reinterpret_cast<const uint8_t*>(word.data()); };
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < words.size(); ++i) CHECK(lexicon.add(token(words[i]), arena(words[i])) == i + 1);
    std::vector<uint32_t> numbers = lexicon.sort();
    for (size_t i = 0; i < words.size(); ++i) {
        uint32_t number = lexicon.find(token(words[i]), arena(words[i]));
        CHECK(number == numbers[i + 1]);
        Lexicon::Inlined inlined;
        auto bytes = lexicon.bytes(number, inlined);
        CHECK(std::string(bytes.begin(), bytes.end()) == words[i]);
        if (number > 1) {
            auto before = lexicon.bytes(number - 1, inlined);
            CHECK(std::string(before.begin(), before.end()) < words[i]);
        }
    }
    CHECK(lexicon.find(token("new"), arena("new")) == kUnknown);
}

}  // namespace

TEST_CASE("rows of sets of texts equal counts in maps") {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        uint32_t kinds = 1 + random() % (round % 3 == 0 ? 100 : 6);
        auto draw = [&](size_t longest) {
            Sequence tokens(random() % (longest + 1));
            for (uint32_t& token : tokens) token = 1 + random() % kinds;
            return tokens;
        };
        std::vector<Sequence> texts(2 + random() % 12);
        for (Sequence& text : texts) text = draw(round % 5 == 0 ? 60 : 9);
        check_set(texts, kinds, 1 + random() % 6, 1 + random() % 3);
        size_t min_order = 1 + random() % 3;
        check_gleu(draw(8), texts, round % 2 ? kinds : 10000, min_order, min_order + random() % 4);
    }
    check_set({{}, {}}, 0, 3, 2);
    check_lexicon();
}
