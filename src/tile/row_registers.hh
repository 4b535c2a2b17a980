// A Hermitian item whose rows are dealt to the work-items of a part of a sub-group: the register tile that
// tiny factorizations work on.
//
// A part is W consecutive lanes (W a power of two, at most the sub-group size); lane r of the part holds rows
// r, r + W, r + 2 W, ... of an item of order n <= N. Only the lower triangle is used; an upper triangle is
// transposed and conjugated on its way in and out, so both cost the same global traffic and give the same
// bits.
#pragma once

#include <cstdint>

#include "device/function.hh"
#include "device/memory.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::tile {

template <class E, int N, int W>
struct RowRegisters {
  static constexpr int rows_per_lane = (N + W - 1) / W;
  /// Rows of an upper triangle that are transposed at a time: one 32-byte sector of floats.
  static constexpr int strip = W < 8 ? W : 8;
  static constexpr int strips_of_order = (N + strip - 1) / strip;
  /// Columns of an upper triangle that the part moves at once.
  static constexpr int columns = W / strip;
  /// Row pitch of a strip, with room for the padding rows. With parts apart by W modulo 32 elements, neither
  /// side of the transposition has bank conflicts.
  static constexpr int pitch = W * rows_per_lane + columns;
  /// Elements of local memory that a part needs for transpose and store_upper.
  static constexpr int scratch = strip * pitch;

  E x[rows_per_lane][N];

  /// Where this work-item stands: its place in the part, and the order of its item (0 for a part without an
  /// item).
  struct Place {
    int lane;
    int n;
  };

  // Elements outside the item become those of the identity, so that a kernel of order N factors a smaller
  // item.
  BATCHLAS_DEVICE_FN static E identity(int row, int column) {
    return device::from_real<E>(row == column ? device::KernelReal<E>(1) : device::KernelReal<E>(0));
  }
  /// Row q of a lane, or -1 where the item does not have it: then one comparison with the column decides an
  /// access.
  BATCHLAS_DEVICE_FN static int row_or_none(Place at, int q) {
    const int row = at.lane + W * q;
    return row < at.n ? row : -1;
  }
  BATCHLAS_DEVICE_FN static E real_diagonal(E value, bool diagonal) {
    if constexpr (device::is_complex_scalar<E>) {
      if (diagonal) value.im = 0;
    }
    return value;
  }

  BATCHLAS_DEVICE_FN void load_lower(const E* a, std::int64_t ld, Place at) {
    const E* column = a + at.lane;
    device::unrolled<0, N>([&](auto index) {
      constexpr int c = index, diagonal = c / W;
      device::unrolled<diagonal, rows_per_lane>([&](auto block) {
        constexpr int q = block;
        if constexpr (q == diagonal) {
          const bool on_diagonal = at.lane == c % W;
          const E otherwise = identity(at.lane, c % W);
          x[q][c] =
              real_diagonal(device::load_if_ge<W * q>(row_or_none(at, q), c, column, otherwise), on_diagonal);
        } else {
          x[q][c] = device::load_if_ge<W * q>(row_or_none(at, q), c, column, device::zero<E>());
        }
      });
      column += ld;
    });
  }

  BATCHLAS_DEVICE_FN void store_lower(E* a, std::int64_t ld, Place at) const {
    E* column = a + at.lane;
    device::unrolled<0, N>([&](auto index) {
      constexpr int c = index, diagonal = c / W;
      device::unrolled<diagonal, rows_per_lane>([&](auto block) {
        constexpr int q = block;
        const E value = q == diagonal ? real_diagonal(x[q][c], at.lane == c % W) : x[q][c];
        device::store_if_ge<W * q>(row_or_none(at, q), c, column, value);
      });
      column += ld;
    });
  }

  /// An upper triangle as it is read, before its transposition. All its loads are issued before the first
  /// strip is transposed: a strip at a time would pay the memory's latency each.
  struct Fetched {
    E strips[strips_of_order][(N + columns - 1) / columns];
  };

  BATCHLAS_DEVICE_FN static void fetch_upper(Fetched& fetched, const E* a, std::int64_t ld, Place at) {
    const Strips strips(at.lane, ld);
    device::unrolled<0, strips_of_order>([&](auto index) {
      constexpr int top = index * strip;
      const E* from = a + strips.start(top);
      BATCHLAS_UNROLL
      for (int step = top / columns; step * columns < N; ++step) {
        const int i = step * columns + strips.column, j = top + strips.row;
        fetched.strips[index][step] = device::load_if_ge(i < at.n ? i : -1, j, from, identity(i, j));
        from += strips.step;
      }
    });
  }

  template <class SubGroup>
  BATCHLAS_DEVICE_FN void transpose(const SubGroup& sg, const Fetched& fetched, Place at, E* memory) {
    const Strips strips(at.lane, 0);
    device::unrolled<0, strips_of_order>([&](auto index) {
      constexpr int top = index * strip;
      if (top > 0) sg.barrier();  // the strip before has been read
      BATCHLAS_UNROLL
      for (int step = top / columns; step * columns < N; ++step) {
        const int i = step * columns + strips.column, j = top + strips.row;
        memory[strips.row * pitch + i] = real_diagonal(device::conj(fetched.strips[index][step]), i == j);
      }
      sg.barrier();
      BATCHLAS_UNROLL
      for (int c = top; c < top + strip && c < N; ++c) {
        BATCHLAS_UNROLL
        for (int q = c / W; q < rows_per_lane; ++q) x[q][c] = memory[(c - top) * pitch + at.lane + W * q];
      }
    });
    sg.barrier();
  }

  template <class SubGroup>
  BATCHLAS_DEVICE_FN void store_upper(const SubGroup& sg, E* a, std::int64_t ld, Place at, E* memory) const {
    const Strips strips(at.lane, ld);
    device::unrolled<0, strips_of_order>([&](auto index) {
      constexpr int top = index * strip;
      sg.barrier();  // the strip before has been stored
      BATCHLAS_UNROLL
      for (int c = top; c < top + strip && c < N; ++c) {
        BATCHLAS_UNROLL
        for (int q = c / W; q < rows_per_lane; ++q) memory[(c - top) * pitch + at.lane + W * q] = x[q][c];
      }
      sg.barrier();
      E* to = a + strips.start(top);
      BATCHLAS_UNROLL
      for (int first = top / columns * columns; first < N; first += columns) {
        const int i = first + strips.column, j = top + strips.row;
        const E value = memory[strips.row * pitch + i];
        device::store_if_ge(i < at.n ? i : -1, j, to, real_diagonal(device::conj(value), i == j));
        to += strips.step;
      }
    });
  }

 private:
  /// A lane's place while strips of an upper triangle move.
  struct Strips {
    BATCHLAS_DEVICE_FN Strips(int lane, std::int64_t ld)
        : row(lane % strip), column(lane / strip), step(columns * ld), origin(row + column * ld) {}
    BATCHLAS_DEVICE_FN std::int64_t start(int top) const { return origin + top + top / columns * step; }
    int row, column;
    std::int64_t step, origin;
  };
};

}  // namespace batchlas::inline v0::tile
