// Exact sums: any order, split and grouping gives the same bytes, opposite terms cancel, and integers add up exactly.
// Python tests check the rounding against fractions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/statistics/exact_sums.hpp"

using namespace refscore;

namespace {

// Arbitrary finite doubles, or doubles of similar magnitude, including zeros.
double draw(std::mt19937_64& random, bool any_exponent) {
    if (random() % 8 == 0) return random() % 2 == 0 ? 0.0 : -0.0;
    for (;;) {
        uint64_t bits = random();
        if (!any_exponent) bits = (bits & ~(uint64_t{0x7ff} << 52)) | (1000 + random() % 40) << 52;
        double number = std::bit_cast<double>(bits);
        if (std::isfinite(number)) return number;
    }
}

template <class T>
std::span<const T> one_row(const T& number) {
    return {&number, 1};
}

void check_orders(std::mt19937_64& random) {
    size_t columns = random() % 4, groups = 1 + random() % 3,
           count = random() % 2 == 0 ? random() % 2000 : random() % 20;
    bool any_exponent = random() % 2 == 0, all_zero = random() % 8 == 0;
    std::vector<double> rows(count * columns);
    std::vector<int64_t> codes(count);
    for (double& number : rows) number = all_zero ? 0 : draw(random, any_exponent);
    for (int64_t& code : codes) code = static_cast<int64_t>(random() % groups);
    ExactSums sums(groups, columns), parts(groups, columns);
    sums.add(rows, std::span(codes));

    // The same rows in a different order, one by one, by group, and in parts.
    std::vector<size_t> order(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<ExactSums> by_group(groups, ExactSums(1, columns));
    ExactSums part(groups, columns);
    auto row = [&](size_t i) { return std::span<const double>(rows).subspan(i * columns, columns); };
    for (size_t i : order) {
        by_group[static_cast<size_t>(codes[i])].add(row(i));
        part.add(row(i), std::span(codes).subspan(i, 1));
        if (random() % 5 == 0) {
            parts.merge(part);
            part = ExactSums(groups, columns);
        }
    }
    part.merge(parts);
    for (size_t group = 0; group < groups; ++group) {
        std::string bytes = sums.bytes(group);
        CHECK(part.bytes(group) == bytes);
        CHECK(by_group[group].bytes(0) == bytes);
        ExactSums read(1, columns);
        read.add_bytes(0, bytes);
        CHECK(read.bytes(0) == bytes);
        CHECK_THROWS(read.add_bytes(0, bytes + '\0'));
        if (!bytes.empty()) CHECK_THROWS(read.add_bytes(0, std::span(bytes).first(bytes.size() - 1)));
        CHECK(read.bytes(0) == bytes);
    }
    std::vector<double> one(groups * columns), other(groups * columns);
    sums.round(one);
    part.round(other);
    CHECK(one == other);

    for (double& number : rows) number = -number;
    sums.add(rows, std::span(codes));
    CHECK(sums.bytes(0) == std::string(3 * columns, '\0'));
}

void check_integers(std::mt19937_64& random) {
    std::vector<int64_t> rows(random() % 2000);
    int64_t sum = 0;
    for (int64_t& number : rows) sum += number = static_cast<int64_t>(random()) >> (12 + random() % 52);
    ExactSums sums(1, 1);
    sums.add(rows);
    int64_t integer = 0;
    sums.round({&integer, 1});
    CHECK(integer == sum);
}

void check_limits() {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
    for (int64_t number : {kMost, kLeast}) {
        ExactSums sums(1, 1);
        int64_t integer = 0, one = number < 0 ? -1 : 1, minus = -one;
        sums.add(one_row(number));
        sums.round({&integer, 1});
        CHECK(integer == number);
        sums.add(one_row(one));
        CHECK_THROWS((sums.round({&integer, 1})));
        sums.add(one_row(minus));
        sums.round({&integer, 1});
        CHECK(integer == number);
    }
    ExactSums sums(1, 1);
    double half = 0.5;
    int64_t integer = 0;
    sums.add(one_row(half));
    CHECK_THROWS((sums.round({&integer, 1})));
    for (double number :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")}) {
        CHECK_THROWS(sums.add(one_row(number)));
        std::vector<double> after_the_largest{std::numeric_limits<double>::max(), number};
        CHECK_THROWS(ExactSums(1, 1).add(after_the_largest));
    }
    // Repeated doubling needs more and more limbs, until none are left.
    double largest = std::numeric_limits<double>::max(), rounded = 0;
    sums.add(one_row(largest));
    size_t doublings = 0;
    auto merge_forever = [&] {
        for (;; ++doublings) sums.merge(sums);
    };
    CHECK_THROWS(merge_forever());
    CHECK(doublings > 100);
    sums.round({&rounded, 1});
    CHECK(std::isinf(rounded));
    CHECK_THROWS(ExactSums(SIZE_MAX / 4, 8));
    int64_t code = 1;
    CHECK_THROWS(sums.add(one_row(half), one_row(code)));
    CHECK_THROWS(sums.merge(ExactSums(1, 2)));
    CHECK_THROWS(sums.merge(ExactSums(2, 1)));
}

}  // namespace

TEST_CASE("sums are exact") {
    std::mt19937_64 random(5);
    for (int i = 0; i < 400; ++i) check_orders(random);
    for (int i = 0; i < 200; ++i) check_integers(random);
    check_limits();
}
