#include "refscore/segments/numbered_group.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "refscore/segments/shared_table.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

// The tokens of one text; with `numbers`, they are indexes into `tokens`.
struct Text {
    const Token* tokens;
    const uint32_t* numbers;
    size_t size;
    const uint8_t* arena;

    const Token& operator[](size_t i) const { return tokens[numbers != nullptr ? numbers[i] : i]; }
};

}  // namespace

Sequences number_group(const std::vector<TokenList>& hypotheses, const PreparedReferences& references, size_t threads) {
    constexpr size_t
        kTexts = 16,
        kTokenWork = 8;  // texts per block of parallel_for; nanoseconds per token; only the order of magnitude matters
    std::vector<Text> texts;
    std::vector<size_t> ends;
    for (const TokenList& list : hypotheses)
        texts.push_back({list.tokens.data(), nullptr, list.tokens.size(), list.arena.data()});
    for (size_t r = 0; r < references.size(); ++r) {
        NumberedReferences one = references[r];
        texts.push_back({one.vocabulary.tokens, one.tokens.data(), one.tokens.size(), one.vocabulary.arena});
    }
    size_t tokens = 0;
    for (const Text& text : texts) ends.push_back(tokens += text.size);
    if (tokens > std::numeric_limits<int32_t>::max() || texts.size() > std::numeric_limits<uint32_t>::max())
        throw TooLarge();
    std::vector<uint32_t> codes(tokens);
    SharedTable shared;
    shared.start(std::bit_ceil(2 * tokens + 1), threads);
    NumberBatches numbers;
    parallel_for(
        texts.size(), threads,
        [&] {
            return [&, batch = NumberBatches::Batch(numbers), added = size_t{0}](size_t from, size_t to) mutable {
                for (size_t t = from; t < to; ++t) {
                    const Text& text = texts[t];
                    checkpoint(text.size * kTokenWork);
                    uint32_t* out = codes.data() + ends[t] - text.size;
                    for (size_t i = 0; i < text.size; ++i) {
                        const Token& token = text[i];
                        // The word of a token is the place of its first occurrence, from 1.
                        auto is_same = [&](uint64_t place) {
                            const Text& other = texts[(place - 1) >> 32];
                            return same_token(token, text.arena, other[(place - 1) & 0xffffffff], other.arena);
                        };
                        out[i] = shared.add(token.hash(), (uint64_t{t} << 32 | i) + 1, is_same, batch, added);
                    }
                }
            };
        },
        kTexts, texts.empty() ? 0 : tokens * kTokenWork / texts.size());
    return Sequences(std::move(codes), std::move(ends), numbers.end());
}

}  // namespace refscore
