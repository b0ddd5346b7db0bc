#include "refscore/statistics/tie_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/text.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kPairWork = 50;  // nanoseconds, for checkpoint(); only the order of magnitude matters

// Differences of scores with standard deviation 1 that are closer are equal: standardizing rounds them.
constexpr double kSame = 1e-12;

int sign_of(double difference) { return (difference > 0) - (difference < 0); }

// A pair of scores whose accuracy changes when it becomes a tie.
struct Change {
    double difference;
    int64_t weight;  // negative if the accuracy falls
};

}  // namespace

HumanPairs::HumanPairs(std::span<const double> human, std::span<const size_t> starts) {
    size_t total = 0, first = 0;
    for (size_t g = 0; g + 1 < starts.size(); ++g) {
        size_t size = starts[g + 1] - starts[g], pairs = size < 2 ? 0 : size * (size - 1) / 2;
        if (pairs == 0) continue;
        if (size > kMost || (total += pairs) > kMost)
            throw TooLarge("there are too many pairs of scores: group them by item");
        ++groups_;
        if (first == 0) first = pairs;
        have_equal_weights_ &= pairs == first;
    }
    // Sums over all groups must not overflow. If the common multiple of the numbers of pairs is larger, weights are
    // rounded.
    const int64_t most_unit = (int64_t{1} << 61) / static_cast<int64_t>(std::max<size_t>(groups_, 1));
    unit_ = static_cast<int64_t>(first);
    for (size_t g = 0; g + 1 < starts.size() && !have_equal_weights_; ++g) {
        size_t size = starts[g + 1] - starts[g];
        if (size < 2) continue;
        auto pairs = static_cast<int64_t>(size * (size - 1) / 2), factor = pairs / std::gcd(unit_, pairs);
        if (unit_ > most_unit / factor) {
            unit_ = most_unit;
            // A weight is wrong by at most 1/2, and a difference of differences has four weights per pair.
            rounding_ = 2 * static_cast<int64_t>(total);
            break;
        }
        unit_ *= factor;
    }
    pairs_.reserve(total);
    for (size_t g = 0; g + 1 < starts.size(); ++g) {
        size_t size = starts[g + 1] - starts[g];
        if (size < 2) continue;
        auto pairs = static_cast<int64_t>(size * (size - 1) / 2);
        int64_t weight = (unit_ + pairs / 2) / pairs;
        for (size_t i = starts[g]; i < starts[g + 1]; ++i) {
            checkpoint(size * kPairWork);
            for (size_t k = i + 1; k < starts[g + 1]; ++k)
                pairs_.push_back(
                    {static_cast<uint32_t>(i), static_cast<uint32_t>(k), sign_of(human[i] - human[k]), weight});
        }
    }
}

CalibratedAccuracy calibrate_ties(const HumanPairs& human, std::span<const double> metric) {
    std::vector<Change> changes;
    int64_t sum = 0;
    for (const HumanPairs::Pair& pair : human.pairs()) {
        double difference = metric[pair.first] - metric[pair.second];
        if (pair.sign == 0) {
            changes.push_back({std::abs(difference), pair.weight});
        } else if (pair.sign == sign_of(difference)) {
            changes.push_back({std::abs(difference), -pair.weight});
            sum += pair.weight;
        }
    }
    checkpoint(human.pairs().size() * kPairWork);
    std::sort(changes.begin(), changes.end(),
              [](const Change& one, const Change& other) { return one.difference < other.difference; });
    size_t at = 0;
    for (; at < changes.size() && changes[at].difference == 0; ++at) sum += changes[at].weight;
    int64_t most = sum;
    double threshold = 0;
    for (; at < changes.size(); ++at) {
        sum += changes[at].weight;
        bool is_threshold = at + 1 == changes.size() || changes[at + 1].difference != changes[at].difference;
        if (is_threshold && sum > most) {
            most = sum;
            threshold = changes[at].difference;
        }
    }
    return {static_cast<double>(most) / static_cast<double>(human.unit()) / static_cast<double>(human.groups()),
            threshold};
}

void SwappedTies::start(const HumanPairs& human, std::span<const double> one, std::span<const double> other) {
    human_ = &human;
    sorted_.clear();
    const std::vector<HumanPairs::Pair>& pairs = human.pairs();
    for (size_t p = 0; p < pairs.size(); ++p) {
        const HumanPairs::Pair& pair = pairs[p];
        for (uint32_t from : {0u, kFirstOther, kSecondOther, kFirstOther | kSecondOther}) {
            double difference =
                (from & kFirstOther ? other : one)[pair.first] - (from & kSecondOther ? other : one)[pair.second];
            if (pair.sign == 0) {
                sorted_.push_back({std::abs(difference), static_cast<uint32_t>(p), from | kRises});
            } else if (pair.sign == sign_of(difference)) {
                sorted_.push_back({std::abs(difference), static_cast<uint32_t>(p), from});
            }
        }
    }
    checkpoint(sorted_.size() * kPairWork);
    std::sort(sorted_.begin(), sorted_.end(),
              [](const Sorted& a, const Sorted& b) { return a.difference < b.difference; });
    steps_.clear();
    weights_.clear();
    bool rises = false;
    for (size_t i = 0; i < sorted_.size(); ++i) {
        const HumanPairs::Pair& pair = pairs[sorted_[i].pair];
        uint32_t flags = sorted_[i].flags;
        rises |= (flags & kRises) != 0;
        if (i + 1 == sorted_.size() || sorted_[i + 1].difference - sorted_[i].difference > kSame) {
            // The largest accuracy is that of a threshold at which it rises, or of the threshold 0.
            if (rises) flags |= kIsThreshold;
            rises = false;
        }
        steps_.push_back({pair.first, pair.second, flags});
        if (!human.have_equal_weights()) weights_.push_back(pair.weight);
    }
}

void SwappedTies::differences(const uint64_t* swapped, std::span<int64_t> out) {
    static const AddTieSteps best_add =
        best_function(&add_tie_steps, REFSCORE_IF_X86(&add_tie_steps_avx2), REFSCORE_IF_X86(&add_tie_steps_avx512),
                      REFSCORE_IF_NEON(&add_tie_steps_neon));
    constexpr size_t kSteps = 4096;  // between two checkpoints
    TieSums sums{};
    for (size_t begin = 0; begin < steps_.size(); begin += kSteps) {
        size_t count = std::min(kSteps, steps_.size() - begin);
        checkpoint(count * kPairWork);
        if (weights_.empty()) {
            best_add(steps_.data() + begin, count, swapped, sums);
        } else {
            add_weighted_tie_steps(steps_.data() + begin, weights_.data() + begin, count, swapped, sums);
        }
    }
    // The sums start at 0, instead of at the accuracy without ties. That is the number of steps down, since all pairs
    // that people tie are steps up in every draw.
    for (size_t d = 0; d < kTieDraws; ++d)
        out[d] = (sums.most[1][d] - sums.sum[1][d]) - (sums.most[0][d] - sums.sum[0][d]);
}

}  // namespace refscore
