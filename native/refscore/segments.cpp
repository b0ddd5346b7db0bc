#include "segments.hpp"

namespace refscore {
namespace {

template <class Int, class Take>
void for_each_id(const IdView& view, const Padding& padding, Take take) {
    const Int* ids = static_cast<const Int*>(view.data);
    if (padding.present) {
        for (size_t i = 0; i < view.size; ++i)
            if (static_cast<int64_t>(ids[i]) != padding.id) take(token_of_id(ids[i]));
    } else {
        for (size_t i = 0; i < view.size; ++i) take(token_of_id(ids[i]));
    }
}

}  // namespace

// Calls ready(n) with a bound on the number of tokens, then take(token) for each.
template <class Ready, class Take>
void Numberer::for_each_token(const Block& block, const Item& item, const Padding& padding, Arena& arena, Ready ready, Take take) {
    switch (block.kind) {
        case ItemKind::Text: {
            Span text = arena.append(block.texts[item.first], rules_.spaces(), block.lower);
            tokenize(rules_, arena, text, spans_);
            ready(spans_.size());
            const uint8_t* bytes = arena.data();
            for (size_t i = 0; i < spans_.size(); ++i) take(token_at(bytes, spans_.begin(i), spans_.end(i)));
            return;
        }
        case ItemKind::Tokens:
            ready(item.count);
            for (size_t i = 0; i < item.count; ++i) {
                const TextView& view = block.texts[item.first + i];
                if (view.encoding == Encoding::Ascii && view.size <= Token::kInline) {
                    take(short_token(static_cast<const uint8_t*>(view.data), static_cast<uint32_t>(view.size)));
                } else {
                    Span text = arena.append(view, Spaces::Keep);
                    take(token_at(arena.data(), text.begin, text.end));
                }
            }
            return;
        case ItemKind::Ids: {
            const IdView& view = block.ids[item.first];
            ready(view.size);
            switch (view.type) {
                case IdType::I8: return for_each_id<int8_t>(view, padding, take);
                case IdType::I16: return for_each_id<int16_t>(view, padding, take);
                case IdType::I32: return for_each_id<int32_t>(view, padding, take);
                case IdType::I64: return for_each_id<int64_t>(view, padding, take);
                case IdType::U8: return for_each_id<uint8_t>(view, padding, take);
                case IdType::U16: return for_each_id<uint16_t>(view, padding, take);
                case IdType::U32: return for_each_id<uint32_t>(view, padding, take);
            }
        }
    }
}

NumberedReferences Numberer::references(const Block& block, size_t segment) {
    reference_arena_.clear();
    reference_lengths_.clear();
    vocabulary_.reset();
    size_t first = block.reference_starts[segment], last = block.reference_starts[segment + 1];
    size_t count = 0;
    for (size_t r = first; r < last; ++r) {
        size_t before = count;
        // References of a segment are about equally long: making room for some more at the first saves growing later.
        auto ready = [&](size_t tokens) {
            vocabulary_.reserve(tokens * std::min<size_t>(last - r, 4));
            reference_tokens_.room(count + tokens, count);
        };
        auto take = [&](const Token& token) { reference_tokens_[count++] = vocabulary_.add(token, reference_arena_.data()); };
        for_each_token(block, block.references[r], block.reference_padding, reference_arena_, ready, take);
        reference_lengths_.push_back(static_cast<uint32_t>(count - before));
    }
    return {vocabulary_.view(reference_arena_.data()), vocabulary_.size(), {reference_tokens_.data(), count}, reference_lengths_};
}

std::span<const uint32_t> Numberer::hypothesis(const Block& block, size_t segment, const VocabularyView& vocabulary) {
    hypothesis_arena_.clear();
    size_t count = 0;
    auto ready = [&](size_t tokens) { hypothesis_tokens_.room(tokens); };
    auto take = [&](const Token& token) { hypothesis_tokens_[count++] = vocabulary.find(token, hypothesis_arena_.data()); };
    for_each_token(block, block.hypotheses[segment], block.hypothesis_padding, hypothesis_arena_, ready, take);
    return {hypothesis_tokens_.data(), count};
}

std::span<const uint32_t> Numberer::hypothesis(const TokenList& list, const VocabularyView& vocabulary) {
    size_t count = list.tokens.size();
    uint32_t* numbers = hypothesis_tokens_.room(count);
    for (size_t i = 0; i < count; ++i) numbers[i] = vocabulary.find(list.tokens[i], list.arena.data());
    return {numbers, count};
}

void Numberer::read_hypothesis(const Block& block, size_t segment, TokenList& into) {
    into.tokens.clear();
    into.arena.clear();
    auto ready = [&](size_t tokens) { into.tokens.reserve(tokens); };
    auto take = [&](const Token& token) { into.tokens.push_back(token); };
    for_each_token(block, block.hypotheses[segment], block.hypothesis_padding, into.arena, ready, take);
}

}  // namespace refscore
