#include <bit>
#include <cstring>

#include "refscore/simd/strip_rows.hpp"

#ifdef REFSCORE_X86

#if !defined(__clang__)
// GCC 12 reports false positives in its own AVX-512 header (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define REFSCORE_STRIP_TARGET REFSCORE_TARGET_AVX512
#define REFSCORE_STRIP_LANES 8
#include "refscore/simd/strip_rows_vectors.inc"

namespace refscore {

StripRows strip_rows_avx512() { return {kLanes, run_edits, run_common}; }

}  // namespace refscore

#endif
