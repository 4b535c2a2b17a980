// The queue of CPU and host executor: every call has finished on return.
#include <chrono>
#include <cstring>
#include <stdexcept>

#include "device/state.hh"

namespace batchlas::inline v0::detail {
namespace {

using Clock = std::chrono::steady_clock;

struct CpuEvent final : EventState {
  Clock::time_point time = Clock::now();

  void wait() override {}
  bool query() override { return true; }
  double elapsed_since(EventState& earlier) override {
    const auto* from = dynamic_cast<const CpuEvent*>(&earlier);
    if (!from) throw std::invalid_argument("elapsed_ms: the events are of queues of different device kinds");
    return std::chrono::duration<double, std::milli>(time - from->time).count();
  }
};

class CpuQueue final : public QueueState {
 public:
  using QueueState::QueueState;

  void wait() override {}
  std::shared_ptr<EventState> record() override { return std::make_shared<CpuEvent>(); }
  void wait_for(EventState& event) override { event.wait(); }
  void copy(void* to, const void* from, std::size_t bytes) override { std::memmove(to, from, bytes); }
  bool reachable(const void*) const override { return true; }
};

}  // namespace

std::unique_ptr<QueueState> make_cpu_queue(const Device& device) {
  return std::make_unique<CpuQueue>(device);
}

}  // namespace batchlas::inline v0::detail
