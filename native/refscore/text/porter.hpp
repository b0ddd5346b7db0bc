// Porter's stemmer as NLTK extends it: nltk.stem.porter.PorterStemmer in its default mode.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refscore {

// Stems a word of generalized UTF-8 in place and returns the size of the stem, which is never larger. The rules only
// know a to z, so lowercase the word first to ignore case. All other characters are consonants, and lengths are in
// characters.
size_t porter_stem(uint8_t* word, size_t size);

// Whether a word has at most two characters. The stemmer does not change such words.
bool is_too_short_to_stem(const uint8_t* word, size_t size);

}  // namespace refscore
