#include "refscore/distance/timed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace refscore {
namespace {

// Costs of aligning two words, which fit into a byte. The last one stands for an alignment that is not allowed: as a
// deletion and an insertion it costs 2, so no path gains from a cost of 3.
constexpr uint8_t kEqual = 0, kSubstitute = 1, kForbidden = 3;

}  // namespace

// Computed in doubles like SubER's version, so rounding shifts the diagonal at the same columns.
void TimedDistance::start(std::span<const TimedWord> hypothesis, std::span<const TimedWord> reference,
                          uint32_t vocabulary) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    size_t length = hypothesis.size(), columns = reference.size() + 1, cells = 0;
    double ratio = static_cast<double>(reference.size()) / static_cast<double>(length);
    size_t beam = kBeam < ratio / 2 ? static_cast<size_t>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    limits_.resize(length + 1);
    limits_[0] = {0, static_cast<uint32_t>(columns), 0};
    cells = columns;
    for (size_t row = 1; row <= length; ++row) {
        size_t diagonal = static_cast<size_t>(static_cast<double>(row) * ratio);
        size_t base = diagonal > beam ? diagonal - beam : 0;
        size_t end = row == length ? columns : std::min(columns, diagonal + beam);
        limits_[row] = {static_cast<uint32_t>(base), static_cast<uint32_t>(end), cells};
        cells += end - base;
    }
    uint32_t* first = kept_.reserve(cells);
    for (uint32_t column = 0; column < columns; ++column) first[column] = column;
    row_.reserve(columns);
    other_row_.reserve(columns);
    numbers_.clear();
    for (const TimedWord& word : reference) numbers_.push_back(word.number);
    positions_.build(numbers_, vocabulary);
    has_table_ = length * reference.size() <= kTable;
    if (has_table_) {
        uint8_t* table = table_.reserve(length * reference.size());
        for (uint32_t word = 0; word < length; ++word) fill_costs(word, table + word * reference.size());
    } else {
        costs_.reserve(reference.size());
    }
}

void TimedDistance::fill_costs(uint32_t word, uint8_t* out) const {
    const TimedWord own = hypothesis_[word];
    for (size_t place = 0; place < reference_.size(); ++place) {
        const TimedWord& other = reference_[place];
        out[place] = !own.may_align(other) ? kForbidden : own.number == other.number ? kEqual : kSubstitute;
    }
}

inline const uint8_t* TimedDistance::costs(uint32_t word) {
    if (has_table_) return table_.data() + word * reference_.size();
    fill_costs(word, costs_.data());
    return costs_.data();
}

// `above` and `cells` begin at the bases of their rows.
void TimedDistance::next_row(size_t row, uint32_t word, const uint32_t* above, uint32_t* cells) {
    const Limit &limit = limits_[row], &before = limits_[row - 1];
    const uint8_t* cost = costs(word);
    auto cell_above = [&](size_t column) {
        return column >= before.base && column < before.end ? above[column - before.base] : kFar;
    };
    size_t column = limit.base;
    uint32_t diagonal = kFar;
    // To the right of the row above, no deletion and insertion replace an alignment that is not allowed.
    if (column > 0 && (column < before.end || cost[column - 1] != kForbidden))
        diagonal = cell_above(column - 1) + cost[column - 1];
    uint32_t left = cells[0] = std::min({diagonal, cell_above(column) + 1, kFar});
    for (size_t inner = std::min(limit.end, before.end); ++column < inner;) {
        const uint32_t* up = above + (column - before.base);
        uint32_t best = std::min(up[-1] + cost[column - 1], up[0] + 1);
        left = std::min(best, left + 1);
        cells[column - limit.base] = left;
    }
    for (; column < limit.end; ++column) {
        left = std::min({cell_above(column - 1) + cost[column - 1], left + 1, kFar});
        cells[column - limit.base] = left;
    }
}

// A lower bound of the distance, from the cells of a row.
uint32_t TimedDistance::least(size_t row, const uint32_t* cells) const {
    const Limit& limit = limits_[row];
    // A path needs at least the difference of the words that are left on both sides.
    int64_t ahead = static_cast<int64_t>(reference_.size()) - static_cast<int64_t>(hypothesis_.size() - row);
    int64_t fewest = kFar;
    for (int64_t column = limit.base; column < limit.end; ++column)
        fewest = std::min(fewest, int64_t{cells[column - limit.base]} + std::abs(ahead - column));
    return static_cast<uint32_t>(fewest);
}

// Whether all cells differ from those of the kept row by the same number. The distances then do, too.
bool TimedDistance::is_parallel(size_t row, const uint32_t* cells, uint32_t& distance) const {
    const Limit& limit = limits_[row];
    const uint32_t* kept = kept_.data() + limit.first;
    uint32_t difference = cells[0] - kept[0];
    for (size_t i = 1; i < limit.end - limit.base; ++i)
        if (cells[i] - kept[i] != difference) return false;
    distance = kept_distance_ + difference;
    return true;
}

uint32_t TimedDistance::keep(const uint32_t* words, size_t begin, size_t) {
    for (size_t row = begin + 1; row <= hypothesis_.size(); ++row)
        next_row(row, words[row - 1], kept_.data() + limits_[row - 1].first, kept_.data() + limits_[row].first);
    kept_distance_ = cell(hypothesis_.size(), reference_.size());
    return kept_distance_;
}

uint32_t TimedDistance::after(const uint32_t* words, const BlockMove& move, uint32_t most) {
    size_t begin = std::min(move.begin, move.to), end = std::max(move.begin, move.to) + size_t{move.length};
    // The index, before the move, of the word that is at position i after it.
    auto source = [&](size_t i) -> size_t {
        if (i >= move.to && i < size_t{move.to} + move.length) return move.begin + (i - move.to);
        return move.to < move.begin ? i - move.length : i + move.length;
    };
    const uint32_t* above = kept_.data() + limits_[begin].first;
    uint32_t *cells = row_.data(), *other = other_row_.data();
    for (size_t row = begin + 1; row <= hypothesis_.size(); ++row) {
        next_row(row, words[row - 1 < end ? source(row - 1) : row - 1], above, cells);
        uint32_t distance = 0;
        if (row >= end && is_parallel(row, cells, distance)) return distance;
        if (least(row, cells) > most) return most + 1;
        above = cells;
        std::swap(cells, other);
    }
    return above[reference_.size() - limits_[hypothesis_.size()].base];
}

// Ties: a match or a substitution, then a deletion, then an insertion.
TerEdit TimedDistance::edit_at(const uint32_t* words, size_t i, size_t j) const {
    uint32_t distance = cell(i, j), word = words[i - 1];
    auto place = static_cast<uint32_t>(j - 1);
    if (hypothesis_[word].may_align(reference_[place])) {
        bool is_equal = hypothesis_[word].number == reference_[place].number;
        if (cell(i - 1, j - 1) + (is_equal ? 0 : 1) == distance) return is_equal ? TerEdit::Match : TerEdit::Substitute;
    }
    return cell(i - 1, j) + 1 == distance ? TerEdit::Delete : TerEdit::Insert;
}

}  // namespace refscore
