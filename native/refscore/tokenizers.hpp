// The tokenizers that run inside the kernels: text in the arena -> spans of tokens.
#pragma once

#include <cstdint>

#include "byte_classes.hpp"
#include "text.hpp"

namespace refscore {

// The last are chrF's: words with one punctuation mark split off, and grapheme clusters without and with those of white space.
enum class Tokenizer : uint8_t { None, V13a, Intl, Zh, ZhSacrebleu, Char, ChrfWords, Graphemes, AllGraphemes };

// Full is no different from Ascii here: characters beyond ASCII are lowercased on their way into the arena.
enum class Lowercase : uint8_t { None, Ascii, Full };

// What happens to text before its tokens are counted.
struct TextRules {
    Tokenizer tokenizer = Tokenizer::None;
    Lowercase lowercase = Lowercase::None;

    // How text has to be appended to the arena.
    Spaces spaces() const {
        return tokenizer == Tokenizer::Graphemes || tokenizer == Tokenizer::AllGraphemes ? Spaces::Keep : Spaces::Unify;
    }
};

// Begins and ends of tokens, in bytes of the arena. Reused from text to text.
class TokenSpans {
  public:
    // Room for that many tokens, and none of them yet.
    void reset(size_t most_tokens) {
        begins_.room(most_tokens + BlockScanner::kOvershoot);
        ends_.room(most_tokens + BlockScanner::kOvershoot);
        size_ = 0;
    }
    size_t size() const { return size_; }
    uint32_t begin(size_t i) const { return begins_[i]; }
    uint32_t end(size_t i) const { return ends_[i]; }

    // For tokenizers: they write into the room and set the size at the end.
    uint32_t* begins() { return begins_.data(); }
    uint32_t* ends() { return ends_.data(); }
    void resize(size_t size) { size_ = size; }

  private:
    Buffer<uint32_t> begins_;
    Buffer<uint32_t> ends_;
    size_t size_ = 0;
};

// Tokenizes the text that was appended to the arena last (with rules.spaces()); it may be rewritten in place.
void tokenize(const TextRules& rules, Arena& arena, Span text, TokenSpans& out);

}  // namespace refscore
