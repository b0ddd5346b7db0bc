// Segments as callers pass them (a Block of plain views) and as kernels need them (numbered tokens).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "refscore/segments/vocabulary.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/text/reference_markup.hpp"
#include "refscore/text/text.hpp"
#include "refscore/text/tokenizers.hpp"
#include "refscore/threads/piece.hpp"

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

// Integer tokens of any width, in the caller's memory.
struct IdView {
    const void* data;
    size_t size;
    IdType type;
};

// The padding id, if any. It fills up rows and is not a token.
struct Padding {
    bool present = false;
    int64_t id = 0;
};

// The kind of a block's items; all have the same.
enum class ItemKind : uint8_t { Text, Tokens, Ids };

// One hypothesis or reference: the text at `first`, `count` token texts from `first`, or the ids at `first`.
struct Item {
    size_t first;
    size_t count;
};

// Consecutive segments. The code that fills a block determines how long its views are valid.
struct Block {
    ItemKind kind = ItemKind::Text;
    std::vector<TextView> texts;
    std::vector<IdView> ids;
    std::vector<Item> hypotheses;
    std::vector<Item> references;
    // Segment i has [starts[i], starts[i + 1]). Only 0 if the references are prepared or missing.
    std::vector<size_t> reference_starts;
    const uint16_t* lower = nullptr;  // replacements for characters of texts, see Arena::append
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
    bool has_references() const { return reference_starts.size() > 1; }
};

// Prefetches the texts of a segment, which are rarely cached, during the work on the previous one.
inline void prefetch(const Block& block, size_t segment) {
    if (block.kind != ItemKind::Text) return;
    auto fetch = [&](const Item& item) {
        // Cache lines of 64 bytes. 4 lines are 256 characters, more than most sentences; the hardware prefetches the
        // rest.
        constexpr size_t kLine = 64, kLines = 4;
        const TextView& text = block.texts[item.first];
        for (size_t at = 0; at < std::min(text.size, kLine * kLines); at += kLine)
            prefetch_line(static_cast<const char*>(text.data) + at);
    };
    fetch(block.hypotheses[segment]);
    if (block.reference_starts.size() > segment + 1)
        for (size_t r = block.reference_starts[segment]; r < block.reference_starts[segment + 1]; ++r)
            fetch(block.references[r]);
}

// Splits a block into pieces of similar cost, so several threads share long segments. Short segments stay together.
void cut_by_length(const Block& block, std::vector<Piece>& pieces);

// Whether two items of a block have the same contents.
bool same_items(const Block& block, const Item& one, const Item& other);

// Whether two segments have the same references, like several answers to one question. They are then read only once.
inline bool same_references(const Block& block, size_t segment, size_t other) {
    const std::vector<size_t>& starts = block.reference_starts;
    size_t count = starts[segment + 1] - starts[segment];
    if (starts[other + 1] - starts[other] != count) return false;
    for (size_t r = 0; r < count; ++r) {
        const Item &one = block.references[starts[segment] + r], &two = block.references[starts[other] + r];
        // Most texts already differ in length, which needs no call.
        if (block.kind == ItemKind::Text && block.texts[one.first].size != block.texts[two.first].size) return false;
        if (!same_items(block, one, two)) return false;
    }
    return true;
}

// The numbered references of one segment, and the vocabulary to look up its hypothesis.
struct NumberedReferences {
    VocabularyView vocabulary;
    uint32_t vocabulary_size;
    std::span<const uint32_t> tokens;   // all references, concatenated
    std::span<const uint32_t> lengths;  // of each reference
    ItemKind kind = ItemKind::Tokens;
    // The positions of each word in a single prepared reference of at most kPlaces tokens, one bit each; else null.
    const uint64_t* places = nullptr;

    static constexpr size_t kPlaces = 64;  // bits of a machine word

    // Returns a single reference with the same vocabulary. `begin` is the offset of its tokens.
    NumberedReferences only(size_t reference, size_t begin) const {
        return {vocabulary, vocabulary_size, tokens.subspan(begin, lengths[reference]), lengths.subspan(reference, 1),
                kind,       places};
    }
};

// The error for a segment that no kernel can score.
constexpr const char* kNoReference = "a segment has no reference";

// Thrown by a metric for a reference without tokens.
struct EmptyReference {
    size_t reference;
};

// Marks the end of a line if lines are separate (TextRules::lines). No token has this number. In token sequences, the
// token "\n" is such an end.
constexpr uint32_t kLineEnd = UINT32_MAX;

// Thrown by a metric that was fitted on tokens of a different kind.
class OtherTokens : public InputError {
  public:
    OtherTokens()
        : InputError(std::nullopt, "the metric was fitted on tokens of a different kind",
                     "strings (or text) and integers never match") {}
};

// The tokens of a text, stored for lookup in many vocabularies.
struct TokenList {
    ItemKind kind = ItemKind::Text;
    std::vector<Token> tokens;
    std::vector<size_t> line_ends;  // the number of tokens before each
    Arena arena;
};

// The tokens of a hypothesis along with their numbers, for metrics that need their text.
struct TokenTexts {
    ItemKind kind;
    std::span<const Token> tokens;
    const uint8_t* arena;
};
struct NumberedTexts {
    TokenTexts texts;
    std::span<const uint32_t> numbers;
};

// Numbers the tokens of one segment after another; one instance per thread.
class Numberer {
  public:
    explicit Numberer(TextRules rules) : rules_(rules) {}

    // The results are valid until the next call of the same function.
    NumberedReferences references(const Block& block, size_t segment);
    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const VocabularyView& vocabulary);
    std::span<const uint32_t> hypothesis(const TokenList& list, const VocabularyView& vocabulary);
    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const NumberedReferences& references) {
        return hypothesis(block, segment, references.vocabulary);
    }
    std::span<const uint32_t> hypothesis(const TokenList& list, const NumberedReferences& references) {
        return hypothesis(list, references.vocabulary);
    }
    // Numbers the tokens of a hypothesis from 1, for metrics without references.
    std::span<const uint32_t> hypothesis_itself(const Block& block, size_t segment, Vocabulary& vocabulary);
    std::span<const uint32_t> hypothesis_itself(const TokenList& list, Vocabulary& vocabulary);

    const TextRules& rules() const { return rules_; }

    void read_hypothesis(const Block& block, size_t segment, TokenList& into);
    // `reference` is an index into all references of the block.
    void read_reference(const Block& block, size_t reference, TokenList& into);

  private:
    enum class Side : uint8_t { Hypothesis, Reference };
    void read(Side side, const Block& block, const Item& item, TokenList& into);
    template <class Ready, class Take, class Mark>
    void for_each_token(Side side, const Block& block, const Item& item, Arena& arena, Ready ready, Take take,
                        Mark mark);
    template <class Take>
    void take_characters(const uint8_t* bytes, size_t& i, size_t stop, Take take);

    TextRules rules_;
    TokenSpans spans_;
    Buffer<uint8_t> joined_;
    Arena reference_arena_;
    Arena hypothesis_arena_;
    Vocabulary vocabulary_;
    Buffer<uint32_t> reference_tokens_;
    std::vector<uint32_t> reference_lengths_;
    Buffer<uint32_t> hypothesis_tokens_;
    std::array<uint32_t, 256> characters_;  // scratch memory: the number of each byte plus 1, or 0 if unknown
    size_t work_ = 0;                       // nanoseconds since the last checkpoint
};

// The same for metrics that need the text of hypothesis tokens.
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

// The same for metrics without references: equal tokens of a hypothesis have equal numbers.
class SelfNumberer : public Numberer {
  public:
    using Numberer::Numberer;

    std::span<const uint32_t> hypothesis(const Block& block, size_t segment, const NumberedReferences&) {
        return hypothesis_itself(block, segment, vocabulary_);
    }
    std::span<const uint32_t> hypothesis(const TokenList& list, const NumberedReferences&) {
        return hypothesis_itself(list, vocabulary_);
    }

  private:
    Vocabulary vocabulary_;
};

}  // namespace refscore
