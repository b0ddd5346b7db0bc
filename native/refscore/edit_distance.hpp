// Edit distance and longest common subsequence of numbered tokens, 64 reference tokens at a time.
//
// The reference is split into strips of 64 tokens, one machine word each. A strip passes only one or two bits per hypothesis
// token to the next strip. Strips are therefore processed one after another, with a single table of positions by token. A long
// text needs no table of all tokens by all strips.
//
// A hypothesis token that no reference contains is 0 (see vocabulary.hpp) and equals nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffer.hpp"

namespace refscore {

enum class Edit : uint8_t { Hit, Substitution, Deletion, Insertion };

struct EditCounts {
    int64_t hits = 0;
    int64_t substitutions = 0;
    int64_t deletions = 0;
    int64_t insertions = 0;

    int64_t errors() const { return substitutions + deletions + insertions; }
};

// The positions of each token in a strip: bit i for its i-th token. All masks are 0 while no strip is set.
class StripMasks {
  public:
    void reserve(uint32_t vocabulary);
    void set(std::span<const uint32_t> strip) {
        for (size_t i = 0; i < strip.size(); ++i) masks_[strip[i]] |= uint64_t{1} << i;
    }
    void clear(std::span<const uint32_t> strip) {
        for (uint32_t token : strip) masks_[token] = 0;
    }
    uint64_t operator[](uint32_t token) const { return masks_[token]; }

  private:
    Buffer<uint64_t> masks_;
    size_t size_ = 0;
};

// Computes the fewest edits that turn a reference into a hypothesis; one instance per thread.
//
// Of several optimal alignments it chooses the one of rapidfuzz, and therefore of jiwer. Equal tokens at both ends are hits.
// Then, from the end: a deletion where possible, else an insertion if the previous row requires one (or a hit at equal cost),
// else a hit or substitution. Large tables are split in the middle of the hypothesis (Hirschberg), at the same sizes as in
// rapidfuzz.
class EditDistance {
  public:
    // Reference tokens are from 1 to `vocabulary`, hypothesis tokens from 0.
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // Returns the edits in order, valid until the next call.
    std::span<const Edit> align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    // The differences between vertical neighbours in a strip of the table, as bits: +1 and -1.
    struct Column {
        uint64_t plus;
        uint64_t minus;
    };
    struct Strip {
        size_t first;  // the row before the first computed row
        size_t at;     // the index of that row's column
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
    void run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary, Take& take);
    template <class Take>
    void trace(const Part& part, Take& take);
    void fill_word(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);
    void fill_strips(const Part& part);
    void last_row(const Part& part, size_t rows, uint32_t* distances);
    Split split(const Part& part);
    template <class Visit>
    void for_each_strip(const Part& part, size_t rows, Visit visit);

    StripMasks masks_;
    Buffer<Column> columns_;
    Buffer<uint8_t> carries_;  // by row, the carry into the strip: bit 0 for +1, bit 1 for -1
    std::vector<Strip> strips_;
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
    // A pair of positions that match.
    struct Pair {
        uint32_t reference;
        uint32_t hypothesis;
    };

    size_t length(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // Returns one longest common subsequence, from the last pair to the first, valid until the next call. It is the one that
    // rouge-score reads from its table: from the end, it takes equal tokens. Otherwise it skips a reference token, unless that
    // shortens the result.
    std::span<const Pair> pairs(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    // Processes one strip row by row and calls row(j, bits) after each. Bits are set where the subsequence does not grow.
    template <class Row>
    uint64_t run_strip(std::span<const uint32_t> hypothesis, std::span<const uint32_t> strip, uint64_t* carries, Row row);

    StripMasks masks_;
    Buffer<uint64_t> carries_;
    Buffer<uint64_t> rows_;
    Buffer<Pair> pairs_;
};

}  // namespace refscore
