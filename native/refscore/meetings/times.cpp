#include "refscore/meetings/times.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kBlockCells = 1 << 22;  // stored at a time: 16 MiB
constexpr size_t kTimesCellWork = 2;     // nanoseconds per cell, for checkpoint()
constexpr uint32_t kHidden =
    std::numeric_limits<uint32_t>::max() - 1;  // meeteval's value of cells that it does not compute

// Whether words begin in order of time. meeteval starts at 0, so negative times are out of order.
bool is_sorted_from_0(std::span<const double> begins) {
    double last = 0;
    for (double begin : begins) {
        if (begin < last) return false;
        last = begin;
    }
    return true;
}

}  // namespace

void TimedWords::check() const {
    require(begins.size() == words.size() && ends.size() == words.size(), "each word needs a begin and an end");
    for (size_t i = 0; i < words.size(); ++i) {
        require_finite(begins[i], "times must be finite");
        require_finite(ends[i], "times must be finite");
    }
}

// The ranges contain all overlapping words, and both their ends only move forward.
void TimedEdits::set_ranges(const TimedWords& hypothesis, const TimedWords& reference) {
    size_t width = hypothesis.size(), height = reference.size();
    std::vector<double> latest_ends(width), earliest_begins(width);
    for (size_t j = 0; j < width; ++j)
        latest_ends[j] = j > 0 ? std::max(latest_ends[j - 1], hypothesis.ends[j]) : hypothesis.ends[j];
    for (size_t j = width; j-- > 0;)
        earliest_begins[j] =
            j + 1 < width ? std::min(earliest_begins[j + 1], hypothesis.begins[j]) : hypothesis.begins[j];
    first_.resize(height);
    last_.resize(height);
    for (size_t i = 0; i < height; ++i) {
        first_[i] = static_cast<size_t>(std::upper_bound(latest_ends.begin(), latest_ends.end(), reference.begins[i]) -
                                        latest_ends.begin());
        last_[i] =
            static_cast<size_t>(std::lower_bound(earliest_begins.begin(), earliest_begins.end(), reference.ends[i]) -
                                earliest_begins.begin());
        if (i > 0) last_[i] = std::max(last_[i], last_[i - 1]);
    }
    ranges_.assign(height + 1, {0, 0});
    for (size_t i = height; i-- > 0;) {
        if (i + 1 < height) first_[i] = std::min(first_[i], first_[i + 1]);
        ranges_[i + 1] = {first_[i], last_[i]};
    }
    for (size_t i = 1; i <= height; ++i) ranges_[i].last = std::max(ranges_[i].last, ranges_[i].first);
}

// The cells that meeteval computes if all words are in order of time.
void TimedEdits::set_visible(const TimedWords& hypothesis, const TimedWords& reference) {
    visible_.clear();
    if (!is_sorted_from_0(hypothesis.begins) || !is_sorted_from_0(reference.begins)) return;
    size_t width = hypothesis.size(), height = reference.size(), first = 0;
    double latest_end = reference.ends[0];
    auto begins_until = [&](double time) {
        return static_cast<size_t>(std::upper_bound(hypothesis.begins.begin(), hypothesis.begins.end(), time) -
                                   hypothesis.begins.begin());
    };
    visible_.push_back({0, width});
    for (size_t i = 0; i < height; ++i) {
        latest_end = std::max(latest_end, reference.ends[i]);
        while (first < width && hypothesis.ends[first] <= reference.begins[i]) ++first;
        size_t last = std::max(first, begins_until(latest_end));
        // meeteval adds insertions up to the first word behind the next reference word.
        last = i + 1 < height ? std::min(width, std::max(last, begins_until(reference.ends[i + 1])) + 1) : width;
        visible_.push_back({first, last});
    }
}

void TimedEdits::start() { row_[0] = 0; }

// Replaces the row before `row` by it.
void TimedEdits::advance(const TimedWords& hypothesis, const TimedWords& reference, size_t row) {
    Range before = ranges_[row - 1], range = ranges_[row];
    checkpoint((range.last - range.first + 1) * kTimesCellWork);
    uint32_t* cells = row_.data();
    for (size_t j = before.last + 1; j <= range.last; ++j) cells[j] = cells[j - 1] + 1;
    for (size_t j = before.first; j < range.first; ++j) below_[j] = {row - 1, cells[j]};
    uint32_t word = reference.words[row - 1], diagonal = cells[range.first], left = ++cells[range.first];
    double begin = reference.begins[row - 1], end = reference.ends[row - 1];
    for (size_t j = range.first; j < range.last; ++j) {
        uint32_t above = cells[j + 1], cell = std::min(left, above) + 1;
        uint32_t matched = diagonal + (hypothesis.words[j] != word);
        bool is_near = begin < hypothesis.ends[j] && hypothesis.begins[j] < end;
        left = is_near && matched < cell ? matched : cell;
        cells[j + 1] = left;
        diagonal = above;
    }
}

size_t TimedEdits::distance(const TimedWords& hypothesis, const TimedWords& reference) {
    size_t width = hypothesis.size(), height = reference.size();
    if (width == 0 || height == 0) return width + height;
    set_ranges(hypothesis, reference);
    row_.resize(width + 1);
    below_.resize(width + 1);
    start();
    for (size_t row = 1; row <= height; ++row) advance(hypothesis, reference, row);
    return row_[ranges_[height].last] + (width - ranges_[height].last);
}

// The number of edits of a cell in a stored row.
uint32_t TimedEdits::value(size_t row, size_t column) const {
    if (!visible_.empty() && (column < visible_[row].first || column > visible_[row].last)) return kHidden;
    if (row == 0) return static_cast<uint32_t>(column);
    Range range = ranges_[row];
    if (column < range.first) return below_[column].value + static_cast<uint32_t>(row - below_[column].row);
    const uint32_t* cells = stored_.data() + places_[row - block_begin_];
    if (column > range.last) return cells[range.last - range.first] + static_cast<uint32_t>(column - range.last);
    return cells[column - range.first];
}

EditCounts TimedEdits::count(const TimedWords& hypothesis, const TimedWords& reference) {
    EditCounts counts;
    size_t width = hypothesis.size(), height = reference.size();
    require(width + height < kHidden, "a session has too many words");
    counts.insertions = static_cast<int64_t>(height == 0 ? width : 0);
    counts.deletions = static_cast<int64_t>(width == 0 ? height : 0);
    if (width == 0 || height == 0) return counts;
    set_ranges(hypothesis, reference);
    set_visible(hypothesis, reference);
    row_.resize(width + 1);
    below_.resize(width + 1);
    // Rows are stored in blocks of bounded size. For each block but the last, its first row is saved, to compute the
    // others again.
    std::vector<size_t> begins = {0};
    std::vector<std::vector<uint32_t>> saved(1);
    size_t cells = 0;
    start();
    for (size_t row = 1; row <= height; ++row) {
        Range before = ranges_[row - 1];
        cells += ranges_[row].last - ranges_[row].first + 1;
        if (cells > kBlockCells && row > begins.back() + 1) {
            begins.push_back(row - 1);
            saved.emplace_back(row_.begin() + static_cast<ptrdiff_t>(before.first),
                               row_.begin() + static_cast<ptrdiff_t>(before.last) + 1);
            cells = (before.last - before.first + 1) + (ranges_[row].last - ranges_[row].first + 1);
        }
        advance(hypothesis, reference, row);
    }
    size_t i = height, j = width;
    for (size_t block = begins.size(); block-- > 0;) {
        block_begin_ = begins[block];
        size_t block_end = block + 1 < begins.size() ? begins[block + 1] : height;
        if (block == 0) {
            start();
        } else {
            std::copy(saved[block].begin(), saved[block].end(),
                      row_.begin() + static_cast<ptrdiff_t>(ranges_[block_begin_].first));
        }
        stored_.clear();
        places_.clear();
        for (size_t row = block_begin_;; ++row) {
            places_.push_back(stored_.size());
            Range range = ranges_[row];
            stored_.insert(stored_.end(), row_.begin() + static_cast<ptrdiff_t>(range.first),
                           row_.begin() + static_cast<ptrdiff_t>(range.last) + 1);
            if (row == block_end) break;
            advance(hypothesis, reference, row + 1);
        }
        while (i > block_begin_ && j > 0) {
            uint32_t insertion = value(i, j - 1) + 1, deletion = value(i - 1, j) + 1;
            if (overlaps(reference, i - 1, hypothesis, j - 1)) {
                bool is_hit = reference.words[i - 1] == hypothesis.words[j - 1];
                if (value(i - 1, j - 1) + !is_hit < std::min(insertion, deletion)) {
                    ++(is_hit ? counts.hits : counts.substitutions);
                    --i;
                    --j;
                    continue;
                }
            }
            if (deletion < insertion) {
                ++counts.deletions;
                --i;
            } else {
                ++counts.insertions;
                --j;
            }
        }
        if (j == 0) break;
    }
    counts.deletions += static_cast<int64_t>(i);
    counts.insertions += static_cast<int64_t>(j);
    return counts;
}

}  // namespace refscore
