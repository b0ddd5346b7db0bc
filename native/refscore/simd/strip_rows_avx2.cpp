#include <bit>
#include <cstring>

#include "refscore/simd/strip_rows.hpp"

#ifdef REFSCORE_X86

#define REFSCORE_STRIP_TARGET REFSCORE_TARGET_AVX2
#define REFSCORE_STRIP_LANES 4
#include "refscore/simd/strip_rows_vectors.inc"

namespace refscore {

StripRows strip_rows_avx2() { return {kLanes, run_edits, run_common}; }

}  // namespace refscore

#endif
