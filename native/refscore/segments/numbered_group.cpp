#include "refscore/segments/numbered_group.hpp"

#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "refscore/segments/number_batches.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
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

// A hash table of tokens that several threads fill at the same time. It never grows.
class SharedTokens {
  public:
    SharedTokens(const std::vector<Text>& texts, size_t tokens, size_t threads)
        : texts_(texts), mask_(std::bit_ceil(2 * tokens + 1) - 1) {
        constexpr size_t kRangeSlots = 4096;  // per block of parallel_for: 64 KiB, some microseconds
        slots_.reset(new Slot[mask_ + 1]);
        parallel_for(
            mask_ + 1, threads,
            [&] {
                return [&](size_t from, size_t to) {
                    for (size_t i = from; i < to; ++i) {
                        slots_[i].place.store(0, std::memory_order_relaxed);
                        slots_[i].number.store(0, std::memory_order_relaxed);
                    }
                };
            },
            kRangeSlots, 1);
    }

    // Returns the number of a token.
    uint32_t add(uint32_t text, uint32_t index, NumberBatches::Batch& batch) {
        const Token& token = texts_[text][index];
        for (size_t slot = token.hash() & mask_;; slot = (slot + 1) & mask_) {
            Slot& own = slots_[slot];
            uint64_t place = own.place.load(std::memory_order_relaxed);
            if (place == 0 && own.place.compare_exchange_strong(place, (uint64_t{text} << 32 | index) + 1,
                                                                std::memory_order_relaxed)) {
                uint32_t number = batch.take();
                own.number.store(number, std::memory_order_relaxed);
                return number;
            }
            const Text& other = texts_[(place - 1) >> 32];
            if (!are_equal(token, texts_[text].arena, other[(place - 1) & 0xffffffff], other.arena)) continue;
            // Another thread may still be about to write it.
            for (;; pause_thread())
                if (uint32_t number = own.number.load(std::memory_order_relaxed)) return number;
        }
    }

  private:
    struct Slot {
        std::atomic<uint64_t> place;  // of the first such token, from 1: text and index; 0: free
        std::atomic<uint32_t> number;
    };

    static bool are_equal(const Token& one, const uint8_t* arena, const Token& other, const uint8_t* other_arena) {
        if (one.low != other.low || one.size != other.size) return false;
        return one.is_long() ? std::memcmp(arena + one.high, other_arena + other.high, one.size) == 0
                             : one.high == other.high;
    }

    const std::vector<Text>& texts_;
    size_t mask_;
    std::unique_ptr<Slot[]> slots_;
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
    SharedTokens shared(texts, tokens, threads);
    NumberBatches numbers;
    parallel_for(
        texts.size(), threads,
        [&] {
            return [&, batch = NumberBatches::Batch(numbers)](size_t from, size_t to) mutable {
                for (size_t t = from; t < to; ++t) {
                    checkpoint(texts[t].size * kTokenWork);
                    uint32_t* out = codes.data() + ends[t] - texts[t].size;
                    for (size_t i = 0; i < texts[t].size; ++i)
                        out[i] = shared.add(static_cast<uint32_t>(t), static_cast<uint32_t>(i), batch);
                }
            };
        },
        kTexts, texts.empty() ? 0 : tokens * kTokenWork / texts.size());
    return Sequences(std::move(codes), std::move(ends), numbers.end());
}

}  // namespace refscore
