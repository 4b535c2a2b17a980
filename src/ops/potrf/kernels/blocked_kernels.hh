// The three kernels of family `blocked`, each usable by itself: leaf, panel solve, trailing update.
//
// The `status` of an item is 0, or the first failing column from 1: the leaf writes it, the other two read it
// and leave a failed item alone, so nothing waits for the host. They are launched in order, hence never race
// on it.
#pragma once

#include <cstdint>

#include "device/batch.hh"
#include "device/function.hh"
#include "device/scalar.hh"
#include "ops/potrf/kernels/families.hh"
#include "tile/resident_cholesky.hh"
#include "tile/trailing_update.hh"
#include "tile/triangular_solve.hh"

namespace batchlas::inline v0::potrf_kernels {

/// One step of the blocked factorization: the block column [first, first + width).
template <class T>
struct BlockStep {
  device::Batch<T> A;
  bool upper = false;
  std::int32_t* status = nullptr;  ///< one an item
  int first = 0;
  int width = 0;

  BATCHLAS_HOST_DEVICE_FN int end() const { return first + width; }
  BATCHLAS_HOST_DEVICE_FN int below() const { return A.rows - end(); }
  /// The trailing triangle from the diagonal element of `first` on.
  BATCHLAS_DEVICE_FN tile::LowerView<device::KernelScalar<T>> triangle(std::int64_t b) const {
    return {A.item(b) + first * (A.ld + 1), A.ld, upper};
  }
};

/// Factors the diagonal block of one item a group.
template <class T>
struct PotrfLeaf {
  static constexpr int group_size = 128;  // nb is at most 128
  static constexpr int min_groups = 2;

  BlockStep<T> step;

  device::LaunchShape layout() const {
    return {step.A.count, cta_group_size(step.width), cta_local_bytes<T>(step.width)};
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const std::int64_t b = g.index();
    if (step.first > 0 && step.status[b] != 0) return;
    const int failed = tile::cholesky_through_local(g, step.triangle(b), step.width);
    if (g.rank() == 0 && (step.first == 0 || failed != 0))
      step.status[b] = failed == 0 ? 0 : step.first + failed;
  }
};

/// Solves X L^H = A for the rows below the diagonal block, `rows` of them a group.
template <class T>
struct PotrfPanelSolve {
  using E = device::KernelScalar<T>;
  static constexpr int group_size = 128;
  static constexpr int min_groups = 3;

  BlockStep<T> step;
  int rows;

  int groups_per_item() const { return (step.below() + rows - 1) / rows; }
  device::LaunchShape layout() const {
    return {step.A.count * groups_per_item(), group_size, tile::TriangularSolve<E>::bytes(step.width, rows)};
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const int chunks = (step.below() + rows - 1) / rows;
    const std::int64_t b = g.index() / chunks;
    const int top = rows * static_cast<int>(g.index() % chunks);
    // An item that failed in this step still needs its columns before the failing one.
    if (const int status = step.status[b]; status != 0 && status <= step.first) return;
    tile::TriangularSolve<E>{step.triangle(b), step.width, rows}.run(g, step.width + top, step.below() - top);
  }
};

/// Subtracts the outer product of the solved panel from one tile of the trailing triangle a group.
template <class T, int Side>
struct PotrfTrailingUpdate {
  using E = device::KernelScalar<T>;
  using Update = tile::TrailingUpdate<E, Side>;
  static constexpr int group_size = Update::group_size;
  static constexpr int min_groups =
      sizeof(E) == 16 ? 1 : 2;  // complex double spills 100 bytes at 128 registers

  BlockStep<T> step;

  tile::TriangleFold tiles() const { return tile::TriangleFold((step.below() + Side - 1) / Side); }
  device::LaunchShape layout() const {
    return {step.A.count * tiles().count(), group_size, Update::local_bytes};
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const tile::TriangleFold fold((step.below() + Side - 1) / Side);
    const std::int64_t b = g.index() / fold.count();
    const int t = static_cast<int>(g.index() - b * fold.count());
    if (step.status[b] != 0) return;
    const auto tile = fold.at(t % fold.height(), t / fold.height());
    Update{step.triangle(b), step.A.rows - step.first, step.width}.run(g, step.width + Side * tile.row,
                                                                       step.width + Side * tile.col);
  }
};

}  // namespace batchlas::inline v0::potrf_kernels
