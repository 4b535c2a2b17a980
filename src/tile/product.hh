// Products of tiles in local memory by one sub-group of 32 lanes, accumulated in registers: C -= A B^H with
// 32 columns.
//
// Operands are column-major with one pitch: A(r, k) = left[k * pitch + r], B(c, k) = right[k * pitch + c].
// FmaTile needs them aligned to 16 bytes and a pitch that is a multiple of pack_size. Both tiles have the
// same members, so that a kernel takes either.
#pragma once

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/pack.hh"

namespace batchlas::inline v0::tile {

/// Lanes that the tiles are dealt to; other sub-group sizes cannot use them.
inline constexpr int tile_lanes = 32;
inline constexpr int tile_columns = 32;

/// Fused multiply-adds: a lane holds RowsPerLane x (RowLanes) elements, as packs of rows. Step columns of a
/// product are unrolled; beyond 2, complex code leaves the instruction cache.
template <class E, int RowsPerLane, int RowLanes = 8, int Step = device::is_complex_scalar<E> ? 2 : 8>
struct FmaTile {
  static constexpr int pack = pack_size<E>;
  static constexpr int rows = RowsPerLane * RowLanes;
  static constexpr int column_lanes = tile_lanes / RowLanes;
  static constexpr int columns_per_lane = tile_columns / column_lanes;
  static constexpr int row_packs = RowsPerLane / pack;
  static constexpr int column_packs = columns_per_lane / pack;
  static_assert(RowsPerLane % pack == 0 && columns_per_lane % pack == 0);

  E c[RowsPerLane][columns_per_lane];

  BATCHLAS_DEVICE_FN void clear() {
    BATCHLAS_UNROLL
    for (int i = 0; i < RowsPerLane; ++i) {
      BATCHLAS_UNROLL
      for (int j = 0; j < columns_per_lane; ++j) c[i][j] = device::zero<E>();
    }
  }

  /// Calls f(row, column, elements) with a Pack<E, pack>& of each of this lane's packs, to read or to set
  /// them.
  template <class F>
  BATCHLAS_DEVICE_FN void for_each(int lane, F&& f) {
    BATCHLAS_UNROLL
    for (int j = 0; j < columns_per_lane; ++j) {
      BATCHLAS_UNROLL
      for (int p = 0; p < row_packs; ++p) {
        Pack<E, pack> elements;
        BATCHLAS_UNROLL
        for (int i = 0; i < pack; ++i) elements.of[i] = c[p * pack + i][j];
        f(lane % RowLanes * pack + p * pack * RowLanes,
          lane / RowLanes * pack + j % pack + j / pack * pack * column_lanes, elements);
        BATCHLAS_UNROLL
        for (int i = 0; i < pack; ++i) c[p * pack + i][j] = elements.of[i];
      }
    }
  }

  /// C -= A B^H over Depth columns; with TopHalf for the upper half of the rows alone.
  template <int Depth, bool TopHalf, class SubGroup>
  BATCHLAS_DEVICE_FN void subtract_product(const SubGroup& sg, const E* left, const E* right, int pitch) {
    constexpr int packs = TopHalf ? row_packs / 2 : row_packs;
    static_assert(Depth % Step == 0);
    left += sg.lane() % RowLanes * pack;
    right += sg.lane() / RowLanes * pack;
    BATCHLAS_NO_UNROLL
    for (int k = 0; k < Depth; k += Step) {
      BATCHLAS_UNROLL
      for (int i = 0; i < Step; ++i) {
        Pack<E, pack> a[row_packs], b[column_packs];
        BATCHLAS_UNROLL
        for (int p = 0; p < packs; ++p) a[p] = load_pack<pack>(left + i * pitch + p * pack * RowLanes);
        BATCHLAS_UNROLL
        for (int p = 0; p < column_packs; ++p)
          b[p] = load_pack<pack>(right + i * pitch + p * pack * column_lanes);
        BATCHLAS_UNROLL
        for (int j = 0; j < columns_per_lane; ++j) {
          BATCHLAS_UNROLL
          for (int r = 0; r < packs * pack; ++r)
            c[r][j] = device::sub_mul_conj(c[r][j], a[r / pack].of[r % pack], b[j / pack].of[j % pack]);
        }
      }
      left += Step * pitch;
      right += Step * pitch;
    }
  }
};

/// Double-precision matrix instructions m16n8k8: RowTiles x 4 of them a step of 8 columns. Complex numbers
/// are two planes of accumulators. A pitch of 4 modulo 16 doubles avoids bank conflicts (1 modulo 8 complex
/// numbers).
template <class E, int RowTiles>
struct MmaTile {
  static constexpr int pack = 1;
  static constexpr int rows = 16 * RowTiles;
  static constexpr int column_tiles = tile_columns / 8;
  static constexpr int planes = device::is_complex_scalar<E> ? 2 : 1;

  double c[planes][RowTiles][column_tiles][4];

  BATCHLAS_DEVICE_FN void clear() {
    for_each(0, [](int, int, Pack<E, 1>& element) { element.of[0] = device::zero<E>(); });
  }

  template <class F>
  BATCHLAS_DEVICE_FN void for_each(int lane, F&& f) {
    BATCHLAS_UNROLL
    for (int j = 0; j < column_tiles; ++j) {
      BATCHLAS_UNROLL
      for (int i = 0; i < RowTiles; ++i) {
        BATCHLAS_UNROLL
        for (int q = 0; q < 4; ++q) {
          Pack<E, 1> element;
          if constexpr (planes == 2) {
            element.of[0] = {c[0][i][j][q], c[1][i][j][q]};
          } else {
            element.of[0] = c[0][i][j][q];
          }
          f(i * 16 + q / 2 * 8 + lane / 4, j * 8 + lane % 4 * 2 + q % 2, element);
          c[0][i][j][q] = device::real_part(element.of[0]);
          if constexpr (planes == 2) c[1][i][j][q] = element.of[0].im;
        }
      }
    }
  }

  template <int Depth, bool TopHalf, class SubGroup>
  BATCHLAS_DEVICE_FN void subtract_product(const SubGroup& sg, const E* left, const E* right, int pitch) {
    static_assert(Depth % 8 == 0);
    constexpr int tiles = TopHalf ? RowTiles / 2 : RowTiles;
    // By planes: pairs of them would have to be taken apart in registers, which there are too few of.
    const double* a_planes[2] = {plane(left, 0), plane(left, 1)};
    const double* b_planes[2] = {plane(right, 0), plane(right, 1)};
    BATCHLAS_NO_UNROLL
    for (int k = 0; k < Depth; k += 8) {
      const int at = (k + sg.lane() % 4) * pitch + sg.lane() / 4;
      double a[planes][RowTiles][4];
      BATCHLAS_UNROLL
      for (int p = 0; p < planes; ++p) {
        int first = at;
        device::opaque(first);
        BATCHLAS_UNROLL
        for (int i = 0; i < tiles; ++i) {
          BATCHLAS_UNROLL
          for (int q = 0; q < 4; ++q)
            a[p][i][q] = a_planes[p][planes * (first + q / 2 * 4 * pitch + i * 16 + q % 2 * 8)];
        }
      }
      BATCHLAS_UNROLL
      for (int j = 0; j < column_tiles; ++j) {
        double b[planes][2];
        BATCHLAS_UNROLL
        for (int p = 0; p < planes; ++p) {
          int first = at;
          if (planes == 2 || j % 2 == 0)
            device::opaque(first);  // all fragments at once would not fit the registers
          b[p][0] = b_planes[p][planes * (first + j * 8)];
          b[p][1] = b_planes[p][planes * (first + 4 * pitch + j * 8)];
        }
        const double minus_re[2] = {-b[0][0], -b[0][1]};
        BATCHLAS_UNROLL
        for (int i = 0; i < tiles; ++i) {
          sg.mma_m16n8k8(c[0][i][j], a[0][i], minus_re);
          if constexpr (planes == 2) {
            const double minus_im[2] = {-b[1][0], -b[1][1]};
            sg.mma_m16n8k8(c[1][i][j], a[1][i], minus_re);
            sg.mma_m16n8k8(c[0][i][j], a[1][i], minus_im);
            sg.mma_m16n8k8(c[1][i][j], a[0][i], b[1]);
          }
        }
      }
    }
  }

 private:
  BATCHLAS_DEVICE_FN static const double* plane(const E* elements, int p) {
    return reinterpret_cast<const double*>(elements) + p;
  }
};

}  // namespace batchlas::inline v0::tile
