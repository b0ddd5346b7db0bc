#include "refscore/segments/segments.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "refscore/base/preconditions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Ids are converted to 64 bits in batches of 64: 512 bytes on the stack, in the L1 cache. Any value works.
constexpr size_t kIds = 64;

template <class Int>
const int64_t* widen(const IdView& view, size_t first, size_t count, int64_t* out) {
    std::copy_n(static_cast<const Int*>(view.data) + first, count, out);
    return out;
}

// Returns ids as 64-bit integers, converted into `out` if necessary. One loop then reads ids of all types, so the
// compiler inlines its body; with one loop per type it does not.
const int64_t* wide_ids(const IdView& view, size_t first, size_t count, int64_t* out) {
    switch (view.type) {
        case IdType::I8: return widen<int8_t>(view, first, count, out);
        case IdType::I16: return widen<int16_t>(view, first, count, out);
        case IdType::I32: return widen<int32_t>(view, first, count, out);
        case IdType::I64: return static_cast<const int64_t*>(view.data) + first;
        case IdType::U8: return widen<uint8_t>(view, first, count, out);
        case IdType::U16: return widen<uint16_t>(view, first, count, out);
        case IdType::U32: return widen<uint32_t>(view, first, count, out);
    }
    return out;
}

template <class Unit, class Visit>
void for_each_line_of(const TextView& text, Visit visit) {
    const Unit *begin = static_cast<const Unit*>(text.data), *end = begin + text.size;
    for (;;) {
        const Unit* stop = std::find(begin, end, Unit{'\n'});
        visit(TextView{begin, static_cast<size_t>(stop - begin), text.encoding});
        if (stop == end) return;
        begin = stop + 1;
    }
}

template <class Visit>
void for_each_line(const TextView& text, Visit visit) {
    switch (text.encoding) {
        case Encoding::Ascii:
        case Encoding::Utf8:
        case Encoding::Latin1: return for_each_line_of<uint8_t>(text, visit);
        case Encoding::Ucs2: return for_each_line_of<uint16_t>(text, visit);
        case Encoding::Ucs4: return for_each_line_of<uint32_t>(text, visit);
    }
}

// Whether the bytes of a text are already the bytes of its tokens.
bool is_plain(const TextView& text) { return text.encoding == Encoding::Ascii || text.encoding == Encoding::Utf8; }

bool is_line_end(const TextView& token) {
    return token.size == 1 && is_plain(token) && *static_cast<const char*>(token.data) == '\n';
}

bool same_bytes(const void* one, const void* other, size_t size) {
    return one == other || size == 0 || std::memcmp(one, other, size) == 0;
}

bool same(const TextView& one, const TextView& other) {
    return one.size == other.size && one.encoding == other.encoding &&
           same_bytes(one.data, other.data, one.size * unit_size(one.encoding));
}

bool same(const IdView& one, const IdView& other) {
    return one.size == other.size && one.type == other.type &&
           same_bytes(one.data, other.data, one.size * id_size(one.type));
}

// A rough estimate of the work for an item, in characters. A token counts as a short word of 4 letters.
size_t weight(const Block& block, const Item& item) {
    constexpr size_t kLetters = 4;
    if (block.kind == ItemKind::Text) return block.texts[item.first].size;
    return kLetters * (block.kind == ItemKind::Ids ? block.ids[item.first].size : item.count);
}

}  // namespace

void cut_by_length(const Block& block, std::vector<Piece>& pieces) {
    // 65,536 characters: about 0.1 ms by kUnitWork, which amortizes handing a piece to a thread. Results do not depend
    // on it.
    constexpr size_t kMuch = size_t{1} << 16;
    size_t begin = 0, cost = 0;
    for (size_t i = 0; i < block.size(); ++i) {
        size_t own = weight(block, block.hypotheses[i]);
        if (block.reference_starts.size() > i + 1)
            for (size_t r = block.reference_starts[i]; r < block.reference_starts[i + 1]; ++r)
                own += weight(block, block.references[r]);
        if (i > begin && cost + own > kMuch) {
            pieces.push_back({begin, i, cost});
            begin = i;
            cost = 0;
        }
        cost += own;
    }
    pieces.push_back({begin, block.size(), cost});
}

bool same_items(const Block& block, const Item& one, const Item& other) {
    if (one.count != other.count) return false;
    for (size_t i = 0; i < one.count; ++i) {
        bool equal = block.kind == ItemKind::Ids ? same(block.ids[one.first + i], block.ids[other.first + i])
                                                 : same(block.texts[one.first + i], block.texts[other.first + i]);
        if (!equal) return false;
    }
    return true;
}

// Whether a text contains a character of reference_markup.hpp. False for most references.
bool may_have_marks(const TextView& text) {
    auto has_any = [&]<class Unit>(Unit) {
        const Unit* units = static_cast<const Unit*>(text.data);
        return std::any_of(units, units + text.size,
                           [](Unit unit) { return unit == '{' || unit == '}' || unit == '(' || unit == '@'; });
    };
    switch (unit_size(text.encoding)) {
        case 1: return has_any(uint8_t{});
        case 2: return has_any(uint16_t{});
        default: return has_any(uint32_t{});
    }
}

constexpr size_t kMarks = 4;  // of an optional word

// Takes a token that is a mark, or an optional word, for which it calls ready() first. Returns false for other tokens.
template <class Ready, class TakeWord, class Mark>
bool take_marked(const TextView& token, size_t& depth, Ready ready, TakeWord take_word, Mark mark) {
    auto take_units = [&]<class Unit>(Unit) {
        const Unit* units = static_cast<const Unit*>(token.data);
        if (uint32_t number = mark_of(units, token.size, depth); number != 0) {
            mark(number);
            return true;
        }
        if (!is_optional_word(units, token.size)) return false;
        ready();
        mark(kOpenMark);
        take_word(TextView{units + 1, token.size - 2, token.encoding});
        mark(kOrMark);
        mark(kMissingMark);
        mark(kCloseMark);
        return true;
    };
    switch (unit_size(token.encoding)) {
        case 1: return take_units(uint8_t{});
        case 2: return take_units(uint16_t{});
        default: return take_units(uint32_t{});
    }
}

// Separate from the check, which is inlined into the loop over tokens.
[[noreturn]] void refuse_size() {
    throw TooLarge("a segment and its references must have fewer than 2**31 tokens together");
}

// Lengths, positions and numbers of tokens are 32-bit.
void check_size(size_t tokens) {
    if (tokens > std::numeric_limits<int32_t>::max()) refuse_size();
}

// Nanoseconds per item, character and token, for checkpoint(), and the amount that is collected before calling it: 16
// µs, so the call itself does not show in measurements. Only the orders of magnitude matter.
constexpr size_t kItemWork = 64, kUnitWork = 2, kTokenWork = 8, kMuchWork = 1 << 14;

// Numbers tokens with number_of(token) and passes the numbers to put(number).
template <class NumberOf, class Put>
struct Numbering {
    NumberOf number_of;
    Put put;

    void operator()(const Token& token) { put(number_of(token)); }
};
// Clang deduces the arguments of aggregates only from version 17 on.
template <class NumberOf, class Put>
Numbering(NumberOf, Put) -> Numbering<NumberOf, Put>;

// Takes tokens that are characters. Few different ones make up a text, so each is looked up only once.
template <class Take>
REFSCORE_INLINE void Numberer::take_characters(const uint8_t* bytes, size_t& i, size_t stop, Take take) {
    characters_.fill(0);
    for (; i < stop; ++i) {
        uint32_t begin = spans_.begin(i), end = spans_.end(i);
        if (end - begin != 1) {
            take(token_at(bytes, begin, end));
            continue;
        }
        uint32_t& number = characters_[bytes[begin]];
        if (number == 0) number = take.number_of(Token{bytes[begin], 0, 1}) + 1;
        take.put(number - 1);
    }
}

// Calls ready(n) with an upper bound on the tokens and marks to follow, then take(token) for each token, and
// mark(number) for marks: kLineEnd after each line if lines are separate, and the marks of alternatives. Inlined, so
// the state of these functions stays in registers.
template <class Ready, class Take, class Mark>
REFSCORE_INLINE void Numberer::for_each_token(Side side, const Block& block, const Item& item, Arena& arena,
                                              Ready ready, Take take, Mark mark) {
    bool is_reference = side == Side::Reference;
    work_ += kItemWork + kUnitWork * weight(block, item);
    if (work_ > kMuchWork) {
        checkpoint(work_);
        work_ = 0;
    }
    switch (block.kind) {
        case ItemKind::Text: {
            auto take_all = [&](const TextView& view) {
                // Each of the three steps reads the whole text, which may be very long.
                auto between = [&] {
                    if (view.size > kMuchWork) checkpoint(kUnitWork * view.size);
                };
                Span text = arena.append(view, spaces_for(rules_.tokenizer), block.lower);
                between();
                if (is_reference) {
                    tokenize_reference(rules_, arena, text, spans_, joined_);
                } else {
                    tokenize(rules_, arena, text, spans_);
                }
                between();
                ready(spans_.size() + 1);
                const uint8_t* bytes = arena.data();
                for (size_t i = 0; i < spans_.size();) {
                    size_t stop = std::min(spans_.size(), i + kMuchWork);
                    if constexpr (requires { take.number_of; }) {
                        if (splits_characters(rules_.tokenizer)) take_characters(bytes, i, stop, take);
                    }
                    for (; i < stop; ++i) take(token_at(bytes, spans_.begin(i), spans_.end(i)));
                    if (i < spans_.size()) checkpoint(kTokenWork * kMuchWork);
                }
            };
            const TextView& whole = block.texts[item.first];
            if (rules_.alternatives && is_reference && may_have_marks(whole)) {
                split_markup(whole, take_all, [&](uint32_t number) {
                    ready(1);
                    mark(number);
                });
                return;
            }
            if (!rules_.lines) return take_all(whole);
            for_each_line(whole, [&](const TextView& line) {
                take_all(line);
                mark(kLineEnd);
            });
            return;
        }
        case ItemKind::Tokens:
            ready(item.count);
            for (size_t i = 0, depth = 0; i < item.count; ++i) {
                const TextView& view = block.texts[item.first + i];
                auto take_word = [&](const TextView& word) {
                    if (is_plain(word) && word.size <= Token::kInline) {
                        take(short_token(static_cast<const uint8_t*>(word.data), static_cast<uint32_t>(word.size)));
                    } else {
                        Span text = arena.append(word, Spaces::Keep);
                        take(token_at(arena.data(), text.begin, text.end));
                    }
                };
                if (rules_.lines && is_line_end(view)) {
                    mark(kLineEnd);
                } else if (!(rules_.alternatives && is_reference &&
                             take_marked(view, depth, [&] { ready(item.count - i + kMarks); }, take_word, mark))) {
                    take_word(view);
                }
            }
            return;
        case ItemKind::Ids: {
            const IdView& view = block.ids[item.first];
            const Padding padding = is_reference ? block.reference_padding : block.hypothesis_padding;
            ready(view.size);
            int64_t buffer[kIds];
            for (size_t first = 0; first < view.size; first += kIds) {
                size_t count = std::min(kIds, view.size - first);
                const int64_t* ids = wide_ids(view, first, count, buffer);
                if (padding.present) {
                    for (size_t i = 0; i < count; ++i)
                        if (ids[i] != padding.id) take(token_of_id(ids[i]));
                } else {
                    for (size_t i = 0; i < count; ++i) take(token_of_id(ids[i]));
                }
            }
            return;
        }
    }
}

NumberedReferences Numberer::references(const Block& block, size_t segment) {
    reference_arena_.clear();
    reference_lengths_.clear();
    vocabulary_.reset();
    size_t first = block.reference_starts[segment], last = block.reference_starts[segment + 1];
    require(first < last, kNoReference);
    size_t count = 0;
    for (size_t r = first; r < last; ++r) {
        size_t before = count;
        // The references of a segment have similar lengths, so reserve space for several at once: for up to 4, which
        // covers most test sets without much unused memory.
        auto ready = [&](size_t tokens) {
            check_size(count + tokens);
            vocabulary_.reserve(tokens * std::min<size_t>(last - r, 4));
            reference_tokens_.reserve(count + tokens, count);
        };
        Numbering take{[&](const Token& token) { return vocabulary_.add(token, reference_arena_.data()); },
                       [&](uint32_t number) { reference_tokens_[count++] = number; }};
        auto mark = [&](uint32_t number) { reference_tokens_[count++] = number; };
        for_each_token(Side::Reference, block, block.references[r], reference_arena_, ready, take, mark);
        reference_lengths_.push_back(static_cast<uint32_t>(count - before));
    }
    return {vocabulary_.view(reference_arena_.data()),
            vocabulary_.size(),
            {reference_tokens_.data(), count},
            reference_lengths_,
            block.kind};
}

std::span<const uint32_t> Numberer::hypothesis(const Block& block, size_t segment, const VocabularyView& vocabulary) {
    hypothesis_arena_.clear();
    size_t count = 0;
    auto ready = [&](size_t tokens) {
        check_size(count + tokens);
        hypothesis_tokens_.reserve(count + tokens, count);
    };
    Numbering take{[&](const Token& token) { return vocabulary.find(token, hypothesis_arena_.data()); },
                   [&](uint32_t number) { hypothesis_tokens_[count++] = number; }};
    auto mark = [&](uint32_t number) { hypothesis_tokens_[count++] = number; };
    for_each_token(Side::Hypothesis, block, block.hypotheses[segment], hypothesis_arena_, ready, take, mark);
    return {hypothesis_tokens_.data(), count};
}

std::span<const uint32_t> Numberer::hypothesis(const TokenList& list, const VocabularyView& vocabulary) {
    uint32_t* numbers = hypothesis_tokens_.reserve(list.tokens.size() + list.line_ends.size());
    size_t count = 0, at = 0;
    auto take_until = [&](size_t stop) {
        for (; at < stop; ++at) numbers[count++] = vocabulary.find(list.tokens[at], list.arena.data());
    };
    for (size_t end : list.line_ends) {
        take_until(end);
        numbers[count++] = kLineEnd;
    }
    take_until(list.tokens.size());
    return {numbers, count};
}

std::span<const uint32_t> Numberer::hypothesis_itself(const Block& block, size_t segment, Vocabulary& vocabulary) {
    hypothesis_arena_.clear();
    vocabulary.reset();
    size_t count = 0;
    auto ready = [&](size_t tokens) {
        check_size(count + tokens);
        vocabulary.reserve(tokens);
        hypothesis_tokens_.reserve(count + tokens, count);
    };
    Numbering take{[&](const Token& token) { return vocabulary.add(token, hypothesis_arena_.data()); },
                   [&](uint32_t number) { hypothesis_tokens_[count++] = number; }};
    auto mark = [&](uint32_t number) { hypothesis_tokens_[count++] = number; };
    for_each_token(Side::Hypothesis, block, block.hypotheses[segment], hypothesis_arena_, ready, take, mark);
    return {hypothesis_tokens_.data(), count};
}

std::span<const uint32_t> Numberer::hypothesis_itself(const TokenList& list, Vocabulary& vocabulary) {
    uint32_t* numbers = hypothesis_tokens_.reserve(list.tokens.size());
    vocabulary.reset();
    vocabulary.reserve(list.tokens.size());
    for (size_t i = 0; i < list.tokens.size(); ++i) numbers[i] = vocabulary.add(list.tokens[i], list.arena.data());
    return {numbers, list.tokens.size()};
}

void Numberer::read_hypothesis(const Block& block, size_t segment, TokenList& into) {
    read(Side::Hypothesis, block, block.hypotheses[segment], into);
}

void Numberer::read_reference(const Block& block, size_t reference, TokenList& into) {
    read(Side::Reference, block, block.references[reference], into);
}

void Numberer::read(Side side, const Block& block, const Item& item, TokenList& into) {
    into.kind = block.kind;
    into.tokens.clear();
    into.line_ends.clear();
    into.arena.clear();
    auto ready = [&](size_t tokens) {
        check_size(into.tokens.size() + tokens);
        if (into.tokens.empty()) into.tokens.reserve(tokens);  // for further lines, geometric growth is faster
    };
    auto take = [&](const Token& token) { into.tokens.push_back(token); };
    auto mark = [&](uint32_t number) {
        require(number == kLineEnd, "only error rates read references with alternatives");
        into.line_ends.push_back(into.tokens.size());
    };
    for_each_token(side, block, item, into.arena, ready, take, mark);
}

}  // namespace refscore
