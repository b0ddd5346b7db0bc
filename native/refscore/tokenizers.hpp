// The tokenizers that run inside the kernels: text in the arena -> spans of tokens.
#pragma once

#include <cstdint>

#include "byte_classes.hpp"
#include "text.hpp"

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
    Rouge,
    Unicode,
    // chrF's: words with one punctuation mark split off, and grapheme clusters without and with those of white space.
    ChrfWords,
    Graphemes,
    AllGraphemes,
    // Tercom's, by their settings; without any it is None.
    TercomNorm,
    TercomNormAsian,
    TercomNopunct,
    TercomNopunctAsian,
    TercomNormNopunct,
    TercomNormNopunctAsian,
};

// Full is no different from Ascii here: characters beyond ASCII are lowercased on their way into the arena.
enum class Lowercase : uint8_t { None, Ascii, Full };

// What happens to text before its tokens are counted.
struct TextRules {
    Tokenizer tokenizer = Tokenizer::None;
    Lowercase lowercase = Lowercase::None;
    bool references_twice = false;  // references are tokenized, and then the joined tokens once more
    bool stem = false;              // tokens of more than three characters, by Porter's rules
    bool lines = false;             // each line is tokenized on its own, and its end is marked; see Numberer

    bool operator==(const TextRules&) const = default;
};

// How text has to be in the arena for a tokenizer.
inline Spaces spaces_for(Tokenizer tokenizer) {
    switch (tokenizer) {
        case Tokenizer::AsciiSpaces:
        case Tokenizer::Jiwer:
        case Tokenizer::CharSpaces:
        case Tokenizer::Graphemes:
        case Tokenizer::AllGraphemes: return Spaces::Exact;
        default: return Spaces::Unify;
    }
}

// Begins and ends of tokens, in bytes of the arena. Reused from text to text.
class TokenSpans {
  public:
    // Allocates memory for that many tokens, and forgets those that there were.
    void reset(size_t most_tokens) {
        begins_.reserve(most_tokens + BlockScanner::kOvershoot);
        ends_.reserve(most_tokens + BlockScanner::kOvershoot);
        size_ = 0;
    }
    size_t size() const { return size_; }
    uint32_t begin(size_t i) const { return begins_[i]; }
    uint32_t end(size_t i) const { return ends_[i]; }

    // For tokenizers: they write into the buffers and set the size at the end.
    uint32_t* begins() { return begins_.data(); }
    uint32_t* ends() { return ends_.data(); }
    void resize(size_t size) { size_ = size; }

  private:
    Buffer<uint32_t> begins_;
    Buffer<uint32_t> ends_;
    size_t size_ = 0;
};

// Tokenizes the text that was appended to the arena last (with spaces_for its tokenizer); it may be rewritten in place.
void tokenize(const TextRules& rules, Arena& arena, Span text, TokenSpans& out);

// The same for a reference. `scratch` holds whatever it needs.
void tokenize_reference(const TextRules& rules, Arena& arena, Span text, TokenSpans& out, Buffer<uint8_t>& scratch);

}  // namespace refscore
