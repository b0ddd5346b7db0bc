// Edit distance and longest common subsequence equal those of complete tables. Random and repetitive sequences have
// sizes around those at which the kernels change their algorithm.
#include <algorithm>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/distance/short_distance.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;
using Table = std::vector<std::vector<size_t>>;

size_t distance(const Words& hypothesis, const Words& reference) {
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

// One object per instruction set.
template <class Scratch>
std::vector<Scratch>& scratches() {
    static std::vector<Scratch> all = [] {
        std::vector<Scratch> made;
        for (const StripRows& rows : usable_strip_rows()) made.emplace_back(rows);
        return made;
    }();
    return all;
}

// All instruction sets must find the same alignment.
void check_edits(const Words& hypothesis, const Words& reference, uint32_t vocabulary) {
    std::vector<EditDistance>& all = scratches<EditDistance>();
    EditCounts counts = all.back().count(hypothesis, reference, vocabulary);
    CHECK(static_cast<size_t>(counts.errors()) == distance(hypothesis, reference));
    if (std::min(hypothesis.size(), reference.size()) <= kShortDistance) {
        // Keys with a large stride, which also collide.
        std::vector<int64_t> one, other;
        for (uint32_t word : hypothesis) one.push_back(int64_t{word} << 32);
        for (uint32_t word : reference) other.push_back(int64_t{word} << 32);
        CHECK(short_distance(one, other) == distance(hypothesis, reference));
    }
    std::span<const Edit> edits = all.back().align(hypothesis, reference, vocabulary);
    for (size_t k = 0; k + 1 < all.size(); ++k) {
        CHECK(std::ranges::equal(all[k].align(hypothesis, reference, vocabulary), edits));
        CHECK(all[k].count(hypothesis, reference, vocabulary).hits == counts.hits);
    }
    EditCounts listed;
    size_t i = 0, j = 0;
    for (Edit edit : edits) {
        switch (edit) {
            case Edit::Hit:
                CHECK(reference[i++] == hypothesis[j++]);
                ++listed.hits;
                break;
            case Edit::Substitution:
                CHECK(reference[i++] != hypothesis[j++]);
                ++listed.substitutions;
                break;
            case Edit::Deletion: ++i, ++listed.deletions; break;
            case Edit::Insertion: ++j, ++listed.insertions; break;
        }
    }
    CHECK(i == reference.size());
    CHECK(j == hypothesis.size());
    CHECK(listed.hits == counts.hits);
    CHECK(listed.substitutions == counts.substitutions);
    CHECK(listed.deletions == counts.deletions);
    CHECK(listed.insertions == counts.insertions);
}

// Without a band: one row at a time.
size_t common(const Words& hypothesis, const Words& reference) {
    std::vector<size_t> row(hypothesis.size() + 1);
    for (uint32_t token : reference) {
        size_t diagonal = 0;
        for (size_t j = 1; j <= hypothesis.size(); ++j) {
            size_t pair = diagonal + 1;
            diagonal = row[j];
            row[j] = token == hypothesis[j - 1] ? pair : std::max(row[j], row[j - 1]);
        }
    }
    return row.back();
}

// The pairs must be those that rouge-score reads from its table.
void check_subsequence(const Words& hypothesis, const Words& reference, uint32_t vocabulary) {
    CommonSubsequence& scratch = scratches<CommonSubsequence>().back();
    Table table(reference.size() + 1, std::vector<size_t>(hypothesis.size() + 1));
    for (size_t i = 1; i <= reference.size(); ++i)
        for (size_t j = 1; j <= hypothesis.size(); ++j)
            table[i][j] = reference[i - 1] == hypothesis[j - 1] ? table[i - 1][j - 1] + 1
                                                                : std::max(table[i - 1][j], table[i][j - 1]);
    for (CommonSubsequence& one : scratches<CommonSubsequence>())
        CHECK(one.length(hypothesis, reference, vocabulary) == table.back().back());
    std::span<const CommonSubsequence::Pair> pairs = scratch.pairs(hypothesis, reference, vocabulary);
    CHECK(pairs.size() == table.back().back());
    size_t i = reference.size(), j = hypothesis.size();
    for (const CommonSubsequence::Pair& pair : pairs) {
        while (reference[i - 1] != hypothesis[j - 1]) (table[i][j - 1] > table[i - 1][j] ? j : i) -= 1;
        CHECK(pair.reference == --i);
        CHECK(pair.hypothesis == --j);
    }
}

Words random_words(std::mt19937& random, size_t size, uint32_t first, uint32_t last) {
    Words words(size);
    for (uint32_t& word : words) word = std::uniform_int_distribution<uint32_t>(first, last)(random);
    return words;
}

Words noisy(std::mt19937& random, const Words& words, uint32_t vocabulary, int rate) {
    Words changed;
    for (uint32_t word : words) {
        int fate = std::uniform_int_distribution<int>(0, 99)(random);
        if (fate < rate) continue;
        if (fate < 2 * rate) word = std::uniform_int_distribution<uint32_t>(0, vocabulary)(random);
        changed.push_back(word);
        if (fate > 99 - rate) changed.push_back(word);
    }
    return changed;
}

}  // namespace

TEST_CASE("distances equal those of complete tables") {
    std::mt19937 random(1);
    for (uint32_t vocabulary : {1u, 2u, 3u, 20u, 500u})
        for (size_t size : {0u, 1u, 2u, 30u, 63u, 64u, 65u, 127u, 128u, 129u, 200u, 320u})
            for (size_t other : {0u, 1u, 9u, 63u, 64u, 65u, 130u, 260u}) {
                Words reference = random_words(random, size, 1, vocabulary);
                for (const Words& hypothesis :
                     {random_words(random, other, 0, vocabulary), noisy(random, reference, vocabulary, 5),
                      noisy(random, reference, vocabulary, 30)}) {
                    check_edits(hypothesis, reference, vocabulary);
                    check_subsequence(hypothesis, reference, vocabulary);
                }
            }
    // Around the sizes of groups, and of the bands that are tried first.
    for (size_t size : {191u, 192u, 193u, 255u, 256u, 257u, 511u, 512u, 513u, 1025u})
        for (size_t other : {1u, 9u, 128u, 512u, 700u}) {
            Words reference = random_words(random, size, 1, 50);
            for (const Words& hypothesis : {random_words(random, other, 0, 50), noisy(random, reference, 50, 10)}) {
                check_edits(hypothesis, reference, 50);
                check_subsequence(hypothesis, reference, 50);
            }
        }
    // Tables that are split: random texts, and texts that need few edits, so most of the table is never computed.
    for (uint32_t vocabulary : {2u, 3000u})
        for (int rate : {0, 1, 20}) {
            Words reference = random_words(random, 3000, 1, vocabulary);
            check_edits(
                rate == 0 ? random_words(random, 2500, 0, vocabulary) : noisy(random, reference, vocabulary, rate),
                reference, vocabulary);
        }
    check_edits(Words(5000, 0), random_words(random, 900, 1, 4), 4);
    Words inserted(6000, 0), rest = random_words(random, 800, 1, 4);
    inserted.insert(inserted.end(), rest.begin(), rest.end());
    rest.back() = 5;
    check_edits(inserted, rest, 5);
    // Narrow bands: similar texts; a moved block, which needs a wider band than its upper bound suggests; unrelated
    // texts.
    for (int kind : {0, 1, 2, 3}) {
        uint32_t vocabulary = kind == 3 ? 3 : 2000;
        Words reference = random_words(random, 5000, 1, vocabulary);
        Words hypothesis =
            kind == 2 ? random_words(random, 4700, 0, vocabulary) : noisy(random, reference, vocabulary, 2);
        if (kind == 1) std::rotate(hypothesis.begin() + 1000, hypothesis.begin() + 1700, hypothesis.begin() + 4000);
        check_edits(hypothesis, reference, vocabulary);
        for (CommonSubsequence& one : scratches<CommonSubsequence>())
            CHECK(one.length(hypothesis, reference, vocabulary) == common(hypothesis, reference));
    }
}
