#include "refscore/threads/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "refscore/threads/stopping.hpp"
#include "refscore/threads/thread_pool.hpp"

namespace refscore {
namespace {

// The work that pays for waking a thread: it starts after about 20 µs, or 50 µs on a virtual machine.
constexpr std::chrono::nanoseconds kWorthHelper{40'000};

// Asks for as many helpers as the work is worth, so threads never make small work slower.
class Helpers {
  public:
    Helpers(ThreadPool::Job& job, size_t threads, size_t parts)
        : job_(job), threads_(std::min(threads, parts)), parts_(parts), begin_(std::chrono::steady_clock::now()) {}

    // The number of threads so far, with the calling one.
    size_t workers() const { return asked_ + 1; }
    void ask(std::chrono::nanoseconds work) {
        size_t wanted = static_cast<size_t>(work / kWorthHelper);
        if (wanted <= asked_ || workers() == threads_) return;
        // Only here, because counting the cores takes as long as a segment.
        if (threads_ == 0) threads_ = std::min(thread_count(0), parts_);
        wanted = std::min(wanted, threads_ - 1);
        if (wanted <= asked_) return;
        job_.ask(wanted - asked_);
        asked_ = wanted;
    }
    void ask_for_each(size_t left) { ask(kWorthHelper * std::min(left, parts_)); }
    // The calling thread has done this much more: asks again, judging by the time so far.
    void update(size_t size, size_t left) {
        done_ += size;
        if (done_ > 0 && workers() != threads_) ask((std::chrono::steady_clock::now() - begin_) / done_ * left);
    }
    // This many helpers have left, and may be asked for again.
    void forget(size_t helpers) { asked_ -= std::min(asked_, helpers); }

  private:
    ThreadPool::Job& job_;
    size_t threads_, parts_, asked_ = 0, done_ = 0;
    std::chrono::steady_clock::time_point begin_;
};

// One call of run().
class Schedule {
  public:
    explicit Schedule(Work& work) : work_(work) {}

    void run(size_t threads, size_t parts, size_t nanoseconds) {
        {
            ThreadPool::Job job(ThreadPool::instance(), [this] { run_helper(); });
            Helpers helpers(job, most_threads(threads), parts);
            attempt([&] { helpers.ask(std::chrono::nanoseconds(nanoseconds)); });
            // A helper that leaves gives its part back, so something may be left after all have finished.
            do {
                attempt([&] { run_caller(helpers); });
                wait_for(job);
            } while (work_.left() > 0);
        }
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void run_caller(Helpers& helpers) {
        Checkpoints checkpoints(flag_);
        work_.share(helpers.workers());
        std::unique_ptr<Worker> worker = work_.worker(Role::kCaller);
        for (State state; (state = worker->take()) == State::kPart || state == State::kLongPart;) {
            if (state == State::kLongPart) {
                helpers.ask_for_each(work_.left() + 1);
                work_.share(helpers.workers());
            }
            size_t size = worker->work();
            checkpoint(size * kLeastWork);
            helpers.forget(away_.exchange(0, std::memory_order_relaxed));
            helpers.update(size, work_.left());
            work_.share(helpers.workers());
        }
    }
    void run_helper() {
        attempt([&] {
            Checkpoints checkpoints(flag_);
            std::unique_ptr<Worker> worker = work_.worker(Role::kHelper);
            State state;
            while ((state = worker->take()) == State::kPart || state == State::kLongPart)
                checkpoint(worker->work() * kLeastWork);
            if (state == State::kAway) away_.fetch_add(1, std::memory_order_relaxed);
        });
    }
    void wait_for(ThreadPool::Job& job) {
        for (bool is_done = !job.is_asked(); !is_done;)
            attempt([&] {
                work_.wait([&] {
                    while (!(is_done = job.finish_within(kTurn))) look_for_stop();
                });
            });
    }
    template <class Call>
    void attempt(Call call) {
        try {
            call();
        } catch (...) {
            {
                std::lock_guard<std::mutex> guard(lock_);
                if (!failure_) failure_ = std::current_exception();
            }
            flag_.raise();
            work_.cancel();
        }
    }

    Work& work_;
    StopFlag flag_;
    std::atomic<size_t> away_{0};  // helpers that have left
    std::mutex lock_;
    std::exception_ptr failure_;
};

}  // namespace

void run(Work& work, size_t threads, size_t parts, size_t nanoseconds) {
    if (work.left() > 0) Schedule(work).run(threads, parts, nanoseconds);
}

}  // namespace refscore
