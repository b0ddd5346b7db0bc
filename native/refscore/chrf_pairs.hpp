// chrF of all pairs of a group of texts, and with a whole group at once: each text's n-grams are counted once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "chrf.hpp"
#include "unit_index.hpp"

namespace refscore {

class ChrfPairs {
  public:
    // A thread's room.
    struct Room {
        std::vector<uint32_t> counts;  // of one reference's n-grams
        std::vector<int64_t> matches;  // by hypothesis and order
        std::vector<int64_t> row;
    };

    // Every segment of the references has to have exactly one.
    static bool takes(const PreparedUnits& references);

    // Calls use(pairs); what is allocated stays with the thread for the next group, unless it is a lot.
    template <class Use>
    static void with(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references, Use use) {
        constexpr size_t kKept = size_t{1} << 24;
        // Taken away while it is in use: a signal handler may come back here, and what fails half-way is not kept.
        static thread_local std::unique_ptr<ChrfPairs> spare;
        std::unique_ptr<ChrfPairs> pairs = std::move(spare);
        if (!pairs) pairs.reset(new ChrfPairs());
        pairs->build(settings, hypotheses, references);
        use(static_cast<const ChrfPairs&>(*pairs));
        if (pairs->units_.bytes() + pairs->words_.bytes() <= kKept) spare = std::move(pairs);
    }

    // The scores of all hypotheses with one reference, `step` apart.
    void scores(Room& room, size_t reference, double* out, size_t step) const;

  private:
    ChrfPairs() = default;
    void build(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references);

    size_t order_of(size_t i) const { return i < settings_.char_order ? i + 1 : i - settings_.char_order + 1; }
    std::span<const UnitIndex::Entry> entries(size_t sequence, size_t i) const {
        return i < settings_.char_order ? units_.entries(sequence, i + 1) : words_.entries(sequence, order_of(i));
    }
    // The n-grams of a sequence, of the i-th order.
    int64_t ngrams(size_t sequence, size_t i) const;

    ChrfSettings settings_;
    size_t hypotheses_ = 0, references_ = 0;
    std::vector<size_t> lengths_, word_lengths_;  // hypotheses first
    UnitIndex units_;
    UnitIndex words_;
};

// The scores of all hypotheses with the mean of the references' counts; every segment of the references has to have exactly one.
std::vector<double> chrf_with_all(const ChrfSettings& settings, const std::vector<ChrfList>& hypotheses, const PreparedUnits& references);

}  // namespace refscore
