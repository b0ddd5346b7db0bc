#include "refscore/distance/beam_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace refscore {
namespace {

constexpr uint64_t kAllBits = ~uint64_t{0};
constexpr size_t kWord = 64;  // bits of a machine word: one column each

// The lowest `count` bits.
uint64_t low_bits(size_t count) { return count >= kWord ? kAllBits : (uint64_t{1} << count) - 1; }

uint32_t sum_of_steps(uint64_t more, uint64_t less) {
    return static_cast<uint32_t>(std::popcount(more)) - static_cast<uint32_t>(std::popcount(less));
}

}  // namespace

void apply(const BlockMove& move, uint32_t* words) {
    uint32_t* block = words + move.begin;
    if (move.to < move.begin) {
        std::rotate(words + move.to, block, block + move.length);
    } else {
        std::rotate(block, block + move.length, words + move.to + move.length);
    }
}

void BeamDistance::start(std::span<const uint32_t> reference, size_t length, uint32_t vocabulary) {
    reference_ = reference;
    length_ = length;
    small_ = reference.size() <= kSmall;
    all_ = low_bits(reference.size() + 1);
    limited_ = reference.size() >= kBeam;
    wide_ = false;
    start_beam(tight_);
    if (limited_) find_limits();
    if (!wide_) make_masks(vocabulary);
}

void BeamDistance::start_beam(Beam& beam) {
    beam.plain_begin = 1;
    beam.plain_end = length_ + 1;
    beam.kept.reserve(length_ + 1);
    beam.kept[0].state = {kAllBits - 1, 1, 0};
}

// Computed in doubles like sacrebleu's version, so rounding shifts the diagonal at the same columns.
void BeamDistance::find_limits() {
    double ratio = static_cast<double>(reference_.size()) / static_cast<double>(length_);
    wide_ = kBeam < ratio / 2;
    size_t beam = wide_ ? static_cast<size_t>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    size_t columns = reference_.size() + 1;
    set_limits(tight_, [&](size_t row) {
        size_t diagonal = static_cast<size_t>(static_cast<double>(row) * ratio);
        return std::pair(diagonal > beam ? diagonal - beam : 0,
                         row == length_ ? columns : std::min(columns, diagonal + beam));
    });
    has_loose_ = false;
}

// columns_of(row) returns the first column and the one after the last.
template <class ColumnsOf>
void BeamDistance::set_limits(Beam& beam, ColumnsOf columns_of) const {
    size_t columns = reference_.size() + 1, plain_begin = 1, plain_end = length_ + 1;
    // Row 0 has no cells outside its beam: all of them are known to be insertions.
    size_t base_before = 0, end_before = columns;
    Limit* limits = beam.limits.reserve(length_ + 1);
    limits[0] = {kAllBits, 0, static_cast<uint32_t>(columns), 0};
    for (size_t row = 1; row <= length_; ++row) {
        auto [base, end] = columns_of(row);
        size_t allowed = std::min(end_before + 1, end);
        limits[row] = {low_bits(allowed - base), static_cast<uint32_t>(base), static_cast<uint32_t>(end),
                       static_cast<uint32_t>(base - base_before)};
        if (allowed < columns) plain_begin = row + 1;
        if (base > 0 && base_before == 0) plain_end = row;
        base_before = base;
        end_before = end;
    }
    bool has_plain = small_ && plain_begin < plain_end;
    beam.plain_begin = has_plain ? plain_begin : length_ + 1;
    beam.plain_end = has_plain ? plain_end : length_ + 1;
}

void BeamDistance::make_masks(uint32_t vocabulary) {
    size_t words = size_t{vocabulary} + 1;
    blocks_ = small_ ? 1 : reference_.size() / kWord + 2;  // one spare word, because matches() reads two at a time
    if (words * blocks_ <= kTable) {
        uint64_t* masks = masks_.reserve(words * blocks_);
        std::memset(masks, 0, words * blocks_ * sizeof(uint64_t));
        for (size_t j = 1; j <= reference_.size(); ++j)
            masks[reference_[j - 1] * blocks_ + j / kWord] |= uint64_t{1} << j % kWord;
        return;
    }
    blocks_ = 0;
    places_.build(reference_, vocabulary);
}

// The columns from `base` on that contain the word, limited to the width of a beam.
inline uint64_t BeamDistance::matches(uint32_t word, size_t base) const {
    if (small_) return masks_[word] >> base;
    if (blocks_ > 0) {
        const uint64_t* masks = masks_.data() + word * blocks_ + base / kWord;
        return masks[0] >> base % kWord | masks[1] << 1 << (kWord - 1 - base % kWord);
    }
    std::span<const uint32_t> places = places_.of(word);
    uint64_t found = 0;
    auto at = std::lower_bound(places.begin(), places.end(), base,
                               [](size_t place, size_t column) { return place + 1 < column; });
    for (; at != places.end() && *at + size_t{1} < base + kWord; ++at) found |= uint64_t{1} << (*at + 1 - base);
    return found;
}

inline BeamDistance::Step BeamDistance::advance_plain(State& state, uint64_t matches) {
    uint64_t same = (((matches & state.more) + state.more) ^ state.more) | matches | state.less;
    uint64_t down = state.less | ~(same | state.more);
    uint64_t up = same & state.more;
    uint64_t entered = down << 1 | 1;
    state.more = up << 1 | ~(same | entered);
    state.less = same & entered;
    state.value += static_cast<uint32_t>(down & 1) - static_cast<uint32_t>(up & 1);
    return {same, down};
}

// Moves the base to the right. The columns that enter on the right count as insertions.
inline void BeamDistance::move_base(State& state, uint32_t by) {
    if (by <= 1) {
        uint64_t passed = uint64_t{by} << 1;
        state.value +=
            static_cast<uint32_t>((state.more & passed) >> 1) - static_cast<uint32_t>((state.less & passed) >> 1);
    } else {
        uint64_t passed = low_bits(by + 1) - 1;
        state.value += sum_of_steps(state.more & passed, state.less & passed);
    }
    state.more = state.more >> by | ~(kAllBits >> by);
    state.less >>= by;
}

inline BeamDistance::Step BeamDistance::advance(const Beam& beam, State& state, size_t row, uint32_t word) const {
    if (beam.is_plain(row)) return advance_plain(state, masks_[word]);
    const Limit& limit = beam.limits[row];
    move_base(state, limit.shift);
    state.less |= limit.shift == 0;
    return advance_plain(state, matches(word, limit.base) & limit.allowed);
}

void BeamDistance::run(State& state, size_t row, const uint32_t* words, size_t count) const {
    const uint32_t* end = words + count;
    State local = state;
    while (words != end) {
        if (tight_.is_plain(row)) {
            const uint32_t* stop = words + std::min(static_cast<size_t>(end - words), tight_.plain_end - row);
            row += static_cast<size_t>(stop - words);
            for (; words != stop; ++words) advance_plain(local, masks_[*words]);
        } else {
            advance(tight_, local, row++, *words++);
        }
    }
    state = local;
}

inline uint64_t BeamDistance::valid_of(const Beam& beam, size_t row) const {
    return limited_ ? low_bits(beam.limits[row].end - beam.limits[row].base) : all_;
}

// Whether the steps of a row equal those of the cached row. If the following words are equal too, all following rows
// then differ by the same number.
inline bool BeamDistance::is_parallel(const Beam& beam, const State& state, size_t row) const {
    const State& kept = beam.kept[row].state;
    return (((state.more ^ kept.more) | (state.less ^ kept.less)) & valid_of(beam, row)) == 0;
}

// A lower bound of the distance of words that continue with the cached ones after `row`. A path through a cell has the
// cached distance plus the difference between the two rows in this cell, and at least one more if no optimal alignment
// contains the cell.
int64_t BeamDistance::fewest_from(const State& state, size_t row) const {
    State other = loose().kept[row].state;
    uint32_t shift = static_cast<uint32_t>(base_of(tight_, row) - base_of(loose(), row));
    move_base(other, shift);
    uint64_t optimal = free_[row].optimal >> shift, left = valid_of(tight_, row);
    uint64_t differ = ((state.more ^ other.more) | (state.less ^ other.less)) & left & ~uint64_t{1};
    auto step = [](const State& of, int bit) {
        return static_cast<int32_t>(of.more >> bit & 1) - static_cast<int32_t>(of.less >> bit & 1);
    };
    int32_t difference = static_cast<int32_t>(state.value - other.value), least = std::numeric_limits<int32_t>::max();
    for (;;) {
        uint64_t equal = left & ((differ & -differ) - 1);  // the cells before the next one where the difference changes
        least = std::min(least, difference + ((optimal & equal) == 0));
        if (differ == 0) return int64_t{loose_distance_} + least;
        int bit = std::countr_zero(differ);
        difference += step(state, bit) - step(other, bit);
        left &= ~equal;
        differ &= differ - 1;
    }
}

uint32_t BeamDistance::distance(const Beam& beam, const State& last) const {
    uint64_t steps = low_bits(reference_.size() + 1 - base_of(beam, length_)) - 1;
    return last.value + sum_of_steps(last.more & steps, last.less & steps);
}

uint32_t BeamDistance::keep(const uint32_t* words, size_t begin, size_t end) {
    has_free_ = false;
    if (wide_) {
        size_t* starts = wide_starts_.reserve(length_ + 1);
        size_t cells = 0;
        for (size_t i = 1; i <= length_; ++i) {
            starts[i] = cells;
            cells += tight_.limits[i].end - tight_.limits[i].base;
        }
        return run_wide(words, wide_edits_.reserve(cells));
    }
    loose_begin_ = std::min(loose_begin_, begin);
    loose_end_ = std::max(loose_end_, end);
    ++round_;
    kept_distance_ = run_kept(tight_, words, begin, end);
    return kept_distance_;
}

uint32_t BeamDistance::run_kept(Beam& beam, const uint32_t* words, size_t begin, size_t end) const {
    State state = beam.kept[begin].state;
    KeptRow* kept = beam.kept.data();
    size_t row = begin + 1;
    for (; row < end; ++row) {
        Step step = advance(beam, state, row, words[row - 1]);
        kept[row] = {state, step};
    }
    for (bool is_same = false; row <= length_ && !is_same; ++row) {
        Step step = advance(beam, state, row, words[row - 1]);
        is_same = row < length_ && is_parallel(beam, state, row);
        uint32_t added = state.value - kept[row].state.value;
        kept[row] = {state, step};
        for (size_t next = row + 1; is_same && next <= length_; ++next) kept[next].state.value += added;
    }
    return distance(beam, kept[length_].state);
}

uint32_t BeamDistance::after(const uint32_t* words, const BlockMove& move, uint32_t most) {
    if (wide_) {
        uint32_t* moved = wide_words_.reserve(length_);
        std::copy(words, words + length_, moved);
        apply(move, moved);
        return run_wide(moved, nullptr);
    }
    // A move swaps two adjacent stretches of words.
    size_t first = std::min(move.begin, move.to);
    size_t middle = move.to < move.begin ? move.begin : move.begin + move.length;
    size_t last = std::max(move.begin, move.to) + move.length;
    // Moving the same block farther to the right begins with the same words.
    Skipped* skipped = move.to > move.begin && move.length <= kSkipped ? &skipped_[move.length - 1] : nullptr;
    size_t done = middle;
    State state = tight_.kept[first].state;
    if (skipped != nullptr && skipped->round == round_ && skipped->begin == first && skipped->end <= last) {
        state = skipped->state;
        done = skipped->end;
    }
    run(state, first + 1 + done - middle, words + done, last - done);
    if (skipped != nullptr) *skipped = {round_, first, last, state};
    run(state, first + 1 + last - middle, words + first, middle - first);
    // All later words are those of the cached rows. Only every 8th row is compared, which keeps the inner loop short.
    // Any value gives the same result.
    constexpr size_t kBetween = 8;
    for (size_t i = last; i < length_;) {
        if (is_parallel(tight_, state, i)) return kept_distance_ + state.value - tight_.kept[i].state.value;
        if (has_free_ && fewest_from(state, i) > most) return most + 1;
        size_t count = std::min(kBetween, length_ - i);
        run(state, i + 1, words + i, count);
        i += count;
    }
    return distance(tight_, state);
}

void BeamDistance::find_free_words(const uint32_t* words) {
    if (wide_) return;
    if (!limited_) {
        loose_distance_ = kept_distance_;
    } else {
        if (!has_loose_) loosen_limits();
        if (!fits_loose_) return;
        if (loose_begin_ < loose_end_) loose_distance_ = run_kept(loose_, words, loose_begin_, loose_end_);
        loose_begin_ = length_;
        loose_end_ = 0;
    }
    has_free_ = true;
    const Beam& beam = loose();
    FreeWords* free = free_.reserve(length_ + 1);
    // The cells of a row that are on optimal alignments, from the last row to the first.
    uint64_t cells = uint64_t{1} << (reference_.size() - base_of(beam, length_));
    for (size_t row = length_;; --row) {
        const KeptRow& kept = beam.kept[row];
        for (uint64_t more = kept.state.more, next = (cells & more) >> 1; (next & ~cells) != 0;
             next = (cells & more) >> 1)
            cells |= next;
        free[row].optimal = cells;
        free[row].inserted = cells & cells << 1 & kept.state.more;
        if (row == 0) return;
        size_t base = base_of(beam, row), shift = base - base_of(beam, row - 1);
        uint64_t valid = valid_of(beam, row - 1);
        uint64_t deleted = (cells & kept.step.down) << shift & valid;
        uint64_t pairs = cells & (matches(words[row - 1], base) | ~kept.step.same);
        free[row].is_deleted = deleted != 0;
        cells = deleted | ((shift > 0 ? pairs << (shift - 1) : pairs >> 1) & valid);
    }
}

// Each row gets the columns of the rows before and after it.
void BeamDistance::loosen_limits() {
    start_beam(loose_);
    has_loose_ = true;
    loose_begin_ = 0;
    loose_end_ = length_;
    const Limit* tight = tight_.limits.data();
    fits_loose_ = true;
    set_limits(loose_, [&](size_t row) {
        size_t base = tight[row - 1].base, end = tight[std::min(row + 1, length_)].end;
        fits_loose_ = fits_loose_ && end - base <= kWord;
        return std::pair(base, end);
    });
}

uint32_t BeamDistance::fewest_after(const uint32_t* words, const BlockMove& move) const {
    if (move.length > 1 || !has_free_) return 0;
    size_t target = move.to < move.begin ? move.to : move.to + 1;
    bool saves_two = free_[move.begin + 1].is_deleted &&
                     (free_[target].inserted & matches(words[move.begin], base_of(loose(), target))) != 0;
    return loose_distance_ - std::min<uint32_t>(loose_distance_, saves_two ? 2 : 1);
}

uint32_t BeamDistance::run_wide(const uint32_t* words, TerEdit* edits) {
    // Unreachable cells. Half the range, so adding 1 cannot overflow.
    constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max() / 2;
    size_t columns = reference_.size() + 1;
    uint32_t* row = wide_row_.reserve(columns);
    for (size_t j = 0; j < columns; ++j) row[j] = static_cast<uint32_t>(j);
    for (size_t i = 1; i <= length_; ++i) {
        const Limit& limit = tight_.limits[i];
        uint32_t left = kNone, diagonal = limit.base > tight_.limits[i - 1].base ? row[limit.base - 1] : kNone;
        for (size_t j = limit.base; j < limit.end; ++j) {
            bool match = j > 0 && words[i - 1] == reference_[j - 1];
            uint32_t above = row[j], best = diagonal + !match;
            TerEdit edit = match ? TerEdit::Match : TerEdit::Substitute;
            if (above + 1 < best) best = above + 1, edit = TerEdit::Delete;
            if (left + 1 < best) best = left + 1, edit = TerEdit::Insert;
            if (edits != nullptr) *edits++ = edit;
            row[j] = left = std::min(best, kNone);
            diagonal = above;
        }
        if (i == 1) std::fill(row + limit.end, row + columns, kNone);
    }
    return row[columns - 1];
}

}  // namespace refscore
