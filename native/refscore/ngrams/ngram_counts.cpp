#include "refscore/ngrams/ngram_counts.hpp"

#include <bit>

#include "refscore/base/preconditions.hpp"
#include "refscore/text/text.hpp"

namespace refscore {
namespace {

// Numbers are in little-endian order.
template <class T>
void write(std::string& to, T value) {
    value = little_endian(value);
    to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

class Reader {
  public:
    explicit Reader(std::span<const char> bytes) : left_(bytes) {}

    std::span<const char> take(size_t size) {
        require(size <= left_.size(), "the fitted weights are cut short");
        std::span<const char> taken = left_.first(size);
        left_ = left_.subspan(size);
        return taken;
    }
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return little_endian(value);
    }
    bool is_done() const { return left_.empty(); }

  private:
    std::span<const char> left_;
};

}  // namespace

NgramCounts::NgramCounts(Lexicon lexicon, size_t max_order, bool ids, uint64_t total)
    : lexicon_(std::move(lexicon)),
      ids_(ids),
      max_order_(static_cast<uint32_t>(std::min<size_t>(max_order, UINT32_MAX))),
      total_(total) {
    check_order();
    counts_.resize(vocabulary() + size_t{1});
}

NgramCounts::NgramCounts(std::span<const char> bytes, std::string_view magic) {
    Reader reader(bytes);
    std::span<const char> begin = reader.take(magic.size());
    require(std::equal(begin.begin(), begin.end(), magic.begin()), "these bytes are not the weights of this metric");
    ids_ = reader.number<uint8_t>() != 0;
    max_order_ = reader.number<uint32_t>();
    check_order();
    total_ = reader.number<uint64_t>();
    uint32_t tokens = reader.number<uint32_t>();
    counts_.assign(1, 0);
    Arena arena;
    for (uint32_t number = 1; number <= tokens; ++number) {
        counts_.push_back(reader.number<uint32_t>());
        require(counts_[number] > 0, "a token of the fitted weights is invalid");
        std::span<const char> token = reader.take(reader.number<uint32_t>());
        arena.clear();
        // ASCII is copied unchanged, so any bytes survive.
        Span span = arena.append({token.data(), token.size(), Encoding::Ascii}, Spaces::Keep);
        require(lexicon_.add(token_at(arena.data(), span.begin, span.end), arena.data()) == number,
                "a token occurs twice in the fitted weights");
    }
    while (!reader.is_done()) {
        Ngram ngram{reader.number<uint32_t>(), reader.number<uint32_t>(), reader.number<uint32_t>()};
        bool is_known = ngram.shorter >= 1 && ngram.shorter <= size() && ngram.last >= 1 && ngram.last <= tokens;
        require(is_known && ngram.count >= 1, "an n-gram of the fitted weights is invalid");
        ngrams_.push_back(ngram);
    }
    build();
}

void NgramCounts::check_order() const {
    require(max_order_ >= 1 && max_order_ <= NgramCounter::kMostMarked,
            "the order of fitted weights must be from 1 to 64");
}

std::string NgramCounts::bytes(std::string_view magic) const {
    std::string bytes(magic);
    write<uint8_t>(bytes, ids_);
    write<uint32_t>(bytes, max_order_);
    write<uint64_t>(bytes, total_);
    write<uint32_t>(bytes, vocabulary());
    Lexicon::Inlined inlined;
    for (uint32_t number = 1; number <= vocabulary(); ++number) {
        std::span<const uint8_t> token = lexicon_.bytes(number, inlined);
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

uint32_t NgramCounts::add(uint32_t shorter, uint32_t last, uint32_t count) {
    if (size() + 2 > UINT32_MAX) throw TooLarge("the references have too many different n-grams");
    ngrams_.push_back({shorter, last, count});
    return static_cast<uint32_t>(size());
}

void NgramCounts::build() {
    numbers_.clear(std::bit_ceil(2 * ngrams_.size() + 1));
    uint32_t number = vocabulary();
    for (const Ngram& ngram : ngrams_) numbers_.at(pair_key(ngram.shorter, ngram.last)) = ++number;
}

}  // namespace refscore
