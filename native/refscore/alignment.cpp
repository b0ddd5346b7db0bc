#include "alignment.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "text.hpp"
#include "vocabulary.hpp"

namespace refscore {
namespace {

// The common length right after a suffix: the next step() limits it.
constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();

bool is_single(uint64_t places) { return (places & (places - 1)) == 0; }

uint32_t first_place(uint64_t places) { return static_cast<uint32_t>(std::countr_zero(places)); }

// One word with its context on one side: the positions where this context occurs in the reference and the hypothesis, one bit
// each.
struct Context {
    uint64_t reference;
    uint64_t hypothesis;

    bool is_alive() const { return reference != 0; }
    bool is_unique() const { return reference != 0 && is_single(reference) && is_single(hypothesis); }
};

// Calls add(position, rank, begin, end) for each hypothesis word that has a counterpart in the reference. in_reference[i] and
// in_hypothesis[i] are the positions of hypothesis word i on each side.
template <class Add>
void align_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference, const uint64_t* in_hypothesis, Add add) {
    // Whether a word occurs in the reference is unpredictable, so the words are filtered without a branch.
    std::array<uint8_t, kMostPlaces> found;
    size_t count = 0;
    for (size_t i = 0; i < length; ++i) {
        found[count] = static_cast<uint8_t>(i);
        count += in_reference[i] != 0;
    }
    auto at = [&](size_t i) { return Context{in_reference[i], in_hypothesis[i]}; };
    for (size_t k = 0; k < count; ++k) {
        size_t i = found[k];
        Context left = at(i), right = left;
        if (left.is_unique()) {
            add(i, first_place(left.reference), i, i + 1);
            continue;
        }
        for (size_t width = 1; settings.tries(width, i, length); ++width) {
            bool goes_left = left.is_alive() && width <= i, goes_right = right.is_alive() && i + width < length;
            if (!goes_left && !goes_right) break;
            if (goes_left) {
                left.reference &= at(i - width).reference << width;
                left.hypothesis &= at(i - width).hypothesis << width;
            }
            if (goes_right) {
                right.reference &= at(i + width).reference >> width;
                right.hypothesis &= at(i + width).hypothesis >> width;
            }
            bool by_left = goes_left && left.is_unique(), by_right = goes_right && right.is_unique();
            if (by_left && (!by_right || settings.first == FirstContext::Left)) {
                add(i, first_place(left.reference), i - width, i + 1);
                break;
            }
            if (by_right) {
                add(i, first_place(right.reference), i, i + width + 1);
                break;
            }
        }
    }
}

}  // namespace

size_t rank_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference, const uint64_t* in_hypothesis,
                      uint32_t* ranks) {
    size_t count = 0;
    align_by_places(settings, length, in_reference, in_hypothesis,
                    [&](size_t, uint32_t rank, size_t, size_t) { ranks[count++] = rank; });
    return count;
}

void Aligner::Nearest::step(uint32_t common) {
    hypothesis = std::min(hypothesis, common);
    reference = std::min(reference, common);
    second = std::min(second, common);
}

void Aligner::Nearest::pass_hypothesis() { hypothesis = kAll; }

void Aligner::Nearest::pass_reference(uint32_t at) {
    second = reference;
    reference = kAll;
    place = at;
}

std::span<const AlignedWord> Aligner::align(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                            std::span<const uint32_t> reference, uint32_t vocabulary) {
    aligned_.reserve(hypothesis.size());
    vocabulary = renumberer_.renumber(hypothesis, reference, vocabulary);
    bool fits = hypothesis.size() <= kBits && reference.size() <= kBits;
    size_t count = fits ? align_short(settings, hypothesis, reference, vocabulary) : align_long(settings, hypothesis, reference, vocabulary);
    return {aligned_.data(), count};
}

// Positions are bits. A context occurs where the shifted positions of its words overlap, so one AND extends it by a word.
size_t Aligner::align_short(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                            uint32_t vocabulary) {
    uint64_t* in_reference = reference_places_.reserve(vocabulary + size_t{1});
    uint64_t* in_hypothesis = hypothesis_places_.reserve(vocabulary + size_t{1});
    std::fill(in_reference, in_reference + vocabulary + 1, 0);
    std::fill(in_hypothesis, in_hypothesis + vocabulary + 1, 0);
    size_t length = hypothesis.size(), count = 0;
    for (size_t p = 0; p < reference.size(); ++p) in_reference[reference[p]] |= uint64_t{1} << p;
    for (size_t i = 0; i < length; ++i) in_hypothesis[hypothesis[i]] |= uint64_t{1} << i;
    uint64_t* matches = matches_.reserve(2 * kBits);
    for (size_t i = 0; i < length; ++i) {
        matches[i] = in_reference[hypothesis[i]];
        matches[kBits + i] = in_hypothesis[hypothesis[i]];
    }
    align_by_places(settings, length, matches, matches + kBits, [&](size_t i, uint32_t rank, size_t begin, size_t end) {
        aligned_[count++] = {static_cast<uint32_t>(i), rank, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
    });
    return count;
}

// Whether every word that occurs in both is unique in both. Then single words decide, and no context is needed.
bool Aligner::words_suffice(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference, uint32_t vocabulary) {
    uint32_t* in_reference = counts_.reserve(2 * (vocabulary + size_t{1}));
    uint32_t* in_hypothesis = in_reference + vocabulary + 1;
    std::fill(in_reference, in_hypothesis + vocabulary + 1, 0);
    for (uint32_t word : reference) ++in_reference[word];
    for (uint32_t word : hypothesis) ++in_hypothesis[word];
    return std::all_of(hypothesis.begin(), hypothesis.end(),
                       [&](uint32_t word) { return in_reference[word] == 0 || (in_reference[word] == 1 && in_hypothesis[word] == 1); });
}

size_t Aligner::align_long(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                           uint32_t vocabulary) {
    size_t length = hypothesis.size(), reference_length = reference.size(), size = length + 1 + reference_length, count = 0;
    if (size > std::numeric_limits<int32_t>::max()) throw TooLarge();
    if (words_suffice(hypothesis, reference, vocabulary)) {
        uint32_t* place = counts_.data();
        for (size_t p = 0; p < reference_length; ++p) place[reference[p]] = static_cast<uint32_t>(p) + 1;
        place[kUnknown] = 0;
        for (size_t i = 0; i < length; ++i) {
            uint32_t here = static_cast<uint32_t>(i), found = place[hypothesis[i]];
            if (found != 0) aligned_[count++] = {here, found - 1, here, here + 1};
        }
        return count;
    }
    // Symbol 0 separates hypothesis and reference, so no common prefix spans both.
    uint32_t* sequence = sequence_.reserve(size);
    auto fill = [&](auto words, size_t at) {
        for (uint32_t word : words) sequence[at++] = word + 1;
    };
    sequence[length] = 0;
    fill(hypothesis, 0);
    fill(reference, length + 1);
    find_contexts(length, size, vocabulary, right_.reserve(length));
    std::reverse(sequence, sequence + length);
    std::reverse(sequence + length + 1, sequence + size);
    find_contexts(length, size, vocabulary, left_.reserve(length));
    for (size_t i = 0; i < length; ++i) {
        Found right = right_[i], left = left_[length - 1 - i];
        if (left.length > 1 && !settings.tries(left.length - size_t{1}, i, length)) left.length = 0;
        bool either = left.length > 0 && right.length > 0;
        bool by_left = either ? left.length < right.length || (left.length == right.length && settings.first == FirstContext::Left)
                              : left.length > 0;
        uint32_t here = static_cast<uint32_t>(i);
        if (by_left) {
            aligned_[count++] = {here, static_cast<uint32_t>(reference_length - 1) - left.rank, here + 1 - left.length, here + 1};
        } else if (right.length > 0) {
            aligned_[count++] = {here, right.rank, here, here + right.length};
        }
    }
    return count;
}

// For each suffix of the hypothesis, finds the length of the shortest prefix that occurs exactly once on each side. Occurrences
// of a prefix are neighbours in suffix order, so only the nearest suffixes on each side matter. The prefix must be longer than
// what it shares with any other hypothesis suffix, and with the second-nearest reference suffix.
void Aligner::find_contexts(size_t hypothesis_size, size_t size, uint32_t vocabulary, Found* found) {
    order_.build({sequence_.data(), size}, vocabulary + 2);
    nearest_.reserve(hypothesis_size);
    Nearest nearest;
    for (size_t k = 0; k < size; ++k) {
        if (k > 0) nearest.step(order_.common(k));
        uint32_t suffix = order_.suffix(k);
        if (suffix < hypothesis_size) {
            nearest_[suffix] = nearest;
            nearest.pass_hypothesis();
        } else if (suffix > hypothesis_size) {
            nearest.pass_reference(suffix - static_cast<uint32_t>(hypothesis_size) - 1);
        }
    }
    nearest = {};
    for (size_t k = size; k-- > 0;) {
        if (k + 1 < size) nearest.step(order_.common(k + 1));
        uint32_t suffix = order_.suffix(k);
        if (suffix < hypothesis_size) {
            const Nearest& other = nearest_[suffix];
            uint32_t longest = std::max(nearest.reference, other.reference);
            uint32_t repeated = std::max({nearest.hypothesis, other.hypothesis, std::min(nearest.reference, other.reference),
                                          nearest.second, other.second});
            found[suffix] = {repeated < longest ? repeated + 1 : 0, nearest.reference > other.reference ? nearest.place : other.place};
            nearest.pass_hypothesis();
        } else if (suffix > hypothesis_size) {
            nearest.pass_reference(suffix - static_cast<uint32_t>(hypothesis_size) - 1);
        }
    }
}

}  // namespace refscore
