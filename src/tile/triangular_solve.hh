// X L^H = A for a strip of rows, L and the strip in local memory: the panel below a factored diagonal block.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/register_tile.hh"
#include "tile/resident_triangle.hh"

namespace batchlas::inline v0::tile {

/// Forward substitution over block columns of 8 (Golub and Van Loan, 3.1.5): a work-item a row solves with
/// the 8 x 8 diagonal block, the rest is register tiles. A row's result does not depend on the strip it is
/// in.
template <class E>
struct TriangularSolve {
  using R = device::KernelReal<E>;
  static constexpr int width = ResidentTriangle<E>::width;

  LowerView<E> A;  ///< L in its first `order` columns, the strip in rows below
  int order;       ///< a multiple of 8
  int strip;       ///< rows held, a multiple of register_tile

  /// L, the strip, the reciprocals of L's diagonal.
  BATCHLAS_HOST_DEVICE_FN static constexpr std::int64_t strip_offset(int order) {
    const ResidentTriangle<E> layout(order);
    return std::int64_t{layout.block(layout.blocks())} * sizeof(E);
  }
  BATCHLAS_HOST_DEVICE_FN static constexpr std::int64_t inverse_offset(int order, int strip) {
    return strip_offset(order) + std::int64_t{odd_pitch<E>(strip)} * order * sizeof(E);
  }
  static constexpr std::int64_t bytes(int order, int strip) {
    return inverse_offset(order, strip) + std::int64_t{order} * sizeof(R);
  }

  /// Calls f(i, j) for the elements of the strip, neighbours in global memory by neighbours.
  template <class Group, class F>
  BATCHLAS_DEVICE_FN void for_strip(const Group& g, int rows, F&& f) const {
    if (A.upper) {
      const int u = g.rank() % 8;
      for (int i = g.rank() / 8; i < rows; i += g.size() / 8) {
        for (int j = u; j < order; j += 8) f(i, j);
      }
    } else {
      const int across = g.size() / strip;
      const int i = g.rank() % strip;
      if (i >= rows) return;
      for (int j = g.rank() / strip; j < order; j += across) f(i, j);
    }
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void run(const Group& g, int top, int rows_left) const {
    const ResidentTriangle<E> layout(order);
    const int rows = rows_left < strip ? rows_left : strip;
    const int pitch = odd_pitch<E>(strip);
    E* l = g.template local<E>(0);
    E* x = g.template local<E>(strip_offset(order));
    R* inverse = g.template local<R>(inverse_offset(order, strip));

    fetch_triangle(g, l, layout, A);
    for_strip(g, rows,
              [&](int i, int j) { g.template copy_async<sizeof(E)>(x + j * pitch + i, A.at(top + i, j)); });
    g.copy_commit();
    g.template copy_wait<0>();
    g.barrier();
    for (int j = g.rank(); j < order; j += g.size())
      inverse[j] = R(1) / device::real_part(l[layout.at(j, j)]);
    g.barrier();

    BATCHLAS_NO_UNROLL
    for (int q = 0; q < layout.blocks(); ++q) {
      const E* panel = l + layout.block(q);
      E* solved = x + width * q * pitch;
      for (int i = g.rank(); i < rows; i += g.size())
        solve_row(solved + i, pitch, panel, layout.pitch(q), inverse + width * q);
      g.barrier();
      update(g, x, pitch, panel + width, layout.pitch(q), q);
      g.barrier();
    }
    for_strip(g, rows, [&](int i, int j) { *A.at(top + i, j) = x[j * pitch + i]; });
  }

 private:
  BATCHLAS_DEVICE_FN static void solve_row(E* x, int pitch, const E* panel, int panel_pitch,
                                           const R* inverse) {
    E y[width];
    BATCHLAS_UNROLL
    for (int k = 0; k < width; ++k) y[k] = x[k * pitch];
    BATCHLAS_UNROLL
    for (int k = 0; k < width; ++k) {
      y[k] = device::scaled(y[k], inverse[k]);
      x[k * pitch] = y[k];
      BATCHLAS_UNROLL
      for (int c = k + 1; c < width; ++c) y[c] = device::sub_mul_conj(y[c], y[k], panel[k * panel_pitch + c]);
    }
  }

  /// Subtracts block column q times the rows of L below its diagonal block from the later columns of the
  /// strip.
  template <class Group>
  BATCHLAS_DEVICE_FN void update(const Group& g, E* x, int pitch, const E* below, int below_pitch,
                                 int q) const {
    constexpr int t = register_tile<E>;
    const int down = strip / t, behind = width * (q + 1);
    for (int e = g.rank(); e < down * ((order - behind) / t); e += g.size()) {
      const int i = t * (e % down), j = t * (e / down);
      subtract_product<width>(x + (behind + j) * pitch + i, pitch, x + width * q * pitch + i, pitch,
                              below + j, below_pitch);
    }
  }
};

}  // namespace batchlas::inline v0::tile
