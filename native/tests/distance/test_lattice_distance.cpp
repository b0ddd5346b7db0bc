// References with alternatives: counts equal those of the best of all paths, alignments have these counts, and bad
// braces are rejected.
#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/lattice_distance.hpp"
#include "refscore/text/reference_markup.hpp"

using namespace refscore;

namespace {

using Words = std::vector<uint32_t>;

// Appends a random part with alternatives to `marked`, and returns its paths.
std::vector<Words> grow(std::mt19937& random, size_t depth, Words& marked) {
    auto draw = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    std::vector<Words> paths{{}};
    for (int n = draw(4); n > 0; --n) {
        int kind = draw(5);
        std::vector<Words> choices;
        if (kind == 0) {
            marked.push_back(kEmptyMark);
            continue;
        }
        if (kind < 3 && depth > 0) {
            marked.push_back(kOpenMark);
            for (int alternative = draw(2); alternative >= 0; --alternative) {
                for (Words& path : grow(random, depth - 1, marked)) choices.push_back(std::move(path));
                marked.push_back(alternative > 0 ? kOrMark : kCloseMark);
            }
        } else {
            marked.push_back(static_cast<uint32_t>(1 + draw(3)));
            choices.push_back({marked.back()});
        }
        std::vector<Words> longer;
        for (const Words& path : paths)
            for (const Words& choice : choices) {
                longer.push_back(path);
                longer.back().insert(longer.back().end(), choice.begin(), choice.end());
            }
        paths = std::move(longer);
    }
    return paths;
}

using Cost = std::tuple<int64_t, int64_t, int64_t>;  // errors, -hits, -substitutions

Cost best(const Words& hypothesis, const Words& reference) {
    std::vector<std::vector<Cost>> table(reference.size() + 1, std::vector<Cost>(hypothesis.size() + 1));
    for (size_t i = 0; i <= reference.size(); ++i)
        for (size_t j = 0; j <= hypothesis.size(); ++j) {
            if (i + j == 0) continue;
            std::vector<Cost> ways;
            auto add = [&](const Cost& from, Cost by) {
                ways.emplace_back(std::get<0>(from) + std::get<0>(by), std::get<1>(from) + std::get<1>(by),
                                  std::get<2>(from) + std::get<2>(by));
            };
            if (i > 0) add(table[i - 1][j], {1, 0, 0});
            if (j > 0) add(table[i][j - 1], {1, 0, 0});
            if (i > 0 && j > 0)
                add(table[i - 1][j - 1], reference[i - 1] == hypothesis[j - 1] ? Cost{0, -1, 0} : Cost{1, 0, -1});
            table[i][j] = *std::min_element(ways.begin(), ways.end());
        }
    return table.back().back();
}

bool same(const EditCounts& one, const EditCounts& other) {
    return one.hits == other.hits && one.substitutions == other.substitutions && one.deletions == other.deletions &&
           one.insertions == other.insertions;
}

// An optional word: the costs of sclite count it as a hit if it is missing, and the others leave it out.
TEST_CASE("optional words with the costs of sclite") {
    Words optional{1, kOpenMark, 2, kOrMark, kMissingMark, kCloseMark, 3}, empty = optional;
    empty[4] = kEmptyMark;
    LatticeDistance plain;
    ScliteLattice sclite;
    CHECK(plain.count(Words{1, 3}, optional).hits == 2);
    CHECK((sclite.count(Words{1, 3}, optional).hits) == 3);
    CHECK((sclite.count(Words{1, 3}, empty).hits) == 2);
    std::span<const Edit> edits = sclite.align(Words{1, 3}, optional);
    CHECK(edits.size() == 3);
    CHECK(sclite.is_missing() == (std::vector<bool>{false, true, false}));
    CHECK(std::ranges::equal(sclite.path(), Words{1, 2, 3}));
    // A substitution costs more than a missing optional word and an insertion cost apart, but less than both.
    EditCounts counts = sclite.count(Words{1, 4, 3}, optional);
    CHECK(counts.substitutions == 1);
    CHECK(counts.insertions == 0);
    CHECK(sclite.count(Words{4}, Words{kOpenMark, 1, kOrMark, 4, kCloseMark}).hits == 1);
}

}  // namespace

TEST_CASE("counts of references with alternatives") {
    std::mt19937 random(1);
    LatticeDistance lattice;
    for (int round = 0; round < 3000; ++round) {
        Words marked, hypothesis;
        std::vector<Words> paths = grow(random, 2, marked);
        for (size_t size = random() % 7; size > 0; --size) hypothesis.push_back(static_cast<uint32_t>(random() % 5));
        Cost expected = best(hypothesis, paths[0]);
        for (const Words& path : paths) expected = std::min(expected, best(hypothesis, path));
        check_marks(marked, 0, true);
        EditCounts counts = lattice.count(hypothesis, marked), listed;
        CHECK((Cost{counts.errors(), -counts.hits, -counts.substitutions} == expected));
        CHECK(counts.hits + counts.substitutions + counts.insertions == static_cast<int64_t>(hypothesis.size()));
        size_t ref = 0, hyp = 0;
        std::span<const Edit> edits = lattice.align(hypothesis, marked);
        CHECK(std::find(paths.begin(), paths.end(), Words(lattice.path().begin(), lattice.path().end())) !=
              paths.end());
        for (Edit edit : edits) {
            if (edit == Edit::Hit) CHECK(lattice.path()[ref] == hypothesis[hyp]);
            if (edit == Edit::Substitution) CHECK(lattice.path()[ref] != hypothesis[hyp]);
            listed.hits += edit == Edit::Hit;
            listed.substitutions += edit == Edit::Substitution;
            listed.deletions += edit == Edit::Deletion;
            listed.insertions += edit == Edit::Insertion;
            ref += edit != Edit::Insertion;
            hyp += edit != Edit::Deletion;
        }
        CHECK(ref == lattice.path().size());
        CHECK(hyp == hypothesis.size());
        CHECK(same(listed, counts));
    }
    // Ties: the first alternative as written.
    lattice.align(Words{4}, Words{kOpenMark, 1, kOrMark, 2, kCloseMark});
    CHECK(lattice.path().size() == 1);
    CHECK(lattice.path()[0] == 1);
    // The time is proportional to the number of words, not of paths.
    Words many, expected;
    for (int i = 0; i < 2000; ++i)
        for (uint32_t number : {kOpenMark, 1u, kOrMark, 2u, kCloseMark}) many.push_back(number);
    CHECK(lattice.count(Words(2000, 2), many).hits == 2000);
    for (const Words& bad : {Words{kOpenMark}, Words{kCloseMark}, Words{1, kOpenMark, kOrMark},
                             Words(LatticeDistance::kMostLevels + 1, kOpenMark)}) {
        CHECK_THROWS_AS(check_marks(bad, 0, true), InputError);
        CHECK_THROWS((lattice.count(Words{1}, bad)));
    }
    CHECK_THROWS_AS((lattice.count(Words(size_t{1} << 21, 1), Words{1})), InputError);
    CHECK(lattice.count(Words{1}, Words{1}).hits == 1);
}
