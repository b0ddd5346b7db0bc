// M²: edits as M² files have them, and lattices. The counts are compared with m2scorer in Python. Run it under
// sanitizers.
#include "refscore/distance/annotated_match.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/unordered_errors.hpp"

using namespace refscore;

namespace {

TEST_CASE("reading") {
    std::vector<GoldEdit> edits;
    CHECK(read_gold_edits(
        "A 1 2|||T|||a  b||c|||R|||-|||0 A -1 -1|||noop|||-NONE-|||R|||-|||0 A 0 0|||T||||||R|||-|||7", edits));
    CHECK(edits.size() == 2);
    CHECK(edits[0].begin == 1);
    CHECK(edits[0].end == 2);
    CHECK(edits[1].end == 0);
    CHECK(edits[0].corrections.size() == 2);
    CHECK(edits[0].corrections[0] == "a  b");
    CHECK(edits[0].corrections[1] == "c");
    CHECK(edits[1].corrections.size() == 1);
    CHECK(edits[1].corrections[0].empty());
    CHECK(read_gold_edits("1 2|||T|||-NONE-|||R|||-|||0", edits));
    CHECK(edits[0].corrections[0].empty());
    for (std::string_view text :
         {"|||", "A 1 2|||T|||x", "A 1|||T|||x|||R|||-|||0", "A 1 b|||T|||x|||R|||-|||0",
          "A 1 2|||T|||x|||R|||-|||0 B 1 2|||T|||x|||R|||-|||0", "A 1 99999999999999999999|||T|||x|||R|||-|||0"})
        CHECK(!read_gold_edits(text, edits));
}

std::string draw(std::mt19937& random, size_t longest, uint32_t words) {
    std::string text;
    for (size_t i = 0, size = random() % (longest + 1); i < size; ++i)
        text += std::string(i > 0, ' ') + static_cast<char>('a' + random() % words);
    return text;
}

// A hypothesis that is the corrected text nearly always has all edits, and only these. Like m2scorer, M² can miss
// repeated insertions of the same word.
TEST_CASE("corrected texts") {
    std::mt19937 random(2);
    MaxMatch lattice;
    int complete = 0;
    for (int round = 0; round < 3000; ++round) {
        uint32_t words = 1 + static_cast<uint32_t>(random()) % 5;
        std::string source = draw(random, 12, words), text = draw(random, 12, words);
        MaxMatchSettings settings;
        settings.max_unchanged = 0;
        CHECK(lattice.build(settings, source, text));
        lattice.count({});
        std::vector<GoldEdit> gold;
        std::vector<std::string> corrections;
        lattice.annotate(gold, corrections);
        CHECK((source == text) == gold.empty());
        settings.max_unchanged = random() % 4;
        CHECK(lattice.build(settings, source, text));
        MaxMatchRow row = lattice.count(gold);
        CHECK(row.correct <= row.gold);
        CHECK(row.correct <= row.proposed);
        CHECK(row.gold == static_cast<int64_t>(gold.size()));
        complete += row.correct == row.gold && row.proposed == row.gold;
        row = lattice.count({});
        CHECK(row.correct == 0);
        CHECK(row.gold == 0);
        CHECK((source == text) == (row.proposed == 0));
    }
    CHECK(complete > 2700);
}

TEST_CASE("large lattices") {
    std::string one, other;
    for (int i = 0; i < 60; ++i) {
        one += "a" + std::to_string(i) + " ";
        other += "b" + std::to_string(i) + " ";
    }
    MaxMatch lattice;
    CHECK(!lattice.build({}, one, other));
    CHECK(lattice.build({}, one, one));
    CHECK(lattice.build({}, one, ""));
    CHECK(lattice.count({}).proposed > 0);
    CHECK(lattice.build({}, "", ""));
    CHECK(lattice.count({}).proposed == 0);
}

TEST_CASE("unordered errors") {
    const uint32_t words[] = {1, 1, 2, 0, 0}, reference[] = {1, 2, 2, 3}, lengths[] = {4};
    EditCounts counts = UnorderedErrors().count(words, {VocabularyView{}, 3, reference, lengths});
    CHECK(counts.hits == 2);
    CHECK(counts.substitutions == 2);
    CHECK(counts.deletions == 0);
    CHECK(counts.insertions == 1);
}

}  // namespace
