// Sums of rows, and ranges of the number of references, one per thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <iterator>
#include <vector>

#include "refscore/statistics/exact_sums.hpp"

namespace refscore::bindings {

// The smallest and largest number of references per segment; 0 if there are no segments.
struct ReferenceCounts {
    size_t fewest = SIZE_MAX, most = 0;

    void add(const ReferenceCounts& other) {
        fewest = std::min(fewest, other.fewest);
        most = std::max(most, other.most);
    }
    size_t least() const { return most == 0 ? 0 : fewest; }
};

// The sum of the rows of one thread. The counts of one call fit into 64 bits, because their tokens fit into memory.
template <class T>
class ThreadSum {
  public:
    explicit ThreadSum(size_t columns) : row_(columns) {}
    void add(std::span<const T> row, size_t references) {
        for (size_t c = 0; c < row_.size(); ++c) row_[c] += row[c];
        counts_.add({references, references});
    }
    void add_to(ExactSums& total) { total.add(row_); }
    const ReferenceCounts& counts() const { return counts_; }
    // Writes the sum over all threads.
    static void write_total(std::forward_list<ThreadSum>& sums, std::span<T> out) {
        std::fill(out.begin(), out.end(), T{0});
        for (const ThreadSum& sum : sums)
            for (size_t c = 0; c < out.size(); ++c) out[c] += sum.row_[c];
    }

  private:
    std::vector<T> row_;
    ReferenceCounts counts_;
};

template <>
class ThreadSum<double> {
  public:
    explicit ThreadSum(size_t columns) : sums_(1, columns) {}
    void add(std::span<const double> row, size_t references) {
        // Adding rows in batches takes half the time, because the limbs of a column stay in registers. 64 rows of a few
        // doubles fit into the L1 cache.
        constexpr size_t kRows = 64;
        if (rows_.size() == kRows * sums_.columns()) flush();
        rows_.insert(rows_.end(), row.begin(), row.end());
        ++count_;
        counts_.add({references, references});
    }
    void add_to(ExactSums& total) {
        flush();
        total.merge(sums_);
    }
    const ReferenceCounts& counts() const { return counts_; }
    static void write_total(std::forward_list<ThreadSum>& sums, std::span<double> out) {
        size_t count = 0;
        for (const ThreadSum& sum : sums) count += sum.count_;
        const bool is_one_row = count == 1 && std::next(sums.begin()) == sums.end();
        if (is_one_row && std::all_of(sums.front().rows_.begin(), sums.front().rows_.end(),
                                      [](double number) { return std::isfinite(number); })) {
            // Equals the rounded exact sum, at a fraction of the time.
            std::copy_n(sums.front().rows_.begin(), out.size(), out.begin());
            return;
        }
        ExactSums total(1, out.size());
        for (ThreadSum& sum : sums) sum.add_to(total);
        total.round(out);
    }

  private:
    void flush() {
        sums_.add(rows_);
        rows_.clear();
    }

    ExactSums sums_;
    std::vector<double> rows_;
    size_t count_ = 0;
    ReferenceCounts counts_;
};

}  // namespace refscore::bindings
