#include "refscore/ngrams/crystal_bleu.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/ngram_walk.hpp"
#include "refscore/segments/sequence_order.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {
namespace {

constexpr std::string_view kFrequentMagic = "refscore CrystalBLEU 1\n";

struct Candidate {
    uint32_t count;
    uint32_t order;
    uint32_t place;  // of the first occurrence

    auto rank() const { return std::tuple(~count, order, place); }
    bool operator<(const Candidate& other) const { return rank() < other.rank(); }
};

// The first candidates in order, among all that are added.
class FirstCandidates {
  public:
    explicit FirstCandidates(size_t most) : most_(most) {}

    // Returns whether n-grams that extend this one can be among the first.
    bool add(const Candidate& candidate) {
        if (candidate.count < least_ || most_ == 0) return false;
        candidates_.push_back(candidate);
        // Pruned in batches, so the cost per candidate is constant.
        if (candidates_.size() >= 2 * std::min(most_, SIZE_MAX / 4) + kBatch) prune();
        return true;
    }
    std::vector<Candidate> sorted() {
        prune();
        std::sort(candidates_.begin(), candidates_.end());
        return std::move(candidates_);
    }

  private:
    static constexpr size_t kBatch = 1024;

    void prune() {
        if (candidates_.size() <= most_) return;
        auto end = candidates_.begin() + static_cast<ptrdiff_t>(most_);
        std::nth_element(candidates_.begin(), end, candidates_.end());
        least_ = std::max_element(candidates_.begin(), end)->count;
        candidates_.erase(end, candidates_.end());
    }

    size_t most_;
    uint32_t least_ = 0;  // the smallest count among the first candidates, if there are enough
    std::vector<Candidate> candidates_;
};

NgramCounts most_frequent(const Lexicon& lexicon, const Collection& collection, size_t max_order, size_t most,
                          bool ids) {
    // Checked before the work; NgramCounts checks it as well.
    require(max_order >= 1 && max_order <= NgramCounter::kMostMarked,
            "the order of ignored n-grams must be from 1 to 64");
    std::span<const uint32_t> tokens = collection.tokens();
    TokenPositions places;
    places.build(tokens, lexicon.size());
    NgramWalk walk(collection, lexicon.size());
    FirstCandidates first(most);
    auto visit = [&](size_t order, uint32_t, std::span<const uint32_t> here) -> uint32_t {
        return first.add({static_cast<uint32_t>(here.size()), static_cast<uint32_t>(order), here[0]});
    };
    for (uint32_t token = 1; token <= lexicon.size(); ++token) walk.walk(places.of(token), max_order, visit);
    std::vector<Candidate> frequent = first.sorted();

    // Only tokens of frequent n-grams are stored, and each of them is frequent.
    Lexicon used;
    Arena arena;
    std::vector<uint32_t> numbers(lexicon.size() + size_t{1}, kUnknown);
    for (const Candidate& ngram : frequent) {
        if (ngram.order > 1) continue;
        Lexicon::Inlined inlined;
        std::span<const uint8_t> bytes = lexicon.bytes(tokens[ngram.place], inlined);
        arena.clear();
        // ASCII is copied unchanged, so any bytes survive.
        Span span = arena.append({bytes.data(), bytes.size(), Encoding::Ascii}, Spaces::Keep);
        numbers[tokens[ngram.place]] = used.add(token_at(arena.data(), span.begin, span.end), arena.data());
    }
    std::vector<uint32_t> sorted = used.sort();
    for (uint32_t& number : numbers)
        if (number != kUnknown) number = sorted[number];

    // Shorter n-grams first, then by their tokens, so equal n-grams are stored in the same order.
    struct Longer {
        std::vector<uint32_t> tokens;
        uint32_t count;
    };
    std::vector<Longer> longer;
    NgramCounts counts(std::move(used), max_order, ids, tokens.size() - collection.size());
    for (const Candidate& ngram : frequent) {
        if (ngram.order == 1) {
            counts.set_token(numbers[tokens[ngram.place]], ngram.count);
            continue;
        }
        longer.push_back({{}, ngram.count});
        for (uint32_t token : tokens.subspan(ngram.place, ngram.order)) longer.back().tokens.push_back(numbers[token]);
    }
    auto by_tokens = [](const Longer& a, const Longer& b) {
        return a.tokens.size() != b.tokens.size() ? a.tokens.size() < b.tokens.size()
                                                  : SequenceOrder{}(a.tokens, b.tokens);
    };
    std::sort(longer.begin(), longer.end(), by_tokens);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> extended;
    for (const Longer& ngram : longer) {
        uint32_t shorter = ngram.tokens[0], last = ngram.tokens.back();
        for (size_t i = 1; i + 1 < ngram.tokens.size(); ++i) shorter = extended.at({shorter, ngram.tokens[i]});
        extended[{shorter, last}] = counts.add(shorter, last, ngram.count);
    }
    counts.build();
    return counts;
}

}  // namespace

FrequentNgrams::FrequentNgrams(const Lexicon& lexicon, const Collection& collection, size_t max_order, size_t most,
                               bool ids)
    : counts_(most_frequent(lexicon, collection, max_order, most, ids)) {}

FrequentNgrams::FrequentNgrams(std::span<const char> bytes) : counts_(bytes, kFrequentMagic) {}

std::string FrequentNgrams::bytes() const { return counts_.bytes(kFrequentMagic); }

void CrystalBleu::row(const BleuSettings& settings, const FrequentNgrams& ignored, const NumberedTexts& hypothesis,
                      const NumberedReferences& references, std::span<int64_t> row) {
    size_t orders = settings.counted_orders(), size = hypothesis.numbers.size();
    require(orders <= NgramCounter::kMostMarked, "CrystalBLEU counts n-grams of at most 64 tokens");
    const TokenTexts& texts = hypothesis.texts;
    if (size > 0 && !references.tokens.empty() && !ignored.takes(texts.kind)) throw OtherTokens();
    auto length = static_cast<int64_t>(size);
    row[0] = length;
    row[1] = reference_length(settings.reference_length, length, references.lengths);
    std::span<int64_t> matches = row.subspan(2, orders), totals = row.subspan(2 + orders, orders);
    auto next = totals.end();
    std::fill(matches.begin(), matches.end(), 0);
    for (size_t n = 0; n < orders; ++n) totals[n] = std::max<int64_t>(0, length - static_cast<int64_t>(n));

    uint64_t* matched = matched_.reserve(size);
    uint32_t* tokens = tokens_.reserve(size);
    counter_.mark(hypothesis.numbers, references, orders, matched);
    for (size_t i = 0; i < size; ++i) tokens[i] = ignored.token(texts.tokens[i], texts.arena);
    for (size_t begin = 0; begin < size; ++begin) {
        uint32_t ngram = tokens[begin];
        // If an n-gram is not frequent, no longer n-gram that begins with it is.
        for (size_t end = begin; ngram != kUnknown;) {
            size_t n = end - begin;
            --totals[n];
            matched[end] &= ~(uint64_t{1} << n);
            if (++end == size || n + 1 == orders) break;
            ngram = tokens[end] == kUnknown ? kUnknown : ignored.longer(ngram, tokens[end]);
        }
    }
    for (size_t i = 0; i < size; ++i)
        for (uint64_t left = matched[i]; left != 0; left &= left - 1)
            ++matches[static_cast<size_t>(std::countr_zero(left))];
    if (settings.has_short())
        for (size_t n = 0; n < orders; ++n) *next++ = totals[n] == 0;
    if (settings.has_unmatched())
        for (size_t n = 0; n < orders; ++n) *next++ = matches[n] == 0;
}

}  // namespace refscore
