#include "refscore/simd/swapped_ties.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "refscore/base/byte_order.hpp"

namespace refscore {
namespace {

// By byte: eight bytes with its bits.
constexpr std::array<uint64_t, 256> kSpread = [] {
    std::array<uint64_t, 256> spread{};
    for (size_t byte = 0; byte < 256; ++byte)
        for (size_t bit = 0; bit < 8; ++bit) spread[byte] |= uint64_t{byte >> bit & 1} << 8 * bit;
    return spread;
}();

REFSCORE_INLINE void add_inline(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums) {
    for (size_t begin = 0; begin < count; begin += kTieBlock) {
        alignas(64) uint8_t sum[2][kTieDraws], most[2][kTieDraws];
        bool has_threshold = false;
        std::memset(sum, kTieMiddle, sizeof sum);
        std::memset(most, 0, sizeof most);
        for (size_t i = begin; i < std::min(begin + kTieBlock, count); ++i) {
            StepDraws draws = draws_of(steps[i], swapped);
            for (size_t side = 0; side < 2; ++side) {
                alignas(64) uint8_t change[kTieDraws];
                for (size_t byte = 0; byte < 8; ++byte)
                    store64(change + 8 * byte, kSpread[draws.of[side] >> 8 * byte & 255]);
                uint8_t *own = sum[side], *top = most[side];
                if (steps[i].flags & kRises) {
                    for (size_t d = 0; d < kTieDraws; ++d) own[d] = static_cast<uint8_t>(own[d] + change[d]);
                } else {
                    for (size_t d = 0; d < kTieDraws; ++d) own[d] = static_cast<uint8_t>(own[d] - change[d]);
                }
                if (steps[i].flags & kIsThreshold)
                    for (size_t d = 0; d < kTieDraws; ++d) top[d] = std::max(top[d], own[d]);
            }
            has_threshold |= (steps[i].flags & kIsThreshold) != 0;
        }
        add_tie_block(sum, most, has_threshold, sums);
    }
}

}  // namespace

void add_tie_block(const uint8_t (&sum)[2][kTieDraws], const uint8_t (&most)[2][kTieDraws], bool has_threshold,
                   TieSums& sums) {
    for (size_t side = 0; side < 2; ++side)
        for (size_t d = 0; d < kTieDraws; ++d) {
            int64_t& total = sums.sum[side][d];
            if (has_threshold) sums.most[side][d] = std::max(sums.most[side][d], total + most[side][d] - kTieMiddle);
            total += sum[side][d] - kTieMiddle;
        }
}

void add_tie_steps(const TieStep* steps, size_t count, const uint64_t* swapped, TieSums& sums) {
    add_inline(steps, count, swapped, sums);
}

#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void add_tie_steps_avx2(const TieStep* steps, size_t count, const uint64_t* swapped,
                                             TieSums& sums) {
    add_inline(steps, count, swapped, sums);
}
#endif

void add_weighted_tie_steps(const TieStep* steps, const int64_t* weights, size_t count, const uint64_t* swapped,
                            TieSums& sums) {
    for (size_t i = 0; i < count; ++i) {
        StepDraws draws = draws_of(steps[i], swapped);
        int64_t weight = steps[i].flags & kRises ? weights[i] : -weights[i];
        for (size_t side = 0; side < 2; ++side) {
            int64_t *own = sums.sum[side], *top = sums.most[side];
            for (size_t d = 0; d < kTieDraws; ++d) own[d] += weight & -static_cast<int64_t>(draws.of[side] >> d & 1);
            if (steps[i].flags & kIsThreshold)
                for (size_t d = 0; d < kTieDraws; ++d) top[d] = std::max(top[d], own[d]);
        }
    }
}

}  // namespace refscore
