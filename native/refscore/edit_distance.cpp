#include "edit_distance.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kWord = 64;    // bits of a machine word: one reference token each
constexpr size_t kRowWork = 4;  // nanoseconds per row of a strip, for checkpoint(); only the order of magnitude matters
// An unreachable distance. A quarter of the range, so the sum of two of them does not overflow.
constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max() / 4;

size_t words_for(size_t bits) { return (bits + kWord - 1) / kWord; }

std::span<const uint32_t> strip_of(std::span<const uint32_t> reference, size_t strip) {
    return reference.subspan(strip * kWord, std::min(kWord, reference.size() - strip * kWord));
}

struct Counting {
    static constexpr bool kInOrder = false;
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

struct Listing {
    static constexpr bool kInOrder = true;
    std::vector<Edit>& edits;

    void operator()(Edit edit, size_t times) { edits.insert(edits.end(), times, edit); }
};

// One step of Hyyrö's algorithm: advances the column of a strip by one hypothesis token. Carries are 0 or 1. The outgoing carries
// are the differences between this row and the previous one at the last token of the strip.
template <class Column>
inline void advance(Column& column, uint64_t equal, uint64_t& plus_carry, uint64_t& minus_carry) {
    uint64_t x = equal | minus_carry;
    uint64_t diagonal = (((x & column.plus) + column.plus) ^ column.plus) | x | column.minus;
    uint64_t plus = column.minus | ~(diagonal | column.plus), minus = diagonal & column.plus;
    uint64_t plus_out = plus >> 63, minus_out = minus >> 63;
    plus = plus << 1 | plus_carry;
    minus = minus << 1 | minus_carry;
    column.plus = minus | ~(diagonal | plus);
    column.minus = plus & diagonal;
    plus_carry = plus_out;
    minus_carry = minus_out;
}

}  // namespace

void StripMasks::reserve(uint32_t vocabulary) {
    size_t wanted = vocabulary + size_t{1};
    if (wanted <= size_) return;
    std::memset(masks_.reserve(wanted), 0, wanted * sizeof(uint64_t));
    size_ = wanted;
}

// ---- edit distance --------------------------------------------------------------------------------------------------------

EditCounts EditDistance::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary) {
    Counting counting;
    run(hypothesis, reference, vocabulary, counting);
    return counting.counts;
}

std::span<const Edit> EditDistance::align(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary) {
    edits_.clear();
    Listing listing{edits_};
    run(hypothesis, reference, vocabulary, listing);
    return edits_;
}

template <class Take>
void EditDistance::run(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary, Take& take) {
    // rapidfuzz's limits (levenshtein_align): from these sizes on it splits the table (Hirschberg) and breaks ties differently.
    // The same limits give the same alignment.
    constexpr size_t kLargeTable = 1 << 20, kShortReference = 65, kShortHypothesis = 10;
    masks_.reserve(vocabulary);
    parts_.clear();
    parts_.push_back({hypothesis, reference, std::max(hypothesis.size(), reference.size()), 0});
    while (!parts_.empty()) {
        Part part = parts_.back();
        parts_.pop_back();
        std::span<const uint32_t>&hyp = part.hypothesis, &ref = part.reference;
        size_t shorter = std::min(hyp.size(), ref.size()), same = 0;
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
            trace(part, take);
            take(Edit::Hit, same);
            continue;
        }
        if (same > 0) parts_.push_back({{}, {}, 0, same});
        Split at = split(part);
        parts_.push_back({hyp.subspan(at.hypothesis), ref.subspan(at.reference), at.right, 0});
        parts_.push_back({hyp.first(at.hypothesis), ref.first(at.reference), at.left, 0});
    }
}

// Calls visit(strip, first, last, top) for each strip, with the rows first + 1 to `last` that are close enough to the diagonal.
// carries_ contains the incoming carries of each row and receives the outgoing ones. `top` is the distance above the strip in row
// `first`.
template <class Visit>
void EditDistance::for_each_strip(const Part& part, size_t rows, Visit visit) {
    size_t strips = words_for(part.reference.size());
    uint8_t* carries = carries_.reserve(rows + 1);
    std::memset(carries, 1, rows + 1);
    size_t top = 0, known = 0;  // the distance above the strip in row `known`
    for (size_t strip = 0; strip < strips; ++strip) {
        size_t begin = strip * kWord;
        size_t first = begin > part.most ? begin - part.most : 0;
        if (first > rows) return;
        for (; known < first; ++known) top = top + (carries[known + 1] & 1) - (carries[known + 1] >> 1);
        size_t last = std::min(rows, begin + kWord + part.most);
        std::span<const uint32_t> tokens = strip_of(part.reference, strip);
        checkpoint(kRowWork * (last - first));
        masks_.set(tokens);
        visit(strip, first, last, top);
        masks_.clear(tokens);
        top += tokens.size();
        // Outside the computed rows, count an insertion per row: an upper bound that no optimal alignment uses.
        if (last < rows) std::memset(carries + last + 1, 1, rows - last);
    }
}

void EditDistance::fill_word(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
    strips_.assign(1, {0, 0});
    masks_.set(reference);
    Column* columns = columns_.reserve(hypothesis.size() + 1);
    Column column{~uint64_t{0}, 0};
    *columns++ = column;
    for (uint32_t token : hypothesis) {
        uint64_t plus = 1, minus = 0;
        advance(column, masks_[token], plus, minus);
        *columns++ = column;
    }
    masks_.clear(reference);
}

void EditDistance::fill_strips(const Part& part) {
    strips_.clear();
    size_t used = 0;
    for_each_strip(part, part.hypothesis.size(), [&](size_t, size_t first, size_t last, size_t) {
        Column* columns = columns_.reserve(used + last - first + 1, used) + used;
        strips_.push_back({first, used});
        used += last - first + 1;
        Column column{~uint64_t{0}, 0};
        *columns++ = column;
        for (size_t row = first; row < last; ++row) {
            uint8_t& carry = carries_[row + 1];
            uint64_t plus = carry & 1, minus = carry >> 1;
            advance(column, masks_[part.hypothesis[row]], plus, minus);
            carry = static_cast<uint8_t>(plus | minus << 1);
            *columns++ = column;
        }
    });
}

template <class Take>
void EditDistance::trace(const Part& part, Take& take) {
    if (part.reference.size() <= kWord) {
        fill_word(part.hypothesis, part.reference);
    } else {
        fill_strips(part);
    }
    const uint32_t* hypothesis = part.hypothesis.data();
    const uint32_t* reference = part.reference.data();
    const Column* columns = columns_.data();
    size_t row = part.hypothesis.size(), column = part.reference.size();
    auto walk = [&](auto visit) {
        while (row > 0 && column > 0) {
            size_t strip = (column - 1) / kWord, begin = strip * kWord;
            size_t base = strips_[strip].at - strips_[strip].first;
            while (row > 0 && column > begin) {
                size_t bit = column - 1 - begin;
                size_t deletes = columns[base + row].plus >> bit & 1;
                size_t inserts = (columns[base + row - 1].minus >> bit & 1) & ~deletes;
                size_t equal = reference[column - 1] == hypothesis[row - 1];
                row -= 1 - deletes;
                column -= 1 - inserts;
                visit(deletes, inserts, equal);
            }
        }
    };
    if constexpr (Take::kInOrder) {
        size_t before = take.edits.size();
        walk([&](size_t deletes, size_t inserts, size_t equal) {
            take(deletes ? Edit::Deletion : inserts ? Edit::Insertion : equal ? Edit::Hit : Edit::Substitution, 1);
        });
        take(Edit::Deletion, column);
        take(Edit::Insertion, row);
        std::reverse(take.edits.begin() + static_cast<ptrdiff_t>(before), take.edits.end());
    } else {
        // The next edit is unpredictable, so this loop has no branches.
        size_t deletions = 0, insertions = 0, hits = 0, pairs = 0;
        walk([&](size_t deletes, size_t inserts, size_t equal) {
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

// The distance of the first `rows` hypothesis tokens from each prefix of the reference; kFar if it exceeds part.most.
void EditDistance::last_row(const Part& part, size_t rows, uint32_t* distances) {
    std::fill(distances, distances + part.reference.size() + 1, kFar);
    for_each_strip(part, rows, [&](size_t strip, size_t first, size_t last, size_t top) {
        Column column{~uint64_t{0}, 0};
        for (size_t row = first; row < last; ++row) {
            uint8_t& carry = carries_[row + 1];
            uint64_t plus = carry & 1, minus = carry >> 1;
            top += plus - minus;
            advance(column, masks_[part.hypothesis[row]], plus, minus);
            carry = static_cast<uint8_t>(plus | minus << 1);
        }
        if (last < rows) return;
        size_t begin = strip * kWord, size = std::min(kWord, part.reference.size() - begin);
        for (size_t i = 0; i <= size; ++i) {
            distances[begin + i] = static_cast<uint32_t>(top);
            top += (column.plus >> (i % kWord) & 1) - (column.minus >> (i % kWord) & 1);
        }
    });
}

// Where the alignment crosses the middle of the hypothesis. Of several best positions the first one, as in rapidfuzz.
EditDistance::Split EditDistance::split(const Part& part) {
    size_t size = part.reference.size(), middle = part.hypothesis.size() / 2;
    uint32_t* left = left_.reserve(size + 1);
    uint32_t* right = right_.reserve(size + 1);
    last_row(part, middle, left);
    uint32_t* hypothesis = reversed_.reserve(part.hypothesis.size());
    uint32_t* reference = reversed_reference_.reserve(size);
    std::reverse_copy(part.hypothesis.begin(), part.hypothesis.end(), hypothesis);
    std::reverse_copy(part.reference.begin(), part.reference.end(), reference);
    last_row({{hypothesis, part.hypothesis.size()}, {reference, size}, part.most, 0}, part.hypothesis.size() - middle, right);
    size_t best = 0;
    for (size_t i = 1; i <= size; ++i)
        if (left[i] + right[size - i] < left[best] + right[size - best]) best = i;
    return {best, middle, left[best], right[size - best]};
}

// ---- longest common subsequence -------------------------------------------------------------------------------------------

template <class Row>
uint64_t CommonSubsequence::run_strip(std::span<const uint32_t> hypothesis, std::span<const uint32_t> strip, uint64_t* carries, Row row) {
    checkpoint(kWord + kRowWork * hypothesis.size());
    masks_.set(strip);
    uint64_t bits = ~uint64_t{0};
    for (size_t begin = 0; begin < hypothesis.size(); begin += kWord) {
        size_t end = std::min(begin + kWord, hypothesis.size());
        uint64_t in = carries[begin / kWord], out = 0;
        for (size_t j = begin; j < end; ++j) {
            uint64_t equal = masks_[hypothesis[j]], grows = bits & equal;
            uint64_t sum = bits + grows;
            uint64_t carried = sum + (in & 1);
            out |= static_cast<uint64_t>((sum < bits) | (carried < sum)) << (j - begin);
            in >>= 1;
            bits = carried | (bits & ~equal);
            row(j, bits);
        }
        carries[begin / kWord] = out;
    }
    masks_.clear(strip);
    return bits;
}

size_t CommonSubsequence::length(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary) {
    masks_.reserve(vocabulary);
    if (reference.size() <= kWord) {
        masks_.set(reference);
        uint64_t bits = ~uint64_t{0};
        for (uint32_t token : hypothesis) {
            uint64_t equal = masks_[token], grows = bits & equal;
            bits = (bits + grows) | (bits - grows);
        }
        masks_.clear(reference);
        return static_cast<size_t>(std::popcount(~bits));
    }
    size_t words = words_for(hypothesis.size()), found = 0;
    uint64_t* carries = carries_.reserve(words);
    if (words > 0) std::memset(carries, 0, words * sizeof(uint64_t));
    for (size_t strip = 0; strip < words_for(reference.size()); ++strip)
        found += static_cast<size_t>(std::popcount(~run_strip(hypothesis, strip_of(reference, strip), carries, [](size_t, uint64_t) {})));
    return found;
}

std::span<const CommonSubsequence::Pair> CommonSubsequence::pairs(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                                                  uint32_t vocabulary) {
    if (hypothesis.empty() || reference.empty()) return {};
    masks_.reserve(vocabulary);
    // Only the carries into each strip are stored. The rows of a strip are recomputed, from the last strip to the first.
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
        run_strip(hypothesis.first(row), strip_of(reference, strip), carries + strip * words, [&](size_t j, uint64_t bits) { rows[j] = bits; });
        size_t begin = strip * kWord;
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
