#include "refscore/statistics/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kScoreWork =
    4;  // nanoseconds per score or pair, for checkpoint(); only the order of magnitude matters

bool is_constant(std::span<const double> scores) {
    return std::all_of(scores.begin(), scores.end(), [&](double score) { return score == scores[0]; });
}

// The sums of squares outside these bounds overflow, or lose digits.
constexpr double kLeastSquares = 1e-200, kMostSquares = 1e200;

bool is_normal(double squares) { return squares >= kLeastSquares && squares <= kMostSquares; }

double pearson(std::span<const double> human, std::span<const double> metric, bool is_scaled = false) {
    if (human.size() < 2 || is_constant(human) || is_constant(metric)) return kUndefined;
    auto size = static_cast<double>(human.size());
    double human_mean = std::accumulate(human.begin(), human.end(), 0.0) / size;
    double metric_mean = std::accumulate(metric.begin(), metric.end(), 0.0) / size;
    double products = 0, human_squares = 0, metric_squares = 0;
    for (size_t i = 0; i < human.size(); ++i) {
        double h = human[i] - human_mean, m = metric[i] - metric_mean;
        products += h * m;
        human_squares += h * h;
        metric_squares += m * m;
    }
    if (!is_scaled && !(is_normal(human_squares) && is_normal(metric_squares))) {
        std::vector<double> scaled_human(human.begin(), human.end()), scaled_metric(metric.begin(), metric.end());
        scale_near_one(scaled_human);
        scale_near_one(scaled_metric);
        return pearson(scaled_human, scaled_metric, true);
    }
    if (human_squares == 0 || metric_squares == 0) return kUndefined;
    return std::clamp(products / std::sqrt(human_squares) / std::sqrt(metric_squares), -1.0, 1.0);
}

// Both differences of a pair count, (a, b) and (b, a), so the differences have mean 0. Within a group of n scores, the
// sum of products of differences is 2n times the sum of products of deviations from the group's means.
double pearson_of_differences(std::span<const double> human, std::span<const double> metric,
                              std::span<const size_t> starts, bool is_scaled = false) {
    double products = 0, human_squares = 0, metric_squares = 0;
    for (size_t g = 0; g + 1 < starts.size(); ++g) {
        size_t size = starts[g + 1] - starts[g];
        if (size < 2) continue;
        checkpoint(size * kScoreWork);
        std::span<const double> h = human.subspan(starts[g], size), m = metric.subspan(starts[g], size);
        // The mean of equal numbers is rounded, so their deviations would not be 0.
        bool human_differs = !is_constant(h), metric_differs = !is_constant(m);
        auto count = static_cast<double>(size);
        double human_mean = std::accumulate(h.begin(), h.end(), 0.0) / count;
        double metric_mean = std::accumulate(m.begin(), m.end(), 0.0) / count;
        double own_products = 0, own_human = 0, own_metric = 0;
        for (size_t i = 0; i < size; ++i) {
            double human_deviation = human_differs ? h[i] - human_mean : 0;
            double metric_deviation = metric_differs ? m[i] - metric_mean : 0;
            own_products += human_deviation * metric_deviation;
            own_human += human_deviation * human_deviation;
            own_metric += metric_deviation * metric_deviation;
        }
        products += count * own_products;
        human_squares += count * own_human;
        metric_squares += count * own_metric;
    }
    if (!is_scaled && !(is_normal(human_squares) && is_normal(metric_squares))) {
        std::vector<double> scaled_human(human.begin(), human.end()), scaled_metric(metric.begin(), metric.end());
        scale_near_one(scaled_human);
        scale_near_one(scaled_metric);
        return pearson_of_differences(scaled_human, scaled_metric, starts, true);
    }
    if (human_squares == 0 || metric_squares == 0) return kUndefined;
    return std::clamp(products / std::sqrt(human_squares) / std::sqrt(metric_squares), -1.0, 1.0);
}

double share(uint64_t part, uint64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

uint64_t pairs_of(uint64_t size) { return size * (size - 1) / 2; }

}  // namespace

void scale_near_one(std::span<double> scores) {
    double largest = 0;
    for (double score : scores) largest = std::max(largest, std::abs(score));
    if (largest == 0) return;
    int exponent = std::ilogb(largest);
    for (double& score : scores) score = std::scalbn(score, -exponent);
}

double value_of_pairs(const AgreementRule& rule, const PairCounts& counts, size_t size, size_t classes,
                      double& weight) {
    weight = 1;
    uint64_t all = counts.all();
    if (rule.weigh_by_pairs) weight = static_cast<double>(all);
    double better = static_cast<double>(counts.concordant) - static_cast<double>(counts.discordant);
    switch (rule.statistic) {
        case Agreement::TauB: {
            uint64_t metric_differ = all - counts.metric_ties - counts.both_tie,
                     human_differ = all - counts.human_ties - counts.both_tie;
            if (metric_differ == 0 || human_differ == 0) return kUndefined;
            double tau =
                better / std::sqrt(static_cast<double>(human_differ)) / std::sqrt(static_cast<double>(metric_differ));
            return std::clamp(tau, -1.0, 1.0);
        }
        case Agreement::TauC: {
            auto least = static_cast<double>(classes), scores = static_cast<double>(size);
            return least < 2 ? kUndefined : std::clamp(2 * better / (scores * scores * (least - 1) / least), -1.0, 1.0);
        }
        case Agreement::Acc23: return all == 0 ? kUndefined : share(counts.concordant + counts.both_tie, all);
        case Agreement::Tau23:
            return all == 0 ? kUndefined
                            : share(counts.concordant + counts.both_tie, all) -
                                  share(all - counts.concordant - counts.both_tie, all);
        default:  // KendallLike, where ties count as discordant
            return all == 0 ? kUndefined : share(counts.concordant, all) - share(all - counts.concordant, all);
    }
}

void GroupMean::add(const AgreementRule& rule, double value, double weight) {
    if (std::isnan(value)) {
        if (!rule.zero_if_undefined) return;
        value = 0;
    }
    sum_ += weight * value;
    weights_ += weight;
}

double GroupMean::value() const { return weights_ > 0 ? sum_ / weights_ : kUndefined; }

double AgreementScorer::score(std::span<const double> human, std::span<const double> metric,
                              std::span<const size_t> starts) {
    if (rule_.statistic == Agreement::PairwisePearson) return pearson_of_differences(human, metric, starts);
    GroupMean mean;
    for (size_t g = 0; g + 1 < starts.size(); ++g) {
        size_t size = starts[g + 1] - starts[g];
        double weight = 1, value = group(human.subspan(starts[g], size), metric.subspan(starts[g], size), weight);
        mean.add(rule_, value, weight);
    }
    return mean.value();
}

double AgreementScorer::group(std::span<const double> human, std::span<const double> metric, double& weight) {
    checkpoint(human.size() * kScoreWork);
    weight = 1;
    if (rule_.statistic == Agreement::Pearson || rule_.statistic == Agreement::PairwisePearson)
        return pearson(human, metric);
    if (rule_.statistic == Agreement::Spearman) {
        rank(human, human_ranks_);
        rank(metric, metric_ranks_);
        return pearson(human_ranks_, metric_ranks_);
    }
    size_t fewer = rule_.statistic == Agreement::TauC ? std::min(classes(human), classes(metric)) : 0;
    return value_of_pairs(rule_, count(human, metric), human.size(), fewer, weight);
}

PairCounts AgreementScorer::count(std::span<const double> human, std::span<const double> metric) {
    constexpr size_t kFew = 48;  // comparing all pairs of so many scores takes as long as sorting them
    bool is_like = rule_.statistic == Agreement::KendallLike;
    if (human.size() > kFew && rule_.threshold == 0 && !is_like) return count_by_sorting(human, metric);
    double epsilon = is_like ? 0 : rule_.threshold, least = is_like ? rule_.threshold : 0;
    uint64_t concordant = 0, metric_ties = 0, human_ties = 0, both = 0, all = 0;
    for (size_t i = 0; i < human.size(); ++i) {
        checkpoint((human.size() - i) * kScoreWork);
        for (size_t k = i + 1; k < human.size(); ++k) {
            double h = human[i] - human[k], m = metric[i] - metric[k];
            bool counts = std::abs(h) >= least, metric_tie = std::abs(m) <= epsilon, human_tie = h == 0;
            all += counts;
            both += counts & metric_tie & human_tie;
            metric_ties += counts & metric_tie & !human_tie;
            human_ties += counts & !metric_tie & human_tie;
            concordant += counts & !metric_tie & !human_tie & ((h > 0) == (m > 0));
        }
    }
    return {concordant, all - concordant - metric_ties - human_ties - both, metric_ties, human_ties, both};
}

// Knight (1966): sorted by human score, the discordant pairs are the inversions of the metric scores.
PairCounts AgreementScorer::count_by_sorting(std::span<const double> human, std::span<const double> metric) {
    size_t size = human.size();
    checkpoint(size * kScoreWork * 16);
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
        return human[a] != human[b] ? human[a] < human[b] : metric[a] < metric[b];
    });
    sorted_.resize(size);
    merged_.resize(size);
    for (size_t i = 0; i < size; ++i) sorted_[i] = metric[order_[i]];
    uint64_t human_ties = 0, metric_ties = 0, both = 0, inversions = 0;
    for (size_t i = 0, run = 1, both_run = 1; i < size; ++i, ++run, ++both_run) {
        bool is_last = i + 1 == size || human[order_[i]] != human[order_[i + 1]];
        if (is_last || sorted_[i] != sorted_[i + 1]) {
            both += pairs_of(both_run);
            both_run = 0;
        }
        if (is_last) {
            human_ties += pairs_of(run);
            run = 0;
        }
    }
    for (size_t width = 1; width < size; width *= 2) {
        for (size_t begin = 0; begin < size; begin += 2 * width) {
            size_t left = begin, middle = std::min(begin + width, size), right = middle,
                   end = std::min(begin + 2 * width, size);
            for (size_t out = begin; out < end; ++out) {
                if (left < middle && (right == end || sorted_[left] <= sorted_[right])) {
                    merged_[out] = sorted_[left++];
                } else {
                    inversions += middle - left;
                    merged_[out] = sorted_[right++];
                }
            }
        }
        std::swap(sorted_, merged_);
    }
    for (size_t i = 0, run = 1; i < size; ++i, ++run)
        if (i + 1 == size || sorted_[i] != sorted_[i + 1]) {
            metric_ties += pairs_of(run);
            run = 0;
        }
    uint64_t concordant = pairs_of(size) - human_ties - metric_ties + both - inversions;
    return {concordant, inversions, metric_ties - both, human_ties - both, both};
}

void AgreementScorer::rank(std::span<const double> scores, std::vector<double>& ranks) {
    order_.resize(scores.size());
    ranks.resize(scores.size());
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return scores[a] < scores[b]; });
    for (size_t begin = 0, end; begin < scores.size(); begin = end) {
        for (end = begin + 1; end < scores.size() && scores[order_[end]] == scores[order_[begin]];) ++end;
        double mean = static_cast<double>(begin + end + 1) / 2;  // of the ranks begin + 1 to end
        for (size_t i = begin; i < end; ++i) ranks[order_[i]] = mean;
    }
}

size_t AgreementScorer::classes(std::span<const double> scores) {
    sorted_.assign(scores.begin(), scores.end());
    std::sort(sorted_.begin(), sorted_.end());
    return static_cast<size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
}

}  // namespace refscore
