// The two column-by-column pieces of a blocked Cholesky factorization, on a panel in local memory: the factor
// of its diagonal block and the triangular solve of the rows below.
//
// A panel is column-major; element (r, c) is panel[c * pitch + r], `pitch` a multiple of pack_size. Both
// pieces go left-looking over groups of 8 columns in a rolled loop: unrolled, a 32-column block exceeds the
// instruction cache and spills.
#pragma once

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/pack.hh"

namespace batchlas::inline v0::tile {

namespace detail {
inline constexpr int group_columns = 8;

/// x -= row (of earlier columns [0, first)) times the conjugate of rows first .. first + 7 of the block.
template <class E>
BATCHLAS_DEVICE_FN void subtract_earlier(E (&x)[group_columns], const E* panel, int pitch, int row,
                                         int first) {
  constexpr int step = 4;
  BATCHLAS_NO_UNROLL
  for (int k = 0; k < first; k += step) {
    BATCHLAS_UNROLL
    for (int i = 0; i < step; ++i) {
      const E* column = panel + (k + i) * pitch;
      const E mine = column[row];
      BATCHLAS_UNROLL
      for (int c = 0; c < group_columns; c += pack_size<E>) {
        const auto theirs = load_pack<pack_size<E>>(column + first + c);
        BATCHLAS_UNROLL
        for (int v = 0; v < pack_size<E>; ++v) x[c + v] = device::sub_mul_conj(x[c + v], mine, theirs.of[v]);
      }
    }
  }
}
}  // namespace detail

/// Factors the leading `columns` x `columns` block of the panel in place; lane r does row r, so the rows from
/// `columns` to the sub-group size are solved along the way. `columns` is at most the sub-group size; up to 7
/// more columns and all rows of the sub-group are accessed and may hold anything. The triangle above the
/// diagonal becomes undefined.
///
/// inverse[c] becomes 1 / L(c, c), the diagonal real. Returns on every lane the number from 1 of the first
/// column whose pivot is not positive and finite, or 0; columns from there on are then undefined.
template <class SubGroup, class E>
BATCHLAS_DEVICE_FN int factor_block(const SubGroup& sg, E* panel, int pitch, int columns,
                                    device::KernelReal<E>* inverse) {
  using R = device::KernelReal<E>;
  constexpr int group = detail::group_columns;
  const int row = sg.lane();
  int failed = 0;
  BATCHLAS_NO_UNROLL
  for (int first = 0; first < columns; first += group) {
    E x[group];
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) x[t] = panel[(first + t) * pitch + row];
    detail::subtract_earlier(x, panel, pitch, row, first);

    R pivot = sg.shuffle(device::real_part(x[0]), first);
    R mine = 0;
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) {
      if (failed == 0 && first + t < columns && !device::is_positive_finite(pivot)) failed = first + t + 1;
      const R root_inverse = device::reciprocal_sqrt(pivot);
      const R root = pivot * root_inverse;
      const bool diagonal = row == first + t;
      x[t] = diagonal ? device::from_real<E>(root) : device::scaled(x[t], root_inverse);
      mine = diagonal ? root_inverse : mine;
      // The next pivot needs its own lane's values only: the critical path is shuffle, root, multiply, fma.
      if (t + 1 < group)
        pivot = sg.shuffle(device::sub_norm(device::real_part(x[t + 1]), x[t]), first + t + 1);
      BATCHLAS_UNROLL
      for (int c = t + 1; c < group; ++c)
        x[c] = device::sub_mul_conj(x[c], x[t], sg.shuffle(x[t], first + c));
    }
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) panel[(first + t) * pitch + row] = x[t];
    if (row >= first && row < first + group) inverse[row] = mine;
    sg.barrier();
  }
  return failed;
}

/// Solves X L^H = A for row `row` of the panel, in place, with the block L of `columns` (a multiple of 8)
/// columns that factor_block left. One work-item a row. Calls f(x) with each element of the row, in order.
template <class E, class F>
BATCHLAS_DEVICE_FN void solve_row(E* panel, int pitch, int columns, const device::KernelReal<E>* inverse,
                                  int row, F&& f) {
  constexpr int group = detail::group_columns;
  BATCHLAS_NO_UNROLL
  for (int first = 0; first < columns; first += group) {
    E x[group];
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) x[t] = panel[(first + t) * pitch + row];
    detail::subtract_earlier(x, panel, pitch, row, first);
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) {
      const E* column = panel + (first + t) * pitch + first;
      x[t] = device::scaled(x[t], inverse[first + t]);
      BATCHLAS_UNROLL
      for (int c = (t + 1) / pack_size<E> * pack_size<E>; c < group; c += pack_size<E>) {
        const auto theirs = load_pack<pack_size<E>>(column + c);
        BATCHLAS_UNROLL
        for (int v = 0; v < pack_size<E>; ++v) {
          if (c + v > t) x[c + v] = device::sub_mul_conj(x[c + v], x[t], theirs.of[v]);
        }
      }
    }
    BATCHLAS_UNROLL
    for (int t = 0; t < group; ++t) {
      panel[(first + t) * pitch + row] = x[t];
      f(x[t]);
    }
  }
}

template <class E>
BATCHLAS_DEVICE_FN void solve_row(E* panel, int pitch, int columns, const device::KernelReal<E>* inverse,
                                  int row) {
  solve_row(panel, pitch, columns, inverse, row, [](const E&) {});
}

}  // namespace batchlas::inline v0::tile
