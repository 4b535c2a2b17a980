// What stands behind the public Device, Queue and Event: one interface, implemented by cpu, host executor and
// CUDA.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "batchlas/device.hh"
#include "batchlas/queue.hh"

namespace batchlas::inline v0::detail {

struct DeviceState {
  DeviceKind kind = DeviceKind::Cpu;
  int ordinal = 0;
  DeviceFacts facts;
  HostExecutorOptions host;  ///< of the host executor only
};

struct EventState {
  virtual ~EventState() = default;
  virtual void wait() = 0;
  virtual bool query() = 0;
  virtual double elapsed_since(EventState& earlier) = 0;  ///< milliseconds
};

/// Scratch memory of a queue. Blocks never move or shrink while the queue lives. Leases are given back in
/// reverse order; a queue runs in order, so the next call may reuse a lease while the last one still runs.
class Arena {
 public:
  explicit Arena(const Device& device) : device_(device) {}
  ~Arena();
  Arena(const Arena&) = delete;

  void reserve(std::size_t bytes);

  class Lease {
   public:
    Lease(Arena& arena, std::size_t bytes);
    ~Lease();
    Lease(const Lease&) = delete;
    Workspace workspace() const { return workspace_; }

   private:
    Arena& arena_;
    std::size_t block_, used_before_;
    Workspace workspace_;
  };

  /// Called where memory must grow; throws during a graph capture.
  void set_growth_allowed(bool allowed) { growth_allowed_ = allowed; }

 private:
  struct Block {
    std::byte* memory;
    std::size_t bytes, used;
  };
  Device device_;
  std::vector<Block> blocks_;
  bool growth_allowed_ = true;
  std::size_t find_or_grow(std::size_t bytes);
};

class QueueState {
 public:
  explicit QueueState(const Device& device) : arena(device), device_(device) {}
  virtual ~QueueState() = default;

  const Device& device() const { return device_; }
  virtual void wait() = 0;
  virtual std::shared_ptr<EventState> record() = 0;
  virtual void wait_for(EventState& event) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  /// What an op returns: an event of everything enqueued so far that costs nothing until it is asked.
  /// Complete at once where calls finish on return.
  virtual Event ticket() { return {}; }
  /// The CUDA stream; null on other devices.
  virtual void* native_stream() const { return nullptr; }
  /// Throws a DeviceError that an earlier call left behind.
  virtual void check() {}
  /// False where the device surely cannot read `memory`, such as plain host memory on a GPU.
  virtual bool reachable(const void* memory) const = 0;
  virtual bool capturing() const { return false; }

  Arena arena;
  std::size_t workspace_budget = 0;

 private:
  Device device_;
};

// One set per executor, in src/device/<executor>/.
std::unique_ptr<QueueState> make_cpu_queue(const Device& device);
std::unique_ptr<QueueState> make_cuda_queue(const Device& device);
void* cuda_allocate(const Device& device, std::size_t bytes);
void cuda_deallocate(const Device& device, void* memory) noexcept;
/// Facts of the CUDA devices present; empty without CUDA.
std::vector<DeviceFacts> cuda_device_facts();

}  // namespace batchlas::inline v0::detail
