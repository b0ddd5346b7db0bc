// The n-grams of a corpus in a Bloom filter of fixed size, which can be saved and queried for any test set.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "refscore/overlap/overlap_hash.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore {

// A blocked Bloom filter: all bits of an n-gram are in one cache line, so a query costs one cache miss. Its hashes do
// not depend on the process.
class OverlapFilter {
  public:
    static constexpr size_t kBlockBytes = 64;
    static constexpr size_t kMostBlocks = UINT32_MAX;  // 256 GiB
    static constexpr size_t kMostHashes = 14;          // two hashes of 64 bits have 14 positions of 9 bits

    OverlapFilter(size_t order, size_t blocks, size_t hashes);

    // Adds the n-grams of documents, and returns their number. May be called by several threads at once.
    uint64_t add(std::span<const TokenList> documents, NgramScratch& scratch);
    OverlapCounts count(const TokenList& segment, NgramScratch& scratch) const;

    // The probability that an n-gram which is not in the corpus seems to be.
    double false_positive_rate() const;

    // All blocks, to save and to load them.
    uint8_t* bytes() { return reinterpret_cast<uint8_t*>(lines_.get()); }
    size_t size() const { return blocks_ * kBlockBytes; }

  private:
    static constexpr size_t kWords = kBlockBytes / 8;
    struct alignas(kBlockBytes) Line {
        std::atomic<uint64_t> words[kWords];
    };
    static_assert(sizeof(Line) == kBlockBytes);
    struct Bits {
        uint64_t words[kWords];
    };
    Bits bits(uint64_t hash) const;
    Line& block(uint64_t hash) const { return lines_[static_cast<size_t>((hash >> 32) * blocks_ >> 32)]; }

    TokenHash hash_;
    NgramHash ngrams_;
    uint64_t blocks_;
    size_t hashes_;
    std::unique_ptr<Line[]> lines_;
};

}  // namespace refscore
