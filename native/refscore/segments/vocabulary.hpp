// The vocabulary of a segment: numbers the tokens of its references from 1. Other hypothesis tokens are 0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "refscore/base/buffer.hpp"
#include "refscore/base/byte_order.hpp"
#include "refscore/base/hash_table.hpp"

namespace refscore {

constexpr uint32_t kUnknown = 0;

// The identity of a token. Up to 16 bytes, which covers most words, it holds the bytes themselves in little-endian
// order; otherwise their hash and offset in the arena. Comparing two 64-bit words is then enough for most tokens.
struct Token {
    static constexpr uint32_t kInline = 16;
    uint64_t low;
    uint64_t high;
    uint32_t size;

    bool is_long() const { return size > kInline; }
    uint64_t hash() const { return is_long() ? low : fold_multiply(low ^ kSeeds.first, (high + size) ^ kSeeds.second); }
};

uint64_t hash_bytes(const uint8_t* bytes, size_t size);

// For each size, the mask of the token's bytes among the 16 bytes from its beginning.
struct TokenMask {
    uint64_t low;
    uint64_t high;
};
constexpr std::array<TokenMask, Token::kInline + 1> kTokenMasks = [] {
    std::array<TokenMask, Token::kInline + 1> masks{};
    for (size_t size = 1; size <= Token::kInline; ++size) {
        masks[size].low = size >= 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
        masks[size].high = size <= 8 ? 0 : size == 16 ? ~uint64_t{0} : (uint64_t{1} << 8 * (size - 8)) - 1;
    }
    return masks;
}();

// The token at an offset of the arena, which must be readable 16 bytes past its end.
inline Token token_at(const uint8_t* arena, uint32_t begin, uint32_t end) {
    uint32_t size = end - begin;
    const uint8_t* bytes = arena + begin;
    if (size > Token::kInline) return {hash_bytes(bytes, size), begin, size};
    const TokenMask& mask = kTokenMasks[size];
    return {load64(bytes) & mask.low, load64(bytes + 8) & mask.high, size};
}

// The same for at most 16 bytes, without reading past the end.
inline Token short_token(const uint8_t* bytes, uint32_t size) {
    if (size >= 8) return {load64(bytes), size == 8 ? 0 : load64(bytes + size - 8) >> 8 * (16 - size), size};
    if (size >= 4) return {load32(bytes) | static_cast<uint64_t>(load32(bytes + size - 4)) << 8 * (size - 4), 0, size};
    uint64_t low = 0;
    for (uint32_t i = 0; i < size; ++i) low |= static_cast<uint64_t>(bytes[i]) << 8 * i;
    return {low, 0, size};
}

inline Token token_of_id(int64_t id) { return {static_cast<uint64_t>(id), 0, 8}; }

// Writes the bytes of a token, but always at least 16.
inline void copy_token(const Token& token, const uint8_t* arena, uint8_t* out) {
    if (token.is_long()) {
        std::memcpy(out, arena + token.high, token.size);
    } else {
        store64(out, token.low);
        store64(out + 8, token.high);
    }
}

// Whether two tokens, with the arenas of long ones, are equal.
inline bool same_token(const Token& one, const uint8_t* arena, const Token& other, const uint8_t* other_arena) {
    if (one.low != other.low || one.size != other.size) return false;
    return one.is_long() ? std::memcmp(arena + one.high, other_arena + other.high, one.size) == 0
                         : one.high == other.high;
}

// Tokens and a hash table of them, with any storage.
struct VocabularyView {
    const uint32_t* slots;  // 0: free, otherwise the number of a token
    uint32_t mask;
    const Token* tokens;  // by number; number 0 is unused
    const uint8_t* arena;

    // Returns 0 if the tokens are equal.
    uint64_t difference(const Token& known, const Token& token, const uint8_t* token_arena) const {
        uint64_t difference = (known.low ^ token.low) | (known.size ^ token.size);
        if (!token.is_long()) return difference | (known.high ^ token.high);
        return difference != 0 || std::memcmp(arena + known.high, token_arena + token.high, token.size) != 0;
    }

    // Returns the slot of the token, or the free slot for it. Whether a token is known is unpredictable, so a branch on
    // it would often be mispredicted. A hit and a free slot therefore leave the loop the same way; collisions are rare.
    size_t slot_of(const Token& token, const uint8_t* token_arena) const {
        return find_slot(token.hash(), mask, [&](size_t slot) {
            uint32_t number = slots[slot];
            uint64_t taken = ~uint64_t{0} * (number != 0);
            return (taken & difference(tokens[number], token, token_arena)) == 0;
        });
    }

    uint32_t find(const Token& token, const uint8_t* token_arena) const { return slots[slot_of(token, token_arena)]; }
};

// Enters tokens 1..size into free slots.
inline void fill_slots(const Token* tokens, uint32_t size, uint32_t* slots, uint32_t mask) {
    for (uint32_t number = 1; number <= size; ++number)
        slots[find_slot(tokens[number].hash(), mask, [&](size_t slot) { return slots[slot] == 0; })] = number;
}

class Vocabulary {
  public:
    // Forgets all tokens.
    void reset() {
        size_ = 0;
        rehash(kFewestSlots);
    }
    // Allocates memory for `more_tokens` further tokens.
    void reserve(size_t more_tokens) {
        size_t most = size_ + more_tokens;
        if (slots_for(most) > mask_ + size_t{1}) rehash(slots_for(most));
        tokens_.reserve(most + 2, size_ == 0 ? 0 : size_ + size_t{1});
        tokens_[0] = {};
    }

    uint32_t add(const Token& token, const uint8_t* arena) {
        uint32_t& number = slots_[view(arena).slot_of(token, arena)];
        tokens_[size_ + 1] = token;  // overwritten later unless it is new
        size_ += number == 0;
        number = number == 0 ? size_ : number;
        return number;
    }

    uint32_t size() const { return size_; }
    VocabularyView view(const uint8_t* arena) const { return {slots_.data(), mask_, tokens_.data(), arena}; }

  private:
    static constexpr size_t kFewestSlots = 16;  // a cache line of 4-byte slots; a power of two, for the mask

    // 8 to 16 slots per token make collisions rare. Above 4,096 tokens, the table (128 KiB) would leave the L1 cache
    // anyway, so it uses 2 to 4 slots per token to save memory.
    static size_t slots_for(size_t tokens) {
        constexpr size_t kMany = 4096;
        return std::max(kFewestSlots, std::bit_ceil(tokens * (tokens > kMany ? 2 : 8)));
    }

    void rehash(size_t slots) {
        mask_ = static_cast<uint32_t>(slots - 1);
        std::memset(slots_.reserve(slots), 0, slots * sizeof(uint32_t));
        if (size_ > 0) fill_slots(tokens_.data(), size_, slots_.data(), mask_);
    }

    Buffer<uint32_t> slots_;
    Buffer<Token> tokens_;
    uint32_t mask_ = 0;
    uint32_t size_ = 0;
};

}  // namespace refscore
