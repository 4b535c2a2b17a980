// The small kernels of the benchmark's CUDA timer and rivals.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace batchlas::bench {

/// Host memory that the kernels below share with the host.
struct HoldFlags {
  int release;    ///< set by the host
  int timed_out;  ///< set by the kernel that waited in vain
};

/// Keeps the stream busy until flags->release is not 0, at most `limit_ns`, so that calls behind it start
/// back to back however slowly they are enqueued.
cudaError_t enqueue_hold(cudaStream_t stream, HoldFlags* flags, std::int64_t limit_ns);

/// Writes cycles and nanoseconds of about 20 microseconds on one multiprocessor to ticks[0] and ticks[1].
cudaError_t enqueue_clock(cudaStream_t stream, std::int64_t* ticks);

/// pointers[b] = first + b * stride_bytes.
cudaError_t enqueue_pointers(cudaStream_t stream, void** pointers, void* first, std::int64_t stride_bytes,
                             std::int64_t count);

}  // namespace batchlas::bench
