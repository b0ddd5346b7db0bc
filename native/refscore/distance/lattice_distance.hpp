// The edit distance between a hypothesis and a reference with alternatives (see reference_markup.hpp).
//
// The reference is a lattice: a graph of words from one beginning to one end. The table has one row per word, and the
// rows of alternatives are joined at their end. The time is proportional to the number of words, not of paths.
//
// FewestErrors: the path with the fewest errors counts. Of several, the one with the most hits; then the longest, which
// has the most substitutions; then the first as written. The first three determine all counts, so counting needs no
// path: each cell of the table contains errors, hits and substitutions in one number, and the smaller number is better.
//
// ScliteCosts: the alignment and path of sclite 2.4.10 with its option -D.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/base/input_error.hpp"
#include "refscore/distance/edit_distance.hpp"

namespace refscore {

// Whether a reference has alternatives.
bool has_marks(std::span<const uint32_t> reference);

// Throws an InputError unless all braces are paired and not nested too deeply. Its location is reference `r`, or the
// only one.
void check_marks(std::span<const uint32_t> reference, size_t r, bool is_only);

// 21 bits each for the hits and substitutions in a cell, and for the words of both sides.
constexpr int kLatticeBits = 21;

struct FewestErrors {
    // errors * 2**42 - hits * 2**21 - substitutions
    using Cell = int64_t;
    static constexpr int64_t kError = int64_t{1} << 2 * kLatticeBits, kHit = -(int64_t{1} << kLatticeBits);
    static constexpr bool kPrefersDeletions = true, kAlignsEmpty = false;

    static bool is_better(Cell one, Cell other) { return one < other; }
    static Cell paired(Cell cell, bool is_hit) { return cell + (is_hit ? kHit : kError - 1); }
    static Cell deleted(Cell cell) { return cell + kError; }
    static Cell inserted(Cell cell) { return cell + kError; }
    static EditCounts counts(Cell cell, size_t hypothesis);
};

struct ScliteCosts {
    // sclite adds costs as single-precision numbers, whose rounding can decide between paths with several "@".
    struct Cell {
        float cost = 0;
        uint32_t hits = 0, substitutions = 0, deletions = 0, insertions = 0;
    };
    // Whether "@" and missing optional words are steps of an alignment, so words can be inserted before and after them.
    static constexpr bool kPrefersDeletions = false, kAlignsEmpty = true;

    static bool is_better(const Cell& one, const Cell& other) { return one.cost < other.cost; }
    static Cell paired(Cell cell, bool is_hit) {
        if (is_hit) {
            ++cell.hits;
        } else {
            cell.cost += 4;
            ++cell.substitutions;
        }
        return cell;
    }
    static Cell deleted(Cell cell) {
        cell.cost += 3;
        ++cell.deletions;
        return cell;
    }
    static Cell inserted(Cell cell) {
        cell.cost += 3;
        ++cell.insertions;
        return cell;
    }
    // "@", or optional words that the hypothesis lacks, which sclite counts as correct.
    static Cell skipped(Cell cell, uint32_t missing) {
        cell.cost += missing == 0 ? 0.001F : 2.0F * static_cast<float>(missing);
        cell.hits += missing;
        return cell;
    }
    static EditCounts counts(const Cell& cell, size_t hypothesis);
};

// One instance per thread.
template <class Rules>
class LatticeTable {
  public:
    // Alternatives within alternatives. NIST's references have two or three levels; each needs two rows of memory.
    static constexpr size_t kMostLevels = 32;

    // Counts the best path. `reference` contains words from 1 and marks that check_marks() accepts.
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

    // Returns the edits of the best path in order, valid until the next call. path() then returns its words, and
    // is_missing() for each edit whether it is a hit without a word of the hypothesis: a missing optional word.
    std::span<const Edit> align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);
    std::span<const uint32_t> path() const { return path_; }
    const std::vector<bool>& is_missing() const { return is_missing_; }

  private:
    using Cell = typename Rules::Cell;
    enum Choice : uint8_t { kPair, kDelete, kInsert };
    template <bool kTrace>
    const Cell* run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint8_t* choices);

    Buffer<Cell> current_, next_;
    std::vector<Buffer<Cell>> starts_, bests_;  // by level: the row before the alternatives, and the best of their ends
    std::vector<Edit> edits_;
    std::vector<bool> is_missing_;
    std::vector<uint32_t> path_;
};

using LatticeDistance = LatticeTable<FewestErrors>;
using ScliteLattice = LatticeTable<ScliteCosts>;

}  // namespace refscore
