// The matches of places equal their definition, for every instruction set of this processor.
#include "refscore/simd/place_matches.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "doctest.hpp"
#include "refscore/segments/sequence_order.hpp"

using namespace refscore;

namespace {

using Units = std::vector<uint32_t>;

std::map<Units, int64_t, SequenceOrder> ngrams(const Units& units, size_t order) {
    std::map<Units, int64_t, SequenceOrder> counts;
    for (size_t i = 0; i + order <= units.size(); ++i)
        ++counts[Units(units.begin() + static_cast<ptrdiff_t>(i), units.begin() + static_cast<ptrdiff_t>(i + order))];
    return counts;
}

int64_t common(const Units& one, const Units& other, size_t order) {
    auto counts = ngrams(other, order);
    int64_t total = 0;
    for (const auto& [ngram, count] : ngrams(one, order))
        if (auto found = counts.find(ngram); found != counts.end()) total += std::min(count, found->second);
    return total;
}

}  // namespace

TEST_CASE("matches of places equal their definition") {
    std::mt19937 random(7);
    for (const PlaceMatches& kernel : usable_place_matches())
        for (size_t words = 1; words <= kernel.most_words; ++words)
            for (int round = 0; round < 60; ++round) {
                size_t kinds = 1 + random() % (round % 2 ? 3 : 30), room = words * PlaceMatches::kPlaces;
                Units reference(room - (round % 3 == 0 ? 0 : random() % PlaceMatches::kPlaces)),
                    hypothesis(random() % 400);
                for (uint32_t& unit : reference) unit = 1 + random() % kinds;
                for (uint32_t& unit : hypothesis) unit = random() % (kinds + 1);  // 0 does not occur in the reference
                if (round % 4 == 0)
                    for (size_t i = 0; i < std::min(hypothesis.size(), reference.size()); ++i)
                        if (random() % 8 != 0) hypothesis[i] = reference[i];
                std::vector<uint64_t> places((kinds + 1) * words);
                for (size_t i = 0; i < reference.size(); ++i)
                    places[reference[i] * words + i / PlaceMatches::kPlaces] |= uint64_t{1}
                                                                                << i % PlaceMatches::kPlaces;
                int64_t matches[PlaceMatches::kOrders];
                kernel.count(hypothesis.data(), hypothesis.size(), places.data(), words, matches);
                for (size_t n = 1; n <= PlaceMatches::kOrders; ++n)
                    CHECK(matches[n - 1] == common(hypothesis, reference, n));
            }
    CHECK(PlaceMatches::words(0) == 0);
    CHECK(PlaceMatches::words(64) == 1);
    CHECK(PlaceMatches::words(65) == 2);
    CHECK(!PlaceMatches{}.takes(1, 1));
}
