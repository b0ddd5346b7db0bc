#include "refscore/segments/text_store.hpp"

#include <cstring>

namespace refscore {

void TextStore::add(const Block& block) {
    // A table of lowercase letters does not change texts of other blocks: these have only ASCII letters.
    if (block.lower != nullptr) lower_ = block.lower;
    for (const Item& item : block.references) {
        TextView text = block.texts[item.first];
        size_t bytes = text.size * unit_size(text.encoding);
        uint64_t* copy = slabs_.allocate(words_for<uint8_t>(bytes));
        if (bytes > 0) std::memcpy(copy, text.data, bytes);
        texts_.push_back({copy, text.size, text.encoding});
    }
    size_t before = starts_.back();
    for (size_t i = 1; i < block.reference_starts.size(); ++i) starts_.push_back(before + block.reference_starts[i]);
}

void TextStore::append(TextStore&& other) {
    if (other.lower_ != nullptr) lower_ = other.lower_;
    size_t before = texts_.size();
    texts_.insert(texts_.end(), other.texts_.begin(), other.texts_.end());
    for (size_t i = 1; i < other.starts_.size(); ++i) starts_.push_back(before + other.starts_[i]);
    slabs_.append(std::move(other.slabs_));
}

void TextStore::load(size_t begin, size_t end, Block& block) const {
    if (lower_ != nullptr) block.lower = lower_;
    for (size_t t = starts_[begin]; t < starts_[end]; ++t) {
        block.references.push_back({block.texts.size(), 1});
        block.texts.push_back(texts_[t]);
    }
    size_t before = block.references.size() - (starts_[end] - starts_[begin]);
    for (size_t i = begin; i < end; ++i) block.reference_starts.push_back(before + starts_[i + 1] - starts_[begin]);
}

}  // namespace refscore
