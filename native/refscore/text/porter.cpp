#include "refscore/text/porter.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "refscore/segments/vocabulary.hpp"

namespace refscore {
namespace {

constexpr bool is_vowel(uint8_t c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }
constexpr bool is_continuation(uint8_t c) { return (c & 0xc0) == 0x80; }

// Packs up to 8 bytes into the top of an integer, for comparison with the last 8 bytes of a word.
constexpr uint64_t packed(std::string_view suffix) {
    uint64_t key = 0;
    for (char c : suffix) key = (key >> 8) | static_cast<uint64_t>(static_cast<uint8_t>(c)) << 56;
    return key;
}

struct SuffixRule {
    std::string_view suffix;
    std::string_view replacement;
    // The number of suffix bytes that count towards the measured stem.
    uint8_t kept = 0;
};

// The rules of one step, grouped by the second-to-last letter. If several match, the first one listed is tried.
template <size_t N>
class Rules {
  public:
    constexpr explicit Rules(const std::array<SuffixRule, N>& rules) {
        uint8_t count = 0;
        for (size_t letter = 0; letter < 26; ++letter) {
            begin_[letter] = count;
            for (const SuffixRule& rule : rules)
                if (static_cast<size_t>(rule.suffix[rule.suffix.size() - 2] - 'a') == letter) {
                    rules_[count] = rule;
                    keys_[count] = packed(rule.suffix);
                    shifts_[count++] = static_cast<uint8_t>(64 - 8 * rule.suffix.size());
                }
        }
        begin_[26] = count;
    }

    const SuffixRule* find(uint64_t tail) const {
        uint32_t letter = static_cast<uint32_t>(tail >> 48 & 0xff) - 'a';
        if (letter >= 26) return nullptr;
        for (size_t i = begin_[letter]; i < begin_[letter + 1]; ++i)
            if (((tail ^ keys_[i]) >> shifts_[i]) == 0) return &rules_[i];
        return nullptr;
    }

  private:
    std::array<SuffixRule, N> rules_{};
    std::array<uint64_t, N> keys_{};
    std::array<uint8_t, N> shifts_{};
    std::array<uint8_t, 27> begin_{};
};

constexpr Rules kStep2(std::to_array<SuffixRule>({
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"fulli", "ful"},   {"logi", "log", 1},
}));

constexpr Rules kStep3(std::to_array<SuffixRule>({
    {"icate", "ic"},
    {"ative", ""},
    {"alize", "al"},
    {"iciti", "ic"},
    {"ical", "ic"},
    {"ful", ""},
    {"ness", ""},
}));

constexpr Rules kStep4(std::to_array<SuffixRule>({
    {"al", ""},  {"ance", ""},  {"ence", ""}, {"er", ""},  {"ic", ""},  {"able", ""}, {"ible", ""},
    {"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ion", ""}, {"ou", ""},   {"ism", ""},
    {"ate", ""}, {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""},
}));

// Words that no rule changes, all of at most 8 bytes, stored as packed tails.
struct Irregular {
    uint64_t tail;
    size_t size;
    std::string_view stem;

    constexpr Irregular(std::string_view word, std::string_view stem)
        : tail(packed(word)), size(word.size()), stem(stem) {}
};
constexpr Irregular kIrregular[] = {
    {"sky", "sky"},       {"skies", "sky"},       {"dying", "die"},       {"lying", "lie"},
    {"tying", "tie"},     {"news", "news"},       {"inning", "inning"},   {"innings", "inning"},
    {"outing", "outing"}, {"outings", "outing"},  {"canning", "canning"}, {"cannings", "canning"},
    {"howe", "howe"},     {"proceed", "proceed"}, {"exceed", "exceed"},   {"succeed", "succeed"},
};

// The last 8 bytes, with the last one on top. Shorter words are padded with zeros.
uint64_t tail_of(const uint8_t* word, size_t size) {
    if (size >= 8) return load64(word + size - 8);
    return size == 0 ? 0 : short_token(word, static_cast<uint32_t>(size)).low << 8 * (8 - size);
}

// A word during stemming.
class Word {
  public:
    Word(uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}

    size_t stem() {
        step_1a();
        step_1b();
        if (ends("y") && !at_most(size_ - 1, 1) && is_consonant(size_ - 2)) bytes_[size_ - 1] = 'i';
        step_2();
        apply(kStep3, 1);
        step_4();
        step_5();
        return size_;
    }

  private:
    bool ends(std::string_view suffix) const {
        return size_ >= suffix.size() && std::memcmp(bytes_ + size_ - suffix.size(), suffix.data(), suffix.size()) == 0;
    }
    void replace(size_t suffix, std::string_view replacement) {
        size_ -= suffix;
        std::memcpy(bytes_ + size_, replacement.data(), replacement.size());
        size_ += replacement.size();
    }

    // Whether the first `bytes` bytes contain at most `characters` characters. Stops as early as possible.
    bool at_most(size_t bytes, size_t characters) const {
        size_t found = 0;
        for (size_t i = 0; i < bytes; ++i)
            if (!is_continuation(bytes_[i]) && ++found > characters) return false;
        return true;
    }
    // The start of the character before `end`; end > 0.
    size_t before(size_t end) const {
        do --end;
        while (end > 0 && is_continuation(bytes_[end]));
        return end;
    }
    // For the character that contains byte i. A y is a consonant or a vowel depending on its predecessor.
    bool is_consonant(size_t i) const {
        bool turned = false;
        for (; i > 0 && bytes_[i] == 'y'; --i) turned = !turned;
        return is_vowel(bytes_[i]) == turned;
    }
    // The number of vowel-consonant transitions in the first bytes, counted up to 2. All bytes of a non-ASCII character
    // count as consonants, which gives the same result.
    int measure(size_t bytes) const {
        int found = 0;
        bool vowel = false;
        for (size_t i = 0; i < bytes && found < 2; ++i) {
            bool now = is_vowel(bytes_[i]) || (bytes_[i] == 'y' && i > 0 && !vowel);
            found += vowel && !now;
            vowel = now;
        }
        return found;
    }
    bool has_vowel(size_t bytes) const {
        for (size_t i = 0; i < bytes; ++i)
            if (is_vowel(bytes_[i]) || (bytes_[i] == 'y' && i > 0)) return true;
        return false;
    }
    // Whether the first bytes end in consonant, vowel, consonant, where the last is not w, x or y; or are exactly
    // vowel, consonant.
    bool ends_cvc(size_t bytes) const {
        if (bytes < 2) return false;
        size_t last = before(bytes);
        if (last == 0) return false;
        size_t middle = before(last);
        if (!is_consonant(last) || is_consonant(middle)) return false;
        if (middle == 0) return true;
        return is_consonant(before(middle)) && bytes_[last] != 'w' && bytes_[last] != 'x' && bytes_[last] != 'y';
    }

    void step_1a() {
        if (size_ == 0 || bytes_[size_ - 1] != 's') return;
        if (ends("sses")) {
            size_ -= 2;
        } else if (ends("ies")) {
            size_ -= at_most(size_ - 3, 1) && size_ > 3 ? 1 : 2;
        } else if (!ends("ss")) {
            size_ -= 1;
        }
    }

    void step_1b() {
        if (ends("ied")) {
            size_ -= at_most(size_ - 3, 1) && size_ > 3 ? 1 : 2;
        } else if (ends("eed")) {
            size_ -= measure(size_ - 3) > 0;
        } else if (ends("ed") && has_vowel(size_ - 2)) {
            size_ -= 2;
            mend();
        } else if (ends("ing") && has_vowel(size_ - 3)) {
            size_ -= 3;
            mend();
        }
    }

    // Repairs a word after removing -ed or -ing. The buffer has space for one more letter.
    void mend() {
        if (ends("at") || ends("bl") || ends("iz")) {
            bytes_[size_++] = 'e';
            return;
        }
        // NLTK's rule for double consonants also treats its own label, "*d", as a suffix.
        if (ends("*d")) {
            replace(2, "d");
            return;
        }
        size_t last = before(size_), letter = size_ - last;
        bool doubled = last >= letter && before(last) == last - letter &&
                       std::equal(bytes_ + last, bytes_ + size_, bytes_ + last - letter);
        if (doubled && is_consonant(last)) {
            uint8_t c = bytes_[last];
            if (c != 'l' && c != 's' && c != 'z') size_ = last;
        } else if (measure(size_) == 1 && ends_cvc(size_)) {
            bytes_[size_++] = 'e';
        }
    }

    template <size_t N>
    bool apply(const Rules<N>& rules, int least) {
        const SuffixRule* rule = rules.find(tail_of(bytes_, size_));
        if (rule == nullptr || measure(size_ - rule->suffix.size() + rule->kept) < least) return false;
        replace(rule->suffix.size(), rule->replacement);
        return true;
    }

    void step_2() {
        // -alli is replaced by -al, which goes through the step again.
        bool again = ends("alli");
        if (apply(kStep2, 1) && again) apply(kStep2, 1);
    }

    void step_4() {
        if (ends("ion") && !ends("sion") && !ends("tion")) return;
        apply(kStep4, 2);
    }

    void step_5() {
        if (ends("e")) {
            int found = measure(size_ - 1);
            if (found > 1 || (found == 1 && !ends_cvc(size_ - 1))) --size_;
        }
        if (ends("ll") && measure(size_ - 1) > 1) --size_;
    }

    uint8_t* bytes_;
    size_t size_;
};

}  // namespace

bool is_too_short_to_stem(const uint8_t* word, size_t size) {
    size_t characters = 0;
    for (size_t i = 0; i < size && characters < 3; ++i) characters += !is_continuation(word[i]);
    return characters < 3;
}

size_t porter_stem(uint8_t* word, size_t size) {
    if (is_too_short_to_stem(word, size)) return size;
    if (size <= 8) {
        uint64_t tail = tail_of(word, size);
        for (const Irregular& irregular : kIrregular)
            if (irregular.tail == tail && irregular.size == size) {
                std::memcpy(word, irregular.stem.data(), irregular.stem.size());
                return irregular.stem.size();
            }
    }
    return Word(word, size).stem();
}

}  // namespace refscore
