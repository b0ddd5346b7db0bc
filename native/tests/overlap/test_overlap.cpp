// Overlaps equal those of sets, on one thread and on several; a filter misses nothing and keeps its rate of false
// matches.
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/overlap/overlap.hpp"
#include "refscore/overlap/overlap_filter.hpp"
#include "refscore/threads/parallel.hpp"

using namespace refscore;

namespace {

using Text = std::vector<std::string>;

// The tokens of texts, in memory of exactly their size.
class Lists {
  public:
    explicit Lists(const std::vector<Text>& texts) : lists_(texts.size()) {
        Numberer numberer{TextRules()};
        for (size_t i = 0; i < texts.size(); ++i) {
            Block block;
            block.clear();
            block.kind = ItemKind::Tokens;
            for (const std::string& token : texts[i])
                block.texts.push_back({token.data(), token.size(), Encoding::Utf8});
            block.hypotheses.push_back({0, texts[i].size()});
            numberer.read_hypothesis(block, 0, lists_[i]);
        }
    }
    std::span<const TokenList> all() const { return lists_; }

  private:
    std::vector<TokenList> lists_;
};

std::vector<Text> ngrams(const Text& text, size_t order) {
    std::vector<Text> all;
    for (size_t i = 0; i + order <= text.size(); ++i)
        all.emplace_back(text.begin() + static_cast<ptrdiff_t>(i), text.begin() + static_cast<ptrdiff_t>(i + order));
    return all;
}

std::vector<Text> generate(std::mt19937& random, size_t count, size_t length, unsigned words) {
    std::vector<Text> texts(count);
    for (Text& text : texts)
        for (size_t i = random() % (length + 1); i > 0; --i) {
            unsigned word = random() % words;
            // Also long tokens, and tokens that differ only in zero bytes.
            text.push_back(word % 7 == 0   ? std::string(20, 'x') + std::to_string(word)
                           : word % 7 == 1 ? "a" + std::string(word / 7 % 4, '\0')
                                           : std::to_string(word));
        }
    return texts;
}

void check_index(const std::vector<Text>& segments, const std::vector<Text>& corpus, size_t order, size_t most,
                 size_t threads) {
    OverlapIndex index;
    Lists segment_lists(segments), corpus_lists(corpus);
    for (const TokenList& list : segment_lists.all()) {
        std::vector<uint32_t> tokens;
        for (const Token& token : list.tokens) tokens.push_back(index.number(token, list.arena.data()));
        auto length = static_cast<uint32_t>(tokens.size());
        index.add(tokens, {&length, 1});
    }
    index.build(order, most, threads);
    parallel_for(
        corpus.size(), threads,
        [&] {
            return [&, scratch = NgramScratch()](size_t from, size_t to) mutable {
                index.scan(corpus_lists.all().subspan(from, to - from), scratch);
            };
        },
        3, 1'000'000);
    std::map<Text, size_t> documents;
    for (const Text& document : corpus) {
        std::vector<Text> all = ngrams(document, order);
        for (const Text& ngram : std::set<Text>(all.begin(), all.end())) ++documents[ngram];
    }
    NgramScratch scratch;
    for (size_t s = 0; s < segments.size(); ++s) {
        OverlapCounts counts = index.count(s, scratch);
        std::vector<Text> all = ngrams(segments[s], order);
        std::set<size_t> covered;
        int64_t matches = 0;
        for (size_t i = 0; i < all.size(); ++i) {
            auto found = documents.find(all[i]);
            if (found == documents.end() || (most > 0 && found->second > most)) continue;
            ++matches;
            for (size_t k = 0; k < order; ++k) covered.insert(i + k);
        }
        CHECK(counts.tokens == static_cast<int64_t>(segments[s].size()));
        CHECK(counts.ngrams == static_cast<int64_t>(all.size()));
        CHECK(counts.matches == matches);
        CHECK(counts.covered == static_cast<int64_t>(covered.size()));
    }
}

void check_filter() {
    std::mt19937 random(3);
    std::vector<Text> corpus = generate(random, 300, 40, 1'000'000), others = generate(random, 3000, 40, 1'000'000);
    Lists lists(corpus), other_lists(others);
    for (size_t hashes : {1, 7, 8, 14}) {
        OverlapFilter filter(3, 64, hashes);
        CHECK(filter.false_positive_rate() == 0);
        NgramScratch scratch;
        size_t total = 0;
        for (const Text& text : corpus) total += ngrams(text, 3).size();
        CHECK(filter.add(lists.all(), scratch) == total);
        for (const TokenList& list : lists.all()) {
            OverlapCounts counts = filter.count(list, scratch);
            CHECK(counts.matches == counts.ngrams);
        }
        double rate = filter.false_positive_rate(), queries = 0, matches = 0;
        for (const TokenList& list : other_lists.all()) {
            OverlapCounts counts = filter.count(list, scratch);
            queries += static_cast<double>(counts.ngrams);
            matches += static_cast<double>(counts.matches);
        }
        CHECK(rate > 0);
        CHECK(std::fabs(matches - queries * rate) <= 6 * std::sqrt(queries * rate * (1 - rate)) + 3);
    }
}

void check_preconditions() {
    OverlapIndex index;
    NgramScratch scratch;
    uint32_t one = 1, two = 2;
    CHECK_THROWS((index.add({&one, 1}, {&one, 1})));  // an unknown token
    CHECK_THROWS((index.add({}, {&two, 1})));
    CHECK(index.size() == 0);
    CHECK_THROWS((index.scan({}, scratch)));
    CHECK_THROWS(index.count(0, scratch));
    CHECK_THROWS(index.build(0, 0, 1));
    CHECK_THROWS(index.build(SIZE_MAX, 0, 1));
    CHECK_THROWS(index.build(1, 255, 1));
    index.build(1, 0, 1);
    CHECK_THROWS(index.build(1, 0, 1));
    CHECK_THROWS((index.add({}, {})));
    index.scan(Lists({{"a", "b"}, {}}).all(), scratch);
    CHECK_THROWS(OverlapFilter(0, 1, 1));
    CHECK_THROWS(OverlapFilter(SIZE_MAX, 1, 1));
    CHECK_THROWS(OverlapFilter(1, 0, 1));
    CHECK_THROWS((OverlapFilter(1, size_t{UINT32_MAX} + 1, 1)));
    CHECK_THROWS(OverlapFilter(1, 1, 0));
    CHECK_THROWS(OverlapFilter(1, 1, 15));
}

}  // namespace

TEST_CASE("overlaps equal those of sets") {
    std::mt19937 random(1);
    for (int round = 0; round < 60; ++round) {
        unsigned words = round % 3 == 0 ? 3 : 40;
        std::vector<Text> segments = generate(random, random() % 40, 30, words),
                          corpus = generate(random, random() % 60, 30, words);
        for (const Text& segment : segments)
            if (random() % 2 == 0) corpus.push_back(segment);
        check_index(segments, corpus, 1 + random() % 6, random() % 4, 1 + random() % 4);
    }
    check_filter();
    check_preconditions();
}
