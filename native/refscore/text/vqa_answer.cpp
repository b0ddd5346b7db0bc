#include "refscore/text/vqa_answer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <locale>
#include <sstream>
#include <unordered_map>
#include <vector>

#include "refscore/text/lowercase.hpp"
#include "refscore/text/unicode.hpp"

namespace refscore {
namespace {

// Each contraction with the spellings that become it.
constexpr std::string_view kAnswerContractions =
    "'ow's'at='ow'sat,'ows'at,ow's'at 'twas=twas ain't=aint aren't=arent can't=cant could've=couldve "
    "couldn't=couldnt couldn't've=couldn'tve,couldnt've didn't=didnt doesn't=doesnt don't=dont "
    "hadn't=hadnt hadn't've=hadn'tve,hadnt've hasn't=hasnt haven't=havent he'd=hed he'd've=he'dve,hed've "
    "he's=hes how'd=howd how'll=howll how's=hows isn't=isnt it'd=itd it'd've=it'dve,itd've it'll=itll "
    "ma'am=maam might've=mightve mightn't=mightnt mightn't've=mightn'tve,mightnt've must've=mustve "
    "mustn't=mustnt needn't=neednt not've=notve o'clock=oclock oughtn't=oughtnt shan't=shant "
    "she'd've=she'dve,shed've should've=shouldve shouldn't=shouldnt shouldn't've=shouldn'tve,shouldnt've "
    "somebody'd've=somebody'dve,somebodyd've somebody'll=somebodyll somebody's=somebodys "
    "somebodyd=somebody'd someone'd=someoned someone'd've=someone'dve,someoned've someone'll=someonell "
    "someone's=someones something'd=somethingd something'd've=something'dve,somethingd've "
    "something'll=somethingll that's=thats there'd=thered there'd've=there'dve,thered've "
    "there're=therere there's=theres they'd=theyd they'd've=they'dve,theyd've they'll=theyll "
    "they're=theyre they've=theyve wasn't=wasnt we'd've=we'dve,wed've we've=weve weren't=werent "
    "what'll=whatll what're=whatre what's=whats what've=whatve when's=whens where'd=whered "
    "where's=wheres where've=whereve who'd=whod who'd've=who'dve,whod've who'll=wholl who's=whos "
    "who've=whove why'll=whyll why're=whyre why's=whys won't=wont would've=wouldve wouldn't=wouldnt "
    "wouldn't've=wouldn'tve,wouldnt've y'all=yall y'all'd've=y'all'dve,y'alld've,yall'd've "
    "y'all'll=y'allll,yall'll you'd=youd you'd've=you'dve,youd've you'll=youll you're=youre you've=youve ";
constexpr std::string_view kSmallNumbers =
    "0=none,zero 1=one 2=two 3=three 4=four 5=five 6=six 7=seven 8=eight 9=nine 10=ten";
constexpr std::string_view kAnswerMarks = ";/[]\"{}()=+\\_-><@`,?!";
// The scripts pass a flag of regular expressions in the place of the number of replacements.
constexpr int kMostPeriods = 32;

using Replacements = std::unordered_map<std::string_view, std::string_view>;

Replacements read_table(std::string_view table) {
    Replacements found;
    while (!table.empty()) {
        size_t end = std::min(table.find(' '), table.size()), equals = table.find('=');
        std::string_view value = table.substr(0, equals), keys = table.substr(equals + 1, end - equals - 1);
        while (!keys.empty()) {
            size_t comma = std::min(keys.find(','), keys.size());
            found.emplace(keys.substr(0, comma), value);
            keys.remove_prefix(std::min(comma + 1, keys.size()));
        }
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return found;
}

const uint8_t* start_of(std::string_view text) { return reinterpret_cast<const uint8_t*>(text.data()); }

uint32_t code_from(std::string_view text, size_t at) {
    const uint8_t* next = start_of(text) + at;
    return decode(next);
}

// The offset of the character before an offset, which must not be 0.
size_t offset_before(std::string_view text, size_t at) {
    do --at;
    while (at > 0 && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80);
    return at;
}

size_t offset_after(std::string_view text, size_t at) {
    const uint8_t* next = start_of(text) + at;
    decode(next);
    return static_cast<size_t>(next - start_of(text));
}

std::string_view strip_blanks(std::string_view text) {
    while (!text.empty() && is_space(code_from(text, 0))) text.remove_prefix(offset_after(text, 0));
    while (!text.empty()) {
        size_t last = offset_before(text, text.size());
        if (!is_space(code_from(text, last))) break;
        text = text.substr(0, last);
    }
    return text;
}

std::string lowercase_copy(std::string_view text) {
    Buffer<uint8_t> lower;
    size_t size = append_lowercase(start_of(text), text.size(), lower, 0);
    return {reinterpret_cast<const char*>(lower.data()), size};
}

// Whether a comma stands between digits: one comma, or several if `many`.
bool has_comma_in_number(std::string_view text, bool many) {
    for (size_t at = text.find(','); at != text.npos; at = text.find(',', at + 1)) {
        if (at == 0 || !is_decimal(code_from(text, offset_before(text, at)))) continue;
        size_t end = at + 1;
        while (many && end < text.size() && text[end] == ',') ++end;
        if (end < text.size() && is_decimal(code_from(text, end))) return true;
    }
    return false;
}

std::string without_punctuation(std::string_view text, bool many_commas) {
    bool removes_all = has_comma_in_number(text, many_commas);
    std::array<bool, 128> is_mark{}, is_removed{};
    for (char mark : kAnswerMarks) is_mark[static_cast<size_t>(mark)] = true;
    auto is_ascii_mark = [&](char byte) {
        return static_cast<uint8_t>(byte) < 0x80 && is_mark[static_cast<uint8_t>(byte)];
    };
    for (size_t i = 0; i < text.size(); ++i)
        if (is_ascii_mark(text[i]) &&
            (removes_all || (i > 0 && text[i - 1] == ' ') || (i + 1 < text.size() && text[i + 1] == ' ')))
            is_removed[static_cast<size_t>(text[i])] = true;
    std::string kept;
    for (char byte : text) {
        if (!is_ascii_mark(byte)) {
            kept += byte;
        } else if (!is_removed[static_cast<size_t>(byte)]) {
            kept += ' ';
        }
    }
    std::string result;
    int periods = 0;
    for (size_t i = 0; i < kept.size(); ++i) {
        bool is_kept =
            kept[i] != '.' || periods == kMostPeriods || (i + 1 < kept.size() && is_decimal(code_from(kept, i + 1)));
        if (is_kept) {
            result += kept[i];
        } else {
            ++periods;
        }
    }
    return result;
}

std::string with_common_words(std::string_view text) {
    static const Replacements numbers = read_table(kSmallNumbers), contractions = read_table(kAnswerContractions);
    auto replaced = [](std::string_view word, const Replacements& table) {
        auto found = table.find(word);
        return found == table.end() ? word : found->second;
    };
    std::string lower = lowercase_copy(text), result;
    for (std::string_view rest = strip_blanks(lower); !rest.empty(); rest = strip_blanks(rest)) {
        size_t end = 0;
        while (end < rest.size() && !is_space(code_from(rest, end))) end = offset_after(rest, end);
        std::string_view word = replaced(rest.substr(0, end), numbers);
        rest.remove_prefix(end);
        if (word == "a" || word == "an" || word == "the") continue;
        if (!result.empty()) result += ' ';
        result += replaced(word, contractions);
    }
    return result;
}

// The value of a decimal digit. Digits of a script follow each other.
char digit_of(uint32_t code) {
    if (code < 0x80) return static_cast<char>(code);
    uint32_t first = code;
    while (is_decimal(first - 1)) --first;
    return static_cast<char>('0' + (code - first) % 10);
}

// Reads what Python's float() takes.
std::optional<double> parse_float(std::string_view text) {
    text = strip_blanks(text);
    std::string plain;
    for (size_t at = 0; at < text.size(); at = offset_after(text, at)) {
        uint32_t code = code_from(text, at);
        if (code >= 0x80 && !is_decimal(code)) return std::nullopt;
        plain += is_decimal(code) ? digit_of(code) : static_cast<char>(code);
    }
    bool is_negative = !plain.empty() && plain[0] == '-';
    size_t at = !plain.empty() && (plain[0] == '-' || plain[0] == '+');
    std::string number;
    auto read_digits = [&] {  // with single underscores between digits
        size_t begin = number.size();
        for (; at < plain.size(); ++at) {
            bool is_digit = plain[at] >= '0' && plain[at] <= '9';
            bool joins = plain[at] == '_' && number.size() > begin && at + 1 < plain.size() && plain[at + 1] >= '0' &&
                         plain[at + 1] <= '9';
            if (!is_digit && !joins) break;
            if (is_digit) number += plain[at];
        }
        return number.size() - begin;
    };
    std::string word = plain.substr(at);
    for (char& letter : word) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    double infinite = std::numeric_limits<double>::infinity();
    if (word == "inf" || word == "infinity") return is_negative ? -infinite : infinite;
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    size_t whole = read_digits(), fraction = 0;
    if (at < plain.size() && plain[at] == '.') {
        number += plain[at++];
        fraction = read_digits();
    }
    if (whole + fraction == 0) return std::nullopt;
    if (at < plain.size() && (plain[at] == 'e' || plain[at] == 'E')) {
        number += plain[at++];
        if (at < plain.size() && (plain[at] == '-' || plain[at] == '+')) {
            if (plain[at] == '-') number += '-';
            ++at;
        }
        if (read_digits() == 0) return std::nullopt;
    }
    if (at != plain.size()) return std::nullopt;
    // libc++ has no std::from_chars for doubles, and std::strtod depends on the locale.
    std::istringstream stream(number);
    stream.imbue(std::locale::classic());
    double value = 0;
    stream >> value;
    if (stream.fail() && value >= std::numeric_limits<double>::max()) value = infinite;
    return is_negative ? -value : value;
}

}  // namespace

std::string plain_vqa_answer(std::string_view text) {
    std::string result(text);
    std::replace_if(result.begin(), result.end(), [](char byte) { return byte == '\n' || byte == '\t'; }, ' ');
    return std::string(strip_blanks(result));
}

std::string vqa_answer(std::string_view text, AnswerRules rules) {
    if (rules != AnswerRules::TextVqa) return with_common_words(without_punctuation(plain_vqa_answer(text), false));
    std::string lower = lowercase_copy(text), spaced;
    std::erase_if(lower, [](char byte) { return byte == ',' || byte == '?'; });
    for (size_t i = 0; i < lower.size(); ++i) {
        if (lower[i] == '\'' && i + 1 < lower.size() && lower[i + 1] == 's') spaced += ' ';
        spaced += lower[i];
    }
    return with_common_words(without_punctuation(plain_vqa_answer(spaced), true));
}

std::optional<double> number_of_answer(std::string_view text) {
    if (!text.ends_with('%')) return parse_float(text);
    while (text.ends_with('%')) text.remove_suffix(1);
    std::optional<double> number = parse_float(text);
    if (number) *number /= 100;
    return number;
}

bool has_choice(std::string_view text, std::string_view letter) {
    std::string spaced(strip_blanks(text));
    std::replace(spaced.begin(), spaced.end(), '\n', ' ');
    std::string_view rest = spaced;
    letter = strip_blanks(letter);
    if (letter.empty() || offset_after(letter, 0) != letter.size()) return false;
    for (std::string_view start : {"", "(", "option ", "the answer is "})
        if (rest.starts_with(start) && rest.substr(start.size()).starts_with(letter)) return true;
    return false;
}

}  // namespace refscore
