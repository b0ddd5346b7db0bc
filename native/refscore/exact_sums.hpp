// Exact sums of rows of numbers: the same bits for any order of the rows, and for any way to split them into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace refscore {

// Thrown for a number that cannot be added.
class NotFinite : public std::invalid_argument {
  public:
    NotFinite() : std::invalid_argument("a row has a number that is not finite") {}
};

// A table of sums, one row of columns() sums for each of groups() groups.
//
// A superaccumulator: each sum is a fixed-point number of 32-bit limbs that reaches from the smallest double to beyond the largest.
// A limb is stored in 64 bits, so many terms can be added before carries have to move on. Only the limbs in use are stored, and all
// sums store the same ones: four or five for scores and lengths.
class ExactSums {
  public:
    ExactSums(size_t groups, size_t columns);

    size_t groups() const { return pending_.size(); }
    size_t columns() const { return columns_; }

    // Adds `count` rows of columns() numbers: row i to the group codes[i], or all to the first group if there are no codes. Throws
    // std::invalid_argument if there is no such group, and NotFinite after it has added the rows before.
    void add(const double* rows, size_t count, const int64_t* codes = nullptr);
    void add(const int64_t* rows, size_t count, const int64_t* codes = nullptr);
    // Adds the sums of each group of `other` to the group codes[i], or to the same group if there are no codes.
    void merge(const ExactSums& other, const int64_t* codes = nullptr);

    // Writes all sums, rounded to nearest with ties to even. A sum beyond the largest double becomes infinite.
    void round(double* out) const;
    // Writes all sums as integers. Throws std::overflow_error if one is not a 64-bit integer.
    void round(int64_t* out) const;

    // The sums of one group. Equal sums have equal bytes.
    std::string bytes(size_t group) const;
    // Adds what bytes() returned. Throws std::invalid_argument for anything else, and then adds nothing.
    void add_bytes(size_t group, std::span<const char> bytes);

  private:
    int64_t* cells(size_t group) { return limbs_.data() + group * columns_ * width_; }
    void check_groups(const int64_t* codes, size_t count) const;
    // Stores at least the limbs from `first` to before `end`.
    void cover(size_t first, size_t end) {
        if (first < first_ || end > first_ + width_) widen(first, end);
    }
    void widen(size_t first, size_t end);
    void cover_term(double number, size_t limb);
    void add_term(size_t group, size_t column, size_t limb, int64_t low, int64_t high);
    void add_column(size_t column, const double* rows, size_t count);
    void carry(size_t group);
    // Carries if so many more terms could overflow a limb.
    void reserve_terms(size_t group, size_t terms);
    template <class Visit>
    void for_each_sum(size_t group, Visit visit) const;

    size_t columns_;
    size_t first_ = 0, width_ = 0;   // the limbs in use
    std::vector<int64_t> limbs_;     // by group, column and limb
    std::vector<uint32_t> pending_;  // by group: terms since the last carry
};

}  // namespace refscore
