#include "refscore/statistics/exact_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "refscore/base/preconditions.hpp"

namespace refscore {
namespace {

constexpr size_t kLimbBits = 32;  // half of the 64-bit integer that stores a limb; the other half collects carries
constexpr int64_t kLimbValues = int64_t{1} << kLimbBits;
constexpr int64_t kLimbMask = kLimbValues - 1;

// Limb 34 begins with the bit worth 1. Bit 0 of limb 0 is then worth 2^-1088, which is below 2^-1074, the smallest
// double.
constexpr size_t kUnitLimb = 34;
constexpr size_t kUnitBit = kUnitLimb * kLimbBits;
constexpr size_t kLowestBit = kUnitBit - 1074;

// Doubles reach up to limb 65. The other four take carries, of more terms than can ever be added.
constexpr size_t kMostLimbs = 70;

// A term adds less than 2^52 to a limb. After 512 = 2^9 terms a limb is below 2^62, so it cannot overflow.
constexpr uint32_t kMostPending = 512;

// The IEEE 754 binary64 format.
constexpr uint64_t kExponentMask = 0x7ff;
constexpr size_t kMantissaBits = 52;

// A double as the sum of the values of two limbs, `limb` and the next one.
struct Term {
    size_t limb;
    int64_t low, high;
};

// Splits a nonzero number. Infinity and NaN get the limb kLargestLimb, like the largest finite numbers.
constexpr size_t kLargestLimb = 64;  // (2047 + kUnitBit - 1075) / kLimbBits, for the highest exponent
Term split(double number) {
    auto bits = std::bit_cast<uint64_t>(number);
    uint64_t exponent = bits >> kMantissaBits & kExponentMask, mantissa = bits & ((uint64_t{1} << kMantissaBits) - 1);
    mantissa |= uint64_t{exponent != 0} << kMantissaBits;
    // The position of the lowest mantissa bit; 1075 is the exponent bias, 1023, plus kMantissaBits. Subnormal numbers
    // share the smallest exponent.
    size_t bit = exponent + (exponent == 0) + (kUnitBit - 1075), shift = bit % kLimbBits;
    auto low = static_cast<int64_t>(mantissa << shift & static_cast<uint64_t>(kLimbMask));
    auto high = static_cast<int64_t>(mantissa >> (kLimbBits - shift));
    bool is_negative = bits >> 63 != 0;
    return {bit / kLimbBits, is_negative ? -low : low, is_negative ? -high : high};
}

// Moves the bits of each limb above the lowest 32 to the next limb. The last limb keeps them, and the sign.
void carry_limbs(int64_t* limbs, size_t width) {
    int64_t carried = 0;
    for (size_t i = 0; i + 1 < width; ++i) {
        int64_t value = limbs[i] + carried;
        limbs[i] = value & kLimbMask;
        carried = value >> kLimbBits;
    }
    limbs[width - 1] += carried;
}

// Whether the last limb exceeds 32 bits after a carry.
bool is_full(int64_t limb) { return limb <= -kLimbValues || limb >= kLimbValues; }

// A sum after all carries.
struct Sum {
    bool is_negative = false;
    size_t first = 0, size = 0;  // the limbs in use; the first and the last are not 0
    std::array<uint32_t, kMostLimbs + 2> limbs;

    size_t end() const { return first + size; }
};

Sum read_sum(const int64_t* from, size_t first, size_t width) {
    // One extra limb for the bits of the last limb above 32, and one for the sign.
    std::array<int64_t, kMostLimbs + 2> limbs;
    std::copy_n(from, width, limbs.begin());
    limbs[width] = limbs[width + 1] = 0;
    width += 2;
    carry_limbs(limbs.data(), width);
    Sum sum;
    sum.is_negative = limbs[width - 1] < 0;
    if (sum.is_negative) {
        for (size_t i = 0; i < width; ++i) limbs[i] = -limbs[i];
        carry_limbs(limbs.data(), width);
    }
    size_t begin = 0;
    while (width > 0 && limbs[width - 1] == 0) --width;
    while (begin < width && limbs[begin] == 0) ++begin;
    sum.first = width == 0 ? 0 : first + begin;
    sum.size = width - begin;
    std::copy_n(limbs.begin() + static_cast<ptrdiff_t>(begin), sum.size, sum.limbs.begin());
    return sum;
}

double as_double(const Sum& sum) {
    if (sum.size == 0) return 0;
    // The highest 64 bits, starting with a 1, and whether lower bits are set.
    auto limb_from_end = [&](size_t i) { return i < sum.size ? uint64_t{sum.limbs[sum.size - 1 - i]} : 0; };
    auto zeros = static_cast<size_t>(std::countl_zero(static_cast<uint32_t>(limb_from_end(0))));
    uint64_t low = limb_from_end(2) << zeros;
    uint64_t high = (limb_from_end(0) << kLimbBits | limb_from_end(1)) << zeros | low >> kLimbBits;
    bool has_more = (low & kLimbMask) != 0 || sum.size > 3;  // the lowest limb is not 0
    // A mantissa has 53 bits, fewer if it would extend below the smallest double.
    size_t end = sum.end() * kLimbBits - zeros, begin = std::max(kLowestBit, end - std::min(end, kMantissaBits + 1));
    size_t dropped = 64 - (end - begin);
    uint64_t mantissa = high >> dropped, rest = high << (64 - dropped), half = uint64_t{1} << 63;
    if (rest > half || (rest == half && (has_more || (mantissa & 1) != 0))) ++mantissa;
    double number = std::ldexp(static_cast<double>(mantissa), static_cast<int>(begin) - static_cast<int>(kUnitBit));
    return sum.is_negative ? -number : number;
}

int64_t as_integer(const Sum& sum) {
    if (sum.size == 0) return 0;
    uint64_t value = 0, most = uint64_t{std::numeric_limits<int64_t>::max()} + sum.is_negative;
    bool is_integer = sum.first >= kUnitLimb && sum.end() <= kUnitLimb + 2;
    for (size_t i = 0; is_integer && i < sum.size; ++i)
        value |= uint64_t{sum.limbs[i]} << (sum.first + i - kUnitLimb) * kLimbBits;
    if (!is_integer || value > most) throw std::overflow_error("a sum is not a 64-bit integer");
    return static_cast<int64_t>(sum.is_negative ? 0 - value : value);
}

}  // namespace

ExactSums::ExactSums(size_t groups, size_t columns) : columns_(columns), pending_(groups) {
    constexpr size_t kMostCells = std::numeric_limits<ptrdiff_t>::max() / (kMostLimbs * sizeof(int64_t));
    if (columns > 0 && groups > kMostCells / columns) throw std::invalid_argument("a table of sums is too large");
}

void ExactSums::check_groups(Codes codes, size_t count) const {
    // Rows without columns have no numbers to count them by.
    require(!codes || columns_ == 0 || codes->size() == count, "there must be a code for each row");
    auto is_unknown = [&](int64_t code) { return code < 0 || static_cast<size_t>(code) >= groups(); };
    if (codes ? std::any_of(codes->begin(), codes->end(), is_unknown) : groups() == 0 && count > 0)
        throw std::invalid_argument("a code must be at least 0 and below the number of groups");
}

void ExactSums::reserve_terms(size_t group, size_t terms) {
    if (pending_[group] + terms > kMostPending) carry(group);
    pending_[group] += static_cast<uint32_t>(terms);
}

void ExactSums::cover_term(double number, size_t limb) {
    if (limb == kLargestLimb && !std::isfinite(number)) throw NotFinite();
    cover(limb, limb + 3);  // two limbs for a mantissa, and one for carries
}

void ExactSums::add_term(size_t group, size_t column, size_t limb, int64_t low, int64_t high) {
    int64_t* limbs = cells(group) + column * width_ + (limb - first_);
    limbs[0] += low;
    limbs[1] += high;
}

void ExactSums::add_column(size_t column, std::span<const double> rows) {
    // Numbers from 2^-12 to 2^20 use the same two limbs, which then stay in registers.
    constexpr size_t kNone = SIZE_MAX;
    size_t limb = kNone;
    int64_t low = 0, high = 0;
    for (size_t i = column; i < rows.size(); i += columns_) {
        double number = rows[i];
        if (number == 0) continue;
        Term term = split(number);
        if (term.limb != limb || limb == kLargestLimb) {
            if (limb != kNone) add_term(0, column, limb, low, high);
            cover_term(number, term.limb);
            limb = term.limb;
            low = high = 0;
        }
        low += term.low;
        high += term.high;
    }
    if (limb != kNone) add_term(0, column, limb, low, high);
}

void ExactSums::add(std::span<const double> rows, Codes codes) {
    const size_t count = count_rows(rows.size());
    check_groups(codes, count);
    if (!codes) {
        for (size_t i = 0, terms; i < count; i += terms) {
            terms = std::min<size_t>(kMostPending, count - i);
            reserve_terms(0, terms);
            for (size_t c = 0; c < columns_; ++c) add_column(c, rows.subspan(i * columns_, terms * columns_));
        }
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        auto group = static_cast<size_t>((*codes)[i]);
        reserve_terms(group, 1);
        for (size_t c = 0; c < columns_; ++c) {
            double number = rows[i * columns_ + c];
            if (number == 0) continue;
            Term term = split(number);
            cover_term(number, term.limb);
            add_term(group, c, term.limb, term.low, term.high);
        }
    }
}

void ExactSums::add(std::span<const int64_t> rows, Codes codes) {
    const size_t count = count_rows(rows.size());
    check_groups(codes, count);
    if (count == 0) return;
    cover(kUnitLimb, kUnitLimb + 3);
    size_t begin = codes ? 0 : add_small(rows);
    for (size_t i = begin; i < count; ++i) {
        size_t group = codes ? static_cast<size_t>((*codes)[i]) : 0;
        reserve_terms(group, 1);
        std::span<const int64_t> row = rows.subspan(i * columns_, columns_);
        int64_t* limbs = cells(group) + (kUnitLimb - first_);
        for (size_t c = 0; c < columns_; ++c, limbs += width_) {
            limbs[0] += row[c] & kLimbMask;
            limbs[1] += row[c] >> kLimbBits;
        }
    }
}

// Counts usually fit into one limb. Their sums over many rows are added to the limbs at once.
size_t ExactSums::add_small(std::span<const int64_t> rows) {
    const size_t count = count_rows(rows.size());
    constexpr size_t kRows = 1024;
    std::vector<int64_t> sums(columns_);
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = std::min(begin + kRows, count);
        int64_t bits = 0;
        std::fill(sums.begin(), sums.end(), 0);
        for (size_t i = begin; i < end; ++i)
            for (size_t c = 0; c < columns_; ++c) {
                bits |= rows[i * columns_ + c];
                sums[c] += rows[i * columns_ + c] & kLimbMask;
            }
        if (bits >> kLimbBits != 0) return begin;
        reserve_terms(0, end - begin);
        for (size_t c = 0; c < columns_; ++c) cells(0)[c * width_ + (kUnitLimb - first_)] += sums[c];
    }
    return count;
}

void ExactSums::merge(const ExactSums& other, Codes codes) {
    if (other.columns_ != columns_ || (!codes && other.groups() != groups()))
        throw std::invalid_argument("only sums of the same columns and groups can be merged");
    if (&other == this) return merge(ExactSums(other), codes);
    if (codes) check_groups(codes, other.groups());
    if (other.width_ == 0) return;
    cover(other.first_, other.first_ + other.width_);
    std::vector<int64_t> limbs;
    for (size_t i = 0; i < other.groups(); ++i) {
        size_t group = codes ? static_cast<size_t>((*codes)[i]) : i;
        reserve_terms(group, 1);
        for (size_t c = 0; c < columns_; ++c) {
            const int64_t* from = other.limbs_.data() + (i * columns_ + c) * other.width_;
            limbs.assign(from, from + other.width_);
            carry_limbs(limbs.data(), limbs.size());
            if (is_full(limbs.back())) {
                limbs.push_back(0);
                carry_limbs(limbs.data(), limbs.size());
                cover(other.first_, other.first_ + limbs.size());
            }
            int64_t* to = cells(group) + c * width_ + (other.first_ - first_);
            for (size_t k = 0; k < limbs.size(); ++k) to[k] += limbs[k];
        }
    }
}

void ExactSums::widen(size_t first, size_t end) {
    if (width_ > 0) {
        first = std::min(first, first_);
        end = std::max(end, first_ + width_);
    }
    if (end > kMostLimbs) throw std::overflow_error("a sum is too large");
    size_t width = end - first;
    std::vector<int64_t> wider(pending_.size() * columns_ * width);
    for (size_t cell = 0; width_ > 0 && cell < pending_.size() * columns_; ++cell)
        std::copy_n(limbs_.begin() + static_cast<ptrdiff_t>(cell * width_), width_,
                    wider.begin() + static_cast<ptrdiff_t>(cell * width + (first_ - first)));
    limbs_ = std::move(wider);
    first_ = first;
    width_ = width;
}

void ExactSums::carry(size_t group) {
    pending_[group] = 0;
    if (width_ == 0) return;  // only zeros have been added
    bool any_full = false;
    for (size_t c = 0; c < columns_; ++c) {
        int64_t* limbs = cells(group) + c * width_;
        carry_limbs(limbs, width_);
        any_full |= is_full(limbs[width_ - 1]);
    }
    if (any_full) {
        cover(first_, first_ + width_ + 1);
        for (size_t c = 0; c < columns_; ++c) carry_limbs(cells(group) + c * width_, width_);
    }
}

template <class Visit>
void ExactSums::for_each_sum(size_t group, Visit visit) const {
    for (size_t c = 0; c < columns_; ++c)
        visit(read_sum(limbs_.data() + (group * columns_ + c) * width_, first_, width_));
}

void ExactSums::round(std::span<double> out) const {
    size_t cell = 0;
    for (size_t group = 0; group < groups(); ++group)
        for_each_sum(group, [&](const Sum& sum) { out[cell++] = as_double(sum); });
}

void ExactSums::round(std::span<int64_t> out) const {
    size_t cell = 0;
    for (size_t group = 0; group < groups(); ++group)
        for_each_sum(group, [&](const Sum& sum) { out[cell++] = as_integer(sum); });
}

// Per column: the sign (1 if negative), the first nonzero limb, the number of limbs up to the last nonzero one, and
// these limbs in little-endian order. The first three are 0 for a sum of 0.
std::string ExactSums::bytes(size_t group) const {
    std::string bytes;
    for_each_sum(group, [&](const Sum& sum) {
        bytes += static_cast<char>(sum.is_negative);
        bytes += static_cast<char>(sum.first);
        bytes += static_cast<char>(sum.size);
        for (size_t i = 0; i < sum.size; ++i)
            for (size_t shift = 0; shift < kLimbBits; shift += 8) bytes += static_cast<char>(sum.limbs[i] >> shift);
    });
    return bytes;
}

void ExactSums::add_bytes(size_t group, std::span<const char> bytes) {
    if (group >= groups()) throw std::invalid_argument("there is no such group of sums");
    auto check = [](bool is_valid) {
        if (!is_valid) throw std::invalid_argument("these bytes are not the sums of a row of this width");
    };
    auto take = [&]() -> uint32_t {
        check(!bytes.empty());
        auto byte = static_cast<uint8_t>(bytes[0]);
        bytes = bytes.subspan(1);
        return byte;
    };
    ExactSums read(1, columns_);
    for (size_t c = 0; c < columns_; ++c) {
        uint32_t is_negative = take();
        size_t first = take(), count = take();
        check(is_negative <= 1 && first + count + 2 <= kMostLimbs);
        if (count == 0) {
            check(is_negative == 0 && first == 0);
            continue;
        }
        read.cover(first, first + count + 1);
        int64_t* limbs = read.cells(0) + c * read.width_ + (first - read.first_);
        for (size_t i = 0; i < count; ++i) {
            uint32_t limb = 0;
            for (size_t shift = 0; shift < kLimbBits; shift += 8) limb |= take() << shift;
            check(limb != 0 || (i > 0 && i + 1 < count));
            check(first + i > 0 || (limb & ((uint32_t{1} << kLowestBit) - 1)) == 0);
            limbs[i] = is_negative != 0 ? -int64_t{limb} : int64_t{limb};
        }
    }
    check(bytes.empty());
    const int64_t code[] = {static_cast<int64_t>(group)};
    merge(read, std::span(code));
}

}  // namespace refscore
