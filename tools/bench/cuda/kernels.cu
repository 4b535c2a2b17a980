#include "cuda/kernels.hh"

namespace batchlas::bench {
namespace {

__device__ std::int64_t nanoseconds() {
  std::int64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

__global__ void hold(volatile HoldFlags* flags, std::int64_t limit_ns) {
  const std::int64_t start = nanoseconds();
  while (flags->release == 0) {
    if (nanoseconds() - start > limit_ns) {
      flags->timed_out = 1;
      __threadfence_system();
      return;
    }
  }
}

// globaltimer may tick as rarely as once a microsecond: both readings are taken where it just ticked.
__global__ void read_clock(std::int64_t* ticks) {
  const std::int64_t before = nanoseconds();
  std::int64_t start = before;
  while (start == before) start = nanoseconds();
  const long long cycles = clock64();
  std::int64_t end = start, last = start;
  while (end - start < 20000 || end == last) {
    last = end;
    end = nanoseconds();
  }
  ticks[0] = clock64() - cycles;
  ticks[1] = end - start;
}

__global__ void write_pointers(void** pointers, char* first, std::int64_t stride_bytes, std::int64_t count) {
  const std::int64_t b = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (b < count) pointers[b] = first + b * stride_bytes;
}

}  // namespace

cudaError_t enqueue_hold(cudaStream_t stream, HoldFlags* flags, std::int64_t limit_ns) {
  hold<<<1, 1, 0, stream>>>(flags, limit_ns);
  return cudaGetLastError();
}

cudaError_t enqueue_clock(cudaStream_t stream, std::int64_t* ticks) {
  read_clock<<<1, 1, 0, stream>>>(ticks);
  return cudaGetLastError();
}

cudaError_t enqueue_pointers(cudaStream_t stream, void** pointers, void* first, std::int64_t stride_bytes,
                             std::int64_t count) {
  write_pointers<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(
      pointers, static_cast<char*>(first), stride_bytes, count);
  return cudaGetLastError();
}

}  // namespace batchlas::bench
