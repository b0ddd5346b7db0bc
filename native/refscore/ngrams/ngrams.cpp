#include "refscore/ngrams/ngrams.hpp"

#include <algorithm>

#include "refscore/base/preconditions.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Bits in a machine word: one per reference position.
constexpr size_t kWordBits = 64;
constexpr size_t kCommonOrder = NgramCounter::kCommonOrder;
constexpr size_t kFewReferences = 4;  // one 64-bit word each: one AVX2 register

// For checkpoint(): tokens between two calls, and nanoseconds per numbered token of one order. Only the order of
// magnitude matters.
constexpr size_t kTogether = 256, kTokenWork = 16;

constexpr uint32_t kEnd = UINT32_MAX;  // in references: no token

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

// For references of at most 64 tokens, one machine word each, and the most common order: all state is in registers,
// without branches.
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
REFSCORE_TARGET_AVX2 void count_in_words_4_avx2(std::span<const uint32_t> hypothesis, const uint64_t* masks,
                                                int64_t* matches) {
    count_in_words<kFewReferences>(hypothesis, masks, matches);
}
#endif

const auto best_count_in_words_4 = best_function(&count_in_words_4, REFSCORE_IF_X86(&count_in_words_4_avx2));

// Whether the vocabulary mainly belongs to other references. Clearing single entries is then cheaper than clearing
// everything: a memset is several times faster per entry. The factor of 4 is an estimate.
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
void NgramCounter::find_in_bits(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                                size_t max_order, Take take) {
    // References are concatenated with a gap of one position, so no n-gram spans two of them.
    uint64_t* masks = clear_masks(hypothesis, references, kWords);
    const uint32_t* token = references.tokens.data();
    size_t position = 0;
    for (uint32_t length : references.lengths) {
        for (uint32_t i = 0; i < length; ++i, ++position)
            masks[*token++ * kWords + position / kWordBits] |= uint64_t{1} << position % kWordBits;
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
            take(n, end, true);
            for (size_t r = 0; r < count; ++r) taken.take_lowest(free, fields + r * kWords);
            taken.store(used + n * kWords);
        }
        depth = n;
    }
}

// N-grams that occur once in all references are linked to that place, and a longer one matches if the next tokens are
// equal. Other n-grams are numbered by the number of their prefix and their last token. Those that the other side lacks
// are dropped. All this is unpredictable, so nothing branches on it.
template <class Take>
void NgramCounter::find_by_number(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                                  size_t max_order, Take take) {
    size_t reference_size = references.tokens.size() + references.lengths.size(), size = hypothesis.size();
    Tally* tallies = tallies_.reserve(std::max<size_t>(reference_size, references.vocabulary_size) + 1);
    checkpoint(kTokenWork * (reference_size + size));
    if (is_sparse(hypothesis, references)) {
        for_each_token(hypothesis, references, [&](uint32_t token) { tallies[token] = {}; });
    } else {
        std::memset(static_cast<void*>(tallies), 0, (references.vocabulary_size + size_t{1}) * sizeof(Tally));
    }
    uint32_t position = 0;  // each reference is followed by an end
    const uint32_t* token = references.tokens.data();
    for (uint32_t length : references.lengths) {
        uint32_t begin = position;
        for (uint32_t end = begin + length; position < end; ++position) tallies[*token++].count(position, begin);
        ++position;
    }
    auto use = [&](size_t n, size_t end, Tally& tally) { take(n - 1, end, tally.hypothesis++ < tally.most); };
    if (max_order == 1) {
        for (size_t i = 0; i < size; ++i) use(1, i, tallies[hypothesis[i]]);
        return;
    }

    uint32_t* own = own_tokens_.reserve(size + 1);
    std::copy(hypothesis.begin(), hypothesis.end(), own);
    own[size] = kUnknown;
    Link* links = links_.reserve(size + 1);
    Ngram* shared = shared_.reserve(size + 1);
    size_t linked = 0, shared_size = 0, reference_left = 0;
    auto look_up = [&](size_t n, uint32_t begin, uint32_t number) {
        Tally& tally = tallies[number];
        use(n, begin + n - 1, tally);
        links[linked] = {begin, tally.place};
        linked += tally.total == 1;
        shared[shared_size] = {begin, number};
        shared_size += (tally.total > 1) & (own[begin + n] != kUnknown);
    };
    for (size_t i = 0; i < size; ++i) look_up(1, static_cast<uint32_t>(i), own[i]);
    // The references without the tokens that the hypothesis lacks, and their n-grams that are not linked.
    uint32_t* other = reference_tokens_.reserve(reference_size);
    Ngram* in_reference = in_reference_.reserve(reference_size);
    uint32_t* last_use = last_use_.reserve(reference_size);
    std::memset(last_use, 0, reference_size * sizeof(uint32_t));
    token = references.tokens.data();
    position = 0;
    for (uint32_t length : references.lengths) {
        bool is_shared = false;  // whether the previous token is common and not linked
        uint32_t previous = kUnknown;
        for (uint32_t end = position + length; position < end; ++position) {
            Tally tally = tallies[*token];
            bool is_common = tally.hypothesis > 0;
            other[position] = *token | (uint32_t{is_common} - 1);  // kEnd if the hypothesis lacks it
            in_reference[reference_left] = {position - 1, previous};
            reference_left += is_shared & is_common;
            is_shared = is_common & (tally.total > 1);
            previous = *token++;
        }
        other[position++] = kEnd;
    }

    for (size_t n = 2; n <= max_order && linked + shared_size > 0; ++n) {
        checkpoint(kTokenWork * (linked + shared_size + reference_left));
        size_t before = linked;
        linked = 0;
        for (size_t k = 0; k < before; ++k) {
            Link link = links[k];
            bool is_equal = own[link.begin + n - 1] == other[link.place + n - 1];
            uint32_t last = last_use[link.place], equal_mask = uint32_t{0} - is_equal;
            take(n - 1, link.begin + n - 2 + is_equal,
                 is_equal & (last != n));  // without an equal token, the hypothesis may have ended
            last_use[link.place] = (static_cast<uint32_t>(n) & equal_mask) | (last & ~equal_mask);
            links[linked] = link;
            linked += is_equal;
        }
        if (shared_size == 0) continue;
        numbers_.start(reference_left);
        std::memset(static_cast<void*>(tallies), 0, (reference_left + 1) * sizeof(Tally));
        size_t k = 0;
        uint32_t begin = 0;
        for (uint32_t length : references.lengths) {
            for (uint32_t end = begin + length; k < reference_left && in_reference[k].begin < end; ++k) {
                Ngram& ngram = in_reference[k];
                ngram.number = numbers_.add(ngram.number, other[ngram.begin + n - 1]);
                tallies[ngram.number].count(ngram.begin, begin);
            }
            begin += length + 1;
        }
        before = shared_size;
        shared_size = 0;
        for (k = 0; k < before; ++k)
            look_up(n, shared[k].begin, numbers_.find(shared[k].number, own[shared[k].begin + n - 1]));
        before = reference_left;
        reference_left = 0;
        for (k = 0; k < before; ++k) {
            Ngram ngram = in_reference[k];
            const Tally& tally = tallies[ngram.number];
            in_reference[reference_left] = ngram;
            reference_left += (tally.hypothesis > 0) & (tally.total > 1) & (other[ngram.begin + n] != kEnd);
        }
    }
}

uint64_t* NgramCounter::clear_masks(std::span<const uint32_t> hypothesis, const NumberedReferences& references,
                                    size_t words) {
    size_t size = (references.vocabulary_size + size_t{1}) * words;
    uint64_t* masks = masks_.reserve(size);
    if (is_sparse(hypothesis, references)) {
        for_each_token(hypothesis, references,
                       [&](uint32_t token) { std::memset(masks + token * words, 0, words * sizeof(uint64_t)); });
    } else {
        std::memset(masks, 0, size * sizeof(uint64_t));
    }
    return masks;
}

const uint64_t* NgramCounter::masks_by_reference(std::span<const uint32_t> hypothesis,
                                                 const NumberedReferences& references, size_t words) {
    uint64_t* masks = clear_masks(hypothesis, references, words);
    const uint32_t* token = references.tokens.data();
    for (size_t r = 0; r < references.lengths.size(); ++r)
        for (uint32_t i = 0; i < references.lengths[r]; ++i) masks[*token++ * words + r] |= uint64_t{1} << i;
    return masks;
}

void NgramCounter::count(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
                         int64_t* matches) {
    size_t count = references.lengths.size();
    require(count > 0, kNoReference);
    if (max_order == kCommonOrder && count <= kFewReferences &&
        *std::max_element(references.lengths.begin(), references.lengths.end()) <= kWordBits) {
        if (references.places != nullptr) return count_in_words_1(hypothesis, references.places, matches);
        if (count == 1) return count_in_words_1(hypothesis, masks_by_reference(hypothesis, references, 1), matches);
        return best_count_in_words_4(hypothesis, masks_by_reference(hypothesis, references, kFewReferences), matches);
    }
    std::fill(matches, matches + max_order, 0);
    find(hypothesis, references, max_order, [matches](size_t n, size_t, bool is_match) { matches[n] += is_match; });
}

void NgramCounter::mark(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
                        uint64_t* matched) {
    require(!references.lengths.empty(), kNoReference);
    require(max_order <= kMostMarked, "at most 64 orders can be marked");
    std::fill(matched, matched + hypothesis.size(), 0);
    find(hypothesis, references, max_order,
         [matched](size_t n, size_t end, bool is_match) { matched[end] |= uint64_t{is_match} << n; });
}

template <class Take>
void NgramCounter::find(std::span<const uint32_t> hypothesis, const NumberedReferences& references, size_t max_order,
                        Take take) {
    // Above 128 positions, numbers are faster than bits. At 100 they are equal with one reference, and bits are faster
    // with four.
    size_t bits = references.tokens.size() + references.lengths.size() - 1;
    if (max_order == 0) return;
    if (bits <= kWordBits) return find_in_bits<1>(hypothesis, references, max_order, take);
    if (bits <= 2 * kWordBits) return find_in_bits<2>(hypothesis, references, max_order, take);
    find_by_number(hypothesis, references, max_order, take);
}

}  // namespace refscore
