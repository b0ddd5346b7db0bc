// N-grams of a set of texts with one count each: the weights of metrics that are fitted on references.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "refscore/ngrams/ngrams.hpp"
#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Renumbers the tokens by the order of their bytes, so equal sets of texts have equal counts.
inline Lexicon sort_tokens(Lexicon lexicon, Collection& collection) {
    collection.renumber(lexicon.sort());
    return lexicon;
}

// N-grams are found by extending shorter ones by a token, so every prefix of an n-gram must be stored.
class NgramCounts {
  public:
    // Starts with a count of 0 for each token, and no longer n-grams. `ids`: tokens are ids, not strings.
    NgramCounts(Lexicon lexicon, size_t max_order, bool ids, uint64_t total);
    // Reads the result of bytes(). Throws std::invalid_argument for invalid bytes.
    NgramCounts(std::span<const char> bytes, std::string_view magic);

    // Equal counts that were added in the same order give equal bytes.
    std::string bytes(std::string_view magic) const;

    void set_token(uint32_t token, uint32_t count) { counts_[token] = count; }
    // Adds an n-gram and returns its number. build() must be called after the last one.
    uint32_t add(uint32_t shorter, uint32_t last, uint32_t count);
    void build();

    bool takes(ItemKind kind) const { return lexicon_.size() == 0 || (kind == ItemKind::Ids) == ids_; }
    size_t max_order() const { return max_order_; }
    // The number of texts or tokens that the counts refer to.
    uint64_t total() const { return total_; }
    uint32_t vocabulary() const { return lexicon_.size(); }
    // The number of stored n-grams. They are numbered from 1: tokens first, then longer n-grams.
    size_t size() const { return lexicon_.size() + ngrams_.size(); }
    uint32_t token(const Token& token, const uint8_t* arena) const { return lexicon_.find(token, arena); }
    // Returns the number of the n-gram extended by a token, or kUnknown if it is not stored.
    uint32_t longer(uint32_t ngram, uint32_t token) const { return numbers_.find(pair_key(ngram, token)); }
    uint32_t count(uint32_t ngram) const {
        uint32_t tokens = vocabulary();
        return ngram <= tokens ? counts_[ngram] : ngrams_[ngram - tokens - 1].count;
    }
    // The n-gram without its last token; kUnknown for a token.
    uint32_t shorter(uint32_t ngram) const {
        uint32_t tokens = vocabulary();
        return ngram <= tokens ? kUnknown : ngrams_[ngram - tokens - 1].shorter;
    }

  private:
    struct Ngram {
        uint32_t shorter;  // the n-gram without its last token
        uint32_t last;
        uint32_t count;
    };
    void check_order() const;

    Lexicon lexicon_;
    bool ids_;
    uint32_t max_order_;
    uint64_t total_ = 0;
    std::vector<uint32_t> counts_;  // of tokens, by number
    std::vector<Ngram> ngrams_;     // longer than a token
    KeyTable<uint64_t> numbers_;    // of the n-grams longer than a token
};

}  // namespace refscore
