#include "refscore/overlap/overlap_filter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "refscore/base/byte_order.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Part of the file format: a saved filter is queried with the same seeds. The fractions of the square roots of 2 and 3,
// made odd.
constexpr HashSeeds kFilterSeeds{0x6a09e667f3bcc909, 0xbb67ae8584caa73b};
constexpr uint64_t kFirstMix = 0x3c6ef372fe94f82b, kSecondMix = 0xa54ff53a5f1d36f1;  // of 5 and 7

constexpr size_t kPositionBits = 9, kPerHash = 7;  // 512 bits per block
constexpr size_t kAhead = 24;                      // loads in flight: about as many as a core can have

}  // namespace

OverlapFilter::OverlapFilter(size_t order, size_t blocks, size_t hashes)
    : hash_(kFilterSeeds), ngrams_(order), blocks_(blocks), hashes_(hashes) {
    require(blocks >= 1 && blocks <= kMostBlocks, "a filter must have from 64 bytes to 256 GiB");
    require(hashes >= 1 && hashes <= kMostHashes, "a filter must have from 1 to 14 hashes");
    lines_ = std::make_unique<Line[]>(blocks);
}

OverlapFilter::Bits OverlapFilter::bits(uint64_t hash) const {
    Bits bits{};
    uint64_t positions = fold_multiply(hash ^ kFirstMix, kSecondMix);
    for (size_t k = 0; k < hashes_; ++k) {
        if (k == kPerHash) positions = fold_multiply(hash ^ kSecondMix, kFirstMix);
        bits.words[positions >> 6 & (kWords - 1)] |=
            little_endian(uint64_t{1} << (positions & 63));  // saved filters work on every processor
        positions >>= kPositionBits;
    }
    return bits;
}

uint64_t OverlapFilter::add(std::span<const TokenList> documents, NgramScratch& scratch) {
    scratch.ngrams.clear();
    for (const TokenList& document : documents) append_ngrams(hash_, ngrams_, document, scratch);
    const std::vector<uint64_t>& hashes = scratch.ngrams;
    for (size_t i = 0; i < std::min(kAhead, hashes.size()); ++i) prefetch_line(&block(hashes[i]));
    for (size_t i = 0; i < hashes.size(); ++i) {
        if (i + kAhead < hashes.size()) prefetch_line(&block(hashes[i + kAhead]));
        Bits added = bits(hashes[i]);
        std::atomic<uint64_t>* words = block(hashes[i]).words;
        for (size_t w = 0; w < kWords; ++w)
            if ((added.words[w] & ~words[w].load(std::memory_order_relaxed)) != 0)
                words[w].fetch_or(added.words[w], std::memory_order_relaxed);
    }
    return hashes.size();
}

OverlapCounts OverlapFilter::count(const TokenList& segment, NgramScratch& scratch) const {
    scratch.ngrams.clear();
    append_ngrams(hash_, ngrams_, segment, scratch);
    OverlapCounts counts;
    counts.tokens = static_cast<int64_t>(segment.tokens.size());
    counts.ngrams = static_cast<int64_t>(scratch.ngrams.size());
    for (uint64_t hash : scratch.ngrams) prefetch_line(&block(hash));
    for (size_t at = 0; at < scratch.ngrams.size(); ++at) {
        Bits wanted = bits(scratch.ngrams[at]);
        const std::atomic<uint64_t>* words = block(scratch.ngrams[at]).words;
        uint64_t missing = 0;
        for (size_t w = 0; w < kWords; ++w) missing |= wanted.words[w] & ~words[w].load(std::memory_order_relaxed);
        if (missing == 0) counts.match(at, ngrams_.order());
    }
    return counts;
}

double OverlapFilter::false_positive_rate() const {
    // A new n-gram has `hashes_` independent positions in one block. Blocks with the same number of bits are counted
    // together.
    constexpr size_t kBits = 8 * kBlockBytes;
    uint64_t blocks[kBits + 1] = {};
    for (size_t b = 0; b < blocks_; ++b) {
        if (b % 1024 == 0) checkpoint(size_t{1024} * 16);
        int ones = 0;
        for (const std::atomic<uint64_t>& word : lines_[b].words)
            ones += std::popcount(word.load(std::memory_order_relaxed));
        ++blocks[ones];
    }
    double sum = 0;
    for (size_t ones = 0; ones <= kBits; ++ones)
        sum += static_cast<double>(blocks[ones]) *
               std::pow(static_cast<double>(ones) / kBits, static_cast<double>(hashes_));
    return sum / static_cast<double>(blocks_);
}

}  // namespace refscore
