// What potrf.cc sees of its kernels: arguments, limits and launches. The definitions are in one file a family
// and are instantiated for each executor by cmake/kernels.cmake.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batchlas/device.hh"
#include "batchlas/enums.hh"
#include "batchlas/queue.hh"
#include "batchlas/scalar.hh"
#include "device/batch.hh"
#include "ops/potrf/kernels/lpanel_layout.hh"
#include "tile/resident_triangle.hh"
#include "tile/trailing_update.hh"
#include "tile/triangular_solve.hh"

namespace batchlas::inline v0::potrf_kernels {

template <class T>
struct Args {
  device::Batch<T> A;
  Uplo uplo = Uplo::Lower;
  std::int32_t* info = nullptr;  ///< may be null
};

// ---- tiny.hh: the item in the registers of a part of a sub-group ----

/// Orders that `tiny` is instantiated for; an item of an order between is padded with the identity.
inline constexpr int tiny_buckets[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64};
inline constexpr int tiny_group_size = 64;

/// How an item of a bucket lies in the registers, and how many sub-groups share a scheduler's 512 registers a
/// lane.
struct TinyShape {
  int lanes;  ///< of an item: narrow parts serve more items a reciprocal square root, wide ones need fewer
              ///< registers
  int panel;  ///< columns between two exchanges through local memory
  int residents;  ///< sub-groups a scheduler: few leave the compiler room to load ahead, many hide latency
};

/// Words of the row tile that a lane holds.
constexpr int tiny_tile_words(int element_words, int bucket, int lanes) {
  const int rows = (bucket + lanes - 1) / lanes;
  return element_words * lanes * rows * (rows + 1) / 2;
}

/// Measured on sm_90: the fastest of lanes 4 to 32, panels 1 to 4 and three residencies, for each scalar and
/// bucket.
template <class T>
constexpr TinyShape tiny_shape(int bucket) {
  constexpr int words = sizeof(T) / 4;
  constexpr bool complex = is_complex<T>;
  TinyShape shape{};
  shape.lanes = bucket <= 2                       ? bucket
                : bucket <= 6                     ? 4
                : bucket <= (words < 4 ? 24 : 16) ? 8
                : bucket <= 48                    ? 16
                                                  : 32;
  shape.panel = words == 1 || (words == 2 && complex && bucket > 16) ? 4 : words == 2 || bucket > 16 ? 2 : 1;
  const int tile = tiny_tile_words(words, bucket, shape.lanes);
  // Eight lanes with several rows each gain from loading ahead; the others from company.
  const bool ahead = shape.lanes == 8 && tile >= 48 && (!complex || bucket == 16) && words < 4;
  shape.residents = 512 / (tile + (ahead ? 90 : 50));
  if (shape.residents < 2) shape.residents = 2;
  return shape;
}

/// Largest order: the row tile must leave a lane registers to work with.
template <class T>
constexpr int tiny_max_n() {
  return sizeof(T) == 16 ? 32 : 64;
}

/// Smallest instantiated order that holds n; 0 where there is none.
template <class T>
constexpr int tiny_bucket(std::int64_t n) {
  for (int bucket : tiny_buckets)
    if (n <= bucket && bucket <= tiny_max_n<T>()) return bucket;
  return 0;
}

/// Why `tiny` cannot factor items of order n, or null. Any ld, stride, pointers and per-item extents will do.
template <class T>
constexpr const char* tiny_refusal(std::int64_t n, const DeviceFacts& facts) {
  const int bucket = tiny_bucket<T>(n);
  if (bucket == 0) return sizeof(T) == 16 ? "n > 32" : "n > 64";
  if (facts.sub_group_size % tiny_shape<T>(bucket).lanes != 0) return "sub-groups too narrow";
  if (facts.max_work_group < tiny_group_size) return "needs work-groups of 64";
  return nullptr;
}

template <class Executor, class T>
void launch_tiny(const Executor& executor, const Args<T>& args);

// ---- cta.hh: the triangle of an item in the local memory of one group ----

template <class T>
constexpr std::int64_t cta_local_bytes(std::int64_t n) {
  return tile::ResidentTriangle<device::KernelScalar<T>>::bytes(n);
}

/// Small groups leave room for more of them on a multiprocessor; large ones shorten the trailing update of
/// one item.
constexpr int cta_group_size(std::int64_t n) {
  return n <= 64 ? 64 : n <= 128 ? 128 : 256;
}

/// Why `cta` cannot factor items of order n, or null. Any ld, stride, pointers and per-item extents will do.
template <class T>
constexpr const char* cta_refusal(std::int64_t n, const DeviceFacts& facts) {
  if (facts.sub_group_size < 8) return "needs sub-groups of 8";
  if (facts.max_work_group < cta_group_size(n)) return "needs larger work-groups";
  if (cta_local_bytes<T>(n) > facts.local_bytes) return "triangle exceeds local memory";
  return nullptr;
}

template <class Executor, class T>
void launch_cta(const Executor& executor, const Args<T>& args);

// ---- blocked.hh: leaf, panel solve and trailing update, three launches a block column ----

/// Most rows that a group solves for: 64 KiB of them, so that the diagonal block fits beside.
template <class T>
constexpr int blocked_solve_rows(int nb) {
  return std::int64_t{nb} * sizeof(T) * 64 <= 65536 ? 64 : 32;
}

/// Why `blocked:nb` cannot factor items of order n, or null. Any ld, stride and pointers will do.
template <class T>
constexpr const char* blocked_refusal(std::int64_t n, bool has_item_extents, int nb,
                                      const DeviceFacts& facts) {
  using E = device::KernelScalar<T>;
  using Solve = tile::TriangularSolve<E>;
  if (nb < 8 || nb > 128 || nb % 8 != 0) return "nb must be a multiple of 8, at most 128";
  if (has_item_extents) return "per-item extents";
  if (n > (1 << 21)) return "order beyond 2^21";
  if (const char* leaf = cta_refusal<T>(n < nb ? n : nb, facts)) return leaf;
  if (n <= nb) return nullptr;
  if (facts.max_work_group < 256) return "needs larger work-groups";
  if (Solve::bytes(nb, blocked_solve_rows<T>(nb)) > facts.local_bytes) return "block exceeds local memory";
  if (tile::TrailingUpdate<E, 64>::local_bytes > facts.local_bytes) return "update exceeds local memory";
  return nullptr;
}

/// Bytes of workspace: the status of each item, where the caller's info does not hold it.
constexpr std::size_t blocked_buffer_size(std::int64_t batch, bool has_info) {
  const std::size_t bytes = has_info ? 0 : static_cast<std::size_t>(batch) * sizeof(std::int32_t);
  return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

template <class Executor, class T>
void launch_blocked(const Executor& executor, const Args<T>& args, int nb, Workspace workspace);

// lpanel.hh: left-looking, one item a work-group; panels of 8, 16 or 32 columns, and for 32 with split=1 an
// extra sub-group that copies and factors. Takes whatever lpanel_refusal<T>(n, facts, panel, split)
// (lpanel_layout.hh) does not refuse: any leading dimension, stride, pointers and per-item extents. n and
// batch must be at least 1.
template <class Executor, class T>
void launch_lpanel(const Executor& executor, const Args<T>& args, int panel, int split);

}  // namespace batchlas::inline v0::potrf_kernels
