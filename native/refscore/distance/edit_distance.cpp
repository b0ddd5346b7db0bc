#include "refscore/distance/edit_distance.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kWordBits = kStrip;
constexpr size_t kRowWork = 4;  // nanoseconds per row of a group, for checkpoint(); only the order of magnitude matters
// An unreachable distance. A quarter of the range, so the sum of two of them does not overflow.
constexpr uint32_t kTooFar = std::numeric_limits<uint32_t>::max() / 4;

size_t words_for(size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

std::span<const uint32_t> strip_of(std::span<const uint32_t> reference, size_t strip) {
    return reference.subspan(strip * kWordBits, std::min(kWordBits, reference.size() - strip * kWordBits));
}

struct Counting {
    static constexpr bool kInOrder = false;
    static constexpr bool kLatest = false;
    EditCounts counts;

    void operator()(Edit edit, size_t times) {
        int64_t more = static_cast<int64_t>(times);
        switch (edit) {
            case Edit::Hit: counts.hits += more; break;
            case Edit::Substitution: counts.substitutions += more; break;
            case Edit::Deletion: counts.deletions += more; break;
            case Edit::Insertion: counts.insertions += more; break;
        }
    }
};

template <bool kLatestOfAll>
struct Listing {
    static constexpr bool kInOrder = true;
    static constexpr bool kLatest = kLatestOfAll;
    std::vector<Edit>& edits;

    void operator()(Edit edit, size_t times) { edits.insert(edits.end(), times, edit); }
};

// Whether a reference of this size has more than `few` strips, and the processor has vectors.
bool is_wide(const StripGroup& group, size_t few, size_t size) {
    return size > few * kStrip && group.kernels().lanes > 1;
}

constexpr size_t kFewStrips =
    2;  // of an edit distance; up to two, the steps of one lane are faster than those of a vector

constexpr size_t kStoredInRegisters = 3;  // strips whose rows are stored; for four, the steps of a vector are faster

// Calls run(edits) with growing bounds until it returns a distance that does not exceed its bound. `farthest` is the
// largest possible distance, and `rows` the number of rows of the table.
template <class Group, class Run>
void widen_band(const Group& group, size_t difference, size_t farthest, size_t rows, Run run) {
    // The first band is as wide as a group: a narrower one would save little, because a group has that many rows
    // itself. A band is only tried if it has at most a quarter of the rows (half of them, later), which limits the loss
    // on unrelated texts.
    size_t width = group.tokens(), edits = difference + width;
    if (4 * (edits + width) > rows || farthest <= 4 * edits) edits = farthest;
    for (;;) {
        size_t found = run(edits);
        if (found <= edits) return;
        // More than half of the largest possible distance: probably unrelated, so a wider band would not help either.
        bool is_last = found <= 4 * edits || 2 * (4 * edits + width) > rows || 2 * found > farthest;
        edits = is_last ? found : 4 * edits;
    }
}

}  // namespace

// ---- edit distance
// --------------------------------------------------------------------------------------------------------

EditCounts EditDistance::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                               uint32_t vocabulary, const uint64_t* places) {
    Counting counting;
    run(hypothesis, reference, vocabulary, counting, places);
    return counting.counts;
}

std::span<const Edit> EditDistance::align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                          uint32_t vocabulary) {
    edits_.clear();
    Listing<false> listing{edits_};
    run(hypothesis, reference, vocabulary, listing);
    return edits_;
}

std::span<const Edit> EditDistance::align_latest(std::span<const uint32_t> hypothesis,
                                                 std::span<const uint32_t> reference, uint32_t vocabulary) {
    edits_.clear();
    Listing<true> listing{edits_};
    run(hypothesis, reference, vocabulary, listing);
    return edits_;
}

size_t EditDistance::distance(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                              uint32_t vocabulary) {
    while (!hypothesis.empty() && !reference.empty() && hypothesis.front() == reference.front())
        hypothesis = hypothesis.subspan(1), reference = reference.subspan(1);
    while (!hypothesis.empty() && !reference.empty() && hypothesis.back() == reference.back())
        hypothesis = hypothesis.first(hypothesis.size() - 1), reference = reference.first(reference.size() - 1);
    size_t longer = std::max(hypothesis.size(), reference.size());
    if (hypothesis.empty() || reference.empty()) return longer;
    switch (words_for(reference.size())) {
        case 1: return distance_in_registers<1>(hypothesis, reference, vocabulary);
        case 2: return distance_in_registers<2>(hypothesis, reference, vocabulary);
        case 3: return distance_in_registers<3>(hypothesis, reference, vocabulary);
        case kStripsInRegisters: return distance_in_registers<kStripsInRegisters>(hypothesis, reference, vocabulary);
        default: break;
    }
    masks_.reserve(vocabulary);
    Part part{hypothesis, reference, longer, 0};
    if (!is_wide(group_, kFewStrips, reference.size())) return distance_of(masks_, part);
    group_.reserve(vocabulary);
    return distance_of(group_, part);
}

template <class Take>
void EditDistance::run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary,
                       Take& take, const uint64_t* places) {
    // rapidfuzz's limits (levenshtein_align): from these sizes on it splits the table (Hirschberg) and breaks ties
    // differently. The same limits give the same alignment.
    constexpr size_t kLargeTable = 1 << 20, kShortReference = 65, kShortHypothesis = 10;
    masks_.reserve(vocabulary);
    if (is_wide(group_, kFewStrips, reference.size())) group_.reserve(vocabulary);
    parts_.clear();
    parts_.push_back({hypothesis, reference, std::max(hypothesis.size(), reference.size()), 0});
    while (!parts_.empty()) {
        Part part = parts_.back();
        parts_.pop_back();
        std::span<const uint32_t>&hyp = part.hypothesis, &ref = part.reference;
        // Equal tokens at the ends are hits in some optimal alignment, but not always in the latest one.
        size_t shorter = Take::kLatest ? 0 : std::min(hyp.size(), ref.size()), same = 0;
        while (same < shorter && hyp[same] == ref[same]) ++same;
        take(Edit::Hit, same + part.hits);
        hyp = hyp.subspan(same);
        ref = ref.subspan(same);
        shorter -= same;
        for (same = 0; same < shorter && hyp[hyp.size() - 1 - same] == ref[ref.size() - 1 - same];) ++same;
        hyp = hyp.first(hyp.size() - same);
        ref = ref.first(ref.size() - same);
        part.most = std::min(part.most, std::max(hyp.size(), ref.size()));
        if (ref.empty() || hyp.empty()) {
            take(Edit::Deletion, ref.size());
            take(Edit::Insertion, hyp.size());
            take(Edit::Hit, same);
            continue;
        }
        size_t table = 2 * std::min(ref.size(), 2 * part.most + 1) * hyp.size() / 8;
        if (table < kLargeTable || ref.size() < kShortReference || hyp.size() < kShortHypothesis) {
            trace(part, vocabulary, take, places, static_cast<size_t>(ref.data() - reference.data()));
            take(Edit::Hit, same);
            continue;
        }
        if (same > 0) parts_.push_back({{}, {}, 0, same});
        Split at = is_wide(group_, kFewStrips, ref.size()) ? split(group_, part) : split(masks_, part);
        parts_.push_back({hyp.subspan(at.hypothesis), ref.subspan(at.reference), at.right, 0});
        parts_.push_back({hyp.first(at.hypothesis), ref.first(at.reference), at.left, 0});
    }
}

// Calls visit(begin, rows before the first, number of rows, carries) for each group that has rows within the band. The
// group is set, and its carries contain what enters it.
template <class Group, class Visit>
void EditDistance::for_each_group(Group& group, const Part& part, const Band& band, size_t rows, Visit visit) {
    uint8_t* carries = carries_.reserve(rows + kCarryMargin) + kCarryMargin;
    std::memset(carries, 1, rows);
    for (size_t begin = 0; begin < part.reference.size(); begin += group.tokens()) {
        size_t end = std::min(begin + group.tokens(), part.reference.size());
        size_t first = band.first_row(begin), last = band.last_row(end, rows);
        if (first > rows) return;
        std::span<const uint32_t> tokens = part.reference.subspan(begin, end - begin);
        checkpoint(kRowWork * (last - first + tokens.size()));
        group.set(tokens);
        visit(begin, first, last - first, carries + first);
        group.clear(tokens);
        // Outside the computed rows, count an insertion per row: an upper bound that no optimal alignment uses.
        std::memset(carries + last, 1, rows - last);
    }
}

// Stores the whole table. `places` returns the positions of a token in the reference.
template <class Places>
void EditDistance::fill_rows(std::span<const uint32_t> hypothesis, Places places) {
    uint64_t* columns = columns_.reserve(2 * (hypothesis.size() + 1));
    uint64_t plus = ~uint64_t{0}, minus = 0;
    *columns++ = plus;
    *columns++ = minus;
    for (uint32_t token : hypothesis) {
        // One step of Hyyrö's algorithm, as in strip_rows.cpp, where an insertion per row enters.
        uint64_t equal = places(token);
        uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
        uint64_t right_plus = (minus | ~(diagonal | plus)) << 1 | 1, right_minus = (diagonal & plus) << 1;
        *columns++ = plus = right_minus | ~(diagonal | right_plus);
        *columns++ = minus = right_plus & diagonal;
    }
}

void EditDistance::fill_word(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                             const uint64_t* places, size_t begin) {
    groups_.assign(1, {0, 0});
    if (places != nullptr) return fill_rows(hypothesis, [=](uint32_t token) { return places[token] >> begin; });
    masks_.set(reference);
    fill_rows(hypothesis, [this](uint32_t token) { return masks_[token]; });
    masks_.clear(reference);
}

// Stores a band that contains all optimal alignments. part.most is the distance, or an upper bound.
template <class Group>
void EditDistance::fill_groups(Group& group, const Part& part) {
    const StripRows& kernels = group.kernels();
    Band band(part.hypothesis.size(), part.reference.size(), part.most);
    groups_.clear();
    size_t words = 0;
    for (size_t begin = 0; begin < part.reference.size(); begin += group.tokens()) {
        size_t first = band.first_row(begin);
        if (first > part.hypothesis.size()) break;
        groups_.push_back({first, words});
        words += kernels.column_words(
            band.last_row(std::min(begin + group.tokens(), part.reference.size()), part.hypothesis.size()) - first);
    }
    uint64_t* columns = columns_.reserve(words);
    for_each_group(group, part, band, part.hypothesis.size(),
                   [&](size_t begin, size_t first, size_t count, uint8_t* carries) {
                       kernels.edits(group.input(part.hypothesis.subspan(first, count)), carries,
                                     columns + groups_[begin / group.tokens()].at, true);
                   });
}

template <class Take>
void EditDistance::trace(const Part& part, uint32_t vocabulary, Take& take, const uint64_t* places, size_t begin) {
    std::integral_constant<size_t, 1> one_lane;
    if (size_t strips = words_for(part.reference.size()); strips <= kStoredInRegisters) {
        switch (strips) {
            case 1: fill_word(part.hypothesis, part.reference, places, begin); break;
            case 2: fill_in_registers<2>(part.hypothesis, part.reference, vocabulary); break;
            default: fill_in_registers<kStoredInRegisters>(part.hypothesis, part.reference, vocabulary); break;
        }
        walk(part, one_lane, take);
    } else if (!is_wide(group_, kFewStrips, part.reference.size()) || part.most <= kStrip) {
        // In so narrow a band, a group would mostly compute and store rows outside it.
        fill_groups(masks_, part);
        walk(part, one_lane, take);
    } else {
        fill_groups(group_, part);
        walk(part, group_.kernels().lanes, take);
    }
}

template <class Lanes, class Take>
void EditDistance::walk(const Part& part, Lanes lanes, Take& take) {
    const uint32_t* hypothesis = part.hypothesis.data();
    const uint32_t* reference = part.reference.data();
    const uint64_t* columns = columns_.data();
    size_t row = part.hypothesis.size(), column = part.reference.size();
    auto for_each_edit = [&](auto visit) {
        while (row > 0 && column > 0) {
            size_t strip = (column - 1) / kWordBits, begin = strip * kWordBits, lane = strip % lanes;
            const Columns& group = groups_[strip / lanes];
            // The index of the word with the +1 of row 0, which may be negative, and of the word with the -1 of the row
            // before it.
            size_t plus = group.at + lane + 2 * lanes * (StripRows::step_of(0, lane) - group.first),
                   minus = plus + lanes - 2 * lanes;
            while (row > 0 && column > begin) {
                size_t bit = column - 1 - begin;
                size_t deletes = columns[plus + 2 * lanes * row] >> bit & 1;
                size_t equal = reference[column - 1] == hypothesis[row - 1];
                // The latest alignment prefers a hit to an insertion of the same cost.
                size_t inserts =
                    (columns[minus + 2 * lanes * row] >> bit & 1) & ~deletes & (Take::kLatest ? ~equal : ~size_t{0});
                row -= 1 - deletes;
                column -= 1 - inserts;
                visit(deletes, inserts, equal);
            }
        }
    };
    if constexpr (Take::kInOrder) {
        size_t before = take.edits.size();
        for_each_edit([&](size_t deletes, size_t inserts, size_t equal) {
            take(deletes ? Edit::Deletion : inserts ? Edit::Insertion : equal ? Edit::Hit : Edit::Substitution, 1);
        });
        take(Edit::Deletion, column);
        take(Edit::Insertion, row);
        std::reverse(take.edits.begin() + static_cast<ptrdiff_t>(before), take.edits.end());
    } else {
        // The next edit is unpredictable, so this loop has no branches.
        size_t deletions = 0, insertions = 0, hits = 0, pairs = 0;
        for_each_edit([&](size_t deletes, size_t inserts, size_t equal) {
            size_t pair = 1 - (deletes | inserts);
            deletions += deletes;
            insertions += inserts;
            pairs += pair;
            hits += pair & equal;
        });
        take(Edit::Deletion, deletions + column);
        take(Edit::Insertion, insertions + row);
        take(Edit::Hit, hits);
        take(Edit::Substitution, pairs - hits);
    }
}

// Writes the distance of the first `rows` hypothesis tokens from each prefix of the reference; kTooFar if it is not in
// the band.
template <class Group>
void EditDistance::last_row(Group& group, const Part& part, const Band& band, size_t rows, uint32_t* distances) {
    std::fill(distances, distances + part.reference.size() + 1, kTooFar);
    size_t lanes = group.kernels().lanes;
    uint64_t* columns = columns_.reserve(group.kernels().column_words(0));
    size_t top = 0, known = 0;  // the distance above the group in row `known`
    auto add_carries = [&](const uint8_t* carries, size_t count) {
        size_t plus = 0, minus = 0;
        for (size_t i = 0; i < count; ++i) plus += carries[i] & 1, minus += carries[i] >> 1;
        return plus - minus;
    };
    for_each_group(group, part, band, rows, [&](size_t begin, size_t first, size_t count, uint8_t* carries) {
        top += add_carries(carries + known - first, first - known);
        known = first;
        size_t value = top + add_carries(carries, count),
               size = std::min(group.tokens(), part.reference.size() - begin);
        group.kernels().edits(group.input(part.hypothesis.subspan(first, count)), carries, columns, false);
        top += size;
        if (first + count < rows) return;
        distances[begin] = static_cast<uint32_t>(value);
        for (size_t i = 0; i < size; ++i) {
            value +=
                (columns[i / kWordBits] >> i % kWordBits & 1) - (columns[lanes + i / kWordBits] >> i % kWordBits & 1);
            distances[begin + i + 1] = static_cast<uint32_t>(value);
        }
    });
}

// All strips of a row at once, so the processor overlaps the strips of several rows.
// Computes all rows of a reference of few strips at once, with their state in registers: the strips do not wait for
// each other. Calls row(plus, minus) after each row.
template <size_t Strips, class Row>
REFSCORE_INLINE void EditDistance::run_in_registers(std::span<const uint32_t> hypothesis,
                                                    std::span<const uint32_t> reference, uint32_t vocabulary,
                                                    uint64_t* plus, uint64_t* minus, Row row) {
    size_t words = (vocabulary + size_t{1}) * kStripsInRegisters;
    if (words > line_words_) {
        std::memset(lines_.reserve(words), 0, words * sizeof(uint64_t));
        line_words_ = words;
    }
    uint64_t* lines = lines_.data();
    for (size_t i = 0; i < reference.size(); ++i)
        lines[reference[i] * kStripsInRegisters + i / kStrip] |= uint64_t{1} << i % kStrip;
    std::fill_n(plus, Strips, ~uint64_t{0});
    std::fill_n(minus, Strips, 0);
    checkpoint(kRowWork * (hypothesis.size() + reference.size()));
    for (uint32_t token : hypothesis) {
        const uint64_t* line = lines + token * kStripsInRegisters;
        uint64_t plus_in = 1, minus_in = 0;
        for (size_t k = 0; k < Strips; ++k) {
            // One step of Hyyrö's algorithm, as in strip_rows.cpp.
            uint64_t equal = line[k] | minus_in;
            uint64_t diagonal = (((equal & plus[k]) + plus[k]) ^ plus[k]) | equal | minus[k];
            uint64_t right_plus = minus[k] | ~(diagonal | plus[k]), right_minus = diagonal & plus[k];
            uint64_t plus_out = right_plus >> 63, minus_out = right_minus >> 63;
            right_plus = right_plus << 1 | plus_in;
            right_minus = right_minus << 1 | minus_in;
            plus[k] = right_minus | ~(diagonal | right_plus);
            minus[k] = right_plus & diagonal;
            plus_in = plus_out;
            minus_in = minus_out;
        }
        row(plus, minus);
    }
    for (uint32_t token : reference) std::fill_n(lines + token * kStripsInRegisters, Strips, 0);
}

// Stores the whole table, strip by strip.
template <size_t Strips>
void EditDistance::fill_in_registers(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                     uint32_t vocabulary) {
    size_t words = 2 * (hypothesis.size() + 1);
    uint64_t* columns = columns_.reserve(words * Strips);
    groups_.clear();
    for (size_t k = 0; k < Strips; ++k) {
        groups_.push_back({0, k * words});
        columns[k * words] = ~uint64_t{0};
        columns[k * words + 1] = 0;
    }
    uint64_t plus[Strips], minus[Strips];
    run_in_registers<Strips>(hypothesis, reference, vocabulary, plus, minus,
                             [&](const uint64_t* more, const uint64_t* less) {
                                 columns += 2;
                                 for (size_t k = 0; k < Strips; ++k) {
                                     columns[k * words] = more[k];
                                     columns[k * words + 1] = less[k];
                                 }
                             });
}

template <size_t Strips>
size_t EditDistance::distance_in_registers(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                           uint32_t vocabulary) {
    uint64_t plus[Strips], minus[Strips];
    run_in_registers<Strips>(hypothesis, reference, vocabulary, plus, minus, [](const uint64_t*, const uint64_t*) {});
    size_t distance = hypothesis.size();
    for (size_t k = 0; k < Strips; ++k) {
        uint64_t used = ~uint64_t{0} >> (k + 1 < Strips ? 0 : Strips * kStrip - reference.size());
        distance +=
            static_cast<size_t>(std::popcount(plus[k] & used)) - static_cast<size_t>(std::popcount(minus[k] & used));
    }
    return distance;
}

template <class Group>
size_t EditDistance::distance_of(Group& group, const Part& part) {
    size_t rows = part.hypothesis.size(), size = part.reference.size();
    uint32_t* distances = left_.reserve(size + 1);
    widen_band(group, std::max(rows, size) - std::min(rows, size), part.most, rows, [&](size_t edits) {
        last_row(group, part, Band(rows, size, edits), rows, distances);
        return size_t{distances[size]};
    });
    return distances[size];
}

// Where the alignment crosses the middle of the hypothesis. Of several best positions the first one, as in rapidfuzz.
template <class Group>
EditDistance::Split EditDistance::split(Group& group, const Part& part) {
    size_t rows = part.hypothesis.size(), size = part.reference.size(), middle = rows / 2;
    uint32_t* left = left_.reserve(size + 1);
    uint32_t* right = right_.reserve(size + 1);
    uint32_t* hypothesis = reversed_.reserve(rows);
    uint32_t* reference = reversed_reference_.reserve(size);
    std::reverse_copy(part.hypothesis.begin(), part.hypothesis.end(), hypothesis);
    std::reverse_copy(part.reference.begin(), part.reference.end(), reference);
    Part reversed{{hypothesis, rows}, {reference, size}, part.most, 0};
    size_t best = 0;
    widen_band(group, std::max(rows, size) - std::min(rows, size), part.most, rows, [&](size_t edits) {
        Band band(rows, size, edits);
        last_row(group, part, band, middle, left);
        last_row(group, reversed, band, rows - middle, right);
        best = 0;
        for (size_t i = 1; i <= size; ++i)
            if (left[i] + right[size - i] < left[best] + right[size - best]) best = i;
        return size_t{left[best]} + right[size - best];
    });
    return {best, middle, left[best], right[size - best]};
}

// ---- longest common subsequence
// -------------------------------------------------------------------------------------------

template <class Row>
void CommonSubsequence::run_strip(std::span<const uint32_t> hypothesis, std::span<const uint32_t> strip,
                                  uint64_t* carries, Row row) {
    checkpoint(kWordBits + kRowWork * hypothesis.size());
    masks_.set(strip);
    uint64_t bits = ~uint64_t{0};
    for (size_t begin = 0; begin < hypothesis.size(); begin += kWordBits) {
        size_t end = std::min(begin + kWordBits, hypothesis.size());
        uint64_t in = carries[begin / kWordBits], out = 0;
        for (size_t j = begin; j < end; ++j) {
            uint64_t equal = masks_[hypothesis[j]], grows = bits & equal;
            uint64_t sum = bits + grows;
            uint64_t carried = sum + (in & 1);
            out |= static_cast<uint64_t>((sum < bits) | (carried < sum)) << (j - begin);
            in >>= 1;
            bits = carried | (bits & ~equal);
            row(j, bits);
        }
        carries[begin / kWordBits] = out;
    }
    masks_.clear(strip);
}

// The length of the longest common subsequence within the band: a lower bound.
template <class Group>
size_t CommonSubsequence::length_within(Group& group, std::span<const uint32_t> hypothesis,
                                        std::span<const uint32_t> reference, const Band& band) {
    size_t rows = hypothesis.size(), length = 0;
    uint8_t* carries = group_carries_.reserve(rows + kCarryMargin) + kCarryMargin;
    std::memset(carries, 0, rows);
    for (size_t begin = 0; begin < reference.size(); begin += group.tokens()) {
        size_t end = std::min(begin + group.tokens(), reference.size());
        size_t first = band.first_row(begin), last = band.last_row(end, rows);
        if (first > rows) break;
        std::span<const uint32_t> tokens = reference.subspan(begin, end - begin);
        checkpoint(kRowWork * (last - first + tokens.size()));
        group.set(tokens);
        length += group.kernels().common(group.input(hypothesis.subspan(first, last - first)), carries + first);
        group.clear(tokens);
        std::memset(carries + last, 0, rows - last);
    }
    return length;
}

template <class Group>
size_t CommonSubsequence::length_of(Group& group, std::span<const uint32_t> hypothesis,
                                    std::span<const uint32_t> reference) {
    size_t rows = hypothesis.size(), size = reference.size(), length = 0;
    widen_band(group, std::max(rows, size) - std::min(rows, size), rows + size, rows, [&](size_t edits) {
        length = length_within(group, hypothesis, reference, Band(rows, size, edits));
        return rows + size - 2 * length;
    });
    return length;
}

size_t CommonSubsequence::length(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                 uint32_t vocabulary) {
    masks_.reserve(vocabulary);
    if (reference.size() <= kWordBits) {
        masks_.set(reference);
        uint64_t bits = ~uint64_t{0};
        for (uint32_t token : hypothesis) {
            uint64_t equal = masks_[token], grows = bits & equal;
            bits = (bits + grows) | (bits - grows);
        }
        masks_.clear(reference);
        return static_cast<size_t>(std::popcount(~bits));
    }
    // Up to three strips, the steps of one lane are faster than those of a vector.
    if (!is_wide(group_, 3, reference.size())) return length_of(masks_, hypothesis, reference);
    group_.reserve(vocabulary);
    return length_of(group_, hypothesis, reference);
}

std::span<const CommonSubsequence::Pair> CommonSubsequence::pairs(std::span<const uint32_t> hypothesis,
                                                                  std::span<const uint32_t> reference,
                                                                  uint32_t vocabulary) {
    if (hypothesis.empty() || reference.empty()) return {};
    masks_.reserve(vocabulary);
    // Only the carries into each strip are stored. The rows of a strip are recomputed, from the last strip to the
    // first.
    size_t words = words_for(hypothesis.size()), strips = words_for(reference.size());
    uint64_t* carries = carries_.reserve(words * strips);
    std::memset(carries, 0, words * sizeof(uint64_t));
    for (size_t strip = 0; strip + 1 < strips; ++strip) {
        uint64_t* next = carries + (strip + 1) * words;
        std::copy(next - words, next, next);
        run_strip(hypothesis, strip_of(reference, strip), next, [](size_t, uint64_t) {});
    }
    uint64_t* rows = rows_.reserve(hypothesis.size());
    Pair* found = pairs_.reserve(std::min(hypothesis.size(), reference.size()));
    size_t count = 0, row = hypothesis.size(), column = reference.size();
    for (size_t strip = strips; strip-- > 0 && row > 0;) {
        run_strip(hypothesis.first(row), strip_of(reference, strip), carries + strip * words,
                  [&](size_t j, uint64_t bits) { rows[j] = bits; });
        size_t begin = strip * kWordBits;
        while (row > 0 && column > begin) {
            if (reference[column - 1] == hypothesis[row - 1]) {
                found[count++] = {static_cast<uint32_t>(--column), static_cast<uint32_t>(--row)};
            } else if ((rows[row - 1] >> (column - 1 - begin) & 1) == 0) {
                --row;
            } else {
                --column;
            }
        }
    }
    return {found, count};
}

}  // namespace refscore
