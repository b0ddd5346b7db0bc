#include "refscore/ngrams/nist.hpp"

#include <bit>
#include <cmath>
#include <string_view>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/ngram_walk.hpp"
#include "refscore/segments/token_positions.hpp"

namespace refscore {
namespace {

constexpr std::string_view kInformationMagic = "refscore NIST 1\n";

// NLTK uses Python's log(x, 2), which is this quotient; std::log2 rounds differently.
double bits(double whole, double part) { return std::log(whole / part) / std::log(2.0); }

}  // namespace

NistInformation::NistInformation(Lexicon lexicon, Collection collection, size_t max_order, bool ids)
    : counts_(sort_tokens(std::move(lexicon), collection), max_order, ids,
              collection.tokens().size() - collection.size()) {
    uint32_t vocabulary = counts_.vocabulary();
    TokenPositions places;
    places.build(collection.tokens(), vocabulary);
    NgramWalk walk(collection, vocabulary);
    auto visit = [&](size_t order, uint32_t shorter, std::span<const uint32_t> here) -> uint32_t {
        auto count = static_cast<uint32_t>(here.size());
        uint32_t last = collection.tokens()[here[0] + order - 1];
        uint32_t number = last;
        if (order == 1) {
            counts_.set_token(last, count);
        } else {
            number = counts_.add(shorter, last, count);
        }
        return count > 1 ? number : 0;
    };
    for (uint32_t token = 1; token <= vocabulary; ++token) walk.walk(places.of(token), max_order, visit);
    counts_.build();
    weigh();
}

NistInformation::NistInformation(std::span<const char> bytes) : counts_(bytes, kInformationMagic) {
    uint64_t words = 0;
    for (uint32_t token = 1; token <= counts_.vocabulary(); ++token) words += counts_.count(token);
    require(words == counts_.total(), "the number of words of the fitted weights is invalid");
    for (auto ngram = static_cast<uint32_t>(counts_.vocabulary() + 1); ngram <= counts_.size(); ++ngram)
        require(counts_.count(ngram) <= counts_.count(counts_.shorter(ngram)),
                "an n-gram of the fitted weights is invalid");
    weigh();
}

std::string NistInformation::bytes() const { return counts_.bytes(kInformationMagic); }

void NistInformation::weigh() {
    weights_.assign(1, 0);
    for (uint32_t ngram = 1; ngram <= counts_.size(); ++ngram) {
        uint32_t shorter = counts_.shorter(ngram);
        double whole = shorter == kUnknown ? static_cast<double>(counts_.total()) : counts_.count(shorter);
        weights_.push_back(bits(whole, counts_.count(ngram)));
    }
}

void Nist::row(const NistInformation& information, std::span<const uint32_t> hypothesis,
               const NumberedReferences& references, std::span<double> row) {
    size_t max_order = information.max_order(), size = hypothesis.size(), count = references.lengths.size();
    if (size > 0 && !references.tokens.empty() && !information.takes(references.kind)) throw OtherTokens();
    uint64_t* matched = matched_.reserve(size);
    uint32_t* tokens = tokens_.reserve(size);
    uint32_t* ngrams = ngrams_.reserve(size);
    uint32_t* orders = orders_.reserve(size);
    double* weights = weights_.reserve(size * max_order);
    for (size_t i = 0; i < size; ++i) {
        const VocabularyView& vocabulary = references.vocabulary;
        tokens[i] = hypothesis[i] == kUnknown ? kUnknown
                                              : information.token(vocabulary.tokens[hypothesis[i]], vocabulary.arena);
        ngrams[i] = tokens[i];
        orders[i] = 1;
        weights[i * max_order] = information.weight(ngrams[i]);
    }
    // If an n-gram is not stored, no longer n-gram that begins with it is.
    auto weight_of = [&](size_t place, uint32_t order) {
        while (orders[place] < order) {
            uint32_t last = tokens[place + orders[place]];
            bool is_kept = ngrams[place] != kUnknown && last != kUnknown;
            ngrams[place] = is_kept ? information.longer(ngrams[place], last) : kUnknown;
            weights[place * max_order + orders[place]++] = information.weight(ngrams[place]);
        }
        return weights[place * max_order + order - 1];
    };
    best_.assign(max_order, {0, 0});
    size_t begin = 0;
    for (size_t r = 0; r < count; ++r) {
        NumberedReferences reference = references.only(r, begin);
        begin += reference.tokens.size();
        counter_.mark(hypothesis, reference, max_order, matched);
        sums_.assign(max_order, {});
        for (size_t end = 0; end < size; ++end)
            for (uint64_t left = matched[end]; left != 0; left &= left - 1) {
                auto order = static_cast<uint32_t>(std::countr_zero(left)) + 1;
                sums_[order - 1].add(weight_of(end + 1 - order, order));
            }
        for (size_t n = 0; n < max_order; ++n) {
            Best here{sums_[n].value(), references.lengths[r]};
            bool is_better = here.information > best_[n].information ||
                             (here.information == best_[n].information && here.length > best_[n].length);
            if (r == 0 || is_better) best_[n] = here;
        }
    }
    row[0] = static_cast<double>(size);
    row[1] = 0;
    for (size_t n = 0; n < max_order; ++n) {
        row[1] += best_[n].length;
        row[2 + n] = best_[n].information;
        row[2 + max_order + n] = size <= n ? 0 : static_cast<double>(size - n);
    }
}

void nist_score(size_t max_order, std::span<const double> row, NistParts& parts) {
    parts.information.assign(max_order, 0);
    double sum = 0;
    for (size_t n = 0; n < max_order; ++n) {
        double total = row[2 + max_order + n];
        if (total > 0) sum += parts.information[n] = row[2 + n] / total;
    }
    // The penalty is 1/2 if the hypotheses have two thirds of the references' length; this defines beta.
    static const double beta = std::log(0.5) / (std::log(1.5) * std::log(1.5));
    double hypothesis = row[0] * static_cast<double>(max_order), reference = row[1];
    parts.length_penalty = 1;
    if (hypothesis < reference) {
        double logarithm = hypothesis > 0 ? std::log(hypothesis / reference) : 0;
        parts.length_penalty = hypothesis > 0 ? std::exp(beta * logarithm * logarithm) : 0;
    }
    parts.value = sum * parts.length_penalty;
}

}  // namespace refscore
