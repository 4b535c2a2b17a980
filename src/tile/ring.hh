// A ring of buffers in local memory that copies fill and sub-groups drain, each at its own pace.
#pragma once

#include "device/function.hh"
#include "device/group.hh"

namespace batchlas::inline v0::tile {

/// Chunk number `turn` (0, 1, 2, ... over the whole kernel) lies in buffer turn % stages. A chunk is full
/// once one work-item has arrived at full(turn) and its announced bytes have come; its buffer is free again
/// after `consumers` arrivals by release(). Filling needs at least two stages, unless who fills never waits
/// for a chunk to be drained that it has yet to fill the next one for.
template <class E>
struct Ring {
  E* buffers;
  device::LocalBarrier* barriers;  ///< 2 * stages
  int chunk_elements;
  int log2_stages;

  BATCHLAS_DEVICE_FN int stages() const { return 1 << log2_stages; }
  BATCHLAS_DEVICE_FN int stage(unsigned turn) const {
    return static_cast<int>(turn & ((1u << log2_stages) - 1));
  }
  BATCHLAS_DEVICE_FN E* chunk(unsigned turn) const { return buffers + stage(turn) * chunk_elements; }
  BATCHLAS_DEVICE_FN device::LocalBarrier& full(unsigned turn) const { return barriers[stage(turn)]; }

  /// By one work-item, before a barrier of the group.
  template <class Group>
  BATCHLAS_DEVICE_FN void init(const Group& g, int consumers) const {
    for (int s = 0; s < stages(); ++s) {
      g.init(barriers[s], 1);
      g.init(barriers[stages() + s], consumers);
    }
    g.bulk_fence();
  }

  /// Waits until the buffer of this chunk may be filled.
  template <class Group>
  BATCHLAS_DEVICE_FN void wait_free(const Group& g, unsigned turn) const {
    const unsigned round = turn >> log2_stages;
    if (round > 0) g.wait(barriers[stages() + stage(turn)], static_cast<int>((round - 1) & 1));
  }
  template <class Group>
  BATCHLAS_DEVICE_FN void wait_full(const Group& g, unsigned turn) const {
    g.wait(full(turn), static_cast<int>((turn >> log2_stages) & 1));
  }
  /// Counts for `consumers` of those that init() was told of.
  template <class Group>
  BATCHLAS_DEVICE_FN void release(const Group& g, unsigned turn, int consumers) const {
    g.arrive(barriers[stages() + stage(turn)], consumers);
  }
};

}  // namespace batchlas::inline v0::tile
