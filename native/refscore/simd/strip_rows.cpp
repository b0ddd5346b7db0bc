#include "refscore/simd/strip_rows.hpp"

#include <bit>
#include <cstring>

namespace refscore {
namespace {

// One step of Hyyrö's algorithm per row.
void run_edits(const GroupInput& group, uint8_t* carries, uint64_t* columns, bool all) {
    const GroupInput input = group;  // a copy, because a byte written to `carries` could be part of the original
    uint64_t plus = ~uint64_t{0}, minus = 0;
    columns[0] = plus;
    columns[1] = minus;
    for (size_t row = 0; row < input.rows.size(); ++row) {
        uint64_t plus_in = carries[row] & 1, minus_in = carries[row] >> 1;
        uint64_t equal = input.lines[input.rows[row]] | minus_in;
        uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
        uint64_t right_plus = minus | ~(diagonal | plus), right_minus = diagonal & plus;
        carries[row] = static_cast<uint8_t>(right_plus >> 63 | right_minus >> 63 << 1);
        right_plus = right_plus << 1 | plus_in;
        right_minus = right_minus << 1 | minus_in;
        plus = right_minus | ~(diagonal | right_plus);
        minus = right_plus & diagonal;
        if (all) columns += 2;
        columns[0] = plus;
        columns[1] = minus;
    }
}

// One step of Hyyrö's algorithm per row. Bits are set where the subsequence does not grow.
size_t run_common(const GroupInput& group, uint8_t* carries) {
    const GroupInput input = group;
    uint64_t bits = ~uint64_t{0};
    for (size_t row = 0; row < input.rows.size(); ++row) {
        uint64_t grows = bits & input.lines[input.rows[row]];
        uint64_t sum = bits + grows + carries[row];
        carries[row] = static_cast<uint8_t>((grows | (bits & ~sum)) >> 63);
        bits = sum | (bits ^ grows);
    }
    return static_cast<size_t>(std::popcount(~bits));
}

}  // namespace

std::vector<StripRows> usable_strip_rows() {
    std::vector<StripRows> usable;
#ifdef REFSCORE_X86
    InstructionSet best = best_instruction_set();
    if (best >= InstructionSet::Avx512) usable.push_back(strip_rows_avx512());
    if (best >= InstructionSet::Avx2) usable.push_back(strip_rows_avx2());
#endif
    usable.push_back(kOneStripRows);
    return usable;
}

const StripRows kOneStripRows = {1, run_edits, run_common};
const StripRows kStripRows = usable_strip_rows().front();

void StripMasks::reserve(uint32_t vocabulary) {
    size_t wanted = vocabulary + size_t{1};
    if (wanted <= size_) return;
    std::memset(masks_.reserve(wanted), 0, wanted * sizeof(uint64_t));
    size_ = wanted;
}

void StripGroup::reserve(uint32_t vocabulary) {
    size_t wanted = vocabulary + size_t{1};
    if (lines_ == nullptr) {
        uint64_t* words = words_.reserve((tokens() + 1) * rows_.lanes + 2 * kLineWords);
        lines_ = words + (-reinterpret_cast<uintptr_t>(words) / sizeof(uint64_t)) % kLineWords;
        std::memset(lines_, 0, kLineWords * sizeof(uint64_t));
    }
    if (wanted <= size_) return;
    std::memset(line_of_.reserve(wanted), 0, wanted * sizeof(uint16_t));
    size_ = wanted;
}

// Whether a token has a line already is unpredictable, so this loop has no branches. It clears the next line in each
// turn.
void StripGroup::set(std::span<const uint32_t> tokens) {
    size_t lanes = rows_.lanes;
    uint16_t next = 1;
    for (size_t i = 0; i < tokens.size(); ++i) {
        std::memset(lines_ + next * lanes, 0, kLineWords * sizeof(uint64_t));
        uint16_t& line = line_of_[tokens[i]];
        bool is_new = line == 0;
        line = is_new ? next : line;
        next = static_cast<uint16_t>(next + is_new);
        lines_[line * lanes + i / kStrip] |= uint64_t{1} << i % kStrip;
    }
}

}  // namespace refscore
