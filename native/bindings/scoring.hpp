// Turns a kernel (segments to rows, rows to values) into a scorer of Python input.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <forward_list>
#include <memory>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "kernel.hpp"
#include "lazily_prepared.hpp"
#include "limits.hpp"
#include "python_input.hpp"
#include "released_gil.hpp"
#include "segment_loops.hpp"
#include "settings.hpp"
#include "thread_sums.hpp"

namespace refscore::bindings {

// Renumbers words from 1 (Python numbers them from 0) and returns the largest number. Kernels allocate memory for all
// numbers, so there are never more numbers than words.
inline uint32_t number_from_one(std::vector<uint32_t>& hypothesis, std::vector<uint32_t>& reference,
                                uint32_t vocabulary) {
    std::vector<uint32_t> known;
    for (const std::vector<uint32_t>* words : {&hypothesis, &reference}) {
        for (uint32_t word : *words) require(word < vocabulary, "a word's number is beyond the vocabulary");
        known.insert(known.end(), words->begin(), words->end());
    }
    bool is_sparse = vocabulary > known.size();
    if (is_sparse) {
        std::sort(known.begin(), known.end());
        known.erase(std::unique(known.begin(), known.end()), known.end());
        vocabulary = static_cast<uint32_t>(known.size());
    }
    for (std::vector<uint32_t>* words : {&hypothesis, &reference})
        for (uint32_t& word : *words)
            word = 1 + (is_sparse
                            ? static_cast<uint32_t>(std::lower_bound(known.begin(), known.end(), word) - known.begin())
                            : word);
    return vocabulary;
}

// A weight for each of several references, or an empty array.
using WeightArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Scores Python input with any kernel that reads this kind of input. input_scorer.hpp contains the code.
template <class Input>
class InputScorer {
  protected:
    using Rules = typename Input::Rules;
    using Reader = typename Input::Reader;
    using Prepared = LazilyPrepared<typename Input::Prepared>;
    using Analysed = typename Input::Prepared;
    using List = typename Input::List;

  public:
    InputScorer(Rules rules, std::unique_ptr<const AnyKernel<Input>> kernel);
    InputScorer(const InputScorer&) = delete;
    ~InputScorer();

    const TextRules& rules() const { return rules_; }
    Lowercase lowercase() const { return rules_.lowercase; }

    // Returns the rows, and the smallest and largest number of references.
    nb::tuple counted(nb::handle hypotheses, nb::handle references, size_t threads) const;
    // Returns the score of each segment, and the smallest and largest number of references.
    nb::tuple scores(nb::handle hypotheses, nb::handle references, size_t threads) const;
    // Returns the summed row, and the smallest and largest number of references.
    nb::tuple total(nb::handle hypotheses, nb::handle references, size_t threads) const;
    // Adds the rows to sums of one group. Returns the smallest and largest number of references.
    nb::tuple total_into(nb::handle hypotheses, nb::handle references, size_t threads, ExactSums& sums) const;
    // Returns the value and the row of one segment as Python numbers, which are faster to create than arrays, and its
    // number of references.
    nb::tuple one(nb::handle hypothesis, nb::handle references) const;
    Array<double, 1> values(nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows,
                            size_t threads) const;
    Prepared* prepare(nb::handle references, size_t threads) const;
    // Scores each hypothesis with each segment of references.
    Array<double, 2> pairwise(nb::handle hypotheses, const Prepared& references, size_t threads) const;

    // Reads all hypotheses of an input, for comparison with many references.
    std::vector<List> read(PythonInput& input, size_t threads) const;
    // Returns the analysed references, after checking that this scorer can use them.
    const Analysed& analysed(const Prepared& references, size_t threads) const;
    void check_columns(size_t found) const {
        require(found == kernel_->columns(), "a row has a different number of columns than the metric");
    }

  protected:
    const AnyKernel<Input>& any_kernel() const { return *kernel_; }

  private:
    struct Single;

    static nb::handle without_none(nb::handle references);
    void require_fit(const Prepared& references) const;
    Limits limits() const;
    template <class T>
    ReferenceCounts sum_rows(nb::handle hypotheses, nb::handle references, size_t threads,
                             std::forward_list<ThreadSum<T>>& thread_sums) const;
    template <class T, class MakeVisit>
    void for_each_row(nb::handle hypotheses, nb::handle references, size_t threads, MakeVisit make_visit) const;
    template <class T>
    nb::tuple rows_of(nb::handle hypotheses, nb::handle references, size_t threads) const;
    template <class T>
    nb::tuple scores_of(nb::handle hypotheses, nb::handle references, size_t threads) const;
    template <class T>
    nb::tuple total_of(nb::handle hypotheses, nb::handle references, size_t threads) const;
    template <class T>
    nb::tuple total_into_of(nb::handle hypotheses, nb::handle references, size_t threads, ExactSums& sums) const;
    template <class T>
    nb::tuple one_of(nb::handle hypothesis, nb::handle references) const;

    Rules rules_;
    std::unique_ptr<const AnyKernel<Input>> kernel_;
    // Kept for the next call of one(). It is taken out during a call, so other threads and signal handlers create their
    // own.
    mutable std::atomic<Single*> spare_{nullptr};
};

// The scorer of a metric.
template <class Kernel>
class Scorer : public InputScorer<typename Kernel::Input> {
    using Base = InputScorer<typename Kernel::Input>;

  public:
    Scorer(typename Base::Rules rules, Kernel kernel)
        : Base(rules, std::make_unique<KernelAdapter<Kernel>>(std::move(kernel))) {}

    const Kernel& kernel() const { return static_cast<const KernelAdapter<Kernel>&>(this->any_kernel()).kernel(); }

    // Scores each hypothesis with the mean of all references, computed by with_all(settings, lists, references,
    // weights, scores). Without weights, all references count equally.
    template <class WithAll>
    Array<double, 1> aggregate(nb::handle hypotheses, const typename Base::Prepared& references,
                               const WeightArray& weights, WithAll with_all) const {
        PythonInput input(hypotheses, nb::handle(), this->lowercase(), references.kind());
        if (!references.takes(input.kind())) throw UnsupportedInput();
        const typename Base::Analysed& analysed = this->analysed(references, 0);
        if (!Kernel::Pairs::takes(analysed)) throw UnsupportedInput();
        require(weights.size() == 0 || weights.size() == references.size(),
                "there must be a weight for each reference");
        std::vector<typename Base::List> lists = this->read(input, 0);
        std::unique_ptr<double[]> scores(new double[input.size()]);
        without_gil([&] {
            with_all(kernel().settings, lists, analysed, std::span(weights.data(), weights.size()),
                     {scores.get(), lists.size()});
        });
        return as_array<double, 1>(std::move(scores), {input.size()});
    }
};

// Binds the class of prepared references.
template <class Prepared>
nb::class_<LazilyPrepared<Prepared>> bind_prepared(nb::module_& m, const char* name) {
    using Bound = LazilyPrepared<Prepared>;
    return nb::class_<Bound>(m, name)
        .def("__len__", &Bound::size)
        .def_prop_ro("is_empty", [](const Bound& self) { return self.analysed(0).is_empty(); })
        .def_prop_ro("kind", [](const Bound& self) {
            return self.kind() == ItemKind::Text ? "text" : self.kind() == ItemKind::Tokens ? "tokens" : "ids";
        });
}

// Binds the class of a metric, which is created from the attributes of a Python object. Its base class has the
// functions that all scorers share.
template <class Kernel>
nb::class_<Scorer<Kernel>, InputScorer<typename Kernel::Input>> bind_scorer(nb::module_& m, const char* name) {
    using namespace nb::literals;
    return nb::class_<Scorer<Kernel>, InputScorer<typename Kernel::Input>>(m, name).def(
        "__init__",
        [](Scorer<Kernel>* self, const TextRules& text_rules, nb::handle metric) {
            typename Kernel::Input::Rules rules{text_rules};
            Kernel kernel;
            if constexpr (requires { kernel.read(Settings(metric)); }) kernel.read(Settings(metric));
            if constexpr (requires { kernel.read_rules(rules); }) kernel.read_rules(rules);
            new (self) Scorer<Kernel>(rules, std::move(kernel));
        },
        "rules"_a, "metric"_a);
}

}  // namespace refscore::bindings
