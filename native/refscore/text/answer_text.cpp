#include "refscore/text/answer_text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "refscore/segments/vocabulary.hpp"
#include "refscore/simd/byte_classes.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

// Spaces, punctuation (kSymbol), digits (kNumber) and letters (kPoint). Control and non-ASCII characters are kOther.
constexpr int class_answer(char c) {
    auto byte = static_cast<uint8_t>(c);
    if (is_ascii_space(byte)) return kSpace;
    if (c >= '0' && c <= '9') return kNumber;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return kPoint;
    return byte > ' ' && byte < 0x7f ? kSymbol : kOther;
}
constexpr ByteClasses kAnswerClasses{class_answer};

// Calls visit(masks, offset, inside) for each block of 64 bytes. `inside` has a bit for each byte of the text.
template <class Visit>
void for_each_block(const uint8_t* text, size_t size, Visit visit) {
    constexpr size_t kBlocks = 4;  // 256 bytes: most answers need one pass of one block
    BlockMasks masks[kBlocks];
    for (size_t chunk = 0; chunk < size; chunk += kBlocks * kBlockBytes) {
        size_t blocks = std::min((size - chunk + kBlockBytes - 1) / kBlockBytes, kBlocks);
        kScanner.classify(kAnswerClasses, text + chunk, blocks, masks);
        for (size_t block = 0; block < blocks; ++block) {
            size_t offset = chunk + block * kBlockBytes, left = size - offset;
            visit(masks[block], offset, left < kBlockBytes ? (uint64_t{1} << left) - 1 : ~uint64_t{0});
        }
    }
}

void shorten(Arena& arena, Span& text, const uint8_t* end) {
    auto kept = static_cast<uint32_t>(end - arena.data());
    if (kept == text.end) return;
    text.end = kept;
    arena.cut(kept);
}

// Removes punctuation and digits. Returns whether the text had only ASCII letters, digits, whitespace and punctuation.
bool remove_classes(Arena& arena, Span& text, bool punctuation, bool digits) {
    uint8_t *bytes = arena.data() + text.begin, *out = bytes;
    size_t size = text.end - text.begin, kept_from = 0;
    bool is_plain = true;
    auto keep_until = [&](size_t end) {
        std::memmove(out, bytes + kept_from, end - kept_from);
        out += end - kept_from;
    };
    for_each_block(bytes, size, [&](const BlockMasks& masks, size_t offset, uint64_t inside) {
        uint64_t marks = masks[kSymbol], numbers = masks[kNumber];
        is_plain &= (inside & ~(masks[kSpace] | masks[kPoint] | marks | numbers)) == 0;
        uint64_t removed = inside & ((punctuation ? marks : 0) | (digits ? numbers : 0));
        for (; removed != 0; removed &= removed - 1) {
            size_t at = offset + static_cast<size_t>(std::countr_zero(removed));
            keep_until(at);
            kept_from = at + 1;
        }
    });
    if (kept_from == 0) return is_plain;  // nothing was removed
    keep_until(size);
    shorten(arena, text, out);
    return is_plain;
}

// Whether a word without NUL characters is an article. 4 bytes must be readable. There are no branches, because the
// length of the next word is unpredictable.
bool is_article(const uint8_t* word, size_t size) {
    constexpr uint32_t kMasks[] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff};
    uint32_t bytes = load32(word) & kMasks[std::min<size_t>(size, 4)];
    return (bytes == 'a') | (bytes == ('a' | 'n' << 8)) | (bytes == ('t' | 'h' << 8 | 'e' << 16));
}

// Overwrites articles with spaces, in any text. The arena is readable beyond its end.
void blank_articles(uint8_t* text, size_t size) {
    for (size_t at = 0, word = 0;;) {
        const uint8_t* next = text + at;
        if (at == size || !is_word_character(decode(next))) {
            if (is_article(text + word, at - word)) std::fill(text + word, text + at, uint8_t{' '});
            if (at == size) return;
            word = static_cast<size_t>(next - text);
        }
        at = static_cast<size_t>(next - text);
    }
}

// Splits at ASCII whitespace.
void split_spaces(const uint8_t* arena, Span text, TokenSpans& out) {
    uint32_t *begins = out.begins(), *ends = out.ends();
    uint64_t after_gap = 1;  // the previous byte is whitespace or does not exist
    for_each_block(arena + text.begin, text.end - text.begin,
                   [&](const BlockMasks& masks, size_t offset, uint64_t inside) {
                       uint64_t spaces = masks[kSpace] | ~inside, gap_before = spaces << 1 | after_gap;
                       uint64_t starts = ~spaces & gap_before, finishes = spaces & ~gap_before;
                       auto base = static_cast<uint32_t>(text.begin + offset);
                       begins = kScanner.write_positions(&starts, 1, base, begins);
                       ends = kScanner.write_positions(&finishes, 1, base, ends);
                       after_gap = spaces >> 63;
                   });
    if (!after_gap) *ends = text.end;
    out.resize(static_cast<size_t>(begins - out.begins()));
}

// Drops the tokens that are articles, if all tokens consist of ASCII letters and digits.
void drop_articles(const uint8_t* arena, TokenSpans& tokens) {
    uint32_t *begins = tokens.begins(), *ends = tokens.ends();
    size_t count = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
        uint32_t begin = begins[i], end = ends[i];
        begins[count] = begin;
        ends[count] = end;
        count += !is_article(arena + begin, end - begin);
    }
    tokens.resize(count);
}

}  // namespace

void remove_characters(Arena& arena, Span& text, bool punctuation, bool digits) {
    if (punctuation || digits) remove_classes(arena, text, punctuation, digits);
}

void tokenize_squad(Arena& arena, Span text, TokenSpans& out) {
    bool is_plain = remove_classes(arena, text, true, false);
    if (!is_plain) blank_articles(arena.data() + text.begin, text.end - text.begin);
    split_spaces(arena.data(), text, out);
    if (is_plain) drop_articles(arena.data(), out);
}

void tokenize_mlqa_zh(Arena& arena, Span text, TokenSpans& out) {
    const uint8_t *at = arena.data() + text.begin, *end = arena.data() + text.end;
    uint8_t* kept = arena.data() + text.begin;
    auto position = [&] { return static_cast<uint32_t>(kept - arena.data()); };
    size_t count = 0;
    bool is_open = false;  // the next character continues a token
    auto close = [&] {
        if (is_open) out.ends()[count++] = position();
        is_open = false;
    };
    while (at != end) {
        const uint8_t* begin = at;
        uint32_t code = decode(at);
        if (code < 0x80 ? kAnswerClasses.of(static_cast<uint8_t>(code)) == kSymbol : intl_class(code) == kPoint)
            continue;
        bool is_ideograph = code >= 0x4e00 && code <= 0x9fa5;
        if (is_ideograph || is_space(code)) close();
        if (!is_open) out.begins()[count] = position();
        is_open = !is_space(code);
        kept = std::copy(begin, at, kept);
        if (is_ideograph) close();
    }
    close();
    out.resize(count);
    shorten(arena, text, kept);
}

void tokenize_text(const Arena& arena, Span text, TokenSpans& out) {
    while (text.end > text.begin && arena.data()[text.end - 1] == 0) --text.end;
    out.reset(1);
    out.begins()[0] = text.begin;
    out.ends()[0] = text.end;
    out.resize(text.begin != text.end);
}

}  // namespace refscore
