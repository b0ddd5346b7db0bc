// Segments as callers hand them over (a Block of plain views), and as kernels want them (numbered tokens).
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "cpu_dispatch.hpp"
#include "piece.hpp"
#include "text.hpp"
#include "tokenizers.hpp"
#include "vocabulary.hpp"

namespace refscore {

enum class IdType : uint8_t { I8, I16, I32, I64, U8, U16, U32 };

inline size_t id_size(IdType type) {
    switch (type) {
        case IdType::I8:
        case IdType::U8: return 1;
        case IdType::I16:
        case IdType::U16: return 2;
        case IdType::I32:
        case IdType::U32: return 4;
        case IdType::I64: return 8;
    }
    return 8;
}

// Integer tokens, wherever they lie.
struct IdView {
    const void* data;
    size_t size;
    IdType type;
};

// The id, if any, that only fills rows up and is no token.
struct Padding {
    bool present = false;
    int64_t id = 0;
};

// What the items of a block are; all are of one kind.
enum class ItemKind : uint8_t { Text, Tokens, Ids };

// One hypothesis or reference: the text at `first` of the block's texts, `count` token texts from `first`, or the ids at `first`.
struct Item {
    size_t first;
    size_t count;
};

// Some consecutive segments. The views stay valid for as long as whoever filled the block says.
struct Block {
    ItemKind kind = ItemKind::Text;
    std::vector<TextView> texts;
    std::vector<IdView> ids;
    std::vector<Item> hypotheses;
    std::vector<Item> references;
    std::vector<size_t> reference_starts;  // of segment i: [starts[i], starts[i + 1]); empty if the references are prepared
    const uint16_t* lower = nullptr;       // what characters of texts are replaced by, see Arena::append
    Padding hypothesis_padding;
    Padding reference_padding;

    void clear() {
        texts.clear();
        ids.clear();
        hypotheses.clear();
        references.clear();
        reference_starts.assign(1, 0);
    }
    size_t size() const { return hypotheses.size(); }
};

// Asks for a segment's texts, which the caches rarely hold, while the one before it is being worked on.
inline void prefetch(const Block& block, size_t segment) {
    if (block.kind != ItemKind::Text) return;
    auto fetch = [&](const Item& item) {
        constexpr size_t kLine = 64, kLines = 4;
        const TextView& text = block.texts[item.first];
        for (size_t at = 0; at < std::min(text.size, kLine * kLines); at += kLine) prefetch_line(static_cast<const char*>(text.data) + at);
    };
    fetch(block.hypotheses[segment]);
    if (block.reference_starts.size() > segment + 1)
        for (size_t r = block.reference_starts[segment]; r < block.reference_starts[segment + 1]; ++r) fetch(block.references[r]);
}

// Cuts a block where much has come together, so that several threads share long segments; short ones stay together.
void cut_by_length(const Block& block, std::vector<Piece>& pieces);

// Whether two items of a block hold the same.
bool same_items(const Block& block, const Item& one, const Item& other);

// Whether two segments have the same references, as all answers to one question do: what was read for one serves the other.
inline bool same_references(const Block& block, size_t segment, size_t other) {
    const std::vector<size_t>& starts = block.reference_starts;
    size_t count = starts[segment + 1] - starts[segment];
    if (starts[other + 1] - starts[other] != count) return false;
    for (size_t r = 0; r < count; ++r) {
        const Item &one = block.references[starts[segment] + r], &two = block.references[starts[other] + r];
        // Most texts differ in their length already, for which nothing has to be called.
        if (block.kind == ItemKind::Text && block.texts[one.first].size != block.texts[two.first].size) return false;
        if (!same_items(block, one, two)) return false;
    }
    return true;
}

// The references of one segment, numbered; and the vocabulary that a hypothesis is looked up in.
struct NumberedReferences {
    VocabularyView vocabulary;
    uint32_t vocabulary_size;
    std::span<const uint32_t> tokens;   // all references, one after the other
    std::span<const uint32_t> lengths;  // of each
    ItemKind kind = ItemKind::Tokens;

    // One of them alone, in the same vocabulary; its tokens begin there.
    NumberedReferences only(size_t reference, size_t begin) const {
        return {vocabulary, vocabulary_size, tokens.subspan(begin, lengths[reference]), lengths.subspan(reference, 1), kind};
    }
};

// What is wrong with a segment that no kernel can score.
constexpr const char* kNoReference = "a segment has no reference";

// Thrown by a metric for a segment with a reference that has no tokens.
struct EmptyReference {
    size_t reference;
};

// Stands after the tokens of each line where lines are kept apart (TextRules::lines): a number that no token has. In sequences of
// tokens, a token "\n" is such an end.
constexpr uint32_t kLineEnd = UINT32_MAX;

// Thrown by a metric that was fitted on tokens of a different kind.
class OtherTokens : public InputError {
  public:
    OtherTokens()
        : InputError(std::nullopt, "the metric was fitted on tokens of a different kind", "strings (or text) and integers never match") {}
};

// A text's tokens, kept to be looked up in many vocabularies.
struct TokenList {
    ItemKind kind = ItemKind::Text;
    std::vector<Token> tokens;
    std::vector<size_t> line_ends;  // how many tokens come before each
    Arena arena;
};

// A hypothesis' tokens themselves beside their numbers, for metrics that look into them.
struct TokenTexts {
    ItemKind kind;
    std::span<const Token> tokens;
    const uint8_t* arena;
};
struct NumberedTexts {
    TokenTexts texts;
    std::span<const uint32_t> numbers;
};

// Scratch memory of one thread, for numbering the tokens of one segment after the other.
class Numberer {
  public:
    explicit Numberer(TextRules rules) : rules_(rules) {}

    // These stay valid until the next call of the same name.
    NumberedReferences references(const Block& block, size_t segment);
    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const VocabularyView& vocabulary);
    std::span<const uint32_t> hypothesis(const TokenList& list, const VocabularyView& vocabulary);
    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const NumberedReferences& references) {
        return hypothesis(block, segment, references.vocabulary);
    }
    std::span<const uint32_t> hypothesis(const TokenList& list, const NumberedReferences& references) {
        return hypothesis(list, references.vocabulary);
    }

    const TextRules& rules() const { return rules_; }

    void read_hypothesis(const Block& block, size_t segment, TokenList& into);
    // One of all references of the block.
    void read_reference(const Block& block, size_t reference, TokenList& into);

  private:
    enum class Side : uint8_t { Hypothesis, Reference };
    void read(Side side, const Block& block, const Item& item, TokenList& into);
    template <class Ready, class Take, class End>
    void for_each_token(Side side, const Block& block, const Item& item, Arena& arena, Ready ready, Take take, End end);

    TextRules rules_;
    TokenSpans spans_;
    Buffer<uint8_t> joined_;
    Arena reference_arena_;
    Arena hypothesis_arena_;
    Vocabulary vocabulary_;
    Buffer<uint32_t> reference_tokens_;
    std::vector<uint32_t> reference_lengths_;
    Buffer<uint32_t> hypothesis_tokens_;
    size_t work_ = 0;  // since the last checkpoint
};

// The same for metrics that look into the tokens of hypotheses.
class TextNumberer : public Numberer {
  public:
    using Numberer::Numberer;

    // Valid until the next call.
    NumberedTexts hypothesis(const Block& block, size_t segment, const NumberedReferences& references) {
        read_hypothesis(block, segment, list_);
        return hypothesis(list_, references);
    }
    NumberedTexts hypothesis(const TokenList& list, const NumberedReferences& references) {
        return {{list.kind, list.tokens, list.arena.data()}, Numberer::hypothesis(list, references.vocabulary)};
    }

  private:
    TokenList list_;
};

}  // namespace refscore
