// Edit distance and longest common subsequence of numbered tokens, 64 reference tokens at a time.
//
// A reference is cut into strips of 64 tokens, one machine word each. What a strip hands to the next one is a bit or two per
// hypothesis token, so that strips are worked through one after the other, with one table of positions by token for the strip
// at hand; a long text needs no table of all tokens by all strips.
//
// A hypothesis token that no reference has is 0 (see vocabulary.hpp), and equals nothing.
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

// Where each token occurs in a strip: bit i for its i-th token. All zero whenever no strip is set.
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

// Scratch memory of one thread, for the edits that turn a reference into a hypothesis, in the fewest steps.
//
// Among several such alignments this takes the one that rapidfuzz takes, and with it jiwer: equal tokens at both ends are hits;
// then, from the end, a deletion where one fits, else an insertion where the row before says that only it (or a hit that costs as
// much) is left, else a pair. Large tables are split in the middle of the hypothesis (Hirschberg), at the same sizes as there.
class EditDistance {
  public:
    // Tokens of the reference are from 1 to `vocabulary`, those of the hypothesis from 0.
    EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // The edits in order, valid until the next call.
    std::span<const Edit> align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    // Differences between vertical neighbours in a strip of the table, as bits: +1 and -1.
    struct Column {
        uint64_t plus;
        uint64_t minus;
    };
    struct Strip {
        size_t first;  // the row before the first one that was worked out
        size_t at;     // where that row's column is
    };
    // A part of both sequences, at most `most` edits apart; or, without either, some hits.
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
    Buffer<uint8_t> carries_;  // by row, what goes into the strip: bit 0 for +1, bit 1 for -1
    std::vector<Strip> strips_;
    std::vector<Part> parts_;
    Buffer<uint32_t> left_;
    Buffer<uint32_t> right_;
    Buffer<uint32_t> reversed_;
    Buffer<uint32_t> reversed_reference_;
    std::vector<Edit> edits_;
};

// Scratch memory of one thread, for longest common subsequences.
class CommonSubsequence {
  public:
    // A pair of positions that match.
    struct Pair {
        uint32_t reference;
        uint32_t hypothesis;
    };

    size_t length(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);
    // One of the longest, from the last pair to the first: the one that rouge-score reads out of its table, which goes back from
    // the end, takes tokens that are equal, and else skips a token of the reference unless that made it shorter.
    // Valid until the next call.
    std::span<const Pair> pairs(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

  private:
    // Sets bits where the subsequence does not grow, row by row, for one strip; calls row(j, bits) after each.
    template <class Row>
    uint64_t run_strip(std::span<const uint32_t> hypothesis, std::span<const uint32_t> strip, uint64_t* carries, Row row);

    StripMasks masks_;
    Buffer<uint64_t> carries_;
    Buffer<uint64_t> rows_;
    Buffer<Pair> pairs_;
};

}  // namespace refscore
