// Finds the n-grams of a test set in a corpus, exactly. The test set is in memory, and the corpus is streamed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "refscore/overlap/overlap_hash.hpp"
#include "refscore/segments/collection.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// Use it in this order: add the segments, build the table, scan documents on any number of threads, count.
class OverlapIndex {
  public:
    // The largest number of tokens: positions have 32 bits, and there are 1.5 slots per n-gram.
    static constexpr size_t kMostTokens = size_t{1} << 31;
    // The largest value of `most_documents`.
    static constexpr size_t kMostDocuments = 254;

    OverlapIndex() : hash_(kSeeds), ngrams_(1) {}

    // Returns the number of a token of the test set.
    uint32_t number(const Token& token, const uint8_t* arena);
    // Adds segments: the numbers of all their tokens, and the number of tokens per segment.
    void add(std::span<const uint32_t> tokens, std::span<const uint32_t> lengths);

    size_t size() const { return starts_.size() - 1; }
    size_t length(size_t segment) const { return starts_[segment + 1] - starts_[segment]; }

    // Enters all n-grams. N-grams in more than `most_documents` documents will not count; 0 for no limit.
    void build(size_t order, size_t most_documents, size_t threads);
    bool is_built() const { return slots_ != nullptr; }

    // Marks the n-grams of the documents. May be called by several threads at once.
    void scan(std::span<const TokenList> documents, NgramScratch& scratch);

    // The counts of a segment, after all documents.
    OverlapCounts count(size_t segment, NgramScratch& scratch) const;

  private:
    static constexpr size_t kNoSlot = SIZE_MAX;

    size_t first_slot(uint64_t hash) const { return static_cast<size_t>((hash >> 32) * slot_count_ >> 32); }
    // The number of slots is not a power of two, because rounding up could double the memory.
    template <class EndsAt>
    size_t probe(uint64_t hash, EndsAt ends_at) const {
        auto next = [this](size_t slot) { return slot + 1 == slot_count_ ? 0 : slot + 1; };
        return refscore::probe(first_slot(hash), next, ends_at);
    }
    std::atomic<uint64_t>& filter_word(uint64_t hash) const { return filter_[hash >> 18 & filter_mask_]; }
    // Three bits of a word. With at least 16 bits per n-gram, about 1 % of other n-grams pass.
    static uint64_t filter_bits(uint64_t hash) {
        return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63) | uint64_t{1} << (hash >> 12 & 63);
    }

    void enter(uint64_t hash, uint32_t position);
    // Calls same(slot, position) for each n-gram with this fingerprint, until it returns true. Returns the slot, or
    // kNoSlot.
    template <class Same>
    size_t find(uint64_t hash, Same same) const;
    void scan_matches(const TokenList& document, std::span<const size_t> passed, size_t first, NgramScratch& scratch);
    template <class Take>
    void roll_segment(size_t segment, Take take) const;

    Lexicon lexicon_;
    std::vector<uint64_t> hashes_{0};  // of tokens, by number
    std::vector<uint32_t> tokens_;
    std::vector<uint32_t> starts_{0};
    TokenHash hash_;
    NgramHash ngrams_;
    uint8_t enough_ = 1;  // documents after which an n-gram is no longer looked at
    uint8_t most_ = 1;    // documents with which an n-gram counts
    // A slot has the low half of the hash above the position (from 1) of the n-gram in `tokens_`; 0 is
    // free.
    std::unique_ptr<std::atomic<uint64_t>[]> slots_;
    std::unique_ptr<std::atomic<uint8_t>[]>
        documents_;  // for each slot, the number of documents so far, at most `enough_`
    std::unique_ptr<std::atomic<uint64_t>[]> filter_;
    uint64_t slot_count_ = 0;
    uint64_t filter_mask_ = 0;
};

}  // namespace refscore
