// Assignments and edits of meetings equal those of trying everything and of complete tables.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "doctest.hpp"
#include "refscore/meetings/assignment.hpp"
#include "refscore/meetings/edits.hpp"
#include "refscore/meetings/greedy.hpp"
#include "refscore/meetings/streams.hpp"
#include "refscore/meetings/times.hpp"

using namespace refscore;

namespace {

// Words and times in memory of exactly their size.
struct Words {
    std::vector<uint32_t> words;
    std::vector<double> begins, ends;

    TimedWords view() const { return {words, begins, ends}; }
    void add(uint32_t word, double begin, double end) {
        words.push_back(word);
        begins.push_back(begin);
        ends.push_back(end);
    }
};

Words random_words(std::mt19937& random, size_t size, uint32_t vocabulary, bool is_sorted) {
    Words words;
    double time = 0;
    for (size_t i = 0; i < size; ++i) {
        time = is_sorted ? time + static_cast<double>(random() % 3) : static_cast<double>(random() % 40) - 3;
        words.add(1 + static_cast<uint32_t>(random() % vocabulary), time, time + static_cast<double>(random() % 6));
    }
    return words;
}

size_t distance(const TimedWords& hypothesis, const TimedWords& reference, bool is_timed) {
    std::vector<size_t> row(hypothesis.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < reference.size(); ++i) {
        size_t diagonal = row[0]++;
        for (size_t j = 0; j < hypothesis.size(); ++j) {
            size_t above = row[j + 1];
            row[j + 1] = std::min(above, row[j]) + 1;
            if (!is_timed || overlaps(reference, i, hypothesis, j))
                row[j + 1] = std::min(row[j + 1], diagonal + (reference.words[i] != hypothesis.words[j]));
            diagonal = above;
        }
    }
    return row.back();
}

void check_counts(const EditCounts& counts, size_t errors, size_t hypothesis, size_t reference) {
    CHECK(static_cast<size_t>(counts.errors()) == errors);
    CHECK(static_cast<size_t>(counts.hits + counts.substitutions + counts.deletions) == reference);
    CHECK(static_cast<size_t>(counts.hits + counts.substitutions + counts.insertions) == hypothesis);
}

TEST_CASE("edits") {
    std::mt19937 random(1);
    KaldiEdits edits;
    TimedEdits timed;
    for (int trial = 0; trial < 400; ++trial) {
        const size_t sizes[] = {0, 1, 2, 7, 63, 64, 65, 130};
        uint32_t vocabulary = trial % 2 ? 2 : 20;
        Words hypothesis = random_words(random, sizes[random() % 8], vocabulary, trial % 3 == 0);
        Words reference = random_words(random, sizes[random() % 8], vocabulary, trial % 3 != 1);
        check_counts(edits.count(hypothesis.words, reference.words, vocabulary),
                     distance(hypothesis.view(), reference.view(), false), hypothesis.words.size(),
                     reference.words.size());
        size_t errors = distance(hypothesis.view(), reference.view(), true);
        CHECK(timed.distance(hypothesis.view(), reference.view()) == errors);
        check_counts(timed.count(hypothesis.view(), reference.view()), errors, hypothesis.words.size(),
                     reference.words.size());
    }
}

// More cells than a block stores.
TEST_CASE("large table") {
    std::mt19937 random(2);
    Words hypothesis, reference;
    for (int i = 0; i < 3000; ++i) hypothesis.add(1 + random() % 5, 0, 1);
    for (int i = 0; i < 2900; ++i) reference.add(1 + random() % 5, 0, 1);
    TimedEdits timed;
    KaldiEdits edits;
    EditCounts counts = timed.count(hypothesis.view(), reference.view());
    // All words overlap, so the constraint changes nothing. The chosen alignment is the same.
    EditCounts expected = edits.count(hypothesis.words, reference.words, 5);
    CHECK(counts.hits == expected.hits);
    CHECK(counts.substitutions == expected.substitutions);
    CHECK(counts.deletions == expected.deletions);
    CHECK(counts.insertions == expected.insertions);
}

TEST_CASE("assignment") {
    std::mt19937 random(3);
    for (int trial = 0; trial < 300; ++trial) {
        size_t size = random() % 7;
        std::vector<int64_t> costs(size * size);
        for (int64_t& cost : costs) cost = static_cast<int64_t>(random() % 9);
        std::vector<size_t> columns = assign_rows(costs, size), order(size);
        auto total = [&](const std::vector<size_t>& chosen) {
            int64_t sum = 0;
            for (size_t i = 0; i < size; ++i) sum += costs[i * size + chosen[i]];
            return sum;
        };
        std::iota(order.begin(), order.end(), size_t{0});
        int64_t lowest = total(order);
        do lowest = std::min(lowest, total(order));
        while (std::next_permutation(order.begin(), order.end()));
        CHECK(total(columns) == lowest);
        std::sort(columns.begin(), columns.end());
        for (size_t i = 0; i < size; ++i) CHECK(columns[i] == i);
    }
    std::vector<int64_t> equal(25, 3);
    std::vector<size_t> columns = assign_rows(equal, 5);
    for (size_t i = 0; i < 5; ++i) CHECK(columns[i] == i);
}

size_t errors_of(const std::vector<Words>& utterances, const std::vector<Words>& streams,
                 const std::vector<uint32_t>& assignment, bool is_timed) {
    size_t errors = 0;
    for (size_t s = 0; s < streams.size(); ++s) {
        Words joined;
        for (size_t u = 0; u < utterances.size(); ++u) {
            if (assignment[u] != s) continue;
            for (size_t i = 0; i < utterances[u].words.size(); ++i)
                joined.add(utterances[u].words[i], utterances[u].begins[i], utterances[u].ends[i]);
        }
        errors += distance(streams[s].view(), joined.view(), is_timed);
    }
    return errors;
}

TEST_CASE("streams") {
    std::mt19937 random(4);
    for (int trial = 0; trial < 150; ++trial) {
        size_t stream_count = 1 + random() % 3, utterance_count = random() % 5;
        bool is_sorted = trial % 2 == 0;
        std::vector<Words> utterances, streams;
        for (size_t u = 0; u < utterance_count; ++u)
            utterances.push_back(random_words(random, 1 + random() % (trial % 10 == 0 ? 70 : 5), 3, is_sorted));
        for (size_t s = 0; s < stream_count; ++s) streams.push_back(random_words(random, random() % 7, 3, is_sorted));
        std::vector<TimedWords> timed_utterances, timed_streams;
        std::vector<std::span<const uint32_t>> plain_utterances, plain_streams;
        for (const Words& words : utterances)
            timed_utterances.push_back(words.view()), plain_utterances.push_back(words.words);
        for (const Words& words : streams) timed_streams.push_back(words.view()), plain_streams.push_back(words.words);
        for (bool is_timed : {false, true}) {
            std::vector<uint32_t> assignment(utterance_count);
            size_t lowest = errors_of(utterances, streams, assignment, is_timed);
            for (;;) {
                size_t u = 0;
                while (u < utterance_count && ++assignment[u] == stream_count) assignment[u++] = 0;
                if (u == utterance_count) break;
                lowest = std::min(lowest, errors_of(utterances, streams, assignment, is_timed));
            }
            for (size_t memory = 1; memory <= 1 << 24; memory = memory * 3 / 2 + 1) {
                auto found = is_timed
                                 ? assign_streams(std::span<const TimedWords>(timed_utterances), timed_streams, memory)
                                 : assign_streams(std::span<const std::span<const uint32_t>>(plain_utterances),
                                                  plain_streams, memory);
                if (!found) continue;
                CHECK(found->distance == lowest);
                CHECK(found->streams.size() == utterance_count);
                CHECK(errors_of(utterances, streams, found->streams, is_timed) == lowest);
            }
        }
    }
}

// The fewest errors of all orders that keep each speaker's order, and of all streams.
size_t lowest_of_orders(const std::vector<Words>& utterances, const std::vector<std::vector<uint32_t>>& speakers,
                        const std::vector<Words>& streams) {
    std::vector<size_t> turns;
    for (size_t r = 0; r < speakers.size(); ++r) turns.insert(turns.end(), speakers[r].size(), r);
    size_t lowest = size_t(-1);
    do {
        std::vector<size_t> following(speakers.size());
        std::vector<Words> ordered;
        for (size_t r : turns) ordered.push_back(utterances[speakers[r][following[r]++]]);
        std::vector<uint32_t> assignment(ordered.size());
        for (;;) {
            lowest = std::min(lowest, errors_of(ordered, streams, assignment, false));
            size_t u = 0;
            while (u < assignment.size() && ++assignment[u] == streams.size()) assignment[u++] = 0;
            if (u == assignment.size()) break;
        }
    } while (std::next_permutation(turns.begin(), turns.end()));
    return lowest;
}

TEST_CASE("orders") {
    std::mt19937 random(5);
    for (size_t trial = 0; trial < 60; ++trial) {
        std::vector<Words> utterances, streams;
        std::vector<std::vector<uint32_t>> speakers(2);
        for (uint32_t u = 0; u < 4; ++u) {
            utterances.push_back(random_words(random, random() % 4, 3, true));
            speakers[random() % 2].push_back(u);
        }
        for (size_t s = 0; s < 1 + random() % 2; ++s) streams.push_back(random_words(random, random() % 7, 3, true));
        std::vector<std::span<const uint32_t>> plain_utterances, plain_streams;
        for (const Words& words : utterances) plain_utterances.push_back(words.words);
        for (const Words& words : streams) plain_streams.push_back(words.words);
        auto found = assign_speakers_to_streams(plain_utterances, speakers, plain_streams, 1 << 20);
        CHECK(found.has_value());
        std::vector<Words> ordered;
        std::vector<uint32_t> assignment;
        for (const AssignedUtterance& each : *found) {
            ordered.push_back(utterances[each.utterance]);
            assignment.push_back(each.stream);
        }
        CHECK(errors_of(ordered, streams, assignment, false) == lowest_of_orders(utterances, speakers, streams));
        CHECK(!assign_speakers_to_streams(plain_utterances, speakers, plain_streams, 8));
    }
}

TEST_CASE("greedy assignments") {
    std::mt19937 random(6);
    for (size_t trial = 0; trial < 200; ++trial) {
        std::vector<Words> utterances, streams;
        for (size_t u = 0; u < 5; ++u) utterances.push_back(random_words(random, random() % 6, 3, true));
        for (size_t s = 0; s < 3; ++s) streams.push_back(random_words(random, random() % 9, 3, true));
        for (bool is_timed : {false, true}) {
            std::vector<TimedWords> all[2];
            for (const Words& words : utterances)
                all[0].push_back(is_timed ? words.view() : TimedWords{words.words, {}, {}});
            for (const Words& words : streams)
                all[1].push_back(is_timed ? words.view() : TimedWords{words.words, {}, {}});
            std::vector<uint32_t> initial(utterances.size(), static_cast<uint32_t>(random() % 3));
            auto found = assign_greedily(all[0], all[1], initial, 1 << 20);
            CHECK(found.has_value());
            // No single utterance can move to a better stream.
            size_t errors = errors_of(utterances, streams, *found, is_timed);
            for (size_t u = 0; u < utterances.size(); ++u) {
                for (uint32_t s = 0; s < streams.size(); ++s) {
                    std::vector<uint32_t> moved = *found;
                    moved[u] = s;
                    CHECK(errors <= errors_of(utterances, streams, moved, is_timed));
                }
            }
            CHECK(!assign_greedily(all[0], all[1], initial, 8));
        }
    }
}

TEST_CASE("preconditions") {
    Words words;
    words.add(1, 0, std::nan(""));
    CHECK_THROWS_AS(words.view().check(), std::invalid_argument);
    CHECK_THROWS_AS((TimedWords({words.words, words.begins, {}}).check()), std::invalid_argument);
    CHECK_THROWS_AS(assign_rows(std::vector<int64_t>(3), 2), std::invalid_argument);
    CHECK_THROWS_AS(KaldiEdits().count(words.words, words.words, 0), std::invalid_argument);
    CHECK_THROWS_AS(assign_streams(std::span<const TimedWords>(), std::span<const TimedWords>(), 1000),
                    std::invalid_argument);
    std::vector<TimedWords> empty(1);
    CHECK_THROWS_AS(assign_streams(std::span<const TimedWords>(empty), std::span<const TimedWords>(empty), 1000),
                    std::invalid_argument);
    // Too many positions for any memory.
    std::vector<uint32_t> ones(100, 1);
    std::vector<std::span<const uint32_t>> many(60, ones), one(1, ones);
    CHECK(!assign_streams(std::span<const std::span<const uint32_t>>(one), many, size_t(-1)));
}

}  // namespace
