// Tokenizers on random text of every encoding: spans are in order, inside the text and not empty. (That they are the right ones
// is tested from Python, against the originals.) Meant to be run under sanitizers.
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "refscore/tokenizers.hpp"

using namespace refscore;

namespace {

const char* const kPieces[] = {"a", "word", "1", "23", ".", ",", "-", "-\n", " ", "&amp;", "&quot;", "<skipped>", "&", "<", "\n", "'", "$", "\x1f", "\x7f"};
constexpr uint32_t kWide[] = {0x85, 0xe9, 0xa0, 0xbd, 0x2028, 0x3000, 0x4e2d, 0x3002, 0xd800, 0xffff, 0x1f600, 0x20000, 0x10ffff, 0x301, 0x200d, 0x30ab, 0x915};

template <class Unit>
void check_text(const std::vector<uint32_t>& codes, Encoding encoding, TokenSpans& spans, Arena& arena) {
    std::vector<Unit> units(codes.begin(), codes.end());
    for (Tokenizer tokenizer : {Tokenizer::None, Tokenizer::AsciiSpaces, Tokenizer::V13a, Tokenizer::V13aEvaluate, Tokenizer::Intl, Tokenizer::Zh, Tokenizer::ZhSacrebleu, Tokenizer::Char,
                                Tokenizer::Jiwer, Tokenizer::CharSpaces, Tokenizer::Rouge, Tokenizer::Unicode, Tokenizer::ChrfWords,
                                Tokenizer::Graphemes, Tokenizer::AllGraphemes,
                                Tokenizer::TercomNorm, Tokenizer::TercomNormAsian, Tokenizer::TercomNopunct, Tokenizer::TercomNopunctAsian,
                                Tokenizer::TercomNormNopunct, Tokenizer::TercomNormNopunctAsian}) {
        arena.clear();
        Span text = arena.append({units.data(), units.size(), encoding}, spaces_for(tokenizer));
        if (codes.size() % 2 == 1) {
            Buffer<uint8_t> room;
            tokenize_reference({.tokenizer = tokenizer, .references_twice = true}, arena, text, spans, room);
            text.end = std::numeric_limits<uint32_t>::max();  // the joined tokens follow the text
        } else {
            tokenize({tokenizer, Lowercase::None}, arena, text, spans);
        }
        uint32_t last = text.begin;
        for (size_t i = 0; i < spans.size(); ++i) {
            CHECK(spans.begin(i) >= last && spans.end(i) > spans.begin(i) && spans.end(i) <= text.end);
            last = spans.end(i);
        }
    }
}

}  // namespace

int main() {
    std::mt19937 random(3);
    TokenSpans spans;
    Arena arena;
    for (int round = 0; round < 20000; ++round) {
        Encoding encoding = static_cast<Encoding>(round % 4);
        uint32_t limit = std::vector<uint32_t>{0x80, 0x100, 0x10000, 0x110000}[round % 4];
        std::vector<uint32_t> codes;
        for (size_t pieces = random() % 60; pieces > 0; --pieces) {
            uint32_t wide = kWide[random() % std::size(kWide)];
            if (random() % 4 == 0 && wide < limit) {
                codes.push_back(wide);
            } else {
                for (const char* c = kPieces[random() % std::size(kPieces)]; *c; ++c) codes.push_back(static_cast<uint8_t>(*c));
            }
        }
        switch (encoding) {
            case Encoding::Ascii:
            case Encoding::Latin1: check_text<uint8_t>(codes, encoding, spans, arena); break;
            case Encoding::Ucs2: check_text<uint16_t>(codes, encoding, spans, arena); break;
            case Encoding::Ucs4: check_text<uint32_t>(codes, encoding, spans, arena); break;
        }
    }
    std::puts("tokenizers stay inside their text");
}
