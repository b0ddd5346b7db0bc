#include "beam_distance.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace refscore {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr size_t kWord = 64;  // bits of a machine word: one column each

// The lowest `count` bits.
uint64_t low_bits(size_t count) { return count >= kWord ? kAll : (uint64_t{1} << count) - 1; }

uint64_t shift_signed(uint64_t bits, uint32_t by) { return static_cast<uint64_t>(static_cast<int64_t>(bits) >> by); }

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
    plain_begin_ = 1;
    plain_end_ = length + 1;
    if (limited_) find_limits();
    if (!wide_) make_masks(vocabulary);
    kept_.reserve(length + 1);
    kept_[0].state = {kAll - 1, 1, 0};
}

// Computed in doubles like sacrebleu's version, so rounding shifts the diagonal at the same columns.
void BeamDistance::find_limits() {
    double ratio = static_cast<double>(reference_.size()) / static_cast<double>(length_);
    wide_ = kBeam < ratio / 2;
    size_t beam = wide_ ? static_cast<size_t>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    size_t columns = reference_.size() + 1;
    Limit* limits = limits_.reserve(length_ + 1);
    limits[0] = {0, kAll, 0, static_cast<uint32_t>(columns), 0};
    plain_begin_ = 1;
    plain_end_ = length_ + 1;
    for (size_t i = 1; i <= length_; ++i) {
        const Limit& before = limits[i - 1];
        size_t diagonal = static_cast<size_t>(static_cast<double>(i) * ratio);
        size_t base = diagonal > beam ? diagonal - beam : 0;
        size_t end = i == length_ ? columns : std::min(columns, diagonal + beam);
        // Row 0 has no cells outside its beam: all of them are known to be insertions.
        uint64_t right = i > 1 && before.end < columns ? ~low_bits(before.end - before.base) : 0;
        limits[i] = {right, low_bits(end - base), static_cast<uint32_t>(base), static_cast<uint32_t>(end),
                     static_cast<uint32_t>(base - before.base)};
        if (right != 0) plain_begin_ = i + 1;
        if (base > 0 && before.base == 0) plain_end_ = i;
    }
    if (!small_ || plain_begin_ >= plain_end_) plain_begin_ = plain_end_ = length_ + 1;
}

void BeamDistance::make_masks(uint32_t vocabulary) {
    size_t words = size_t{vocabulary} + 1;
    blocks_ = small_ ? 1 : reference_.size() / kWord + 2;  // one spare word, because matches() reads two at a time
    if (words * blocks_ <= kTable) {
        uint64_t* masks = masks_.reserve(words * blocks_);
        std::memset(masks, 0, words * blocks_ * sizeof(uint64_t));
        for (size_t j = 1; j <= reference_.size(); ++j) masks[reference_[j - 1] * blocks_ + j / kWord] |= uint64_t{1} << j % kWord;
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
    auto at = std::lower_bound(places.begin(), places.end(), base, [](size_t place, size_t column) { return place + 1 < column; });
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

inline BeamDistance::Step BeamDistance::advance(State& state, size_t row, uint32_t word) const {
    if (is_plain(row)) return advance_plain(state, masks_[word]);
    const Limit& limit = limits_[row];
    state.more |= limit.right;
    state.less &= ~limit.right;
    if (limit.shift == 0) {
        state.less |= 1;
    } else {
        if (limit.shift == 1) {
            state.value += static_cast<uint32_t>(state.more >> 1 & 1) - static_cast<uint32_t>(state.less >> 1 & 1);
        } else {
            uint64_t passed = low_bits(limit.shift + 1) - 1;
            state.value += sum_of_steps(state.more & passed, state.less & passed);
        }
        state.more = shift_signed(state.more, limit.shift);
        state.less >>= limit.shift;
    }
    return advance_plain(state, matches(word, limit.base) & ~(shift_signed(limit.right, limit.shift) << 1));
}

void BeamDistance::run(State& state, size_t row, const uint32_t* words, size_t count) const {
    const uint32_t* end = words + count;
    State local = state;
    while (words != end) {
        if (is_plain(row)) {
            const uint32_t* stop = words + std::min(static_cast<size_t>(end - words), plain_end_ - row);
            row += static_cast<size_t>(stop - words);
            for (; words != stop; ++words) advance_plain(local, masks_[*words]);
        } else {
            advance(local, row++, *words++);
        }
    }
    state = local;
}

uint32_t BeamDistance::distance(const State& last) const {
    uint64_t steps = low_bits(reference_.size() + 1 - base_of(length_)) - 1;
    return last.value + sum_of_steps(last.more & steps, last.less & steps);
}

uint32_t BeamDistance::keep(const uint32_t* words, size_t unchanged) {
    if (wide_) {
        size_t* starts = wide_starts_.reserve(length_ + 1);
        size_t cells = 0;
        for (size_t i = 1; i <= length_; ++i) {
            starts[i] = cells;
            cells += limits_[i].end - limits_[i].base;
        }
        return run_wide(words, wide_edits_.reserve(cells));
    }
    State state = kept_[unchanged].state;
    for (size_t i = unchanged; i < length_; ++i) {
        Step step = advance(state, i + 1, words[i]);
        kept_[i + 1] = {state, step};
    }
    kept_distance_ = distance(state);
    return kept_distance_;
}

uint32_t BeamDistance::after(const uint32_t* words, const BlockMove& move) {
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
    State state = kept_[first].state;
    run(state, first + 1, words + middle, last - middle);
    run(state, first + 1 + last - middle, words + first, middle - first);
    // Once the steps of a row equal those of the cached row, all later rows differ from the cached ones by a constant. Only every 8th
    // row is compared, which keeps the inner loop short. Any value gives the same result.
    constexpr size_t kBetween = 8;
    for (size_t i = last; i < length_;) {
        const State& kept = kept_[i].state;
        if ((((state.more ^ kept.more) | (state.less ^ kept.less)) & valid_of(i)) == 0) return kept_distance_ + state.value - kept.value;
        size_t count = std::min(kBetween, length_ - i);
        run(state, i + 1, words + i, count);
        i += count;
    }
    return distance(state);
}

uint32_t BeamDistance::run_wide(const uint32_t* words, TerEdit* edits) {
    // Unreachable cells. Half the range, so adding 1 cannot overflow.
    constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max() / 2;
    size_t columns = reference_.size() + 1;
    uint32_t* row = wide_row_.reserve(columns);
    for (size_t j = 0; j < columns; ++j) row[j] = static_cast<uint32_t>(j);
    for (size_t i = 1; i <= length_; ++i) {
        const Limit& limit = limits_[i];
        uint32_t left = kNone, diagonal = limit.base > limits_[i - 1].base ? row[limit.base - 1] : kNone;
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
