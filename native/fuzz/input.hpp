// Turns the bytes of a fuzz input into settings and segments.
//
// Settings come first, one or two bytes each; the rest is text. The byte 0xff begins the next reference and 0xfe the
// next segment, because neither occurs in UTF-8. Missing bytes are 0, so every input is valid.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "refscore/segments/prepared.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/text/utf8.hpp"

// Ends the program where the fuzzer notices it.
#define CHECK(condition)                                                         \
    do {                                                                         \
        if (!(condition)) {                                                      \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                        \
        }                                                                        \
    } while (false)

namespace refscore::fuzzing {

class Input {
  public:
    Input(const uint8_t* data, size_t size) : left_(data, size) {}

    uint8_t byte() {
        if (left_.empty()) return 0;
        uint8_t first = left_[0];
        left_ = left_.subspan(1);
        return first;
    }
    bool flag() { return (byte() & 1) != 0; }
    size_t below(size_t bound) {
        size_t number = byte();
        if (bound > 256) number |= size_t{byte()} << 8;
        return number % bound;
    }
    template <class T>
    T choose(std::initializer_list<T> among) {
        return among.begin()[below(among.size())];
    }
    // Returns one of `count` values of an enumeration.
    template <class Enum>
    Enum one_of(size_t count) {
        return static_cast<Enum>(below(count));
    }
    int64_t number() {
        uint64_t number = 0;
        for (int i = 0; i < 8; ++i) number |= uint64_t{byte()} << 8 * i;
        return static_cast<int64_t>(number);
    }
    bool is_empty() const { return left_.empty(); }
    std::span<const uint8_t> rest() { return std::exchange(left_, {}); }
    std::span<const uint8_t> take(size_t size) {
        std::span<const uint8_t> taken = left_.first(std::min(size, left_.size()));
        left_ = left_.subspan(taken.size());
        return taken;
    }

  private:
    std::span<const uint8_t> left_;
};

// Some lowercase letters, whose UTF-8 is as long, longer or shorter.
inline const uint16_t* lower_table() {
    static const std::vector<uint16_t> table = [] {
        std::vector<uint16_t> table(kLastLower + 1);
        for (uint32_t code = 0; code <= kLastLower; ++code) {
            bool is_upper = (code >= 'A' && code <= 'Z') || (code >= 0xc0 && code <= 0xde) ||
                            (code >= 0x391 && code <= 0x3a9) || (code >= 0x410 && code <= 0x42f);
            table[code] = static_cast<uint16_t>(code == 0x23a    ? 0x2c65
                                                : code == 0x212a ? 'k'
                                                : is_upper       ? code + 0x20
                                                                 : code);
        }
        return table;
    }();
    return table.data();
}

inline TextRules read_rules(Input& input, bool lines = false) {
    TextRules rules;
    rules.tokenizer = input.one_of<Tokenizer>(static_cast<size_t>(Tokenizer::EedJa) + 1);
    uint8_t flags = input.byte();
    rules.lowercase = static_cast<Lowercase>(flags % 4 % 3);
    rules.references_twice = (flags & 4) != 0;
    rules.stem = (flags & 8) != 0;
    rules.no_punctuation = (flags & 16) != 0;
    rules.no_digits = (flags & 32) != 0;
    rules.lines = lines;
    return rules;
}

inline std::vector<std::span<const uint8_t>> split(std::span<const uint8_t> bytes, uint8_t separator) {
    std::vector<std::span<const uint8_t>> parts;
    for (auto begin = bytes.begin();;) {
        auto end = std::find(begin, bytes.end(), separator);
        parts.emplace_back(begin, end);
        if (end == bytes.end()) return parts;
        begin = end + 1;
    }
}

// Segments of any kind. Every view has a separate allocation, so the sanitizer detects reads past its end.
struct Segments {
    Block block;

    // Uses the rest of the input. `alone`: every segment has exactly one reference.
    Segments(Input& input, const TextRules& rules, bool alone = false, bool texts_only = false) {
        block.clear();
        uint8_t form = input.byte();
        block.kind = texts_only ? ItemKind::Text : static_cast<ItemKind>(form % 4 % 3);
        encoding_ = static_cast<Encoding>(form / 4 % 5);
        id_type_ = static_cast<IdType>(form / 4 % 7);
        uint8_t repeat = input.byte();
        repeat_ =
            size_t{1} << (repeat < 224
                              ? 0
                              : repeat % 8);  // long texts are rare, because each takes as long as a hundred others
        uint8_t padding = input.byte();
        if (block.kind == ItemKind::Ids) {
            block.hypothesis_padding = {(padding & 1) != 0, 1};
            block.reference_padding = {(padding & 2) != 0, 1};
        }
        if (rules.lowercase == Lowercase::Full) block.lower = lower_table();
        for (std::span<const uint8_t> segment : split(input.rest(), 0xfe)) {
            std::vector<std::span<const uint8_t>> parts = split(segment, 0xff);
            if (parts.size() == 1) parts.emplace_back();
            block.hypotheses.push_back(item(parts[0]));
            for (size_t r = 1; r < (alone ? 2 : parts.size()); ++r) block.references.push_back(item(parts[r]));
            block.reference_starts.push_back(block.references.size());
        }
    }
    size_t size() const { return block.size(); }

  private:
    static constexpr size_t kMostUnits = 1 << 12;

    template <class Unit>
    TextView keep(const std::vector<Unit>& units, Encoding encoding) {
        size_t bytes = units.size() * sizeof(Unit);
        kept_.emplace_back(new uint8_t[bytes]);
        if (bytes > 0) std::memcpy(kept_.back().get(), units.data(), bytes);
        return {kept_.back().get(), units.size(), encoding};
    }

    TextView text(std::span<const uint8_t> bytes) {
        std::vector<uint8_t> units(bytes.begin(), bytes.end());
        if (encoding_ == Encoding::Ascii)
            for (uint8_t& unit : units) unit &= 0x7f;
        if (encoding_ != Encoding::Ucs2 && encoding_ != Encoding::Ucs4) return keep(units, encoding_);
        std::vector<uint16_t> narrow;
        std::vector<uint32_t> wide;
        for (const uint8_t* in = bytes.data(), *end = in + bytes.size(); in != end;) {
            uint32_t code = decode_within(in, end);
            wide.push_back(code > 0x10ffff ? 0xfffd : code);
            narrow.push_back(static_cast<uint16_t>(code));
        }
        return encoding_ == Encoding::Ucs2 ? keep(narrow, encoding_) : keep(wide, encoding_);
    }

    template <class Int>
    IdView ids(std::span<const uint8_t> bytes) {
        std::vector<Int> units;
        for (uint8_t byte : bytes)
            units.push_back(byte == 0xfd   ? std::numeric_limits<Int>::max()
                            : byte == 0xfc ? std::numeric_limits<Int>::min()
                                           : static_cast<Int>(byte));
        TextView view = keep(units, Encoding::Ascii);
        return {view.data, view.size, id_type_};
    }

    Item item(std::span<const uint8_t> once) {
        std::vector<uint8_t> bytes;
        for (size_t i = 0; i == 0 || (i < repeat_ && bytes.size() + once.size() <= kMostUnits); ++i)
            bytes.insert(bytes.end(), once.begin(), once.end());
        if (block.kind == ItemKind::Text) {
            block.texts.push_back(text(bytes));
            return {block.texts.size() - 1, 1};
        }
        if (block.kind == ItemKind::Tokens) {
            size_t first = block.texts.size();
            if (!bytes.empty())
                for (std::span<const uint8_t> token : split(bytes, ' ')) block.texts.push_back(text(token));
            return {first, block.texts.size() - first};
        }
        switch (id_type_) {
            case IdType::I8: block.ids.push_back(ids<int8_t>(bytes)); break;
            case IdType::I16: block.ids.push_back(ids<int16_t>(bytes)); break;
            case IdType::I32: block.ids.push_back(ids<int32_t>(bytes)); break;
            case IdType::I64: block.ids.push_back(ids<int64_t>(bytes)); break;
            case IdType::U8: block.ids.push_back(ids<uint8_t>(bytes)); break;
            case IdType::U16: block.ids.push_back(ids<uint16_t>(bytes)); break;
            case IdType::U32: block.ids.push_back(ids<uint32_t>(bytes)); break;
        }
        return {block.ids.size() - 1, 1};
    }

    Encoding encoding_;
    IdType id_type_;
    size_t repeat_;
    std::vector<std::unique_ptr<uint8_t[]>> kept_;
};

// Calls visit(segment, hypothesis, references, is_first) for each segment and each way to read it. All ways must give
// the same result.
template <class Visit>
void read_all_ways(const Block& block, const TextRules& rules, Visit visit) {
    Numberer one(rules), other(rules);
    PreparedReferences prepared(block.kind);
    prepared.add(block, other);
    CHECK(prepared.size() == block.size());
    TokenList list;
    for (size_t i = 0; i < block.size(); ++i) {
        NumberedReferences references = one.references(block, i);
        visit(i, one.hypothesis(block, i, references), references, true);
        references = prepared[i];
        visit(i, other.hypothesis(block, i, references), references, false);
        one.read_hypothesis(block, i, list);
        visit(i, other.hypothesis(list, references), references, false);
    }
}

// Returns the references of a segment one by one.
inline std::vector<std::span<const uint32_t>> each(const NumberedReferences& references) {
    std::vector<std::span<const uint32_t>> parts;
    size_t begin = 0;
    for (uint32_t length : references.lengths) {
        parts.push_back(references.tokens.subspan(begin, length));
        begin += length;
    }
    return parts;
}

}  // namespace refscore::fuzzing
