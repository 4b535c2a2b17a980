// cuSOLVER's handles and errors.
#pragma once

#include <cusolverDn.h>

namespace batchlas::inline v0::vendor::cusolver {

/// Throws DeviceError naming the call and cuSOLVER's status.
void check(cusolverStatus_t status, const char* call);

/// The calling thread's handle for the current device, set to `stream`. A thread keeps one handle a device:
/// creating one costs milliseconds and device memory.
cusolverDnHandle_t handle_on(cudaStream_t stream);

}  // namespace batchlas::inline v0::vendor::cusolver
