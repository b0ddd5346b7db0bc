#include "refscore/meetings/edits.hpp"

#include <algorithm>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kRows = 64;        // one bit of a machine word per reference token
constexpr size_t kColumnWork = 3;   // nanoseconds per column of a strip, for checkpoint()
constexpr size_t kBatch = 1 << 14;  // columns between checkpoints

// The difference of two neighbouring cells of a row, as bits.
constexpr uint8_t kMore = 1, kLess = 2;

}  // namespace

void KaldiEdits::set_masks(std::span<const uint32_t> strip) {
    for (size_t i = 0; i < strip.size(); ++i) masks_[strip[i]] |= uint64_t{1} << i;
}

void KaldiEdits::clear_masks(std::span<const uint32_t> strip) {
    for (uint32_t token : strip) masks_[token] = 0;
}

// Calls visit(column, above, left, more, less) for each hypothesis token: the differences of its column, and those of
// its rows. The last row of the strip passes its difference on. (Myers 1999, Hyyrö 2003)
template <class Visit>
void KaldiEdits::run_strip(std::span<const uint32_t> hypothesis, const uint8_t* above, Visit visit) {
    uint64_t more_above = ~uint64_t{0}, less_above = 0;
    for (size_t j = 0; j < hypothesis.size(); ++j) {
        if (j % kBatch == 0) checkpoint(std::min(kBatch, hypothesis.size() - j) * kColumnWork);
        uint64_t incoming_more = above == nullptr ? 1 : above[j] & kMore,
                 incoming_less = above == nullptr ? 0 : (above[j] & kLess) / kLess;
        uint64_t equal = masks_[hypothesis[j]], vertical = equal | less_above;
        equal |= incoming_less;
        uint64_t horizontal = (((equal & more_above) + more_above) ^ more_above) | equal;
        uint64_t more_left = less_above | ~(horizontal | more_above), less_left = more_above & horizontal;
        uint64_t shifted_more = more_left << 1 | incoming_more, shifted_less = less_left << 1 | incoming_less;
        more_above = shifted_less | ~(vertical | shifted_more);
        less_above = shifted_more & vertical;
        visit(j, more_above, more_left, less_left);
    }
}

EditCounts KaldiEdits::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                             uint32_t vocabulary) {
    EditCounts counts;
    size_t strips = (reference.size() + kRows - 1) / kRows, width = hypothesis.size();
    for (uint32_t token : reference) require(token <= vocabulary, "a word is not in the vocabulary");
    for (uint32_t token : hypothesis) require(token <= vocabulary, "a word is not in the vocabulary");
    if (tokens_ <= vocabulary) {
        tokens_ = vocabulary + size_t{1};
        std::fill_n(masks_.reserve(tokens_), tokens_, uint64_t{0});
    }
    // A stopped run leaves masks behind, which must not be used again.
    struct Masks {
        size_t& tokens;
        bool is_clear = false;
        ~Masks() {
            if (!is_clear) tokens = 0;
        }
    } masks{tokens_};
    auto strip_at = [&](size_t strip) {
        return reference.subspan(strip * kRows, std::min(kRows, reference.size() - strip * kRows));
    };
    uint8_t* carries = strips > 1 ? carries_.reserve((strips - 1) * width) : nullptr;
    auto carries_into = [&](size_t strip) { return strip > 0 ? carries + (strip - 1) * width : nullptr; };
    for (size_t strip = 0; strip + 1 < strips; ++strip) {
        set_masks(strip_at(strip));
        uint8_t* out = carries + strip * width;
        run_strip(hypothesis, carries_into(strip), [&](size_t j, uint64_t, uint64_t more, uint64_t less) {
            out[j] = static_cast<uint8_t>(more >> (kRows - 1) | less >> (kRows - 1) << 1);
        });
        clear_masks(strip_at(strip));
    }
    // From the last strip to the first, only the columns before the alignment are needed again.
    size_t j = width;
    Column* columns = columns_.reserve(width);
    for (size_t strip = strips; strip-- > 0;) {
        std::span<const uint32_t> rows = strip_at(strip);
        set_masks(rows);
        run_strip(hypothesis.first(j), carries_into(strip),
                  [&](size_t column, uint64_t above, uint64_t left, uint64_t) { columns[column] = {above, left}; });
        clear_masks(rows);
        size_t i = rows.size();
        while (i > 0 && j > 0) {
            uint64_t bit = uint64_t{1} << (i - 1);
            if (columns[j - 1].left & bit) {
                ++counts.insertions;
                --j;
            } else if (columns[j - 1].above & bit) {
                ++counts.deletions;
                --i;
            } else {
                ++(rows[--i] == hypothesis[--j] ? counts.hits : counts.substitutions);
            }
        }
        counts.deletions += static_cast<int64_t>(i);
    }
    counts.insertions += static_cast<int64_t>(j);
    masks.is_clear = true;
    return counts;
}

}  // namespace refscore
