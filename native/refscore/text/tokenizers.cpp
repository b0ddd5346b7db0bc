// 13a, zh and intl are defined as chains of regular-expression substitutions. Their combined effect:
//
// - Whitespace separates tokens. A symbol is a token. A dash directly after a number is a token (13a, zh).
// - A run of k points (13a, zh: `.` and `,`; intl: all punctuation) becomes k tokens. Exception: the last point stays
// with a following number if k is odd and a number precedes the run, or if k is even and no number does. With k = 1 it
// joins both numbers. The parity arises because each substitution consumes two characters.
// - zh and intl do not pad the text, so both ends of the text act like numbers.
#include "refscore/text/tokenizers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "refscore/distance/tercom.hpp"
#include "refscore/simd/byte_classes.hpp"
#include "refscore/text/answer_text.hpp"
#include "refscore/text/eed_text.hpp"
#include "refscore/text/graphemes.hpp"
#include "refscore/text/porter.hpp"
#include "refscore/text/ptb_tokenizer.hpp"
#include "refscore/text/text_rewrites.hpp"

namespace refscore {
namespace {

constexpr int class_none(char c) { return is_ascii_space(static_cast<uint8_t>(c)) ? kSpace : kOther; }

// Whitespace as in C and Perl.
constexpr int class_ascii_spaces(char c) { return c == ' ' || (c >= '\t' && c <= '\r') ? kSpace : kOther; }

constexpr int class_western(char c) {
    if (is_ascii_space(static_cast<uint8_t>(c))) return kSpace;
    if (c >= '0' && c <= '9') return kNumber;
    if (c == '.' || c == ',') return kPoint;
    if (c == '-') return kDash;
    bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\'' || c < ' ' || c == 0x7f;
    return kept ? kOther : kSymbol;
}

constexpr int class_13a(char c) { return class_western(c) | (c == '&' || c == '<' || c == '\n' ? kMarkup : 0); }

constexpr int class_intl(char c) {
    if (is_ascii_space(static_cast<uint8_t>(c))) return kSpace;
    if (c >= '0' && c <= '9') return kNumber;
    for (char symbol : std::string_view("$+<=>^`|~"))
        if (c == symbol) return kSymbol;
    bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < ' ' || c == 0x7f;
    return kept ? kOther : kPoint;
}

// Whitespace other than ' ' is marked, because jiwer splits at it only in some cases.
constexpr int class_jiwer(char c) {
    return class_none(c) | (is_ascii_space(static_cast<uint8_t>(c)) && c != ' ' ? kMarkup : 0);
}

constexpr int class_rouge(char c) {
    bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return kept ? kOther : kSpace;
}

constexpr ByteClasses kJiwerClasses{class_jiwer};
constexpr ByteClasses kRougeClasses{class_rouge};
constexpr ByteClasses kNoneClasses{class_none};
constexpr ByteClasses kAsciiSpacesClasses{class_ascii_spaces};
constexpr ByteClasses k13aClasses{class_13a};
constexpr ByteClasses kZhClasses{class_western};
constexpr ByteClasses kIntlClasses{class_intl};

// How a tokenizer treats both ends of a text.
enum class Ends : uint8_t { Spaces, Numbers };

constexpr bool last_point_joins(size_t run, bool after_number, bool before_number) {
    return before_number && (run % 2 == 1) == after_number;
}

// ---- ASCII rules over blocks of 64 bytes
// -------------------------------------------------------------------------------

// The points of a block that stay with the following character. Few are candidates, because a number must follow.
inline uint64_t joined_points(const ByteClasses& classes, Ends ends, const uint8_t* text, size_t size, size_t base,
                              uint64_t points, uint64_t numbers) {
    size_t next = base + kBlockBytes;
    bool next_is_number = next < size && classes.is(text[next], kNumber);
    uint64_t candidates = points & (numbers >> 1 | static_cast<uint64_t>(next_is_number) << 63);
    if (ends == Ends::Numbers && size - base <= kBlockBytes) candidates |= points & (uint64_t{1} << (size - base - 1));
    uint64_t joined = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
        size_t at = base + static_cast<size_t>(std::countr_zero(candidates));
        size_t first = at;
        while (first > 0 && classes.is(text[first - 1], kPoint)) --first;
        bool after_number = first > 0 ? classes.is(text[first - 1], kNumber) : ends == Ends::Numbers;
        if (last_point_joins(at - first + 1, after_number, true)) joined |= candidates & (~candidates + 1);
    }
    return joined;
}

// Returns whether the text contains marked characters, such as markup that 13a rewrites first.
bool split_bytes(const ByteClasses& classes, Ends ends, const uint8_t* text, size_t size, uint32_t offset,
                 TokenSpans& out) {
    constexpr size_t kBlocks =
        8;  // 512 bytes per pass: most sentences need one pass, and the masks (about 500 bytes) stay in L1
    BlockMasks masks[kBlocks];
    uint64_t starts[kBlocks], finishes[kBlocks];
    uint32_t* begins = out.begins();
    uint32_t* stops = out.ends();
    uint64_t after_gap = 1;     // the previous byte is whitespace or does not exist
    uint64_t after_single = 0;  // the previous byte is a token
    uint64_t after_number = 0;
    uint64_t markup = 0;
    for (size_t chunk = 0; chunk < size; chunk += kBlockBytes * kBlocks) {
        size_t blocks = std::min((size - chunk + kBlockBytes - 1) / kBlockBytes, kBlocks);
        kScanner.classify(classes, text + chunk, blocks, masks);
        for (size_t block = 0; block < blocks; ++block) {
            size_t base = chunk + kBlockBytes * block;
            const BlockMasks& mask = masks[block];
            uint64_t spaces = mask[kSpace], points = mask[kPoint], numbers = mask[kNumber];
            markup |= mask[kMarkup];
            uint64_t singles = mask[kSymbol] | (mask[kDash] & (numbers << 1 | after_number));
            if (points != 0) singles |= points & ~joined_points(classes, ends, text, size, base, points, numbers);
            if (size - base < kBlockBytes) spaces |= ~uint64_t{0} << (size - base);
            uint64_t gap_before = spaces << 1 | after_gap;
            starts[block] = ~spaces & (gap_before | singles << 1 | after_single | singles);
            finishes[block] = ~gap_before & (spaces | starts[block]);
            after_gap = spaces >> 63;
            after_single = singles >> 63;
            after_number = numbers >> 63;
        }
        begins = kScanner.write_positions(starts, blocks, static_cast<uint32_t>(offset + chunk), begins);
        stops = kScanner.write_positions(finishes, blocks, static_cast<uint32_t>(offset + chunk), stops);
    }
    if (!after_gap) *stops++ = static_cast<uint32_t>(offset + size);
    out.resize(static_cast<size_t>(stops - out.ends()));
    return markup != 0;
}

// ---- any character
// ------------------------------------------------------------------------------------------------------

template <class ClassOf>
void split_characters(ClassOf class_of, Ends ends, const uint8_t* text, size_t size, uint32_t offset, TokenSpans& out) {
    const uint8_t* const end = text + size;
    size_t count = 0;
    bool open = false;  // a token has begun that the next character may continue
    CharClass before = ends == Ends::Numbers ? kNumber : kSpace;
    auto begin_token = [&](const uint8_t* at) { out.begins()[count] = static_cast<uint32_t>(offset + (at - text)); };
    auto end_token = [&](const uint8_t* at) { out.ends()[count++] = static_cast<uint32_t>(offset + (at - text)); };
    for (const uint8_t* at = text; at != end;) {
        const uint8_t* next = at;
        CharClass kind = class_of(decode(next));
        if (kind == kPoint) {
            size_t run = 1;
            const uint8_t* last = at;
            CharClass after = kPoint;
            while (after == kPoint) {
                if (next == end) {
                    after = ends == Ends::Numbers ? kNumber : kSpace;
                    break;
                }
                const uint8_t* beyond = next;
                after = class_of(decode(beyond));
                if (after != kPoint) break;
                ++run;
                last = next;
                next = beyond;
            }
            bool joins = last_point_joins(run, before == kNumber, after == kNumber);
            if (open && !(joins && run == 1)) end_token(at), open = false;
            for (const uint8_t* point = at; point != last;) {
                begin_token(point);
                decode(point);
                end_token(point);
            }
            if (!open) begin_token(last);
            open = joins;
            if (!joins) end_token(next);
        } else if (kind == kSpace) {
            if (open) end_token(at);
            open = false;
        } else if (kind == kSymbol || (kind == kDash && before == kNumber && at != text)) {
            if (open) end_token(at);
            begin_token(at);
            end_token(next);
            open = false;
        } else if (!open) {
            begin_token(at);
            open = true;
        }
        before = kind;
        at = next;
    }
    if (open) end_token(end);
    out.resize(count);
}

// The class of an ASCII character comes from the table, of others from a function of the code point.
template <class Wide>
auto class_of_character(const ByteClasses& classes, Wide wide) {
    return [&classes, wide](uint32_t code) {
        return code < 0x80 ? static_cast<CharClass>(classes.of(static_cast<uint8_t>(code))) : wide(code);
    };
}

// ---- jiwer's words and characters
// ----------------------------------------------------------------------------------------

// Strips whitespace at both ends, like str.strip.
Span stripped(const uint8_t* arena, Span text) {
    const uint8_t *begin = arena + text.begin, *end = arena + text.end;
    for (const uint8_t* next = begin; next != end && is_space(decode(next));) begin = next;
    while (end != begin) {
        const uint8_t* last = end - 1;
        while (last != begin && (*last & 0xc0) == 0x80) --last;
        const uint8_t* next = last;
        if (!is_space(decode(next))) break;
        end = last;
    }
    return {static_cast<uint32_t>(begin - arena), static_cast<uint32_t>(end - arena)};
}

// Splits at ' ' and at two or more consecutive whitespace characters. A single other whitespace character belongs to
// the word.
void split_jiwer(const uint8_t* arena, Span text, TokenSpans& out) {
    text = stripped(arena, text);
    const uint8_t *const end = arena + text.end, *at = arena + text.begin;
    size_t count = 0;
    if (at != end) out.begins()[0] = text.begin;
    while (at != end) {
        const uint8_t* gap = at;
        size_t spaces = 0;
        bool splits = false;
        for (const uint8_t* next = at; next != end; at = next) {
            uint32_t code = decode(next);
            if (!is_space(code)) {
                if (spaces == 0) at = next;
                break;
            }
            splits |= code == ' ' || spaces > 0;
            ++spaces;
        }
        if (!splits) continue;
        out.ends()[count++] = static_cast<uint32_t>(gap - arena);
        out.begins()[count] = static_cast<uint32_t>(at - arena);
    }
    if (text.begin != text.end) out.ends()[count++] = text.end;
    out.resize(count);
}

void split_every_character(const uint8_t* arena, Span text, TokenSpans& out) {
    size_t count = 0;
    for (const uint8_t *at = arena + text.begin, *end = arena + text.end; at != end;) {
        out.begins()[count] = static_cast<uint32_t>(at - arena);
        at += *at < 0x80 ? 1 : *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
        out.ends()[count++] = static_cast<uint32_t>(at - arena);
    }
    out.resize(count);
}

// Splits into characters, with one space for whitespace between words. The text has no whitespace at its end.
void split_spaced_characters(uint8_t* arena, Span text, TokenSpans& out) {
    size_t count = 0;
    auto is_blank = [&](const uint8_t* at) { return kNoneClasses.is(*at, kSpace); };
    uint8_t *at = arena + text.begin, *end = arena + text.end;
    while (at != end && is_blank(at)) ++at;
    while (at != end) {
        uint8_t* begin = at;
        at += *at < 0x80 ? 1 : *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
        out.begins()[count] = static_cast<uint32_t>(begin - arena);
        out.ends()[count++] = static_cast<uint32_t>(at - arena);
        if (!is_blank(begin)) continue;
        *begin = ' ';
        while (is_blank(at)) ++at;
    }
    out.resize(count);
}

// ---- words by Unicode's categories
// ---------------------------------------------------------------------------------------

void split_words(const uint8_t* text, size_t size, uint32_t offset, TokenSpans& out) {
    size_t count = 0;
    bool open = false, grows = false;  // whether the word can be extended, and not only by marks
    for (const uint8_t *at = text, *end = text + size; at != end;) {
        const uint8_t* begin = at;
        CharClass kind = word_class(decode(at));
        uint32_t from = static_cast<uint32_t>(offset + (begin - text)),
                 to = static_cast<uint32_t>(offset + (at - text));
        if (kind == kSpace || (kind == kPoint && !open)) {
            open = false;
        } else if (kind == kPoint || (kind == kNumber && open && grows)) {
            out.ends()[count - 1] = to;
        } else {
            out.begins()[count] = from;
            out.ends()[count++] = to;
            open = true;
            grows = kind == kNumber;
        }
    }
    out.resize(count);
}

// ---- stemming
// -------------------------------------------------------------------------------------------------------------

void stem_tokens(uint8_t* arena, TokenSpans& tokens) {
    constexpr size_t kLongestKept = 3;  // characters; rouge-score stems only words of more than 3 characters
    for (size_t i = 0; i < tokens.size(); ++i) {
        uint8_t* word = arena + tokens.begin(i);
        size_t size = tokens.end(i) - tokens.begin(i), characters = 0;
        for (size_t at = 0; at < size && characters <= kLongestKept; ++at) characters += (word[at] & 0xc0) != 0x80;
        if (characters > kLongestKept)
            tokens.ends()[i] = static_cast<uint32_t>(tokens.begin(i) + porter_stem(word, size));
    }
}

// Tercom's rules equal those of 13a, except for line breaks and a possessive `'s`. The other steps only split or
// shorten tokens.
void tokenize_tercom(const TercomRules& rules, Arena& arena, Span& text, TokenSpans& out) {
    auto split = [&](const ByteClasses& classes) {
        return split_bytes(classes, Ends::Spaces, arena.data() + text.begin, text.end - text.begin, text.begin, out);
    };
    if (rules.normalized) {
        if (split(k13aClasses)) {
            rewrite_tercom(arena, text);
            split(k13aClasses);
        }
        split_possessives(arena.data(), text.end, out);
        if (rules.asian) split_asian(arena.data(), out);
    } else {
        split(kNoneClasses);
    }
    if (rules.no_punct) remove_punctuation(rules.asian, arena.data(), out);
}

void blank_wide(uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes[i] = bytes[i] < 0x80 ? bytes[i] : uint8_t{' '};
}

void lower_ascii(uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        bool upper = static_cast<uint8_t>(bytes[i] - 'A') < 26;
        bytes[i] = static_cast<uint8_t>(bytes[i] + (upper ? 'a' - 'A' : 0));
    }
}

// Deletes ASCII punctuation, so "don't" becomes "dont".
void delete_punctuation(Arena& arena, Span& text) {
    auto is_punctuation = [](uint8_t c) { return c > ' ' && c < 0x7f && kRougeClasses.is(c, kSpace); };
    text.end = static_cast<uint32_t>(
        std::remove_if(arena.data() + text.begin, arena.data() + text.end, is_punctuation) - arena.data());
    arena.cut(text.end);
}

// Splits one punctuation mark off each word: the last character, otherwise the first. A single mark is a word.
void split_marks(const Arena& arena, Span text, TokenSpans& out) {
    auto is_mark = [](uint8_t c) {
        return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    };
    auto is_blank = [&](uint32_t at) { return kNoneClasses.is(arena.data()[at], kSpace); };
    size_t count = 0;
    auto add = [&](uint32_t begin, uint32_t end) {
        out.begins()[count] = begin;
        out.ends()[count++] = end;
    };
    for (uint32_t begin = text.begin, end; begin < text.end; begin = end) {
        for (; begin < text.end && is_blank(begin);) ++begin;
        for (end = begin; end < text.end && !is_blank(end);) ++end;
        if (begin == end) break;
        uint32_t middle = end;
        if (end - begin > 1)
            middle = is_mark(arena.data()[end - 1]) ? end - 1 : is_mark(arena.data()[begin]) ? begin + 1 : end;
        add(begin, middle);
        if (middle != end) add(middle, end);
    }
    out.resize(count);
}

// Splits into grapheme clusters. Whitespace clusters are included only on request.
void split_clusters(const Arena& arena, Span text, bool whitespace, TokenSpans& out) {
    const uint8_t *bytes = arena.data(), *at = bytes + text.begin, *end = bytes + text.end;
    size_t count = 0;
    Conjoining conjoining;
    while (at != end) {
        const uint8_t* after = end_of_cluster(at, end, conjoining);
        bool is_blank = true;
        for (const uint8_t* inside = at; inside != after;) is_blank &= is_space(decode(inside));
        out.begins()[count] = static_cast<uint32_t>(at - bytes);
        out.ends()[count] = static_cast<uint32_t>(after - bytes);
        count += whitespace || !is_blank;
        at = after;
    }
    out.resize(count);
}

}  // namespace

void tokenize(const TextRules& rules, Arena& arena, Span text, TokenSpans& out) {
    if (rules.lowercase != Lowercase::None) lower_ascii(arena.data() + text.begin, text.end - text.begin);
    remove_characters(arena, text, rules.no_punctuation, rules.no_digits);
    if (rules.tokenizer == Tokenizer::Graphemes || rules.tokenizer == Tokenizer::AllGraphemes) {
        out.reset(text.end - text.begin);
        return split_clusters(arena, text, rules.tokenizer == Tokenizer::AllGraphemes, out);
    }
    if (rules.tokenizer == Tokenizer::AsciiSpaces) {
        out.reset(text.end - text.begin);
        split_bytes(kAsciiSpacesClasses, Ends::Spaces, arena.data() + text.begin, text.end - text.begin, text.begin,
                    out);
        if (rules.stem) stem_tokens(arena.data(), out);
        return;
    }
    if (rules.tokenizer == Tokenizer::Ptb || rules.tokenizer == Tokenizer::PtbCoco) {
        tokenize_ptb({rules.tokenizer == Tokenizer::PtbCoco}, arena, text, out);
        if (rules.stem) stem_tokens(arena.data(), out);
        return;
    }
    uint32_t padding = text.end;
    // Hugging Face's 13a keeps a final line break, which then removes a preceding hyphen.
    bool strips = rules.tokenizer != Tokenizer::V13aEvaluate && rules.tokenizer != Tokenizer::Text &&
                  rules.tokenizer != Tokenizer::CharAll;
    while (strips && text.end > text.begin && kNoneClasses.is(arena.data()[text.end - 1], kSpace)) --text.end;
    out.reset(rules.tokenizer == Tokenizer::EedEn ? most_eed_characters(text.end - text.begin) : text.end - text.begin);
    auto bytes = [&] { return arena.data() + text.begin; };
    auto size = [&] { return static_cast<size_t>(text.end - text.begin); };
    switch (rules.tokenizer) {
        case Tokenizer::None: split_bytes(kNoneClasses, Ends::Spaces, bytes(), size(), text.begin, out); break;
        case Tokenizer::NoPunctuation:
            delete_punctuation(arena, text);
            split_bytes(kNoneClasses, Ends::Spaces, bytes(), size(), text.begin, out);
            break;
        case Tokenizer::V13a:
        case Tokenizer::V13aEvaluate:
            if (split_bytes(k13aClasses, Ends::Spaces, bytes(), size(), text.begin, out)) {
                uint32_t end = text.end;
                rewrite_13a(arena, text);
                if (text.end != end) split_bytes(k13aClasses, Ends::Spaces, bytes(), size(), text.begin, out);
            }
            break;
        case Tokenizer::Intl:
            if (is_ascii(bytes(), size())) {
                split_bytes(kIntlClasses, Ends::Numbers, bytes(), size(), text.begin, out);
            } else {
                split_characters(class_of_character(kIntlClasses, intl_class), Ends::Numbers, bytes(), size(),
                                 text.begin, out);
            }
            break;
        case Tokenizer::Zh:
        case Tokenizer::ZhSacrebleu:
            while (text.begin < text.end && kNoneClasses.is(arena.data()[text.begin], kSpace)) ++text.begin;
            if (is_ascii(bytes(), size())) {
                split_bytes(kZhClasses, Ends::Numbers, bytes(), size(), text.begin, out);
            } else {
                auto wide = rules.tokenizer == Tokenizer::Zh ? zh_class : zh_sacrebleu_class;
                split_characters(class_of_character(kZhClasses, wide), Ends::Numbers, bytes(), size(), text.begin, out);
            }
            break;
        case Tokenizer::Char: {
            auto every = [](uint32_t code) { return is_ascii_space(code) ? kSpace : kSymbol; };
            split_characters(every, Ends::Spaces, bytes(), size(), text.begin, out);
            break;
        }
        case Tokenizer::TercomNorm: tokenize_tercom({true, false, false}, arena, text, out); break;
        case Tokenizer::TercomNormAsian: tokenize_tercom({true, false, true}, arena, text, out); break;
        case Tokenizer::TercomNopunct: tokenize_tercom({false, true, false}, arena, text, out); break;
        case Tokenizer::TercomNopunctAsian: tokenize_tercom({false, true, true}, arena, text, out); break;
        case Tokenizer::TercomNormNopunct: tokenize_tercom({true, true, false}, arena, text, out); break;
        case Tokenizer::TercomNormNopunctAsian: tokenize_tercom({true, true, true}, arena, text, out); break;
        case Tokenizer::Jiwer:
            if (!is_ascii(bytes(), size()) ||
                split_bytes(kJiwerClasses, Ends::Spaces, bytes(), size(), text.begin, out))
                split_jiwer(arena.data(), text, out);
            break;
        case Tokenizer::CharSpaces: split_every_character(arena.data(), stripped(arena.data(), text), out); break;
        case Tokenizer::CharWords: split_spaced_characters(arena.data(), text, out); break;
        case Tokenizer::CharAll: split_every_character(arena.data(), text, out); break;
        case Tokenizer::Rouge:
            blank_wide(bytes(), size());
            split_bytes(kRougeClasses, Ends::Spaces, bytes(), size(), text.begin, out);
            break;
        case Tokenizer::Unicode:
            if (is_ascii(bytes(), size())) {
                split_bytes(kRougeClasses, Ends::Spaces, bytes(), size(), text.begin, out);
            } else {
                split_words(bytes(), size(), text.begin, out);
            }
            break;
        case Tokenizer::ChrfWords: split_marks(arena, text, out); break;
        case Tokenizer::Squad: tokenize_squad(arena, text, out); break;
        case Tokenizer::MlqaZh: tokenize_mlqa_zh(arena, text, out); break;
        case Tokenizer::Text: tokenize_text(arena, text, out); break;
        case Tokenizer::EedEn: split_eed_en(arena.data(), text, padding, out); break;
        case Tokenizer::EedJa: split_eed_ja(arena.data(), text, out); break;
        case Tokenizer::AsciiSpaces:
        case Tokenizer::Graphemes:
        case Tokenizer::AllGraphemes:
        case Tokenizer::Ptb:
        case Tokenizer::PtbCoco: break;
    }
    if (rules.stem) stem_tokens(arena.data(), out);
}

void tokenize_reference(const TextRules& rules, Arena& arena, Span text, TokenSpans& out, Buffer<uint8_t>& scratch) {
    tokenize(rules, arena, text, out);
    if (!rules.references_twice) return;
    size_t size = out.size();
    for (size_t i = 0; i < out.size(); ++i) size += out.end(i) - out.begin(i);
    uint8_t* joined = scratch.reserve(size);
    uint8_t* end = joined;
    for (size_t i = 0; i < out.size(); ++i) {
        end = std::copy(arena.data() + out.begin(i), arena.data() + out.end(i), end);
        *end++ = ' ';
    }
    tokenize(rules, arena, arena.append_utf8(joined, size), out);
}

}  // namespace refscore
