// Agreement of metrics with people.
#include "bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "generator.hpp"
#include "names.hpp"
#include "refscore/base/preconditions.hpp"
#include "refscore/statistics/agreement.hpp"
#include "refscore/statistics/soft_swap_test.hpp"
#include "refscore/statistics/swap_test.hpp"
#include "refscore/statistics/tie_calibration.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {

template <>
struct Names<Agreement> {
    using enum Agreement;
    static constexpr Name<Agreement> kAll[] = {{Pearson, "pearson"},
                                               {Spearman, "spearman"},
                                               {TauB, "tau_b"},
                                               {TauC, "tau_c"},
                                               {Tau23, "tau_23"},
                                               {Acc23, "acc_23"},
                                               {KendallLike, "kendall_like"},
                                               {PairwisePearson, "pairwise_pearson"}};
};

namespace {

using namespace nb::literals;

using Scores = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ManyScores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indexes = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Pairs = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SystemScores = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::span<const double> span_of(const Scores& scores) { return {scores.data(), scores.size()}; }

// NaN has no order, so sorting it could read other memory.
void require_scores(const double* scores, size_t count) {
    require(std::all_of(scores, scores + count, [](double score) { return std::isfinite(score); }),
            "scores must be finite numbers");
}

std::vector<size_t> starts_of(const Indexes& starts, size_t size) {
    require(starts.size() > 0 && starts.data()[0] == 0, "the first group must start at 0");
    std::vector<size_t> checked(starts.data(), starts.data() + starts.size());
    require(std::is_sorted(starts.data(), starts.data() + starts.size()) && checked.back() == size,
            "the groups must cover all scores, in order");
    return checked;
}

// The mean over groups for each row of metric scores.
Array<double, 1> agreement(const AgreementRule& rule, const Scores& human, const ManyScores& metrics,
                           const Indexes& starts, size_t threads) {
    require(metrics.shape(1) == human.size(), "there must be a human score for each metric score");
    std::vector<size_t> checked = starts_of(starts, human.size());
    require_scores(human.data(), human.size());
    require_scores(metrics.data(), metrics.size());
    size_t count = metrics.shape(0);
    std::unique_ptr<double[]> values(new double[count]);
    without_gil([&] {
        parallel_for(
            count, threads,
            [&] {
                return [&, scorer = AgreementScorer(rule)](size_t from, size_t to) mutable {
                    for (size_t k = from; k < to; ++k)
                        values[k] =
                            scorer.score(span_of(human), {metrics.data() + k * human.size(), human.size()}, checked);
                };
            },
            1, human.size());
    });
    return as_array<double, 1>(std::move(values), {count});
}

// The value of each group; NaN if it has none.
Array<double, 1> agreement_by_group(const AgreementRule& rule, const Scores& human, const Scores& metric,
                                    const Indexes& starts) {
    require(metric.size() == human.size(), "there must be a human score for each metric score");
    std::vector<size_t> checked = starts_of(starts, human.size());
    require_scores(human.data(), human.size());
    require_scores(metric.data(), metric.size());
    size_t groups = checked.size() - 1;
    std::unique_ptr<double[]> values(new double[groups]);
    without_gil([&] {
        AgreementScorer scorer(rule);
        double weight = 0;
        for (size_t g = 0; g < groups; ++g) {
            size_t size = checked[g + 1] - checked[g];
            values[g] = scorer.group(span_of(human).subspan(checked[g], size),
                                     span_of(metric).subspan(checked[g], size), weight);
        }
    });
    return as_array<double, 1>(std::move(values), {groups});
}

// A row of accuracy and threshold for each row of metric scores.
Array<double, 2> calibrated(const Scores& human, const ManyScores& metrics, const Indexes& starts, size_t threads) {
    require(metrics.shape(1) == human.size(), "there must be a human score for each metric score");
    std::vector<size_t> checked = starts_of(starts, human.size());
    require_scores(human.data(), human.size());
    require_scores(metrics.data(), metrics.size());
    size_t count = metrics.shape(0);
    std::unique_ptr<double[]> values(new double[2 * count]);
    without_gil([&] {
        HumanPairs pairs(span_of(human), checked);
        parallel_for(
            count, threads,
            [&] {
                return [&](size_t from, size_t to) {
                    for (size_t k = from; k < to; ++k) {
                        CalibratedAccuracy best =
                            calibrate_ties(pairs, {metrics.data() + k * human.size(), human.size()});
                        values[2 * k] = best.accuracy;
                        values[2 * k + 1] = best.threshold;
                    }
                };
            },
            1, pairs.pairs().size());
    });
    return as_array<double, 2>(std::move(values), {count, 2});
}

void require_pairs(const Pairs& pairs, size_t metrics) {
    require(pairs.shape(1) == 2, "a pair must have two metrics");
    for (size_t i = 0; i < pairs.size(); ++i)
        require(pairs.data()[i] >= 0 && static_cast<size_t>(pairs.data()[i]) < metrics, "there is no such metric");
}

// Calls `use` for each pair of rows of metric scores, with scratch memory and the two rows.
template <class Use>
void for_each_pair(const SwapTest& test, const ManyScores& metrics, const Pairs& pairs, size_t threads,
                   const Use& use) {
    require(metrics.shape(1) == test.size(), "there must be a human score for each metric score");
    require_pairs(pairs, metrics.shape(0));
    require_scores(metrics.data(), metrics.size());
    auto scores = [&](size_t i) {
        return std::span(metrics.data() + static_cast<size_t>(pairs.data()[i]) * test.size(), test.size());
    };
    without_gil([&] {
        parallel_for(
            pairs.shape(0), threads,
            [&] {
                return [&, scratch = SwapTest::Scratch()](size_t from, size_t to) mutable {
                    for (size_t k = from; k < to; ++k) use(k, scratch, scores(2 * k), scores(2 * k + 1));
                };
            },
            1, test.size() * 1000);
    });
}

// The p-value of each pair: "the second one agrees better".
Array<double, 1> swap_p_values(const SwapTest& test, const ManyScores& metrics, const Pairs& pairs, size_t threads) {
    std::unique_ptr<double[]> values(new double[pairs.shape(0)]);
    for_each_pair(test, metrics, pairs, threads, [&](size_t k, SwapTest::Scratch& scratch, auto one, auto other) {
        values[k] = test.p_value(scratch, one, other);
    });
    return as_array<double, 1>(std::move(values), {pairs.shape(0)});
}

// The leads of each pair's second metric: the observed one, and one per draw.
Array<double, 2> swap_leads(const SwapTest& test, const ManyScores& metrics, const Pairs& pairs, size_t threads) {
    size_t draws = test.draws();
    std::unique_ptr<double[]> leads(new double[pairs.shape(0) * draws]);
    for_each_pair(test, metrics, pairs, threads, [&](size_t k, SwapTest::Scratch& scratch, auto one, auto other) {
        test.leads(scratch, one, other, {leads.get() + k * draws, draws});
    });
    return as_array<double, 2>(std::move(leads), {pairs.shape(0), draws});
}

// The test reads the scores in place, so the object must exist as long as their array.
SoftSwapTest make_soft_test(const ManyScores& signs, const Indexes& human, const SystemScores& metrics,
                            const Pairs& pairs, const Generator& generator) {
    SoftSwapTest::Shape shape{metrics.shape(0), metrics.shape(1), metrics.shape(2), signs.shape(0)};
    require(shape.systems > 1 && shape.segments > 0 && shape.permutations > 0,
            "there must be two systems, a segment and a permutation");
    require(signs.shape(1) == shape.segments && human.size() == shape.system_pairs(),
            "the matrices do not fit together");
    require_scores(signs.data(), signs.size());
    require_scores(metrics.data(), metrics.size());
    require_pairs(pairs, shape.metrics);
    std::vector<SoftSwapTest::Pair> checked;
    for (size_t k = 0; k < pairs.shape(0); ++k)
        checked.emplace_back(static_cast<size_t>(pairs(k, 0)), static_cast<size_t>(pairs(k, 1)));
    std::optional<SoftSwapTest> made;
    without_gil([&] {
        made.emplace(shape, std::span(signs.data(), signs.size()), std::span(human.data(), human.size()),
                     std::span(metrics.data(), metrics.size()), checked, generator.pcg);
    });
    return std::move(*made);
}

Array<int64_t, 2> soft_leads(const SoftSwapTest& test, size_t begin, size_t end, size_t threads) {
    require(begin <= end && end <= 10'000'000, "there must be at most 10000000 draws");
    size_t pairs = test.observed().size();
    std::unique_ptr<int64_t[]> leads(new int64_t[(end - begin) * pairs]);
    without_gil([&] { test.leads(begin, end, threads, {leads.get(), (end - begin) * pairs}); });
    return as_array<int64_t, 2>(std::move(leads), {end - begin, pairs});
}

Array<int64_t, 1> soft_observed(const SoftSwapTest& test) {
    std::span<const int64_t> observed = test.observed();
    std::unique_ptr<int64_t[]> leads(new int64_t[observed.size()]);
    std::copy(observed.begin(), observed.end(), leads.get());
    return as_array<int64_t, 1>(std::move(leads), {observed.size()});
}

}  // namespace

void bind_agreement(nb::module_& m) {
    nb::class_<AgreementRule>(m, "AgreementRule")
        .def(
            "__init__",
            [](AgreementRule* self, Agreement statistic, double threshold, bool zero_if_undefined,
               bool weigh_by_pairs) {
                require(threshold >= 0, "the threshold must not be negative");
                new (self) AgreementRule{statistic, threshold, zero_if_undefined, weigh_by_pairs};
            },
            "statistic"_a, "threshold"_a, "zero_if_undefined"_a, "weigh_by_pairs"_a);
    m.def("agreement", &agreement, "rule"_a, "human"_a, "metrics"_a, "starts"_a, "threads"_a);
    m.def("agreement_by_group", &agreement_by_group, "rule"_a, "human"_a, "metric"_a, "starts"_a);
    m.def("calibrated_accuracy", &calibrated, "human"_a, "metrics"_a, "starts"_a, "threads"_a);
    nb::class_<SwapTest>(m, "SwapTest")
        .def(
            "__init__",
            [](SwapTest* self, const Scores& human, const Indexes& starts, const std::optional<AgreementRule>& rule,
               const Generator& generator, size_t draws) {
                std::vector<size_t> checked = starts_of(starts, human.size());
                require(human.size() > 0 && draws <= 10'000'000, "there must be scores, and at most 10000000 draws");
                require_scores(human.data(), human.size());
                std::optional<SwapTest> made;
                without_gil([&] { made.emplace(span_of(human), checked, rule, generator.pcg, draws); });
                new (self) SwapTest(std::move(*made));
            },
            "human"_a, "starts"_a, "rule"_a.none(), "generator"_a, "draws"_a)
        .def("p_values", &swap_p_values, "metrics"_a, "pairs"_a, "threads"_a)
        .def("leads", &swap_leads, "metrics"_a, "pairs"_a, "threads"_a);
    nb::class_<SoftSwapTest>(m, "SoftSwapTest")
        .def(
            "__init__",
            [](SoftSwapTest* self, const ManyScores& signs, const Indexes& human, const SystemScores& metrics,
               const Pairs& pairs, const Generator& generator) {
                new (self) SoftSwapTest(make_soft_test(signs, human, metrics, pairs, generator));
            },
            "signs"_a, "human"_a, "metrics"_a.noconvert(), "pairs"_a, "generator"_a, nb::keep_alive<1, 4>())
        .def("leads", &soft_leads, "begin"_a, "end"_a, "threads"_a)
        .def("observed", &soft_observed);
}

}  // namespace refscore::bindings
