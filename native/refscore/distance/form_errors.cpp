#include "refscore/distance/form_errors.hpp"

#include <algorithm>
#include <string>

#include "refscore/base/input_error.hpp"
#include "refscore/text/lowercase.hpp"
#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr uint32_t kAnyMark = UINT32_MAX;  // the number under which all marks are aligned

// Bytes for the choices of an alignment, as in lattice_distance.cpp.
constexpr size_t kMostFormChoices = size_t{1} << 30;

// For checkpoint(): nanoseconds per cell, by order of magnitude.
constexpr size_t kFormCellWork = 2;

enum FormChoice : uint8_t { kMatch, kReplace, kInsertWord, kDeleteWord };

}  // namespace

uint32_t FormErrors::lower_number(const Token& token, const uint8_t* arena, bool adds) {
    std::vector<uint8_t> word(std::max<size_t>(token.size, Token::kInline));
    copy_token(token, arena, word.data());
    size_t size = append_lowercase(word.data(), token.size, bytes_, 0);
    bytes_.reserve(size + Token::kInline, size);  // token_at reads 16 bytes past the end
    Token lower = token_at(bytes_.data(), 0, static_cast<uint32_t>(size));
    return adds ? lower_.add(lower, bytes_.data()) : lower_.find(lower, bytes_.data());
}

void FormErrors::read(const NumberedTexts& hypothesis, const NumberedReferences& references, size_t begin, size_t size,
                      CountedForm form, const Lexicon& marks) {
    bool ignores_case = form == CountedForm::Case;
    lower_ = Lexicon();
    reference_.clear();
    hypothesis_.clear();
    auto word = [&](uint32_t number, const Token& token, const uint8_t* arena, bool adds) -> Word {
        if (ignores_case) return {number, lower_number(token, arena, adds), false};
        bool is_mark = marks.find(token, arena) != kUnknown;
        return {number, is_mark ? kAnyMark : number, is_mark};
    };
    for (uint32_t number : references.tokens.subspan(begin, size))
        reference_.push_back(word(number, references.vocabulary.tokens[number], references.vocabulary.arena, true));
    for (size_t i = 0; i < hypothesis.numbers.size(); ++i)
        hypothesis_.push_back(word(hypothesis.numbers[i], hypothesis.texts.tokens[i], hypothesis.texts.arena, false));
}

void FormErrors::align_one() {
    size_t rows = reference_.size(), width = hypothesis_.size() + 1;
    if (rows > kMostFormChoices / width)
        throw InputError(std::nullopt,
                         "a segment of " + std::to_string(rows) + " by " + std::to_string(width - 1) +
                             " words needs too much memory",
                         "split the segment");
    choices_.resize(rows * width);
    uint32_t* row = row_.reserve(width);
    for (size_t j = 0; j < width; ++j) row[j] = static_cast<uint32_t>(j);
    for (size_t i = 0; i < rows; ++i) {
        checkpoint(kFormCellWork * width);
        uint8_t* chosen = choices_.data() + i * width;
        uint32_t diagonal = row[0], word = reference_[i].aligned;
        row[0] = static_cast<uint32_t>(i + 1);
        chosen[0] = kDeleteWord;
        for (size_t j = 1; j < width; ++j) {
            uint32_t above = row[j];
            if (hypothesis_[j - 1].aligned == word) {
                row[j] = diagonal;
                chosen[j] = kMatch;
            } else {
                uint32_t least = std::min({diagonal, row[j - 1], above});
                chosen[j] = least == diagonal ? kReplace : least == row[j - 1] ? kInsertWord : kDeleteWord;
                row[j] = least + 1;
            }
            diagonal = above;
        }
    }
    runs_.clear();
    auto push = [&](Edit edit) {
        if (runs_.empty() || runs_.back().edit != edit) runs_.push_back({edit, false, 0, 0});
        runs_.back().reference += edit != Edit::Insertion;
        runs_.back().hypothesis += edit != Edit::Deletion;
    };
    for (size_t i = rows, j = width - 1; i > 0 || j > 0;) {
        auto choice = i == 0 ? kInsertWord : static_cast<FormChoice>(choices_[(i - 1) * width + j]);
        if (choice == kInsertWord) {
            push(Edit::Insertion);
        } else if (choice == kDeleteWord) {
            push(Edit::Deletion);
        } else if (reference_[i - 1].is_mark != hypothesis_[j - 1].is_mark) {
            push(Edit::Insertion);
            push(Edit::Deletion);
        } else {
            push(reference_[i - 1].number == hypothesis_[j - 1].number ? Edit::Hit : Edit::Substitution);
        }
        i -= choice != kInsertWord;
        j -= choice != kDeleteWord;
    }
    std::ranges::reverse(runs_);
}

EditCounts FormErrors::counts(CountedForm form) const {
    EditCounts counts;
    size_t i = 0, j = 0;
    for (const EditRun& run : runs_) {
        for (size_t k = 0; k < std::max(run.reference, run.hypothesis); ++k) {
            bool is_pair = run.reference > 0 && run.hypothesis > 0;
            if (form == CountedForm::Case) {
                if (is_pair && reference_[i].aligned == hypothesis_[j].aligned)
                    ++(run.edit == Edit::Hit ? counts.hits : counts.substitutions);
            } else if (run.edit == Edit::Insertion ? hypothesis_[j].is_mark : reference_[i].is_mark) {
                ++(run.edit == Edit::Hit            ? counts.hits
                   : run.edit == Edit::Substitution ? counts.substitutions
                   : run.edit == Edit::Deletion     ? counts.deletions
                                                    : counts.insertions);
            }
            i += run.reference > 0;
            j += run.hypothesis > 0;
        }
    }
    return counts;
}

EditCounts FormErrors::count(const NumberedTexts& hypothesis, const NumberedReferences& references, CountedForm form,
                             const Lexicon& marks) {
    if (references.kind == ItemKind::Ids)
        throw InputError(std::nullopt, "the tokens are integers, but their written form needs strings",
                         "pass text, or tokens that are strings");
    EditCounts best;
    double lowest = 0;
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        read(hypothesis, references, begin, references.lengths[r], form, marks);
        begin += references.lengths[r];
        align_one();
        EditCounts own = counts(form);
        double rate = error_rate(static_cast<double>(own.errors()),
                                 static_cast<double>(own.hits + own.substitutions + own.deletions));
        if (r > 0 && rate >= lowest) continue;
        best = own;
        lowest = rate;
    }
    return best;
}

FormErrors::Aligned FormErrors::align(const NumberedTexts& hypothesis, const NumberedReferences& references,
                                      CountedForm form, const Lexicon& marks) {
    EditCounts best = count(hypothesis, references, form, marks);
    size_t begin = 0;
    for (size_t r = 0; r < references.lengths.size(); ++r) {
        read(hypothesis, references, begin, references.lengths[r], form, marks);
        begin += references.lengths[r];
        align_one();
        EditCounts own = counts(form);
        if (own.hits == best.hits && own.substitutions == best.substitutions && own.deletions == best.deletions &&
            own.insertions == best.insertions)
            return {runs_, r};
    }
    return {runs_, references.lengths.size() - 1};
}

}  // namespace refscore
