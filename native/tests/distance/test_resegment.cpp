// Cuts have the least cost of all cuts, and are the latest or the earliest of those. One and several references, with
// and without forbidden cuts, and with every instruction set.
#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/resegment.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;
using Entries = std::vector<std::vector<Words>>;

size_t distance(std::span<const uint32_t> hypothesis, const Words& reference) {
    std::vector<size_t> row(hypothesis.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= reference.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 1; j <= hypothesis.size(); ++j) {
            size_t pair = diagonal + (reference[i - 1] != hypothesis[j - 1]);
            diagonal = row[j];
            row[j] = std::min({pair, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

struct Example {
    Words hypothesis, tokens;
    std::vector<int64_t> reference_ends, segment_ends;
    std::vector<uint8_t> allowed;
    std::vector<PunctuationSide> sides;
    uint32_t vocabulary;
    Entries entries;

    Example(Words words, Entries references, uint32_t size)
        : hypothesis(std::move(words)), vocabulary(size), entries(std::move(references)) {
        for (const std::vector<Words>& entry : entries) {
            for (const Words& reference : entry) {
                tokens.insert(tokens.end(), reference.begin(), reference.end());
                reference_ends.push_back(static_cast<int64_t>(tokens.size()));
            }
            segment_ends.push_back(static_cast<int64_t>(reference_ends.size()));
        }
    }
    ResegmentInput input() const {
        return {hypothesis, tokens, reference_ends, segment_ends, vocabulary, allowed, sides};
    }
    bool can_cut(size_t at) const { return at == 0 || at == hypothesis.size() || allowed.empty() || allowed[at] != 0; }
    int64_t cost(size_t segment, size_t begin, size_t end) const {
        size_t least = SIZE_MAX;
        for (const Words& reference : entries[segment])
            least = std::min(least, distance(std::span(hypothesis).subspan(begin, end - begin), reference));
        return static_cast<int64_t>(least);
    }

    // By definition: costs of all pieces, from the front for the latest cuts, from the back for the earliest.
    std::vector<int64_t> expected(bool earliest) const {
        size_t count = entries.size(), size = hypothesis.size();
        constexpr int64_t kNever = 1 << 30;
        std::vector<std::vector<int64_t>> best(count + 1, std::vector<int64_t>(size + 1, kNever));
        auto at = [&](size_t segments, size_t tokens) -> int64_t& { return best[segments][tokens]; };
        // The cost of the k-th segment from the start (or end) on tokens a..b from the start (or end).
        auto piece = [&](size_t k, size_t a, size_t b) {
            return earliest ? cost(count - 1 - k, size - b, size - a) : cost(k, a, b);
        };
        auto open = [&](size_t position) { return can_cut(earliest ? size - position : position); };
        at(0, 0) = 0;
        for (size_t k = 0; k < count; ++k)
            for (size_t a = 0; a <= size; ++a)
                if (open(a) && at(k, a) < kNever)
                    for (size_t b = a; b <= size; ++b) at(k + 1, b) = std::min(at(k + 1, b), at(k, a) + piece(k, a, b));
        std::vector<int64_t> ends(count);
        size_t end = size;
        for (size_t k = count; k-- > 0;) {
            ends[k] = static_cast<int64_t>(end);
            size_t begin = end;
            while (!open(begin) || at(k, begin) >= kNever || at(k, begin) + piece(k, begin, end) != at(k + 1, end))
                --begin;
            end = begin;
        }
        if (!earliest) return ends;
        std::vector<int64_t> mirrored;
        for (size_t k = count - 1; k-- > 0;) mirrored.push_back(static_cast<int64_t>(size) - ends[k]);
        mirrored.push_back(static_cast<int64_t>(size));
        return mirrored;
    }
};

std::vector<Resegmenter>& resegmenters() {
    static std::vector<Resegmenter> all = [] {
        std::vector<Resegmenter> made;
        for (const StripRows& rows : usable_strip_rows()) made.emplace_back(rows);
        return made;
    }();
    return all;
}

void check_cuts(const Example& example) {
    for (bool earliest : {false, true}) {
        std::vector<int64_t> expected = example.expected(earliest);
        for (Resegmenter& resegmenter : resegmenters()) {
            for (bool by_segments : {false, true}) {
                Cuts cuts = resegmenter.cut(example.input(), earliest, by_segments);
                CHECK(cuts.ends == expected);
                size_t begin = 0;
                for (size_t s = 0; s < cuts.ends.size(); ++s) {
                    CHECK(cuts.costs[s] == example.cost(s, begin, static_cast<size_t>(cuts.ends[s])));
                    begin = static_cast<size_t>(cuts.ends[s]);
                }
            }
        }
    }
}

Words random_words(std::mt19937& random, size_t size, uint32_t first, uint32_t vocabulary) {
    Words words(size);
    for (uint32_t& word : words) word = first + static_cast<uint32_t>(random() % (vocabulary - first + 1));
    return words;
}

TEST_CASE("small examples") {
    std::mt19937 random(1);
    for (int round = 0; round < 400; ++round) {
        uint32_t vocabulary = 1 + static_cast<uint32_t>(random() % 4);
        Entries entries(1 + random() % 6);
        size_t most = 1 + random() % 3;
        for (std::vector<Words>& entry : entries) {
            entry.resize(1 + random() % most);
            for (Words& reference : entry) reference = random_words(random, random() % 5, 1, vocabulary);
        }
        Example example(random_words(random, random() % 16, 0, vocabulary), std::move(entries), vocabulary);
        if (round % 2 == 1) {
            example.allowed.resize(example.hypothesis.size() + 1);
            for (uint8_t& flag : example.allowed) flag = random() % 3 == 0;
        }
        check_cuts(example);
    }
}

// Long references and many segments: several strips, blocks of segments and split tables. The two algorithms must
// agree.
TEST_CASE("long examples") {
    std::mt19937 random(2);
    for (size_t longest : {3u, 90u, 700u}) {
        Entries entries(longest == 3 ? 900 : longest == 90 ? 40 : 6);
        Words hypothesis;
        for (std::vector<Words>& entry : entries) {
            entry.push_back(random_words(random, random() % (longest + 1), 1, 50));
            for (uint32_t token : entry[0]) {
                if (random() % 5 != 0) hypothesis.push_back(random() % 5 != 0 ? token : 0);
                if (random() % 9 == 0) hypothesis.push_back(1 + static_cast<uint32_t>(random() % 50));
            }
        }
        Example example(std::move(hypothesis), std::move(entries), 50);
        for (Resegmenter& resegmenter : resegmenters())
            for (bool earliest : {false, true})
                CHECK(resegmenter.cut(example.input(), earliest).ends ==
                      resegmenter.cut(example.input(), earliest, true).ends);
    }
}

TEST_CASE("punctuation") {
    using enum PunctuationSide;
    // Hypothesis: a . b, where "." (3) is in no reference; both segments could have it.
    Example example({1, 0, 2}, {{{1}}, {{2}}}, 2);
    example.sides = {None, Closing, None};
    for (bool earliest : {false, true})
        CHECK((resegmenters()[0].cut(example.input(), earliest).ends == std::vector<int64_t>{2, 3}));
    example.sides = {None, Opening, None};
    for (bool earliest : {false, true})
        CHECK((resegmenters()[0].cut(example.input(), earliest).ends == std::vector<int64_t>{1, 3}));
    // A cut does not move if that costs more: the second segment begins with this mark.
    Example dash({1, 3, 2}, {{{1}}, {{3, 2}}}, 3);
    dash.sides = {None, Closing, None};
    CHECK((resegmenters()[0].cut(dash.input()).ends == std::vector<int64_t>{1, 3}));
}

TEST_CASE("refused input") {
    auto refuses = [](const std::function<void(Example&)>& change) {
        Example example({1, 0, 2}, {{{1}}, {{2}}}, 2);
        change(example);
        try {
            resegmenters()[0].cut(example.input());
        } catch (const std::invalid_argument&) {
            return true;
        }
        return false;
    };
    CHECK(!refuses([](Example&) {}));
    CHECK(refuses([](Example& example) { example.hypothesis[0] = 3; }));
    CHECK(refuses([](Example& example) { example.tokens[0] = 0; }));
    CHECK(refuses([](Example& example) { example.tokens[0] = 3; }));
    CHECK(refuses([](Example& example) { example.reference_ends[1] = 5; }));
    CHECK(refuses([](Example& example) { example.reference_ends[0] = -1; }));
    CHECK(refuses([](Example& example) { example.segment_ends = {0, 2}; }));
    CHECK(refuses([](Example& example) { example.segment_ends = {1}; }));
    CHECK(refuses([](Example& example) { example.allowed = {1}; }));
    CHECK(refuses([](Example& example) { example.sides.resize(2); }));
    CHECK(refuses([](Example& example) {
        example.tokens.clear();
        example.reference_ends.clear();
        example.segment_ends.clear();
    }));
}

}  // namespace
