// Cuts of a hypothesis that fit the segments of references.
#include "bind.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/distance/resegment.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {
namespace {

using namespace nb::literals;

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> as_span(const Values<T>& values) {
    return {values.data(), values.size()};
}

Array<int64_t, 1> as_numbers(const std::vector<int64_t>& values) {
    auto copy = std::make_unique<int64_t[]>(values.size());
    std::ranges::copy(values, copy.get());
    return as_array<int64_t, 1>(std::move(copy), {values.size()});
}

nb::tuple resegment(const Values<uint32_t>& hypothesis, const Values<uint32_t>& tokens,
                    const Values<int64_t>& reference_ends, const Values<int64_t>& segment_ends, uint32_t vocabulary,
                    const std::optional<Values<uint8_t>>& allowed, const std::optional<Values<uint8_t>>& sides,
                    bool earliest, bool by_segments) {
    ResegmentInput input{
        as_span(hypothesis), as_span(tokens), as_span(reference_ends), as_span(segment_ends), vocabulary, {}, {}};
    if (allowed) input.allowed = as_span(*allowed);
    std::vector<PunctuationSide> all_sides;
    for (uint8_t side : sides ? as_span(*sides) : std::span<const uint8_t>()) {
        require(side <= static_cast<uint8_t>(PunctuationSide::Opening), "a side must be from 0 to 2");
        all_sides.push_back(static_cast<PunctuationSide>(side));
    }
    input.sides = all_sides;
    Cuts cuts;
    without_gil([&] {
        Resegmenter resegmenter;
        cuts = resegmenter.cut(input, earliest, by_segments);
    });
    return nb::make_tuple(as_numbers(cuts.ends), as_numbers(cuts.costs));
}

}  // namespace

void bind_resegment(nb::module_& m) {
    m.def("resegment", &resegment, "hypothesis"_a, "tokens"_a, "reference_ends"_a, "segment_ends"_a, "vocabulary"_a,
          "allowed"_a = nb::none(), "sides"_a = nb::none(), "earliest"_a = false, "by_segments"_a = false,
          nb::sig("def resegment(hypothesis: typing.Any, tokens: typing.Any, reference_ends: typing.Any, segment_ends: "
                  "typing.Any, "
                  "vocabulary: int, allowed: typing.Any = None, sides: typing.Any = None, earliest: bool = False, "
                  "by_segments: bool = False) -> tuple[typing.Any, typing.Any]"));
}

}  // namespace refscore::bindings
