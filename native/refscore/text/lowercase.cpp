#include "refscore/text/lowercase.hpp"

#include <algorithm>
#include <iterator>

#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

// Every `step`th character from first to last has its lowercase character at a distance.
struct LowercaseRun {
    uint32_t first;
    uint32_t last;
    uint32_t step;
    int32_t distance;
};

#include "refscore/generated/lowercase_runs.inc"

constexpr uint32_t kCapitalSigma = 0x3a3, kFinalSigma = 0x3c2, kSigma = 0x3c3;
constexpr uint32_t kDottedCapitalI = 0x130, kDotAbove = 0x307, kSoftHyphen = 0xad;

uint32_t lowercase(uint32_t code) {
    if (code < 0x80) return code - 'A' < 26 ? code + ('a' - 'A') : code;
    const LowercaseRun* run =
        std::lower_bound(std::begin(kLowercaseRuns), std::end(kLowercaseRuns), code,
                         [](const LowercaseRun& candidate, uint32_t wanted) { return candidate.last < wanted; });
    if (run == std::end(kLowercaseRuns) || code < run->first || (code - run->first) % run->step != 0) return code;
    return static_cast<uint32_t>(static_cast<int32_t>(code) + run->distance);
}

// Letters of scripts that have two cases. Approximate, because it only matters next to a Greek sigma.
bool is_cased(uint32_t code) {
    bool is_digit = (code >= '0' && code <= '9') || (code >= 0xb2 && code <= 0xbe && code != 0xb5 && code != 0xba);
    bool has_cases = code < 0x590 || (code >= 0x1c80 && code < 0x2000) || (code >= 0x2c00 && code < 0x2d30) ||
                     (code >= 0xff21 && code < 0xff5b);
    return has_cases && !is_digit && word_class(code) == kNumber;
}

// Walks from a sigma to one side of its word, and finds a letter with two cases. A single sign joins two letters to one
// word.
class CasedLetterSearch {
  public:
    bool is_found() const { return found_; }
    // Takes the next character, and returns whether the search continues. It is limited, so runs of sigmas take linear
    // time.
    bool take(uint32_t code) {
        constexpr int kMost = 64;
        if (++taken_ > kMost) return false;
        if (code == '-' || code == '_' || code == '.' || code == '\'' || code == kSoftHyphen) {
            bool joins = after_letter_ && !after_sign_;
            after_sign_ = true;
            return joins;
        }
        CharClass kind = word_class(code);
        if (kind == kPoint) return !after_sign_;
        if (kind != kNumber) return false;
        found_ = is_cased(code);
        after_letter_ = found_ || code >= 0x100;
        bool continues = after_letter_ || !after_sign_;
        after_sign_ = false;
        return continues && !found_;
    }

  private:
    bool found_ = false, after_letter_ = true, after_sign_ = false;
    int taken_ = 0;
};

// A sigma ends a word if a letter precedes it and none follows.
bool is_final(const uint8_t* word, const uint8_t* sigma, const uint8_t* end) {
    CasedLetterSearch after, before;
    const uint8_t* at = sigma;
    decode(at);
    while (at != end && after.take(decode(at))) continue;
    if (after.is_found()) return false;
    for (at = sigma; at != word;) {
        do --at;
        while (at != word && (*at & 0xc0) == 0x80);
        const uint8_t* character = at;
        if (!before.take(decode(character))) break;
    }
    return before.is_found();
}

}  // namespace

size_t append_lowercase(const uint8_t* word, size_t word_size, Buffer<uint8_t>& out, size_t size) {
    constexpr size_t kGrowth = 2;  // a lowercase form takes at most one byte more than two
    uint8_t* begin = out.reserve(size + kGrowth * word_size, size);
    uint8_t* to = begin + size;
    for (const uint8_t *at = word, *end = word + word_size; at != end;) {
        const uint8_t* from = at;
        uint32_t code = decode(at);
        if (code == kCapitalSigma) {
            to = encode(is_final(word, from, end) ? kFinalSigma : kSigma, to);
        } else if (code == kDottedCapitalI) {
            to = encode(kDotAbove, encode('i', to));
        } else {
            to = encode(lowercase(code), to);
        }
    }
    return static_cast<size_t>(to - begin);
}

}  // namespace refscore
