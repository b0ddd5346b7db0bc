// PERM-BOTH (Deutsch, Dror and Roth, 2021): does one metric agree better with people than another? In each draw, every
// pair of scores of the two metrics changes places with probability 1/2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "refscore/statistics/agreement.hpp"
#include "refscore/statistics/resampling.hpp"
#include "refscore/statistics/swapped_orders.hpp"
#include "refscore/statistics/tie_calibration.hpp"

namespace refscore {

// Tests many pairs of metrics with the same draws. All threads may use it at the same time.
class SwapTest {
  public:
    // Without a rule, the statistic is that of tie_calibration.hpp. Groups are those of AgreementScorer. A draw uses
    // whole words of the generator; position i is bit i from the lowest.
    SwapTest(std::span<const double> human, std::span<const size_t> starts, const std::optional<AgreementRule>& rule,
             Pcg64 generator, size_t draws);

    size_t size() const { return human_.size(); }

    // Scratch memory for one thread.
    class Scratch {
        friend class SwapTest;
        std::vector<double> one, other, differences, table, sums;
        std::vector<int64_t> counts;
        SwappedTies ties;
        SwappedOrders orders;
    };

    // Returns the p-value of "the second metric agrees better": the share of draws in which its lead is at least the
    // observed one. The observed scores count as a draw. Both metrics must have the same scale, for example mean 0 and
    // standard deviation 1.
    double p_value(Scratch& scratch, std::span<const double> one, std::span<const double> other) const;

    // Writes the lead of the second metric for the observed scores, and then for each draw. It needs a rule.
    void leads(Scratch& scratch, std::span<const double> one, std::span<const double> other,
               std::span<double> out) const;
    size_t draws() const { return draws_; }

  private:
    const uint64_t* draw(size_t d) const { return swapped_.data() + d * words_; }
    void differ_by_rule(Scratch& scratch, std::span<const double> one, std::span<const double> other) const;
    void differ_by_pearson(Scratch& scratch, std::span<const double> one, std::span<const double> other) const;
    void differ_by_orders(Scratch& scratch, std::span<const double> one, std::span<const double> other) const;
    void differ(Scratch& scratch, std::span<const double> one, std::span<const double> other) const;

    std::vector<double> human_;
    std::vector<size_t> starts_;
    std::optional<AgreementRule> rule_;
    std::optional<HumanPairs> pairs_;
    std::optional<HumanOrder> order_;  // for statistics that count pairs by order
    size_t draws_;                     // with the observed one, the first, which swaps nothing
    size_t words_;
    std::vector<uint64_t> swapped_;  // by draw: the bits of all positions
    std::vector<uint64_t>
        swapped_draws_;  // by 64 draws and position: the bits of the draws; only with pairs_ or order_
};

}  // namespace refscore
