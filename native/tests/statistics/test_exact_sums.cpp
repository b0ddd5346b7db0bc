// Exact sums: any order, split and grouping gives the same bytes, opposite terms cancel, and integers add up exactly.
// Python tests check the rounding against fractions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
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

void check_orders(std::mt19937_64& random) {
    size_t columns = random() % 4, groups = 1 + random() % 3,
           count = random() % 2 == 0 ? random() % 2000 : random() % 20;
    bool any_exponent = random() % 2 == 0, all_zero = random() % 8 == 0;
    std::vector<double> rows(count * columns);
    std::vector<int64_t> codes(count);
    for (double& number : rows) number = all_zero ? 0 : draw(random, any_exponent);
    for (int64_t& code : codes) code = static_cast<int64_t>(random() % groups);
    ExactSums sums(groups, columns), parts(groups, columns);
    sums.add(rows.data(), count, codes.data());

    // The same rows in a different order, one by one, by group, and in parts.
    std::vector<size_t> order(count);
    for (size_t i = 0; i < count; ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<ExactSums> by_group(groups, ExactSums(1, columns));
    ExactSums part(groups, columns);
    for (size_t i : order) {
        by_group[static_cast<size_t>(codes[i])].add(rows.data() + i * columns, 1);
        part.add(rows.data() + i * columns, 1, codes.data() + i);
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
        CHECK(throws([&] { read.add_bytes(0, bytes + '\0'); }));
        if (!bytes.empty()) CHECK(throws([&] { read.add_bytes(0, std::span(bytes).first(bytes.size() - 1)); }));
        CHECK(read.bytes(0) == bytes);
    }
    std::vector<double> one(groups * columns), other(groups * columns);
    sums.round(one.data());
    part.round(other.data());
    CHECK(one == other);

    for (double& number : rows) number = -number;
    sums.add(rows.data(), count, codes.data());
    CHECK(sums.bytes(0) == std::string(3 * columns, '\0'));
}

void check_integers(std::mt19937_64& random) {
    std::vector<int64_t> rows(random() % 2000);
    int64_t sum = 0;
    for (int64_t& number : rows) sum += number = static_cast<int64_t>(random()) >> (12 + random() % 52);
    ExactSums sums(1, 1);
    sums.add(rows.data(), rows.size());
    int64_t integer = 0;
    sums.round(&integer);
    CHECK(integer == sum);
}

void check_limits() {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
    for (int64_t number : {kMost, kLeast}) {
        ExactSums sums(1, 1);
        int64_t integer = 0, one = number < 0 ? -1 : 1, minus = -one;
        sums.add(&number, 1);
        sums.round(&integer);
        CHECK(integer == number);
        sums.add(&one, 1);
        CHECK(throws([&] { sums.round(&integer); }));
        sums.add(&minus, 1);
        sums.round(&integer);
        CHECK(integer == number);
    }
    ExactSums sums(1, 1);
    double half = 0.5;
    int64_t integer = 0;
    sums.add(&half, 1);
    CHECK(throws([&] { sums.round(&integer); }));
    for (double number :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")}) {
        CHECK(throws([&] { sums.add(&number, 1); }));
        std::vector<double> after_the_largest{std::numeric_limits<double>::max(), number};
        CHECK(throws([&] { ExactSums(1, 1).add(after_the_largest.data(), 2); }));
    }
    // Repeated doubling needs more and more limbs, until none are left.
    double largest = std::numeric_limits<double>::max(), rounded = 0;
    sums.add(&largest, 1);
    size_t doublings = 0;
    CHECK(throws([&] {
        for (;; ++doublings) sums.merge(sums);
    }));
    CHECK(doublings > 100);
    sums.round(&rounded);
    CHECK(std::isinf(rounded));
    CHECK(throws([&] { ExactSums(SIZE_MAX / 4, 8); }));
    int64_t code = 1;
    CHECK(throws([&] { sums.add(&half, 1, &code); }));
    CHECK(throws([&] { sums.merge(ExactSums(1, 2)); }));
    CHECK(throws([&] { sums.merge(ExactSums(2, 1)); }));
}

}  // namespace

int main() {
    std::mt19937_64 random(5);
    for (int i = 0; i < 400; ++i) check_orders(random);
    for (int i = 0; i < 200; ++i) check_integers(random);
    check_limits();
}
