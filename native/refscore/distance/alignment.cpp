#include "refscore/distance/alignment.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "refscore/segments/vocabulary.hpp"
#include "refscore/text/text.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// The common length right after a suffix: the next step() limits it.
constexpr uint32_t kAll = std::numeric_limits<uint32_t>::max();

// Contexts to extend per word before the suffixes are sorted, which takes as long as extending 16 contexts per word.
// The total time is therefore at most twice that of the faster method. Most words of natural text need fewer than 4.
constexpr size_t kMostGrowth = 16;
constexpr size_t kGrowthWork = 8;  // nanoseconds per context, for checkpoint(); only the order of magnitude matters

bool is_single(uint64_t places) { return (places & (places - 1)) == 0; }

uint32_t first_place(uint64_t places) { return static_cast<uint32_t>(std::countr_zero(places)); }

// One word with its context on one side: the positions where this context occurs in the reference and the hypothesis,
// one bit each.
struct Context {
    uint64_t reference;
    uint64_t hypothesis;

    bool is_alive() const { return reference != 0; }
    bool is_unique() const { return reference != 0 && is_single(reference) && is_single(hypothesis); }
};

// Calls add(position, rank, begin, end) for each hypothesis word that has a counterpart in the reference.
// in_reference[i] and in_hypothesis[i] are the positions of hypothesis word i on each side.
template <class Add>
void align_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference,
                     const uint64_t* in_hypothesis, Add add) {
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

size_t rank_by_places(const AlignmentSettings& settings, size_t length, const uint64_t* in_reference,
                      const uint64_t* in_hypothesis, uint32_t* ranks) {
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
                                            std::span<const uint32_t> reference, uint32_t vocabulary,
                                            const uint64_t* places) {
    aligned_.reserve(hypothesis.size());
    vocabulary = renumberer_.renumber(hypothesis, reference, vocabulary);
    bool fits = hypothesis.size() <= kBits && reference.size() <= kBits;
    if (fits) return {aligned_.data(), align_short(settings, hypothesis, reference, vocabulary, places)};
    std::optional<size_t> count = align_by_growth(settings, hypothesis, reference, vocabulary);
    return {aligned_.data(), count ? *count : align_by_suffixes(settings, hypothesis, reference, vocabulary)};
}

// Positions are bits. A context occurs where the shifted positions of its words overlap, so one AND extends it by a
// word.
size_t Aligner::align_short(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                            std::span<const uint32_t> reference, uint32_t vocabulary, const uint64_t* places) {
    const uint64_t* in_reference = places;
    uint64_t* in_hypothesis = hypothesis_places_.reserve(vocabulary + size_t{1});
    std::fill(in_hypothesis, in_hypothesis + vocabulary + 1, 0);
    size_t length = hypothesis.size(), count = 0;
    if (places == nullptr) {
        uint64_t* found = reference_places_.reserve(vocabulary + size_t{1});
        std::fill(found, found + vocabulary + 1, 0);
        for (size_t p = 0; p < reference.size(); ++p) found[reference[p]] |= uint64_t{1} << p;
        in_reference = found;
    }
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

// Numbers the contexts of one more word and aligns the words with a unique context. A context is dropped if the
// reference lacks it, if it is unique, or if all its words are aligned.
template <FirstContext kSide>
void Aligner::grow(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                   std::span<const uint32_t> reference, size_t length) {
    constexpr bool kLeft = kSide == FirstContext::Left;
    Contexts& contexts = contexts_[static_cast<size_t>(kSide)];
    Tally* tallies = contexts.tallies.data();
    Place *in_hypothesis = contexts.hypothesis.data(), *in_reference = contexts.reference.data();
    for (size_t k = 0; k < contexts.hypothesis_size; ++k)
        tallies[in_hypothesis[k].context].is_open |= aligned_[in_hypothesis[k].position].end == 0;
    // What becomes of a context is unpredictable, so places are filtered without a branch.
    auto filter = [&](Place* places, size_t& size, size_t words) {
        size_t left = 0;
        for (size_t k = 0; k < size; ++k) {
            Place place = places[k];
            bool fits = kLeft ? place.position + size_t{1} >= length : place.position + length <= words;
            places[left] = place;
            left += fits & (tallies[place.context].is_open != 0);
        }
        size = left;
    };
    filter(in_hypothesis, contexts.hypothesis_size, hypothesis.size());
    filter(in_reference, contexts.reference_size, reference.size());
    auto last_word = [&](std::span<const uint32_t> words, uint32_t position) {
        return words[kLeft ? position - (length - 1) : position + (length - 1)];
    };
    numbers_.start(contexts.reference_size);
    std::fill_n(tallies, contexts.reference_size + 1, Tally{});
    for (size_t k = 0; k < contexts.reference_size; ++k) {
        Place& place = in_reference[k];
        place.context = numbers_.add(place.context, last_word(reference, place.position));
        Tally& tally = tallies[place.context];
        ++tally.reference;
        tally.rank = place.position;
    }
    for (size_t k = 0; k < contexts.hypothesis_size; ++k) {
        Place& place = in_hypothesis[k];
        place.context = numbers_.find(place.context, last_word(hypothesis, place.position));
        ++tallies[place.context].hypothesis;
    }
    size_t left = 0;
    for (size_t k = 0; k < contexts.hypothesis_size; ++k) {
        Place place = in_hypothesis[k];
        const Tally& tally = tallies[place.context];
        AlignedWord& word = aligned_[place.position];
        if (tally.is_unique() && word.end == 0 &&
            (!kLeft || settings.tries(length - 1, place.position, hypothesis.size()))) {
            uint32_t size = static_cast<uint32_t>(length);
            word.rank = tally.rank;
            word.begin = kLeft ? place.position + 1 - size : place.position;
            word.end = word.begin + size;
        }
        in_hypothesis[left] = place;
        left += (tally.reference > 0) & !tally.is_unique();
    }
    contexts.hypothesis_size = left;
}

// Returns nothing if the contexts would have to grow for too long.
std::optional<size_t> Aligner::align_by_growth(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                               std::span<const uint32_t> reference, uint32_t vocabulary) {
    size_t length = hypothesis.size();
    Contexts& contexts = contexts_[0];
    Tally* tallies = contexts.tallies.reserve(std::max<size_t>(vocabulary, reference.size()) + 1);
    std::fill_n(tallies, vocabulary + size_t{1}, Tally{});
    for (size_t p = 0; p < reference.size(); ++p) {
        Tally& tally = tallies[reference[p]];
        ++tally.reference;
        tally.rank = static_cast<uint32_t>(p);
    }
    for (uint32_t word : hypothesis) ++tallies[word].hypothesis;
    Place* places = contexts.hypothesis.reserve(length);
    size_t left = 0;
    for (size_t i = 0; i < length; ++i) {
        const Tally& tally = tallies[hypothesis[i]];
        uint32_t here = static_cast<uint32_t>(i);
        aligned_[i] = {here, tally.rank, here, tally.is_unique() ? here + 1 : 0};  // end 0: not aligned
        places[left] = {here, hypothesis[i]};
        left += (tally.reference > 0) & !tally.is_unique();
    }
    contexts.hypothesis_size = left;
    places = contexts.reference.reserve(reference.size());
    left = 0;
    for (size_t p = 0; p < reference.size(); ++p) {
        const Tally& tally = tallies[reference[p]];
        places[left] = {static_cast<uint32_t>(p), reference[p]};
        left += (tally.hypothesis > 0) & !tally.is_unique();
    }
    contexts.reference_size = left;
    Contexts& other = contexts_[1];
    other.hypothesis_size = contexts.hypothesis_size;
    other.reference_size = contexts.reference_size;
    std::copy_n(contexts.hypothesis.data(), other.hypothesis_size, other.hypothesis.reserve(length));
    std::copy_n(contexts.reference.data(), other.reference_size, other.reference.reserve(reference.size()));
    std::copy_n(tallies, vocabulary + size_t{1},
                other.tallies.reserve(std::max<size_t>(vocabulary, reference.size()) + 1));

    size_t work = kMostGrowth * (length + reference.size());
    auto grow_side = [&](FirstContext side, size_t words) {
        const Contexts& own = contexts_[static_cast<size_t>(side)];
        if (own.is_done()) return true;
        if (own.size() > work) return false;
        work -= own.size();
        checkpoint(kGrowthWork * own.size());
        side == FirstContext::Left ? grow<FirstContext::Left>(settings, hypothesis, reference, words)
                                   : grow<FirstContext::Right>(settings, hypothesis, reference, words);
        return true;
    };
    // The preferred side grows first, so it wins if both contexts become unique at the same width.
    FirstContext second = settings.first == FirstContext::Left ? FirstContext::Right : FirstContext::Left;
    for (size_t words = 2; !contexts_[0].is_done() || !contexts_[1].is_done(); ++words)
        if (!grow_side(settings.first, words) || !grow_side(second, words)) return std::nullopt;
    size_t count = 0;
    for (size_t i = 0; i < length; ++i) {
        AlignedWord word = aligned_[i];
        aligned_[count] = word;
        count += word.end != 0;
    }
    return count;
}

size_t Aligner::align_by_suffixes(const AlignmentSettings& settings, std::span<const uint32_t> hypothesis,
                                  std::span<const uint32_t> reference, uint32_t vocabulary) {
    size_t length = hypothesis.size(), reference_length = reference.size(), size = length + 1 + reference_length,
           count = 0;
    if (size > std::numeric_limits<int32_t>::max()) throw TooLarge();
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
        bool by_left =
            either ? left.length < right.length || (left.length == right.length && settings.first == FirstContext::Left)
                   : left.length > 0;
        uint32_t here = static_cast<uint32_t>(i);
        if (by_left) {
            aligned_[count++] = {here, static_cast<uint32_t>(reference_length - 1) - left.rank, here + 1 - left.length,
                                 here + 1};
        } else if (right.length > 0) {
            aligned_[count++] = {here, right.rank, here, here + right.length};
        }
    }
    return count;
}

// For each suffix of the hypothesis, finds the length of the shortest prefix that occurs exactly once on each side.
// Occurrences of a prefix are neighbours in suffix order, so only the nearest suffixes on each side matter. The prefix
// must be longer than what it shares with any other hypothesis suffix, and with the second-nearest reference suffix.
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
            uint32_t repeated = std::max({nearest.hypothesis, other.hypothesis,
                                          std::min(nearest.reference, other.reference), nearest.second, other.second});
            found[suffix] = {repeated < longest ? repeated + 1 : 0,
                             nearest.reference > other.reference ? nearest.place : other.place};
            nearest.pass_hypothesis();
        } else if (suffix > hypothesis_size) {
            nearest.pass_reference(suffix - static_cast<uint32_t>(hypothesis_size) - 1);
        }
    }
}

}  // namespace refscore
