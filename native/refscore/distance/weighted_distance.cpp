#include "refscore/distance/weighted_distance.hpp"

#include <algorithm>
#include <string>

#include "refscore/base/input_error.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// A cell is the cost, the insertions and the deletions, with 22, 21 and 21 bits. The rest follows from them.
constexpr int kCountBits = 21;
constexpr uint64_t kInsertedWord = uint64_t{1} << kCountBits, kDeletedWord = 1, kCost = uint64_t{1} << 2 * kCountBits;
constexpr uint64_t kCountMask = kInsertedWord - 1;

// For checkpoint(): nanoseconds per cell, by order of magnitude.
constexpr size_t kWeightedCellWork = 1;

// Bytes for rows that compounds need, and for the choices of an alignment, as in lattice_distance.cpp.
constexpr size_t kMostRowBytes = size_t{1} << 30;

enum WeightedChoice : uint8_t { kPaired, kDeleted, kInserted, kReferenceCompound, kHypothesisCompound };

// A cell with the edit that leads to it.
struct Step {
    uint64_t cell;
    WeightedChoice choice;

    // Takes another step if it is cheaper.
    void take(Step other) {
        if (other.cell >> 2 * kCountBits < cell >> 2 * kCountBits) *this = other;
    }
};

struct KaldiRules {
    static constexpr uint64_t kSubstitution = 1, kIndel = 1;
    static Step best(Step pair, Step deletion, Step insertion) {
        insertion.take(deletion);
        insertion.take(pair);
        return insertion;
    }
};
struct WeightedKaldiRules : KaldiRules {
    static constexpr uint64_t kSubstitution = 4, kIndel = 3;
};
struct ScliteRules {
    static constexpr uint64_t kSubstitution = 4, kIndel = 3;
    static Step best(Step pair, Step deletion, Step insertion) {
        pair.take(insertion);
        pair.take(deletion);
        return pair;
    }
};

void check_bytes(size_t rows, size_t columns, size_t bytes) {
    if (columns > 0 && rows > kMostRowBytes / bytes / columns)
        throw InputError(
            std::nullopt,
            "a segment of " + std::to_string(rows) + " by " + std::to_string(columns) + " words needs too much memory",
            "split the segment");
}

}  // namespace

void WeightedDistance::find_compounds(const Words& hypothesis, const Words& reference) {
    in_reference_.find(reference, hypothesis);
    in_hypothesis_.find(hypothesis, reference);
    longest_ = 1;
    for (const Compound& compound : in_reference_.compounds) longest_ = std::max<size_t>(longest_, compound.size);
    equal_in_reference_.assign(reference.size(), 0);
    for (uint32_t index = 0; index < in_hypothesis_.places.size(); ++index)
        for (uint32_t word : in_hypothesis_.places[index]) equal_in_reference_[word] = index + 1;
    ends_here_.assign(in_hypothesis_.places.size(), {});
    for (const Compound& compound : in_hypothesis_.compounds) ends_here_[compound.equal].push_back(&compound);
    of_reference_.assign(hypothesis.size() + 1, 0);
    of_hypothesis_.assign(hypothesis.size() + 1, 0);
}

template <class Rules, bool kTrace>
uint64_t WeightedDistance::fill(const Words& hypothesis, const Words& reference) {
    constexpr uint64_t kSubstitute = Rules::kSubstitution * kCost, kDelete = Rules::kIndel * kCost + kDeletedWord,
                       kInsert = Rules::kIndel * kCost + kInsertedWord;
    size_t width = hypothesis.size() + 1, height = reference.size(), kept = longest_ + 1;
    check_bytes(kept, width, sizeof(uint64_t));
    if (kTrace) check_bytes(height, width, 1);
    uint64_t* rows = rows_.reserve(kept * width);
    uint8_t* choices = kTrace ? choices_.reserve(height * width) : nullptr;
    for (size_t j = 0; j < width; ++j) rows[j] = j * kInsert;
    size_t next_compound = 0;
    for (size_t i = 1; i <= height; ++i) {
        checkpoint(width * kWeightedCellWork);
        const uint64_t* above = rows + (i - 1) % kept * width;
        uint64_t* row = rows + i % kept * width;
        uint8_t* chosen = kTrace ? choices + (i - 1) * width : nullptr;
        uint32_t word = reference.numbers[i - 1];
        row[0] = i * kDelete;
        if constexpr (kTrace) chosen[0] = kDeleted;
        auto cell = [&](size_t j) {
            bool is_equal = hypothesis.numbers[j - 1] == word;
            return Rules::best({above[j - 1] + (is_equal ? 0 : kSubstitute), kPaired}, {above[j] + kDelete, kDeleted},
                               {row[j - 1] + kInsert, kInserted});
        };
        auto store = [&](size_t j, Step best) {
            row[j] = best.cell;
            if constexpr (kTrace) chosen[j] = best.choice;
        };
        const std::vector<Compound>& compounds = in_reference_.compounds;
        bool has_compounds = next_compound < compounds.size() && compounds[next_compound].end == i;
        uint32_t equal = ends_here_.empty() ? 0 : equal_in_reference_[i - 1];
        if (!has_compounds && equal == 0) {
            for (size_t j = 1; j < width; ++j) store(j, cell(j));
            continue;
        }
        auto for_each_place = [&](auto visit) {
            for (size_t k = next_compound; k < compounds.size() && compounds[k].end == i; ++k)
                for (uint32_t j : in_reference_.places[compounds[k].equal]) visit(of_reference_[j], compounds[k].size);
            if (equal != 0)
                for (const Compound* compound : ends_here_[equal - 1])
                    visit(of_hypothesis_[compound->end - 1], compound->size);
        };
        for_each_place([](uint32_t& size, uint32_t value) { size = value; });
        for (size_t j = 1; j < width; ++j) {
            Step best = cell(j);
            if (size_t size = of_reference_[j - 1]; size > 0)
                best.take({rows[(i - size) % kept * width + j - 1], kReferenceCompound});
            if (size_t size = of_hypothesis_[j - 1]; size > 0) best.take({above[j - size], kHypothesisCompound});
            store(j, best);
        }
        for_each_place([](uint32_t& size, uint32_t) { size = 0; });
        while (next_compound < compounds.size() && compounds[next_compound].end == i) ++next_compound;
    }
    return rows[height % kept * width + width - 1];
}

template <bool kTrace>
uint64_t WeightedDistance::run(const Words& hypothesis, const Words& reference, EditCosts costs, bool compounds) {
    if (hypothesis.size() + reference.size() > kMostWords)
        throw InputError(std::nullopt,
                         "a segment and its hypothesis have " + std::to_string(hypothesis.size() + reference.size()) +
                             " words together",
                         "the most with these settings is " + std::to_string(kMostWords) + ", so split the segment");
    if (compounds) {
        find_compounds(hypothesis, reference);
        return costs == EditCosts::Equal ? fill<KaldiRules, kTrace>(hypothesis, reference)
                                         : fill<WeightedKaldiRules, kTrace>(hypothesis, reference);
    }
    in_reference_.compounds.clear();
    ends_here_.clear();
    longest_ = 1;
    return costs == EditCosts::Equal ? fill<KaldiRules, kTrace>(hypothesis, reference)
                                     : fill<ScliteRules, kTrace>(hypothesis, reference);
}

EditCounts WeightedDistance::count(const Words& hypothesis, const Words& reference, EditCosts costs, bool compounds) {
    EditCounts counts;
    // Unknown words are 0 and equal nothing. The reference has none.
    if (std::ranges::equal(hypothesis.numbers, reference.numbers)) {
        counts.hits = static_cast<int64_t>(reference.size());
        return counts;
    }
    uint64_t cell = run<false>(hypothesis, reference, costs, compounds);
    uint64_t indel = costs == EditCosts::Equal ? 1 : 3, substitution = costs == EditCosts::Equal ? 1 : 4;
    counts.insertions = static_cast<int64_t>(cell / kInsertedWord & kCountMask);
    counts.deletions = static_cast<int64_t>(cell & kCountMask);
    int64_t rest =
        static_cast<int64_t>(cell / kCost) - static_cast<int64_t>(indel) * (counts.insertions + counts.deletions);
    counts.substitutions = rest / static_cast<int64_t>(substitution);
    counts.hits = static_cast<int64_t>(reference.size()) - counts.substitutions - counts.deletions;
    return counts;
}

std::span<const EditRun> WeightedDistance::align(const Words& hypothesis, const Words& reference, EditCosts costs,
                                                 bool compounds) {
    run<true>(hypothesis, reference, costs, compounds);
    size_t width = hypothesis.size() + 1, i = reference.size(), j = hypothesis.size();
    runs_.clear();
    auto push = [&](Edit edit, uint32_t of_reference, uint32_t of_hypothesis) {
        bool is_compound = of_reference + of_hypothesis > 2;
        if (!is_compound && !runs_.empty() && runs_.back().edit == edit && !runs_.back().is_compound) {
            runs_.back().reference += of_reference;
            runs_.back().hypothesis += of_hypothesis;
        } else {
            runs_.push_back({edit, is_compound, of_reference, of_hypothesis});
        }
        i -= of_reference;
        j -= of_hypothesis;
    };
    // The number of words of a compound: texts have the same size, and words are not empty.
    auto words_before = [](const Words& side, size_t end, size_t bytes) {
        uint32_t size = 0;
        for (size_t from = side.begin(end) - bytes; side.begin(end) > from; --end) ++size;
        return size;
    };
    while (i > 0 || j > 0) {
        auto choice = i == 0 ? kInserted : static_cast<WeightedChoice>(choices_[(i - 1) * width + j]);
        switch (choice) {
            case kPaired:
                push(hypothesis.numbers[j - 1] == reference.numbers[i - 1] ? Edit::Hit : Edit::Substitution, 1, 1);
                break;
            case kDeleted: push(Edit::Deletion, 1, 0); break;
            case kInserted: push(Edit::Insertion, 0, 1); break;
            case kReferenceCompound: push(Edit::Hit, words_before(reference, i, hypothesis[j - 1].size()), 1); break;
            case kHypothesisCompound: push(Edit::Hit, 1, words_before(hypothesis, j, reference[i - 1].size())); break;
        }
    }
    std::ranges::reverse(runs_);
    return runs_;
}

}  // namespace refscore
