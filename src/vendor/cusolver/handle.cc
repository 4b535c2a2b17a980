#include "vendor/cusolver/handle.hh"

#include <cuda_runtime_api.h>

#include <map>
#include <string>

#include "batchlas/status.hh"
#include "device/cuda/check.hh"

namespace batchlas::inline v0::vendor::cusolver {
namespace {

const char* name(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "CUSOLVER_STATUS_NOT_INITIALIZED";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "CUSOLVER_STATUS_ALLOC_FAILED";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "CUSOLVER_STATUS_INVALID_VALUE";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "CUSOLVER_STATUS_ARCH_MISMATCH";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "CUSOLVER_STATUS_EXECUTION_FAILED";
    case CUSOLVER_STATUS_INTERNAL_ERROR:
      return "CUSOLVER_STATUS_INTERNAL_ERROR";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "CUSOLVER_STATUS_NOT_SUPPORTED";
    default:
      return "cuSOLVER status";
  }
}

struct Handles {
  std::map<int, cusolverDnHandle_t> by_device;
  ~Handles() {
    // At the end of the process the driver may be gone already, and the status says nothing that anyone could
    // use.
    for (const auto& [ordinal, handle] : by_device) cusolverDnDestroy(handle);
  }
};

}  // namespace

void check(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw DeviceError(std::string(name(status)) + " (" + std::to_string(static_cast<int>(status)) + ") from " +
                    call);
}

cusolverDnHandle_t handle_on(cudaStream_t stream) {
  thread_local Handles handles;
  int ordinal = 0;
  BATCHLAS_CUDA_CHECK(cudaGetDevice(&ordinal));
  const auto found = handles.by_device.find(ordinal);
  cusolverDnHandle_t handle = found == handles.by_device.end() ? nullptr : found->second;
  if (!handle) {
    check(cusolverDnCreate(&handle), "cusolverDnCreate");
    handles.by_device[ordinal] = handle;
  }
  check(cusolverDnSetStream(handle, stream), "cusolverDnSetStream");
  return handle;
}

}  // namespace batchlas::inline v0::vendor::cusolver
