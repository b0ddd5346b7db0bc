#include "bind.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "collecting.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/diversity.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

// For each order: the number of distinct n-grams of the generations, and the total number.
std::vector<std::pair<uint64_t, uint64_t>> distinct(nb::handle generations, const TextRules& rules, size_t max_order,
                                                    size_t threads) {
    require_order(max_order);
    CollectedTexts texts = collect(PythonInput(generations, nb::handle(), rules.lowercase), rules, threads);
    const Collection& collection = texts.collection;
    std::vector<std::pair<uint64_t, uint64_t>> counts;
    without_gil([&] {
        for (uint64_t found : distinct_ngrams(collection, texts.lexicon.size(), max_order, threads))
            counts.emplace_back(found, 0);
        // A text of `length` tokens has length + 1 - n n-grams. They are summed from the highest order down, over the
        // texts that are long enough.
        std::vector<uint64_t> lengths(max_order + 1), longer(max_order + 1);
        for (size_t text = 0; text < collection.size(); ++text) {
            size_t length = collection.length(text), last = std::min(length, max_order);
            if (last == 0) continue;
            lengths[last] += length + 1;
            ++longer[last];
        }
        for (size_t n = max_order; n > 0; --n) {
            lengths[n - 1] += lengths[n];
            longer[n - 1] += longer[n];
            counts[n - 1].second = lengths[n] - longer[n] * n;
        }
    });
    return counts;
}

}  // namespace

void bind_diversity(nb::module_& m) {
    m.def("distinct_ngrams", &distinct, "generations"_a, "rules"_a, "max_order"_a, "threads"_a);
}

}  // namespace refscore::bindings
