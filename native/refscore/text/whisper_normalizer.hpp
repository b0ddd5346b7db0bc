// The text normalizers of Whisper, for English and for other languages.
//
// Radford et al. (2022): Robust Speech Recognition via Large-Scale Weak Supervision, appendix C. The rules are those of
// whisper-normalizer 0.1.15 and openai-whisper 20250625 (MIT License).
#pragma once

#include "refscore/text/text_steps.hpp"

namespace refscore {

struct WhisperBasic {
    bool drop_diacritics = false;  // letters lose their diacritics; otherwise marks become spaces
    bool keep_marks = false;       // marks stay; not with drop_diacritics
    bool split_letters = false;    // spaces between grapheme clusters
};

// Lowercases, removes text in brackets, and replaces symbols and punctuation by spaces.
void normalize_whisper_basic(RewrittenText& text, WhisperBasic options);

// Also expands contractions and titles, removes fillers, writes numbers in digits and uses American spellings.
// `colloquial` expands kinda, sorta, dunno and cause, too: whisper-normalizer does, openai-whisper and transformers do
// not.
void normalize_whisper_english(RewrittenText& text, bool colloquial);

}  // namespace refscore
