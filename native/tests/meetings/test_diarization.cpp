// Diarization errors equal those of counting every second and trying all mappings.
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "doctest.hpp"
#include "refscore/meetings/diarization.hpp"

using namespace refscore;

namespace {

constexpr size_t kSpeakers = 3;
constexpr int kSeconds = 30;

std::vector<Turn> random_turns(std::mt19937& random) {
    std::vector<Turn> turns;
    for (size_t k = random() % 8; k > 0; --k) {
        double begin = static_cast<double>(random() % kSeconds);
        double end = std::min<double>(begin + static_cast<double>(random() % 9), kSeconds);
        turns.push_back({{begin, end}, static_cast<uint32_t>(random() % kSpeakers)});
    }
    return turns;
}

int64_t segments_at(const std::vector<Turn>& turns, size_t speaker, double time) {
    return std::count_if(turns.begin(), turns.end(), [&](const Turn& turn) {
        return turn.speaker == speaker && turn.time.begin <= time && time < turn.time.end;
    });
}

bool is_scored(const std::vector<Turn>& reference, const std::vector<Interval>& regions, const DiarizationRules& rules,
               double time) {
    bool scored = std::any_of(regions.begin(), regions.end(),
                              [&](Interval region) { return region.begin <= time && time < region.end; });
    int64_t segments = 0;
    for (size_t s = 0; s < kSpeakers; ++s) segments += segments_at(reference, s, time);
    if (rules.skips_overlap && segments > 1) scored = false;
    for (const Turn& turn : reference)
        for (double bound : {turn.time.begin, turn.time.end})
            if (turn.time.end > turn.time.begin && bound - rules.collar <= time && time < bound + rules.collar)
                scored = false;
    return scored;
}

TEST_CASE("seconds") {
    std::mt19937 random(1);
    for (size_t trial = 0; trial < 3000; ++trial) {
        std::vector<Turn> reference = random_turns(random), hypothesis = random_turns(random);
        std::vector<Interval> regions = {{2, 12}, {9, 20}, {22, 29}};
        DiarizationRules rules;
        rules.collar = static_cast<double>(random() % 3);
        rules.skips_overlap = random() % 2 == 0;
        rules.self_overlap = random() % 2 == 0 ? SelfOverlap::once : SelfOverlap::each;
        bool counts_once = rules.self_overlap == SelfOverlap::once;
        DiarizationErrors found = score_turns(reference, kSpeakers, hypothesis, kSpeakers, regions, rules);
        double scored = 0, missed = 0, false_alarm = 0, both = 0;
        std::vector<double> common(kSpeakers * kSpeakers), correct(kSpeakers * kSpeakers);
        for (int time = 0; time < kSeconds; ++time) {
            if (!is_scored(reference, regions, rules, time)) continue;
            std::vector<int64_t> spoken(kSpeakers), heard(kSpeakers);
            for (size_t s = 0; s < kSpeakers; ++s) {
                spoken[s] = segments_at(reference, s, time);
                heard[s] = segments_at(hypothesis, s, time);
                if (counts_once) spoken[s] = std::min<int64_t>(spoken[s], 1), heard[s] = std::min<int64_t>(heard[s], 1);
            }
            int64_t r = std::accumulate(spoken.begin(), spoken.end(), int64_t{0});
            int64_t h = std::accumulate(heard.begin(), heard.end(), int64_t{0});
            scored += static_cast<double>(r);
            missed += static_cast<double>(std::max<int64_t>(r - h, 0));
            false_alarm += static_cast<double>(std::max<int64_t>(h - r, 0));
            both += static_cast<double>(std::min(r, h));
            for (size_t a = 0; a < kSpeakers; ++a)
                for (size_t b = 0; b < kSpeakers; ++b) {
                    common[a * kSpeakers + b] += static_cast<double>(spoken[a] * heard[b]);
                    correct[a * kSpeakers + b] += static_cast<double>(std::min(spoken[a], heard[b]));
                }
        }
        CHECK(found.scored == scored);
        CHECK(found.missed == missed);
        CHECK(found.false_alarm == false_alarm);
        // The mapping shares as much time as any, and the confusion is that of the mapping.
        std::vector<size_t> order(kSpeakers);
        std::iota(order.begin(), order.end(), size_t{0});
        double most = 0;
        do {
            double sum = 0;
            for (size_t a = 0; a < kSpeakers; ++a) sum += common[a * kSpeakers + order[a]];
            most = std::max(most, sum);
        } while (std::next_permutation(order.begin(), order.end()));
        double shared = 0, right = 0;
        for (size_t a = 0; a < kSpeakers; ++a) {
            if (found.pairs[a].hypothesis < 0) continue;
            size_t place = a * kSpeakers + static_cast<size_t>(found.pairs[a].hypothesis);
            shared += common[place];
            right += correct[place];
        }
        CHECK(shared == most);
        CHECK(found.confusion == both - right);
    }
}

TEST_CASE("frames") {
    DiarizationRules rules;
    rules.step = 0.5;
    std::vector<Turn> reference = {{{0, 1.1}, 0}}, hypothesis = {{{0.4, 2}, 0}};
    DiarizationErrors found = score_turns(reference, 1, hypothesis, 1, std::vector<Interval>{{0, 2}}, rules);
    // The reference has the frames at 0, 0.5 and 1, and the hypothesis those at 0.5, 1 and 1.5.
    CHECK(found.pairs[0].error == 0.5);
}

TEST_CASE("preconditions") {
    std::vector<Turn> turns = {{{0, 1}, 2}}, infinite = {{{0, std::numeric_limits<double>::infinity()}, 0}};
    std::vector<Interval> regions = {{0, 1}};
    CHECK_THROWS_AS((score_turns(turns, 2, {}, 0, regions, {})), std::invalid_argument);
    CHECK_THROWS_AS((score_turns({}, 0, infinite, 1, regions, {})), std::invalid_argument);
    DiarizationRules rules;
    rules.collar = -1;
    CHECK_THROWS_AS((score_turns({}, 0, {}, 0, regions, rules)), std::invalid_argument);
}

}  // namespace
