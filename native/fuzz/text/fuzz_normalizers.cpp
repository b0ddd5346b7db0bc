// The normalizers of Whisper and of the Open ASR Leaderboard accept any text, and give the same result again.
#include <string>

#include "input.hpp"
#include "refscore/text/whisper_normalizer.hpp"

using namespace refscore;

namespace {

// Any database will do: categories repeat every five characters, digits every ten.
class FuzzDatabase : public CharacterDatabase {
  public:
    Category category(uint32_t code) const override { return static_cast<Category>(code % 5); }
    int decimal(uint32_t code) const override { return code % 3 == 0 ? static_cast<int>(code % 10) : -1; }
    bool is_lower(uint32_t code) const override { return code % 2 == 0; }
    void lower(std::string& text) const override {
        for (char& c : text)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    void upper(std::string&) const override {}
    void convert(UnicodeForm, std::string&) const override {}
    bool is_inert(UnicodeForm, uint32_t code) const override { return code % 2 == 0; }
};

std::string normalized(uint8_t kind, const std::string& text) {
    static const FuzzDatabase database;
    RewrittenText rewritten(database);
    rewritten.assign(text.data(), text.size());
    if (kind < 4) {
        normalize_whisper_english(rewritten, static_cast<EnglishRules>(kind));
    } else if (kind == 4) {
        normalize_open_asr_multilingual(rewritten);
    } else {
        kind -= 5;
        normalize_whisper_basic(rewritten, {(kind & 1) != 0, (kind & 2) != 0, (kind & 4) != 0});
    }
    return rewritten.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    uint8_t kind = data[0] % 13;  // 4 sets of English rules, 1 for other languages, 8 sets of options
    std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (!is_utf8(data + 1, size - 1)) return 0;
    CHECK(normalized(kind, text) == normalized(kind, text));
    return 0;
}
