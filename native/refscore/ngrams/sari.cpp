#include "refscore/ngrams/sari.hpp"

#include <algorithm>

namespace refscore {

void Sari::number_tokens(const SariSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
                         const NumberedReferences& source_and_references) {
    require(source_and_references.lengths.size() >= 2, "a segment of SARI needs a source and a reference");
    texts_ = source_and_references.lengths.size() + 1;
    size_t most = source_and_references.tokens.size() + hypothesis.size() + texts_;
    uint32_t* tokens = tokens_.reserve(most);
    uint32_t* ngrams = ngrams_.reserve(most);
    size_t* lengths = lengths_.reserve(texts_);
    uint32_t known = source_and_references.vocabulary_size;
    // Words of the hypothesis that no other text has follow the known ones. The token of empty texts is the last.
    unknown_.reset();
    unknown_.reserve(hypothesis.size());
    uint32_t nothing = known + static_cast<uint32_t>(hypothesis.size()) + 1;
    positions_ = 0;
    longest_ = 0;
    auto begin_text = [&](size_t text, size_t length) {
        lengths[text] = length == 0 && settings.empty_text == SariEmptyText::Token ? 1 : length;
        if (lengths[text] > length) tokens[positions_++] = nothing;
        longest_ = std::max(longest_, static_cast<uint32_t>(lengths[text]));
    };
    const uint32_t* next = source_and_references.tokens.data();
    for (size_t text = 0; text + 1 < texts_; ++text) {
        size_t length = source_and_references.lengths[text];
        begin_text(text, length);
        std::copy_n(next, length, tokens + positions_);
        next += length;
        positions_ += length;
    }
    begin_text(texts_ - 1, hypothesis.size());
    for (size_t i = 0; i < hypothesis.size(); ++i)
        tokens[positions_++] =
            hypothesis[i] != kUnknown ? hypothesis[i] : known + unknown_.add(texts.tokens[i], texts.arena);
    token_count_ = nothing;
    std::copy_n(tokens, positions_, ngrams);
}

// Numbers the n-grams of an order, and counts them in each text.
void Sari::count_order(size_t order) {
    bool has_ngrams = order <= longest_;
    if (has_ngrams && order > 1) pairs_.start(positions_);
    size_t most = order == 1 ? token_count_ : has_ngrams ? positions_ : 0;
    NgramCounts* counts = counts_.reserve(most + 1);
    std::fill_n(counts, most + 1, NgramCounts{});
    full_references_ = 0;
    uint32_t *ngrams = ngrams_.data(), *tokens = tokens_.data();
    for (size_t text = 0; text < texts_ && has_ngrams; ++text) {
        size_t length = lengths_[text];
        size_t size = length >= order ? length - order + 1 : 0;
        bool is_reference = text > 0 && text + 1 < texts_;
        if (is_reference && size > 0) ++full_references_;
        for (size_t i = 0; i < size; ++i) {
            if (order > 1) ngrams[i] = pairs_.add(ngrams[i], tokens[i + order - 1]);
            NgramCounts& ngram = counts[ngrams[i]];
            if (text == 0) {
                ++ngram.source;
            } else if (is_reference) {
                ++ngram.references;
                ngram.reference_sets += ngram.last_reference != text;
                ngram.last_reference = static_cast<uint32_t>(text);
            } else {
                ++ngram.hypothesis;
            }
        }
        ngrams += length;
        tokens += length;
    }
    ngram_count_ = order == 1 ? token_count_ : has_ngrams ? pairs_.size() : 0;
}

void Sari::add_ngram(const SariSettings& settings, const NgramCounts& counts, SariOperation* operations) const {
    SariOperation &keep = operations[kSariKeep], &erase = operations[kSariDelete], &add = operations[kSariAdd];
    if (counts.source == 0) {
        add.selected += counts.hypothesis > 0;
        add.relevant += counts.references > 0;
        add.correct += counts.hypothesis > 0 && counts.references > 0;
        return;
    }
    if (settings.counting == SariCounting::Sets) {
        double share = full_references_ > 0 ? counts.reference_sets / full_references_ : 0;
        SariOperation& selected = counts.hypothesis > 0 ? keep : erase;
        selected.selected += 1;
        selected.correct += counts.hypothesis > 0 ? share : 1 - share;
        keep.relevant += share;
        erase.relevant += 1 - share;
        return;
    }
    double references = static_cast<double>(texts_ - 2), wanted = counts.references;
    double source = counts.source * references;
    double kept = std::min(counts.source, counts.hypothesis) * references, deleted = source - kept;
    double kept_by_references = std::min(source, wanted), deleted_by_references = source - kept_by_references;
    double kept_correctly = std::min(kept, wanted);
    if (settings.counting == SariCounting::Counts) {
        keep.selected += kept;
        keep.relevant += kept_by_references;
        keep.correct += kept_correctly;
        erase.selected += deleted;
        erase.relevant += deleted_by_references;
        erase.correct += std::min(deleted, deleted_by_references);
        return;
    }
    if (kept > 0) {
        keep.selected += 1;
        keep.correct += kept_correctly / kept;
    }
    if (kept_by_references > 0) {
        bool counts = settings.keep_recall == SariRecall::Counts;
        keep.relevant += counts ? kept_by_references : 1;
        keep.recalled += counts ? kept_correctly : kept_correctly / kept_by_references;
    }
    // Wanted n-grams are subtracted from the deleted ones, even if the hypothesis has enough of them.
    double deleted_correctly = std::max(0.0, deleted - wanted);
    if (deleted > 0) {
        erase.selected += 1;
        erase.correct += deleted_correctly / deleted;
    }
    if (deleted_by_references > 0) {
        erase.relevant += 1;
        erase.recalled += deleted_correctly / deleted_by_references;
    }
}

SariOperation* Sari::count_operations(const SariSettings& settings) {
    SariOperation* operations = operations_.reserve(kSariOperations * settings.max_order);
    std::fill_n(operations, kSariOperations * settings.max_order, SariOperation{});
    for (size_t order = 1; order <= settings.max_order; ++order) {
        count_order(order);
        SariOperation* of_order = operations + kSariOperations * (order - 1);
        for (uint32_t ngram = 1; ngram <= ngram_count_; ++ngram) add_ngram(settings, counts_[ngram], of_order);
        of_order[kSariAdd].recalled = of_order[kSariAdd].correct;
        if (settings.counting == SariCounting::Ratios) continue;
        for (size_t operation : {kSariKeep, kSariDelete}) of_order[operation].recalled = of_order[operation].correct;
    }
    return operations;
}

void Sari::score_operations(const SariSettings& settings, const SariOperation* operations, std::span<double> out) {
    double undefined = settings.undefined == SariUndefined::One ? 1 : 0,
           orders = static_cast<double>(settings.max_order);
    auto f1 = [](double precision, double recall) {
        return precision > 0 || recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
    };
    for (size_t kind = 0; kind < kSariOperations; ++kind) {
        bool precision_only = kind == kSariDelete && settings.deletion == SariDeletion::Precision;
        double precisions = 0, recalls = 0, scores = 0;
        for (size_t order = 0; order < settings.max_order; ++order) {
            const SariOperation& operation = operations[kSariOperations * order + kind];
            double precision = operation.selected > 0 ? operation.correct / operation.selected : undefined;
            double recall = operation.relevant > 0 ? operation.recalled / operation.relevant : undefined;
            precisions += precision;
            recalls += recall;
            scores += precision_only ? precision : f1(precision, recall);
        }
        bool is_mean = precision_only || settings.order_average == SariOrderAverage::Scores;
        out[kind] = is_mean ? scores / orders : f1(precisions / orders, recalls / orders);
    }
}

template <class T>
void Sari::row(const SariSettings& settings, const TokenTexts& texts, std::span<const uint32_t> hypothesis,
               const NumberedReferences& source_and_references, std::span<T> out) {
    number_tokens(settings, texts, hypothesis, source_and_references);
    const SariOperation* operations = count_operations(settings);
    if (settings.is_mean()) {
        double scores[kSariOperations];
        score_operations(settings, operations, scores);
        for (size_t kind = 0; kind < kSariOperations; ++kind) out[kind] = static_cast<T>(scores[kind]);
        out[kSariOperations] = 1;
        return;
    }
    for (size_t i = 0; i < kSariOperations * settings.max_order; ++i) {
        out[3 * i] = static_cast<T>(operations[i].correct);
        out[3 * i + 1] = static_cast<T>(operations[i].selected);
        out[3 * i + 2] = static_cast<T>(operations[i].relevant);
    }
}

template void Sari::row(const SariSettings&, const TokenTexts&, std::span<const uint32_t>, const NumberedReferences&,
                        std::span<int64_t>);
template void Sari::row(const SariSettings&, const TokenTexts&, std::span<const uint32_t>, const NumberedReferences&,
                        std::span<double>);

void Sari::operation_scores(const SariSettings& settings, std::span<const double> row, std::span<double> out) {
    if (settings.is_mean()) {
        for (size_t kind = 0; kind < kSariOperations; ++kind)
            out[kind] = row[kSariOperations] > 0 ? row[kind] / row[kSariOperations] : 0;
        return;
    }
    SariOperation* operations = operations_.reserve(kSariOperations * settings.max_order);
    for (size_t i = 0; i < kSariOperations * settings.max_order; ++i)
        operations[i] = {row[3 * i], row[3 * i + 1], row[3 * i + 2], row[3 * i]};
    score_operations(settings, operations, out);
}

double Sari::value(const SariSettings& settings, std::span<const double> row) {
    double scores[kSariOperations];
    operation_scores(settings, row, scores);
    return (scores[kSariKeep] + scores[kSariDelete] + scores[kSariAdd]) / static_cast<double>(kSariOperations);
}

}  // namespace refscore
