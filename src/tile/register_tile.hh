// A product of two tiles in local memory, subtracted from a third with the accumulators in registers.
#pragma once

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/pack.hh"

namespace batchlas::inline v0::tile {

/// Rows (and columns) of the register tile of one work-item: 16 accumulators, 4 for complex double.
template <class E>
inline constexpr int register_tile = sizeof(E) == 16 ? 2 : 4;

/// The smallest column pitch for `rows` rows with which columns start on 16 bytes, and 8 successive columns
/// of an 8-row tile fall into different banks: an odd multiple of 16 bytes.
template <class E>
BATCHLAS_HOST_DEVICE_FN constexpr int odd_pitch(int rows) {
  const int v = pack_size<E>, t = register_tile<E>;
  const int whole = (rows + t - 1) / t * t;
  return (whole - v + 2 * v - 1) / (2 * v) * (2 * v) + v;
}

template <int N, class E>
BATCHLAS_DEVICE_FN void load_vectors(E (&to)[N], const E* from) {
  constexpr int v = pack_size<E>;
  static_assert(N % v == 0);
  BATCHLAS_UNROLL
  for (int i = 0; i < N; i += v) {
    const auto vector = load_pack<v>(from + i);
    BATCHLAS_UNROLL
    for (int e = 0; e < v; ++e) to[i + e] = vector.of[e];
  }
}

template <int N, class E>
BATCHLAS_DEVICE_FN void store_vectors(E* to, const E (&from)[N]) {
  constexpr int v = pack_size<E>;
  BATCHLAS_UNROLL
  for (int i = 0; i < N; i += v) {
    Pack<E, v> vector;
    BATCHLAS_UNROLL
    for (int e = 0; e < v; ++e) vector.of[e] = from[i + e];
    store_pack(to + i, vector);
  }
}

/// C -= X Y^H for C of register_tile x register_tile, X and Y of Depth columns; all three column-major, their
/// columns on 16 bytes.
template <int Depth, class E>
BATCHLAS_DEVICE_FN void subtract_product(E* c, int ldc, const E* x, int ldx, const E* y, int ldy) {
  constexpr int N = register_tile<E>;
  E sum[N][N];
  BATCHLAS_UNROLL
  for (int j = 0; j < N; ++j) load_vectors(sum[j], c + j * ldc);
  BATCHLAS_UNROLL
  for (int k = 0; k < Depth; ++k) {
    E xk[N], yk[N];
    load_vectors(xk, x + k * ldx);
    load_vectors(yk, y + k * ldy);
    BATCHLAS_UNROLL
    for (int j = 0; j < N; ++j) {
      BATCHLAS_UNROLL
      for (int i = 0; i < N; ++i) sum[j][i] = device::sub_mul_conj(sum[j][i], xk[i], yk[j]);
    }
  }
  BATCHLAS_UNROLL
  for (int j = 0; j < N; ++j) store_vectors(c + j * ldc, sum[j]);
}

}  // namespace batchlas::inline v0::tile
