// Runs work on several threads. All loops use it: those over indexes (parallel.hpp), and those over segments that have
// to be loaded (loading.hpp). They differ only in how a thread gets its next part.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace refscore {

// A state of a thread, after it has asked for a part.
enum class State {
    kPart,      // it has a part
    kLongPart,  // it has a part that takes so long that other threads should start now
    kAway,      // it can get no part for some time, and may work for other calls until it is asked again
    kFinished,  // no part is left for it
};

enum class Role { kCaller, kHelper };

// One thread's share of some work. Created, used and destroyed by that thread.
class Worker {
  public:
    virtual ~Worker() = default;
    virtual State take() = 0;
    // Processes the part that take() got, and returns its size.
    virtual size_t work() = 0;
};

// Work that threads share. All members except worker(kCaller) and wait() may be called by several threads at once.
class Work {
  public:
    virtual std::unique_ptr<Worker> worker(Role role) = 0;
    // The size of what no thread has taken, roughly. It is exact while no thread works.
    virtual size_t left() const = 0;
    // Hands out nothing any more, after a thread has failed.
    virtual void cancel() = 0;
    // So many threads share what is left.
    virtual void share(size_t /*threads*/) {}
    // Calls wait(), in which the calling thread waits for the others.
    virtual void wait(const std::function<void()>& wait) { wait(); }

  protected:
    ~Work() = default;
};

// Nanoseconds per index at least, for checkpoint(). Only the order of magnitude matters.
constexpr size_t kLeastWork = 64;

// How long a thread waits for the others before it checks for interrupts, and how long it keeps other threads from the
// objects that it reads. Python switches threads after the same time.
constexpr std::chrono::milliseconds kTurn{5};

// Runs all the work, on the calling thread and on helpers. At most `threads` threads (0: all cores), one for each of
// `parts`, and only as many as the work is worth: `nanoseconds` for everything at least, and the time that it turns out
// to take. The first exception of workers, and of this thread's checkpoints, is rethrown after all threads have
// stopped.
void run(Work& work, size_t threads, size_t parts, size_t nanoseconds);

}  // namespace refscore
