// A hash table from short words to values, filled once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "refscore/base/hash_table.hpp"

namespace refscore {

template <class Value>
class WordTable {
  public:
    // Four slots per word, so most searches compare at most one word. Eight bits per slot show for most other words
    // that they were not added. The bits stay in the first-level cache, unlike a large table.
    explicit WordTable(size_t most_words)
        : slots_(std::bit_ceil(4 * most_words)), bits_((slots_.size() * 8 + 63) / 64) {}

    void add(std::string_view word, Value value) {
        uint64_t hash = hash_of(word);
        bits_[bit(hash) / 64] |= uint64_t{1} << bit(hash) % 64;
        slots_[slot(hash, [](const Slot& slot) { return slot.word.empty(); })] = {word, value};
        if (word.size() > longest_) longest_ = word.size();
    }
    // Null if the word was not added.
    const Value* find(std::string_view word) const {
        if (word.size() > longest_) return nullptr;
        uint64_t hash = hash_of(word);
        if ((bits_[bit(hash) / 64] >> bit(hash) % 64 & 1) == 0) return nullptr;
        const Slot& slot =
            slots_[this->slot(hash, [&](const Slot& slot) { return slot.word.empty() || slot.word == word; })];
        return slot.word.empty() ? nullptr : &slot.value;
    }

  private:
    struct Slot {
        std::string_view word;  // not owned
        Value value{};
    };

    // Mixes the first and last eight bytes. Words that differ only between them are compared.
    static uint64_t hash_of(std::string_view word) {
        const char* data = word.data();
        size_t size = word.size();
        uint64_t first = 0, last = 0;
        if (size >= 8) {
            std::memcpy(&first, data, 8);
            std::memcpy(&last, data + size - 8, 8);
        } else if (size >= 4) {
            std::memcpy(&first, data, 4);
            std::memcpy(&last, data + size - 4, 4);
        } else {
            for (char c : word) first = first << 8 | static_cast<uint8_t>(c);
        }
        return (first + 0x9e3779b97f4a7c15u * (last + size)) * 0xff51afd7ed558ccdu;
    }
    template <class Accepts>
    size_t slot(uint64_t hash, Accepts accepts) const {
        return find_slot(hash >> 32, slots_.size() - 1, [&](size_t at) { return accepts(slots_[at]); });
    }
    size_t bit(uint64_t hash) const { return static_cast<size_t>(hash >> 32) & (8 * slots_.size() - 1); }

    std::vector<Slot> slots_;
    std::vector<uint64_t> bits_;
    size_t longest_ = 0;
};

}  // namespace refscore
