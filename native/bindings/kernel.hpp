// Kernels behind one interface per kind of input. The loops over segments are then compiled once per kind of input,
// instead of once per metric.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/ngrams/chrf_input.hpp"
#include "refscore/ngrams/exact_match.hpp"
#include "refscore/segments/prepared.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/thread_local_cache.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {

// How a kernel reads text: the hypothesis as numbers, as numbers and texts, as numbers of whole sequences, or without
// references; and the input of chrF.
struct TokenInput {
    static constexpr bool kNeedsReferences = true;
    using Rules = TextRules;
    using Reader = Numberer;
    using Prepared = PreparedReferences;
    using List = TokenList;
};
struct TextInput : TokenInput {
    using Reader = TextNumberer;
};
struct SequenceInput : TokenInput {
    using Reader = SequenceNumberer;
};
// The hypothesis as numbers of its own tokens. References may be missing.
struct SelfInput : TokenInput {
    using Reader = SelfNumberer;
    static constexpr bool kNeedsReferences = false;
};
struct ChrfInput {
    static constexpr bool kNeedsReferences = true;
    using Rules = ChrfRules;
    using Reader = ChrfReader;
    using Prepared = PreparedUnits;
    using List = ChrfList;
};

// Both sides of a segment, as a Reader returns them.
template <class Input>
using ReferencesOf =
    decltype(std::declval<typename Input::Reader&>().references(std::declval<const Block&>(), size_t{}));
template <class Input>
using HypothesisOf = decltype(std::declval<typename Input::Reader&>().hypothesis(
    std::declval<const Block&>(), size_t{}, std::declval<const ReferencesOf<Input>&>()));

// A kernel with scratch memory for one thread.
template <class Input>
class ThreadKernel {
  public:
    virtual ~ThreadKernel() = default;
    virtual void row(const HypothesisOf<Input>& hypothesis, const ReferencesOf<Input>& references,
                     std::span<int64_t> out) = 0;
    virtual void row(const HypothesisOf<Input>& hypothesis, const ReferencesOf<Input>& references,
                     std::span<double> out) = 0;
    virtual double value(std::span<const double> row) = 0;
};

// A kernel as the loops over segments call it.
template <class Input>
class AnyKernel {
  public:
    virtual ~AnyKernel() = default;
    virtual size_t columns() const = 0;
    virtual bool has_counts() const = 0;
    virtual bool reads_lines() const = 0;
    virtual size_t sources() const = 0;
    // Throws an error for references that the kernel cannot read. Called when references are prepared, before any
    // hypothesis is known.
    virtual void check_references(const ReferencesOf<Input>& references) const = 0;
    virtual std::unique_ptr<ThreadKernel<Input>> for_thread() const = 0;
    // Scores all pairs in a faster way. Returns false if the kernel has none for these references.
    virtual bool score_pairs(const std::vector<typename Input::List>& lists, const typename Input::Prepared& references,
                             size_t threads, std::span<double> out) const = 0;
};

// Scores all hypotheses with a block of references at a time. A block has at least 8 references, one cache line of
// doubles per output row, and about 1,024 pairs, to amortize handing it to a thread.
template <class Pairs>
void score_blocks(const Pairs& pairs, size_t hypotheses, size_t references, size_t threads, std::span<double> out) {
    constexpr size_t kPairs = 1024, kLineDoubles = 8,
                     kPairWork = 16;  // nanoseconds per pair at least, measured with BLEU
    size_t range = std::clamp<size_t>(kPairs / std::max<size_t>(hypotheses, 1), kLineDoubles, kRange);
    parallel_for(
        references, threads,
        [&] {
            return [&, scratch = typename Pairs::Scratch(), scores = std::vector<double>(range * hypotheses)](
                       size_t from, size_t to) mutable {
                for (size_t r = from; r < to; ++r) {
                    checkpoint(hypotheses * kLeastWork);
                    pairs.scores(scratch, r, std::span(scores).subspan((r - from) * hypotheses, hypotheses));
                }
                for (size_t h = 0; h < hypotheses; ++h)
                    for (size_t r = from; r < to; ++r) out[h * references + r] = scores[(r - from) * hypotheses + h];
            };
        },
        range, hypotheses * kPairWork);
}

// The interface of a Kernel, which contains the settings of a metric, and:
// Input how it reads text
// Scratch scratch memory for one thread
// kCounts true if its rows can be counts
// columns(), has_counts() the width of a row, and whether its rows are counts (int64) or double
// row(scratch, hypothesis, references, out) both sides as read by its Input
// value(scratch, row) the score of a row of doubles
// Pairs optional: a faster way to score all pairs
// read(settings) optional: reads its settings, by name
// read_rules(rules) optional: reads how text is read, or changes it
// kSources optional: the number of texts (0 or 1) before a segment's references: its source
// reads_lines() optional: whether its text is split into lines
// check_references(references) optional: throws an error for references that it cannot read
template <class Kernel>
class KernelAdapter final : public AnyKernel<typename Kernel::Input> {
    using Input = typename Kernel::Input;

  public:
    explicit KernelAdapter(Kernel kernel) : kernel_(std::move(kernel)) {
        if constexpr (requires { kernel_.settings.check(); }) kernel_.settings.check();
    }

    const Kernel& kernel() const { return kernel_; }

    size_t columns() const override { return kernel_.columns(); }
    bool has_counts() const override {
        if constexpr (Kernel::kCounts) return kernel_.has_counts();
        return false;
    }
    bool reads_lines() const override {
        if constexpr (requires { kernel_.reads_lines(); }) return kernel_.reads_lines();
        return false;
    }
    size_t sources() const override {
        if constexpr (requires { Kernel::kSources; }) return Kernel::kSources;
        return 0;
    }
    void check_references(const ReferencesOf<Input>& references) const override {
        if constexpr (requires { kernel_.check_references(references); }) kernel_.check_references(references);
    }
    std::unique_ptr<ThreadKernel<Input>> for_thread() const override { return std::make_unique<OnThread>(kernel_); }
    bool score_pairs(const std::vector<typename Input::List>& lists, const typename Input::Prepared& references,
                     size_t threads, std::span<double> out) const override {
        if constexpr (requires { typename Kernel::Pairs; }) {
            using Pairs = typename Kernel::Pairs;
            if (!Pairs::takes(references)) return false;
            without_gil([&] {
                with_cached<Pairs>([&](Pairs& pairs) {
                    pairs.build(kernel_.settings, lists, references, threads);
                    score_blocks(pairs, lists.size(), references.size(), threads, out);
                });
            });
            return true;
        }
        return false;
    }

  private:
    class OnThread final : public ThreadKernel<Input> {
      public:
        explicit OnThread(const Kernel& kernel) : kernel_(kernel) {}
        void row(const HypothesisOf<Input>& hypothesis, const ReferencesOf<Input>& references,
                 std::span<int64_t> out) override {
            if constexpr (Kernel::kCounts) {
                kernel_.row(scratch_, hypothesis, references, out);
            } else {
                require(false, "the rows of this metric are not counts");
            }
        }
        void row(const HypothesisOf<Input>& hypothesis, const ReferencesOf<Input>& references,
                 std::span<double> out) override {
            kernel_.row(scratch_, hypothesis, references, out);
        }
        double value(std::span<const double> row) override { return kernel_.value(scratch_, row); }

      private:
        const Kernel& kernel_;
        typename Kernel::Scratch scratch_;
    };

    Kernel kernel_;
};

}  // namespace refscore::bindings
