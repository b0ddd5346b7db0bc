// Reasons to reject a segment: too long, too many references, or a reference without tokens.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "refscore/ngrams/chrf_input.hpp"
#include "refscore/segments/segments.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// A reference without tokens, and its location.
struct EmptyReferenceAt : std::exception {
    size_t segment;
    size_t reference;

    EmptyReferenceAt(size_t segment, size_t reference) : segment(segment), reference(reference) {}
    const char* what() const noexcept override { return "a reference without tokens"; }
};

// Thrown for a segment that is longer, or has more references, than refscore.limits allows.
class LimitError : public InputError {
  public:
    LimitError(Location location, size_t count, const char* counted, const char* limit, size_t most)
        : InputError(std::move(location), "has " + std::to_string(count) + " " + counted + ", and the limit " + limit +
                                              " is " + std::to_string(most)) {}

    LimitError in_segment(size_t segment) const {
        LimitError error = *this;
        error.location_->segment = segment;
        return error;
    }
};

// Line ends do not count as tokens.
inline size_t token_count(std::span<const uint32_t> tokens) {
    return tokens.size() - static_cast<size_t>(std::count(tokens.begin(), tokens.end(), kLineEnd));
}
inline size_t token_count(const NumberedTexts& texts) { return texts.numbers.size(); }
inline size_t token_count(const ChrfHypothesis& hypothesis) { return hypothesis.units.size(); }
inline size_t token_count(const TokenList& list) { return list.tokens.size(); }
inline size_t token_count(const ChrfList& list) {
    return list.reads_codes ? list.codes.size() : list.units.tokens.size();
}

// The limits of the current context. refscore.limits sets them for a thread or a task.
struct Limits {
    static constexpr size_t kNone = PY_SSIZE_T_MAX;  // sys.maxsize
    size_t tokens = kNone;
    size_t references = kNone;
    size_t sources = 0;  // texts before the references of a segment, which do not count as references

    // Must be called with the GIL.
    static Limits current();

    bool any() const { return tokens != kNone || references != kNone; }

    template <class Hypothesis>
    void check_hypothesis(const Hypothesis& hypothesis) const {
        if (tokens == kNone) return;
        size_t count = token_count(hypothesis);
        if (count > tokens) refuse_tokens("hypotheses", std::nullopt, count);
    }
    template <class References>
    void check_references(const References& chosen) const {
        if constexpr (requires { chosen.tokens; }) {
            check_references(chosen.lengths.size(), [&, begin = size_t{0}](size_t r) mutable {
                size_t from = begin;
                begin += chosen.lengths[r];
                return token_count(chosen.tokens.subspan(from, chosen.lengths[r]));
            });
        } else {
            check_references(chosen.lengths.size(), [&](size_t r) { return size_t{chosen.lengths[r]}; });
        }
    }
    // Calls token_count(r) for each reference in order.
    template <class TokenCount>
    void check_references(size_t count, TokenCount token_count) const {
        if (count > sources && count - sources > references) refuse_references(count - sources);
        if (tokens == kNone) return;
        for (size_t r = 0; r < count; ++r) {
            size_t length = token_count(r);
            bool is_only_reference = count == sources + 1 && r == sources;
            if (length > tokens)
                refuse_tokens("references", is_only_reference ? std::nullopt : std::optional(r), length);
        }
    }
    template <class Prepared>
    void check_prepared(const Prepared& prepared) const {
        if (!any()) return;
        for (size_t segment = 0; segment < prepared.size(); ++segment) {
            try {
                check_references(prepared[segment]);
            } catch (const LimitError& error) {
                throw error.in_segment(segment);
            }
        }
    }

  private:
    // Separate from the checks, which are inlined into the scoring loop.
    [[noreturn]] void refuse_tokens(const char* side, std::optional<size_t> reference, size_t count) const;
    [[noreturn]] void refuse_references(size_t count) const;
};

// Records the first rejected segment, independent of the order in which threads reach them.
class FirstRefused {
  public:
    // Calls work() for a segment, unless an earlier segment has been rejected. Limit errors get the index of the
    // segment.
    template <class Work>
    void watch(size_t segment, Work work) {
        if (segment > segment_.load(std::memory_order_relaxed)) return;
        try {
            work();
        } catch (const EmptyReference& empty) {
            keep(segment, std::make_exception_ptr(EmptyReferenceAt(segment, empty.reference)));
        } catch (const LimitError& error) {
            keep(segment, std::make_exception_ptr(error.in_segment(segment)));
        } catch (const InputError& error) {
            std::optional<Location> location = error.location();
            if (!location || location->segment) return keep(segment, std::current_exception());
            location->segment = segment;
            keep(segment, std::make_exception_ptr(InputError(location, error.problem(), error.fix())));
        }
    }
    void rethrow() const {
        if (reason_) std::rethrow_exception(reason_);
    }

  private:
    void keep(size_t segment, std::exception_ptr reason) {
        std::lock_guard<std::mutex> guard(lock_);
        if (segment >= segment_) return;
        segment_ = segment;
        reason_ = reason;
    }

    std::atomic<size_t> segment_{SIZE_MAX};
    std::exception_ptr reason_;
    std::mutex lock_;
};

}  // namespace refscore::bindings
