#include "refscore/statistics/swap_test.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Differences that are closer to the observed one count as equal: sums in another order differ by less.
constexpr double kTie = 1e-12;

// A variance below this share of the sum of squares is the rounding error of a constant.
constexpr double kFlat = 1e-13;

double defined(double value) { return std::isnan(value) ? 0 : value; }

bool counts_by_order(const AgreementRule& rule, std::span<const size_t> starts) {
    for (size_t g = 0; g + 1 < starts.size(); ++g)
        if (starts[g + 1] - starts[g] > HumanOrder::kMost) return false;
    switch (rule.statistic) {
        case Agreement::TauB:
        case Agreement::TauC:
        case Agreement::Tau23:
        case Agreement::Acc23: return rule.threshold == 0;
        default: return false;
    }
}

}  // namespace

SwapTest::SwapTest(std::span<const double> human, std::span<const size_t> starts,
                   const std::optional<AgreementRule>& rule, Pcg64 generator, size_t draws)
    : human_(human.begin(), human.end()),
      starts_(starts.begin(), starts.end()),
      rule_(rule),
      draws_(draws + 1),
      words_((human.size() + 63) / 64) {
    swapped_.assign(draws_ * words_, 0);
    for (size_t i = words_; i < swapped_.size(); ++i) swapped_[i] = generator.next();
    // A correlation does not depend on the scale of human scores, but their squares could overflow.
    if (rule_ && (rule_->statistic == Agreement::Pearson || rule_->statistic == Agreement::PairwisePearson))
        scale_near_one(human_);
    if (!rule_) {
        pairs_.emplace(human, starts);
    } else if (counts_by_order(*rule_, starts)) {
        order_.emplace(human, starts);
    } else {
        return;
    }
    size_t chunks = (draws_ + kTieDraws - 1) / kTieDraws;
    swapped_draws_.assign(chunks * human.size(), 0);
    for (size_t d = 0; d < draws_; ++d) {
        checkpoint(human.size());
        uint64_t* of_chunk = swapped_draws_.data() + d / kTieDraws * human.size();
        for (size_t i = 0; i < human.size(); ++i) of_chunk[i] |= (draw(d)[i / 64] >> i % 64 & 1) << d % kTieDraws;
    }
}

double SwapTest::p_value(Scratch& scratch, std::span<const double> one, std::span<const double> other) const {
    if (pairs_) {
        scratch.ties.start(*pairs_, one, other);
        scratch.counts.resize((draws_ + kTieDraws - 1) / kTieDraws * kTieDraws);
        for (size_t d = 0; d < draws_; d += kTieDraws)
            scratch.ties.differences(swapped_draws_.data() + d / kTieDraws * human_.size(),
                                     std::span(scratch.counts).subspan(d, kTieDraws));
        auto end = scratch.counts.begin() + static_cast<std::ptrdiff_t>(draws_);
        auto as_large = std::count_if(scratch.counts.begin(), end,
                                      [&](int64_t lead) { return lead >= scratch.counts[0] - pairs_->rounding(); });
        return static_cast<double>(as_large) / static_cast<double>(draws_);
    }
    differ_by_rule(scratch, one, other);
    double observed = scratch.differences[0];
    auto as_large = std::count_if(scratch.differences.begin(), scratch.differences.end(),
                                  [&](double lead) { return lead >= observed - kTie; });
    return static_cast<double>(as_large) / static_cast<double>(draws_);
}

void SwapTest::leads(Scratch& scratch, std::span<const double> one, std::span<const double> other,
                     std::span<double> out) const {
    require(rule_.has_value(), "leads need a rule");
    differ_by_rule(scratch, one, other);
    std::copy(scratch.differences.begin(), scratch.differences.end(), out.begin());
}

void SwapTest::differ_by_rule(Scratch& scratch, std::span<const double> one, std::span<const double> other) const {
    scratch.differences.resize(draws_);
    if (rule_->statistic == Agreement::Pearson && starts_.size() == 2) {
        differ_by_pearson(scratch, one, other);
    } else if (order_) {
        differ_by_orders(scratch, one, other);
    } else {
        differ(scratch, one, other);
    }
}

// The three sums of a correlation change by fixed numbers for each swapped position. For eight positions at a time, all
// 256 sums of such numbers are in a table.
void SwapTest::differ_by_pearson(Scratch& scratch, std::span<const double> one, std::span<const double> other) const {
    constexpr size_t kTogether = 8, kSums = 3;
    auto size = static_cast<double>(human_.size());
    double mean = std::accumulate(human_.begin(), human_.end(), 0.0) / size, human_squares = 0;
    double first[kSums] = {}, both[kSums] = {};
    auto numbers = [&](size_t i, double score, double* out) {
        out[0] = score;
        out[1] = score * score;
        out[2] = (human_[i] - mean) * score;
    };
    scratch.sums.assign(draws_ * kSums, 0);
    scratch.table.resize((size_t{1} << kTogether) * kSums);
    double* table = scratch.table.data();
    for (size_t begin = 0; begin < human_.size(); begin += kTogether) {
        checkpoint(draws_ * kSums);
        size_t count = std::min(kTogether, human_.size() - begin);
        double changes[kTogether][kSums] = {};
        for (size_t k = 0; k < count; ++k) {
            double of_one[kSums], of_other[kSums];
            numbers(begin + k, one[begin + k], of_one);
            numbers(begin + k, other[begin + k], of_other);
            human_squares += (human_[begin + k] - mean) * (human_[begin + k] - mean);
            for (size_t s = 0; s < kSums; ++s) {
                changes[k][s] = of_other[s] - of_one[s];
                first[s] += of_one[s];
                both[s] += of_one[s] + of_other[s];
            }
        }
        std::fill_n(table, kSums, 0.0);
        for (size_t set = 1; set < size_t{1} << kTogether; ++set) {
            auto lowest = static_cast<size_t>(std::countr_zero(set));
            for (size_t s = 0; s < kSums; ++s)
                table[set * kSums + s] = table[(set & (set - 1)) * kSums + s] + changes[lowest][s];
        }
        for (size_t d = 0; d < draws_; ++d) {
            size_t set = draw(d)[begin / 64] >> begin % 64 & 255;
            for (size_t s = 0; s < kSums; ++s) scratch.sums[d * kSums + s] += table[set * kSums + s];
        }
    }
    auto correlation = [&](const double* sums) {
        double variance = sums[1] - sums[0] * sums[0] / size;
        return variance > kFlat * sums[1] && human_squares > 0
                   ? sums[2] / std::sqrt(variance) / std::sqrt(human_squares)
                   : 0;
    };
    for (size_t d = 0; d < draws_; ++d) {
        double of_one[kSums], of_other[kSums];
        for (size_t s = 0; s < kSums; ++s) {
            of_one[s] = first[s] + scratch.sums[d * kSums + s];
            of_other[s] = both[s] - of_one[s];
        }
        scratch.differences[d] = correlation(of_other) - correlation(of_one);
    }
}

void SwapTest::differ_by_orders(Scratch& scratch, std::span<const double> one, std::span<const double> other) const {
    scratch.orders.start(*order_, one, other, rule_->statistic == Agreement::TauC);
    for (size_t first = 0; first < draws_; first += kRankDraws) {
        size_t draws = std::min(kRankDraws, draws_ - first);
        const uint64_t* swapped = swapped_draws_.data() + first / kTieDraws * human_.size();
        GroupMean means[2][kRankDraws];
        for (size_t g = 0; g < order_->groups().size(); ++g) {
            const HumanOrder::Group& group = order_->groups()[g];
            SwappedOrders::Counts counts[2][kRankDraws];
            scratch.orders.count(g, swapped, first % kTieDraws, draws, counts);
            for (size_t side = 0; side < 2; ++side)
                for (size_t d = 0; d < draws; ++d) {
                    const SwappedOrders::Counts& own = counts[side][d];
                    double weight = 1, value = value_of_pairs(*rule_, own.pairs, group.end - group.begin,
                                                              std::min(group.classes, own.classes), weight);
                    means[side][d].add(*rule_, value, weight);
                }
        }
        for (size_t d = 0; d < draws; ++d)
            scratch.differences[first + d] = defined(means[1][d].value()) - defined(means[0][d].value());
    }
}

void SwapTest::differ(Scratch& scratch, std::span<const double> one, std::span<const double> other) const {
    AgreementScorer scorer(*rule_);
    scratch.one.resize(human_.size());
    scratch.other.resize(human_.size());
    for (size_t d = 0; d < draws_; ++d) {
        for (size_t i = 0; i < human_.size(); ++i) {
            bool is_swapped = draw(d)[i / 64] >> i % 64 & 1;
            scratch.one[i] = is_swapped ? other[i] : one[i];
            scratch.other[i] = is_swapped ? one[i] : other[i];
        }
        double of_other = defined(scorer.score(human_, scratch.other, starts_));
        scratch.differences[d] = of_other - defined(scorer.score(human_, scratch.one, starts_));
    }
}

}  // namespace refscore
