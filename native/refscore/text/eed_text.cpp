// The rules for English are a chain of substitutions, each applied from left to right to the result of the one before:
//
// 1. A space before each of . ! ? and ,
// 2. Whitespace becomes one space.
// 3. `5 . 7` and `5 , 7` become `5.7` and `5,7`. A match consumes its digits, so `1 . 2 . 3` becomes `1.2 . 3`.
// 4. A title (`Dr`, `Mr`, …), a space and any character become the title and a point: `Mr Smith` becomes `Mr.mith`.
// 5. `e . g .`, `i . e .` and `U . S .` lose their spaces.
// 6. A space at both ends.
#include "refscore/text/eed_text.hpp"

#include <algorithm>
#include <string_view>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

// A list of characters that is rewritten in place.
class Characters {
  public:
    Characters(uint8_t* arena, TokenSpans& spans) : arena_(arena), spans_(spans) {}

    // Calls rule(at, take) at each character. It takes the positions of characters to preserve and returns how many
    // characters it consumed; 0 if it does not apply.
    template <class Rule>
    void rewrite(Rule rule) {
        size_t size = spans_.size(), count = 0;
        auto take = [&](size_t from) {
            spans_.begins()[count] = spans_.begin(from);
            spans_.ends()[count++] = spans_.end(from);
        };
        for (size_t at = 0; at < size;) {
            size_t used = rule(at, take);
            if (used == 0) take(at);
            at += used == 0 ? 1 : used;
        }
        spans_.resize(count);
    }
    size_t size() const { return spans_.size(); }
    uint32_t code(size_t at) const {
        const uint8_t* bytes = arena_ + spans_.begin(at);
        return decode(bytes);
    }
    // Overwrites a character, which no other position may share.
    void replace_by_point(size_t at) {
        arena_[spans_.begin(at)] = '.';
        spans_.ends()[at] = spans_.begin(at) + 1;
    }
    // Adds the space at an offset of the arena to both ends.
    void surround(uint32_t space) {
        size_t count = size();
        std::copy_backward(spans_.begins(), spans_.begins() + count, spans_.begins() + count + 1);
        std::copy_backward(spans_.ends(), spans_.ends() + count, spans_.ends() + count + 1);
        for (size_t at : {size_t{0}, count + 1}) {
            spans_.begins()[at] = space;
            spans_.ends()[at] = space + 1;
        }
        spans_.resize(count + 2);
    }
    // Whether these ASCII characters begin at a position.
    bool has(size_t at, std::string_view text) const {
        if (text.size() > size() - at) return false;
        for (size_t i = 0; i < text.size(); ++i)
            if (arena_[spans_.begin(at + i)] != static_cast<uint8_t>(text[i])) return false;
        return true;
    }

  private:
    uint8_t* arena_;
    TokenSpans& spans_;
};

bool is_point(uint32_t code) { return code == '.' || code == ','; }

size_t title_at(const Characters& characters, size_t at) {
    for (std::string_view title : {"Dr ", "Jr ", "Prof ", "Rev ", "Gen ", "Mr ", "Mt ", "Mrs ", "Ms "})
        if (characters.has(at, title)) return title.size();
    return 0;
}

}  // namespace

void split_eed_en(uint8_t* arena, Span text, uint32_t padding, TokenSpans& out) {
    require(arena[padding] == ' ', "the byte after the text must be a space");
    size_t count = 0;
    bool after_space = false, has_point = false, has_upper = false;
    auto add = [&](uint32_t begin, uint32_t end) {
        out.begins()[count] = begin;
        out.ends()[count++] = end;
    };
    auto add_space = [&] {
        if (!after_space) add(padding, padding + 1);
        after_space = true;
    };
    for (uint32_t at = text.begin; at != text.end;) {
        uint8_t byte = arena[at];
        uint32_t end = at + (byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
        bool is_mark = byte == '.' || byte == '!' || byte == '?' || byte == ',';
        if (is_mark || is_ascii_space(byte)) add_space();
        if (!is_ascii_space(byte)) {
            add(at, end);
            after_space = false;
            has_point |= is_mark;
            has_upper |= byte >= 'A' && byte <= 'Z';
        }
        at = end;
    }
    out.resize(count);
    Characters characters(arena, out);
    if (has_point) {
        characters.rewrite([&](size_t at, auto take) -> size_t {
            bool matches = at + 4 < characters.size() && characters.code(at + 1) == ' ' &&
                           is_point(characters.code(at + 2)) && characters.code(at + 3) == ' ' &&
                           is_decimal(characters.code(at)) && is_decimal(characters.code(at + 4));
            if (!matches) return 0;
            for (size_t i : {0, 2, 4}) take(at + i);
            return 5;
        });
    }
    if (has_upper) {
        characters.rewrite([&](size_t at, auto take) -> size_t {
            size_t length = title_at(characters, at);
            if (length == 0 || at + length >= characters.size()) return 0;
            for (size_t i = 0; i + 1 < length; ++i) take(at + i);
            characters.replace_by_point(at + length);
            take(at + length);
            return length + 1;
        });
    }
    if (has_point) {
        for (std::string_view abbreviation : {"e . g .", "i . e .", "U . S ."})
            characters.rewrite([&](size_t at, auto take) -> size_t {
                if (!characters.has(at, abbreviation)) return 0;
                for (size_t i : {0, 2, 4, 6}) take(at + i);
                return abbreviation.size();
            });
    }
    characters.surround(padding);
}

void split_eed_ja(const uint8_t* arena, Span text, TokenSpans& out) {
    size_t count = 0, last = 0;
    for (const uint8_t *at = arena + text.begin, *end = arena + text.end; at != end;) {
        out.begins()[count] = static_cast<uint32_t>(at - arena);
        bool is_blank = is_space(decode(at));
        out.ends()[count++] = static_cast<uint32_t>(at - arena);
        if (!is_blank) last = count;
    }
    out.resize(last);
}

}  // namespace refscore
