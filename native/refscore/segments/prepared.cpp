#include "refscore/segments/prepared.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace refscore {
namespace {

static_assert(sizeof(Token) % sizeof(uint64_t) == 0);
constexpr size_t kTokenWords = sizeof(Token) / sizeof(uint64_t);

}  // namespace

void PreparedReferences::add(const Block& block, Numberer& numberer) {
    has_lines_ = numberer.rules().lines;
    has_alternatives_ = numberer.rules().alternatives;
    for (size_t i = 0; i + 1 < block.reference_starts.size(); ++i) {
        NumberedReferences references = numberer.references(block, i);
        const VocabularyView& vocabulary = references.vocabulary;
        uint32_t size = references.vocabulary_size;
        bool has_places = references.lengths.size() == 1 && references.tokens.size() <= NumberedReferences::kPlaces &&
                          !has_lines_ && !has_alternatives_;
        // 6 to 12 slots per token instead of the 8 to 16 of a temporary segment, because these stay in memory.
        size_t slots = std::max<size_t>(8, std::bit_ceil(6 * size_t{size}));
        size_t token_words = (size + size_t{1}) * kTokenWords, place_words = has_places ? size + size_t{1} : 0;
        size_t numbers = slots + references.tokens.size() + references.lengths.size();
        size_t fixed = token_words + place_words + words_for<uint32_t>(numbers), long_bytes = 0;
        for (uint32_t n = 1; n <= size; ++n)
            if (vocabulary.tokens[n].is_long()) long_bytes += vocabulary.tokens[n].size;
        size_t all = fixed + words_for<uint8_t>(long_bytes);
        uint64_t* data = slabs_.allocate(all);
        auto* tokens = reinterpret_cast<Token*>(data);
        std::memcpy(static_cast<void*>(tokens), vocabulary.tokens, token_words * sizeof(uint64_t));
        if (long_bytes > 0) {
            auto* bytes = reinterpret_cast<uint8_t*>(data + fixed);
            size_t used = 0;
            for (uint32_t n = 1; n <= size; ++n) {
                if (!tokens[n].is_long()) continue;
                std::memcpy(bytes + used, vocabulary.arena + tokens[n].high, tokens[n].size);
                tokens[n].high = used;
                used += tokens[n].size;
            }
        }
        if (has_places) {
            uint64_t* places = data + token_words;
            std::fill_n(places, place_words, 0);
            for (size_t p = 0; p < references.tokens.size(); ++p) places[references.tokens[p]] |= uint64_t{1} << p;
        }
        auto* rest = reinterpret_cast<uint32_t*>(data + token_words + place_words);
        std::fill_n(rest, slots, 0);
        fill_slots(tokens, size, rest, static_cast<uint32_t>(slots - 1));
        rest = std::copy(references.tokens.begin(), references.tokens.end(), rest + slots);
        std::copy(references.lengths.begin(), references.lengths.end(), rest);
        segments_.push_back({data, all, slots, size, static_cast<uint32_t>(references.tokens.size()),
                             static_cast<uint32_t>(references.lengths.size()), has_places});
        is_empty_ = is_empty_ && references.tokens.empty();
    }
}

void PreparedReferences::append(PreparedReferences&& other) {
    has_lines_ = other.has_lines_;
    has_alternatives_ = other.has_alternatives_;
    is_empty_ = is_empty_ && other.is_empty_;
    segments_.insert(segments_.end(), other.segments_.begin(), other.segments_.end());
    slabs_.append(std::move(other.slabs_));
}

void PreparedReferences::prefetch(size_t segment) const {
    constexpr size_t kLineWords = 8, kMost = 32 * kLineWords;  // 2 KiB: the cache has 32 or 48
    const Entry& entry = segments_[segment];
    for (size_t at = 0; at < std::min(entry.size, kMost); at += kLineWords) prefetch_line(entry.data + at);
}

NumberedReferences PreparedReferences::operator[](size_t segment) const {
    const Entry& entry = segments_[segment];
    size_t words = entry.vocabulary_size + size_t{1};
    const uint64_t* places = entry.data + words * kTokenWords;
    const auto* slots = reinterpret_cast<const uint32_t*>(places + (entry.has_places ? words : 0));
    const uint32_t *numbers = slots + entry.slots, *lengths = numbers + entry.numbers;
    size_t small = entry.slots + size_t{entry.numbers} + entry.lengths;
    const uint64_t* bytes = reinterpret_cast<const uint64_t*>(slots) + words_for<uint32_t>(small);
    NumberedReferences references{{slots, static_cast<uint32_t>(entry.slots - 1),
                                   reinterpret_cast<const Token*>(entry.data), reinterpret_cast<const uint8_t*>(bytes)},
                                  entry.vocabulary_size,
                                  {numbers, entry.numbers},
                                  {lengths, entry.lengths},
                                  kind_};
    references.places = entry.has_places ? places : nullptr;
    return references;
}

}  // namespace refscore
