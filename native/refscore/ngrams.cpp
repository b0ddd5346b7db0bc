#include "ngrams.hpp"

#include <algorithm>

#include "cpu_dispatch.hpp"
#include "preconditions.hpp"
#include "stopping.hpp"

namespace refscore {
namespace {

// Bits in a machine word: one per reference position.
constexpr size_t kWordBits = 64;
// 8 words are 512 bits, one cache line and one AVX-512 register. Longer references are hashed. Chosen by size; results do not depend on it.
constexpr size_t kMostWords = 8;
constexpr size_t kCommonOrder = NgramCounter::kCommonOrder;
constexpr size_t kFewReferences = 4;  // one 64-bit word each: one AVX2 register

// For checkpoint(): tokens between two calls, and nanoseconds per token of one order in the hash table. Only the order of magnitude
// matters.
constexpr size_t kTogether = 256, kTokenWork = 16;

template <size_t kWords>
struct Bits {
    uint64_t words[kWords];

    static Bits load(const uint64_t* from) {
        Bits bits;
        std::memcpy(bits.words, from, sizeof(bits.words));
        return bits;
    }
    void store(uint64_t* to) const { std::memcpy(to, words, sizeof(words)); }

    bool any() const {
        uint64_t all = 0;
        for (size_t w = 0; w < kWords; ++w) all |= words[w];
        return all != 0;
    }
    // The bits that are set here and, one position lower, in `before`.
    Bits following(const Bits& before) const {
        Bits result;
        uint64_t carry = 0;
        for (size_t w = 0; w < kWords; ++w) {
            result.words[w] = words[w] & (before.words[w] << 1 | carry);
            carry = before.words[w] >> 63;
        }
        return result;
    }
    Bits without(const Bits& other) const {
        Bits result;
        for (size_t w = 0; w < kWords; ++w) result.words[w] = words[w] & ~other.words[w];
        return result;
    }
    // Sets the lowest bit of `from` within `field`, if there is one.
    void take_lowest(const Bits& from, const uint64_t* field) {
        for (size_t w = 0; w < kWords; ++w) {
            uint64_t inside = from.words[w] & field[w];
            words[w] |= inside & (~inside + 1);
            if (inside != 0) return;
        }
    }
};

// For references of at most 64 tokens, one machine word each, and the most common order: all state is in registers, without
// branches.
template <size_t kReferences>
REFSCORE_INLINE void count_in_words(std::span<const uint32_t> hypothesis, const uint64_t* masks, int64_t* matches) {
    uint64_t found[kCommonOrder][kReferences] = {}, used[kCommonOrder][kReferences] = {};
    int64_t counts[kCommonOrder] = {};
    for (uint32_t token : hypothesis) {
        const uint64_t* here = masks + token * kReferences;
        for (size_t n = kCommonOrder; n-- > 0;) {
            uint64_t any = 0;
            for (size_t r = 0; r < kReferences; ++r) {
                found[n][r] = n == 0 ? here[r] : here[r] & (found[n - 1][r] << 1);
                uint64_t free = found[n][r] & ~used[n][r];
                used[n][r] |= free & (~free + 1);
                any |= free;
            }
            counts[n] += any != 0;
        }
    }
    std::copy(counts, counts + kCommonOrder, matches);
}

void count_in_words_1(std::span<const uint32_t> hypothesis, const uint64_t* masks, int64_t* matches) {
    count_in_words<1>(hypothesis, masks, matches);
}
void count_in_words_4(std::span<const uint32_t> hypothesis, const uint64_t* masks, int64_t* matches) {
    count_in_words<kFewReferences>(hypothesis, masks, matches);
}
#ifdef REFSCORE_X86
REFSCORE_TARGET_AVX2 void count_in_words_4_avx2(std::span<const uint32_t> hypothesis, const uint64_t* masks, int64_t* matches) {
    count_in_words<kFewReferences>(hypothesis, masks, matches);
}
#endif

const auto best_count_in_words_4 = best_function(&count_in_words_4, REFSCORE_IF_X86(&count_in_words_4_avx2));

// Whether the vocabulary mainly belongs to other references. Clearing single entries is then cheaper than clearing everything: a
// memset is several times faster per entry. The factor of 4 is an estimate.
bool is_sparse(std::span<const uint32_t> hypothesis, const NumberedReferences& references) {
    return references.vocabulary_size / 4 > hypothesis.size() + references.tokens.size();
}

template <class Take>
void for_each_token(std::span<const uint32_t> hypothesis, const NumberedReferences& references, Take take) {
    for (uint32_t token : hypothesis) take(token);
    for (uint32_t token : references.tokens) take(token);
}

}  // namespace

template <size_t kWords, class Take>
void NgramCounter::find_in_bits(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take) {
    // References are concatenated with a gap of one position, so no n-gram spans two of them.
    uint64_t* masks = clear_masks(hypothesis, references, kWords);
    const uint32_t* token = references.tokens.data();
    size_t position = 0;
    for (uint32_t length : references.lengths) {
        for (uint32_t i = 0; i < length; ++i, ++position) masks[*token++ * kWords + position / kWordBits] |= uint64_t{1} << position % kWordBits;
        ++position;
    }
    size_t count = references.lengths.size();
    uint64_t* fields = fields_.reserve(count * kWords);
    std::memset(fields, 0, count * kWords * sizeof(uint64_t));
    position = 0;
    for (size_t r = 0; r < count; ++r) {
        for (uint32_t i = 0; i < references.lengths[r]; ++i, ++position)
            fields[r * kWords + position / kWordBits] |= uint64_t{1} << position % kWordBits;
        ++position;
    }
    uint64_t* found = found_.reserve(max_order * kWords);
    uint64_t* used = used_.reserve(max_order * kWords);
    std::memset(used, 0, max_order * kWords * sizeof(uint64_t));
    using Set = Bits<kWords>;
    size_t depth = 0;  // the number of orders for which the n-gram ending at the previous token occurs
    for (size_t end = 0; end < hypothesis.size(); ++end) {
        if (end % kTogether == 0) checkpoint(kTogether * kWords * std::min(max_order, references.tokens.size()));
        Set here = Set::load(masks + hypothesis[end] * kWords);
        Set ngram = here;
        Set shorter{};
        size_t n = 0;
        for (; n < max_order; ++n) {
            if (n > 0) ngram = n <= depth ? here.following(shorter) : Set{};
            if (!ngram.any()) break;
            if (n < depth) shorter = Set::load(found + n * kWords);
            ngram.store(found + n * kWords);
            Set taken = Set::load(used + n * kWords);
            Set free = ngram.without(taken);
            if (!free.any()) continue;
            take(n, end);
            for (size_t r = 0; r < count; ++r) taken.take_lowest(free, fields + r * kWords);
            taken.store(used + n * kWords);
        }
        depth = n;
    }
}

template <class Take>
void NgramCounter::find_by_number(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take) {
    size_t reference_size = references.tokens.size();
    // Open addressing with at most half the slots in use keeps probe sequences short. A power of two, for the mask.
    size_t slots = 16;
    while (slots < 2 * reference_size) slots *= 2;
    size_t mask = slots - 1;
    uint64_t* keys = keys_.reserve(slots);
    uint32_t* numbers = numbers_.reserve(slots);
    Tally* tallies = tallies_.reserve(std::max<size_t>(reference_size, references.vocabulary_size) + 1);
    uint32_t* reference_ngrams = reference_ngrams_.reserve(reference_size);
    uint32_t* hypothesis_ngrams = hypothesis_ngrams_.reserve(hypothesis.size());

    // ngrams[i] is the number of the n-gram that begins at i, or kUnknown. For order 1 it is the token.
    std::copy(references.tokens.begin(), references.tokens.end(), reference_ngrams);
    std::copy(hypothesis.begin(), hypothesis.end(), hypothesis_ngrams);
    uint32_t known = references.vocabulary_size;
    for (size_t n = 1; n <= max_order && n <= hypothesis.size(); ++n) {
        auto slot_of = [&](uint64_t key) {
            size_t slot = fold_multiply(key ^ kSeeds.first, kSeeds.second) & mask;
            while (numbers[slot] != kUnknown && keys[slot] != key) slot = (slot + 1) & mask;
            return slot;
        };
        if (n > 1) {
            checkpoint(kTokenWork * reference_size);
            std::memset(numbers, 0, slots * sizeof(uint32_t));
            known = 0;
            size_t begin = 0;
            for (uint32_t length : references.lengths) {
                for (size_t i = begin; i + n <= begin + length; ++i) {
                    uint64_t key = static_cast<uint64_t>(reference_ngrams[i]) << 32 | references.tokens[i + n - 1];
                    size_t slot = slot_of(key);
                    if (numbers[slot] == kUnknown) {
                        keys[slot] = key;
                        numbers[slot] = ++known;
                    }
                    reference_ngrams[i] = numbers[slot];
                }
                begin += length;
            }
            checkpoint(kTokenWork * hypothesis.size());
            for (size_t i = 0; i + n <= hypothesis.size(); ++i) {
                uint32_t prefix = hypothesis_ngrams[i], last = hypothesis[i + n - 1];
                if (prefix == kUnknown || last == kUnknown) {
                    hypothesis_ngrams[i] = kUnknown;
                } else {
                    hypothesis_ngrams[i] = numbers[slot_of(static_cast<uint64_t>(prefix) << 32 | last)];
                }
            }
        }
        checkpoint(kTokenWork * reference_size);
        if (n == 1 && is_sparse(hypothesis, references)) {
            for_each_token(hypothesis, references, [&](uint32_t token) { tallies[token] = {}; });
        } else {
            std::memset(static_cast<void*>(tallies), 0, (known + size_t{1}) * sizeof(Tally));
        }
        size_t begin = 0;
        for (uint32_t r = 0; r < references.lengths.size(); ++r) {
            uint32_t length = references.lengths[r];
            for (size_t i = begin; i + n <= begin + length; ++i) {
                Tally& tally = tallies[reference_ngrams[i]];
                if (tally.reference != r + 1) tally.reference = r + 1, tally.here = 0;
                tally.most = std::max(tally.most, ++tally.here);
            }
            begin += length;
        }
        checkpoint(kTokenWork * hypothesis.size());
        bool any = false;
        for (size_t i = 0; i + n <= hypothesis.size(); ++i)
            if (hypothesis_ngrams[i] != kUnknown) {
                Tally& tally = tallies[hypothesis_ngrams[i]];
                if (tally.hypothesis++ >= tally.most) continue;
                take(n - 1, i + n - 1);
                any = true;
            }
        if (!any) break;
    }
}

uint64_t* NgramCounter::clear_masks(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words) {
    size_t size = (references.vocabulary_size + size_t{1}) * words;
    uint64_t* masks = masks_.reserve(size);
    if (is_sparse(hypothesis, references)) {
        for_each_token(hypothesis, references, [&](uint32_t token) { std::memset(masks + token * words, 0, words * sizeof(uint64_t)); });
    } else {
        std::memset(masks, 0, size * sizeof(uint64_t));
    }
    return masks;
}

const uint64_t* NgramCounter::masks_by_reference(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t words) {
    uint64_t* masks = clear_masks(hypothesis, references, words);
    const uint32_t* token = references.tokens.data();
    for (size_t r = 0; r < references.lengths.size(); ++r)
        for (uint32_t i = 0; i < references.lengths[r]; ++i) masks[*token++ * words + r] |= uint64_t{1} << i;
    return masks;
}

void NgramCounter::count(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, int64_t* matches) {
    size_t count = references.lengths.size();
    require(count > 0, kNoReference);
    if (max_order == kCommonOrder && count <= kFewReferences &&
        *std::max_element(references.lengths.begin(), references.lengths.end()) <= kWordBits) {
        if (count == 1) return count_in_words_1(hypothesis, masks_by_reference(hypothesis, references, 1), matches);
        return best_count_in_words_4(hypothesis, masks_by_reference(hypothesis, references, kFewReferences), matches);
    }
    std::fill(matches, matches + max_order, 0);
    find(hypothesis, references, max_order, [matches](size_t n, size_t) { ++matches[n]; });
}

void NgramCounter::mark(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, uint64_t* matched) {
    require(!references.lengths.empty(), kNoReference);
    require(max_order <= kMostMarked, "at most 64 orders can be marked");
    std::fill(matched, matched + hypothesis.size(), 0);
    find(hypothesis, references, max_order, [matched](size_t n, size_t end) { matched[end] |= uint64_t{1} << n; });
}

template <class Take>
void NgramCounter::find(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order, Take take) {
    size_t bits = references.tokens.size() + references.lengths.size() - 1;
    if (bits <= kWordBits) return find_in_bits<1>(hypothesis, references, max_order, take);
    if (bits <= 2 * kWordBits) return find_in_bits<2>(hypothesis, references, max_order, take);
    if (bits <= 4 * kWordBits) return find_in_bits<4>(hypothesis, references, max_order, take);
    if (bits <= kMostWords * kWordBits) return find_in_bits<kMostWords>(hypothesis, references, max_order, take);
    find_by_number(hypothesis, references, max_order, take);
}

}  // namespace refscore
