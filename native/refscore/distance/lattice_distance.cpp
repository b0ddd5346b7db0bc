#include "refscore/distance/lattice_distance.hpp"

#include <algorithm>
#include <string>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/reference_markup.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// A cell is errors * 2**42 - hits * 2**21 - substitutions. 21 bits each: longer segments are rejected.
constexpr int kBits = 21;
constexpr int64_t kError = int64_t{1} << 2 * kBits, kHit = -(int64_t{1} << kBits), kSubstitution = kError - 1;
constexpr size_t kMostTokens = (size_t{1} << kBits) - 1;

// For checkpoint(): nanoseconds per cell, by order of magnitude.
constexpr size_t kCellWork = 1;

// Bytes for the choices of an alignment, one per cell. 1 GiB: a segment of 20,000 words with as many words of
// alternatives needs less than half.
constexpr size_t kMostChoices = size_t{1} << 30;

enum Choice : uint8_t { kPair, kDelete, kInsert };

void check_size(size_t tokens) {
    if (tokens > kMostTokens)
        throw InputError(
            std::nullopt,
            "a segment with alternatives and its hypothesis have " + std::to_string(tokens) + " words together",
            "the most is " + std::to_string(kMostTokens) + ", so split the segment");
}

EditCounts counts_in(int64_t cell, int64_t hypothesis) {
    int64_t errors = (cell + kError - 1) >> 2 * kBits, rest = errors * kError - cell;
    EditCounts counts;
    counts.hits = rest >> kBits;
    counts.substitutions = rest & ((int64_t{1} << kBits) - 1);
    counts.insertions = hypothesis - counts.hits - counts.substitutions;
    counts.deletions = errors - counts.substitutions - counts.insertions;
    return counts;
}

}  // namespace

bool has_marks(std::span<const uint32_t> reference) {
    return std::any_of(reference.begin(), reference.end(), [](uint32_t number) { return is_mark(number); });
}

void check_marks(std::span<const uint32_t> reference, size_t r, bool is_only) {
    size_t words = 0, opened_after[LatticeDistance::kMostLevels] = {}, depth = 0;
    auto refuse = [&](size_t position, const std::string& problem, const char* fix) {
        Location location{"references"};
        if (!is_only) location.reference = r;
        throw InputError(location,
                         "has " + problem + " after " + std::to_string(position) + (position == 1 ? " word" : " words"),
                         fix);
    };
    for (uint32_t number : reference) {
        if (number == kOpenMark) {
            if (depth == LatticeDistance::kMostLevels)
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

// Calls word(at, row, next) to fill the next row for the word at an index, and close(at, best, last, alternative) at
// the end of each alternative, to merge its last row into the best one. Returns the last row.
template <class Word, class Close>
const int64_t* LatticeDistance::run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                    Word word, Close close) {
    size_t width = hypothesis.size() + 1, depth = 0, alternatives[kMostLevels];
    current_.reserve(width);
    next_.reserve(width);
    for (size_t j = 0; j < width; ++j) current_[j] = static_cast<int64_t>(j) * kError;
    for (size_t at = 0; at < reference.size(); ++at) {
        uint32_t number = reference[at];
        if (number == kEmptyMark) continue;
        checkpoint(kCellWork * width);
        if (!is_mark(number)) {
            word(at, current_.data(), next_.data());
            std::swap(current_, next_);
        } else if (number == kOpenMark) {
            require(depth < kMostLevels, "the braces of a reference are nested too deeply");
            if (starts_.size() == depth) {
                starts_.emplace_back();
                bests_.emplace_back();
            }
            std::copy_n(current_.data(), width, starts_[depth].reserve(width));
            alternatives[depth++] = 0;
        } else {
            require(depth > 0, "the braces of a reference are not paired");
            size_t level = depth - 1, alternative = alternatives[level]++;
            int64_t* best = bests_[level].reserve(width);
            if (alternative == 0) std::copy_n(current_.data(), width, best);
            close(at, best, current_.data(), alternative);
            if (number == kOrMark) {
                std::copy_n(starts_[level].data(), width, current_.data());
            } else {
                std::copy_n(best, width, current_.data());
                --depth;
            }
        }
    }
    require(depth == 0, "the braces of a reference are not paired");
    return current_.data();
}

EditCounts LatticeDistance::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    check_size(hypothesis.size() + reference.size());
    size_t size = hypothesis.size();
    auto word = [&](size_t at, const int64_t* row, int64_t* next) {
        uint32_t number = reference[at];
        int64_t left = next[0] = row[0] + kError;
        for (size_t j = 0; j < size; ++j) {
            int64_t pair = row[j] + (hypothesis[j] == number ? kHit : kSubstitution);
            left = next[j + 1] = std::min(std::min(pair, row[j + 1] + kError), left + kError);
        }
    };
    auto close = [&](size_t, int64_t* best, const int64_t* last, size_t) {
        for (size_t j = 0; j <= size; ++j) best[j] = std::min(best[j], last[j]);
    };
    const int64_t* last = run(hypothesis, reference, word, close);
    return counts_in(last[size], static_cast<int64_t>(size));
}

std::span<const Edit> LatticeDistance::align(std::span<const uint32_t> hypothesis,
                                             std::span<const uint32_t> reference) {
    check_size(hypothesis.size() + reference.size());
    size_t size = hypothesis.size(), width = size + 1;
    if (reference.size() > kMostChoices / width)
        throw InputError(std::nullopt, "the alignment of a segment with alternatives needs more than 1 GiB of memory",
                         "split the segment");
    // Of each word: the choice in each column. Of each end of an alternative: whether it is better than the earlier
    // ones.
    std::vector<uint8_t> choices(reference.size() * width);
    auto word = [&](size_t at, const int64_t* row, int64_t* next) {
        uint8_t* chosen = choices.data() + at * width;
        uint32_t number = reference[at];
        next[0] = row[0] + kError;
        chosen[0] = kDelete;
        for (size_t j = 0; j < size; ++j) {
            int64_t best = row[j] + (hypothesis[j] == number ? kHit : kSubstitution);
            Choice choice = kPair;
            if (row[j + 1] + kError < best) best = row[j + 1] + kError, choice = kDelete;
            if (next[j] + kError < best) best = next[j] + kError, choice = kInsert;
            next[j + 1] = best;
            chosen[j + 1] = choice;
        }
    };
    auto close = [&](size_t at, int64_t* best, const int64_t* last, size_t alternative) {
        uint8_t* chosen = choices.data() + at * width;
        for (size_t j = 0; j < width; ++j) {
            chosen[j] = alternative == 0 || last[j] < best[j];
            best[j] = std::min(best[j], last[j]);
        }
    };
    run(hypothesis, reference, word, close);
    // For each mark, the previous "{" or "/" of the same level.
    std::vector<size_t> previous(reference.size()), opened;
    for (size_t at = 0; at < reference.size(); ++at) {
        if (!is_mark(reference[at]) || reference[at] == kEmptyMark) continue;
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
    path_.clear();
    size_t at = reference.size(), j = size;  // `at` words and marks are left
    while (at > 0) {
        uint32_t number = reference[at - 1];
        uint8_t choice = choices[(at - 1) * width + j];
        if (!is_mark(number)) {
            edits_.push_back(choice == kInsert             ? Edit::Insertion
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
        } else {
            --at;
        }
    }
    edits_.insert(edits_.end(), j, Edit::Insertion);
    std::reverse(edits_.begin(), edits_.end());
    std::reverse(path_.begin(), path_.end());
    return edits_;
}

}  // namespace refscore
