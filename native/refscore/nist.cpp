#include "nist.hpp"

#include <bit>
#include <cmath>

#include "ngram_walk.hpp"
#include "preconditions.hpp"
#include "token_positions.hpp"

namespace refscore {
namespace {

constexpr char kMagic[] = "refscore NIST 1\n";

template <class T>
void write(std::string& to, T value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class Reader {
  public:
    explicit Reader(std::span<const char> bytes) : left_(bytes) {}

    std::span<const char> take(size_t size) {
        require(size <= left_.size(), "the information weights are cut short");
        std::span<const char> taken = left_.first(size);
        left_ = left_.subspan(size);
        return taken;
    }
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }
    bool is_done() const { return left_.empty(); }

  private:
    std::span<const char> left_;
};

// NLTK uses Python's log(x, 2), which is this quotient; std::log2 rounds differently.
double bits(double whole, double part) { return std::log(whole / part) / std::log(2.0); }

}  // namespace

NistInformation::NistInformation(Lexicon lexicon, Collection collection, size_t max_order, bool ids)
    : lexicon_(std::move(lexicon)), ids_(ids), max_order_(static_cast<uint32_t>(max_order)) {
    require(max_order >= 1 && max_order <= NgramCounter::kMostMarked, "the order of information weights must be from 1 to 64");
    collection.renumber(lexicon_.sort());
    uint32_t vocabulary = lexicon_.size();
    words_ = collection.tokens().size() - collection.size();
    counts_.resize(vocabulary + size_t{1});
    TokenPositions places;
    places.build(collection.tokens(), vocabulary);
    NgramWalk walk(collection, vocabulary);
    auto visit = [&](size_t order, uint32_t shorter, std::span<const uint32_t> here) -> uint32_t {
        auto count = static_cast<uint32_t>(here.size());
        uint32_t last = collection.tokens()[here[0] + order - 1];
        uint32_t number = last;
        if (order == 1) {
            counts_[last] = count;
        } else {
            if (ngrams_.size() + vocabulary + 2 > UINT32_MAX) throw TooLarge("the references have too many different n-grams");
            ngrams_.push_back({shorter, last, count});
            number = vocabulary + static_cast<uint32_t>(ngrams_.size());
        }
        return count > 1 ? number : 0;
    };
    for (uint32_t token = 1; token <= vocabulary; ++token) walk.walk(places.of(token), max_order, visit);
    build();
}

NistInformation::NistInformation(std::span<const char> bytes) {
    Reader reader(bytes);
    std::span<const char> magic = reader.take(sizeof(kMagic) - 1);
    require(std::equal(magic.begin(), magic.end(), kMagic), "these bytes are not information weights");
    ids_ = reader.number<uint8_t>() != 0;
    max_order_ = reader.number<uint32_t>();
    require(max_order_ >= 1 && max_order_ <= NgramCounter::kMostMarked, "the order of the information weights is out of range");
    words_ = reader.number<uint64_t>();
    uint32_t vocabulary = reader.number<uint32_t>();
    counts_.assign(1, 0);
    Arena arena;
    for (uint32_t number = 1; number <= vocabulary; ++number) {
        counts_.push_back(reader.number<uint32_t>());
        std::span<const char> token = reader.take(reader.number<uint32_t>());
        arena.clear();
        // ASCII is copied unchanged, so any bytes survive.
        Span span = arena.append({token.data(), token.size(), Encoding::Ascii}, Spaces::Keep);
        require(lexicon_.add(token_at(arena.data(), span.begin, span.end), arena.data()) == number, "a token occurs twice in the information weights");
    }
    while (!reader.is_done()) {
        Ngram ngram{reader.number<uint32_t>(), reader.number<uint32_t>(), reader.number<uint32_t>()};
        bool is_known = ngram.shorter >= 1 && ngram.shorter <= vocabulary + ngrams_.size() && ngram.last >= 1 && ngram.last <= vocabulary;
        require(is_known && ngram.count >= 1 && ngram.count <= count_of(ngram.shorter), "an n-gram of the information weights is invalid");
        ngrams_.push_back(ngram);
    }
    uint64_t words = 0;
    for (uint32_t number = 1; number <= vocabulary; ++number) {
        require(counts_[number] > 0, "a token of the information weights is invalid");
        words += counts_[number];
    }
    require(words == words_, "the number of words of the information weights is invalid");
    build();
}

std::string NistInformation::bytes() const {
    std::string bytes(kMagic, sizeof(kMagic) - 1);
    write<uint8_t>(bytes, ids_);
    write<uint32_t>(bytes, max_order_);
    write<uint64_t>(bytes, words_);
    write<uint32_t>(bytes, lexicon_.size());
    for (uint32_t number = 1; number <= lexicon_.size(); ++number) {
        std::span<const uint8_t> token = lexicon_.bytes(number);
        write<uint32_t>(bytes, counts_[number]);
        write<uint32_t>(bytes, static_cast<uint32_t>(token.size()));
        bytes.append(reinterpret_cast<const char*>(token.data()), token.size());
    }
    for (const Ngram& ngram : ngrams_) {
        write<uint32_t>(bytes, ngram.shorter);
        write<uint32_t>(bytes, ngram.last);
        write<uint32_t>(bytes, ngram.count);
    }
    return bytes;
}

size_t NistInformation::slot_of(uint64_t key) const {
    size_t mask = slots_.size() - 1;
    size_t slot = fold_multiply(key ^ kSeeds.first, kSeeds.second) & mask;
    while (slots_[slot].ngram != kUnknown && slots_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
}

uint32_t NistInformation::longer(uint32_t ngram, uint32_t token) const { return slots_[slot_of(key(ngram, token))].ngram; }

uint32_t NistInformation::count_of(uint32_t ngram) const {
    uint32_t vocabulary = lexicon_.size();
    return ngram <= vocabulary ? counts_[ngram] : ngrams_[ngram - vocabulary - 1].count;
}

void NistInformation::build() {
    uint32_t vocabulary = lexicon_.size();
    weights_.assign(1, 0);
    for (uint32_t token = 1; token <= vocabulary; ++token) weights_.push_back(bits(static_cast<double>(words_), counts_[token]));
    slots_.assign(std::bit_ceil(2 * ngrams_.size() + 1), {0, kUnknown});
    for (const Ngram& ngram : ngrams_) {
        auto number = static_cast<uint32_t>(weights_.size());
        weights_.push_back(bits(count_of(ngram.shorter), ngram.count));
        uint64_t where = key(ngram.shorter, ngram.last);
        slots_[slot_of(where)] = {where, number};
    }
}

void Nist::row(const NistInformation& information, std::span<const uint32_t> hypothesis, const NumberedReferences& references, double* row) {
    size_t max_order = information.max_order(), size = hypothesis.size(), count = references.lengths.size();
    if (size > 0 && !references.tokens.empty() && !information.takes(references.kind)) throw OtherTokens();
    uint64_t* matched = matched_.reserve(size);
    uint32_t* tokens = tokens_.reserve(size);
    uint32_t* ngrams = ngrams_.reserve(size);
    uint32_t* orders = orders_.reserve(size);
    double* weights = weights_.reserve(size * max_order);
    for (size_t i = 0; i < size; ++i) {
        const VocabularyView& vocabulary = references.vocabulary;
        tokens[i] = hypothesis[i] == kUnknown ? kUnknown : information.token(vocabulary.tokens[hypothesis[i]], vocabulary.arena);
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
            bool is_better = here.information > best_[n].information || (here.information == best_[n].information && here.length > best_[n].length);
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

void nist_score(size_t max_order, const double* row, NistParts& parts) {
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
