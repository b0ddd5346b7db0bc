// Running out of memory at any point throws bad_alloc, on one thread and on several. Nothing leaks, and the next call
// works.
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "doctest.hpp"
#include "refscore/distance/edit_distance.hpp"
#include "refscore/distance/ribes.hpp"
#include "refscore/distance/ter.hpp"
#include "refscore/ngrams/bleu.hpp"
#include "refscore/ngrams/chrf.hpp"
#include "refscore/ngrams/meteor.hpp"
#include "refscore/ngrams/rouge.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/threads/loading.hpp"
#include "refscore/threads/parallel.hpp"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();
std::atomic<long> left{kNever};

}  // namespace

// Not inlined: GCC would warn that new[], which calls this, does not match free.
#ifdef __GNUC__
#define NOINLINE [[gnu::noinline]]
#else
#define NOINLINE
#endif

NOINLINE void* operator new(size_t size) {
    if (left.load() != kNever && left.fetch_sub(1) <= 0) throw std::bad_alloc();
    void* memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
NOINLINE void operator delete(void* memory) noexcept { std::free(memory); }
NOINLINE void operator delete(void* memory, size_t) noexcept { std::free(memory); }

using namespace refscore;

namespace {

std::string text(size_t words, size_t step) {
    std::string text;
    for (size_t i = 0; i < words; ++i) text += "word" + std::to_string(i * step % 97) + (i % 7 == 0 ? ", " : " ");
    return text;
}

struct Texts {
    std::vector<std::string> hypotheses, references;
    Texts() {
        for (size_t words : {0, 3, 30, 80, 300}) {
            hypotheses.push_back(text(words, 5));
            references.push_back(text(words + 2, 3));
        }
    }
    void load(size_t segment, Block& block) const {
        block.clear();
        for (const std::string* one : {&hypotheses[segment], &references[segment]})
            block.texts.push_back({one->data(), one->size(), Encoding::Ascii});
        block.hypotheses.push_back({0, 1});
        block.references.push_back({1, 1});
        block.reference_starts.push_back(1);
    }
};

// All kernels that read numbered tokens, for one segment.
struct Kernels {
    Numberer numberer{TextRules(Tokenizer::V13a, Lowercase::None)};
    NgramCounter counter;
    EditDistance distance;
    Ter ter;
    Ribes ribes;
    Rouge rouge;
    std::vector<int64_t> counts = std::vector<int64_t>(40);

    double sum(const Block& block) {
        NumberedReferences references = numberer.references(block, 0);
        std::span<const uint32_t> hypothesis = numberer.hypothesis(block, 0, references);
        double total = 0;
        if (!hypothesis.empty()) {
            for (size_t order : {4, 9}) {
                counter.count(hypothesis, references, order, counts.data());
                for (size_t n = 0; n < order; ++n) total += static_cast<double>(counts[n]);
            }
        }
        total +=
            static_cast<double>(distance.count(hypothesis, references.tokens, references.vocabulary_size).errors());
        total += ter.row(hypothesis, references).edits;
        total += ribes.row({}, hypothesis, references).score;
        for (RougeVariant variant : {RougeVariant::L, RougeVariant::Lsum, RougeVariant::W, RougeVariant::SU}) {
            RougeSettings settings{};
            settings.variant = variant;
            total += rouge.row(settings, hypothesis, references).f;
        }
        return total;
    }
};

std::vector<double> score(const Texts& texts, size_t threads) {
    size_t size = texts.hypotheses.size();
    std::vector<double> sums(8 * size);
    struct Chunk {
        Block block;
        size_t number = 0;
    };
    auto load = [&](size_t i, Chunk& chunk, std::vector<Piece>& pieces) {
        texts.load(i % size, chunk.block);
        chunk.number = i;
        pieces.push_back({0, 1, 1});
    };
    auto make = [&] {
        return [&, kernels = Kernels()](Chunk& chunk, size_t, size_t) mutable {
            sums[chunk.number] = kernels.sum(chunk.block);
        };
    };
    process_loaded_by_caller<Chunk>(sums.size(), threads, 100'000, load, [](const auto& call) { call(); }, make);
    parallel_for(
        sums.size(), threads,
        [&] {
            return [&, kernels = Kernels(), block = Block()](size_t begin, size_t end) mutable {
                for (size_t i = begin; i < end; ++i) {
                    texts.load(i % size, block);
                    double again = kernels.sum(block);  // not inside CHECK, which would catch bad_alloc
                    CHECK(again == sums[i]);
                }
            };
        },
        1);
    return sums;
}

// Fails at each allocation in turn, until a run succeeds.
void fail_everywhere(const Texts& texts, size_t threads, long step) {
    std::vector<double> expected = score(texts, 1);
    size_t failures = 0;
    for (long allowed = 0;; allowed += step) {
        std::vector<double> found;
        bool failed = false;
        left = allowed;
        try {
            found = score(texts, threads);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        left = kNever;
        if (!failed) {
            CHECK(found == expected);
            break;
        }
        ++failures;
    }
    CHECK(failures > 20);
    CHECK(score(texts, threads) == expected);
}

}  // namespace

TEST_CASE("memory may run out") {
    Texts texts;
#ifdef REFSCORE_EMULATED
    fail_everywhere(texts, 1, 5);  // every allocation would take 20 s in qemu
#else
    fail_everywhere(texts, 1, 1);
#endif
    fail_everywhere(texts, 4, 7);
}
