// Lines of a UTF-8 file, read without a Python object per line.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <vector>

#include "python_input.hpp"
#include "refscore/text/utf8.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {

class TextLines {
  public:
    // If the rules lowercase all letters, lines that need more than a table to be lowercased are lowercased here, in
    // Python.
    TextLines(nb::bytes data, const TextRules& rules, size_t threads)
        : data_(std::move(data)), lower_(rules.lowercase == Lowercase::Full ? lower_table() : nullptr) {
        without_gil([&] { split(); });
        std::vector<std::vector<size_t>> for_python(pieces_.size());
        std::atomic<bool> is_utf8{true};
        without_gil([&] {
            parallel_for(
                pieces_.size(), threads,
                [&] {
                    return [&](size_t from, size_t to) {
                        for (size_t piece = from; piece < to; ++piece) check(piece, is_utf8, for_python[piece]);
                    };
                },
                1, kPiece / 4);
        });
        is_utf8_ = is_utf8;
        if (!is_utf8_) return;
        for (const std::vector<size_t>& lines : for_python)
            for (size_t line : lines) lower(line);
    }

    bool is_utf8() const { return is_utf8_; }
    size_t size() const { return views_.size(); }
    // Ranges of lines for one thread at a time.
    const std::vector<Piece>& pieces() const { return pieces_; }

    void load(size_t begin, size_t end, Block& block) const {
        block.clear();
        block.lower = lower_;
        block.texts.assign(views_.begin() + static_cast<ptrdiff_t>(begin),
                           views_.begin() + static_cast<ptrdiff_t>(end));
        for (size_t i = 0; i < end - begin; ++i) block.hypotheses.push_back({i, 1});
    }

  private:
    static constexpr size_t kPiece = 1 << 16;  // bytes: about 0.1 ms of work

    // Lines end with "\n" or "\r\n", like those of the readers.
    void split() {
        const char* text = data_.c_str();
        const char* const end = text + data_.size();
        size_t first = 0, bytes = 0;
        while (text != end) {
            const void* found = std::memchr(text, '\n', static_cast<size_t>(end - text));
            const char* stop = found == nullptr ? end : static_cast<const char*>(found);
            auto size = static_cast<size_t>(stop - text);
            bytes += size + 1;
            if (size > 0 && text[size - 1] == '\r') --size;
            views_.push_back({text, size, Encoding::Utf8});
            text = stop == end ? end : stop + 1;
            if (bytes < kPiece && text != end) continue;
            pieces_.push_back({first, views_.size()});
            first = views_.size();
            bytes = 0;
            checkpoint(kPiece / 16);
        }
    }

    void check(size_t piece, std::atomic<bool>& all, std::vector<size_t>& for_python) const {
        for (size_t line = pieces_[piece].begin; line < pieces_[piece].end; ++line) {
            const auto* bytes = static_cast<const uint8_t*>(views_[line].data);
            if (is_ascii(bytes, views_[line].size)) continue;
            if (!refscore::is_utf8(bytes, views_[line].size)) all = false;
            if (lower_ != nullptr && needs_python_to_lower(views_[line])) for_python.push_back(line);
        }
    }

    void lower(size_t line) {
        TextView& view = views_[line];
        nb::object text = steal_checked(
            PyUnicode_DecodeUTF8(static_cast<const char*>(view.data), static_cast<Py_ssize_t>(view.size), nullptr));
        text = text.attr("lower")();
        Py_ssize_t size = 0;
        const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (bytes == nullptr) throw nb::python_error();
        view = {bytes, static_cast<size_t>(size), Encoding::Utf8};
        lowered_.push_back(std::move(text));
    }

    nb::bytes data_;
    const uint16_t* lower_;
    std::vector<TextView> views_;
    std::vector<nb::object> lowered_;  // keep their views valid
    std::vector<Piece> pieces_;
    bool is_utf8_ = true;
};

}  // namespace refscore::bindings
