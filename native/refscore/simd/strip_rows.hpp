// Bit-parallel rows of edit distance and longest common subsequence, for several strips of 64 reference tokens at a
// time.
//
// A strip passes one or two bits per row to the next strip. With vectors, each lane is two rows behind the lane before
// it. It reads the bits that this lane produced two steps earlier, so all lanes advance in one step. A group is the
// strips of all lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/simd/cpu_dispatch.hpp"

namespace refscore {

constexpr size_t kStrip = 64;  // bits of a machine word: one reference token each
constexpr size_t kStepsBehind = 2;
constexpr size_t kCarryMargin =
    16;  // bytes before the carries that are overwritten, at most: two steps for each of 8 lanes

// The input of a group. A line is the positions of one token in all strips, one word per lane. With one lane, lines are
// in the order of tokens. Otherwise line_of says which one belongs to a token, and line 0 is all zeros.
struct GroupInput {
    const uint64_t* lines;
    const uint16_t* line_of;
    std::span<const uint32_t> rows;
};

// The rows of one group, for one instruction set.
//
// `carries` contains the bits that enter the first strip, by row, and receives those that leave the last strip. Up to
// kCarryMargin bytes before it are overwritten.
struct StripRows {
    size_t lanes;
    // Edit distance. Carries: bit 0 if the distance grows by one in this row, bit 1 if it falls by one. A step writes
    // the vertical differences of all lanes to `columns`: words with the +1, then words with the -1. If `all`, each
    // step has its own words, and step_of(row, lane) is the state of a lane after `row` rows. Otherwise only the last
    // state is written.
    void (*edits)(const GroupInput& input, uint8_t* carries, uint64_t* columns, bool all);
    // Longest common subsequence. Carries: 1 if it grows in this row. Returns how much it grows from the first strip to
    // the last.
    size_t (*common)(const GroupInput& input, uint8_t* carries);

    static size_t step_of(size_t row, size_t lane) { return row + kStepsBehind * lane; }
    // The number of words in `columns` for `rows` rows.
    size_t column_words(size_t rows) const { return 2 * lanes * (step_of(rows, lanes - 1) + 1); }
};

// The instruction sets of this processor, the best one first.
std::vector<StripRows> usable_strip_rows();
extern const StripRows kStripRows;
extern const StripRows kOneStripRows;  // one lane, on every processor

#ifdef REFSCORE_X86
StripRows strip_rows_avx2();
StripRows strip_rows_avx512();
#endif

// The positions of each token in a strip: bit i for its i-th token. All masks are 0 while no strip is set.
class StripMasks {
  public:
    static const StripRows& kernels() { return kOneStripRows; }
    static size_t tokens() { return kStrip; }

    void reserve(uint32_t vocabulary);
    void set(std::span<const uint32_t> strip) {
        for (size_t i = 0; i < strip.size(); ++i) masks_[strip[i]] |= uint64_t{1} << i;
    }
    void clear(std::span<const uint32_t> strip) {
        for (uint32_t token : strip) masks_[token] = 0;
    }
    uint64_t operator[](uint32_t token) const { return masks_[token]; }
    GroupInput input(std::span<const uint32_t> rows) const { return {masks_.data(), nullptr, rows}; }

  private:
    Buffer<uint64_t> masks_;
    size_t size_ = 0;
};

// The positions of each token in a group of several strips. Lines are numbered for each group, so the table stays in
// the cache (33 KB for 512 tokens), and a step reads one cache line.
class StripGroup {
  public:
    explicit StripGroup(const StripRows& rows) : rows_(rows) {}
    const StripRows& kernels() const { return rows_; }
    // The number of reference tokens of a group.
    size_t tokens() const { return kStrip * rows_.lanes; }

    void reserve(uint32_t vocabulary);
    void set(std::span<const uint32_t> tokens);
    void clear(std::span<const uint32_t> tokens) {
        for (uint32_t token : tokens) line_of_[token] = 0;
    }
    GroupInput input(std::span<const uint32_t> rows) const { return {lines_, line_of_.data(), rows}; }

  private:
    static constexpr size_t kLineWords = 8;  // of a cache line

    StripRows rows_;
    Buffer<uint64_t> words_;
    uint64_t* lines_ = nullptr;  // in words_, aligned to a cache line
    Buffer<uint16_t> line_of_;   // all 0 while no group is set
    size_t size_ = 0;
};

}  // namespace refscore
