// Loops over the segments of Python input, on several threads.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "python_input.hpp"
#include "refscore/threads/piece.hpp"

namespace refscore::bindings {

// Processes pieces of blocks, on one thread.
class PieceWorker {
  public:
    virtual ~PieceWorker() = default;
    virtual void process(LoadedBlock& block, size_t begin, size_t end) = 0;
};

// Calls process(block, begin, end) for pieces of all blocks of the input. make() creates the worker of each thread.
// `cut` appends the pieces of a loaded block. With several threads, each loads its own blocks; the calling thread loads
// segments that need Python.
void process_pieces(PythonInput& input, size_t threads, void (*cut)(const Block&, std::vector<Piece>&),
                    const std::function<std::unique_ptr<PieceWorker>()>& make);

// The same with functions: make() returns the function of a thread.
template <class Make>
void for_each_piece(PythonInput& input, size_t threads, void (*cut)(const Block&, std::vector<Piece>&), Make make) {
    class Worker final : public PieceWorker {
      public:
        explicit Worker(decltype(make()) work) : work_(std::move(work)) {}
        void process(LoadedBlock& block, size_t begin, size_t end) override { work_(block, begin, end); }

      private:
        decltype(make()) work_;
    };
    process_pieces(input, threads, cut, [&] { return std::make_unique<Worker>(make()); });
}

// The same for whole blocks: worker(block).
template <class Make>
void for_each_block(PythonInput& input, size_t threads, Make make) {
    for_each_piece(
        input, threads, [](const Block&, std::vector<Piece>& pieces) { pieces.push_back({0, 0}); },
        [&] { return [worker = make()](LoadedBlock& block, size_t, size_t) mutable { worker(block); }; });
}

}  // namespace refscore::bindings
