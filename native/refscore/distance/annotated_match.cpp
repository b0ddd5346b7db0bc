#include "refscore/distance/annotated_match.hpp"

#include "refscore/base/input_error.hpp"
#include "refscore/segments/join_tokens.hpp"

namespace refscore {
namespace {

constexpr const char* kTooLarge = "differs too much from its source: there are too many ways to align them";
constexpr const char* kSplit = "split it into sentences";

// Whether the first counts are better, by the rules of m2scorer for equal scores.
bool is_better(const MaxMatchRow& row, const MaxMatchRow& best, double beta) {
    auto score = [&](const MaxMatchRow& counts) {
        double square = beta * beta,
               sum = square * static_cast<double>(counts.gold) + static_cast<double>(counts.proposed);
        return sum > 0 ? (1 + square) * static_cast<double>(counts.correct) / sum : 1;
    };
    double own = score(row), other = score(best);
    if (own != other) return own > other;
    if (row.correct != best.correct) return row.correct > best.correct;
    auto size = [&](const MaxMatchRow& counts) {
        return static_cast<double>(counts.proposed) + beta * beta * static_cast<double>(counts.gold);
    };
    return size(row) < size(best);
}

}  // namespace

void AnnotatedMatch::read(Annotation& annotation, size_t reference) {
    Location location{"references"};
    location.reference = reference;
    if (has_gold_edits(annotation.text)) {
        if (read_gold_edits(annotation.text, annotation.edits)) return;
        throw InputError(location, "has an edit that is not written as in M² files",
                         "write edits as \"A 1 2|||Prep|||of|||REQUIRED|||-NONE-|||0\"");
    }
    MaxMatchSettings without_merging;
    without_merging.max_unchanged = 0;
    if (!lattice_.build(without_merging, source_, annotation.text)) throw InputError(location, kTooLarge, kSplit);
    lattice_.count({});
    lattice_.annotate(annotation.edits, annotation.corrections);
}

void AnnotatedMatch::build(const MaxMatchSettings& settings) {
    if (!lattice_.build(settings, source_, hypothesis_)) throw InputError(Location{"hypotheses"}, kTooLarge, kSplit);
}

MaxMatchRow AnnotatedMatch::row(const MaxMatchSettings& settings, const TokenTexts& hypothesis,
                                const NumberedReferences& source_and_references) {
    std::span<const uint32_t> lengths = source_and_references.lengths;
    require(lengths.size() >= 2, "a segment of M2 needs a source and a reference");
    join_tokens(hypothesis, hypothesis_);
    join_tokens(source_and_references, source_and_references.tokens.first(lengths[0]), source_);
    size_t begin = lengths[0];
    if (annotations_.size() < lengths.size()) annotations_.resize(lengths.size());
    for (size_t r = 1; r < lengths.size(); ++r) {
        join_tokens(source_and_references, source_and_references.tokens.subspan(begin, lengths[r]),
                    annotations_[r].text);
        begin += lengths[r];
        read(annotations_[r], r);
    }
    build(settings);
    MaxMatchRow best;
    for (size_t r = 1; r < lengths.size(); ++r) {
        MaxMatchRow row = lattice_.count(annotations_[r].edits);
        if (r == 1 || is_better(row, best, settings.beta)) best = row;
    }
    return best;
}

std::vector<AnnotatedMatch::Edit> AnnotatedMatch::edits(const MaxMatchSettings& settings, std::string_view source,
                                                        std::string_view hypothesis, std::string_view reference) {
    source_ = source;
    hypothesis_ = hypothesis;
    Annotation annotation{std::string(reference), {}, {}};
    read(annotation, 0);
    build(settings);
    lattice_.count(annotation.edits);
    std::vector<GoldEdit> own;
    std::vector<std::string> corrections;
    lattice_.annotate(own, corrections);
    std::vector<Edit> found;
    for (size_t i = 0; i < own.size(); ++i)
        found.push_back({own[i].begin, own[i].end, corrections[i], lattice_.edits()[i].is_correct});
    return found;
}

}  // namespace refscore
