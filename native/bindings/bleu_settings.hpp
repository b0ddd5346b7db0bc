// The settings of BLEU, which CrystalBLEU shares.
#pragma once

#include <nanobind/stl/vector.h>

#include "refscore/ngrams/bleu.hpp"
#include "settings.hpp"

namespace refscore::bindings {

template <>
struct Names<Smoothing> {
    using enum Smoothing;
    static constexpr Name<Smoothing> kAll[] = {
        {None, "none"},
        {Exp, "exp"},
        {Floor, "floor"},
        {AddK, "add-k"},
        {FloorSegments, "floor-segments"},
        {AddKAll, "add-k-all"},
        {Coco, "coco"},
        {Nltk0, "nltk-0"},
        {Nltk1, "nltk-1"},
        {Nltk2, "nltk-2"},
        {Nltk3, "nltk-3"},
        {Nltk4, "nltk-4"},
        {Nltk5, "nltk-5"},
        {Nltk6, "nltk-6"},
        {Nltk7, "nltk-7"},
    };
};
template <>
struct Names<ReferenceLength> {
    using enum ReferenceLength;
    static constexpr Name<ReferenceLength> kAll[] = {{Closest, "closest"},
                                                     {ClosestFirst, "closest-first"},
                                                     {Shortest, "shortest"},
                                                     {Total, "average"}};
};
template <>
struct Names<ShortOrder> {
    using enum ShortOrder;
    static constexpr Name<ShortOrder> kAll[] = {{Zero, "zero"}, {Pad, "pad"}, {Perfect, "perfect"}};
};
template <>
struct Names<NoMatch> {
    using enum NoMatch;
    static constexpr Name<NoMatch> kAll[] = {{Smooth, "smooth"}, {Zero, "zero"}, {ZeroIfAny, "zero-if-any"}};
};

inline void read_bleu_settings(const Settings& read, BleuSettings& settings) {
    read("max_order", settings.max_order);
    read("weights", settings.weights);
    read("smoothing", settings.smoothing);
    read("smoothing_value", settings.smoothing_value);
    read("effective_order", settings.effective_order);
    read("reference_length", settings.reference_length);
    read("short_order", settings.short_order);
    read("no_match", settings.no_match);
}

}  // namespace refscore::bindings
