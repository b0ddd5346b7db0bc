// A hash table from short words to values, filled once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace refscore {

template <class Value>
class WordTable {
  public:
    // Four slots per word, so most searches compare at most one word.
    explicit WordTable(size_t most_words) : slots_(std::bit_ceil(4 * most_words)) {}

    void add(std::string_view word, Value value) {
        size_t at = slot(word);
        while (!slots_[at].word.empty()) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {word, value};
        if (word.size() > longest_) longest_ = word.size();
    }
    // Null if the word was not added.
    const Value* find(std::string_view word) const {
        if (word.size() > longest_) return nullptr;
        for (size_t at = slot(word); !slots_[at].word.empty(); at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].word == word) return &slots_[at].value;
        return nullptr;
    }

  private:
    struct Slot {
        std::string_view word;  // not owned
        Value value{};
    };

    // Mixes the first and last eight bytes. Words that differ only between them are compared.
    size_t slot(std::string_view word) const {
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
        uint64_t hash = (first + 0x9e3779b97f4a7c15u * (last + size)) * 0xff51afd7ed558ccdu;
        return static_cast<size_t>(hash >> 32) & (slots_.size() - 1);
    }

    std::vector<Slot> slots_;
    size_t longest_ = 0;
};

}  // namespace refscore
