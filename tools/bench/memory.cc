#include "memory.hh"

#include <algorithm>
#include <cstring>

#include "arm.hh"

namespace batchlas::bench {

void copy_memory(Queue& queue, std::byte* to, const std::byte* from, std::int64_t bytes, int threads) {
  if (queue.device().kind() == DeviceKind::Cuda) {
    const auto size = static_cast<std::size_t>(bytes);
    return batchlas::copy<std::byte>(queue, {to, size}, {from, size});
  }
  const int parts = bytes < 65536 ? 1 : threads;  // below, waking threads costs more than the copy
#pragma omp parallel for schedule(static) num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const std::int64_t first = bytes * part / parts, last = bytes * (part + 1) / parts;
    std::memcpy(to + first, from + first, static_cast<std::size_t>(last - first));
  }
}

void repeat_memory(Queue& queue, std::byte* memory, std::int64_t period, std::int64_t bytes, int threads) {
  for (std::int64_t filled = period; filled < bytes;) {
    const std::int64_t more = std::min(filled, bytes - filled);
    copy_memory(queue, memory + filled, memory, more, threads);
    filled += more;
  }
}

std::byte* Slab::at_least(std::int64_t bytes) {
  if (memory_.size() < bytes) {
    memory_ = DeviceArray<std::byte>(device_, 0);  // frees first: both may not fit
    memory_ = DeviceArray<std::byte>(device_, bytes);
  }
  return memory_.data();
}

}  // namespace batchlas::bench
