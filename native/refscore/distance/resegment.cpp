#include "refscore/distance/resegment.hpp"

#include <algorithm>
#include <cmath>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kMostCutTokens = size_t{1} << 28;
constexpr int32_t kNotAllowed = int32_t{1} << 30;  // no cut; adding all tokens of both sides does not overflow
constexpr size_t kCutRowWork =
    2;  // nanoseconds per row of a strip, for checkpoint(); only the order of magnitude matters
constexpr size_t kMostMoves = 4;  // tokens of punctuation that a cut moves over; more are not one mark, as in "?!)"

void check(const ResegmentInput& input) {
    require(input.hypothesis.size() < kMostCutTokens && input.tokens.size() < kMostCutTokens,
            "there must be fewer than 2**28 tokens");
    require(input.vocabulary < UINT32_MAX, "the vocabulary must be smaller than 2**32 - 1");
    require(input.allowed.empty() || input.allowed.size() == input.hypothesis.size() + 1,
            "there must be a flag per position of the hypothesis");
    require(input.sides.empty() || input.sides.size() == input.hypothesis.size(),
            "there must be a side per token of the hypothesis");
    for (uint32_t token : input.hypothesis) require(token <= input.vocabulary, "a token is not in the vocabulary");
    for (uint32_t token : input.tokens)
        require(token >= 1 && token <= input.vocabulary, "a token is not in the vocabulary");
    auto check_ends = [](std::span<const int64_t> ends, size_t size, int64_t least, const char* problem) {
        int64_t last = 0;
        for (int64_t end : ends) {
            require(end >= last + least, problem);
            last = end;
        }
        require(static_cast<size_t>(last) == size, problem);
    };
    check_ends(input.reference_ends, input.tokens.size(), 0, "the ends of the references do not fit their tokens");
    check_ends(input.segment_ends, input.reference_ends.size(), 1, "every segment needs at least one reference");
    require(!input.segment_ends.empty() || input.hypothesis.empty(), "there are no segments for the hypothesis");
}

}  // namespace

std::span<const uint32_t> Resegmenter::reference(size_t index) const {
    size_t begin = index > 0 ? reference_ends_[index - 1] : 0;
    return std::span(tokens_).subspan(begin, reference_ends_[index] - begin);
}

void Resegmenter::read(const ResegmentInput& input, bool reversed) {
    vocabulary_ = input.vocabulary;
    hypothesis_.assign(input.hypothesis.begin(), input.hypothesis.end());
    backwards_.assign(input.hypothesis.rbegin(), input.hypothesis.rend());
    tokens_.assign(input.tokens.begin(), input.tokens.end());
    allowed_.assign(input.allowed.begin(), input.allowed.end());
    reference_ends_.assign(input.reference_ends.begin(), input.reference_ends.end());
    segments_.clear();
    size_t first = 0;
    for (int64_t last : input.segment_ends) {
        segments_.push_back({first, static_cast<size_t>(last)});
        first = static_cast<size_t>(last);
    }
    if (!reversed) return;
    hypothesis_.swap(backwards_);
    std::ranges::reverse(tokens_);
    std::ranges::reverse(allowed_);
    size_t count = reference_ends_.size();
    for (size_t i = 0; i < count; ++i)
        reference_ends_[i] =
            tokens_.size() - (i + 1 < count ? static_cast<size_t>(input.reference_ends[count - 2 - i]) : 0);
    std::ranges::reverse(segments_);
    for (Segment& segment : segments_) segment = {count - segment.last, count - segment.first};
}

Cuts Resegmenter::cut(const ResegmentInput& input, bool earliest, bool by_segments) {
    check(input);
    Cuts cuts;
    if (input.segment_ends.empty()) return cuts;
    read(input, earliest);
    masks_.reserve(vocabulary_);
    bool is_single = segments_.size() == reference_ends_.size() && !by_segments;
    cuts.ends = is_single ? by_alignment() : by_columns(false);
    if (!is_allowed(cuts.ends)) cuts.ends = by_columns(true);
    if (earliest) {
        cuts.ends.pop_back();
        std::ranges::reverse(cuts.ends);
        for (int64_t& end : cuts.ends) end = static_cast<int64_t>(hypothesis_.size()) - end;
        cuts.ends.push_back(static_cast<int64_t>(hypothesis_.size()));
    }
    size_t begin = 0;
    for (size_t s = 0; s < cuts.ends.size(); ++s) {
        size_t end = static_cast<size_t>(cuts.ends[s]);
        cuts.costs.push_back(cost_of(input, s, begin, end));
        begin = end;
    }
    if (!input.sides.empty()) move_over_punctuation(input, cuts);
    return cuts;
}

bool Resegmenter::is_allowed(std::span<const int64_t> ends) const {
    // The hypothesis may always be cut at its ends: a segment can be empty.
    return allowed_.empty() || std::ranges::all_of(ends, [&](int64_t end) {
               size_t at = static_cast<size_t>(end);
               return at == 0 || at == hypothesis_.size() || allowed_[at] != 0;
           });
}

// Each segment's end is the end of its last aligned token and of the insertions after it.
std::vector<int64_t> Resegmenter::by_alignment() {
    std::vector<int64_t> ends;
    size_t row = 0, column = 0;
    for (Edit edit : edits_.align_latest(hypothesis_, tokens_, vocabulary_)) {
        if (edit != Edit::Insertion) {
            while (reference_ends_[ends.size()] == column) ends.push_back(static_cast<int64_t>(row));
            ++column;
        }
        row += edit != Edit::Deletion;
    }
    ends.resize(segments_.size(), static_cast<int64_t>(hypothesis_.size()));
    return ends;
}

std::vector<int64_t> Resegmenter::by_columns(bool masked) {
    size_t count = segments_.size(), width = hypothesis_.size() + 1;
    constexpr size_t kFewValues = size_t{1}
                                  << 24;  // 64 MiB: up to this size all columns are stored and none is computed twice
    size_t block =
        count * width <= kFewValues ? count : static_cast<size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    std::vector<int64_t> ends(count, static_cast<int64_t>(hypothesis_.size()));
    // The columns before each block, then the columns within the current block.
    size_t blocks = (count + block - 1) / block;
    Buffer<int32_t> first_columns, block_columns;
    first_columns.reserve(blocks * width);
    block_columns.reserve((block + 1) * width);
    Buffer<int32_t> current_buffer, next_buffer;
    int32_t *current = current_buffer.reserve(width), *next = next_buffer.reserve(width);
    // The first segment begins at 0: tokens before its first aligned token are insertions.
    for (size_t j = 0; j < width; ++j) current[j] = masked && j > 0 ? kNotAllowed : static_cast<int32_t>(j);
    for (size_t s = 0; s < count; ++s) {
        if (s % block == 0) std::copy(current, current + width, first_columns.data() + s / block * width);
        if (s / block + 1 == blocks) break;  // the last block is computed again below
        next_column(s, width - 1, current, next, masked);
        std::swap(current, next);
    }
    for (size_t b = blocks; b-- > 0;) {
        size_t first = b * block, last = std::min(first + block, count), rows = static_cast<size_t>(ends[last - 1]);
        int32_t* columns = block_columns.data();
        std::copy(first_columns.data() + b * width, first_columns.data() + b * width + rows + 1, columns);
        for (size_t s = first; s < last; ++s)
            next_column(s, rows, columns + (s - first) * width, columns + (s - first + 1) * width, masked);
        for (size_t s = last; s-- > std::max(first, size_t{1});) {
            const int32_t* before = columns + (s - first) * width;
            size_t end = static_cast<size_t>(ends[s]);
            ends[s - 1] = static_cast<int64_t>(begin_of(s, end, before, before[width + end]));
        }
    }
    return ends;
}

// Computes the column after a segment, up to `rows` tokens.
void Resegmenter::next_column(size_t segment, size_t rows, const int32_t* before, int32_t* after, bool masked) {
    int32_t* column = column_.reserve(rows + 1);
    for (size_t r = segments_[segment].first; r < segments_[segment].last; ++r) {
        bool is_first = r == segments_[segment].first;
        int32_t* target = is_first ? after : column;
        if (masked) {
            masked_column(reference(r), rows, before, target);
        } else {
            bit_parallel_column(reference(r), rows, before, target);
        }
        if (!is_first)
            for (size_t j = 0; j <= rows; ++j) after[j] = std::min(after[j], column[j]);
    }
    if (masked)
        for (size_t j = 1; j < rows; ++j)
            if (allowed_[j] == 0) after[j] = kNotAllowed;
    // The block's last row is a position of the whole hypothesis, which may be forbidden.
    if (masked && rows > 0 && rows < hypothesis_.size() && allowed_[rows] == 0) after[rows] = kNotAllowed;
}

// Passes the differences of a column through a reference: carries get those of the column after it.
void Resegmenter::run_reference(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                uint8_t* carries) {
    for (size_t begin = 0; begin < reference.size(); begin += kStrip) {
        std::span<const uint32_t> strip = reference.subspan(begin, std::min(kStrip, reference.size() - begin));
        checkpoint(kCutRowWork * (hypothesis.size() + strip.size()));
        masks_.set(strip);
        size_t last = strip.size() - 1;
        uint64_t plus = ~uint64_t{0}, minus = 0;
        for (size_t j = 0; j < hypothesis.size(); ++j) {
            // One step of Hyyrö's algorithm, as in strip_rows.cpp. The differences leave at the last token of the
            // strip.
            uint64_t plus_in = carries[j] & 1, minus_in = carries[j] >> 1;
            uint64_t equal = masks_[hypothesis[j]] | minus_in;
            uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
            uint64_t right_plus = minus | ~(diagonal | plus), right_minus = diagonal & plus;
            carries[j] = static_cast<uint8_t>((right_plus >> last & 1) | (right_minus >> last & 1) << 1);
            right_plus = right_plus << 1 | plus_in;
            right_minus = right_minus << 1 | minus_in;
            plus = right_minus | ~(diagonal | right_plus);
            minus = right_plus & diagonal;
        }
        masks_.clear(strip);
    }
}

void Resegmenter::bit_parallel_column(std::span<const uint32_t> reference, size_t rows, const int32_t* before,
                                      int32_t* after) {
    uint8_t* carries = carries_.reserve(rows);
    for (size_t j = 0; j < rows; ++j) {
        int32_t difference = before[j + 1] - before[j];
        carries[j] = static_cast<uint8_t>((difference > 0 ? 1 : 0) | (difference < 0 ? 2 : 0));
    }
    run_reference(std::span(hypothesis_).first(rows), reference, carries);
    int32_t value = before[0] + static_cast<int32_t>(reference.size());
    after[0] = value;
    for (size_t j = 0; j < rows; ++j) {
        value += static_cast<int32_t>(carries[j] & 1) - static_cast<int32_t>(carries[j] >> 1);
        after[j + 1] = value;
    }
}

// Two reference tokens at a time: the second is one row behind the first, so the processor overlaps their steps.
void Resegmenter::masked_column(std::span<const uint32_t> reference, size_t rows, const int32_t* before,
                                int32_t* after) {
    after[0] = before[0];
    for (size_t j = 1; j <= rows; ++j) after[j] = std::min(before[j], after[j - 1] + 1);
    const uint32_t* hypothesis = hypothesis_.data();
    size_t i = 0;
    for (; i + 1 < reference.size(); i += 2) {
        checkpoint(2 * (rows + 1));
        uint32_t one = reference[i], two = reference[i + 1];
        // The values of the last row, before the first token, after it, and after the second.
        int32_t first = after[0], second = first + 1, third = first + 2;
        after[0] = third;
        int32_t waiting = second;  // after the first token, one row before `second`
        for (size_t j = 1; j <= rows; ++j) {
            uint32_t token = hypothesis[j - 1];
            int32_t old = after[j];
            waiting = second;
            second = std::min(std::min(first + static_cast<int32_t>(token != one), old + 1), second + 1);
            third = std::min(std::min(waiting + static_cast<int32_t>(token != two), second + 1), third + 1);
            first = old;
            after[j] = third;
        }
    }
    for (; i < reference.size(); ++i) {
        checkpoint(2 * (rows + 1));
        int32_t diagonal = after[0], left = ++after[0];
        for (size_t j = 1; j <= rows; ++j) {
            int32_t old = after[j];
            left = std::min(std::min(diagonal + static_cast<int32_t>(hypothesis[j - 1] != reference[i]), old + 1),
                            left + 1);
            diagonal = old;
            after[j] = left;
        }
    }
}

// Returns the last position where a segment can begin if it ends at `end` and its column there is `cost`.
size_t Resegmenter::begin_of(size_t segment, size_t end, const int32_t* before, int32_t cost) {
    size_t longest = 0;
    for (size_t r = segments_[segment].first; r < segments_[segment].last; ++r)
        longest = std::max(longest, reference(r).size());
    // Most segments are about as long as their references, so a short window suffices. It grows until it has the
    // position.
    for (size_t window = std::min(end, 2 * longest + kStrip);; window = std::min(end, 4 * window)) {
        size_t best = SIZE_MAX;  // the fewest tokens
        for (size_t r = segments_[segment].first; r < segments_[segment].last; ++r) {
            std::span<const uint32_t> tokens = reference(r);
            reversed_reference_.assign(tokens.rbegin(), tokens.rend());
            size_t rows = std::min(window, best);
            uint8_t* carries = carries_.reserve(rows);
            std::fill(carries, carries + rows, 1);
            run_reference(std::span(backwards_).subspan(hypothesis_.size() - end, rows), reversed_reference_, carries);
            int32_t distance = static_cast<int32_t>(tokens.size());
            for (size_t length = 0; length <= rows && length < best; ++length) {
                if (length > 0)
                    distance +=
                        static_cast<int32_t>(carries[length - 1] & 1) - static_cast<int32_t>(carries[length - 1] >> 1);
                if (before[end - length] + distance == cost) best = length;
            }
        }
        if (best != SIZE_MAX) return end - best;
        require(window < end, "no cut has the least cost");  // cannot happen
    }
}

int64_t Resegmenter::cost_of(const ResegmentInput& input, size_t segment, size_t begin, size_t end) {
    std::span<const uint32_t> piece = input.hypothesis.subspan(begin, end - begin);
    size_t first = segment > 0 ? static_cast<size_t>(input.segment_ends[segment - 1]) : 0, least = SIZE_MAX;
    for (size_t r = first; r < static_cast<size_t>(input.segment_ends[segment]); ++r) {
        size_t from = r > 0 ? static_cast<size_t>(input.reference_ends[r - 1]) : 0,
               to = static_cast<size_t>(input.reference_ends[r]);
        least = std::min(least, edits_.distance(piece, input.tokens.subspan(from, to - from), vocabulary_));
    }
    return static_cast<int64_t>(least);
}

void Resegmenter::move_over_punctuation(const ResegmentInput& input, Cuts& cuts) {
    auto can_cut = [&](size_t at) {
        return at == 0 || at == input.hypothesis.size() || input.allowed.empty() || input.allowed[at] != 0;
    };
    for (size_t s = 0; s + 1 < cuts.ends.size(); ++s) {
        size_t begin = s > 0 ? static_cast<size_t>(cuts.ends[s - 1]) : 0, end = static_cast<size_t>(cuts.ends[s + 1]);
        for (PunctuationSide side : {PunctuationSide::Closing, PunctuationSide::Opening}) {
            for (size_t moves = 1; moves <= kMostMoves; ++moves) {
                size_t cut = static_cast<size_t>(cuts.ends[s]), at = cut;
                bool is_closing = side == PunctuationSide::Closing;
                // A segment that has only punctuation keeps it.
                if (is_closing ? cut >= end || cut == begin : cut <= begin || cut == end) break;
                if (input.sides[is_closing ? cut : cut - 1] != side) break;
                at = is_closing ? cut + 1 : cut - 1;
                if (!can_cut(at)) break;
                int64_t left = cost_of(input, s, begin, at), right = cost_of(input, s + 1, at, end);
                if (left + right > cuts.costs[s] + cuts.costs[s + 1]) break;
                cuts.ends[s] = static_cast<int64_t>(at);
                cuts.costs[s] = left;
                cuts.costs[s + 1] = right;
            }
        }
    }
}

}  // namespace refscore
