// CIDEr's rows equal those computed with maps, its frequencies survive writing and reading, and arbitrary bytes are
// rejected or usable.
#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/cider.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

using Texts = std::vector<std::string>;
using Ngrams = std::map<Texts, double>;

std::string bytes_of(const Token& token, const uint8_t* arena) {
    std::vector<uint8_t> bytes(std::max<size_t>(token.size, Token::kInline));
    copy_token(token, arena, bytes.data());
    return {bytes.begin(), bytes.begin() + token.size};
}

Ngrams count(const Texts& tokens, size_t order) {
    Ngrams counts;
    for (size_t i = 0; i + order <= tokens.size(); ++i) ++counts[Texts(tokens.begin() + i, tokens.begin() + i + order)];
    return counts;
}

// The documents for fit(): the references of each segment.
struct Fitted {
    Lexicon lexicon;
    Collection collection;
    std::vector<uint32_t> documents;
    Ngrams frequencies;

    double norm(const Ngrams& counts, double all) const {
        double sum = 0;
        for (const auto& [ngram, times] : counts) sum += std::pow(times * weight(ngram, all), 2);
        return std::sqrt(sum);
    }
    double weight(const Texts& ngram, double all) const {
        auto found = frequencies.find(ngram);
        return std::log(all) - std::log(found == frequencies.end() ? 1 : found->second);
    }
    double similarity(const CiderSettings& settings, double all, const Texts& own, const Texts& other,
                      size_t order) const {
        Ngrams counts = count(own, order), others = count(other, order);
        double product = 0, norms = norm(counts, all) * norm(others, all);
        for (const auto& [ngram, times] : others)
            if (auto found = counts.find(ngram); found != counts.end())
                product += (settings.clip ? std::min(found->second, times) : found->second) * times *
                           std::pow(weight(ngram, all), 2);
        double difference =
            (static_cast<double>(own.size()) - static_cast<double>(other.size())) / settings.sigma.value_or(1);
        return product > 0 ? product / norms * (settings.sigma ? std::exp(-difference * difference / 2) : 1) : 0;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static Cider used;
    try {
        DocumentFrequencies read(std::span<const char>(reinterpret_cast<const char*>(data), size));
        CHECK(DocumentFrequencies(std::span<const char>(read.bytes())).bytes() == read.bytes());
    } catch (const std::invalid_argument&) {}
    Input input(data, size);
    size_t max_order = 1 + input.below(8);
    CiderSettings settings{input.flag(), input.choose({6.0, 0.5, 1e9})};
    if (!input.flag()) settings.sigma.reset();
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    const Block& block = segments.block;
    TextNumberer numberer(rules);
    TokenList list;
    Fitted fitted;
    std::vector<std::vector<Texts>> texts(segments.size());
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        std::set<Texts> distinct;
        for (size_t r = block.reference_starts[segment]; r < block.reference_starts[segment + 1]; ++r) {
            numberer.read_reference(block, r, list);
            if (list.tokens.size() > 150) return 0;
            std::vector<uint32_t> numbers;
            Texts& tokens = texts[segment].emplace_back();
            for (const Token& token : list.tokens) {
                numbers.push_back(fitted.lexicon.add(token, list.arena.data()));
                tokens.push_back(bytes_of(token, list.arena.data()));
            }
            auto length = static_cast<uint32_t>(numbers.size());
            fitted.collection.add(numbers, {&length, 1});
            fitted.documents.push_back(static_cast<uint32_t>(segment));
            for (size_t n = 1; n <= max_order; ++n)
                for (const auto& [ngram, times] : count(tokens, n)) distinct.insert(ngram);
        }
        for (const Texts& ngram : distinct) ++fitted.frequencies[ngram];
    }
    DocumentFrequencies counted(fitted.lexicon, fitted.collection, fitted.documents, segments.size(), max_order,
                                block.kind == ItemKind::Ids);
    std::string bytes = counted.bytes();
    DocumentFrequencies frequencies(std::span<const char>(bytes.data(), bytes.size()));
    CHECK(frequencies.bytes() == bytes && frequencies.size() == counted.size());
    std::vector<double> row(Cider::columns(max_order)), again(row.size());
    for (size_t segment = 0; segment < segments.size(); ++segment) {
        NumberedReferences references = numberer.references(block, segment);
        NumberedTexts hypothesis = numberer.hypothesis(block, segment, references);
        used.row(settings, frequencies, hypothesis, references, row);
        Cider().row(settings, counted, hypothesis, references, again);
        CHECK(row == again);
        double value = Cider::value(max_order, row);
        CHECK(value >= 0 && value <= 10 + 1e-9);
        if (hypothesis.numbers.size() > 150) continue;
        Texts own;
        for (const Token& token : hypothesis.texts.tokens) own.push_back(bytes_of(token, hypothesis.texts.arena));
        for (size_t n = 1; n <= max_order; ++n) {
            double sum = 0;
            for (const Texts& other : texts[segment])
                sum += fitted.similarity(settings, static_cast<double>(segments.size()), own, other, n);
            CHECK(std::fabs(row[n - 1] - sum / static_cast<double>(texts[segment].size())) <= 1e-9);
        }
    }
    return 0;
}
