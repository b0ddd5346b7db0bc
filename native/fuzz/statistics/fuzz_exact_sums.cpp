// Exact sums: numbers give the same bytes in any order and split. Arbitrary bytes are rejected or written back
// unchanged.
#include <bit>
#include <cmath>
#include <stdexcept>

#include "input.hpp"
#include "refscore/statistics/exact_sums.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

void check_bytes(std::span<const uint8_t> bytes, size_t columns) {
    std::string written(bytes.begin(), bytes.end());
    ExactSums sums(1, columns);
    try {
        sums.add_bytes(0, written);
    } catch (const std::invalid_argument&) {
        CHECK(sums.bytes(0) == ExactSums(1, columns).bytes(0));
        return;
    }
    CHECK(sums.bytes(0) == written);
    std::vector<double> row(columns);
    sums.round(row);
}

void check_numbers(Input& input, size_t columns) {
    std::vector<double> rows;
    for (size_t count = input.below(64) * columns; rows.size() < count;) {
        double number = std::bit_cast<double>(input.number());
        rows.push_back(std::isfinite(number) ? number : 0);
    }
    size_t count = columns == 0 ? 0 : rows.size() / columns, cut = count == 0 ? 0 : input.below(count);
    ExactSums sums(1, columns), first(1, columns), second(1, columns);
    sums.add(rows);
    for (size_t i = count; i-- > cut;) first.add(std::span<const double>(rows).subspan(i * columns, columns));
    second.add(std::span<const double>(rows).first(cut * columns));
    second.merge(first);
    CHECK(sums.bytes(0) == second.bytes(0));
    for (double& number : rows) number = -number;
    second.add(rows);
    CHECK(second.bytes(0) == ExactSums(1, columns).bytes(0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    size_t columns = input.below(4);
    if (input.flag()) {
        check_bytes(input.take(size), columns);
    } else {
        check_numbers(input, columns);
    }
    return 0;
}
