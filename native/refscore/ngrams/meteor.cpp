#include "refscore/ngrams/meteor.hpp"

#include <cmath>
#include <limits>

#include "refscore/text/porter.hpp"
#include "refscore/text/unicode.hpp"
#include "refscore/text/utf8.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kWordWork = 16;  // nanoseconds per word, for checkpoint(); only the order of magnitude matters

constexpr uint32_t kCapitalSigma = 0x3a3, kDottedCapitalI = 0x130;
constexpr uint32_t kFirstCaseless = 0x1f000;  // emoji and ideographs follow; every cased script is below

// Lowercasing sigma depends on its neighbours, and a dotted I changes its length. The table ends at kLastLower, below
// some cased scripts.
bool needs_more_than_a_table(uint32_t code) {
    return code == kCapitalSigma || code == kDottedCapitalI || (code > kLastLower && code < kFirstCaseless);
}

// A word's initial as a bit. Stems with a common initial have a common bit: stemming only changes the end of a word,
// and an ASCII letter has the same bit in both cases. Lowercasing may turn another initial into any letter.
uint64_t initial_of(const Token& token, const uint8_t* arena) {
    uint8_t first = token.is_long() ? arena[token.high] : static_cast<uint8_t>(token.low);
    return first < 0x80 ? uint64_t{1} << (first & 0x1f) : ~uint64_t{0};
}

}  // namespace

MeteorRow meteor_row(const MeteorSettings& settings, size_t matches, size_t chunks, size_t hypothesis,
                     size_t reference) {
    MeteorRow row;
    if (matches == 0) return row;
    double found = static_cast<double>(matches);
    row.precision = found / static_cast<double>(hypothesis);
    row.recall = found / static_cast<double>(reference);
    row.f_mean = row.precision * row.recall / (settings.alpha * row.precision + (1 - settings.alpha) * row.recall);
    row.penalty = settings.gamma * std::pow(static_cast<double>(chunks) / found, settings.beta);
    row.score = (1 - row.penalty) * row.f_mean;
    return row;
}

void StemNumbers::begin(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                        const NumberedReferences& references) {
    lower_ = texts.kind == ItemKind::Text && settings.text_is_lowercase ? nullptr : settings.lower;
    texts_ = texts;
    hypothesis_ = hypothesis;
    references_ = references.vocabulary;
    std::fill_n(by_number_.reserve(references.vocabulary_size + size_t{1}), references.vocabulary_size + size_t{1}, 0);
    std::fill_n(by_position_.reserve(hypothesis.size()), hypothesis.size(), 0);
    arena_.clear();
    stems_.reset();
}

uint64_t StemNumbers::initial_of_reference_word(uint32_t number) const {
    return initial_of(references_.tokens[number], references_.arena);
}

uint64_t StemNumbers::initial_of_hypothesis_word(uint32_t position) const {
    uint32_t number = hypothesis_[position];
    return number != kUnknown ? initial_of_reference_word(number) : initial_of(texts_.tokens[position], texts_.arena);
}

uint32_t StemNumbers::number_stem(const Token& token, const uint8_t* arena) {
    uint8_t* word = word_.reserve(std::max<size_t>(token.size, Token::kInline));
    size_t size = token.size;
    copy_token(token, arena, word);
    if (lower_ != nullptr) {
        if (is_ascii(word, size)) {
            for (size_t i = 0; i < size; ++i) word[i] |= static_cast<uint8_t>((word[i] >= 'A' && word[i] <= 'Z') << 5);
        } else {
            uint8_t* out = lowered_.reserve(std::max<size_t>(2 * size, Token::kInline));
            uint8_t* end = out;
            for (const uint8_t* in = word; in != word + size;) {
                uint32_t code = decode_within(in, word + size);  // bounded: columns are read in place and may change
                if (needs_more_than_a_table(code)) return kCannotLower;
                end = encode(code <= kLastLower ? lower_[code] : code, end);
            }
            word = out;
            size = static_cast<size_t>(end - out);
        }
    }
    size = porter_stem(word, size);
    if (size <= Token::kInline) return stems_.add(short_token(word, static_cast<uint32_t>(size)), arena_.data());
    Span kept = arena_.append({word, size, Encoding::Ascii}, Spaces::Keep);
    return stems_.add(token_at(arena_.data(), kept.begin, kept.end), arena_.data());
}

void Meteor::match_words(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                         const NumberedReferences& references) {
    if (reference.size() > WordMatcher::kPlaces) {
        matcher_.begin(hypothesis.size(), reference.size());
        return matcher_.match_equal(
            MatchStage::Exact, references.vocabulary_size, [&](uint32_t i) { return hypothesis[i]; },
            [&](uint32_t j) { return reference[j]; });
    }
    const uint64_t* places = references.places;
    if (places == nullptr) {
        if (places_.size() <= references.vocabulary_size) places_.resize(references.vocabulary_size + size_t{1});
        for (size_t j = 0; j < reference.size(); ++j) places_[reference[j]] |= uint64_t{1} << j;
        places = places_.data();
    }
    matcher_.begin_by_places(MatchStage::Exact, hypothesis.size(), reference.size(),
                             [&](size_t i) { return places[hypothesis[i]]; });
    if (references.places == nullptr)
        for (uint32_t word : reference) places_[word] = 0;
}

bool Meteor::match_stems(std::span<const uint32_t> reference) {
    if (matcher_.is_done()) return true;
    // Stemming takes longer than everything else, and words with an initial that the other side lacks match nothing.
    uint64_t own = 0, other = 0;
    for (uint32_t i : matcher_.hypothesis_left()) own |= stems_.initial_of_hypothesis_word(i);
    for (uint32_t j : matcher_.reference_left()) other |= stems_.initial_of_reference_word(reference[j]);
    uint64_t common = own & other;
    if (common == 0) return true;
    stems_.reserve(matcher_.left());
    bool lowered = true;
    auto known = [&](uint32_t stem) {
        lowered &= stem != StemNumbers::kCannotLower;
        return lowered ? stem : 0;
    };
    matcher_.match_equal(
        MatchStage::Stem, static_cast<uint32_t>(stems_.count() + matcher_.left()),
        [&](uint32_t i) {
            return (stems_.initial_of_hypothesis_word(i) & common) == 0 ? 0 : known(stems_.of_hypothesis_word(i));
        },
        [&](uint32_t j) {
            uint32_t word = reference[j];
            return (stems_.initial_of_reference_word(word) & common) == 0 ? 0 : known(stems_.of_reference_word(word));
        });
    return lowered;
}

MeteorRow Meteor::row(const MeteorSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                      const NumberedReferences& references) {
    MeteorRow best;
    stems_.begin(settings, texts, hypothesis, references);
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        std::span<const uint32_t> reference = references.tokens.subspan(begin, references.lengths[r]);
        begin += reference.size();
        checkpoint(kWordWork * (hypothesis.size() + reference.size()));
        match_words(hypothesis, reference, references);
        if (texts.kind != ItemKind::Ids && !match_stems(reference)) {
            best.score = std::numeric_limits<double>::quiet_NaN();
            return best;
        }
        MeteorRow row =
            meteor_row(settings, matcher_.matches(), matcher_.chunks(), hypothesis.size(), reference.size());
        if (r == 0 || row.score > best.score) best = row;
    }
    return best;
}

}  // namespace refscore
