#include "refscore/distance/tercom.hpp"

#include <algorithm>
#include <string_view>

#include "refscore/text/code_table.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

// CJK punctuation, full and half width.
bool is_asian_punctuation(uint32_t code) {
    static constexpr CodeRange kRanges[] = {
        {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301f}, {0x30fb, 0x30fb}, {0xff01, 0xff02}, {0xff08, 0xff09},
        {0xff0c, 0xff0c}, {0xff0e, 0xff0e}, {0xff1a, 0xff1b}, {0xff1f, 0xff1f}, {0xff61, 0xff65},
    };
    return code >= 0x3001 && within(kRanges, code);
}

// Tercom's range ends at U+3F22 where U+32FF was meant; U+3400 and above are included anyway. Kana are not split:
// tercom's rules for them only match at the beginning of a text, where it always adds a space.
bool is_asian_symbol(uint32_t code) {
    static constexpr CodeRange kRanges[] = {
        {0x2e80, 0x2eff}, {0x31c0, 0x31ef}, {0x3200, 0x4dbf}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0xfe30, 0xfe4f},
    };
    return code >= 0x2e80 && (within(kRanges, code) || is_asian_punctuation(code));
}

bool is_punctuation(uint32_t code) {
    return code < 0x80 && std::string_view(".,?:;!\"()").find(static_cast<char>(code)) != std::string_view::npos;
}

// Replaces tokens by their pieces. for_each_piece(begin, end, take) calls take(begin, end) for each piece, at least
// once.
template <class ForEachPiece>
void split_tokens(TokenSpans& tokens, ForEachPiece for_each_piece) {
    size_t count = 0;
    for (size_t i = 0; i < tokens.size(); ++i)
        for_each_piece(tokens.begin(i), tokens.end(i), [&](uint32_t, uint32_t) { ++count; });
    size_t free = count;
    for (size_t i = tokens.size(); i > 0 && free > i; --i) {
        uint32_t begin = tokens.begin(i - 1), end = tokens.end(i - 1);
        size_t pieces = 0;
        for_each_piece(begin, end, [&](uint32_t, uint32_t) { ++pieces; });
        size_t at = free -= pieces;
        for_each_piece(begin, end, [&](uint32_t from, uint32_t to) {
            tokens.begins()[at] = from;
            tokens.ends()[at++] = to;
        });
    }
    tokens.resize(count);
}

// A space, or a character that is surrounded by spaces after 13a's symbol rules.
bool is_space_or_symbol(uint8_t byte) {
    bool kept = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                byte == '\'' || byte == '.' || byte == ',' || byte == '-';
    return byte >= ' ' && byte < 0x7f && !kept;
}

}  // namespace

void split_possessives(const uint8_t* arena, uint32_t text_end, TokenSpans& tokens) {
    split_tokens(tokens, [&](uint32_t begin, uint32_t end, auto take) {
        bool splits = end - begin > 2 && arena[end - 1] == 's' && arena[end - 2] == '\'' &&
                      (end == text_end || is_space_or_symbol(arena[end]));
        if (splits) take(begin, end - 2);
        take(splits ? end - 2 : begin, end);
    });
}

void split_asian(const uint8_t* arena, TokenSpans& tokens) {
    split_tokens(tokens, [&](uint32_t begin, uint32_t end, auto take) {
        uint32_t open = begin;
        for (const uint8_t* at = arena + begin; at != arena + end;) {
            uint32_t here = static_cast<uint32_t>(at - arena);
            if (!is_asian_symbol(decode(at))) continue;
            if (open < here) take(open, here);
            open = static_cast<uint32_t>(at - arena);
            take(here, open);
        }
        if (open < end) take(open, end);
    });
}

void remove_punctuation(bool asian, uint8_t* arena, TokenSpans& tokens) {
    size_t count = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
        uint32_t begin = tokens.begin(i), end = tokens.end(i);
        uint8_t* out = arena + begin;
        for (const uint8_t* at = arena + begin; at != arena + end;) {
            const uint8_t* from = at;
            uint32_t code = decode(at);
            if (!is_punctuation(code) && !(asian && is_asian_punctuation(code))) out = std::copy(from, at, out);
        }
        uint32_t kept = static_cast<uint32_t>(out - arena);
        if (kept == begin) continue;
        tokens.begins()[count] = begin;
        tokens.ends()[count++] = kept;
    }
    tokens.resize(count);
}

}  // namespace refscore
