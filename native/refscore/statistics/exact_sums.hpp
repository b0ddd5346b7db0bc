// Exact sums of rows of numbers. The result has the same bits for any order of the rows and any split into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace refscore {

// Thrown for infinity or NaN.
class NotFinite : public std::invalid_argument {
  public:
    NotFinite() : std::invalid_argument("a row has a number that is not finite") {}
};

// A table of sums, one row of columns() sums for each of groups() groups.
//
// A superaccumulator: each sum is a fixed-point number of 32-bit limbs, wide enough for every double. A limb is stored
// in 64 bits, so many terms can be added before carries are needed. Only the limbs in use are stored, the same ones for
// all sums: four or five for scores and lengths.
class ExactSums {
  public:
    // The group of each row.
    using Codes = std::optional<std::span<const int64_t>>;

    ExactSums(size_t groups, size_t columns);

    size_t groups() const { return pending_.size(); }
    size_t columns() const { return columns_; }

    // Adds rows of columns() numbers, one after the other: row i to the group codes[i], or all rows to the first group
    // without codes. Throws std::invalid_argument for an unknown group. Throws NotFinite after adding the rows before
    // the invalid one.
    void add(std::span<const double> rows, Codes codes = {});
    void add(std::span<const int64_t> rows, Codes codes = {});
    // Adds the sums of each group i of `other` to the group codes[i], or to the same group without codes.
    void merge(const ExactSums& other, Codes codes = {});

    // Writes all sums, rounded to nearest with ties to even. A sum beyond the largest double becomes infinite.
    void round(std::span<double> out) const;
    // Writes all sums as integers. Throws std::overflow_error if one is not a 64-bit integer.
    void round(std::span<int64_t> out) const;

    // Returns the sums of one group. Equal sums have equal bytes.
    std::string bytes(size_t group) const;
    // Adds the result of bytes(). Throws std::invalid_argument for invalid bytes, and then adds nothing.
    void add_bytes(size_t group, std::span<const char> bytes);

  private:
    size_t count_rows(size_t numbers) const { return columns_ == 0 ? 0 : numbers / columns_; }
    int64_t* cells(size_t group) { return limbs_.data() + group * columns_ * width_; }
    void check_groups(Codes codes, size_t count) const;
    // Ensures that the limbs from `first` to `end` (exclusive) are stored.
    void cover(size_t first, size_t end) {
        if (first < first_ || end > first_ + width_) widen(first, end);
    }
    void widen(size_t first, size_t end);
    void cover_term(double number, size_t limb);
    void add_term(size_t group, size_t column, size_t limb, int64_t low, int64_t high);
    void add_column(size_t column, std::span<const double> rows);
    // Adds rows to the first group up to a block with a number that does not fit into a limb. Returns how many.
    size_t add_small(std::span<const int64_t> rows);
    void carry(size_t group);
    // Carries first if this many further terms could overflow a limb.
    void reserve_terms(size_t group, size_t terms);
    template <class Visit>
    void for_each_sum(size_t group, Visit visit) const;

    size_t columns_;
    size_t first_ = 0, width_ = 0;   // the limbs in use
    std::vector<int64_t> limbs_;     // by group, column and limb
    std::vector<uint32_t> pending_;  // by group: terms since the last carry
};

}  // namespace refscore
