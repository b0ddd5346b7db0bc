// The tokenizers inside the kernels: they turn text in the arena into token spans.
#pragma once

#include <cstdint>

#include "refscore/simd/byte_classes.hpp"
#include "refscore/text/text.hpp"

namespace refscore {

enum class Tokenizer : uint8_t {
    None,
    AsciiSpaces,
    V13a,
    V13aEvaluate,
    Intl,
    Zh,
    ZhSacrebleu,
    Char,
    Jiwer,
    CharSpaces,
    CharWords,
    CharAll,
    Rouge,
    Unicode,
    // For answers to questions; see answer_text.hpp.
    Squad,
    MlqaZh,
    Text,
    // For chrF: words with one punctuation mark split off, and grapheme clusters without and with whitespace clusters.
    ChrfWords,
    Graphemes,
    AllGraphemes,
    // Tercom's, by setting. Without any setting it equals None.
    TercomNorm,
    TercomNormAsian,
    TercomNopunct,
    TercomNopunctAsian,
    TercomNormNopunct,
    TercomNormNopunctAsian,
    // Stanford's Penn Treebank tokenizer, and its tokens as coco-caption uses them.
    Ptb,
    PtbCoco,
    NoPunctuation,
    // For EED: all characters, after rules for English or without whitespace at the end.
    EedEn,
    EedJa,
};

// Kernels treat Full like Ascii, because other characters are lowercased when they are copied into the arena.
enum class Lowercase : uint8_t { None, Ascii, Full };

// How text is processed before its tokens are counted.
struct TextRules {
    Tokenizer tokenizer = Tokenizer::None;
    Lowercase lowercase = Lowercase::None;
    bool references_twice = false;  // tokenize references, join the tokens, and tokenize again
    bool stem = false;              // stem tokens of more than three characters with Porter's algorithm
    bool lines = false;             // tokenize each line separately and mark its end; see Numberer
    bool no_punctuation = false;    // remove ASCII punctuation before tokenizing
    bool no_digits = false;         // remove ASCII digits before tokenizing
    bool alternatives = false;      // references have alternatives; see reference_markup.hpp

    bool operator==(const TextRules&) const = default;
};

// How the arena must store whitespace for a tokenizer.
inline Spaces spaces_for(Tokenizer tokenizer) {
    switch (tokenizer) {
        case Tokenizer::AsciiSpaces:
        case Tokenizer::Jiwer:
        case Tokenizer::CharSpaces:
        case Tokenizer::CharAll:
        case Tokenizer::Text:
        case Tokenizer::Graphemes:
        case Tokenizer::AllGraphemes:
        case Tokenizer::Ptb:
        case Tokenizer::PtbCoco:
        case Tokenizer::EedJa: return Spaces::Exact;
        default: return Spaces::Unify;
    }
}

// Whether each token is one character.
inline bool splits_characters(Tokenizer tokenizer) {
    switch (tokenizer) {
        case Tokenizer::Char:
        case Tokenizer::CharSpaces:
        case Tokenizer::CharWords:
        case Tokenizer::CharAll: return true;
        default: return false;
    }
}

// The beginnings and ends of tokens as offsets into the arena. Reused for many texts.
class TokenSpans {
  public:
    // Allocates memory for `most_tokens` tokens and clears the list.
    void reset(size_t most_tokens) {
        begins_.reserve(most_tokens + BlockScanner::kOvershoot);
        ends_.reserve(most_tokens + BlockScanner::kOvershoot);
        size_ = 0;
    }
    size_t size() const { return size_; }
    uint32_t begin(size_t i) const { return begins_[i]; }
    uint32_t end(size_t i) const { return ends_[i]; }

    // For tokenizers, which write to the buffers and then set the size.
    uint32_t* begins() { return begins_.data(); }
    uint32_t* ends() { return ends_.data(); }
    void resize(size_t size) { size_ = size; }

  private:
    Buffer<uint32_t> begins_;
    Buffer<uint32_t> ends_;
    size_t size_ = 0;
};

// Tokenizes the last text in the arena, which must have been appended with spaces_for(tokenizer). May rewrite it in
// place.
void tokenize(const TextRules& rules, Arena& arena, Span text, TokenSpans& out);

// The same for a reference. `scratch` is reused between calls.
void tokenize_reference(const TextRules& rules, Arena& arena, Span text, TokenSpans& out, Buffer<uint8_t>& scratch);

}  // namespace refscore
