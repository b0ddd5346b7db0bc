#include "refscore/overlap/overlap.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "refscore/base/preconditions.hpp"
#include "refscore/simd/cpu_dispatch.hpp"
#include "refscore/threads/parallel.hpp"

namespace refscore {
namespace {

constexpr size_t kSegmentsPerRange = 1024;
constexpr size_t kSegmentWork = 512;  // nanoseconds at least; only the order of magnitude matters
constexpr uint32_t kNotLookedUp = UINT32_MAX;

constexpr uint64_t fingerprint(uint64_t hash) { return hash << 32; }

}  // namespace

uint32_t OverlapIndex::number(const Token& token, const uint8_t* arena) {
    uint32_t number = lexicon_.add(token, arena);
    if (number == hashes_.size()) hashes_.push_back(hash_(token, arena));
    return number;
}

void OverlapIndex::add(std::span<const uint32_t> tokens, std::span<const uint32_t> lengths) {
    require(!is_built(), "segments must be added before the n-grams are entered");
    if (tokens_.size() + tokens.size() >= kMostTokens) throw TooLarge("a test set must have fewer than 2**31 tokens");
    require(std::accumulate(lengths.begin(), lengths.end(), size_t{0}) == tokens.size(),
            "the lengths must add up to the number of tokens");
    require(std::all_of(tokens.begin(), tokens.end(), [&](uint32_t token) { return token < hashes_.size(); }),
            "tokens must be numbered first");
    for (uint32_t length : lengths) starts_.push_back(starts_.back() + length);
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
}

// Calls take(hash, position) for each n-gram of a segment.
template <class Take>
void OverlapIndex::roll_segment(size_t segment, Take take) const {
    const uint32_t* tokens = tokens_.data() + starts_[segment];
    ngrams_.roll(
        length(segment), [&](size_t i) { return hashes_[tokens[i]]; },
        [&, at = starts_[segment]](uint64_t hash) mutable { take(hash, at++); });
}

void OverlapIndex::build(size_t order, size_t most_documents, size_t threads) {
    require(most_documents <= kMostDocuments, "the limit of documents must be at most 254");
    require(!is_built(), "the n-grams were entered already");
    ngrams_ = NgramHash(order);  // checks the order
    most_ = static_cast<uint8_t>(most_documents == 0 ? 1 : most_documents);
    enough_ = static_cast<uint8_t>(most_documents == 0 ? 1 : most_documents + 1);
    uint64_t total = 0;
    for (size_t segment = 0; segment < size(); ++segment)
        if (length(segment) >= order) total += length(segment) + 1 - order;
    // Two thirds of the slots are taken at most, so a probe sequence is short.
    slot_count_ = total + total / 2 + 2;
    size_t words = std::bit_ceil(static_cast<size_t>(total / 4 + 1));
    filter_mask_ = words - 1;
    auto slots = std::make_unique<std::atomic<uint64_t>[]>(slot_count_);
    documents_ = std::make_unique<std::atomic<uint8_t>[]>(slot_count_);
    filter_ = std::make_unique<std::atomic<uint64_t>[]>(words);
    slots_ = std::move(slots);
    auto work = [&] {
        return [&, pending = std::vector<std::pair<uint64_t, uint32_t>>()](size_t from, size_t to) mutable {
            for (size_t segment = from; segment < to; ++segment) {
                pending.clear();
                roll_segment(segment, [&](uint64_t hash, uint32_t position) {
                    prefetch_line(&slots_[first_slot(hash)]);
                    prefetch_line(&filter_word(hash));
                    pending.emplace_back(hash, position);
                });
                checkpoint(pending.size() * 16);
                for (auto [hash, position] : pending) enter(hash, position);
            }
        };
    };
    parallel_for(size(), threads, work, kSegmentsPerRange, kSegmentWork);
}

// Relaxed order is enough: a slot is a single word, and parallel_for() separates entering from reading.
void OverlapIndex::enter(uint64_t hash, uint32_t position) {
    const uint32_t* tokens = tokens_.data();
    uint64_t entry = fingerprint(hash) | (position + uint64_t{1});
    uint64_t taken = 0;
    probe(hash, [&](size_t slot) {
        taken = 0;
        if (slots_[slot].compare_exchange_strong(taken, entry, std::memory_order_relaxed)) return true;
        return fingerprint(taken >> 32) == fingerprint(hash) &&
               std::equal(tokens + position, tokens + position + ngrams_.order(),
                          tokens + static_cast<uint32_t>(taken) - 1);
    });
    if (taken != 0) return;
    filter_word(hash).fetch_or(filter_bits(hash), std::memory_order_relaxed);
}

template <class Same>
size_t OverlapIndex::find(uint64_t hash, Same same) const {
    uint64_t taken = 0;
    size_t slot = probe(hash, [&](size_t at) {
        taken = slots_[at].load(std::memory_order_relaxed);
        return taken == 0 ||
               (fingerprint(taken >> 32) == fingerprint(hash) && same(at, static_cast<uint32_t>(taken) - 1));
    });
    return taken == 0 ? kNoSlot : slot;
}

void OverlapIndex::scan(std::span<const TokenList> documents, NgramScratch& scratch) {
    require(is_built(), "the n-grams must be entered before documents are scanned");
    scratch.ngrams.clear();
    scratch.starts.assign(1, 0);
    for (const TokenList& document : documents) {
        append_ngrams(hash_, ngrams_, document, scratch);
        scratch.starts.push_back(scratch.ngrams.size());
    }
    constexpr size_t kAhead = 24;  // loads in flight: about as many as a core can have
    const std::vector<uint64_t>& hashes = scratch.ngrams;
    // The filter first, for all documents: most n-grams of a corpus are not in the test set, and a word of the filter
    // tells so with one cache line.
    scratch.passed.clear();
    for (size_t i = 0; i < std::min(kAhead, hashes.size()); ++i) prefetch_line(&filter_word(hashes[i]));
    for (size_t i = 0; i < hashes.size(); ++i) {
        if (i + kAhead < hashes.size()) prefetch_line(&filter_word(hashes[i + kAhead]));
        uint64_t bits = filter_bits(hashes[i]);
        if ((filter_word(hashes[i]).load(std::memory_order_relaxed) & bits) != bits) continue;
        prefetch_line(&slots_[first_slot(hashes[i])]);
        scratch.passed.push_back(i);
    }
    size_t document = 0;
    for (size_t begin = 0; begin < scratch.passed.size();) {
        while (scratch.starts[document + 1] <= scratch.passed[begin]) ++document;
        size_t end = begin + 1;
        while (end < scratch.passed.size() && scratch.passed[end] < scratch.starts[document + 1]) ++end;
        scan_matches(documents[document], std::span(scratch.passed).subspan(begin, end - begin),
                     scratch.starts[document], scratch);
        begin = end;
    }
}

// Looks up the n-grams of a document that passed the filter. `first` is the index of its first n-gram.
void OverlapIndex::scan_matches(const TokenList& document, std::span<const size_t> passed, size_t first,
                                NgramScratch& scratch) {
    scratch.matches.clear();
    bool has_numbers = false;
    const uint8_t* arena = document.arena.data();
    for (size_t index : passed) {
        size_t at = index - first;
        size_t slot = find(scratch.ngrams[index], [&](size_t here, uint32_t position) {
            if (documents_[here].load(std::memory_order_relaxed) >= enough_)
                return false;  // one more occurrence would change nothing
            if (!has_numbers) scratch.numbers.assign(document.tokens.size(), kNotLookedUp);
            has_numbers = true;
            // Equal hashes are not enough: the tokens are compared.
            for (size_t k = 0; k < ngrams_.order(); ++k) {
                uint32_t& number = scratch.numbers[at + k];
                if (number == kNotLookedUp) number = lexicon_.find(document.tokens[at + k], arena);
                if (number != tokens_[position + k]) return false;
            }
            return true;
        });
        if (slot != kNoSlot) scratch.matches.push_back(static_cast<uint32_t>(slot));
    }
    // A document counts once for each n-gram.
    std::sort(scratch.matches.begin(), scratch.matches.end());
    scratch.matches.erase(std::unique(scratch.matches.begin(), scratch.matches.end()), scratch.matches.end());
    for (uint32_t slot : scratch.matches) {
        uint8_t seen = documents_[slot].load(std::memory_order_relaxed);
        while (seen < enough_ && !documents_[slot].compare_exchange_weak(seen, static_cast<uint8_t>(seen + 1),
                                                                         std::memory_order_relaxed)) {}
    }
}

OverlapCounts OverlapIndex::count(size_t segment, NgramScratch& scratch) const {
    require(is_built() && segment < size(), "the n-grams must be entered before segments are counted");
    size_t order = ngrams_.order();
    OverlapCounts counts;
    counts.tokens = static_cast<int64_t>(length(segment));
    scratch.ngrams.clear();
    roll_segment(segment, [&](uint64_t hash, uint32_t) {
        prefetch_line(&slots_[first_slot(hash)]);
        scratch.ngrams.push_back(hash);
    });
    counts.ngrams = static_cast<int64_t>(scratch.ngrams.size());
    const uint32_t* tokens = tokens_.data() + starts_[segment];
    for (size_t at = 0; at < scratch.ngrams.size(); ++at) {
        size_t slot = find(scratch.ngrams[at], [&](size_t, uint32_t position) {
            return std::equal(tokens + at, tokens + at + order, tokens_.data() + position);
        });
        uint8_t seen = documents_[slot].load(std::memory_order_relaxed);
        if (seen > 0 && seen <= most_) counts.match(at, order);
    }
    return counts;
}

}  // namespace refscore
