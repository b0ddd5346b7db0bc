#include "refscore/segments/collection.hpp"

#include <numeric>

#include "refscore/text/text.hpp"

namespace refscore {
namespace {

// Must be a power of two, for the mask. 64 slots of 4 bytes are 256 bytes, which is cheap for small sets.
constexpr size_t kFewestSlots = 64;

}  // namespace

void Lexicon::clear() {
    slots_.assign(kFewestSlots, 0);
    mask_ = kFewestSlots - 1;
    tokens_.assign(1, {});
}

void Lexicon::grow() {
    size_t slots = 2 * slots_.size();
    if (slots > UINT32_MAX) throw TooLarge("a set of texts must have fewer than a billion different tokens");
    slots_.assign(slots, 0);
    mask_ = static_cast<uint32_t>(slots - 1);
    fill_slots(tokens_.data(), size(), slots_.data(), mask_);
}

uint32_t Lexicon::add(const Token& token, const uint8_t* arena) {
    size_t slot = view().slot_of(token, arena);
    if (slots_[slot] != kUnknown) return slots_[slot];
    if (2 * tokens_.size() > slots_.size()) {
        grow();
        slot = view().slot_of(token, arena);
    }
    Token kept = token;
    if (token.is_long()) {
        kept.high = bytes_.size();
        bytes_.insert(bytes_.end(), arena + token.high, arena + token.high + token.size);
    }
    tokens_.push_back(kept);
    return slots_[slot] = size();
}

std::span<const uint8_t> Lexicon::bytes(uint32_t number, Inlined& inlined) const {
    const Token& token = tokens_[number];
    if (token.is_long()) return {bytes_.data() + token.high, token.size};
    copy_token(token, nullptr, inlined.data());
    return {inlined.data(), token.size};
}

std::vector<uint32_t> Lexicon::sort() {
    std::vector<uint32_t> order(size());
    std::iota(order.begin(), order.end(), 1u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        Inlined inlined, other_inlined;
        std::span<const uint8_t> left = bytes(a, inlined), right = bytes(b, other_inlined);
        return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
    });
    std::vector<uint32_t> numbers(tokens_.size());
    std::vector<Token> sorted(1);
    for (uint32_t old : order) {
        numbers[old] = static_cast<uint32_t>(sorted.size());
        sorted.push_back(tokens_[old]);
    }
    tokens_ = std::move(sorted);
    std::fill(slots_.begin(), slots_.end(), 0);
    fill_slots(tokens_.data(), size(), slots_.data(), mask_);
    return numbers;
}

void Collection::add(std::span<const uint32_t> tokens, std::span<const uint32_t> lengths) {
    if (tokens_.size() + tokens.size() + lengths.size() > UINT32_MAX)
        throw TooLarge("a set of texts must have fewer than four billion tokens");
    size_t begin = 0;
    for (uint32_t length : lengths) {
        std::span<const uint32_t> text = tokens.subspan(begin, length);
        begin += length;
        tokens_.insert(tokens_.end(), text.begin(), text.end());
        tokens_.push_back(kUnknown);
        texts_.resize(tokens_.size(), static_cast<uint32_t>(size()));
        starts_.push_back(static_cast<uint32_t>(tokens_.size()));
    }
}

void Collection::renumber(std::span<const uint32_t> numbers) {
    for (uint32_t& token : tokens_) token = numbers[token];
}

}  // namespace refscore
