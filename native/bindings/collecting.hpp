// Reads all texts of a set from Python into one collection.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/segments/collection.hpp"
#include "scoring.hpp"

namespace refscore::bindings {

// For checkpoint(): tokens between two calls, and nanoseconds per token. Only the order of magnitude matters.
constexpr size_t kTogether = 4096, kTokenWork = 16;

struct CollectedTexts {
    Lexicon lexicon;
    Collection collection;
    std::vector<uint32_t> segments;  // of each reference; empty for hypotheses
};

// Collects the references of all segments, or the hypotheses if there are no references.
inline CollectedTexts collect(PythonInput input, const TextRules& rules, size_t threads) {
    struct Numbered {
        size_t begin;
        std::vector<uint32_t> tokens, lengths, segments;
    };
    require(!rules.lines, "only ROUGE-Lsum splits text into lines");
    CollectedTexts texts;
    std::vector<Numbered> blocks;
    Limits limits = Limits::current();
    FirstRefused refused;
    std::mutex lock;
    // Threads tokenize in parallel; numbers are assigned under the lock.
    for_each_block(input, threads, [&] {
        return [&, numberer = Numberer(rules), lists = std::vector<TokenList>()](LoadedBlock& loaded) mutable {
            const Block& block = loaded.block;
            bool references = !block.references.empty();
            size_t count = references ? block.references.size() : block.size();
            if (lists.size() < count) lists.resize(count);
            for (size_t i = 0; i < count; ++i) {
                if (references) {
                    numberer.read_reference(block, i, lists[i]);
                } else {
                    numberer.read_hypothesis(block, i, lists[i]);
                }
            }
            Numbered numbered{loaded.begin, {}, {}, {}};
            if (references) {
                for (size_t i = 0; i + 1 < block.reference_starts.size(); ++i) {
                    size_t from = block.reference_starts[i], size = block.reference_starts[i + 1] - from;
                    refused.watch(loaded.begin + i, [&] {
                        limits.check_references(size, [&](size_t r) { return token_count(lists[from + r]); });
                    });
                    numbered.segments.insert(numbered.segments.end(), size, static_cast<uint32_t>(loaded.begin + i));
                }
            } else {
                for (size_t i = 0; i < count; ++i)
                    refused.watch(loaded.begin + i, [&] { limits.check_hypothesis(lists[i]); });
            }
            std::lock_guard<std::mutex> guard(lock);
            for (size_t i = 0; i < count; ++i) {
                const std::vector<Token>& tokens = lists[i].tokens;
                for (size_t t = 0; t < tokens.size(); ++t) {
                    if ((t + 1) % kTogether == 0) checkpoint(kTogether * kTokenWork);
                    numbered.tokens.push_back(texts.lexicon.add(tokens[t], lists[i].arena.data()));
                }
                numbered.lengths.push_back(static_cast<uint32_t>(lists[i].tokens.size()));
            }
            blocks.push_back(std::move(numbered));
        };
    });
    refused.rethrow();
    without_gil([&] {
        std::sort(blocks.begin(), blocks.end(), [](const Numbered& a, const Numbered& b) { return a.begin < b.begin; });
        for (const Numbered& block : blocks) {
            texts.collection.add(block.tokens, block.lengths);
            texts.segments.insert(texts.segments.end(), block.segments.begin(), block.segments.end());
        }
    });
    return texts;
}

// Returns the weight of an n-gram, given as a list with one list of tokens.
template <class Weights>
double ngram_weight(const Weights& weights, nb::handle ngram) {
    PythonInput input(ngram, nb::handle(), Lowercase::None);
    require(input.size() == 1, "pass one n-gram, as a list with one list of tokens");
    LoadedBlock loaded;
    input.load(0, input.size(), loaded);
    TokenList list;
    Numberer({}).read_hypothesis(loaded.block, 0, list);
    uint32_t number = kUnknown;
    for (size_t i = 0; i < list.tokens.size(); ++i) {
        uint32_t token = weights.takes(input.kind()) ? weights.token(list.tokens[i], list.arena.data()) : kUnknown;
        number = i == 0 ? token : token == kUnknown ? kUnknown : weights.longer(number, token);
        if (number == kUnknown) break;
    }
    return weights.weight(number);
}

}  // namespace refscore::bindings
