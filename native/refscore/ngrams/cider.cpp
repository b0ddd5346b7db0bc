#include "refscore/ngrams/cider.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "refscore/ngrams/ngram_walk.hpp"
#include "refscore/segments/token_positions.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr std::string_view kFrequenciesMagic = "refscore CIDEr 1\n";

// Nanoseconds per token and order, for checkpoint(); only the order of magnitude matters.
constexpr size_t kCiderTokenWork = 32;

}  // namespace

DocumentFrequencies::DocumentFrequencies(NgramCounts counts) : counts_(std::move(counts)) {
    // coco-caption subtracts logarithms. The logarithm of the quotient rounds differently.
    double all = documents() > 0 ? std::log(static_cast<double>(documents())) : 0;
    weights_.assign(1, all);
    for (uint32_t ngram = 1; ngram <= counts_.size(); ++ngram) {
        require(counts_.count(ngram) <= documents(), "an n-gram is in more documents than there are");
        weights_.push_back(all - std::log(static_cast<double>(counts_.count(ngram))));
    }
}

DocumentFrequencies::DocumentFrequencies(std::span<const char> bytes)
    : DocumentFrequencies(NgramCounts(bytes, kFrequenciesMagic)) {}

std::string DocumentFrequencies::bytes() const { return counts_.bytes(kFrequenciesMagic); }

DocumentFrequencies::DocumentFrequencies(Lexicon lexicon, Collection collection, std::span<const uint32_t> documents,
                                         uint64_t total, size_t max_order, bool ids)
    : DocumentFrequencies([&] {
          require(documents.size() == collection.size(), "each text needs the number of its document");
          NgramCounts counts(sort_tokens(std::move(lexicon), collection), max_order, ids, total);
          uint32_t vocabulary = counts.vocabulary();
          TokenPositions places;
          places.build(collection.tokens(), vocabulary);
          NgramWalk walk(collection, vocabulary);
          auto visit = [&](size_t order, uint32_t shorter, std::span<const uint32_t> here) -> uint32_t {
              // Places and documents ascend, so the documents of an n-gram are adjacent.
              uint32_t count = 1, last_document = documents[collection.text_at(here[0])];
              for (uint32_t place : here.subspan(1)) {
                  uint32_t document = documents[collection.text_at(place)];
                  count += document != last_document;
                  last_document = document;
              }
              uint32_t last = collection.tokens()[here[0] + order - 1];
              if (order == 1) counts.set_token(last, count);
              if (count == 1) return 0;
              return order == 1 ? last : counts.add(shorter, last, count);
          };
          for (uint32_t token = 1; token <= vocabulary; ++token) walk.walk(places.of(token), max_order, visit);
          counts.build();
          return counts;
      }()) {}

DocumentFrequencies DocumentFrequencies::of_ngrams(Lexicon lexicon, Collection ngrams,
                                                   std::span<const uint32_t> frequencies, uint64_t total,
                                                   size_t max_order, bool ids) {
    require(frequencies.size() == ngrams.size(), "each n-gram needs its number of documents");
    NgramCounts counts(sort_tokens(std::move(lexicon), ngrams), max_order, ids, total);
    uint32_t vocabulary = counts.vocabulary();
    for (uint32_t token = 1; token <= vocabulary; ++token) counts.set_token(token, 1);
    TokenPositions places;
    places.build(ngrams.tokens(), vocabulary);
    NgramWalk walk(ngrams, vocabulary);
    auto visit = [&](size_t order, uint32_t shorter, std::span<const uint32_t> here) -> uint32_t {
        uint32_t count = 1;  // a prefix without its own number
        for (uint32_t place : here)
            if (uint32_t text = ngrams.text_at(place); ngrams.length(text) == order)
                count = std::max(count, frequencies[text]);
        uint32_t last = ngrams.tokens()[here[0] + order - 1];
        if (order > 1) return counts.add(shorter, last, count);
        counts.set_token(last, count);
        return last;
    };
    std::vector<uint32_t> begins;
    for (uint32_t token = 1; token <= vocabulary; ++token) {
        begins.clear();
        for (uint32_t place : places.of(token))
            if (place == ngrams.begin(ngrams.text_at(place))) begins.push_back(place);
        walk.walk(begins, max_order, visit);
    }
    counts.build();
    return DocumentFrequencies(std::move(counts));
}

// Tokens of the references keep their numbers. Other tokens of the hypothesis get the following ones, because
// repetitions count.
void Cider::number_tokens(const DocumentFrequencies& frequencies, const NumberedTexts& hypothesis,
                          const NumberedReferences& references) {
    const VocabularyView& vocabulary = references.vocabulary;
    size_t own = hypothesis.numbers.size(), size = own + references.tokens.size();
    uint32_t* tokens = tokens_.reserve(size);
    uint32_t* known = known_.reserve(references.vocabulary_size + own + 1);
    numbers_.reserve(size);
    others_.reset();
    others_.reserve(own);
    for (size_t i = 0; i < own; ++i) {
        tokens[i] = hypothesis.numbers[i];
        if (tokens[i] != kUnknown) continue;
        const Token& token = hypothesis.texts.tokens[i];
        tokens[i] = references.vocabulary_size + others_.add(token, hypothesis.texts.arena);
        known[tokens[i]] = frequencies.token(token, hypothesis.texts.arena);
    }
    for (uint32_t token = 1; token <= references.vocabulary_size; ++token)
        known[token] = frequencies.token(vocabulary.tokens[token], vocabulary.arena);
    std::copy(references.tokens.begin(), references.tokens.end(), tokens + own);
    starts_.assign(1, 0);
    starts_.push_back(static_cast<uint32_t>(own));
    for (uint32_t length : references.lengths) starts_.push_back(starts_.back() + length);
}

// Numbers the n-grams of all texts in order of occurrence, given those of the order below. The hypothesis comes first.
void Cider::number_ngrams(const DocumentFrequencies& frequencies, size_t order) {
    std::swap(ngrams_, shorter_);
    ngrams_.assign(1, {kUnknown, 0, 0, 0});
    pairs_.start(starts_.back());
    for (size_t text = 0; text + 1 < starts_.size(); ++text) {
        for (size_t at = starts_[text]; at + order <= starts_[text + 1]; ++at) {
            uint32_t last = tokens_[at + order - 1], begin = order == 1 ? 0 : numbers_[at];
            uint32_t number = pairs_.add(begin, last);
            if (number == ngrams_.size()) {
                uint32_t token = known_[last];
                if (order > 1)
                    token = token == kUnknown || shorter_[begin].known == kUnknown
                                ? kUnknown
                                : frequencies.longer(shorter_[begin].known, token);
                ngrams_.push_back({token, 0, 0, frequencies.weight(token)});
            }
            numbers_[at] = number;
            ngrams_[number].hypothesis += text == 0;
        }
    }
}

void Cider::row(const CiderSettings& settings, const DocumentFrequencies& frequencies, const NumberedTexts& hypothesis,
                const NumberedReferences& references, std::span<double> row) {
    size_t max_order = frequencies.max_order(), count = references.lengths.size(), own = hypothesis.numbers.size();
    std::fill_n(row.begin(), max_order, 0);
    row[max_order] = 1;
    if (own == 0 || references.tokens.empty()) return;
    if (!frequencies.takes(references.kind) || !frequencies.takes(hypothesis.texts.kind)) throw OtherTokens();
    number_tokens(frequencies, hypothesis, references);
    penalties_.assign(count, 1);
    for (size_t r = 0; settings.sigma && r < count; ++r) {
        // coco-caption compares the numbers of bigrams. Their difference is the same, unless a text is empty and the
        // score is 0.
        double difference = static_cast<double>(own) - references.lengths[r];
        if (difference != 0)
            penalties_[r] =
                std::pow(std::numbers::e, -(difference * difference) / (2 * *settings.sigma * *settings.sigma));
    }
    for (size_t order = 1; order <= std::min(max_order, own); ++order) {
        checkpoint(kCiderTokenWork * starts_.back());
        number_ngrams(frequencies, order);
        double norm = 0;
        for (const Ngram& ngram : ngrams_) {
            double term = ngram.hypothesis * ngram.weight;
            norm += term * term;
        }
        double sum = 0;
        for (size_t r = 0; r < count; ++r) {
            distinct_.clear();
            for (size_t at = starts_[r + 1]; at + order <= starts_[r + 2]; ++at)
                if (ngrams_[numbers_[at]].reference++ == 0) distinct_.push_back(numbers_[at]);
            double product = 0, reference_norm = 0;
            for (uint32_t number : distinct_) {
                Ngram& ngram = ngrams_[number];
                double term = ngram.hypothesis * ngram.weight, other = ngram.reference * ngram.weight;
                product += (settings.clip ? std::min(term, other) : term) * other;
                reference_norm += other * other;
                ngram.reference = 0;
            }
            if (product > 0) sum += product / (std::sqrt(norm) * std::sqrt(reference_norm)) * penalties_[r];
        }
        row[order - 1] = sum / static_cast<double>(count);
    }
}

double Cider::value(size_t max_order, std::span<const double> row) {
    double sum = 0;
    for (size_t n = 0; n < max_order; ++n) sum += row[n];
    return row[max_order] > 0 ? kFactor * sum / static_cast<double>(max_order) / row[max_order] : 0;
}

}  // namespace refscore
