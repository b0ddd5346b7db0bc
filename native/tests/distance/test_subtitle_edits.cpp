// Distances of subtitles within the beam, also after moves, equal the defining matrix. Also tests tokens and parts.
#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/subtitle_edits.hpp"

using namespace refscore;

namespace {

using Words = std::vector<TimedWord>;

constexpr uint32_t kFar = TimedDistance::kFar;

// The distance in the complete matrix. Beams of up to 100 words contain all of it.
uint32_t distance(const Words& words, const Words& reference) {
    std::vector<std::vector<uint32_t>> cells(words.size() + 1, std::vector<uint32_t>(reference.size() + 1, kFar));
    for (size_t i = 0; i <= words.size(); ++i)
        for (size_t j = 0; j <= reference.size(); ++j) {
            uint32_t& cell = cells[i][j];
            if (i == 0 && j == 0) cell = 0;
            if (i > 0) cell = std::min(cell, cells[i - 1][j] + 1);
            if (j > 0) cell = std::min(cell, cells[i][j - 1] + 1);
            if (i > 0 && j > 0 && words[i - 1].may_align(reference[j - 1]))
                cell = std::min(cell, cells[i - 1][j - 1] + (words[i - 1].number != reference[j - 1].number));
        }
    return cells.back().back();
}

Words drawn(std::mt19937& random, size_t size, uint32_t vocabulary) {
    Words words;
    int64_t start = 0;
    for (size_t i = 0; i < size; ++i) {
        if (random() % 4 == 0) start += random() % 3;
        bool is_break = random() % 5 == 0;
        words.push_back({1 + static_cast<uint32_t>(random()) % vocabulary, is_break, start,
                         start + static_cast<int64_t>(random() % 4)});
    }
    return words;
}

void check_distances(size_t size, size_t reference_size, std::mt19937& random) {
    static TimedDistance used;
    constexpr uint32_t kVocabulary = 6;
    Words words = drawn(random, size, kVocabulary), reference = drawn(random, reference_size, kVocabulary);
    std::vector<uint32_t> order(size);
    for (uint32_t i = 0; i < size; ++i) order[i] = i;
    used.start(words, reference, kVocabulary);
    uint32_t kept = used.keep(order.data(), 0, size);
    auto ordered = [&](const std::vector<uint32_t>& numbers) {
        Words found;
        for (uint32_t number : numbers) found.push_back(words[number]);
        return found;
    };
    CHECK(kept == distance(words, reference));
    for (int round = 0; round < 12; ++round) {
        BlockMove move{0, 1 + static_cast<uint32_t>(random()) % static_cast<uint32_t>(std::min<size_t>(size, 10)), 0};
        move.begin = static_cast<uint32_t>(random()) % static_cast<uint32_t>(size - move.length + 1);
        move.to = static_cast<uint32_t>(random()) % static_cast<uint32_t>(size - move.length + 1);
        std::vector<uint32_t> moved = order;
        apply(move, moved.data());
        uint32_t expected = distance(ordered(moved), reference);
        CHECK(used.after(order.data(), move, kFar) == expected);
        for (uint32_t most : {expected, expected - std::min(expected, 1u)})
            CHECK((used.after(order.data(), move, most) > most) == (expected > most));
        if (round % 4 < 3) continue;
        order = moved;
        CHECK(used.keep(order.data(), std::min(move.begin, move.to), std::max(move.begin, move.to) + move.length) ==
              expected);
        uint32_t errors = 0;
        used.trace(order.data(), [&](TerEdit edit, size_t, size_t) { errors += edit != TerEdit::Match; });
        CHECK(errors == expected);
    }
}

void check_tokens() {
    using enum SubtitleToken::Role;
    SubtitleToken token = read_subtitle_token("100:00:01,5-->100:00:02,000001");
    CHECK(token.role == Times);
    CHECK(token.start == 360'001'500'000);
    CHECK(token.end == 360'002'000'001);
    CHECK(read_subtitle_token("<eol>").role == Break);
    CHECK(read_subtitle_token("<eob>").role == Break);
    for (const char* text : {"", "1", "1:2:3,4", "1:2:3,4-->", "1:2:3,4-->1:2:3,4x", "1:2:3,4-->1:2:3,3", "a-->b",
                             "1234567890:2:3,4-->1:2:3,4", "1:2:3-->1:2:4", "1:2:3,4->1:2:3,4"})
        CHECK(read_subtitle_token(text).role == Word);
}

void check_parts() {
    using Side = std::vector<std::pair<std::string_view, uint32_t>>;
    Side words{{"0:0:1,0-->0:0:2,0", 0}, {"a", 1}, {"0:0:3,0-->0:0:4,0", 0}, {"b", 2}, {"<eob>", 3}};
    Side reference{{"0:0:1,0-->0:0:2,0", 4}, {"a", 1}, {"0:0:4,0-->0:0:5,0", 5}, {"b", 2}, {"<eob>", 3}};
    std::vector<SubtitleEdits::Part> parts = SubtitleEdits().edits(words, reference, 5);
    REQUIRE(parts.size() == 3);
    REQUIRE(parts[0].edits.size() == 1);
    CHECK(parts[0].edits[0].kind == TerEdit::Match);
    REQUIRE(parts[1].edits.size() == 2);
    CHECK(parts[1].edits[0].kind == TerEdit::Delete);
    CHECK(parts[1].edits[0].hypothesis == 3);
    REQUIRE(parts[2].edits.size() == 2);
    CHECK(parts[2].edits[1].kind == TerEdit::Insert);
    CHECK(parts[2].edits[1].reference == 4);
    CHECK(parts[2].edits[1].hypothesis == SubtitleEdits::kNone);
}

// Costs are then not computed in advance.
void check_long_texts(std::mt19937& random) {
    constexpr size_t kSize = 4200;
    Words words = drawn(random, kSize, 3);
    TimedDistance timed;
    std::vector<uint32_t> order(kSize);
    for (uint32_t i = 0; i < kSize; ++i) order[i] = i;
    timed.start(words, words, 3);
    CHECK(timed.keep(order.data(), 0, kSize) == 0);
    CHECK(timed.after(order.data(), {7, 1, 9}, kFar) <= 3);
}

}  // namespace

TEST_CASE("edits of subtitles equal their definition") {
    std::mt19937 random(5);
    for (size_t size : {1, 2, 7, 30, 99})
        for (size_t reference_size : {1, 2, 8, 40, 100})
            for (int round = 0; round < 4; ++round) check_distances(size, reference_size, random);
    check_tokens();
    check_parts();
    check_long_texts(random);
}
