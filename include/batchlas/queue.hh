// A queue orders the calls made on one device and owns their scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "batchlas/device.hh"
#include "batchlas/export.hh"

namespace batchlas::inline v0 {

namespace detail {
class QueueState;
struct EventState;
}  // namespace detail

/// Caller-owned scratch memory on the queue's device, aligned to `workspace_alignment`. Empty means: lease it
/// from the queue.
using Workspace = std::span<std::byte>;
inline constexpr std::size_t workspace_alignment = 256;

/// A ticket for the work enqueued by one call. Cheap to copy, and costs nothing until asked for: the event
/// that a call returns may then also wait for later work of its queue. Use Queue::record() to time.
class BATCHLAS_API Event {
 public:
  Event() = default;  ///< already complete
  /// Blocks until the work is done; throws DeviceError if the device faulted.
  void wait() const;
  /// True once the work is done.
  bool query() const;

  explicit Event(std::shared_ptr<detail::EventState> state) : state_(std::move(state)) {}
  const std::shared_ptr<detail::EventState>& state() const { return state_; }

 private:
  std::shared_ptr<detail::EventState> state_;
};

/// Milliseconds between two events of one queue, both complete.
BATCHLAS_API double elapsed_ms(const Event& from, const Event& to);

/// Work enqueued on one queue runs in order; different queues are independent. A queue belongs to one thread
/// at a time. Operands, pointer arrays, extents, info and workspace must live until the event of the call;
/// destroying a queue drains it.
class BATCHLAS_API Queue {
 public:
  Queue() : Queue(Device::default_device()) {}
  explicit Queue(const Device& device);
  Queue(Queue&&) noexcept;
  Queue& operator=(Queue&&) noexcept;
  ~Queue();

  const Device& device() const;
  /// Blocks until everything enqueued is done.
  void wait();
  /// Later work on this queue starts after `event`, which may be of another queue of the same device kind.
  void wait(const Event& event);
  /// An event that completes when everything enqueued so far has.
  Event record();
  /// Grows the scratch arena to at least `bytes`, so that later calls below that need never allocate.
  void reserve(std::size_t bytes);
  /// A call whose scratch memory exceeds `bytes` splits its batch into chunks; 0 (default) means no limit.
  /// Every chunk runs the kernel chosen for the full batch.
  void set_workspace_budget(std::size_t bytes);
  std::size_t workspace_budget() const;

  explicit Queue(std::unique_ptr<detail::QueueState> state);
  detail::QueueState& state() { return *state_; }
  const detail::QueueState& state() const { return *state_; }

 private:
  std::unique_ptr<detail::QueueState> state_;
};

}  // namespace batchlas::inline v0
