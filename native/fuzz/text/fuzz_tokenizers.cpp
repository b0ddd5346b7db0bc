// Tokens are in order inside their text, and the same for every encoding. Porter stems, grapheme clusters and UTF-8
// checks satisfy their definitions.
#include <string>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/text/graphemes.hpp"
#include "refscore/text/porter.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/text/unicode.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(const TextRules& rules, const TextView& text, bool is_reference) {
    Arena arena;
    TokenSpans spans;
    Buffer<uint8_t> scratch;
    const uint16_t* lower = rules.lowercase == Lowercase::Full ? lower_table() : nullptr;
    arena.append({"before", 6, Encoding::Ascii}, Spaces::Keep);
    Span span = arena.append(text, spaces_for(rules.tokenizer), lower);
    if (is_reference) {
        tokenize_reference(rules, arena, span, spans, scratch);
    } else {
        tokenize(rules, arena, span, spans);
    }
    Tokens tokens;
    uint32_t last = span.begin;
    bool can_grow = rules.tokenizer == Tokenizer::Ptb || rules.tokenizer == Tokenizer::PtbCoco ||
                    (is_reference && rules.references_twice);
    for (size_t i = 0; i < spans.size(); ++i) {
        CHECK(spans.end(i) > spans.begin(i));
        // The spaces that EED adds are all the byte after the text.
        bool is_added = rules.tokenizer == Tokenizer::EedEn && spans.end(i) == spans.begin(i) + 1 &&
                        arena.data()[spans.begin(i)] == ' ';
        if (!is_added) {
            CHECK(spans.begin(i) >= last);
            CHECK(spans.end(i) <= span.end || can_grow);
            last = spans.end(i);
        }
        tokens.emplace_back(reinterpret_cast<const char*>(arena.data()) + spans.begin(i),
                            spans.end(i) - spans.begin(i));
    }
    return tokens;
}

template <class Unit>
Tokens tokens_in(const TextRules& rules, const Words& codes, Encoding encoding, bool is_reference) {
    std::unique_ptr<Unit[]> units(new Unit[codes.size()]);
    std::copy(codes.begin(), codes.end(), units.get());
    return tokens_of(rules, {units.get(), codes.size(), encoding}, is_reference);
}

bool is_utf8_by_character(std::span<const uint8_t> bytes) {
    for (size_t i = 0; i < bytes.size();) {
        uint8_t lead = bytes[i];
        size_t size = lead < 0x80                   ? 1
                      : lead >= 0xc2 && lead < 0xe0 ? 2
                      : lead >= 0xe0 && lead < 0xf0 ? 3
                      : lead >= 0xf0 && lead < 0xf5 ? 4
                                                    : 0;
        if (size == 0 || i + size > bytes.size()) return false;
        const uint8_t* in = bytes.data() + i;
        uint32_t code = decode(in);
        for (size_t k = 1; k < size; ++k)
            if ((bytes[i + k] & 0xc0) != 0x80) return false;
        if ((size == 3 && code < 0x800) || (size == 4 && code < 0x10000) || code > 0x10ffff ||
            (code >= 0xd800 && code < 0xe000))
            return false;
        i += size;
    }
    return true;
}

void check_clusters(std::span<const uint8_t> text) {
    const uint8_t *at = text.data(), *end = at + text.size();
    Conjoining conjoining;
    while (at != end) {
        Conjoining before = conjoining;
        const uint8_t* after = end_of_cluster(at, end, conjoining);
        CHECK(after > at && after <= end);
        std::unique_ptr<uint8_t[]> alone(new uint8_t[static_cast<size_t>(after - at)]);
        std::copy(at, after, alone.get());
        CHECK(end_of_cluster(alone.get(), alone.get() + (after - at), before) == alone.get() + (after - at));
        at = after;
    }
}

void check_stem(const std::string& word) {
    std::unique_ptr<uint8_t[]> bytes(new uint8_t[word.size()]);
    std::copy(word.begin(), word.end(), bytes.get());
    size_t size = porter_stem(bytes.get(), word.size());
    CHECK(size <= word.size() && (word.empty() || size > 0));
    if (is_too_short_to_stem(reinterpret_cast<const uint8_t*>(word.data()), word.size()))
        CHECK(std::string(bytes.get(), bytes.get() + size) == word);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    TextRules rules = read_rules(input);
    bool is_reference = input.flag();
    std::span<const uint8_t> rest = input.rest();
    std::unique_ptr<uint8_t[]> kept(new uint8_t[rest.size()]);
    std::copy(rest.begin(), rest.end(), kept.get());
    std::span<const uint8_t> bytes(kept.get(), rest.size());

    bool is_valid = is_utf8(bytes.data(), bytes.size());
    CHECK(is_valid == is_utf8_by_character(rest));
    CHECK(is_ascii(bytes.data(), bytes.size()) ==
          std::all_of(rest.begin(), rest.end(), [](uint8_t byte) { return byte < 0x80; }));
    Words codes;
    for (const uint8_t* in = bytes.data(), *end = in + bytes.size(); in != end;)
        codes.push_back(std::min(decode_within(in, end), uint32_t{0x10ffff}));
    uint32_t highest = codes.empty() ? 0 : *std::max_element(codes.begin(), codes.end());
    Tokens found = tokens_of(rules, {bytes.data(), bytes.size(), Encoding::Utf8}, is_reference);
    Tokens expected = tokens_in<uint32_t>(rules, codes, Encoding::Ucs4, is_reference);
    if (is_valid) CHECK(found == expected);
    if (highest < 0x10000) CHECK(tokens_in<uint16_t>(rules, codes, Encoding::Ucs2, is_reference) == expected);
    if (highest < 0x100) CHECK(tokens_in<uint8_t>(rules, codes, Encoding::Latin1, is_reference) == expected);
    if (highest < 0x80) CHECK(tokens_in<uint8_t>(rules, codes, Encoding::Ascii, is_reference) == expected);
    bool is_plain = rules.tokenizer == Tokenizer::None && !rules.stem && rules.lowercase == Lowercase::None &&
                    !rules.no_punctuation && !rules.no_digits;
    if (is_plain) {
        Tokens words(1);
        for (uint32_t code : codes) {
            uint8_t encoded[4];
            uint8_t* end = encode(code, encoded);
            if (!is_space(code)) {
                words.back().append(encoded, end);
            } else if (!words.back().empty()) {
                words.emplace_back();
            }
        }
        if (words.back().empty()) words.pop_back();
        CHECK(expected == words);
    }
    std::string generalized;
    for (uint32_t code : codes) {
        uint8_t encoded[4];
        generalized.append(encoded, encode(code, encoded));
    }
    std::vector<uint8_t> exact(generalized.begin(), generalized.end());
    exact.shrink_to_fit();
    check_clusters(exact);
    for (const std::string& token : expected) check_stem(token);
    check_stem(generalized);
    return 0;
}
