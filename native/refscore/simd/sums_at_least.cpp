#include "refscore/simd/sums_at_least.hpp"

#include <cstring>

namespace refscore {
namespace {

#ifdef REFSCORE_GNU

// Comparing vectors gives -1 where it holds.
template <class Vector>
REFSCORE_INLINE void count_rows_inline(const double* sums, size_t rows, const double* least, uint32_t* counts) {
    constexpr size_t kLanes = sizeof(Vector) / sizeof(double);
    using Mask = decltype(Vector{} >= Vector{});
    for (size_t i = 0; i < rows; ++i) {
        const double* first = sums + i * kSumsTogether;
        for (size_t j = i + 1; j < rows; ++j, ++least, ++counts) {
            const double* second = sums + j * kSumsTogether;
            Mask found{};
            Vector bound = *least - Vector{};
            for (size_t p = 0; p < kSumsTogether; p += kLanes) {
                Vector one, other;
                std::memcpy(&one, first + p, sizeof one);
                std::memcpy(&other, second + p, sizeof other);
                found -= one - other >= bound;
            }
            for (size_t lane = 0; lane < kLanes; ++lane) *counts += static_cast<uint32_t>(found[lane]);
        }
    }
}

typedef double Two __attribute__((vector_size(16)));

#endif

}  // namespace

#ifdef REFSCORE_GNU
void add_sums_at_least(const double* sums, size_t rows, const double* least, uint32_t* counts) {
    count_rows_inline<Two>(sums, rows, least, counts);
}
#else
void add_sums_at_least(const double* sums, size_t rows, const double* least, uint32_t* counts) {
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = i + 1; j < rows; ++j, ++least, ++counts)
            for (size_t p = 0; p < kSumsTogether; ++p)
                *counts += sums[i * kSumsTogether + p] - sums[j * kSumsTogether + p] >= *least;
}
#endif

#if defined(REFSCORE_X86)
REFSCORE_TARGET_AVX2 void add_sums_at_least_avx2(const double* sums, size_t rows, const double* least,
                                                 uint32_t* counts) {
    count_rows_inline<Double4>(sums, rows, least, counts);
}
REFSCORE_TARGET_AVX512 void add_sums_at_least_avx512(const double* sums, size_t rows, const double* least,
                                                     uint32_t* counts) {
    count_rows_inline<Double8>(sums, rows, least, counts);
}
#elif defined(REFSCORE_NEON)
void add_sums_at_least_neon(const double* sums, size_t rows, const double* least, uint32_t* counts) {
    count_rows_inline<Double2>(sums, rows, least, counts);
}
#endif

}  // namespace refscore
