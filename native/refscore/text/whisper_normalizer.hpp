// The text normalizers of Whisper and of the Open ASR Leaderboard, for English and for other languages.
//
// Radford et al. (2022): Robust Speech Recognition via Large-Scale Weak Supervision, appendix C. The rules are those of
// whisper-normalizer 0.1.15 and openai-whisper 20250625 (MIT License), and of
// github.com/huggingface/open_asr_leaderboard (Apache License 2.0), which began as a copy of openai-whisper's.
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

// The programs whose rules differ.
enum class EnglishRules : uint8_t {
    WhisperNormalizer,  // also expands kinda, sorta, dunno and cause
    OpenaiWhisper,      // and transformers
    OpenAsr2025,        // the leaderboard of September 2025, with other spellings
    OpenAsr2026,        // of June 2026, which also unifies names, acronyms and words written apart
};

// Also expands contractions and titles, removes fillers, writes numbers in digits and uses American spellings.
void normalize_whisper_english(RewrittenText& text, EnglishRules rules);

// The leaderboard's rules for other languages: those of Whisper without diacritics, and removes what is no word.
void normalize_open_asr_multilingual(RewrittenText& text);

}  // namespace refscore
