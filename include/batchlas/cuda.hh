// Opt-in: queues on CUDA streams that the caller owns. The only public header that names CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include "batchlas/queue.hh"

namespace batchlas::inline v0 {

/// A queue on the caller's stream, for the device that is current. The stream must outlive the queue and is
/// never destroyed by it. Calls may be captured in a CUDA graph from such a stream.
BATCHLAS_API Queue wrap_stream(cudaStream_t stream);

/// The stream that the queue enqueues on; throws std::invalid_argument for a queue on another kind of device.
BATCHLAS_API cudaStream_t stream_of(Queue& queue);

}  // namespace batchlas::inline v0
