// C -= P P^H on one square tile of the trailing triangle of a blocked factorization, C and P in global
// memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/function.hh"
#include "device/scalar.hh"
#include "tile/lower_view.hh"
#include "tile/product.hh"
#include "tile/register_tile.hh"

namespace batchlas::inline v0::tile {

/// Slabs of 8 columns of P travel through a ring of three in local memory, one barrier a slab. Work-items run
/// along the contiguous direction of C, so Lower and Upper cost the same and sum in the same order. Double
/// scalars use the matrix unit where sub-groups have its 32 lanes; all else multiplies in square register
/// tiles with rows 16 apart.
template <class E, int Side>
struct TrailingUpdate {
  static constexpr int group_size = 256;
  static constexpr int depth = 8;  ///< columns a slab
  static constexpr int stages = 3;
  static constexpr int per_item = Side / 16;
  static constexpr bool has_mma = std::is_same_v<device::KernelReal<E>, double>;
  /// 8 columns of 4 rows fall into different banks; for the fragments of a real matrix unit 4 columns of 8
  /// rows.
  static constexpr int pitch = std::is_same_v<E, double> ? Side + 4 : odd_pitch<E>(Side);
  static constexpr int slab_elements = 2 * depth * pitch;
  static constexpr std::int64_t local_bytes = std::int64_t{stages} * slab_elements * sizeof(E);

  LowerView<E> A;  ///< P in its first `order` columns, C behind and below them
  int n;
  int order;  ///< a multiple of 8

  /// The tile whose first element is (row, col), row >= col >= order.
  template <class Group>
  BATCHLAS_DEVICE_FN void run(const Group& g, int row, int col) const {
    if constexpr (has_mma) {
      if (g.sub_group().size() == 32) {
        MatrixUnit product(g.sub_group(), A.upper);
        return accumulate(g, product, row, col);
      }
    }
    RegisterTiles product(g, A.upper);
    accumulate(g, product, row, col);
  }

 private:
  template <class Group, class Product>
  BATCHLAS_DEVICE_FN void accumulate(const Group& g, Product& product, int row, int col) const {
    E* ring = g.template local<E>(0);
    const int slabs = order / depth;
    fetch(g, ring, 0, row, col);
    fetch(g, ring, 1, row, col);
    LowerView<E> c = A;
    product.load(c, n, row, col);
    BATCHLAS_NO_UNROLL
    for (int s = 0; s < slabs; ++s) {
      g.template copy_wait<1>();
      g.barrier();  // slab s is here, and slab s - 1 has been used by everyone
      fetch(g, ring, s + 2, row, col);
      const E* x = ring + s % stages * slab_elements;
      product.subtract(x, x + depth * pitch);
    }
    // Addresses are worked out again rather than kept through the loop, where they would spill; with
    // fragments also the bounds, which for float tiles of 128 spills in turn.
    device::opaque(c.data);
    if constexpr (has_mma) {
      device::opaque(c.ld);
      device::opaque(row);
      device::opaque(col);
    }
    product.store(c, n, row, col);
  }

  /// Commits also where there is no such slab, which keeps the count that copy_wait relies on.
  template <class Group>
  BATCHLAS_DEVICE_FN void fetch(const Group& g, E* ring, int s, int row, int col) const {
    if (depth * s < order) {
      E* x = ring + s % stages * slab_elements;
      E* y = x + depth * pitch;
      BATCHLAS_UNROLL
      for (int e = 0; e < depth * Side; e += group_size) {
        const int of = e + g.rank();
        const int i = A.upper ? of / depth : of % Side;
        const int k = A.upper ? of % depth : of / Side;
        if (row + i < n) g.template copy_async<sizeof(E)>(x + k * pitch + i, A.at(row + i, depth * s + k));
        if (col + i < n) g.template copy_async<sizeof(E)>(y + k * pitch + i, A.at(col + i, depth * s + k));
      }
    }
    g.copy_commit();
  }

  struct RegisterTiles {
    int i0, j0;
    E sum[per_item][per_item];

    template <class Group>
    BATCHLAS_DEVICE_FN RegisterTiles(const Group& g, bool upper)
        : i0(upper ? g.rank() / 16 : g.rank() % 16), j0(upper ? g.rank() % 16 : g.rank() / 16) {}

    BATCHLAS_DEVICE_FN void load(const LowerView<E>& c, int n, int row, int col) {
      BATCHLAS_UNROLL
      for (int b = 0; b < per_item; ++b) {
        BATCHLAS_UNROLL
        for (int a = 0; a < per_item; ++a) {
          const int i = row + i0 + 16 * a, j = col + j0 + 16 * b;
          sum[b][a] = i < n && j <= i ? *c.at(i, j) : device::zero<E>();
        }
      }
    }
    BATCHLAS_DEVICE_FN void store(const LowerView<E>& c, int n, int row, int col) const {
      BATCHLAS_UNROLL
      for (int b = 0; b < per_item; ++b) {
        BATCHLAS_UNROLL
        for (int a = 0; a < per_item; ++a) {
          const int i = row + i0 + 16 * a, j = col + j0 + 16 * b;
          if (i < n && j <= i) *c.at(i, j) = sum[b][a];
        }
      }
    }
    BATCHLAS_DEVICE_FN void subtract(const E* x, const E* y) {
      if constexpr (sizeof(E) == 16) {  // unrolled, its loads ahead would spill
        BATCHLAS_NO_UNROLL
        for (int k = 0; k < depth; ++k) subtract_column(x + k * pitch, y + k * pitch);
      } else {
        BATCHLAS_UNROLL
        for (int k = 0; k < depth; ++k) subtract_column(x + k * pitch, y + k * pitch);
      }
    }
    BATCHLAS_DEVICE_FN void subtract_column(const E* x, const E* y) {
      E xk[per_item], yk[per_item];
      BATCHLAS_UNROLL
      for (int a = 0; a < per_item; ++a) {
        xk[a] = x[i0 + 16 * a];
        yk[a] = y[j0 + 16 * a];
      }
      BATCHLAS_UNROLL
      for (int b = 0; b < per_item; ++b) {
        BATCHLAS_UNROLL
        for (int a = 0; a < per_item; ++a) sum[b][a] = device::sub_mul_conj(sum[b][a], xk[a], yk[b]);
      }
    }
  };

  /// The double matrix unit: 8 sub-groups of 16 x 32. A real tile of an upper triangle is computed
  /// transposed, so that the rows of the fragments, 8 lanes apart, are contiguous in memory; a complex one
  /// would change its bits.
  template <class SubGroup>
  struct MatrixUnit {
    SubGroup sub;
    bool transposed;
    MmaTile<E, 1> tile;

    BATCHLAS_DEVICE_FN MatrixUnit(const SubGroup& sub_group, bool upper)
        : sub(sub_group), transposed(upper && !device::is_complex_scalar<E>) {}
    BATCHLAS_DEVICE_FN int row() const { return sub.index() % 4 * 16; }
    BATCHLAS_DEVICE_FN int col() const { return sub.index() / 4 * 32; }

    template <class F>
    BATCHLAS_DEVICE_FN void for_each(const LowerView<E>& c, int n, int top, int left, F&& f) {
      const int i0 = top + (transposed ? col() : row()), j0 = left + (transposed ? row() : col());
      const std::int64_t down = c.upper == transposed ? 1 : c.ld;
      const std::int64_t across = c.upper == transposed ? c.ld : 1;
      E* first = c.at(i0, j0);
      tile.for_each(sub.lane(), [&](int r, int q, Pack<E, 1>& element) {
        const int i = i0 + (transposed ? q : r), j = j0 + (transposed ? r : q);
        f(element.of[0], first + r * down + q * across, i < n && j <= i);
      });
    }
    BATCHLAS_DEVICE_FN void load(const LowerView<E>& c, int n, int top, int left) {
      for_each(c, n, top, left,
               [](E& sum, const E* at, bool inside) { sum = inside ? *at : device::zero<E>(); });
    }
    BATCHLAS_DEVICE_FN void store(const LowerView<E>& c, int n, int top, int left) {
      for_each(c, n, top, left, [](const E& sum, E* at, bool inside) {
        if (inside) *at = sum;
      });
    }
    BATCHLAS_DEVICE_FN void subtract(const E* x, const E* y) {
      tile.template subtract_product<depth, false>(sub, (transposed ? y : x) + row(),
                                                   (transposed ? x : y) + col(), pitch);
    }
  };
};

}  // namespace batchlas::inline v0::tile
