#include "refscore/statistics/soft_swap_test.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/simd/sums_at_least.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

// Sums that differ by less than this share of all scores are equal: sums in another order differ by less.
constexpr double kTieShare = 1e-12;

// For checkpoint() and for the number of threads: operations per nanosecond. Only the order of magnitude matters.
constexpr size_t kOperations = 4;

}  // namespace

// The scratch memory of one thread.
class SoftSwapTest::Worker {
  public:
    explicit Worker(const SoftSwapTest& test)
        : test_(test),
          pairs_(test.pairs_),
          best_add_(best_add_sums_at_least()),
          scores_(test.scores_.size()),
          products_(test.shape_.rows() * kBlock),
          sums_(test.shape_.rows()),
          scales_(test.shape_.rows()),
          mixed_(test.shape_.systems * kBlock),
          least_(test.shape_.system_pairs()),
          counts_(pairs_.size() * 2 * test.shape_.system_pairs()) {}

    // Writes the lead of each pair of metrics. Without bits, nothing is swapped.
    void compute(const uint64_t* swapped, std::span<int64_t> leads) {
        sign(swapped);
        std::fill(counts_.begin(), counts_.end(), 0u);
        for (size_t block = 0; block < test_.blocks_; ++block) add_block(block);
        const Shape& shape = test_.shape_;
        for (size_t k = 0; k < pairs_.size(); ++k) {
            int64_t far[2] = {};
            for (size_t side = 0; side < 2; ++side)
                for (size_t p = 0; p < shape.system_pairs(); ++p)
                    far[side] +=
                        std::abs(int64_t{counts_[(2 * k + side) * shape.system_pairs() + p]} - test_.human_[p]);
            leads[k] = far[0] - far[1];
        }
    }

  private:
    // Changes the signs of swapped scores, and sums them.
    void sign(const uint64_t* swapped) {
        const Shape& shape = test_.shape_;
        for (size_t row = 0; row < shape.rows(); ++row) {
            checkpoint(shape.segments);
            const double* scores = test_.scores_.data() + row * shape.segments;
            double *out = scores_.data() + row * shape.segments, sum = 0, scale = 0;
            size_t bit = row % shape.systems * shape.segments;
            for (size_t u = 0; u < shape.segments; ++u, ++bit) {
                double sign = swapped != nullptr && (swapped[bit / 64] >> bit % 64 & 1) != 0 ? -1 : 1;
                out[u] = sign * scores[u];
                sum += out[u];
                scale += sign * std::abs(scores[u]);
            }
            sums_[row] = sum;
            scales_[row] = scale;
        }
    }

    void add_block(size_t block) {
        const Shape& shape = test_.shape_;
        std::fill(products_.begin(), products_.end(), 0.0);
        add_product(scores_.data(), shape.segments, shape.rows(), test_.signs_.data() + block * shape.segments * kBlock,
                    shape.segments, kBlock, 1, products_.data());
        size_t filled = std::min(kBlock, shape.permutations - block * kBlock);
        for (size_t k = 0; k < pairs_.size(); ++k) {
            checkpoint(2 * shape.system_pairs() * kBlock / kOperations);
            for (size_t side = 0; side < 2; ++side) {
                mix(block, pairs_[k], side == 0 ? 1 : -1);
                uint32_t* counts = counts_.data() + (2 * k + side) * shape.system_pairs();
                best_add_(mixed_.data(), shape.systems, least_.data(), counts);
                // The sums after the last permutation are 0.
                for (size_t p = 0; p < shape.system_pairs() && filled < kBlock; ++p)
                    counts[p] -= least_[p] <= 0 ? static_cast<uint32_t>(kBlock - filled) : 0;
            }
        }
    }

    // Writes twice the sums of one metric's swapped scores, and twice the least differences of sums that are as large
    // as the observed ones.
    void mix(size_t block, const Pair& pair, double side) {
        const Shape& shape = test_.shape_;
        const double* unswapped = test_.products_.data() + block * shape.rows() * kBlock;
        size_t first = pair.first * shape.systems, second = pair.second * shape.systems;
        for (size_t i = 0; i < shape.systems * kBlock; ++i) {
            size_t a = first * kBlock + i, b = second * kBlock + i;
            mixed_[i] = unswapped[a] + unswapped[b] + side * (products_[a] - products_[b]);
        }
        auto twice = [&](const std::vector<double>& fixed, const std::vector<double>& swapped, size_t i) {
            return fixed[first + i] + fixed[second + i] + side * (swapped[first + i] - swapped[second + i]);
        };
        for (size_t i = 0, p = 0; i < shape.systems; ++i) {
            double sum = twice(test_.sums_, sums_, i), scale = twice(test_.scales_, scales_, i);
            for (size_t j = i + 1; j < shape.systems; ++j, ++p) {
                double near = kTieShare * (scale + twice(test_.scales_, scales_, j));
                least_[p] = sum - twice(test_.sums_, sums_, j) - near;
            }
        }
    }

    const SoftSwapTest& test_;
    std::span<const Pair> pairs_;
    AddSumsAtLeast best_add_;
    std::vector<double> scores_, products_, sums_, scales_, mixed_, least_;
    std::vector<uint32_t> counts_;
};

SoftSwapTest::SoftSwapTest(const Shape& shape, std::span<const double> signs, std::span<const int64_t> human,
                           std::span<const double> scores, std::span<const Pair> pairs, Pcg64 generator)
    : shape_(shape),
      blocks_((shape.permutations + kBlock - 1) / kBlock),
      signs_(blocks_ * shape.segments * kBlock),
      human_(human.begin(), human.end()),
      scores_(scores),
      sums_(shape.rows()),
      scales_(shape.rows()),
      products_(blocks_ * shape.rows() * kBlock),
      pairs_(pairs.begin(), pairs.end()),
      observed_(pairs.size()),
      generator_(generator) {
    static_assert(kBlock == kSumsTogether);
    for (size_t p = 0; p < shape.permutations; ++p)
        for (size_t u = 0; u < shape.segments; ++u)
            signs_[(p / kBlock * shape.segments + u) * kBlock + p % kBlock] = signs[p * shape.segments + u];
    for (size_t row = 0; row < shape.rows(); ++row)
        for (double score : scores.subspan(row * shape.segments, shape.segments)) {
            sums_[row] += score;
            scales_[row] += std::abs(score);
        }
    for (size_t block = 0; block < blocks_; ++block)
        add_product(scores.data(), shape.segments, shape.rows(), signs_.data() + block * shape.segments * kBlock,
                    shape.segments, kBlock, 1, products_.data() + block * shape.rows() * kBlock);
    Worker(*this).compute(nullptr, observed_);
}

void SoftSwapTest::leads(size_t begin, size_t end, size_t threads, std::span<int64_t> out) const {
    size_t words = (shape_.systems * shape_.segments + 63) / 64;
    size_t work = shape_.permutations * shape_.rows() * shape_.segments / kOperations;
    parallel_for(
        end - begin, threads,
        [&] {
            return [&, worker = Worker(*this), swapped = std::vector<uint64_t>(words)](size_t from, size_t to) mutable {
                Pcg64 own = generator_;
                own.advance((begin + from) * words);
                for (size_t d = from; d < to; ++d) {
                    std::generate(swapped.begin(), swapped.end(), [&] { return own.next(); });
                    worker.compute(swapped.data(), out.subspan(d * pairs_.size(), pairs_.size()));
                }
            };
        },
        1, work);
}

}  // namespace refscore
