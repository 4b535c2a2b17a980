// Launches kernel functors on CUDA streams. Only generated instantiations (nvcc) include it.
#pragma once

#include <cstdint>

#include "device/cuda/check.hh"
#include "device/cuda/group.hh"
#include "device/launch.hh"

namespace batchlas::inline v0::device::cuda {

template <class Kernel>
__global__ void __launch_bounds__(Kernel::group_size, Kernel::min_groups)
    entry(const __grid_constant__ Kernel kernel, std::int64_t first) {
  kernel(Group(first));
}

/// The hardware takes 2^31 - 1 blocks in x; a longer launch becomes several.
inline constexpr std::int64_t max_grid = (std::int64_t{1} << 31) - 1;

template <class Kernel>
void Executor::run(const LaunchShape& shape, const Kernel& kernel) const {
  const CurrentDevice current(ordinal);
  if (shape.local_bytes > 48 * 1024) {
    // Above 48 KiB a kernel must be allowed its local memory; once a device and kernel, cheap to repeat.
    BATCHLAS_CUDA_CHECK(cudaFuncSetAttribute(entry<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(shape.local_bytes)));
  }
  for (std::int64_t first = 0; first < shape.groups; first += max_grid) {
    const std::int64_t groups = shape.groups - first < max_grid ? shape.groups - first : max_grid;
    entry<Kernel><<<static_cast<unsigned>(groups), static_cast<unsigned>(shape.group_size), shape.local_bytes,
                    static_cast<cudaStream_t>(stream)>>>(kernel, first);
    BATCHLAS_CUDA_CHECK(cudaGetLastError());
  }
}

}  // namespace batchlas::inline v0::device::cuda
