#include "refscore/distance/weighted_subsequence.hpp"

#include <algorithm>
#include <cmath>

#include "refscore/threads/stopping.hpp"

namespace refscore {

void WeightedSubsequence::set_power(double power) {
    if (power == power_ && !weights_.empty()) return;
    power_ = power;
    weights_.assign(1, 0);
}

double WeightedSubsequence::weight(size_t run) {
    while (weights_.size() <= run) weights_.push_back(std::pow(static_cast<double>(weights_.size()), power_));
    return weights_[run];
}

// Continues from the current row. With kMark, also sets the bits of skipped reference tokens.
template <bool kMark>
void WeightedSubsequence::fill(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    size_t size = hypothesis.size(), words = (size + 63) / 64;
    double* row = row_.data();
    uint32_t* runs = runs_.data();
    const double* weights = weights_.data();
    for (size_t i = 0; i < reference.size(); ++i) {
        checkpoint(2 * size);
        uint32_t token = reference[i];
        double diagonal = 0, left = 0;
        uint32_t diagonal_run = 0;
        uint64_t bits = 0;
        for (size_t j = 0; j < size; ++j) {
            double above = row[j];
            uint32_t run = 0;
            bool skips_reference = above >= left;
            double value = skips_reference ? above : left;
            if (hypothesis[j] == token) {
                // In this order, as in ROUGE-1.5.5: ties depend on how the sum is rounded.
                value = diagonal + weights[diagonal_run + 1] - weights[diagonal_run];
                run = diagonal_run + 1;
            }
            diagonal = above;
            diagonal_run = runs[j];
            runs[j] = run;
            row[j] = left = value;
            if constexpr (kMark) {
                bits |= uint64_t{skips_reference} << (j % 64);
                if (j % 64 == 63 || j + 1 == size) {
                    skips_[i * words + j / 64] = bits;
                    bits = 0;
                }
            }
        }
    }
}

std::span<const WeightedSubsequence::Pair> WeightedSubsequence::pairs(std::span<const uint32_t> hypothesis,
                                                                      std::span<const uint32_t> reference, uint32_t) {
    size_t size = hypothesis.size(), rows = reference.size(), words = (size + 63) / 64, count = 0;
    if (size == 0 || rows == 0) return {};
    weight(std::min(size, rows) + 1);
    Pair* pairs = pairs_.reserve(std::min(size, rows));
    std::fill_n(row_.reserve(size), size, 0.0);
    std::fill_n(runs_.reserve(size), size, uint32_t{0});
    stored_rows_.clear();
    stored_runs_.clear();
    size_t last = (rows - 1) / kBlockRows * kBlockRows;  // the first row of the last block
    for (size_t begin = 0; begin < last; begin += kBlockRows) {
        stored_rows_.insert(stored_rows_.end(), row_.data(), row_.data() + size);
        stored_runs_.insert(stored_runs_.end(), runs_.data(), runs_.data() + size);
        fill<false>(hypothesis, reference.subspan(begin, kBlockRows));
    }
    skips_.reserve(words * std::min(rows, kBlockRows));
    for (size_t begin = last, end = rows, j = size;; end = begin, begin -= kBlockRows) {
        fill<true>(hypothesis, reference.subspan(begin, end - begin));
        for (size_t i = end; i > begin && j > 0;) {
            if (reference[i - 1] == hypothesis[j - 1]) {
                --i, --j;
                pairs[count++] = {static_cast<uint32_t>(i), static_cast<uint32_t>(j)};
            } else {
                size_t bit = j - 1;
                bool skips_reference = skips_[(i - 1 - begin) * words + bit / 64] >> (bit % 64) & 1;
                skips_reference ? --i : --j;
            }
        }
        if (begin == 0 || j == 0) return {pairs, count};
        size_t block = begin / kBlockRows - 1;
        std::copy_n(stored_rows_.data() + block * size, size, row_.data());
        std::copy_n(stored_runs_.data() + block * size, size, runs_.data());
    }
}

}  // namespace refscore
