// The kernels of agreement with people equal slow definitions, for every instruction set.
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/simd/sums_at_least.hpp"
#include "refscore/statistics/agreement.hpp"
#include "refscore/statistics/soft_swap_test.hpp"
#include "refscore/statistics/swap_test.hpp"
#include "refscore/statistics/swapped_orders.hpp"
#include "refscore/statistics/tie_calibration.hpp"
#include "refscore/text/text.hpp"

using namespace refscore;

namespace {

using Random = std::mt19937_64;

std::vector<size_t> starts_of(const std::vector<size_t>& sizes) {
    std::vector<size_t> starts{0};
    for (size_t size : sizes) starts.push_back(starts.back() + size);
    return starts;
}

std::vector<double> drawn_scores(Random& random, size_t count, int levels) {
    std::vector<double> scores(count);
    for (double& score : scores) score = static_cast<double>(random() % static_cast<uint64_t>(levels));
    return scores;
}

std::vector<uint64_t> drawn_swaps(Random& random, size_t count) {
    std::vector<uint64_t> swapped(count);
    for (uint64_t& word : swapped) word = random();
    return swapped;
}

// The sums after the steps, one draw after the other.
TieSums expected_sums(const std::vector<TieStep>& steps, const std::vector<int64_t>& weights,
                      const std::vector<uint64_t>& swapped) {
    TieSums sums{};
    for (size_t d = 0; d < kTieDraws; ++d)
        for (size_t i = 0; i < steps.size(); ++i) {
            bool first = (swapped[steps[i].first] >> d & 1) != ((steps[i].flags & kFirstOther) != 0);
            bool second = (swapped[steps[i].second] >> d & 1) != ((steps[i].flags & kSecondOther) != 0);
            for (size_t side = 0; side < 2; ++side) {
                int64_t& sum = sums.sum[side][d];
                if (first == second && first == (side == 1)) sum += steps[i].flags & kRises ? weights[i] : -weights[i];
                if (steps[i].flags & kIsThreshold) sums.most[side][d] = std::max(sums.most[side][d], sum);
            }
        }
    return sums;
}

bool are_equal(const TieSums& one, const TieSums& other) {
    for (size_t side = 0; side < 2; ++side)
        for (size_t d = 0; d < kTieDraws; ++d)
            if (one.sum[side][d] != other.sum[side][d] || one.most[side][d] != other.most[side][d]) return false;
    return true;
}

// `direction` is 0 for random steps, 1 for steps up, -1 for steps down. These reach the ends of the 8-bit range.
void check_steps(size_t count, int direction, uint64_t thresholds) {
    Random random(count * 8 + static_cast<uint64_t>(direction + 1));
    constexpr size_t kPositions = 40;
    std::vector<uint64_t> swapped = drawn_swaps(random, kPositions);
    if (direction != 0) swapped.assign(kPositions, 0);
    std::vector<TieStep> steps(count);
    std::vector<int64_t> ones(count, 1), weights(count);
    for (size_t i = 0; i < count; ++i) {
        uint32_t from = direction == 0 ? static_cast<uint32_t>(random() % 4) : 0;
        uint32_t rises = direction == 0 ? static_cast<uint32_t>(random() % 2) * kRises : direction > 0 ? kRises : 0;
        uint32_t is_threshold = thresholds != 0 && random() % thresholds == 0 ? kIsThreshold : 0;
        steps[i] = {static_cast<uint32_t>(random() % kPositions), static_cast<uint32_t>(random() % kPositions),
                    from | rises | is_threshold};
        weights[i] = static_cast<int64_t>(random() % 1000);
    }
    TieSums expected = expected_sums(steps, ones, swapped);
    auto check = [&](AddTieSteps add) {
        if (add == nullptr) return;
        TieSums sums{};
        add(steps.data(), count, swapped.data(), sums);
        CHECK(are_equal(sums, expected));
        // Sums continue from one call to the next.
        TieSums in_parts{};
        size_t part = count / 3;
        add(steps.data(), part, swapped.data(), in_parts);
        add(steps.data() + part, count - part, swapped.data(), in_parts);
        CHECK(are_equal(in_parts, expected));
    };
    check(&add_tie_steps);
#if defined(REFSCORE_X86)
    if (best_instruction_set() >= InstructionSet::Avx2) check(&add_tie_steps_avx2);
    if (best_instruction_set() >= InstructionSet::Avx512) check(&add_tie_steps_avx512);
#elif defined(REFSCORE_NEON)
    check(&add_tie_steps_neon);
#endif
    TieSums of_ones{}, weighted{};
    add_weighted_tie_steps(steps.data(), ones.data(), count, swapped.data(), of_ones);
    CHECK(are_equal(of_ones, expected));
    add_weighted_tie_steps(steps.data(), weights.data(), count, swapped.data(), weighted);
    CHECK(are_equal(weighted, expected_sums(steps, weights, swapped)));
}

// The differences of accuracy equal those of calibrating the swapped scores of each draw.
void check_differences(const std::vector<size_t>& sizes, int human_levels, int metric_levels) {
    std::vector<size_t> starts = starts_of(sizes);
    Random random(starts.back() * 100 + static_cast<uint64_t>(metric_levels));
    std::vector<double> human = drawn_scores(random, starts.back(), human_levels);
    HumanPairs pairs(human, starts);
    SwappedTies ties;
    for (int repeat = 0; repeat < 3; ++repeat) {  // with the same scratch memory
        std::vector<double> one = drawn_scores(random, human.size(), metric_levels),
                            other = drawn_scores(random, human.size(), metric_levels);
        std::vector<uint64_t> swapped = drawn_swaps(random, human.size());
        ties.start(pairs, one, other);
        int64_t differences[kTieDraws];
        ties.differences(swapped.data(), differences);
        for (size_t d = 0; d < kTieDraws; ++d) {
            std::vector<double> first = one, second = other;
            for (size_t i = 0; i < human.size(); ++i)
                if (swapped[i] >> d & 1) std::swap(first[i], second[i]);
            double lead = calibrate_ties(pairs, second).accuracy - calibrate_ties(pairs, first).accuracy;
            double scale = static_cast<double>(pairs.unit()) * static_cast<double>(pairs.groups());
            CHECK(std::abs(static_cast<double>(differences[d]) / scale - lead) < 1e-12);
        }
    }
}

// A metric with the human order and ties has accuracy 1, for any sizes of groups. Only rounded weights make it differ.
void check_weights(const std::vector<size_t>& sizes, bool is_exact) {
    std::vector<size_t> starts = starts_of(sizes);
    Random random(7);
    std::vector<double> human = drawn_scores(random, starts.back(), 5);
    HumanPairs pairs(human, starts);
    CHECK((pairs.rounding() == 0) == is_exact);
    double accuracy = calibrate_ties(pairs, human).accuracy;
    CHECK(is_exact ? accuracy == 1 : std::abs(accuracy - 1) < 1e-11);
    int64_t sum = 0;
    for (const HumanPairs::Pair& pair : pairs.pairs()) {
        CHECK(pair.weight > 0);
        sum += pair.weight;
    }
    CHECK(std::abs(static_cast<double>(sum) / static_cast<double>(pairs.unit()) / static_cast<double>(pairs.groups()) -
                   1) < 1e-11);
}

void check_limits() {
    size_t largest = 5793;  // 5793 * 5792 / 2 is just below 2**24, and one more score is above
    CHECK(largest * (largest - 1) / 2 <= HumanPairs::kMost);
    CHECK((largest + 1) * largest / 2 > HumanPairs::kMost);
    std::vector<double> human(largest + 3);
    CHECK(HumanPairs(human, starts_of({largest, 1, 1})).pairs().size() == largest * (largest - 1) / 2);
    CHECK_THROWS_AS((HumanPairs(human, starts_of({largest + 1}))), TooLarge);
    std::vector<size_t> many(6000, 100);
    CHECK_THROWS_AS(HumanPairs(std::vector<double>(600'000), starts_of(many)), TooLarge);
    // The square of this size overflows. No score is read.
    CHECK_THROWS_AS((HumanPairs(human, std::vector<size_t>{0, size_t{1} << 33})), TooLarge);
    HumanPairs none(human, starts_of({1, 1, 0}));
    CHECK(none.pairs().empty());
    CHECK(none.groups() == 0);
    CHECK(std::isnan(calibrate_ties(none, human).accuracy));
}

void check_scales() {
    Random random(11);
    std::vector<size_t> starts{0, 20};
    std::vector<double> human = drawn_scores(random, 20, 9), metric = drawn_scores(random, 20, 30);
    for (Agreement statistic : {Agreement::Pearson, Agreement::Spearman, Agreement::TauB, Agreement::TauC}) {
        AgreementScorer scorer({statistic});
        double expected = scorer.score(human, metric, starts);
        for (int exponent : {-1060, -600, -40, 40, 600, 1015})
            for (bool both : {false, true}) {
                std::vector<double> scaled_human = human, scaled_metric = metric;
                for (double& score : scaled_metric) score = std::ldexp(score, exponent);
                if (both)
                    for (double& score : scaled_human) score = std::ldexp(score, exponent);
                CHECK(std::abs(scorer.score(scaled_human, scaled_metric, starts) - expected) < 1e-14);
            }
    }
}

// Draws whose swapped scores are constant have the correlation 0, not the ratio of two rounding errors.
void check_constant_draws() {
    double root = std::sqrt(2.0);
    std::vector<double> human{0.1, 0.3, 0.2}, one{-1 / root, -1 / root, root}, other{root, -1 / root, -1 / root};
    constexpr size_t kDraws = 200;
    Pcg64 generator({1, 2}, {3, 5}), bits = generator;
    std::vector<size_t> starts{0, 3};
    SwapTest test(human, starts, AgreementRule{Agreement::Pearson}, generator, kDraws);
    SwapTest::Scratch scratch;
    AgreementScorer scorer({Agreement::Pearson});
    auto lead = [&](uint64_t swaps) {
        std::vector<double> first = one, second = other;
        for (size_t i = 0; i < 3; ++i)
            if (swaps >> i & 1) std::swap(first[i], second[i]);
        double of_first = scorer.score(human, first, starts), of_second = scorer.score(human, second, starts);
        return (std::isnan(of_second) ? 0 : of_second) - (std::isnan(of_first) ? 0 : of_first);
    };
    size_t as_large = 1;
    for (size_t d = 0; d < kDraws; ++d) as_large += lead(bits.next()) >= lead(0) - 1e-12;
    CHECK(test.p_value(scratch, one, other) == static_cast<double>(as_large) / static_cast<double>(kDraws + 1));
}

bool is_swapped(const std::vector<uint64_t>& swapped, size_t position, size_t draw) {
    return (swapped[position] >> draw & 1) != 0;
}

// The numbers of every instruction set equal those of looking at each draw.
void check_rank_counts(size_t size, size_t human_levels, int ranks) {
    Random random(size * 10 + static_cast<size_t>(ranks));
    std::vector<RankStep> steps(size);
    std::vector<uint64_t> swapped = drawn_swaps(random, size);
    std::vector<size_t> human(size);
    for (size_t i = 0; i < size; ++i) {
        human[i] = i * human_levels / size;
        steps[i].position = static_cast<uint32_t>(size - 1 - i);
        for (uint32_t& rank : steps[i].rank) rank = static_cast<uint32_t>(random() % static_cast<uint64_t>(ranks) + 1);
    }
    std::vector<uint32_t> members, ends;
    for (uint32_t i = 0; i < 2 * size; ++i) {
        members.push_back(i);
        if (random() % 3 == 0 || i + 1 == 2 * size) ends.push_back(i + 1);
    }
    for (size_t i = 0; i < size; ++i) {
        steps[i].is_last = i + 1 == size || human[i + 1] != human[i];
        for (size_t side = 0; side < 2; ++side)
            for (size_t k = 0; human[k] < human[i]; ++k)
                for (uint32_t rank : steps[k].rank) steps[i].at_most[side] += rank <= steps[i].rank[side];
    }
    auto check = [&](decltype(&count_ascending) ascending, decltype(&count_in_classes) in_classes, unsigned shift) {
        std::vector<uint16_t> tree((static_cast<size_t>(ranks) + 1) * kRankDraws, 7);
        DrawCounts found, pairs, filled;
        ascending(steps.data(), size, static_cast<size_t>(ranks), swapped.data(), shift, tree.data(), found);
        in_classes(members.data(), ends.data(), ends.size(), swapped.data(), shift, pairs, filled);
        for (size_t side = 0; side < 2; ++side)
            for (size_t d = 0; d < kRankDraws; ++d) {
                auto rank = [&](size_t i) {
                    return steps[i].rank[is_swapped(swapped, steps[i].position, shift + d) != (side == 1)];
                };
                uint32_t expected = 0, expected_pairs = 0, expected_filled = 0;
                for (size_t i = 0; i < size; ++i)
                    for (size_t k = 0; human[k] < human[i]; ++k) expected += rank(k) <= rank(i);
                for (size_t c = 0, at = 0; c < ends.size(); ++c) {
                    uint32_t inside = 0;
                    for (; at < ends[c]; ++at)
                        inside += is_swapped(swapped, members[at] / 2, shift + d) == (members[at] % 2 != side);
                    expected_pairs += inside * (inside - std::min(inside, 1u)) / 2;
                    expected_filled += inside > 0;
                }
                CHECK(found[side][d] == expected);
                CHECK(pairs[side][d] == expected_pairs);
                CHECK(filled[side][d] == expected_filled);
            }
    };
    for (unsigned shift : {0u, 32u}) {
        check(&count_ascending, &count_in_classes, shift);
#ifdef REFSCORE_X86
        if (best_instruction_set() >= InstructionSet::Avx2) check(&count_ascending_avx2, &count_in_classes_avx2, shift);
        if (best_instruction_set() >= InstructionSet::Avx512)
            check(&count_ascending_avx512, &count_in_classes_avx512, shift);
#endif
    }
}

// The p-value of statistics that count pairs equals that of computing the statistic of every draw.
void check_orders(const AgreementRule& rule, const std::vector<size_t>& sizes, int human_levels, int metric_levels) {
    std::vector<size_t> starts = starts_of(sizes);
    Random random(starts.back() + static_cast<uint64_t>(metric_levels));
    std::vector<double> human = drawn_scores(random, starts.back(), human_levels);
    constexpr size_t kDraws = 70;
    Pcg64 generator({1, 2}, {3, 5}), bits = generator;
    SwapTest test(human, starts, rule, generator, kDraws);
    std::vector<std::vector<uint64_t>> swaps(kDraws);
    for (std::vector<uint64_t>& swap : swaps)
        for (size_t i = 0; i < (human.size() + 63) / 64; ++i) swap.push_back(bits.next());
    SwapTest::Scratch scratch;
    AgreementScorer scorer(rule);
    for (int repeat = 0; repeat < 2; ++repeat) {  // with the same scratch memory
        std::vector<double> one = drawn_scores(random, human.size(), metric_levels),
                            other = drawn_scores(random, human.size(), metric_levels);
        auto lead = [&](const std::vector<uint64_t>& swap) {
            std::vector<double> first = one, second = other;
            for (size_t i = 0; i < human.size() && !swap.empty(); ++i)
                if (swap[i / 64] >> i % 64 & 1) std::swap(first[i], second[i]);
            double of_first = scorer.score(human, first, starts), of_second = scorer.score(human, second, starts);
            return (std::isnan(of_second) ? 0 : of_second) - (std::isnan(of_first) ? 0 : of_first);
        };
        size_t as_large = 1;
        for (const std::vector<uint64_t>& swap : swaps) as_large += lead(swap) >= lead({}) - 1e-12;
        CHECK(test.p_value(scratch, one, other) == static_cast<double>(as_large) / static_cast<double>(kDraws + 1));
    }
}

void check_sums_at_least() {
    Random random(5);
    constexpr size_t kRows = 5;
    std::vector<double> sums = drawn_scores(random, kRows * kSumsTogether, 9), least = drawn_scores(random, 10, 5);
    auto check = [&](AddSumsAtLeast add) {
        if (add == nullptr) return;
        std::vector<uint32_t> counts(least.size(), 3);
        add(sums.data(), kRows, least.data(), counts.data());
        for (size_t i = 0, pair = 0; i < kRows; ++i)
            for (size_t j = i + 1; j < kRows; ++j, ++pair) {
                uint32_t expected = 3;
                for (size_t p = 0; p < kSumsTogether; ++p)
                    expected += sums[i * kSumsTogether + p] - sums[j * kSumsTogether + p] >= least[pair];
                CHECK(counts[pair] == expected);
            }
    };
    check(&add_sums_at_least);
#if defined(REFSCORE_X86)
    if (best_instruction_set() >= InstructionSet::Avx2) check(&add_sums_at_least_avx2);
    if (best_instruction_set() >= InstructionSet::Avx512) check(&add_sums_at_least_avx512);
#elif defined(REFSCORE_NEON)
    check(&add_sums_at_least_neon);
#endif
}

// The p-values of soft pairwise accuracy equal those of summing the swapped scores of every draw and permutation.
void check_soft(const SoftSwapTest::Shape& shape, int levels) {
    Random random(shape.permutations + shape.metrics);
    std::vector<double> signs(shape.permutations * shape.segments),
        scores = drawn_scores(random, shape.rows() * shape.segments, levels);
    for (double& sign : signs) sign = random() % 2 == 0 ? 1 : -1;
    std::vector<int64_t> human(shape.system_pairs());
    for (int64_t& count : human) count = static_cast<int64_t>(random() % (shape.permutations + 1));
    std::vector<SoftSwapTest::Pair> pairs;
    for (size_t k = 0; k < shape.metrics; ++k) pairs.emplace_back(k, (k + 1) % shape.metrics);
    constexpr size_t kDraws = 20;
    Pcg64 generator({1, 2}, {3, 5}), bits = generator;
    SoftSwapTest test(shape, signs, human, scores, pairs, generator);
    size_t size = shape.systems * shape.segments;
    auto distance = [&](const std::vector<double>& of) {
        int64_t sum = 0;
        for (size_t i = 0, pair = 0; i < shape.systems; ++i)
            for (size_t j = i + 1; j < shape.systems; ++j, ++pair) {
                int64_t count = 0;
                double observed = 0;
                for (size_t u = 0; u < shape.segments; ++u)
                    observed += of[i * shape.segments + u] - of[j * shape.segments + u];
                for (size_t p = 0; p < shape.permutations; ++p) {
                    double drawn = 0;
                    for (size_t u = 0; u < shape.segments; ++u)
                        drawn +=
                            signs[p * shape.segments + u] * (of[i * shape.segments + u] - of[j * shape.segments + u]);
                    count += drawn >= observed;
                }
                sum += std::abs(count - human[pair]);
            }
        return sum;
    };
    auto lead = [&](const SoftSwapTest::Pair& pair, const std::vector<uint64_t>& swap) {
        auto begin = scores.begin();
        std::vector<double> first(begin + static_cast<std::ptrdiff_t>(pair.first * size),
                                  begin + static_cast<std::ptrdiff_t>((pair.first + 1) * size)),
            second(begin + static_cast<std::ptrdiff_t>(pair.second * size),
                   begin + static_cast<std::ptrdiff_t>((pair.second + 1) * size));
        for (size_t i = 0; i < size && !swap.empty(); ++i)
            if (swap[i / 64] >> i % 64 & 1) std::swap(first[i], second[i]);
        return distance(first) - distance(second);
    };
    std::vector<int64_t> expected;
    for (size_t d = 0; d < kDraws; ++d) {
        std::vector<uint64_t> swap((size + 63) / 64);
        for (uint64_t& word : swap) word = bits.next();
        for (const SoftSwapTest::Pair& pair : pairs) expected.push_back(lead(pair, swap));
    }
    for (size_t k = 0; k < pairs.size(); ++k) CHECK(test.observed()[k] == lead(pairs[k], {}));
    for (size_t threads : {1, 3}) {
        std::vector<int64_t> found(expected.size());
        test.leads(0, 7, threads, found);
        test.leads(7, kDraws, threads, std::span(found).subspan(7 * pairs.size()));
        CHECK(found == expected);
    }
}

}  // namespace

TEST_CASE("agreement equals slow definitions") {
    for (size_t size : {1, 2, 7, 50, 130})
        for (int ranks : {1, 5, 200})
            for (size_t human_levels : {size_t{1}, size_t{3}, size}) check_rank_counts(size, human_levels, ranks);
    for (Agreement statistic : {Agreement::TauB, Agreement::TauC, Agreement::Tau23, Agreement::Acc23})
        for (int human_levels : {1, 4, 1000})
            for (int metric_levels : {1, 4, 1000})
                for (bool flag : {false, true}) {
                    AgreementRule rule{statistic, 0, flag, flag};
                    check_orders(rule, {150}, human_levels, metric_levels);
                    check_orders(rule, {3, 1, 0, 60, 7}, human_levels, metric_levels);
                }
    check_orders({Agreement::Acc23, 1.5}, {70}, 4, 9);
    check_sums_at_least();
    for (size_t permutations : {1, 64, 100})
        for (size_t segments : {1, 9, 70}) {
            check_soft({2, 2, segments, permutations}, 4);
            check_soft({4, 5, segments, permutations}, 3);
        }
    for (size_t count : {0, 1, 2, 126, 127, 128, 254, 255, 1000, 5000})
        for (int direction : {-1, 0, 1})
            for (uint64_t thresholds : {0, 1, 3, 300}) check_steps(count, direction, thresholds);
    for (int human_levels : {1, 2, 6})
        for (int metric_levels : {1, 3, 1000}) {
            check_differences(std::vector<size_t>(9, 5), human_levels, metric_levels);
            check_differences({2, 3, 1, 0, 7, 5}, human_levels, metric_levels);
            check_differences({40}, human_levels, metric_levels);
        }
    check_differences(std::vector<size_t>(40, 8), 4, 50);  // more than 4,096 steps
    check_weights({3, 3, 3}, true);
    check_weights({2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, true);
    check_weights({997, 998, 1000}, true);
    check_weights({983, 985, 987, 989, 991, 992, 997, 998, 1000}, false);
    check_limits();
    check_scales();
    check_constant_draws();
}
