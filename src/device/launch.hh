// Runs a kernel family on the executor that the queue's device stands for.
//
// A family ends in  template <class Executor, class T> void launch_<family>(const Executor&, const Args<T>&),
// which calls executor.run(shape, kernel). It is instantiated for each executor in generated translation
// units (cmake/kernels.cmake), so op files see its declaration alone and compile without a GPU compiler.
#pragma once

#include <utility>

#include "batchlas/status.hh"
#include "device/group.hh"
#include "device/state.hh"

#ifndef BATCHLAS_HAS_CUDA
#define BATCHLAS_HAS_CUDA 0
#endif

namespace batchlas::inline v0::device {

namespace host {
/// Runs groups one after the other on the calling thread, each work-item in a fiber
/// (src/device/host/launch.hh).
struct Executor {
  HostExecutorOptions options;
  template <class Kernel>
  void run(const LaunchShape& shape, const Kernel& kernel) const;
};
}  // namespace host

namespace cuda {
/// Enqueues on a stream (src/device/cuda/launch.hh).
struct Executor {
  void* stream = nullptr;
  int ordinal = 0;
  template <class Kernel>
  void run(const LaunchShape& shape, const Kernel& kernel) const;
};
Executor executor_of(Queue& queue);
}  // namespace cuda

namespace hip {
/// Enqueues on a stream (src/device/hip/launch.hh). Compiled alone (scripts/check_hip.sh): no queue stands
/// for a HIP device yet.
struct Executor {
  void* stream = nullptr;
  int ordinal = 0;
  template <class Kernel>
  void run(const LaunchShape& shape, const Kernel& kernel) const;
};
}  // namespace hip

/// Calls f(executor) with the executor of the queue's device.
template <class F>
void dispatch(Queue& queue, F&& f) {
  switch (queue.device().kind()) {
    case DeviceKind::HostExecutor:
      return f(host::Executor{queue.device().state().host});
#if BATCHLAS_HAS_CUDA
    case DeviceKind::Cuda:
      return f(cuda::executor_of(queue));
#endif
    default:
      throw NoRouteError("a GPU kernel was launched on a device that runs none: " +
                         queue.device().facts().name);
  }
}

}  // namespace batchlas::inline v0::device
