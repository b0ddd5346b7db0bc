#include "refscore/overlap/suffix_order.hpp"

#include <utility>

#include "refscore/threads/stopping.hpp"

namespace refscore {
namespace {

constexpr size_t kSuffixWork =
    8;  // nanoseconds per suffix and step, for checkpoint(); only the order of magnitude matters

}  // namespace

// Prefix doubling (Manber and Myers 1993). Suffixes sorted by their first k symbols can be sorted by 2k symbols in
// linear time, because the symbols after the first k are a suffix that is already sorted.
void SuffixOrder::build(std::span<const uint32_t> sequence, uint32_t alphabet) {
    size_t size = sequence.size();
    suffixes_.reserve(size);
    classes_.reserve(size);
    next_classes_.reserve(size);
    by_second_.reserve(size);
    for (size_t i = 0; i < size; ++i) {
        classes_[i] = sequence[i];
        by_second_[i] = static_cast<uint32_t>(i);
    }
    size_t classes = alphabet;
    for (size_t compared = 0;;) {
        checkpoint(kSuffixWork * size);
        sort_by_class(size, classes);
        checkpoint(kSuffixWork * size);
        size_t next = compared == 0 ? 1 : 2 * compared;
        auto follows = [&](uint32_t suffix) {
            return suffix + compared < size ? classes_[suffix + compared] + size_t{1} : 0;
        };
        uint32_t last = 0;
        classes = 0;
        for (size_t k = 0; k < size; ++k) {
            uint32_t suffix = suffixes_[k];
            bool differs =
                k == 0 || classes_[last] != classes_[suffix] || (compared > 0 && follows(last) != follows(suffix));
            classes += differs;
            next_classes_[suffix] = static_cast<uint32_t>(classes - 1);
            last = suffix;
        }
        std::swap(classes_, next_classes_);
        compared = next;
        if (classes == size || compared >= size) break;
        checkpoint(kSuffixWork * size);
        size_t at = 0;
        for (size_t i = size - compared; i < size; ++i) by_second_[at++] = static_cast<uint32_t>(i);
        for (size_t k = 0; k < size; ++k)
            if (suffixes_[k] >= compared) by_second_[at++] = suffixes_[k] - static_cast<uint32_t>(compared);
    }
    checkpoint(kSuffixWork * size);
    measure_common(sequence);
}

void SuffixOrder::sort_by_class(size_t size, size_t classes) {
    uint32_t* counts = counts_.reserve(classes + 1);
    std::fill(counts, counts + classes + 1, 0);
    for (size_t i = 0; i < size; ++i) ++counts[classes_[i] + 1];
    for (size_t c = 0; c < classes; ++c) counts[c + 1] += counts[c];
    for (size_t i = 0; i < size; ++i) suffixes_[counts[classes_[by_second_[i]]]++] = by_second_[i];
}

// Kasai et al. (2001): from one suffix to the next shorter one, the common prefix with its neighbour shrinks by at most
// one.
void SuffixOrder::measure_common(std::span<const uint32_t> sequence) {
    size_t size = sequence.size();
    common_.reserve(size);
    uint32_t* place = classes_.data();  // reused as the inverse of suffixes_
    for (size_t k = 0; k < size; ++k) place[suffixes_[k]] = static_cast<uint32_t>(k);
    size_t common = 0;
    for (size_t i = 0; i < size; ++i) {
        if (place[i] == 0) {
            common = 0;
            continue;
        }
        size_t before = suffixes_[place[i] - 1];
        while (i + common < size && before + common < size && sequence[i + common] == sequence[before + common])
            ++common;
        common_[place[i]] = static_cast<uint32_t>(common);
        common -= common > 0;
    }
}

}  // namespace refscore
