// BLEU's rows equal counts in maps for every way to read the segment, and the score is finite.
#include "expected.hpp"
#include "input.hpp"
#include "refscore/ngrams/bleu.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

int64_t expected_reference_length(ReferenceLength rule, int64_t own, Sequence lengths) {
    int64_t total = 0, shortest = INT64_MAX, closest = lengths[0], first = lengths[0];
    for (int64_t length : lengths) {
        total += length;
        shortest = std::min(shortest, length);
        if (std::abs(length - own) < std::abs(first - own)) first = length;
        if (std::abs(length - own) < std::abs(closest - own) ||
            (std::abs(length - own) == std::abs(closest - own) && length < closest))
            closest = length;
    }
    return rule == ReferenceLength::Total          ? total
           : rule == ReferenceLength::Shortest     ? shortest
           : rule == ReferenceLength::ClosestFirst ? first
                                                   : closest;
}

void check_row(const BleuSettings& settings, Sequence hypothesis, const NumberedReferences& references,
               const std::vector<int64_t>& row) {
    size_t orders = settings.counted_orders();
    CHECK(row[0] == static_cast<int64_t>(hypothesis.size()));
    CHECK(row[1] == expected_reference_length(settings.reference_length, row[0], references.lengths));
    bool is_small = (hypothesis.size() + references.tokens.size()) * orders <= 1200;
    for (size_t n = 1; n <= orders; ++n) {
        CHECK(row[1 + orders + n] == count_of(hypothesis.size(), n));
        if (is_small) CHECK(row[1 + n] == matches(hypothesis, each(references), n));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static NgramCounter used;
    Input input(data, size);
    BleuSettings settings;
    uint8_t order = input.byte();
    settings.max_order = order < 224 ? 1 + order % 8 : 1 + order % 32 * 3u;
    settings.smoothing = input.one_of<Smoothing>(15);
    settings.smoothing_value = input.choose({0.0, 0.1, 0.5, 1.0, 2.0});
    bool divides = settings.smoothing == Smoothing::Nltk4 || settings.smoothing == Smoothing::Nltk7;
    if (divides && settings.smoothing_value == 0) settings.smoothing_value = 5;
    uint8_t flags = input.byte();
    settings.effective_order = (flags & 1) != 0;
    settings.reference_length = static_cast<ReferenceLength>(flags / 2 % 4);
    settings.short_order = static_cast<ShortOrder>(flags / 8 % 3);
    settings.no_match = static_cast<NoMatch>(flags / 32 % 3);
    if (flags % 7 == 6)
        for (size_t n = 0; n < settings.max_order; ++n) settings.weights.push_back(n % 3 == 1 ? 0 : 0.5);
    TextRules rules = read_rules(input);
    Segments segments(input, rules);
    std::vector<int64_t> row(settings.columns()), again(settings.columns()), first;
    std::vector<uint64_t> marked;
    read_all_ways(segments.block, rules,
                  [&](size_t, Sequence hypothesis, const NumberedReferences& references, bool is_first) {
                      NgramCounter fresh;
                      bleu_row(settings, hypothesis, references, fresh, row);
                      bleu_row(settings, hypothesis, references, used, again);
                      CHECK(row == again);
                      if (!is_first) {
                          CHECK(row == first);
                          return;
                      }
                      first = row;
                      check_row(settings, hypothesis, references, row);
                      size_t orders = std::min(settings.counted_orders(), NgramCounter::kMostMarked);
                      marked.assign(hypothesis.size(), 0);
                      used.mark(hypothesis, references, orders, marked.data());
                      for (size_t n = 0; n < orders; ++n) {
                          int64_t count = 0;
                          for (uint64_t bits : marked) count += static_cast<int64_t>(bits >> n & 1);
                          CHECK(count == row[2 + n]);
                      }
                      std::vector<double> numbers(row.begin(), row.end());
                      BleuParts parts;
                      bleu_score(settings, numbers, parts);
                      CHECK(parts.value >= 0 && std::isfinite(parts.value));
                  });
    return 0;
}
