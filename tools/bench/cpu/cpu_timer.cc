#include <time.h>

#include <algorithm>
#include <chrono>

#include "timer.hh"

namespace batchlas::bench {
namespace {

double process_cpu_seconds() {
  timespec spent{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent) != 0) return 0;
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

class CpuTimer : public Timer {
 public:
  int max_calls(const Work&) const override { return 20000; }

  Sample measure(const Work& work, int calls) override {
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double> timed{0};
    const auto wall_start = Clock::now();
    const double cpu_start = process_cpu_seconds();
    for (int call = 0; call < calls; ++call) {
      if (call % work.sets == 0) work.restore();
      const auto start = Clock::now();
      work.run(call % work.sets);
      timed += Clock::now() - start;
    }
    const double cpu = process_cpu_seconds() - cpu_start;
    const std::chrono::duration<double> wall = Clock::now() - wall_start;
    return {.ms = 1e3 * timed.count() / calls, .cpu_share = cpu / std::max(wall.count(), 1e-9)};
  }
};

}  // namespace

std::unique_ptr<Timer> make_cpu_timer() {
  return std::make_unique<CpuTimer>();
}

}  // namespace batchlas::bench
