// Visits all distinct n-grams of a collection, each with all positions where it begins.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "refscore/segments/collection.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {

// Longer n-grams are found by splitting the positions of shorter ones by the next token. No table of all n-grams is
// built, and n-grams of no interest are not extended. One instance per thread.
class NgramWalk {
  public:
    NgramWalk(const Collection& collection, uint32_t vocabulary)
        : tokens_(collection.tokens()), counts_(vocabulary + size_t{1}) {}

    // Calls visit(order, number, places) for the n-grams that begin with the token at these places, shorter ones first,
    // with ascending places. `number` is the result of visit() for the n-gram without its last token. If visit()
    // returns 0, longer n-grams are skipped.
    template <class Visit>
    void walk(std::span<const uint32_t> places, size_t max_order, Visit visit) {
        if (places.empty()) return;
        places_.assign(places.begin(), places.end());
        groups_.assign(1, {0, places.size(), 0});
        for (size_t order = 1; !groups_.empty(); ++order) {
            next_places_.clear();
            next_groups_.clear();
            for (const Group& group : groups_) {
                std::span<const uint32_t> here(places_.data() + group.begin, group.end - group.begin);
                uint32_t number = visit(order, group.number, here);
                if (number != 0 && order < max_order) divide(here, order, number);
            }
            std::swap(places_, next_places_);
            std::swap(groups_, next_groups_);
        }
    }

  private:
    static constexpr size_t kPlaceWork =
        16;  // nanoseconds per place, for checkpoint(); only the order of magnitude matters

    struct Group {
        size_t begin, end;
        uint32_t number;
    };

    void divide(std::span<const uint32_t> places, size_t order, uint32_t number) {
        checkpoint(kPlaceWork * (places.size() + 1));
        following_.clear();
        for (uint32_t place : places) {
            uint32_t token = tokens_[place + order];
            if (token != kUnknown && counts_[token]++ == 0) following_.push_back(token);
        }
        std::sort(following_.begin(), following_.end());
        size_t base = next_places_.size(), begin = base;
        for (uint32_t token : following_) {
            size_t end = begin + counts_[token];
            next_groups_.push_back({begin, end, number});
            counts_[token] = static_cast<uint32_t>(begin - base);
            begin = end;
        }
        next_places_.resize(begin);
        for (uint32_t place : places) {
            uint32_t token = tokens_[place + order];
            if (token != kUnknown) next_places_[base + counts_[token]++] = place;
        }
        for (uint32_t token : following_) counts_[token] = 0;
    }

    std::span<const uint32_t> tokens_;
    std::vector<uint32_t> counts_;  // by token; all 0 between calls
    std::vector<uint32_t> following_;
    std::vector<uint32_t> places_, next_places_;
    std::vector<Group> groups_, next_groups_;
};

}  // namespace refscore
