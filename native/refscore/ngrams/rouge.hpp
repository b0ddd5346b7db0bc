// ROUGE: common n-grams, skip-bigrams or subsequences of a hypothesis with its references.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/distance/weighted_subsequence.hpp"
#include "refscore/ngrams/ngrams.hpp"
#include "refscore/ngrams/skip_bigrams.hpp"
#include "refscore/segments/renumber.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// N counts n-grams, L is the longest common subsequence, Lsum the union of the subsequences of all lines. W is Lsum
// with weighted subsequences. S counts skip-bigrams, and SU also counts all tokens but the last.
enum class RougeVariant : uint8_t { N, L, Lsum, W, S, SU };

// How several references become one row: the best F, the best recall, or the sums of all matches and lengths.
enum class RougeCombine : uint8_t { F, Recall, Pool };

struct RougeSettings {
    RougeVariant variant = RougeVariant::L;
    size_t order = 1;              // of n-grams
    size_t skip = kUnlimitedSkip;  // the most tokens between the two of a skip-bigram
    double power = 1.2;            // of the length of a run of matches
    double beta = 1;               // the weight of recall
    RougeCombine combine = RougeCombine::F;

    bool has_lines() const { return variant == RougeVariant::Lsum || variant == RougeVariant::W; }
    void check() const {
        require_order(order);
        require(power >= 1 && power <= kMostPower, "the power of ROUGE-W must be from 1 to 5");
        require(beta >= 0 && std::isfinite(beta), "beta must be a finite number of at least 0");
    }

    // 5: the power is applied twice to lengths below 2^32, and the result must be finite.
    static constexpr double kMostPower = 5;
};

// A row of statistics; rows can be summed.
struct RougeRow {
    static constexpr size_t kColumns = 4;
    double precision = 0;
    double recall = 0;
    double f = 0;
    double segments = 0;
};

using Lines = std::vector<std::span<const uint32_t>>;

// Computes the union of the common subsequences of each reference line with all hypothesis lines; one instance per
// thread. The class Subsequence finds a subsequence of two lines.
//
// A position of a reference line can only match a line that contains its token. Lines are therefore indexed by token,
// and lines are tried only until every position has a match. Equal lines are tried once.
template <class Subsequence>
class LineUnion {
  public:
    using Lines = refscore::Lines;

    Subsequence& subsequence() { return subsequence_; }

    // Calls visit(line, in_any) for each reference line, in any order. in_any[i] says whether position i is in the
    // union. Reference tokens are from 1 to `vocabulary`, hypothesis tokens from 0.
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
            if (i == 0 || !std::ranges::equal(line, reference[reference_order_[i - 1]]))
                find_union(hypothesis, line, vocabulary);
            visit(reference_order_[i], std::span<const uint8_t>(in_any_.data(), line.size()));
        }
        for (std::span<const uint32_t> line : hypothesis)
            for (uint32_t token : line) tokens_[token].first = kNone;
    }

  private:
    static constexpr uint32_t kNone = UINT32_MAX;
    // With at most 4 hypothesis lines, building the index takes longer than trying all lines.
    static constexpr size_t kFewLines = 4;
    struct TokenEntry {
        uint32_t first = kNone;  // of the linked list of occurrences; kNone between calls
        uint64_t exhausted = 0;  // the last turn in which all lines with this token were tried
    };
    struct Occurrence {
        uint32_t line;
        uint32_t next;
    };

    void clear(size_t size) { std::fill_n(in_any_.reserve(size), size, uint8_t{0}); }
    void add(std::span<const uint32_t> other, std::span<const uint32_t> line, uint32_t vocabulary) {
        for (auto pair : subsequence_.pairs(other, line, vocabulary)) in_any_[pair.reference] = 1;
    }
    static void sort_lines(const Lines& lines, std::vector<uint32_t>& order);
    void build_index(const Lines& hypothesis, uint32_t vocabulary);
    void find_union(const Lines& hypothesis, std::span<const uint32_t> line, uint32_t vocabulary);

    Subsequence subsequence_;
    std::vector<uint32_t> hypothesis_order_;
    std::vector<uint32_t> reference_order_;
    std::vector<TokenEntry> tokens_;
    std::vector<Occurrence> occurrences_;  // of tokens in distinct lines, as one linked list per token
    std::vector<uint64_t> tried_;          // by hypothesis line: the last turn in which it was tried
    uint64_t turn_ = 0;                    // incremented for each reference line, over all calls
    Buffer<uint8_t> in_any_;
};

// One instance per thread.
class Rouge {
  public:
    // Returns the row of all references, combined. Of equally good references, the first counts.
    RougeRow row(const RougeSettings& settings, std::span<const uint32_t> hypothesis,
                 const NumberedReferences& references);

  private:
    // Counts, or for W sums of weights.
    struct Overlap {
        double matches = 0;
        double hypothesis = 0;
        double reference = 0;
        double line_weights =
            0;  // the sum of the weights of the reference lines; ROUGE-1.5.5 compares references by it

        void add(const Overlap& other) {
            matches += other.matches;
            hypothesis += other.hypothesis;
            reference += other.reference;
        }
    };
    Overlap overlap(const RougeSettings& settings, std::span<const uint32_t> hypothesis, NumberedReferences reference);
    Overlap overlap_of_lines(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                             uint32_t vocabulary);
    Overlap weighted_overlap(double power, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                             uint32_t vocabulary);
    void split_and_count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                         uint32_t vocabulary);
    void forget_counts();

    NgramCounter counter_;
    std::vector<int64_t> counts_;
    CommonSubsequence subsequence_;
    LineUnion<CommonSubsequence> union_;
    LineUnion<WeightedSubsequence> weighted_union_;
    SkipBigrams skip_bigrams_;
    Lines hypothesis_lines_;
    Lines reference_lines_;
    Renumberer renumberer_;
    std::vector<uint32_t> left_;   // by token: unused occurrences in the hypothesis; all 0 between pairs
    Buffer<uint8_t> in_any_;       // by reference token, line by line: whether it is in a union
    std::vector<size_t> offsets_;  // by reference line: its first token in in_any_
};

}  // namespace refscore
