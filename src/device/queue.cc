// Queue and Event: thin fronts of the states that each executor provides.
#include "batchlas/queue.hh"

#include <stdexcept>
#include <utility>

#include "device/state.hh"

namespace batchlas::inline v0 {
namespace {

std::unique_ptr<detail::QueueState> make_queue(const Device& device) {
  return device.kind() == DeviceKind::Cuda ? detail::make_cuda_queue(device) : detail::make_cpu_queue(device);
}

// A fault that shows up only here has nobody left to tell.
void drain(detail::QueueState* state) noexcept {
  if (!state) return;
  try {
    state->wait();
  } catch (...) {
  }
}

}  // namespace

void Event::wait() const {
  if (state_) state_->wait();
}

bool Event::query() const {
  return !state_ || state_->query();
}

double elapsed_ms(const Event& from, const Event& to) {
  if (!from.state() || !to.state()) {
    throw std::invalid_argument(
        "elapsed_ms: a default Event has no time, expected events of Queue::record or of a call");
  }
  return to.state()->elapsed_since(*from.state());
}

Queue::Queue(const Device& device) : state_(make_queue(device)) {}
Queue::Queue(std::unique_ptr<detail::QueueState> state) : state_(std::move(state)) {}
Queue::Queue(Queue&&) noexcept = default;
Queue& Queue::operator=(Queue&& other) noexcept {
  if (this != &other) {
    drain(state_.get());
    state_ = std::move(other.state_);
  }
  return *this;
}
Queue::~Queue() {
  drain(state_.get());
}

const Device& Queue::device() const {
  return state_->device();
}
void Queue::wait() {
  state_->wait();
}
void Queue::wait(const Event& event) {
  if (event.state()) state_->wait_for(*event.state());
}
Event Queue::record() {
  return Event(state_->record());
}
void Queue::reserve(std::size_t bytes) {
  state_->arena.reserve(bytes);
}
void Queue::set_workspace_budget(std::size_t bytes) {
  state_->workspace_budget = bytes;
}
std::size_t Queue::workspace_budget() const {
  return state_->workspace_budget;
}

}  // namespace batchlas::inline v0
