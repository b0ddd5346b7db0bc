// Every index is loaded and processed once for any number of threads, also if loads are cut short, and exceptions of
// any thread are rethrown. Run it under ThreadSanitizer.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "doctest.hpp"
#include "refscore/threads/loading.hpp"
#include "refscore/threads/stopping.hpp"

using namespace refscore;

namespace {

struct Chunk {
    size_t begin = 0, end = 0;
};

// Each load takes at most `most` indexes. Indexes that are multiples of `stuck` need the calling thread.
void run(size_t size, size_t threads, size_t most, size_t stuck, size_t bad_load, size_t bad_work) {
    std::vector<std::atomic<int>> worked(size);
    LoadGate gate;
    auto load = [&](size_t begin, size_t end, Chunk& chunk) -> LoadedPart {
        if (begin <= bad_load && bad_load < end) throw std::runtime_error("load");
        size_t last = std::min(end, begin + most), needs = begin;
        while (needs < last && (stuck == 0 || needs % stuck != 0)) ++needs;
        chunk = {begin, needs};
        return {needs, begin % 5 == 0, needs < last};
    };
    auto work = [&](Chunk& chunk) {
        if (chunk.begin <= bad_work && bad_work < chunk.end) throw std::runtime_error("work");
        for (size_t i = chunk.begin; i < chunk.end; ++i) ++worked[i];
    };
    bool failed = false;
    std::vector<Piece> left;
    try {
        left = process_loaded_by_all<Chunk>(size, threads, 16, 1000, gate, load, [&] { return work; });
    } catch (const std::runtime_error&) {
        failed = true;
    }
    CHECK(failed == (bad_load < size || bad_work < size));
    if (failed) return;
    size_t before = 0;
    for (const Piece& range : left) {
        CHECK(range.begin >= before);
        CHECK(range.begin < range.end);
        CHECK(range.end <= size);
        before = range.end;
        CHECK(stuck != 0);
        CHECK(range.begin % stuck == 0);
        for (size_t i = range.begin; i < range.end; ++i) ++worked[i];
    }
    for (size_t i = 0; i < size; ++i) CHECK(worked[i] == 1);
}

// Nobody loads while the gate is closed.
void run_with_turns(size_t threads) {
    LoadGate gate;
    std::atomic<int> value{0};
    struct Turns final : StopCheck {
        LoadGate& gate;
        std::atomic<int>& value;
        size_t count = 0;
        Turns(LoadGate& closed, std::atomic<int>& changed) : gate(closed), value(changed) {}
        void look() override {
            gate.close();
            value = 1;
            std::this_thread::yield();
            value = 0;
            gate.open();
            ++count;
        }
    } turns(gate, value);
    auto load = [&](size_t begin, size_t end, Chunk& chunk) -> LoadedPart {
        CHECK(value == 0);
        std::this_thread::yield();
        CHECK(value == 0);
        chunk = {begin, end};
        return {end, false, false};
    };
    std::atomic<size_t> worked{0};
    {
        Checkpoints checkpoints(turns);
        auto make = [&] {
            return [&](Chunk& chunk) {
                checkpoint(SIZE_MAX);
                worked += chunk.end - chunk.begin;
            };
        };
        CHECK((process_loaded_by_all<Chunk>(5000, threads, 8, 1000, gate, load, make).empty()));
    }
    CHECK(worked == 5000);
    CHECK(turns.count > 0);
}

}  // namespace

TEST_CASE("every index is loaded and processed once") {
    for (size_t threads : {1, 2, 3, 8})
        for (size_t size : {0, 1, 2, 7, 64, 1000})
            for (size_t most : {1, 3, 100})
                for (size_t stuck : {0, 1, 7, 100}) {
                    run(size, threads, most, stuck, SIZE_MAX, SIZE_MAX);
                    run(size, threads, most, 0, size / 2, SIZE_MAX);
                    run(size, threads, most, 0, SIZE_MAX, size / 3);
                }
    for (size_t threads : {1, 2, 8}) run_with_turns(threads);
}
