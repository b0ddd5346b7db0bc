// A segment's own vocabulary: its references' tokens are numbered from 1, and a hypothesis token that is not among them is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "buffer.hpp"

namespace refscore {

constexpr uint32_t kUnknown = 0;

// Random numbers of this process, so that nobody can prepare tokens that collide.
struct HashSeeds {
    uint64_t first;
    uint64_t second;
};
extern const HashSeeds kSeeds;

inline uint64_t fold_multiply(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#else
    uint64_t a_low = a & 0xffffffff, a_high = a >> 32, b_low = b & 0xffffffff, b_high = b >> 32;
    uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32), cross = a_low * b_high + (middle & 0xffffffff);
    return (a * b) ^ (a_high * b_high + (middle >> 32) + (cross >> 32));
#endif
}

// A token's identity. Up to 16 bytes it holds the bytes themselves; beyond, their hash and where in the arena they are.
struct Token {
    static constexpr uint32_t kInline = 16;
    uint64_t low;
    uint64_t high;
    uint32_t size;

    bool is_long() const { return size > kInline; }
    uint64_t hash() const { return is_long() ? low : fold_multiply(low ^ kSeeds.first, (high + size) ^ kSeeds.second); }
};

uint64_t hash_bytes(const uint8_t* bytes, size_t size);

inline uint64_t load64(const uint8_t* bytes) {
    uint64_t value;
    std::memcpy(&value, bytes, 8);
    return value;
}

// The token at an offset of the arena, which is readable 16 bytes past the token's end.
inline Token token_at(const uint8_t* arena, uint32_t begin, uint32_t end) {
    uint32_t size = end - begin;
    const uint8_t* bytes = arena + begin;
    if (size > Token::kInline) return {hash_bytes(bytes, size), begin, size};
    static constexpr uint64_t kMask[] = {0,
                                         0xff,
                                         0xffff,
                                         0xffffff,
                                         0xffffffff,
                                         0xffffffffff,
                                         0xffffffffffff,
                                         0xffffffffffffff,
                                         0xffffffffffffffff};
    return {load64(bytes) & kMask[std::min<uint32_t>(size, 8)], load64(bytes + 8) & kMask[size < 8 ? 0 : size - 8], size};
}

inline Token token_of_id(int64_t id) { return {static_cast<uint64_t>(id), 0, 8}; }

// Tokens and the hash table over them, wherever they are stored.
struct VocabularyView {
    const uint32_t* slots;  // 0: free, else the number of a token
    uint32_t mask;
    const Token* tokens;  // token n at n - 1
    const uint8_t* arena;

    bool same(const Token& known, const Token& token, const uint8_t* token_arena) const {
        if (known.low != token.low || known.size != token.size) return false;
        if (!token.is_long()) return known.high == token.high;
        return std::memcmp(arena + known.high, token_arena + token.high, token.size) == 0;
    }

    uint32_t find(const Token& token, const uint8_t* token_arena) const {
        for (uint32_t slot = static_cast<uint32_t>(token.hash()) & mask;; slot = (slot + 1) & mask) {
            uint32_t number = slots[slot];
            if (number == 0 || same(tokens[number - 1], token, token_arena)) return number;
        }
    }
};

class Vocabulary {
  public:
    // Forgets all tokens and makes room for that many distinct ones.
    void reset(size_t most_tokens) {
        size_ = 0;
        resize(most_tokens);
    }
    // Makes room for that many more.
    void reserve(size_t more_tokens) {
        if (2 * (size_ + more_tokens) > mask_ + size_t{1}) resize(size_ + more_tokens);
    }

    uint32_t add(const Token& token, const uint8_t* arena) {
        uint32_t slot = static_cast<uint32_t>(token.hash()) & mask_;
        for (; slots_[slot] != 0; slot = (slot + 1) & mask_)
            if (view(arena).same(tokens_[slots_[slot] - 1], token, arena)) return slots_[slot];
        tokens_[size_] = token;
        return slots_[slot] = ++size_;
    }

    uint32_t size() const { return size_; }
    VocabularyView view(const uint8_t* arena) const { return {slots_.data(), mask_, tokens_.data(), arena}; }

  private:
    void resize(size_t most_tokens) {
        size_t slots = 16;
        while (slots < 2 * most_tokens) slots *= 2;
        mask_ = static_cast<uint32_t>(slots - 1);
        std::memset(slots_.room(slots), 0, slots * sizeof(uint32_t));
        tokens_.room(slots / 2, size_);
        for (uint32_t number = 1; number <= size_; ++number) {
            uint32_t slot = static_cast<uint32_t>(tokens_[number - 1].hash()) & mask_;
            while (slots_[slot] != 0) slot = (slot + 1) & mask_;
            slots_[slot] = number;
        }
    }

    Buffer<uint32_t> slots_;
    Buffer<Token> tokens_;
    uint32_t mask_ = 0;
    uint32_t size_ = 0;
};

}  // namespace refscore
