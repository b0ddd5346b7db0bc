// Prepared references that are analysed when they are used.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "refscore/segments/text_store.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {

// Texts are only copied at first. The first use reads them like texts that are not prepared, because analysing them
// pays only if they are used again: preparing and scoring once takes as long as scoring. Tokens and ids are analysed
// immediately, because their copies would take as long. Threads may share an object.
template <class Prepared>
class LazilyPrepared {
  public:
    using Rules = typename Prepared::Rules;
    using Reader = typename Prepared::Reader;

    explicit LazilyPrepared(Prepared analysed)
        : rules_({}), analysed_(std::move(analysed)), kind_(analysed_.kind()), is_analysed_(true) {}
    LazilyPrepared(TextStore texts, const Rules& rules) : rules_(rules), texts_(std::move(texts)) {}

    size_t size() const { return is_analysed_ ? analysed_.size() : texts_.size(); }
    ItemKind kind() const { return kind_; }
    bool takes(ItemKind kind) const { return kind_ == ItemKind::Text ? kind == kind_ : analysed_.takes(kind); }
    // Whether tokens read with these rules can be compared with the references.
    bool fits(const Rules& rules) const {
        return kind_ == ItemKind::Text && texts_.size() > 0 ? Prepared::fits(rules_, rules) : analysed_.fits(rules);
    }
    // Counts a use. Returns the texts if they should be read this time, otherwise null.
    const TextStore* use() const { return !is_analysed_ && uses_.fetch_add(1) == 0 ? &texts_ : nullptr; }
    // Returns the references after analysing them if necessary. The caller holds the GIL.
    const Prepared& analysed(size_t threads) const {
        if (!is_analysed_)
            without_gil([&] {
                std::lock_guard<std::mutex> guard(lock_);
                if (is_analysed_) return;
                analysed_ = analyse(threads);
                is_analysed_ = true;
            });
        return analysed_;
    }

  private:
    Prepared analyse(size_t threads) const {
        // Each thread prepares its own segments, which are then joined in order.
        std::map<size_t, Prepared> parts;
        std::mutex lock;
        parallel_for(texts_.size(), threads, [&] {
            return [&, reader = Reader(rules_), block = Block()](size_t from, size_t to) mutable {
                block.clear();
                texts_.load(from, to, block);
                Prepared part(ItemKind::Text);
                part.add(block, reader);
                std::lock_guard<std::mutex> guard(lock);
                parts.emplace(from, std::move(part));
            };
        });
        Prepared all(ItemKind::Text);
        for (auto& [begin, part] : parts) all.append(std::move(part));
        return all;
    }

    Rules rules_;
    TextStore texts_;  // never freed before the object: another thread may still read it
    mutable Prepared analysed_{ItemKind::Text};
    ItemKind kind_ = ItemKind::Text;
    mutable std::atomic<size_t> uses_{0};
    mutable std::atomic<bool> is_analysed_{false};
    mutable std::mutex lock_;
};

}  // namespace refscore::bindings
