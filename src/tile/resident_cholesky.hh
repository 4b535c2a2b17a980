// Right-looking Cholesky of a triangle in local memory, by one work-group.
//
// Golub and Van Loan, Matrix Computations, 4th ed., 4.2.6, in panels of 8 columns. Every sub-group factors
// the 8 x 8 diagonal block by itself, a row a lane, and each of its lanes carries one row below through the
// same recurrence: the panel is done after one barrier, with no broadcast between sub-groups. The trailing
// triangle is then updated in register tiles.
#pragma once

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/resident_triangle.hh"
#include "tile/triangle_fold.hh"

namespace batchlas::inline v0::tile {

/// The 8 x 8 diagonal block of a panel: lane r (and r + 8, ...) of a sub-group holds row r.
template <class E>
struct DiagonalBlock {
  static constexpr int width = ResidentTriangle<E>::width;
  using R = device::KernelReal<E>;
  E row[width];
  R inverse;  ///< 1 / the diagonal element of this lane's row

  /// Rows from `rows` on are those of the identity.
  template <class SubGroup>
  BATCHLAS_DEVICE_FN void load(const SubGroup& sub, const E* panel, int pitch, int rows) {
    const int r = sub.lane() % width;
    BATCHLAS_UNROLL
    for (int k = 0; k < width; ++k)
      row[k] = r < rows ? panel[k * pitch + r] : device::from_real<E>(r == k ? R(1) : R(0));
  }

  template <class SubGroup>
  BATCHLAS_DEVICE_FN void store(const SubGroup& sub, E* panel, int pitch, int rows) const {
    const int r = sub.lane();
    BATCHLAS_UNROLL
    for (int k = 0; k < width; ++k)
      if (r >= k && r < width && r < rows) panel[k * pitch + r] = row[k];
  }

  /// Factors the block and solves below = below * L^-H for one row below it. Returns the first failing
  /// column, from 1, or 0: the same in every work-item. The columns before a failing one are right, the
  /// others hold anything.
  template <class SubGroup>
  BATCHLAS_DEVICE_FN int factor(const SubGroup& sub, E (&below)[width]) {
    const int r = sub.lane() % width;
    int failed = 0;
    R d = sub.shuffle(device::real_part(row[0]), 0);
    device::unrolled<0, width>([&](auto k) {
      if (failed == 0 && !device::is_positive_finite(d)) failed = k + 1;
      const R s = device::reciprocal_sqrt(d);
      if (r == k) inverse = s;
      row[k] = r == k ? device::from_real<E>(d * s) : device::scaled(row[k], s);
      below[k] = device::scaled(below[k], s);
      // The next pivot needs its own lane's values only: one shuffle a column on the critical path.
      if constexpr (k + 1 < width)
        d = sub.shuffle(device::sub_norm(device::real_part(row[k + 1]), row[k]), k + 1);
      device::unrolled<k + 1, width>([&](auto c) {
        const E l = sub.shuffle(row[k], c);
        row[c] = device::sub_mul_conj(row[c], row[k], l);
        below[c] = device::sub_mul_conj(below[c], below[k], l);
      });
    });
    return failed;
  }

  /// The same solve for further rows, after factor().
  template <class SubGroup>
  BATCHLAS_DEVICE_FN void solve(const SubGroup& sub, E (&below)[width]) const {
    device::unrolled<0, width>([&](auto k) {
      below[k] = device::scaled(below[k], sub.shuffle(inverse, k));
      device::unrolled<k + 1, width>(
          [&](auto c) { below[c] = device::sub_mul_conj(below[c], below[k], sub.shuffle(row[k], c)); });
    });
  }
};

template <class E>
BATCHLAS_DEVICE_FN void load_panel_row(E (&x)[8], const E* panel, int pitch, int row, int rows) {
  BATCHLAS_UNROLL
  for (int k = 0; k < 8; ++k) x[k] = row < rows ? panel[k * pitch + row] : device::zero<E>();
}

template <class E>
BATCHLAS_DEVICE_FN void store_panel_row(E* panel, int pitch, int row, int rows, const E (&x)[8]) {
  BATCHLAS_UNROLL
  for (int k = 0; k < 8; ++k)
    if (row < rows) panel[k * pitch + row] = x[k];
}

/// Factors one panel of `rows` rows; the diagonal block stays in registers, since other sub-groups may still
/// read the unfactored one.
template <class E, class Group>
BATCHLAS_DEVICE_FN int factor_panel(const Group& g, DiagonalBlock<E>& diagonal, E* panel, int pitch,
                                    int rows) {
  const auto sub = g.sub_group();
  diagonal.load(sub, panel, pitch, rows);
  E below[8];
  int row = 8 + g.rank();
  load_panel_row(below, panel, pitch, row, rows);
  const int failed = diagonal.factor(sub, below);
  store_panel_row(panel, pitch, row, rows, below);
  for (int first = 8 + g.size(); first < rows; first += g.size()) {  // uniform: the solve shuffles
    row = first + g.rank();
    load_panel_row(below, panel, pitch, row, rows);
    diagonal.solve(sub, below);
    store_panel_row(panel, pitch, row, rows, below);
  }
  return failed;
}

/// Subtracts the outer product of panel q from the block columns behind it.
template <class E, class Group>
BATCHLAS_DEVICE_FN void update_behind_panel(const Group& g, E* local, const ResidentTriangle<E>& layout,
                                            int q) {
  constexpr int t = register_tile<E>, width = ResidentTriangle<E>::width;
  const int pitch = layout.pitch(q);
  const E* below = local + layout.block(q) + width;
  const int rows = layout.n - width * (q + 1);
  for (TriangleWalk walk(TriangleFold((rows + t - 1) / t), g.rank(), g.size()); walk.inside(); walk.next()) {
    const auto tile = walk.tile();
    const int i = t * tile.row, j = t * tile.col, block = q + 1 + j / width;
    E* c = local + layout.block(block) + j % width * layout.pitch(block) + i - j / width * width;
    subtract_product<width>(c, layout.pitch(block), below + i, pitch, below + j, pitch);
  }
}

/// Factors the triangle, which every work-item must see; ends in a barrier. Returns the first failing column,
/// from 1, or 0 (the same in every work-item). Sub-groups must have at least 8 lanes.
template <class E, class Group>
BATCHLAS_DEVICE_FN int factor_resident(const Group& g, E* local, const ResidentTriangle<E>& layout) {
  const auto sub = g.sub_group();
  int failed = 0;
  BATCHLAS_NO_UNROLL
  for (int q = 0; q < layout.blocks(); ++q) {
    E* panel = local + layout.block(q);
    const int pitch = layout.pitch(q), rows = layout.n - 8 * q;
    DiagonalBlock<E> diagonal;
    failed = factor_panel(g, diagonal, panel, pitch, rows);
    g.barrier();
    if (sub.index() == 0) diagonal.store(sub, panel, pitch, rows);
    if (failed == 0 && rows > 8) update_behind_panel(g, local, layout, q);
    g.barrier();
    if (failed != 0) return 8 * q + failed;
  }
  return 0;
}

/// Factors a triangle of order n in global memory by way of local memory, ResidentTriangle<E>::bytes(n) of
/// it. Returns as factor_resident.
template <class E, class Group>
BATCHLAS_DEVICE_FN int cholesky_through_local(const Group& g, const LowerView<E>& A, int n) {
  E* local = g.template local<E>(0);
  const ResidentTriangle<E> layout(n);
  fetch_triangle(g, local, layout, A);
  g.copy_commit();
  g.template copy_wait<0>();
  g.barrier();
  const int failed = factor_resident(g, local, layout);
  store_triangle(g, A, local, layout);
  return failed;
}

}  // namespace batchlas::inline v0::tile
