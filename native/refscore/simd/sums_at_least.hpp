// The inner loop of SoftSwapTest, by instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

constexpr size_t kSumsTogether = 64;

// For each pair of rows of kSumsTogether numbers, in the order (0, 1), (0, 2), …, (1, 2), …: adds to its count how
// often a number of the first row exceeds that of the second one by at least least[pair].
using AddSumsAtLeast = void (*)(const double* sums, size_t rows, const double* least, uint32_t* counts);

void add_sums_at_least(const double* sums, size_t rows, const double* least, uint32_t* counts);
#if defined(REFSCORE_X86)
void add_sums_at_least_avx2(const double* sums, size_t rows, const double* least, uint32_t* counts);
void add_sums_at_least_avx512(const double* sums, size_t rows, const double* least, uint32_t* counts);
#elif defined(REFSCORE_NEON)
void add_sums_at_least_neon(const double* sums, size_t rows, const double* least, uint32_t* counts);
#endif

inline AddSumsAtLeast best_add_sums_at_least() {
    return best_function(&add_sums_at_least, REFSCORE_IF_X86(&add_sums_at_least_avx2),
                         REFSCORE_IF_X86(&add_sums_at_least_avx512), REFSCORE_IF_NEON(&add_sums_at_least_neon));
}

}  // namespace refscore
