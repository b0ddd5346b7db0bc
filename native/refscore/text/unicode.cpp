#include "refscore/text/unicode.hpp"

#include <atomic>
#include <cstddef>

#include "refscore/text/code_table.hpp"

namespace refscore {
namespace {

#include "refscore/generated/unicode_ranges.inc"

// Blocks that both zh tokenizers share.
constexpr CodeRange kChineseBlocks[] = {
    {0x2600, 0x27bf}, {0x2e80, 0x2eff}, {0x2f00, 0x2fdf}, {0x2ff0, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31bf},
    {0x31c0, 0x31ef}, {0x3200, 0x33ff}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef},
};
// Complete blocks of radicals and ideographs, including planes 2 and 3.
constexpr CodeRange kIdeographs[] = {{0x2e80, 0x2fff},
                                     {0x3400, 0x4dbf},
                                     {0x4e00, 0x9fff},
                                     {0xf900, 0xfaff},
                                     {0x20000, 0x3ffff}};
// sacrebleu's ranges: the code points assigned in Unicode 4.1. Python reads its five-digit escapes as four digits and a
// character, which gives the last range.
constexpr CodeRange kIdeographsSacrebleu[] = {{0x3400, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d},
                                              {0xfa30, 0xfa6a}, {0xfa70, 0xfad9}, {0x2001, 0x2a6d}};

// Scripts without spaces between words: Han, kana, bopomofo. Each character is a word.
constexpr CodeRange kOwnWords[] = {
    {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3038, 0x303b},   {0x3041, 0x3096},   {0x309d, 0x309f},   {0x30a1, 0x30fa},
    {0x30fc, 0x30ff}, {0x3105, 0x312f}, {0x31a0, 0x31bf},   {0x31f0, 0x31ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xf900, 0xfaff}, {0xff66, 0xff9f}, {0x16fe3, 0x16fe3}, {0x16ff2, 0x16ff6}, {0x1aff0, 0x1b16f}, {0x20000, 0x3ffff},
};
// The zero-width non-joiner and joiner, which Persian and Indic scripts use within words.
constexpr CodeRange kJoiners[] = {{0x200c, 0x200d}};

bool is_letter_or_number(uint32_t code) {
    static const CodeTable<bool> table = [] {
        CodeTable<bool> table;
        table.add(kLetters, true);
        table.add(kNumbers, true);
        return table;
    }();
    return table.of(code);
}

std::atomic<bool (*)(uint32_t)> word_character_test = is_letter_or_number;

}  // namespace

bool is_word_character(uint32_t code) {
    if (code < 0x80) return (code >= '0' && code <= '9') || ((code | 0x20) >= 'a' && (code | 0x20) <= 'z');
    return word_character_test.load(std::memory_order_relaxed)(code);
}

void set_word_character_test(bool (*test)(uint32_t code)) {
    word_character_test.store(test, std::memory_order_relaxed);
}

CharClass intl_class(uint32_t code) {
    static const CodeTable<CharClass> table = [] {
        CodeTable<CharClass> table;
        table.add(kPunctuation, kPoint);
        table.add(kSymbols, kSymbol);
        table.add(kNumbers, kNumber);
        return table;
    }();
    return table.of(code);
}

CharClass word_class(uint32_t code) {
    static const CodeTable<CharClass> table = [] {
        CodeTable<CharClass> table;
        table.add(kLetters, kNumber);
        table.add(kNumbers, kNumber);
        table.add(kMarks, kPoint);
        table.add(kJoiners, kPoint);
        return table;
    }();
    CharClass kind = table.of(code);
    if (kind == kOther) return kSpace;
    return kind == kNumber && within(kOwnWords, code) ? kSymbol : kind;
}

bool is_decimal(uint32_t code) { return within(kDecimals, code); }

CharClass zh_class(uint32_t code) {
    return within(kChineseBlocks, code) || within(kIdeographs, code) ? kSymbol : kOther;
}

CharClass zh_sacrebleu_class(uint32_t code) {
    return within(kChineseBlocks, code) || within(kIdeographsSacrebleu, code) ? kSymbol : kOther;
}

}  // namespace refscore
