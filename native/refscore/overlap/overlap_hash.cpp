#include "refscore/overlap/overlap_hash.hpp"

namespace refscore {

uint64_t TokenHash::hash_long(const uint8_t* bytes, size_t size) const {
    uint64_t hash = seeds_.first ^ size;
    size_t at = 0;
    for (; size - at > 16; at += 16)
        hash = fold_multiply(load64(bytes + at) ^ seeds_.second ^ hash, load64(bytes + at + 8) ^ seeds_.first);
    // The last 16 bytes may overlap the previous ones. A long token has more than 16.
    return fold_multiply(
        fold_multiply(load64(bytes + size - 16) ^ seeds_.second ^ hash, load64(bytes + size - 8) ^ seeds_.first),
        seeds_.second);
}

void append_ngrams(const TokenHash& hash, const NgramHash& ngrams, const TokenList& document, NgramScratch& scratch) {
    size_t count = document.tokens.size();
    if (count < ngrams.order()) return;
    scratch.tokens.resize(count);
    const uint8_t* arena = document.arena.data();
    for (size_t i = 0; i < count; ++i) scratch.tokens[i] = hash(document.tokens[i], arena);
    const uint64_t* hashes = scratch.tokens.data();
    size_t before = scratch.ngrams.size();
    scratch.ngrams.resize(before + count + 1 - ngrams.order());
    ngrams.roll(
        count, [&](size_t i) { return hashes[i]; },
        [out = scratch.ngrams.data() + before](uint64_t ngram) mutable { *out++ = ngram; });
}

}  // namespace refscore
