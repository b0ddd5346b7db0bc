// Tokenizers on random text of every encoding: spans are in order, inside the text and not empty. Python tests compare
// them with the originals. Run it under sanitizers.
#include <limits>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/text/unicode.hpp"

using namespace refscore;

namespace {

const char* const kPieces[] = {"a",      "word",      "1", "23", ".",  ",", "-", "-\n",  " ",   "&amp;",
                               "&quot;", "<skipped>", "&", "<",  "\n", "'", "$", "\x1f", "\x7f"};
constexpr uint32_t kWide[] = {0x85,   0xe9,    0xa0,    0xbd,     0x2028, 0x3000, 0x4e2d, 0x3002, 0xd800,
                              0xffff, 0x1f600, 0x20000, 0x10ffff, 0x301,  0x200d, 0x30ab, 0x915};

template <class Unit>
void check_text(const std::vector<uint32_t>& codes, Encoding encoding, TokenSpans& spans, Arena& arena) {
    std::vector<Unit> units(codes.begin(), codes.end());
    for (Tokenizer tokenizer : {Tokenizer::None,
                                Tokenizer::AsciiSpaces,
                                Tokenizer::NoPunctuation,
                                Tokenizer::V13a,
                                Tokenizer::V13aEvaluate,
                                Tokenizer::Intl,
                                Tokenizer::Zh,
                                Tokenizer::ZhSacrebleu,
                                Tokenizer::Char,
                                Tokenizer::Jiwer,
                                Tokenizer::CharSpaces,
                                Tokenizer::CharWords,
                                Tokenizer::CharAll,
                                Tokenizer::Rouge,
                                Tokenizer::Unicode,
                                Tokenizer::Squad,
                                Tokenizer::MlqaZh,
                                Tokenizer::Text,
                                Tokenizer::ChrfWords,
                                Tokenizer::Graphemes,
                                Tokenizer::AllGraphemes,
                                Tokenizer::TercomNorm,
                                Tokenizer::TercomNormAsian,
                                Tokenizer::TercomNopunct,
                                Tokenizer::TercomNopunctAsian,
                                Tokenizer::TercomNormNopunct,
                                Tokenizer::TercomNormNopunctAsian,
                                Tokenizer::Ptb,
                                Tokenizer::PtbCoco}) {
        arena.clear();
        Span text = arena.append({units.data(), units.size(), encoding}, spaces_for(tokenizer));
        if (codes.size() % 2 == 1) {
            Buffer<uint8_t> scratch;
            tokenize_reference({.tokenizer = tokenizer, .references_twice = true}, arena, text, spans, scratch);
            text.end = std::numeric_limits<uint32_t>::max();  // the joined tokens follow the text
        } else {
            tokenize({tokenizer, Lowercase::None}, arena, text, spans);
        }
        bool can_grow = tokenizer == Tokenizer::Ptb || tokenizer == Tokenizer::PtbCoco;
        if (can_grow) text.end = std::numeric_limits<uint32_t>::max();
        uint32_t last = text.begin;
        for (size_t i = 0; i < spans.size(); ++i) {
            CHECK(spans.begin(i) >= last);
            CHECK(spans.end(i) > spans.begin(i));
            CHECK(spans.end(i) <= text.end);
            last = spans.end(i);
        }
    }
}

std::vector<uint32_t> utf8(const std::vector<uint32_t>& codes) {
    std::vector<uint32_t> bytes;
    for (uint32_t code : codes) {
        uint8_t encoded[4];
        bytes.insert(bytes.end(), encoded, encode(code, encoded));
    }
    return bytes;
}

// UTF-8 gives the same text as code points. Invalid bytes give some text.
void check_utf8(const std::vector<uint32_t>& codes, const uint16_t* lower, std::mt19937& random) {
    std::vector<uint32_t> encoded = utf8(codes);
    std::vector<uint8_t> bytes(encoded.begin(), encoded.end());
    for (Spaces spaces : {Spaces::Keep, Spaces::Unify, Spaces::Exact}) {
        Arena one, other;
        Span of_codes = one.append({codes.data(), codes.size(), Encoding::Ucs4}, spaces, lower);
        Span of_bytes = other.append({bytes.data(), bytes.size(), Encoding::Utf8}, spaces, lower);
        CHECK(of_codes.end == of_bytes.end);
        CHECK(std::equal(one.data(), one.data() + of_codes.end, other.data()));
    }
    for (uint8_t& byte : bytes)
        if (random() % 4 == 0) byte = static_cast<uint8_t>(random());
    Arena arena;
    for (Spaces spaces : {Spaces::Keep, Spaces::Unify, Spaces::Exact})
        arena.append({bytes.data(), bytes.size(), Encoding::Utf8}, spaces, lower);
    // Text that was valid UTF-8 when it was checked, but no longer is.
    TokenSpans spans;
    for (Tokenizer tokenizer : {Tokenizer::None, Tokenizer::Jiwer, Tokenizer::Intl, Tokenizer::Zh, Tokenizer::Char,
                                Tokenizer::Unicode, Tokenizer::Squad, Tokenizer::MlqaZh, Tokenizer::Text,
                                Tokenizer::Graphemes, Tokenizer::TercomNormNopunctAsian, Tokenizer::PtbCoco}) {
        Arena fresh;
        Span text = fresh.append({bytes.data(), bytes.size(), Encoding::Utf8}, spaces_for(tokenizer), lower);
        tokenize({tokenizer, Lowercase::None}, fresh, text, spans);
        for (size_t i = 0; i < spans.size(); ++i) {
            CHECK(spans.begin(i) < spans.end(i));
            CHECK((spans.end(i) <= text.end || tokenizer == Tokenizer::PtbCoco));
        }
    }
}

}  // namespace

TEST_CASE("tokenizers stay inside their text") {
    std::mt19937 random(3);
    TokenSpans spans;
    Arena arena;
    // Not real lowercase: arbitrary replacements, with fewer or more bytes.
    std::vector<uint16_t> lower(kLastLower + 1);
    for (uint32_t code = 0; code <= kLastLower; ++code)
        lower[code] = static_cast<uint16_t>(code % 3 == 0 ? 0x2c65 : code % 3 == 1 ? code : 'k');
    for (int round = 0; round < 20000; ++round) {
        Encoding encoding = static_cast<Encoding>(round % 5);
        uint32_t limit = std::vector<uint32_t>{0x80, 0x100, 0x10000, 0x110000, 0x110000}[round % 5];
        std::vector<uint32_t> codes;
        for (size_t pieces = random() % 60; pieces > 0; --pieces) {
            uint32_t wide = kWide[random() % std::size(kWide)];
            if (random() % 4 == 0 && wide < limit) {
                codes.push_back(wide);
            } else {
                for (const char* c = kPieces[random() % std::size(kPieces)]; *c; ++c)
                    codes.push_back(static_cast<uint8_t>(*c));
            }
        }
        switch (encoding) {
            case Encoding::Ascii:
            case Encoding::Latin1: check_text<uint8_t>(codes, encoding, spans, arena); break;
            case Encoding::Ucs2: check_text<uint16_t>(codes, encoding, spans, arena); break;
            case Encoding::Ucs4: check_text<uint32_t>(codes, encoding, spans, arena); break;
            case Encoding::Utf8:
                check_text<uint8_t>(utf8(codes), encoding, spans, arena);
                check_utf8(codes, round % 2 == 0 ? lower.data() : nullptr, random);
                break;
        }
    }
}
