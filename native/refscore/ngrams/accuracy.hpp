// Accuracy of answers: whether an answer is correct by the rules of a benchmark, or how many annotators agree with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "refscore/base/preconditions.hpp"
#include "refscore/segments/segments.hpp"
#include "refscore/text/vqa_answer.hpp"

namespace refscore {

// When an answer is correct.
enum class AnswerMatch : uint8_t {
    Equal,     // it is equal to a reference
    Contains,  // its tokens contain the tokens of a reference, next to each other
    Number,    // it is a number close to the reference, or else equal to it
    Letter,    // it names the choice with the letter of the reference
};

struct AccuracySettings {
    AnswerMatch match = AnswerMatch::Equal;
    AnswerRules rules = AnswerRules::Text;
    double tolerance = 0.05;  // the largest relative error of numbers
    bool is_vote = false;     // the mean over annotators, each of whom is left out once
    size_t votes_needed = 3;  // so many of the others make an answer correct

    void check() const {
        require(tolerance >= 0, "a tolerance must be at least 0");
        require(votes_needed > 0, "an answer needs at least one vote");
        require(rules == AnswerRules::Text || match == AnswerMatch::Equal, "answers are processed to be equal");
    }
};

// One instance per thread.
class Accuracy {
  public:
    // Returns the score of a segment, from 0 to 1.
    double score(const AccuracySettings& settings, const NumberedTexts& hypothesis,
                 const NumberedReferences& references);

  private:
    // Whether the hypothesis matches each reference.
    void find_matches(const AccuracySettings& settings, const NumberedTexts& hypothesis,
                      const NumberedReferences& references);

    std::string text_;
    std::vector<std::string> texts_;
    std::vector<bool> is_match_;
    std::vector<uint32_t> borders_;
};

}  // namespace refscore
