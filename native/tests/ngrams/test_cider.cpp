// CIDEr's document frequencies and rows equal those computed with maps, and frequencies survive writing and reading.
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/ngrams/cider.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Sequence = std::vector<uint32_t>;
using Counts = std::map<Sequence, uint32_t, SequenceOrder>;

bool close(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::max({1.0, std::fabs(a), std::fabs(b)}); }

Counts ngrams(const Sequence& tokens, size_t order) {
    Counts counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i)
        ++counts[Sequence(tokens.begin() + i, tokens.begin() + i + order)];
    return counts;
}

// Numbers n-grams or texts of ids.
struct Numbered {
    Lexicon lexicon;
    Collection collection;

    void add(const Sequence& text) {
        Sequence numbers;
        for (uint32_t token : text) numbers.push_back(lexicon.add(token_of_id(token), nullptr));
        auto length = static_cast<uint32_t>(text.size());
        collection.add(numbers, {&length, 1});
    }
};

double weight(const Counts& frequencies, size_t documents, const Sequence& ngram) {
    auto found = frequencies.find(ngram);
    return std::log(static_cast<double>(documents)) - std::log(found == frequencies.end() ? 1.0 : found->second);
}

template <class Make>
bool is_refused(Make make) {
    try {
        make();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void check_row(std::mt19937& random, const DocumentFrequencies& frequencies, const Counts& counts, size_t documents,
               size_t max_order, const std::vector<Sequence>& references, const Sequence& hypothesis) {
    // The vocabulary of a segment has only tokens of the references.
    Vocabulary vocabulary;
    vocabulary.reset();
    Sequence tokens, lengths, numbers;
    for (const Sequence& reference : references) {
        vocabulary.reserve(reference.size());
        for (uint32_t token : reference) tokens.push_back(vocabulary.add(token_of_id(token), nullptr));
        lengths.push_back(static_cast<uint32_t>(reference.size()));
    }
    vocabulary.reserve(0);
    VocabularyView view = vocabulary.view(nullptr);
    std::vector<Token> texts;
    for (uint32_t token : hypothesis) {
        texts.push_back(token_of_id(token));
        numbers.push_back(view.find(texts.back(), nullptr));
    }
    CiderSettings settings{random() % 2 == 0, 0.5 + static_cast<double>(random() % 100) / 10};
    if (random() % 2) settings.sigma.reset();
    std::vector<double> row(Cider::columns(max_order));
    Cider cider;
    for (int i = 0; i < 2; ++i)
        cider.row(settings, frequencies, {{ItemKind::Ids, texts, nullptr}, numbers},
                  {view, vocabulary.size(), tokens, lengths, ItemKind::Ids}, row);
    CHECK(row[max_order] == 1);
    double mean = 0;
    for (size_t n = 1; n <= max_order; ++n) {
        double sum = 0;
        Counts own = ngrams(hypothesis, n);
        for (const Sequence& reference : references) {
            Counts other = ngrams(reference, n);
            double product = 0, own_norm = 0, other_norm = 0;
            for (const auto& [ngram, count] : own) {
                double w = weight(counts, documents, ngram), h = count * w;
                own_norm += h * h;
                if (auto found = other.find(ngram); found != other.end()) {
                    double r = found->second * w;
                    product += (settings.clip ? std::min(h, r) : h) * r;
                }
            }
            for (const auto& [ngram, count] : other)
                other_norm += std::pow(count * weight(counts, documents, ngram), 2);
            if (own_norm > 0 && other_norm > 0) product /= std::sqrt(own_norm) * std::sqrt(other_norm);
            double difference = static_cast<double>(hypothesis.size()) - static_cast<double>(reference.size());
            sum += settings.sigma
                       ? product * std::exp(-difference * difference / (2 * *settings.sigma * *settings.sigma))
                       : product;
        }
        CHECK(close(row[n - 1], sum / static_cast<double>(references.size())));
        mean += row[n - 1] / static_cast<double>(max_order);
    }
    CHECK(close(Cider::value(max_order, row), 10 * mean));
}

void check_round(std::mt19937& random) {
    uint32_t kinds = 1 + random() % 8;
    size_t max_order = 1 + random() % 7;
    auto draw = [&](size_t longest, uint32_t most) {
        Sequence tokens(random() % (longest + 1));
        for (uint32_t& token : tokens) token = 1 + random() % most;
        return tokens;
    };
    Numbered texts;
    std::vector<Sequence> fitted;
    Counts counts;
    Sequence documents_of;
    size_t documents = 1 + random() % 6;
    for (uint32_t document = 0; document < documents; ++document) {
        std::set<Sequence, SequenceOrder> distinct;
        for (size_t i = random() % 4; i > 0; --i) {
            fitted.push_back(draw(random() % 5 == 0 ? 80 : 12, kinds));
            texts.add(fitted.back());
            documents_of.push_back(document);
            for (size_t n = 1; n <= max_order; ++n)
                for (const auto& [ngram, count] : ngrams(fitted.back(), n)) distinct.insert(ngram);
        }
        for (const Sequence& ngram : distinct) ++counts[ngram];
    }
    DocumentFrequencies counted(texts.lexicon, texts.collection, documents_of, documents, max_order, true);
    std::string bytes = counted.bytes();
    DocumentFrequencies frequencies(std::span<const char>(bytes.data(), bytes.size()));
    CHECK(frequencies.bytes() == bytes);
    CHECK(frequencies.size() == counted.size());
    CHECK(frequencies.documents() == documents);

    // The same frequencies from a table, without those that make no difference.
    Numbered table;
    Sequence numbers;
    for (const auto& [ngram, count] : counts)
        if (ngram.size() == 1 || count > 1) {
            table.add(ngram);
            numbers.push_back(count);
        }
    CHECK(
        DocumentFrequencies::of_ngrams(table.lexicon, table.collection, numbers, documents, max_order, true).bytes() ==
        bytes);
    if (!numbers.empty()) {
        CHECK(is_refused([&] {
            DocumentFrequencies::of_ngrams(table.lexicon, table.collection, {numbers.data(), numbers.size() - 1},
                                           documents, max_order, true);
        }));
        numbers[0] = static_cast<uint32_t>(documents) + 1;
        CHECK(is_refused([&] {
            DocumentFrequencies::of_ngrams(table.lexicon, table.collection, numbers, documents, max_order, true);
        }));
    }

    std::vector<Sequence> references(1 + random() % 3);
    for (Sequence& reference : references)
        reference = random() % 2 && !fitted.empty() ? fitted[random() % fitted.size()] : draw(12, kinds + 2);
    check_row(random, frequencies, counts, documents, max_order, references,
              draw(random() % 5 == 0 ? 80 : 12, kinds + 4));

    for (int i = 0; i < 20; ++i) {
        std::string broken = bytes.substr(0, random() % (bytes.size() + 1));
        if (!broken.empty()) broken[random() % broken.size()] = static_cast<char>(random());
        try {
            DocumentFrequencies read(std::span<const char>(broken.data(), broken.size()));
            (void)read.bytes();
        } catch (const std::invalid_argument&) {}
    }
}

}  // namespace

TEST_CASE("similarities equal those computed with maps") {
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) check_round(random);
    CHECK(is_refused([] { CiderSettings{true, 0}.check(); }));
    CHECK(is_refused([] { CiderSettings{true, NAN}.check(); }));
}
