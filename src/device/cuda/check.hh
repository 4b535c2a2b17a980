// Errors and the current device of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace batchlas::inline v0::device::cuda {

/// Throws DeviceError naming the call, the code and where it was made.
[[noreturn]] void fail(cudaError_t code, const char* call, const char* file, int line);

#define BATCHLAS_CUDA_CHECK(call)                                               \
  do {                                                                          \
    const cudaError_t batchlas_code = (call);                                   \
    if (batchlas_code != cudaSuccess)                                           \
      ::batchlas::device::cuda::fail(batchlas_code, #call, __FILE__, __LINE__); \
  } while (0)

/// Makes a device current for a scope and restores the caller's.
class CurrentDevice {
 public:
  explicit CurrentDevice(int ordinal) {
    BATCHLAS_CUDA_CHECK(cudaGetDevice(&before_));
    changed_ = before_ != ordinal;
    if (changed_) BATCHLAS_CUDA_CHECK(cudaSetDevice(ordinal));
  }
  ~CurrentDevice() {
    if (changed_) cudaSetDevice(before_);
  }
  CurrentDevice(const CurrentDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

}  // namespace batchlas::inline v0::device::cuda
