#include "refscore/distance/lattice_distance.hpp"

#include <algorithm>
#include <string>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/reference_markup.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kMostTokens = (size_t{1} << kLatticeBits) - 1;

// For checkpoint(): nanoseconds per cell, by order of magnitude.
constexpr size_t kCellWork = 1;

// Bytes for the choices of an alignment, one per cell. 1 GiB: a segment of 20,000 words with as many words of
// alternatives needs less than half.
constexpr size_t kMostChoices = size_t{1} << 30;

constexpr size_t kMostLevels = LatticeDistance::kMostLevels;

void check_size(size_t tokens) {
    if (tokens > kMostTokens)
        throw InputError(
            std::nullopt,
            "a segment with alternatives and its hypothesis have " + std::to_string(tokens) + " words together",
            "the most is " + std::to_string(kMostTokens) + ", so split the segment");
}

// The words of the alternative before the "()" at `at`, which it makes optional.
std::span<const uint32_t> optional_words(std::span<const uint32_t> reference, size_t at) {
    if (at == 0 || reference[at - 1] != kOrMark) return {};
    size_t begin = at - 1;
    while (begin > 0 && !is_mark(reference[begin - 1])) --begin;
    return reference.subspan(begin, at - 1 - begin);
}

bool is_empty(uint32_t number) { return number == kEmptyMark || number == kMissingMark; }

}  // namespace

bool has_marks(std::span<const uint32_t> reference) {
    return std::any_of(reference.begin(), reference.end(), [](uint32_t number) { return is_mark(number); });
}

void check_marks(std::span<const uint32_t> reference, size_t r, bool is_only) {
    size_t words = 0, opened_after[kMostLevels] = {}, depth = 0;
    auto refuse = [&](size_t position, const std::string& problem, const char* fix) {
        Location location{"references"};
        if (!is_only) location.reference = r;
        throw InputError(location,
                         "has " + problem + " after " + std::to_string(position) + (position == 1 ? " word" : " words"),
                         fix);
    };
    for (uint32_t number : reference) {
        if (number == kOpenMark) {
            if (depth == kMostLevels)
                refuse(words, "more than " + std::to_string(depth) + " levels of braces",
                       "write the alternatives with fewer braces");
            opened_after[depth++] = words;
        } else if (number == kCloseMark) {
            if (depth == 0)
                refuse(words, "a \"}\" without a \"{\"",
                       "pair the braces, or set alternatives=\"none\" to read them as words");
            --depth;
        } else if (!is_mark(number)) {
            ++words;
        }
    }
    if (depth > 0)
        refuse(opened_after[depth - 1], "a \"{\" without a \"}\"",
               "pair the braces, or set alternatives=\"none\" to read them as words");
}

EditCounts FewestErrors::counts(Cell cell, size_t hypothesis) {
    int64_t errors = (cell + kError - 1) >> 2 * kLatticeBits, rest = errors * kError - cell;
    EditCounts counts;
    counts.hits = rest >> kLatticeBits;
    counts.substitutions = rest & ((int64_t{1} << kLatticeBits) - 1);
    counts.insertions = static_cast<int64_t>(hypothesis) - counts.hits - counts.substitutions;
    counts.deletions = errors - counts.substitutions - counts.insertions;
    return counts;
}

EditCounts ScliteCosts::counts(const Cell& cell, size_t) {
    return {cell.hits, cell.substitutions, cell.deletions, cell.insertions};
}

// Fills the table and returns its last row. `choices` gets, for each word, the choice in each column and, for each end
// of an alternative, whether it is better than the earlier ones.
template <class Rules>
template <bool kTrace>
const typename Rules::Cell* LatticeTable<Rules>::run(std::span<const uint32_t> hypothesis,
                                                     std::span<const uint32_t> reference, uint8_t* choices) {
    size_t size = hypothesis.size(), width = size + 1, depth = 0, alternatives[kMostLevels];
    Cell* current = current_.reserve(width);
    Cell* next = next_.reserve(width);
    current[0] = Cell{};
    for (size_t j = 0; j < size; ++j) current[j + 1] = Rules::inserted(current[j]);
    for (size_t at = 0; at < reference.size(); ++at) {
        uint32_t number = reference[at];
        if (!Rules::kAlignsEmpty && is_empty(number)) continue;
        checkpoint(kCellWork * width);
        [[maybe_unused]] uint8_t* chosen = kTrace ? choices + at * width : nullptr;
        auto store = [&](size_t j, const Cell& cell, [[maybe_unused]] Choice choice) {
            next[j] = cell;
            if constexpr (kTrace) chosen[j] = choice;
        };
        if (!is_mark(number)) {
            store(0, Rules::deleted(current[0]), kDelete);
            for (size_t j = 0; j < size; ++j) {
                Cell best = Rules::paired(current[j], hypothesis[j] == number),
                     deletion = Rules::deleted(current[j + 1]), insertion = Rules::inserted(next[j]);
                Choice choice = kPair;
                auto take = [&](const Cell& cell, Choice other) {
                    if (Rules::is_better(cell, best)) best = cell, choice = other;
                };
                if (Rules::kPrefersDeletions) take(deletion, kDelete);
                take(insertion, kInsert);
                if (!Rules::kPrefersDeletions) take(deletion, kDelete);
                store(j + 1, best, choice);
            }
            std::swap(current, next);
        } else if (is_empty(number)) {
            if constexpr (Rules::kAlignsEmpty) {
                size_t missing = number == kMissingMark ? optional_words(reference, at).size() : 0;
                auto skip = [&](size_t j) { return Rules::skipped(current[j], static_cast<uint32_t>(missing)); };
                store(0, skip(0), kDelete);
                for (size_t j = 0; j < size; ++j) {
                    Cell skipped = skip(j + 1), insertion = Rules::inserted(next[j]);
                    bool is_skipped = Rules::is_better(skipped, insertion);
                    store(j + 1, is_skipped ? skipped : insertion, is_skipped ? kDelete : kInsert);
                }
                std::swap(current, next);
            }
        } else if (number == kOpenMark) {
            require(depth < kMostLevels, "the braces of a reference are nested too deeply");
            if (starts_.size() == depth) {
                starts_.emplace_back();
                bests_.emplace_back();
            }
            std::copy_n(current, width, starts_[depth].reserve(width));
            alternatives[depth++] = 0;
        } else {
            require(depth > 0, "the braces of a reference are not paired");
            size_t level = depth - 1;
            bool is_first = alternatives[level]++ == 0;
            Cell* best = bests_[level].reserve(width);
            for (size_t j = 0; j < width; ++j) {
                bool is_better = is_first || Rules::is_better(current[j], best[j]);
                if (is_better) best[j] = current[j];
                if constexpr (kTrace) chosen[j] = is_better;
            }
            std::copy_n(number == kOrMark ? starts_[level].data() : best, width, current);
            depth -= number == kCloseMark;
        }
    }
    require(depth == 0, "the braces of a reference are not paired");
    return current;
}

template <class Rules>
EditCounts LatticeTable<Rules>::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    check_size(hypothesis.size() + reference.size());
    return Rules::counts(run<false>(hypothesis, reference, nullptr)[hypothesis.size()], hypothesis.size());
}

template <class Rules>
std::span<const Edit> LatticeTable<Rules>::align(std::span<const uint32_t> hypothesis,
                                                 std::span<const uint32_t> reference) {
    check_size(hypothesis.size() + reference.size());
    size_t width = hypothesis.size() + 1;
    if (reference.size() > kMostChoices / width)
        throw InputError(std::nullopt, "the alignment of a segment with alternatives needs more than 1 GiB of memory",
                         "split the segment");
    std::vector<uint8_t> choices(reference.size() * width);
    run<true>(hypothesis, reference, choices.data());
    // For each mark, the previous "{" or "/" of the same level.
    std::vector<size_t> previous(reference.size()), opened;
    for (size_t at = 0; at < reference.size(); ++at) {
        if (!is_mark(reference[at]) || is_empty(reference[at])) continue;
        if (reference[at] == kOpenMark) {
            opened.push_back(at);
        } else {
            previous[at] = opened.back();
            if (reference[at] == kCloseMark) {
                opened.pop_back();
            } else {
                opened.back() = at;
            }
        }
    }
    edits_.clear();
    is_missing_.clear();
    path_.clear();
    auto push = [&](Edit edit, bool is_missing = false) {
        edits_.push_back(edit);
        is_missing_.push_back(is_missing);
    };
    size_t at = reference.size(), j = hypothesis.size();  // `at` words and marks are left
    while (at > 0) {
        uint32_t number = reference[at - 1];
        uint8_t choice = choices[(at - 1) * width + j];
        if (!is_mark(number)) {
            push(choice == kInsert             ? Edit::Insertion
                 : choice == kDelete           ? Edit::Deletion
                 : hypothesis[j - 1] == number ? Edit::Hit
                                               : Edit::Substitution);
            if (choice != kDelete) --j;
            if (choice == kInsert) continue;
            path_.push_back(number);
            --at;
        } else if (number == kCloseMark) {
            // The last end that improved the best row is the chosen one.
            size_t end = at - 1;
            while (choices[end * width + j] == 0) end = previous[end];
            at = end;
        } else if (number == kOrMark) {  // the beginning of a later alternative
            at -= 1;
            while (reference[at] != kOpenMark) at = previous[at];
        } else if (is_empty(number) && Rules::kAlignsEmpty && choice == kInsert) {
            push(Edit::Insertion);
            --j;
        } else {
            --at;
            if (!Rules::kAlignsEmpty || number != kMissingMark) continue;
            std::span<const uint32_t> words = optional_words(reference, at);
            for (size_t i = words.size(); i > 0; --i) {
                push(Edit::Hit, true);
                path_.push_back(words[i - 1]);
            }
        }
    }
    for (; j > 0; --j) push(Edit::Insertion);
    std::reverse(edits_.begin(), edits_.end());
    std::reverse(is_missing_.begin(), is_missing_.end());
    std::reverse(path_.begin(), path_.end());
    return edits_;
}

template class LatticeTable<FewestErrors>;
template class LatticeTable<ScliteCosts>;

}  // namespace refscore
