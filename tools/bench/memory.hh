// Moving operands about on whatever device the queue is on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batchlas/queue.hh"

namespace batchlas::bench {

/// Copies in queue order; on a CPU with `threads` threads, each the same part every time, so that it touches
/// what the same thread will factor.
void copy_memory(Queue& queue, std::byte* to, const std::byte* from, std::int64_t bytes, int threads);

/// Repeats the first `period` bytes until `bytes` are filled.
void repeat_memory(Queue& queue, std::byte* memory, std::int64_t period, std::int64_t bytes, int threads);

}  // namespace batchlas::bench
