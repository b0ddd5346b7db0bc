// What is refused about a segment: too long, too many references, a reference without tokens.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <span>

#include "refscore/chrf_input.hpp"
#include "refscore/segments.hpp"

namespace refscore::bindings {

namespace nb = nanobind;

// A reference without tokens, and where it is.
struct EmptyReferenceAt : std::exception {
    size_t segment;
    size_t reference;

    EmptyReferenceAt(size_t segment, size_t reference) : segment(segment), reference(reference) {}
    const char* what() const noexcept override { return "a reference without tokens"; }
};

// More than refscore.limits allows, in a hypothesis or a reference, or of references.
struct BeyondLimit : std::exception {
    enum class What : uint8_t { Hypothesis, Reference, References };
    What which;
    size_t found, allowed;
    size_t segment = 0, reference = 0, references = 1;

    BeyondLimit(What which, size_t found, size_t allowed) : which(which), found(found), allowed(allowed) {}
    const char* what() const noexcept override { return "more than the limits allow"; }
    BeyondLimit at(size_t where) const {
        BeyondLimit moved = *this;
        moved.segment = where;
        return moved;
    }
};

inline size_t token_count(std::span<const uint32_t> tokens) { return tokens.size(); }
inline size_t token_count(const NumberedTexts& texts) { return texts.numbers.size(); }
inline size_t token_count(const ChrfHypothesis& hypothesis) { return hypothesis.units.size(); }
inline size_t token_count(const TokenList& list) { return list.tokens.size(); }
inline size_t token_count(const ChrfList& list) { return list.reads_codes ? list.codes.size() : list.units.tokens.size(); }

// The limits that hold where a call comes from: refscore.limits sets them for a thread or a task.
struct Limits {
    static constexpr size_t kNone = PY_SSIZE_T_MAX;  // sys.maxsize
    size_t tokens = kNone;
    size_t references = kNone;

    // Under the GIL.
    static Limits current();

    bool any() const { return tokens != kNone || references != kNone; }

    template <class Hypothesis>
    void check_hypothesis(const Hypothesis& hypothesis) const {
        if (token_count(hypothesis) > tokens) throw BeyondLimit(BeyondLimit::What::Hypothesis, token_count(hypothesis), tokens);
    }
    void check_references(std::span<const uint32_t> lengths) const {
        if (lengths.size() > references) throw BeyondLimit(BeyondLimit::What::References, lengths.size(), references);
        for (size_t r = 0; r < lengths.size(); ++r) {
            if (lengths[r] <= tokens) continue;
            BeyondLimit beyond(BeyondLimit::What::Reference, lengths[r], tokens);
            beyond.reference = r;
            beyond.references = lengths.size();
            throw beyond;
        }
    }
    template <class Prepared>
    void check_prepared(const Prepared& prepared) const {
        if (!any()) return;
        for (size_t segment = 0; segment < prepared.size(); ++segment) {
            try {
                check_references(prepared[segment].lengths);
            } catch (const BeyondLimit& beyond) {
                throw beyond.at(segment);
            }
        }
    }
};

// The first of all segments that is refused, whichever thread finds one first.
class FirstRefused {
  public:
    // Calls work() unless a segment before this one has been refused.
    template <class Work>
    void watch(size_t segment, Work work) {
        if (segment > segment_.load(std::memory_order_relaxed)) return;
        try {
            work();
        } catch (const EmptyReference& empty) {
            keep(segment, std::make_exception_ptr(EmptyReferenceAt(segment, empty.reference)));
        } catch (const BeyondLimit& beyond) {
            keep(segment, std::make_exception_ptr(beyond.at(segment)));
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
