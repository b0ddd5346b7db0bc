// Loops and chunks on the thread pool, from several callers at once, nested, and with failures. All work is done
// exactly once, and exceptions are rethrown.
#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>

#include "input.hpp"
#include "refscore/threads/loading.hpp"
#include "refscore/threads/parallel.hpp"
#include "refscore/threads/stopping.hpp"

using namespace refscore;
using namespace refscore::fuzzing;

namespace {

struct Task {
    uint8_t kind;
    size_t size, threads, range, bad;
};

struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void run_loop(const Task& task, const Task* inner);

void run_chunks(const Task& task, const Task* inner) {
    struct Chunk {
        size_t number = 0;
        std::vector<int> seen;
    };
    std::vector<std::atomic<int>> worked(task.size);
    auto pieces_of = [&](size_t i) { return 1 + i * task.range % 4; };
    auto load = [&](size_t i, Chunk& chunk, std::vector<Piece>& pieces) {
        if (i == task.bad && task.kind % 3 == 1) throw Failed("load");
        chunk.number = i;
        chunk.seen.assign(pieces_of(i), 0);
        for (size_t piece = 0; piece < pieces_of(i); ++piece) pieces.push_back({piece, piece + 1, i * 7 % (piece + 3)});
    };
    auto work = [&](Chunk& chunk, size_t begin, size_t end) {
        if (chunk.number == task.bad && task.kind % 3 != 1) throw Failed("work");
        CHECK(end == begin + 1 && ++chunk.seen[begin] == 1);
        if (inner != nullptr && chunk.number == 0) run_loop(*inner, nullptr);
        ++worked[chunk.number];
    };
    bool failed = false;
    try {
        process_loaded_by_caller<Chunk>(
            task.size, task.threads, 100'000, load, [](const auto& call) { call(); }, [&] { return work; });
    } catch (const Failed&) {
        failed = true;
    }
    CHECK(failed == (task.bad < task.size));
    for (size_t i = 0; i < task.size && !failed; ++i) CHECK(worked[i] == static_cast<int>(pieces_of(i)));
}

void run_loop(const Task& task, const Task* inner) {
    std::vector<int> worked(task.size);
    struct Polls final : StopCheck {
        size_t left;
        explicit Polls(size_t count) : left(count) {}
        void look() override {
            if (left-- == 0) throw Failed("poll");
        }
    } polls(task.bad);
    bool failed = false;
    try {
        std::optional<Checkpoints> checkpoints;
        if (task.kind % 3 == 1 && inner == nullptr) checkpoints.emplace(polls);
        parallel_for(
            task.size, task.threads,
            [&] {
                if (task.bad < task.size && task.kind % 3 == 2) throw Failed("make");
                return [&](size_t from, size_t to) {
                    for (size_t i = from; i < to; ++i) {
                        if (i == task.bad && task.kind % 3 == 0) throw Failed("work");
                        checkpoint(SIZE_MAX);
                        ++worked[i];
                        if (inner != nullptr && i == 0) run_chunks(*inner, nullptr);
                    }
                };
            },
            task.range);
    } catch (const Failed&) {
        failed = true;
    }
    if (task.kind % 3 != 1) CHECK(failed == (task.bad < task.size));
    for (size_t i = 0; i < task.size && !failed; ++i) CHECK(worked[i] == 1);
}

Task read_task(Input& input) {
    Task task{input.byte(), input.below(200), input.below(9), 1 + input.below(40), input.byte()};
    if (task.bad >= 64) task.bad = SIZE_MAX;
    return task;
}

void run(const Task& task, const Task* inner) {
    (task.kind & 128) != 0 ? run_loop(task, inner) : run_chunks(task, inner);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    std::vector<std::vector<std::pair<Task, Task>>> callers(1 + input.below(4));
    for (size_t i = 0; !input.is_empty() && i < 12; ++i) {
        Task outer = read_task(input), inner = read_task(input);
        callers[i % callers.size()].emplace_back(outer, inner);
    }
    auto call = [](const std::vector<std::pair<Task, Task>>& tasks) {
        for (const auto& [outer, inner] : tasks) run(outer, (inner.kind & 1) != 0 ? &inner : nullptr);
    };
    std::vector<std::thread> threads;
    for (size_t i = 1; i < callers.size(); ++i) threads.emplace_back(call, std::cref(callers[i]));
    call(callers[0]);
    for (std::thread& thread : threads) thread.join();
    return 0;
}
