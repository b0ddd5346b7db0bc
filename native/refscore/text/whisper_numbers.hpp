// Numbers in English text as Whisper's normalizer writes them: in digits, with symbols of currencies and percent.
#pragma once

#include "refscore/text/text_steps.hpp"

namespace refscore {

// Requires lowercase text in which the only symbols are . % $ ¢ € £.
void standardize_whisper_numbers(RewrittenText& text);

// The middle part: writes words that are numbers in digits, and joins all words with spaces.
void write_whisper_numbers(RewrittenText& text);

// Whether "and a half" after this word is part of a number.
bool can_precede_half(std::string_view word);

}  // namespace refscore
