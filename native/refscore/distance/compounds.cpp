#include "refscore/distance/compounds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "refscore/base/input_error.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// For checkpoint(): nanoseconds per step, by order of magnitude.
constexpr size_t kCompoundWork = 1;

// SequenceMatcher ignores frequent words of long sequences: those with more than 1 % of at least 200 words.
constexpr size_t kLong = 200, kFrequent = 100;

void append(Words& side, const Words& from, size_t first, size_t end) {
    std::string_view text = from.text_of(first, end);
    side.text.insert(side.text.end(), text.begin(), text.end());
    side.ends.push_back(static_cast<uint32_t>(side.text.size()));
    side.sizes.push_back(static_cast<uint32_t>(end - first));
}

}  // namespace

void Words::clear() {
    numbers.clear();
    ends.clear();
    text.clear();
    sizes.clear();
}

void Words::add(uint32_t number, const Token& token, const uint8_t* arena) {
    if (token.size == 0)
        throw InputError(std::nullopt, "a token is empty, so it cannot be part of a compound", "remove empty tokens");
    size_t begin = text.size();
    text.resize(begin + std::max(token.size, Token::kInline));
    copy_token(token, arena, text.data() + begin);
    text.resize(begin + token.size);
    numbers.push_back(number);
    ends.push_back(static_cast<uint32_t>(text.size()));
    sizes.push_back(1);
}

// Returns the index in `places` of the words that equal a text, or kNone. The first search for a word fills its entry.
uint32_t CompoundFinder::equal_words(const Words& wholes, uint32_t bucket, std::string_view text) {
    for (uint32_t word = first_[bucket]; word != kNone; word = next_[word]) {
        if (wholes[word] != text) continue;
        if (equal_[word] == kNone) {
            auto index = static_cast<uint32_t>(places.size());
            std::vector<uint32_t>& equal = places.emplace_back();
            for (uint32_t other = word; other != kNone; other = next_[other])
                if (wholes[other] == text) {
                    equal_[other] = index;
                    equal.push_back(other);
                }
        }
        return equal_[word];
    }
    return kNone;
}

void CompoundFinder::find(const Words& parts, const Words& wholes) {
    compounds.clear();
    places.clear();
    if (parts.size() < 2 || wholes.size() == 0) return;
    used_.clear();
    std::fill(std::begin(first_), std::end(first_), kNone);
    std::fill(std::begin(initials_), std::end(initials_), 0);
    next_.assign(wholes.size(), kNone);
    equal_.assign(wholes.size(), kNone);
    last_.assign(kBuckets, kNone);
    auto count = static_cast<uint32_t>(wholes.size());
    for (uint32_t word = 0; word < count; ++word) {
        std::string_view text = wholes[word];
        uint32_t bucket = std::min(static_cast<uint32_t>(text.size()), kBuckets - 1);
        if (first_[bucket] == kNone) {
            first_[bucket] = word;
            used_.push_back(bucket);
        } else {
            next_[last_[bucket]] = word;
        }
        last_[bucket] = word;
        initials_[bucket] |= uint64_t{1} << (static_cast<uint8_t>(text[0]) & 63);
    }
    uint32_t* starts = starts_.reserve(parts.text.size());
    std::memset(starts, 0, parts.text.size() * sizeof(uint32_t));
    for (uint32_t word = 0; word < parts.size(); ++word) starts[parts.begin(word)] = word + 1;
    auto try_size = [&](uint32_t end, uint32_t bucket, uint32_t size) {
        if (parts.ends[end - 1] < size) return;
        uint32_t begin = parts.ends[end - 1] - size;
        if (starts[begin] == 0 || starts[begin] >= end) return;  // not the beginning of a word, or only one word
        if ((initials_[bucket] >> (parts.text[begin] & 63) & 1) == 0) return;
        uint32_t first = starts[begin] - 1;
        uint32_t equal = equal_words(wholes, bucket, parts.text_of(first, end));
        if (equal != kNone) compounds.push_back({end, end - first, equal});
    };
    for (uint32_t end = 2; end <= parts.size(); ++end) {
        checkpoint(used_.size() * kCompoundWork);
        for (uint32_t bucket : used_) {
            if (bucket < kBuckets - 1) {
                try_size(end, bucket, bucket);
                continue;
            }
            for (uint32_t word = first_[bucket]; word != kNone; word = next_[word]) {
                // A word that repeats would give the same compound again.
                auto size = static_cast<uint32_t>(wholes[word].size());
                bool is_known = false;
                for (size_t k = compounds.size(); k > 0 && compounds[k - 1].end == end && !is_known; --k)
                    is_known = parts.text_of(end - compounds[k - 1].size, end).size() == size;
                if (!is_known) try_size(end, bucket, size);
            }
        }
    }
}

// Lists the positions of each number, except of frequent words.
void RegionJoiner::index(const Words& side, uint32_t numbers) {
    begins_.assign(numbers + 2, 0);
    for (uint32_t number : side.numbers) ++begins_[number + 1];
    if (side.size() >= kLong)
        for (uint32_t number = 1; number <= numbers; ++number)
            if (begins_[number + 1] > side.size() / kFrequent + 1) begins_[number + 1] = 0;
    std::vector<bool> is_left_out(numbers + 1, false);
    is_left_out[0] = true;
    for (uint32_t number = 1; number <= numbers; ++number) is_left_out[number] = begins_[number + 1] == 0;
    begins_[1] = 0;
    for (uint32_t number = 1; number <= numbers; ++number) begins_[number + 1] += begins_[number];
    places_.resize(begins_[numbers + 1]);
    std::vector<uint32_t> at(begins_.begin(), begins_.end() - 1);
    for (uint32_t j = 0; j < side.size(); ++j)
        if (uint32_t number = side.numbers[j]; !is_left_out[number]) places_[at[number]++] = j;
}

// The longest run of equal words within a range; of several, the first in the reference, then in the hypothesis.
RegionJoiner::Match RegionJoiner::longest_match(const Words& left, const Words& right, const Range& range) {
    Match best{range.from, range.other_from, 0};
    touched_.clear();
    for (size_t i = range.from; i < range.to; ++i) {
        next_touched_.clear();
        uint32_t number = left.numbers[i];
        checkpoint((begins_[number + 1] - begins_[number] + 1) * kCompoundWork);
        for (uint32_t k = begins_[number]; k < begins_[number + 1]; ++k) {
            uint32_t j = places_[k];
            if (j < range.other_from) continue;
            if (j >= range.other_to) break;
            uint32_t length = (j == 0 ? 0 : lengths_[j - 1]) + 1;
            next_lengths_[j] = length;
            next_touched_.push_back(j);
            if (length > best.size) best = {i + 1 - length, j + 1 - length, length};
        }
        for (uint32_t j : touched_) lengths_[j] = 0;
        std::swap(lengths_, next_lengths_);
        std::swap(touched_, next_touched_);
    }
    for (uint32_t j : touched_) lengths_[j] = 0;
    // Frequent words have no positions, but may extend the run.
    auto equal = [&](size_t i, size_t j) { return left.numbers[i] == right.numbers[j]; };
    while (best.reference > range.from && best.hypothesis > range.other_from &&
           equal(best.reference - 1, best.hypothesis - 1)) {
        --best.reference;
        --best.hypothesis;
        ++best.size;
    }
    while (best.reference + best.size < range.to && best.hypothesis + best.size < range.other_to &&
           equal(best.reference + best.size, best.hypothesis + best.size))
        ++best.size;
    return best;
}

bool RegionJoiner::join(const Words& original_hypothesis, const Words& original_reference,
                        uint32_t original_vocabulary) {
    const Words &left = original_reference, &right = original_hypothesis;
    index(right, original_vocabulary);
    lengths_.assign(right.size(), 0);
    next_lengths_.assign(right.size(), 0);
    matches_.clear();
    ranges_.assign(1, {0, left.size(), 0, right.size()});
    while (!ranges_.empty()) {
        Range range = ranges_.back();
        ranges_.pop_back();
        Match match = longest_match(left, right, range);
        if (match.size == 0) continue;
        matches_.push_back(match);
        if (range.from < match.reference && range.other_from < match.hypothesis)
            ranges_.push_back({range.from, match.reference, range.other_from, match.hypothesis});
        size_t end = match.reference + match.size, other_end = match.hypothesis + match.size;
        if (end < range.to && other_end < range.other_to) ranges_.push_back({end, range.to, other_end, range.other_to});
    }
    std::sort(matches_.begin(), matches_.end());
    matches_.push_back({left.size(), right.size(), 0});

    hypothesis.clear();
    reference.clear();
    bool has_joined = false;
    size_t i = 0, j = 0;
    for (const Match& match : matches_) {
        bool is_same = i < match.reference && j < match.hypothesis &&
                       left.text_of(i, match.reference) == right.text_of(j, match.hypothesis);
        if (is_same) {
            has_joined = true;
            append(reference, left, i, match.reference);
            append(hypothesis, right, j, match.hypothesis);
        } else {
            for (; i < match.reference; ++i) append(reference, left, i, i + 1);
            for (; j < match.hypothesis; ++j) append(hypothesis, right, j, j + 1);
        }
        i = match.reference;
        j = match.hypothesis;
        for (size_t k = 0; k < match.size; ++k, ++i, ++j) {
            append(reference, left, i, i + 1);
            append(hypothesis, right, j, j + 1);
        }
    }
    if (!has_joined) return false;
    // A joined word may equal other words.
    std::unordered_map<std::string_view, uint32_t> numbers;
    for (size_t word = 0; word < reference.ends.size(); ++word)
        reference.numbers.push_back(
            numbers.try_emplace(reference[word], static_cast<uint32_t>(numbers.size() + 1)).first->second);
    for (size_t word = 0; word < hypothesis.ends.size(); ++word) {
        auto known = numbers.find(hypothesis[word]);
        hypothesis.numbers.push_back(known == numbers.end() ? kUnknown : known->second);
    }
    vocabulary = static_cast<uint32_t>(numbers.size());
    return true;
}

}  // namespace refscore
