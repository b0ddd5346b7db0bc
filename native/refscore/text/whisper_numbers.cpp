#include "refscore/text/whisper_numbers.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "refscore/text/word_table.hpp"

namespace refscore {
namespace {

enum class WordKind : uint8_t {
    Zero,
    One,  // one to nineteen
    SuffixedOne,
    Ten,  // twenty to ninety
    SuffixedTen,
    Multiplier,
    SuffixedMultiplier,
    Sign,      // minus
    Currency,  // dollars
    Per,
    Percent,
    And,
    Double,
    Triple,
    Point,
};

// A word that can be part of a number.
struct NumberWord {
    WordKind kind = WordKind::Zero;
    int value = 0;            // of a multiplier: the number of zeros
    std::string_view symbol;  // the suffix of a number, or a currency, or a sign
};

struct Multiplier {
    std::string_view plain, plural, ordinal;
    int zeros;
};

constexpr std::string_view kOnes[] = {"one",     "two",     "three",     "four",     "five",    "six",      "seven",
                                      "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen", "fourteen",
                                      "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::string_view kPluralOnes[] = {"ones",     "twos",       "threes",    "fours",     "fives",
                                            "sixes",    "sevens",     "eights",    "nines",     "tens",
                                            "elevens",  "twelves",    "thirteens", "fourteens", "fifteens",
                                            "sixteens", "seventeens", "eighteens", "nineteens"};
// From 4. The original lacks "ninth".
constexpr std::string_view kOrdinals[] = {
    "fourth",  "fifth",      "sixth",      "seventh",   "eighth",    "nineth",      "tenth",      "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth"};
constexpr std::string_view kTens[][3] = {
    {"twenty", "twenties", "twentieth"}, {"thirty", "thirties", "thirtieth"}, {"forty", "forties", "fortieth"},
    {"fifty", "fifties", "fiftieth"},    {"sixty", "sixties", "sixtieth"},    {"seventy", "seventies", "seventieth"},
    {"eighty", "eighties", "eightieth"}, {"ninety", "nineties", "ninetieth"},
};
constexpr Multiplier kMultipliers[] = {
    {"hundred", "hundreds", "hundredth", 2},
    {"thousand", "thousands", "thousandth", 3},
    {"million", "millions", "millionth", 6},
    {"billion", "billions", "billionth", 9},
    {"trillion", "trillions", "trillionth", 12},
    {"quadrillion", "quadrillions", "quadrillionth", 15},
    {"quintillion", "quintillions", "quintillionth", 18},
    {"sextillion", "sextillions", "sextillionth", 21},
    {"septillion", "septillions", "septillionth", 24},
    {"octillion", "octillions", "octillionth", 27},
    {"nonillion", "nonillions", "nonillionth", 30},
    {"decillion", "decillions", "decillionth", 33},
};

const WordTable<NumberWord>& number_words() {
    static const WordTable<NumberWord> table = [] {
        using enum WordKind;
        WordTable<NumberWord> words(160);
        for (std::string_view zero : {"o", "oh", "zero"}) words.add(zero, {Zero, 0, {}});
        for (int i = 0; i < 19; ++i) {
            words.add(kOnes[i], {One, i + 1, {}});
            words.add(kPluralOnes[i], {SuffixedOne, i + 1, "s"});
        }
        words.add("zeroth", {SuffixedOne, 0, "th"});
        words.add("first", {SuffixedOne, 1, "st"});
        words.add("second", {SuffixedOne, 2, "nd"});
        words.add("third", {SuffixedOne, 3, "rd"});
        for (int i = 0; i < 16; ++i) words.add(kOrdinals[i], {SuffixedOne, i + 4, "th"});
        for (int i = 0; i < 8; ++i) {
            words.add(kTens[i][0], {Ten, 10 * i + 20, {}});
            words.add(kTens[i][1], {SuffixedTen, 10 * i + 20, "s"});
            words.add(kTens[i][2], {SuffixedTen, 10 * i + 20, "th"});
        }
        for (const auto& [plain, plural, ordinal, zeros] : kMultipliers) {
            words.add(plain, {WordKind::Multiplier, zeros, {}});
            words.add(plural, {SuffixedMultiplier, zeros, "s"});
            words.add(ordinal, {SuffixedMultiplier, zeros, "th"});
        }
        for (std::string_view sign : {"minus", "negative"}) words.add(sign, {Sign, 0, "-"});
        for (std::string_view sign : {"plus", "positive"}) words.add(sign, {Sign, 0, "+"});
        for (std::string_view currency : {"pound", "pounds"}) words.add(currency, {Currency, 0, "£"});
        for (std::string_view currency : {"euro", "euros"}) words.add(currency, {Currency, 0, "€"});
        for (std::string_view currency : {"dollar", "dollars"}) words.add(currency, {Currency, 0, "$"});
        for (std::string_view currency : {"cent", "cents"}) words.add(currency, {Currency, 0, "¢"});
        words.add("per", {Per, 0, "%"});
        words.add("percent", {Percent, 0, "%"});
        words.add("and", {And, 0, {}});
        words.add("double", {Double, 2, {}});
        words.add("triple", {Triple, 3, {}});
        words.add("point", {Point, 0, {}});
        return words;
    }();
    return table;
}

constexpr bool is_decimal_word(WordKind kind) {
    return kind == WordKind::Zero || kind == WordKind::One || kind == WordKind::Ten;
}

// A whole number, as its digits without leading zeros, or text such as "007" and "1.5". All changes are at the end of
// the digits, or take time that the digits they remove or carry over paid for, so many words after a long number take
// linear time.
struct Amount {
    bool is_text = false;
    std::string digits;

    bool is_zero() const { return !is_text && digits == "0"; }
    bool ends_in_zeros(size_t count) const {
        return digits == "0" || (digits.size() >= count && digits.find_last_not_of('0') + count < digits.size());
    }
    void append(std::string_view more) {
        // Zero counts as no number here, as in the original.
        if (is_zero()) digits.clear();
        is_text = true;
        digits += more;
    }
    void concatenate(std::string_view more) {
        is_text = true;
        digits += more;
    }
    // Adds a number to a whole number that ends in as many zeros.
    void add(std::string_view number) {
        digits.resize(digits.size() - std::min(digits.size(), number.size()));
        digits += number;
    }
    void multiply(int zeros);
    bool read_multiple(int zeros, const CharacterDatabase& database);
};

// Multiplies the last three digits of a whole number.
void Amount::multiply(int zeros) {
    size_t count = std::min<size_t>(3, digits.size());
    std::string residual = digits.substr(digits.size() - count);
    residual.erase(0, std::min(residual.find_first_not_of('0'), residual.size()));
    if (residual.empty()) return;
    if (digits.size() <= 3) {
        digits = residual;
        digits.append(static_cast<size_t>(zeros), '0');
        return;
    }
    std::fill(digits.end() - 3, digits.end(), '0');
    size_t needed = residual.size() + static_cast<size_t>(zeros);
    if (digits.size() < needed) digits.insert(0, needed - digits.size(), '0');
    size_t at = digits.size() - static_cast<size_t>(zeros);
    int carry = 0;
    for (size_t i = residual.size(); i > 0 || carry > 0;) {
        if (at == 0) {
            digits.insert(0, 1, '0');
            at = 1;
        }
        --at;
        int sum = digits[at] - '0' + carry + (i > 0 ? residual[--i] - '0' : 0);
        digits[at] = static_cast<char>('0' + sum % 10);
        carry = sum / 10;
    }
}

// Python reads no longer numbers, and the original then treats text as something that is not a number.
constexpr size_t kMostDigits = 4300;

// Writes digits of any script in ASCII. Returns nothing if there are other characters.
std::optional<std::string> ascii_digits(std::string_view text, const CharacterDatabase& database) {
    std::string digits;
    for (size_t at = 0; at < text.size();) {
        uint32_t code = next_code(text, at);
        int value = code < 0x80 ? (is_ascii_digit(static_cast<char>(code)) ? static_cast<int>(code) - '0' : -1)
                                : database.decimal(code);
        if (value < 0) return std::nullopt;
        digits += static_cast<char>('0' + value);
    }
    return digits;
}

// Turns text into the whole number that it is after multiplying by 10^zeros. Returns whether it is one.
bool Amount::read_multiple(int zeros, const CharacterDatabase& database) {
    size_t point = digits.find('.');
    bool has_point = point != std::string::npos;
    std::optional<std::string> whole = ascii_digits(std::string_view(digits).substr(0, point), database);
    std::optional<std::string> decimals =
        ascii_digits(has_point ? std::string_view(digits).substr(point + 1) : std::string_view(), database);
    if (!whole || !decimals || (whole->empty() && decimals->empty())) return false;
    if (whole->size() > kMostDigits || decimals->size() > kMostDigits) return false;
    decimals->erase(decimals->find_last_not_of('0') + 1);
    if (decimals->size() > static_cast<size_t>(zeros)) return false;
    decimals->resize(static_cast<size_t>(zeros), '0');
    digits = *whole + *decimals;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.empty()) digits.push_back('0');
    is_text = false;
    return true;
}

struct Token {
    std::string_view text;
    const NumberWord* word = nullptr;
    size_t symbol = 0;       // bytes of a currency symbol or sign at the beginning
    bool is_number = false;  // digits with or without a decimal point, after the symbol
};

bool is_number(std::string_view text, const CharacterDatabase& database) {
    auto end_of_digits = [&](size_t at) {
        while (at < text.size()) {
            size_t next = at;
            uint32_t code = next_code(text, next);
            if (code < 0x80 ? !is_ascii_digit(static_cast<char>(code)) : database.decimal(code) < 0) break;
            at = next;
        }
        return at;
    };
    size_t end = end_of_digits(0);
    if (end == 0 || end == text.size()) return end > 0;
    return text[end] == '.' && end + 1 < text.size() && end_of_digits(end + 1) == text.size();
}

size_t currency_size(std::string_view text) {
    if (text.starts_with('$')) return 1;
    for (std::string_view symbol : {"£", "€", "¢"})
        if (text.starts_with(symbol)) return symbol.size();
    return 0;
}

// Writes numbers in digits, word by word.
class NumberWriter {
  public:
    NumberWriter(const CharacterDatabase& database, std::string& out) : database_(database), out_(out) {}

    void write(std::string_view text) {
        Token previous, current, next;
        size_t at = 0;
        bool has_current = read(text, at, current);
        while (has_current) {
            bool has_next = read(text, at, next);
            bool skips = write(previous, current, next);
            if (skips) {
                previous = next;
                has_current = read(text, at, current);
            } else {
                previous = current;
                current = next;
                has_current = has_next;
            }
        }
        put_amount();
    }

  private:
    bool read(std::string_view text, size_t& at, Token& token) const {
        token = {};
        at = end_of_spaces(text, at);
        size_t end = end_of_word(text, at);
        if (end == at) return false;
        token.text = text.substr(at, end - at);
        at = end;
        char first = token.text[0];
        if (is_ascii_lower(first)) {
            token.word = number_words().find(token.text);
        } else {
            token.symbol = currency_size(token.text);
            token.is_number = is_number(token.text.substr(token.symbol), database_);
        }
        return true;
    }

    // Returns whether the next word is part of this one.
    bool write(const Token& previous, const Token& current, const Token& next);
    void write_number(const Token& current);
    void write_one(const Token& previous, const NumberWord& word);
    void write_suffixed(const Token& previous, const NumberWord& word);
    void write_multiplier(const NumberWord& word);
    bool write_special(const Token& previous, const Token& current, const Token& next);

    static bool is_kind(const Token& token, WordKind kind) { return token.word != nullptr && token.word->kind == kind; }
    static bool is_numeric(const Token& token) {
        return token.word != nullptr || (token.is_number && token.symbol == 0);
    }

    void put(std::string_view text, std::string_view suffix = {}) {
        if (!out_.empty()) out_ += ' ';
        out_.append(prefix_).append(text).append(suffix);
        amount_.reset();
        prefix_ = {};
    }
    void put_amount(std::string_view suffix = {}) {
        if (!amount_) return;
        std::string digits = std::move(amount_->digits);
        put(digits, suffix);
    }
    void append_to_amount(std::string_view digits) {
        if (!amount_) amount_ = Amount{true, {}};
        amount_->append(digits);
    }

    const CharacterDatabase& database_;
    std::string& out_;
    std::optional<Amount> amount_;
    std::string_view prefix_;
};

bool NumberWriter::write(const Token& previous, const Token& current, const Token& next) {
    if (current.is_number) {
        write_number(current);
        return false;
    }
    if (current.word == nullptr) {
        put_amount();
        put(current.text);
        return false;
    }
    const NumberWord& word = *current.word;
    switch (word.kind) {
        case WordKind::Zero: append_to_amount("0"); return false;
        case WordKind::One: write_one(previous, word); return false;
        case WordKind::Ten:
            if (!amount_) {
                amount_ = Amount{false, std::to_string(word.value)};
            } else if (!amount_->is_text && amount_->ends_in_zeros(2)) {
                amount_->add(std::to_string(word.value));
            } else {
                amount_->concatenate(std::to_string(word.value));
            }
            return false;
        case WordKind::SuffixedOne:
        case WordKind::SuffixedTen: write_suffixed(previous, word); return false;
        case WordKind::Multiplier:
        case WordKind::SuffixedMultiplier: write_multiplier(word); return false;
        case WordKind::Sign:
            put_amount();
            if (is_numeric(next)) {
                prefix_ = word.symbol;
            } else {
                put(current.text);
            }
            return false;
        case WordKind::Currency:
            if (amount_) {
                prefix_ = word.symbol;
                put_amount();
            } else {
                put(current.text);
            }
            return false;
        case WordKind::Percent:
            if (amount_) {
                put_amount(word.symbol);
            } else {
                put(current.text);
            }
            return false;
        case WordKind::Per:
            if (amount_ && next.text == "cent") {
                put_amount(word.symbol);
                return true;
            }
            put_amount();
            put(current.text);
            return false;
        default: return write_special(previous, current, next);
    }
}

void NumberWriter::write_number(const Token& current) {
    std::string_view digits = current.text.substr(current.symbol);
    if (amount_) {
        if (amount_->is_text && amount_->digits.ends_with('.')) {  // decimals, or a part of an internet address
            amount_->concatenate(current.text);
            return;
        }
        put_amount();
    }
    if (current.symbol > 0) prefix_ = current.text.substr(0, current.symbol);
    amount_ = Amount{true, std::string(digits)};
    amount_->read_multiple(0, database_);
}

void NumberWriter::write_one(const Token& previous, const NumberWord& word) {
    std::string number = std::to_string(word.value);
    if (!amount_) {
        amount_ = Amount{false, number};
    } else if (amount_->is_text || is_kind(previous, WordKind::One)) {
        if (is_kind(previous, WordKind::Ten) && word.value < 10) amount_->digits.pop_back();  // the last digit is 0
        amount_->concatenate(number);
    } else if (amount_->ends_in_zeros(number.size())) {
        amount_->add(number);
    } else {
        amount_->concatenate(number);
    }
}

void NumberWriter::write_suffixed(const Token& previous, const NumberWord& word) {
    if (!amount_) {
        put(std::to_string(word.value), word.symbol);
        return;
    }
    if (word.kind == WordKind::SuffixedOne) {
        write_one(previous, word);
    } else if (!amount_->is_text && amount_->ends_in_zeros(2)) {
        amount_->add(std::to_string(word.value));
    } else {
        amount_->concatenate(std::to_string(word.value));
    }
    put_amount(word.symbol);
}

void NumberWriter::write_multiplier(const NumberWord& word) {
    bool is_suffixed = word.kind == WordKind::SuffixedMultiplier;
    Amount multiplier{false, std::string(static_cast<size_t>(word.value) + 1, '0')};
    multiplier.digits[0] = '1';
    if (!amount_) {
        amount_ = std::move(multiplier);
    } else if (amount_->is_text) {
        if (!amount_->read_multiple(word.value, database_)) {
            put_amount();
            amount_ = std::move(multiplier);
        }
    } else {
        amount_->multiply(word.value);
    }
    if (is_suffixed) put_amount(word.symbol);
}

bool NumberWriter::write_special(const Token& previous, const Token& current, const Token& next) {
    const NumberWord& word = *current.word;
    if (!is_numeric(next)) {
        put_amount();
        put(current.text);
    } else if (word.kind == WordKind::And) {
        if (!is_kind(previous, WordKind::Multiplier)) {  // "one hundred and one" is one number
            put_amount();
            put(current.text);
        }
    } else if (word.kind == WordKind::Point) {
        // As in the original, "point" before other words that can be part of a number is dropped.
        if (next.word == nullptr || is_decimal_word(next.word->kind)) append_to_amount(".");
    } else if (is_kind(next, WordKind::One) || is_kind(next, WordKind::Zero)) {
        std::string repeated, number = std::to_string(next.word->value);
        for (int i = 0; i < word.value; ++i) repeated += number;
        append_to_amount(repeated);
        return true;
    } else {
        put_amount();
        put(current.text);
    }
    return false;
}

}  // namespace

bool can_precede_half(std::string_view word) {
    const NumberWord* number = number_words().find(word);
    return number != nullptr && (is_decimal_word(number->kind) || number->kind == WordKind::Multiplier);
}

void write_whisper_numbers(RewrittenText& text) {
    std::string& out = text.output();
    NumberWriter(text.database(), out).write(text.text());
    text.replace_text(true);
}

}  // namespace refscore
