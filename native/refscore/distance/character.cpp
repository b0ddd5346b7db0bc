// The search for moves is greedy. Each step tries to move every block of words that the reference has at a different
// position, and takes the move after which the fewest words differ. Of equally good moves it takes the one whose words
// sort last, by code points.
//
// Moving a block over g words changes the same words as moving those g words over the block. A move of n words
// therefore changes the distance by at most 2·min(n, g), which rules out most candidates without computing their
// distance.
#include "refscore/distance/character.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "refscore/text/utf8.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kStepWork =
    3;  // nanoseconds per word of a tried move, for checkpoint(); only the order of magnitude matters
constexpr uint32_t kAscii = 0x80;
constexpr uint32_t kBeyondUnicode = 0x110000;  // a token id is one character, with a code of its own

bool is_short_ascii(const Token& token) { return !token.is_long() && ((token.low | token.high) & kHighBits) == 0; }

// The number of code points: the bytes that do not continue one.
uint32_t count_characters(const Token& token, const uint8_t* arena) {
    if (is_short_ascii(token)) return token.size;
    if (!token.is_long()) {
        auto continuing = [](uint64_t bytes) { return std::popcount(bytes & ~(bytes << 1) & kHighBits); };
        return token.size - static_cast<uint32_t>(continuing(token.low) + continuing(token.high));
    }
    const uint8_t* bytes = arena + token.high;
    return static_cast<uint32_t>(
        std::count_if(bytes, bytes + token.size, [](uint8_t byte) { return (byte & 0xc0) != 0x80; }));
}

uint64_t big_endian(uint64_t bytes) {
    uint64_t swapped = 0;
    for (int i = 0; i < 8; ++i) swapped = swapped << 8 | (bytes >> 8 * i & 0xff);
    return swapped;
}

// One step of Hyyrö's algorithm, where an insertion per row enters.
inline void step(uint64_t equal, uint64_t& plus, uint64_t& minus) {
    uint64_t diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
    uint64_t right_plus = (minus | ~(diagonal | plus)) << 1 | 1, right_minus = (diagonal & plus) << 1;
    plus = right_minus | ~(diagonal | right_plus);
    minus = right_plus & diagonal;
}

}  // namespace

// ---- words
// ----------------------------------------------------------------------------------------------------------------

void Character::number_words(std::span<const uint32_t> hypothesis) {
    size_ = hypothesis.size();
    uint32_t* words = original_.reserve(size_);
    size_t unknown = static_cast<size_t>(std::count(hypothesis.begin(), hypothesis.end(), kUnknown));
    unknown_.reset();
    unknown_.reserve(unknown);
    for (size_t i = 0; i < size_; ++i)
        words[i] =
            hypothesis[i] != kUnknown ? hypothesis[i] : known_size_ + unknown_.add(texts_.tokens[i], texts_.arena);
    vocabulary_ = known_size_ + unknown_.size();
    uint32_t* lengths = lengths_.reserve(vocabulary_ + size_t{1});
    for (size_t i = 0; i < size_; ++i)
        lengths[words[i]] = kind_ == ItemKind::Ids ? 1 : count_characters(texts_.tokens[i], texts_.arena);
}

const Token& Character::token(uint32_t word, const uint8_t*& arena) const {
    arena = word <= known_size_ ? known_.arena : texts_.arena;
    return word <= known_size_ ? known_.tokens[word] : unknown_.view(texts_.arena).tokens[word - known_size_];
}

// Writes the symbols of words, with spaces between them. ASCII characters are their own symbols; symbol_of(code)
// returns others.
template <class SymbolOf>
std::span<const uint32_t> Character::symbols(std::span<const uint32_t> words, Buffer<uint32_t>& buffer,
                                             SymbolOf symbol_of) {
    size_t most = words.size() * (1 + Token::kInline);
    for (uint32_t word : words) {
        const uint8_t* arena;
        const Token& bytes = token(word, arena);
        most += bytes.is_long() ? bytes.size : 0;
    }
    uint32_t* const begin = buffer.reserve(most);
    uint32_t* out = begin;
    for (size_t i = 0; i < words.size(); ++i) {
        if (i > 0) *out++ = ' ' + 1;
        if (kind_ == ItemKind::Ids) {
            *out++ = symbol_of(kBeyondUnicode + words[i]);
            continue;
        }
        const uint8_t* arena;
        const Token& bytes = token(words[i], arena);
        uint8_t inlined[Token::kInline];
        if (!bytes.is_long()) copy_token(bytes, arena, inlined);
        if (is_short_ascii(bytes)) {
            // Always 16 symbols: their number is unpredictable, so a loop up to the size would often be mispredicted.
            for (size_t k = 0; k < Token::kInline; ++k) out[k] = inlined[k] + uint32_t{1};
            out += bytes.size;
            continue;
        }
        const uint8_t *at = bytes.is_long() ? arena + bytes.high : inlined, *end = at + bytes.size;
        while (at != end) {
            uint32_t code = decode_within(at, end);  // bounded: columns are read in place and may change
            *out++ = code < kAscii ? code + 1 : symbol_of(code);
        }
    }
    return {begin, static_cast<size_t>(out - begin)};
}

// By code points, which is the order of bytes in UTF-8; ids by their value.
bool Character::is_before(uint32_t word, uint32_t other) const {
    const uint8_t *arena, *other_arena;
    const Token &one = token(word, arena), &two = token(other, other_arena);
    if (kind_ == ItemKind::Ids) return static_cast<int64_t>(one.low) < static_cast<int64_t>(two.low);
    if (!one.is_long() && !two.is_long()) {
        uint64_t low = big_endian(one.low), other_low = big_endian(two.low);
        if (low != other_low) return low < other_low;
        uint64_t high = big_endian(one.high), other_high = big_endian(two.high);
        return high != other_high ? high < other_high : one.size < two.size;
    }
    uint8_t inlined[Token::kInline];
    const uint8_t* bytes = one.is_long() ? arena + one.high : inlined;
    const uint8_t* other_bytes = two.is_long() ? other_arena + two.high : inlined;
    if (!one.is_long()) copy_token(one, arena, inlined);
    if (!two.is_long()) copy_token(two, other_arena, inlined);
    int order = std::memcmp(bytes, other_bytes, std::min(one.size, two.size));
    return order != 0 ? order < 0 : one.size < two.size;
}

bool Character::is_before(const uint32_t* words, const uint32_t* others) const {
    size_t same = 0;
    while (same < size_ && words[same] == others[same]) ++same;
    return same < size_ && is_before(words[same], others[same]);
}

// ---- moves
// ----------------------------------------------------------------------------------------------------------------

// The number of edits that no move can avoid: words are compared without their order.
uint32_t Character::fewest_edits() {
    uint32_t* counts = counts_.reserve(vocabulary_ + size_t{1});
    for (uint32_t word : reference_) counts[word] = 0;
    for (size_t i = 0; i < size_; ++i) counts[original_[i]] = 0;
    for (uint32_t word : reference_) ++counts[word];
    size_t common = 0;
    for (size_t i = 0; i < size_; ++i) {
        uint32_t& left = counts[original_[i]];
        common += left > 0;
        left -= left > 0;
    }
    return static_cast<uint32_t>(std::max(size_, reference_.size()) - common);
}

// Stores the columns of all prefixes, for distance_after().
uint32_t Character::first_distance() {
    if (reference_.size() > kStrip)
        return static_cast<uint32_t>(edits_.distance({words_.data(), size_}, reference_, vocabulary_));
    Column* columns = columns_.reserve(size_ + 1);
    uint64_t plus = ~uint64_t{0}, minus = 0;
    columns[0] = {plus, minus};
    for (size_t i = 0; i < size_; ++i) {
        step(masks_[words_[i]], plus, minus);
        columns[i + 1] = {plus, minus};
    }
    uint64_t used = reference_.empty() ? 0 : ~uint64_t{0} >> (kStrip - reference_.size());
    return static_cast<uint32_t>(size_) + static_cast<uint32_t>(std::popcount(plus & used)) -
           static_cast<uint32_t>(std::popcount(minus & used));
}

void Character::apply(const Candidate& candidate, uint32_t* out) const {
    auto [begin, length, to] = candidate;
    const uint32_t* words = words_.data();
    if (to < begin) {
        std::copy(words, words + to, out);
        std::copy(words + begin, words + begin + length, out + to);
        std::copy(words + to, words + begin, out + to + length);
        std::copy(words + begin + length, words + size_, out + begin + length);
    } else {
        std::copy(words, words + begin, out);
        std::copy(words + begin + length, words + to + length, out + begin);
        std::copy(words + begin, words + begin + length, out + to);
        std::copy(words + to + length, words + size_, out + to + length);
    }
}

// The distance after a move. `distance` is that of words_.
uint32_t Character::distance_after(const Candidate& candidate, uint32_t distance) {
    if (reference_.size() > kStrip) {
        apply(candidate, moved_.data());
        return static_cast<uint32_t>(edits_.distance({moved_.data(), size_}, reference_, vocabulary_));
    }
    auto [begin, length, to] = candidate;
    // The words between the old and the new position move by the length of the block.
    size_t first = std::min(begin, to), last = std::max(begin, to) + length;
    uint64_t plus = columns_[first].plus, minus = columns_[first].minus;
    auto run = [&](size_t from, size_t end) {
        for (size_t i = from; i < end; ++i) step(masks_[words_[i]], plus, minus);
    };
    if (to > begin) run(begin + length, last);
    run(begin, begin + length);
    if (to < begin) run(to, begin);
    uint64_t used = ~uint64_t{0} >> (kStrip - reference_.size());
    for (size_t i = last; i < size_; ++i) {
        // The remaining words are the same, so equal columns stay equal.
        if ((((columns_[i].plus ^ plus) | (columns_[i].minus ^ minus)) & used) == 0) return distance;
        step(masks_[words_[i]], plus, minus);
    }
    return static_cast<uint32_t>(size_) + static_cast<uint32_t>(std::popcount(plus & used)) -
           static_cast<uint32_t>(std::popcount(minus & used));
}

// Finds the best move that leaves at most `limit` edits, and writes its words to best_words_.
bool Character::find_shift(uint32_t distance, uint32_t limit, WordShift& best) {
    uint32_t *moved = moved_.reserve(size_), *chosen = best_words_.reserve(size_);
    uint32_t *runs = runs_.reserve(reference_.size() + 1), *runs_of = runs_of_.reserve(reference_.size() + 1);
    std::fill_n(runs_of, reference_.size() + 1, UINT32_MAX);
    bool found = false;
    for (uint32_t begin = static_cast<uint32_t>(size_); begin-- > 0;) {
        uint32_t word = words_[begin];
        if (word > known_size_) continue;
        // Ascending, so runs[place + 1] still belongs to the next word.
        for (uint32_t place : places_.of(word)) {
            uint32_t length = 1 + (runs_of[place + 1] == begin + 1 ? runs[place + 1] : 0);
            runs[place] = length;
            runs_of[place] = begin;
            if (place == begin) continue;
            uint32_t to = std::min(place, static_cast<uint32_t>(size_) - length);
            uint32_t gain = 2 * std::min(length, to < begin ? begin - to : to - begin);
            uint32_t least = std::max(fewest_, distance - std::min(distance, gain));
            if (least > limit) continue;
            Candidate candidate{begin, length, to};
            checkpoint(kStepWork * size_ * (1 + reference_.size() / kStrip));
            if (found && least == limit) {
                apply(candidate, moved);
                if (!is_before(chosen, moved)) continue;
            }
            uint32_t after = distance_after(candidate, distance);
            if (after > limit) continue;
            apply(candidate, moved);
            if (found && after == limit && !is_before(chosen, moved)) continue;
            best = {begin, length, to, after};
            limit = after;
            found = true;
            std::swap(moved_, best_words_);
            std::swap(moved, chosen);
        }
    }
    return found;
}

// Moves words while that reduces the distance.
//
// The original compares distances divided by the reference length, and subtracts each improvement from the first. The
// rounding can leave a tiny remainder, so one more move that changes nothing can count as an improvement. The same
// arithmetic gives the same moves.
void Character::shift_words(std::vector<WordShift>* shifts) {
    double length = static_cast<double>(reference_.size());
    uint32_t distance = first_distance();
    fewest_ = fewest_edits();
    double rate = distance / length;
    while (distance > 0) {
        WordShift best{};
        uint32_t limit = rate - distance / length > 0 ? distance : distance - 1;
        if (limit < fewest_ || !find_shift(distance, limit, best)) break;
        rate -= rate - best.distance / length;
        std::swap(words_, best_words_);
        distance = best.distance;
        if (shifts != nullptr) shifts->push_back(best);
        first_distance();
    }
}

// The mean length of the words of each moved block. A block is the longest run of words that is found later in the
// moved words.
double Character::shift_cost() const {
    double cost = 0;
    for (size_t at = 0; at < size_;) {
        if (original_[at] == words_[at]) {
            ++at;
            continue;
        }
        size_t place = at + 1;
        while (place < size_ && words_[place] != original_[at]) ++place;
        checkpoint((place - at) / 4);
        if (place == size_) {
            ++at;
            continue;
        }
        size_t length = 1;
        while (place + length < size_ && original_[at + length] == words_[place + length]) ++length;
        uint64_t characters = 0;
        for (size_t i = at; i < at + length; ++i) characters += lengths_[original_[i]];
        cost += static_cast<double>(characters) / static_cast<double>(length);
        at += length;
    }
    return cost;
}

// ---- characters
// -----------------------------------------------------------------------------------------------------------

size_t Character::character_distance() {
    symbols_.clear();
    std::span<const uint32_t> reference =
        symbols(reference_, symbols_of_reference_, [&](uint32_t code) { return kAscii + symbols_.add(code); });
    std::span<const uint32_t> hypothesis = symbols({words_.data(), size_}, symbols_of_hypothesis_, [&](uint32_t code) {
        uint32_t symbol = symbols_.find(code);
        return symbol == SymbolMap::kNone ? kUnknown : kAscii + symbol;
    });
    return edits_.distance(hypothesis, reference, kAscii + symbols_.size());
}

CharacterRow Character::score(std::span<const uint32_t> reference, std::vector<WordShift>* shifts) {
    reference_ = reference;
    std::copy_n(original_.data(), size_, words_.reserve(size_));
    size_t length = size_ == 0 ? 0 : size_ - 1;
    for (size_t i = 0; i < size_; ++i) length += lengths_[original_[i]];
    CharacterRow row;
    row.hypothesis_length = static_cast<double>(length);
    if (std::ranges::equal(std::span<const uint32_t>(words_.data(), size_), reference)) return row;
    places_.build(reference, vocabulary_);
    masks_.reserve(vocabulary_);
    bool is_short = reference.size() <= kStrip;
    if (is_short) masks_.set(reference);
    shift_words(shifts);
    if (is_short) masks_.clear(reference);
    row.shift_cost = shift_cost();
    row.edits = static_cast<double>(character_distance());
    row.score = length == 0 ? 1 : std::min(1.0, (row.edits + row.shift_cost) / row.hypothesis_length);
    return row;
}

CharacterRow Character::row(const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                            const NumberedReferences& references, std::vector<WordShift>* shifts) {
    kind_ = texts.kind;
    texts_ = texts;
    known_ = references.vocabulary;
    known_size_ = references.vocabulary_size;
    number_words(hypothesis);
    CharacterRow best;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        if (shifts != nullptr) shifts->clear();
        CharacterRow row = score(references.tokens.subspan(begin, references.lengths[r]), shifts);
        begin += references.lengths[r];
        if (r == 0 || row.score < best.score) best = row;
    }
    return best;
}

}  // namespace refscore
