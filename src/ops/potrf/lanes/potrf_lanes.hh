// Family `lanes` of potrf on the CPU: one matrix a SIMD lane.
#pragma once

#include <cstdint>

#include "batchlas/device.hh"
#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"

namespace batchlas::inline v0::potrf_family {

/// Largest n that lanes runs; see kernel.hh for its cost.
inline constexpr std::int64_t lanes_max_n = 64;

/// Why lanes cannot factor n x n items on this device; null where it can.
template <class T>
const char* potrf_lanes_refusal(std::int64_t n, const DeviceFacts& facts) {
  if (facts.is_gpu) return "runs on CPUs only";
  if (n > lanes_max_n) return "n > 64: a pack's triangles no longer fit the L2 cache";
  return nullptr;
}

/// Contract of batchlas::potrf for n <= lanes_max_n; info may be null. Returns when done. Item b's bits
/// depend on item b and on the SIMD target alone.
template <class T>
void potrf_lanes(const MatrixView<T>& A, Uplo uplo, std::int32_t* info);

}  // namespace batchlas::inline v0::potrf_family
