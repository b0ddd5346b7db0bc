// ROUGE: overlap of n-grams, or longest common subsequences, of a hypothesis with its best reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "edit_distance.hpp"
#include "ngrams.hpp"
#include "preconditions.hpp"
#include "renumber.hpp"
#include "segments.hpp"

namespace refscore {

// N counts n-grams, L is the longest common subsequence, Lsum the union of those of all lines.
enum class RougeVariant : uint8_t { N, L, Lsum };

struct RougeSettings {
    RougeVariant variant = RougeVariant::L;
    size_t order = 1;  // of the n-grams

    void check() const { require_order(order); }
};

// A row; they add up.
struct RougeRow {
    static constexpr size_t kColumns = 4;
    double precision = 0;
    double recall = 0;
    double f = 0;
    double segments = 0;
};

// Scratch memory of one thread, for the union of the common subsequences of each reference line with all hypothesis lines.
//
// A position of a reference line can only be in a common subsequence with a line that has its token. Lines are indexed by their tokens, and
// only as many are tried as it takes to find one for each position; equal lines are tried once.
class LineUnion {
  public:
    using Lines = std::vector<std::span<const uint32_t>>;

    // Calls visit(line, in_any) for each reference line, in any order: its index, and for each position whether it is in the union.
    // Tokens of the reference are from 1 to `vocabulary`, those of the hypothesis from 0.
    template <class Visit>
    void run(const Lines& hypothesis, const Lines& reference, uint32_t vocabulary, Visit visit) {
        if (hypothesis.size() <= kFewLines) {
            for (size_t i = 0; i < reference.size(); ++i) {
                clear(reference[i].size());
                for (std::span<const uint32_t> other : hypothesis) add(other, reference[i], vocabulary);
                visit(i, std::span<const uint8_t>(in_any_.data(), reference[i].size()));
            }
            return;
        }
        build_index(hypothesis, vocabulary);
        sort_lines(reference, reference_order_);
        for (size_t i = 0; i < reference_order_.size(); ++i) {
            std::span<const uint32_t> line = reference[reference_order_[i]];
            if (i == 0 || !std::ranges::equal(line, reference[reference_order_[i - 1]])) find_union(hypothesis, line, vocabulary);
            visit(reference_order_[i], std::span<const uint8_t>(in_any_.data(), line.size()));
        }
        for (std::span<const uint32_t> line : hypothesis)
            for (uint32_t token : line) tokens_[token].first = kNone;
    }

  private:
    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr size_t kFewLines = 4;  // of a hypothesis, with which an index takes longer than to try all
    struct TokenEntry {
        uint32_t first = kNone;  // of the occurrences; kNone between calls
        uint64_t exhausted = 0;  // the last turn in which all of its lines were tried
    };
    struct Occurrence {
        uint32_t line;
        uint32_t next;
    };

    void clear(size_t size) { std::fill_n(in_any_.reserve(size), size, uint8_t{0}); }
    void add(std::span<const uint32_t> other, std::span<const uint32_t> line, uint32_t vocabulary) {
        for (CommonSubsequence::Pair pair : subsequence_.pairs(other, line, vocabulary)) in_any_[pair.reference] = 1;
    }
    static void sort_lines(const Lines& lines, std::vector<uint32_t>& order);
    void build_index(const Lines& hypothesis, uint32_t vocabulary);
    void find_union(const Lines& hypothesis, std::span<const uint32_t> line, uint32_t vocabulary);

    CommonSubsequence subsequence_;
    std::vector<uint32_t> hypothesis_order_;
    std::vector<uint32_t> reference_order_;
    std::vector<TokenEntry> tokens_;
    std::vector<Occurrence> occurrences_;  // of tokens in different lines, as a linked list for each token
    std::vector<uint64_t> tried_;          // by hypothesis line, the last turn in which it was tried
    uint64_t turn_ = 0;                    // a number for each reference line, over all calls
    Buffer<uint8_t> in_any_;
};

// Scratch memory of one thread.
class Rouge {
  public:
    // The row of the reference with the best F, the first one of equals.
    RougeRow row(const RougeSettings& settings, std::span<const uint32_t> hypothesis, const NumberedReferences& references);

  private:
    struct Overlap {
        size_t matches;
        size_t hypothesis;
        size_t reference;
    };
    Overlap overlap(const RougeSettings& settings, std::span<const uint32_t> hypothesis, NumberedReferences reference);
    Overlap overlap_of_lines(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary);

    NgramCounter counter_;
    std::vector<int64_t> counts_;
    CommonSubsequence subsequence_;
    LineUnion union_;
    LineUnion::Lines hypothesis_lines_;
    LineUnion::Lines reference_lines_;
    Renumberer renumberer_;
    std::vector<uint32_t> left_;  // by token, the occurrences in the hypothesis that are not used up; all 0 between pairs
};

}  // namespace refscore
