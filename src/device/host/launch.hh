// Executor::run: hands a kernel, type erased, to the fibers of executor.cc, so that a kernel costs little
// compile time.
#pragma once

#include "device/host/group.hh"
#include "device/launch.hh"

namespace batchlas::inline v0::device::host {

/// A kernel without its type.
struct KernelRef {
  const void* kernel;
  void (*call)(const void* kernel, const Group& group);
  int max_group_size;
};

/// Runs groups 0, 1, ... of the launch one after the other. A kernel's exception, or the std::logic_error of
/// a rule that it broke, propagates once every work-item of the group has been unwound; later groups are then
/// not run.
void run_groups(const LaunchShape& shape, const HostExecutorOptions& options, const KernelRef& kernel);

template <class Kernel>
void Executor::run(const LaunchShape& shape, const Kernel& kernel) const {
  run_groups(shape, options,
             {&kernel, [](const void* k, const Group& group) { (*static_cast<const Kernel*>(k))(group); },
              Kernel::group_size});
}

}  // namespace batchlas::inline v0::device::host
