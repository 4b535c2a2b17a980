// Errors of the CUDA runtime in the benchmark.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace batchlas::bench {

inline void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string(cudaGetErrorName(code)) + " (" + cudaGetErrorString(code) + ") from " +
                           call);
}

/// Makes a device current for a scope.
class OnDevice {
 public:
  explicit OnDevice(int ordinal) {
    check(cudaGetDevice(&before_), "cudaGetDevice");
    check(cudaSetDevice(ordinal), "cudaSetDevice");
  }
  ~OnDevice() { cudaSetDevice(before_); }
  OnDevice(const OnDevice&) = delete;

 private:
  int before_ = 0;
};

}  // namespace batchlas::bench
