// Checks the arguments of kernels. In Python they raise ValueError.
#pragma once

#include <cmath>
#include <cstddef>

namespace refscore {

// Throws std::invalid_argument. Not inlined, so a check costs its caller only a comparison.
[[noreturn]] void refuse(const char* problem);

// Throws std::invalid_argument unless the condition holds.
inline void require(bool condition, const char* problem) {
    if (!condition) refuse(problem);
}

// Rows have several columns per order, so an unlimited order could allocate all memory. A million is far above any
// useful order.
constexpr size_t kMostOrders = 1'000'000;

inline void require_order(size_t order) {
    require(order >= 1 && order <= kMostOrders, "the order of n-grams must be from 1 to 1000000");
}

inline void require_finite(double number, const char* problem) { require(std::isfinite(number), problem); }

}  // namespace refscore
