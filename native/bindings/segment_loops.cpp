#include "segment_loops.hpp"

#include <algorithm>

#include "refscore/threads/loading.hpp"
#include "released_gil.hpp"

namespace refscore::bindings {

void process_pieces(PythonInput& input, size_t threads, void (*cut)(const Block&, std::vector<Piece>&),
                    const std::function<std::unique_ptr<PieceWorker>()>& make) {
    // Segments per block: enough to amortize releasing the GIL, and few enough that their strings are still cached when
    // they are scored.
    constexpr size_t kSegments = 64;
    constexpr size_t kSegmentWork =
        250;  // nanoseconds at least, measured with BLEU; only the order of magnitude matters
    std::vector<Piece> blocks{{0, input.size()}};
    if (threads != 1 && input.size() > 1 && input.prepare_copying()) {
        LoadGate gate;
        auto load = [&](size_t begin, size_t end, LoadedBlock& block) { return input.load_copied(begin, end, block); };
        auto work = [&] {
            return [worker = make()](LoadedBlock& loaded) { worker->process(loaded, 0, loaded.block.size()); };
        };
        auto run = [&] {
            blocks =
                process_loaded_by_all<LoadedBlock>(input.size(), threads, kSegments, kSegmentWork, gate, load, work);
        };
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (input.has_objects()) {
            with_gil_turns(gate, run);
        } else {
            without_gil(run);
        }
        if (blocks.empty()) return;
    }
    std::vector<Piece> parts;
    for (const Piece& range : blocks)
        for (size_t begin = range.begin; begin < range.end; begin += kSegments)
            parts.push_back({begin, std::min(begin + kSegments, range.end)});
    auto load = [&](size_t i, LoadedBlock& block, std::vector<Piece>& pieces) {
        input.load(parts[i].begin, parts[i].end, block);
        cut(block.block, pieces);
    };
    auto work = [&] {
        return [worker = make()](LoadedBlock& block, size_t begin, size_t end) { worker->process(block, begin, end); };
    };
    process_loaded_by_caller<LoadedBlock>(
        parts.size(), threads, kSegments * kSegmentWork, load, [](const auto& run) { without_gil(run); }, work);
}

}  // namespace refscore::bindings
