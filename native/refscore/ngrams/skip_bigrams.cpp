#include "refscore/ngrams/skip_bigrams.hpp"

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

// Calls take(token, count) for the tokens that follow one token within reach: `count` of its positions are before this
// occurrence. Returns the number of calls.
template <class Take>
size_t for_each_second(std::span<const uint32_t> tokens, std::span<const uint32_t> places, size_t reach, Take take) {
    auto end_of = [&](size_t place) { return reach < tokens.size() - place ? place + reach + 1 : tokens.size(); };
    size_t begin = places.front() + size_t{1}, end = end_of(places.back());
    // A few positions with a short reach: visit each pair. Otherwise visit each token once, with the number of
    // positions in reach.
    if (reach < (end - begin) / places.size()) {
        for (uint32_t place : places)
            for (size_t at = place + size_t{1}; at < end_of(place); ++at) take(tokens[at], 1);
        return places.size() * reach;
    }
    size_t entered = 0, left = 0;
    for (size_t at = begin; at < end; ++at) {
        while (entered < places.size() && places[entered] < at) ++entered;
        while (left < entered && at - places[left] > reach) ++left;
        take(tokens[at], entered - left);
    }
    return end - begin;
}

}  // namespace

size_t SkipBigrams::matches(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                            uint32_t vocabulary, size_t skip) {
    if (hypothesis.size() < 2 || reference.size() < 2) return 0;
    size_t reach = std::min(skip, std::max(hypothesis.size(), reference.size())) + 1;
    in_hypothesis_.build(hypothesis, vocabulary);
    in_reference_.build(reference, vocabulary);
    uint64_t* left = left_.reserve(vocabulary + size_t{1});
    std::fill_n(left, vocabulary + size_t{1}, uint64_t{0});
    size_t found = 0;
    for (uint32_t first = 1; first <= vocabulary; ++first) {
        std::span<const uint32_t> places = in_hypothesis_.of(first), targets = in_reference_.of(first);
        if (places.empty() || targets.empty()) continue;
        size_t work =
            for_each_second(reference, targets, reach, [&](uint32_t token, size_t count) { left[token] += count; });
        // No reference token is 0, so left[0] is 0.
        work += for_each_second(hypothesis, places, reach, [&](uint32_t token, size_t count) {
            size_t used = std::min<size_t>(left[token], count);
            left[token] -= used;
            found += used;
        });
        for_each_second(reference, targets, reach, [&](uint32_t token, size_t) { left[token] = 0; });
        checkpoint(2 * work);
    }
    return found;
}

size_t SkipBigrams::common_tokens(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference,
                                  uint32_t vocabulary) {
    uint64_t* left = left_.reserve(vocabulary + size_t{1});
    std::fill_n(left, vocabulary + size_t{1}, uint64_t{0});
    for (uint32_t token : reference) ++left[token];
    size_t found = 0;
    for (uint32_t token : hypothesis) {
        if (left[token] == 0) continue;
        --left[token];
        ++found;
    }
    return found;
}

}  // namespace refscore
