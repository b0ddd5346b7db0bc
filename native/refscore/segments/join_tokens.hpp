// Texts of token sequences: tokens joined by spaces. A text that is one token is the text itself.
#pragma once

#include <algorithm>
#include <string>

#include "refscore/segments/segments.hpp"
#include "refscore/segments/vocabulary.hpp"

namespace refscore {

inline void append_token(const Token& token, const uint8_t* arena, ItemKind kind, std::string& out) {
    if (!out.empty()) out += ' ';
    if (kind == ItemKind::Ids) {
        out += std::to_string(static_cast<int64_t>(token.low));
        return;
    }
    size_t begin = out.size();
    out.resize(begin + std::max(token.size, Token::kInline));
    copy_token(token, arena, reinterpret_cast<uint8_t*>(out.data() + begin));
    out.resize(begin + token.size);
}

// Writes the text of a hypothesis.
inline void join_tokens(const TokenTexts& texts, std::string& out) {
    out.clear();
    for (const Token& token : texts.tokens) append_token(token, texts.arena, texts.kind, out);
}

// Writes the text of a part of the references' tokens.
inline void join_tokens(const NumberedReferences& references, std::span<const uint32_t> part, std::string& out) {
    out.clear();
    for (uint32_t number : part)
        append_token(references.vocabulary.tokens[number], references.vocabulary.arena, references.kind, out);
}

}  // namespace refscore
