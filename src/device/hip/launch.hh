// Launches kernel functors on HIP streams. Only instantiations for HIP (hipcc) include it.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <string>

#include "device/hip/group.hh"
#include "device/launch.hh"

namespace batchlas::inline v0::device::hip {

inline void check(hipError_t code, const char* call) {
  if (code != hipSuccess) throw DeviceError(std::string(call) + ": " + hipGetErrorString(code));
}

/// Makes a device current for a scope and restores the caller's.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    check(hipGetDevice(&before_), "hipGetDevice");
    changed_ = before_ != ordinal;
    if (changed_) check(hipSetDevice(ordinal), "hipSetDevice");
  }
  ~CurrentDevice() {
    if (changed_) static_cast<void>(hipSetDevice(before_));
  }
  CurrentDevice(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

// Without Kernel::min_groups: it is measured on NVIDIA's register file, and HIP's second bound counts
// wavefronts a SIMD.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::group_size) entry(const Kernel kernel, std::int64_t first) {
  kernel(Group(first));
}

/// HIP wants the work-items of a launch, not only its groups, to fit 32 bits; a longer launch becomes
/// several.
inline constexpr std::int64_t max_work_items = (std::int64_t{1} << 31) - 1;

template <class Kernel>
void Executor::run(const LaunchShape& shape, const Kernel& kernel) const {
  const CurrentDevice current(ordinal);
  const std::int64_t max_grid = max_work_items / shape.group_size;
  for (std::int64_t first = 0; first < shape.groups; first += max_grid) {
    const std::int64_t groups = shape.groups - first < max_grid ? shape.groups - first : max_grid;
    entry<Kernel>
        <<<static_cast<unsigned>(groups), static_cast<unsigned>(shape.group_size),
           static_cast<std::size_t>(shape.local_bytes), static_cast<hipStream_t>(stream)>>>(kernel, first);
    check(hipGetLastError(), "kernel launch");
  }
}

}  // namespace batchlas::inline v0::device::hip
