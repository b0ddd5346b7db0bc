// References with alternatives, in the notation of NIST's STM files: "{gonna / going to}", "@" for an empty
// alternative, and "(word)" for an optional word, which equals "{word / ()}". "()" is "@", except with sclite's costs.
//
// The marks become numbers among the numbers of words, so numbered and prepared references need no other form.
// lattice_distance.hpp checks their order.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "refscore/text/text.hpp"

namespace refscore {

// No token has these numbers. UINT32_MAX is kLineEnd.
constexpr uint32_t kOpenMark = UINT32_MAX - 1, kOrMark = UINT32_MAX - 2, kCloseMark = UINT32_MAX - 3,
                   kEmptyMark = UINT32_MAX - 4, kMissingMark = UINT32_MAX - 5;

constexpr bool is_mark(uint32_t number) { return number >= kMissingMark && number <= kOpenMark; }

// A mark as it is written.
inline std::string mark_text(uint32_t mark) {
    return mark == kOpenMark ? "{" : mark == kOrMark ? "/" : mark == kCloseMark ? "}" : mark == kEmptyMark ? "@" : "()";
}

// Whether a word is a mark. "/" and "()" are marks only inside braces, so `depth` must be the number of open braces,
// and is updated. Returns 0 for other words.
template <class Unit>
uint32_t mark_of(const Unit* word, size_t size, size_t& depth) {
    if (size == 2 && depth > 0 && word[0] == '(' && word[1] == ')') return kMissingMark;
    if (size != 1) return 0;
    switch (word[0]) {
        case '{': ++depth; return kOpenMark;
        case '}': depth -= depth > 0; return kCloseMark;
        case '/': return depth > 0 ? kOrMark : 0;
        case '@': return kEmptyMark;
        default: return 0;
    }
}

// Whether a word is optional: something in round brackets.
template <class Unit>
bool is_optional_word(const Unit* word, size_t size) {
    return size > 2 && word[0] == '(' && word[size - 1] == ')';
}

// Calls text(view) for each part between marks and mark(number) for each mark, in order. Braces need no spaces around
// them; "@" and
// "(word)" must be separated by ASCII whitespace or marks.
template <class Unit, class Text, class Mark>
void split_markup_of(const TextView& view, Text text, Mark mark) {
    const Unit* units = static_cast<const Unit*>(view.data);
    auto is_brace = [](Unit unit) { return unit == '{' || unit == '}'; };
    size_t begin = 0, depth = 0;
    auto flush = [&](size_t end) {
        if (end > begin) text(TextView{units + begin, end - begin, view.encoding});
    };
    bool starts_word = true;
    for (size_t i = 0; i < view.size; ++i) {
        Unit unit = units[i];
        bool can_start_word = starts_word;
        starts_word = unit < 0x80 && is_ascii_space(unit);
        if (is_brace(unit) || (unit == '/' && depth > 0)) {
            flush(i);
            mark(mark_of(units + i, 1, depth));
            begin = i + 1;
            starts_word = true;
        } else if (can_start_word && (unit == '@' || unit == '(')) {
            size_t end = i + 1;
            while (end < view.size && !is_brace(units[end]) && !(units[end] == '/' && depth > 0) &&
                   !(units[end] < 0x80 && is_ascii_space(units[end])))
                ++end;
            uint32_t own = mark_of(units + i, end - i, depth);  // "@" or "()"
            if (own == 0 && !is_optional_word(units + i, end - i)) continue;
            flush(i);
            begin = end;
            if (own != 0) {
                mark(own);
            } else {
                mark(kOpenMark);
                text(TextView{units + i + 1, end - i - 2, view.encoding});
                mark(kOrMark);
                mark(kMissingMark);
                mark(kCloseMark);
            }
            i = end - 1;
        }
    }
    flush(view.size);
}

template <class Text, class Mark>
void split_markup(const TextView& view, Text text, Mark mark) {
    switch (view.encoding) {
        case Encoding::Ascii:
        case Encoding::Utf8:
        case Encoding::Latin1: return split_markup_of<uint8_t>(view, text, mark);
        case Encoding::Ucs2: return split_markup_of<uint16_t>(view, text, mark);
        case Encoding::Ucs4: return split_markup_of<uint32_t>(view, text, mark);
    }
}

}  // namespace refscore
