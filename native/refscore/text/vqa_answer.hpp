// Answers as the scripts of visual question answering change them before they compare them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace refscore {

enum class AnswerRules : uint8_t {
    Text,     // compare texts as they are
    Vqa,      // VQA's vqaEval.py: none of this if all references of a segment are equal
    TextVqa,  // TextVQA's EvalAIAnswerProcessor
};

// Returns an answer without punctuation and articles, with digits for small numbers and apostrophes in contractions.
// The text is generalized UTF-8.
std::string vqa_answer(std::string_view text, AnswerRules rules);

// Replaces line breaks and tabs by spaces and strips both ends: all that VQA does if the references are equal.
std::string plain_vqa_answer(std::string_view text);

// Returns the number that a text is for Python's float(), or a hundredth of it before percent signs.
std::optional<double> number_of_answer(std::string_view text);

// Whether a lowercase text names a choice by its letter: it is "b", or begins with "b", "(b", "option b" or "the answer
// is b".
bool has_choice(std::string_view text, std::string_view letter);

}  // namespace refscore
