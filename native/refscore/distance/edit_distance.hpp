// Edit distance and longest common subsequence of numbered tokens, 64 reference tokens per machine word.
//
// Longer references are split into groups of strips (see strip_rows.hpp). A group passes only one or two bits per
// hypothesis token to the next group. Groups are therefore processed one after another, with a single table of
// positions by token. A long text needs no table of all tokens by all groups.
//
// An alignment with few edits stays near the diagonal. Long tables are first computed in a narrow band (Ukkonen 1985).
// The distance within a band is an upper bound, and tells how wide a band contains all optimal alignments.
//
// A hypothesis token that no reference contains is 0 (see vocabulary.hpp) and equals nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/buffer.hpp"
#include "refscore/simd/strip_rows.hpp"

namespace refscore {

enum class Edit : uint8_t { Hit, Substitution, Deletion, Insertion };

struct EditCounts {
    int64_t hits = 0;
    int64_t substitutions = 0;
    int64_t deletions = 0;
    int64_t insertions = 0;

    int64_t errors() const { return substitutions + deletions + insertions; }
};

// The cells of a table around the diagonal: those on alignments with at most a given number of insertions and
// deletions.
struct Band {
    size_t before, after;  // by how many tokens the hypothesis may be behind the reference, and ahead of it

    // `edits` must not be smaller than the difference of the lengths.
    Band(size_t hypothesis, size_t reference, size_t edits)
        : before((edits + reference - hypothesis) / 2), after((edits + hypothesis - reference) / 2) {}

    // The first and last row of the reference tokens from `begin` to `end`. The row before the first is known.
    size_t first_row(size_t begin) const { return begin > before ? begin - before : 0; }
    size_t last_row(size_t end, size_t rows) const { return std::min(rows, end + after); }
};

// Computes the fewest edits that turn a reference into a hypothesis; one instance per thread.
//
// Of several optimal alignments it chooses the one of rapidfuzz, and therefore of jiwer. Equal tokens at both ends are
// hits. Then, from the end: a deletion where possible, else an insertion if the previous row requires one (or a hit at
// equal cost), else a hit or substitution. Large tables are split in the middle of the hypothesis (Hirschberg), at the
// same sizes as in rapidfuzz.
class EditDistance {
  public:
    explicit EditDistance(const StripRows& rows = kStripRows) : group_(rows) {}

    // Reference tokens are from 1 to `vocabulary`, hypothesis tokens from 0. `places` has the positions of each token
    // in the reference, if they are known (NumberedReferences::places).
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                     const uint64_t* places = nullptr);
    // Returns only the number of edits, which is faster.
    size_t distance(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // Returns the edits in order, valid until the next call.
    std::span<const Edit> align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                uint32_t vocabulary);
    // Of the optimal alignments, returns the one that aligns every prefix of the reference with the longest prefix of
    // the hypothesis. Such an alignment exists: where two optimal alignments cross, they can continue as each other.
    std::span<const Edit> align_latest(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                       uint32_t vocabulary);

  private:
    // A group of strips that is stored completely.
    struct Columns {
        size_t first;  // the row before the first computed row
        size_t at;     // the index of that row's words
    };
    // A part of both sequences, at most `most` edits apart; or a number of hits, with empty sequences.
    struct Part {
        std::span<const uint32_t> hypothesis;
        std::span<const uint32_t> reference;
        size_t most;
        size_t hits;
    };
    struct Split {
        size_t reference, hypothesis, left, right;
    };

    template <class Take>
    void run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary, Take& take,
             const uint64_t* places = nullptr);
    template <class Take>
    void trace(const Part& part, uint32_t vocabulary, Take& take, const uint64_t* places, size_t begin);
    template <class Lanes, class Take>
    void walk(const Part& part, Lanes lanes, Take& take);
    void fill_word(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, const uint64_t* places,
                   size_t begin);
    template <class Places>
    void fill_rows(std::span<const uint32_t> hypothesis, Places places);
    template <class Group>
    void fill_groups(Group& group, const Part& part);
    template <class Group>
    void last_row(Group& group, const Part& part, const Band& band, size_t rows, uint32_t* distances);
    template <size_t Strips, class Row>
    void run_in_registers(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                          uint32_t vocabulary, uint64_t* plus, uint64_t* minus, Row row);
    template <size_t Strips>
    void fill_in_registers(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                           uint32_t vocabulary);
    template <size_t Strips>
    size_t distance_in_registers(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                 uint32_t vocabulary);
    template <class Group>
    size_t distance_of(Group& group, const Part& part);
    template <class Group>
    Split split(Group& group, const Part& part);
    template <class Group, class Visit>
    void for_each_group(Group& group, const Part& part, const Band& band, size_t rows, Visit visit);

    // 256 reference tokens, the characters of most sentences. Each strip needs two registers, and 16 registers hold
    // four strips.
    static constexpr size_t kStripsInRegisters = 4;

    StripMasks masks_;
    StripGroup group_;
    Buffer<uint64_t>
        lines_;  // by token: its positions in up to kStripsInRegisters strips; all 0 while no reference is set
    size_t line_words_ = 0;
    Buffer<uint64_t> columns_;
    Buffer<uint8_t> carries_;
    std::vector<Columns> groups_;
    std::vector<Part> parts_;
    Buffer<uint32_t> left_;
    Buffer<uint32_t> right_;
    Buffer<uint32_t> reversed_;
    Buffer<uint32_t> reversed_reference_;
    std::vector<Edit> edits_;
};

// Computes longest common subsequences; one instance per thread.
class CommonSubsequence {
  public:
    explicit CommonSubsequence(const StripRows& rows = kStripRows) : group_(rows) {}

    // A pair of positions that match.
    struct Pair {
        uint32_t reference;
        uint32_t hypothesis;
    };

    size_t length(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // Returns one longest common subsequence, from the last pair to the first, valid until the next call. It is the one
    // that rouge-score reads from its table: from the end, it takes equal tokens. Otherwise it skips a reference token,
    // unless that shortens the result.
    std::span<const Pair> pairs(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                uint32_t vocabulary);

  private:
    // Processes one strip row by row and calls row(j, bits) after each. Bits are set where the subsequence does not
    // grow.
    template <class Row>
    void run_strip(std::span<const uint32_t> hypothesis, std::span<const uint32_t> strip, uint64_t* carries, Row row);

    template <class Group>
    size_t length_of(Group& group, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);
    template <class Group>
    size_t length_within(Group& group, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                         const Band& band);

    StripMasks masks_;
    StripGroup group_;
    Buffer<uint8_t> group_carries_;
    Buffer<uint64_t> carries_;
    Buffer<uint64_t> rows_;
    Buffer<Pair> pairs_;
};

}  // namespace refscore
