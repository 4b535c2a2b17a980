// Left-looking Cholesky over narrow panels, one item a work-group: `lpanel:panel=8` and `lpanel:panel=16`,
// and the launch of all `lpanel` choices.
//
// A panel is A's columns less the product of all older ones (Golub and Van Loan, Matrix Computations, 4.2.8).
// A work-item holds one or two of its rows in registers while older columns pass through local memory, 8 at a
// time and one chunk ahead: a chunk's own first rows are the multipliers that all work-items share. Then the
// panel goes to local memory, the first sub-group factors its diagonal block, every work-item solves its
// rows, and the panel is stored and stays for the next one. The items may be too large for the local memory
// of lpanel32.hh, or too small for its padding to 32.
#pragma once

#include <cstdint>

#include "device/launch.hh"
#include "device/scalar.hh"
#include "ops/potrf/kernels/families.hh"
#include "ops/potrf/kernels/lpanel32.hh"
#include "ops/potrf/kernels/lpanel_layout.hh"
#include "tile/cholesky_block.hh"
#include "tile/lower_view.hh"
#include "tile/pack.hh"

namespace batchlas::inline v0::potrf_kernels {

template <class T, int Width>
struct PotrfLeftLooking {
  using E = device::KernelScalar<T>;
  using R = device::KernelReal<E>;
  using View = tile::LowerView<E>;
  static constexpr int group_size = NarrowLayout<T>::max_group_size;
  static constexpr int rows_per_item = NarrowLayout<T>::rows_per_item;
  // 128 registers suffice below 64 words of sums.
  static constexpr int min_groups = sizeof(T) * Width < 128 ? 2 : 1;
  static constexpr int chunk = lpanel_chunk;

  Args<T> args;
  NarrowLayout<T> layout;

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const std::int64_t item = g.index();
    const int n = args.A.order(item);
    if (n <= 0) {
      if (args.info && g.rank() == 0) args.info[item] = n < 0 ? -2 : 0;
      return;
    }
    const View A{args.A.item(item), args.A.ld, args.uplo == Uplo::Upper};
    const int failed = factor(g, A, n);
    if (args.info && g.rank() == 0) args.info[item] = failed;
  }

 private:
  /// The rows of the panel that a work-item computes: rank and rank + size, where the panel has them.
  struct Sums {
    E of[rows_per_item][Width];
    int row[rows_per_item];
  };

  /// Returns the number (from 1) of the first column whose pivot failed, or 0, in the first sub-group.
  template <class Group>
  BATCHLAS_DEVICE_FN int factor(const Group& g, const View& A, int n) const {
    const auto sg = g.sub_group();
    E* panel = g.template local<E>(0);
    E* chunks = g.template local<E>(layout.chunks);
    R* inverse = g.template local<R>(layout.inverse);
    int failed = 0;
    BATCHLAS_NO_UNROLL
    for (int left = 0; left < n; left += Width) {
      const int rows = n - left, older = left > Width ? (left - Width) / chunk : 0;
      if (older > 0) copy_chunk(g, chunks, A, n, left, 0);
      Sums sums = load(g, A, n, left);
      BATCHLAS_NO_UNROLL
      for (int s = 0; s < older; ++s) {
        g.template copy_wait<0>();
        g.barrier();  // chunk s is complete, and chunk s - 1 no longer read
        if (s + 1 < older) copy_chunk(g, chunks + (s + 1) % 2 * chunk * layout.pitch, A, n, left, s + 1);
        subtract(sums, chunks + s % 2 * chunk * layout.pitch);
      }
      if (left > 0) {
        BATCHLAS_NO_UNROLL
        for (int s = 0; s < Width; s += chunk) subtract(sums, panel + s * layout.pitch + Width);
      }
      g.barrier();  // the last panel has been read
      BATCHLAS_UNROLL
      for (int i = 0; i < rows_per_item; ++i) {
        if (g.rank() + i * g.size() < rows) {
          BATCHLAS_UNROLL
          for (int t = 0; t < Width; ++t) panel[t * layout.pitch + sums.row[i]] = sums.of[i][t];
        }
      }
      g.barrier();
      if (sg.index() == 0) {
        const int columns = rows < Width ? rows : Width;
        const int bad = tile::factor_block(sg, panel, layout.pitch, columns, inverse);
        if (failed == 0 && bad > 0) failed = left + bad;
      }
      g.barrier();
      BATCHLAS_NO_UNROLL
      for (int r = sg.size() + g.rank(); r < rows; r += g.size())
        tile::solve_row(panel, layout.pitch, Width, inverse, r);
      g.barrier();
      store(g, panel, A, n, left);
    }
    return failed;
  }

  template <class Group>
  BATCHLAS_DEVICE_FN Sums load(const Group& g, const View& A, int n, int left) const {
    Sums sums;
    BATCHLAS_UNROLL
    for (int i = 0; i < rows_per_item; ++i) {
      const int row = g.rank() + i * g.size();
      sums.row[i] = row < n - left ? row : n - left - 1;
      BATCHLAS_UNROLL
      for (int t = 0; t < Width; ++t)
        sums.of[i][t] = left + t < n ? *A.at(left + sums.row[i], left + t) : device::zero<E>();
    }
    return sums;
  }

  /// Copies the rows from `left` on of columns 8 s .. 8 s + 7.
  template <class Group>
  BATCHLAS_DEVICE_FN void copy_chunk(const Group& g, E* to, const View& A, int n, int left, int s) const {
    const auto sg = g.sub_group();
    BATCHLAS_NO_UNROLL
    for (int top = sg.index() * sg.size(); top < n - left; top += g.size()) {
      tile::for_block(sg, A.upper, [&](int r, int c) {
        r += top;
        if (r < n - left)
          g.template copy_async<sizeof(E)>(to + c * layout.pitch + r, A.at(left + r, s * chunk + c));
      });
    }
    g.copy_commit();
  }

  /// Subtracts 8 columns' products; their first Width rows belong to the panel's diagonal block.
  BATCHLAS_DEVICE_FN void subtract(Sums& sums, const E* columns) const {
    constexpr int pack = tile::pack_size<E>;
    constexpr int step = 2;
    BATCHLAS_NO_UNROLL
    for (int k = 0; k < chunk; k += step) {
      BATCHLAS_UNROLL
      for (int j = 0; j < step; ++j) {
        const E* column = columns + (k + j) * layout.pitch;
        E mine[rows_per_item];
        BATCHLAS_UNROLL
        for (int i = 0; i < rows_per_item; ++i) mine[i] = column[sums.row[i]];
        BATCHLAS_UNROLL
        for (int t = 0; t < Width; t += pack) {
          const auto multipliers = tile::load_pack<pack>(column + t);
          BATCHLAS_UNROLL
          for (int v = 0; v < pack; ++v) {
            BATCHLAS_UNROLL
            for (int i = 0; i < rows_per_item; ++i)
              sums.of[i][t + v] = device::sub_mul_conj(sums.of[i][t + v], mine[i], multipliers.of[v]);
          }
        }
      }
    }
  }

  /// Writes the panel's lower triangle to A.
  template <class Group>
  BATCHLAS_DEVICE_FN void store(const Group& g, const E* panel, const View& A, int n, int left) const {
    const auto sg = g.sub_group();
    BATCHLAS_NO_UNROLL
    for (int top = sg.index() * sg.size(); top < n - left; top += g.size()) {
      BATCHLAS_NO_UNROLL
      for (int first = 0; first < Width; first += tile::block_columns) {
        tile::store_block(sg, A.from(left + top, left + first), panel + first * layout.pitch + top,
                          layout.pitch, n - left - top, first - top);
      }
    }
  }
};

template <class T, int Rows>
struct PotrfLeftLooking32 {
  // 16 sub-groups leave 128 registers a lane, also where fewer of them run; 24 leave 80.
  static constexpr bool small = Rows < WideLayout<T>::tall_rows;
  static constexpr int group_size = small ? 96 : sizeof(T) == 16 ? 256 : 512;
  static constexpr int min_groups = small ? 8 : 1;

  Args<T> args;
  WideLayout<T> layout;
  int split;

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    const std::int64_t item = g.index();
    const int n = args.A.order(item);
    if (n <= 0) {
      if (args.info && g.rank() == 0) args.info[item] = n < 0 ? -2 : 0;
      return;
    }
    const tile::LowerView<device::KernelScalar<T>> A{args.A.item(item), args.A.ld, args.uplo == Uplo::Upper};
    WidePanels<T, Rows, Group> panels(g, args, A, n, layout, split);
    panels.factor();
  }
};

template <class Executor, class T>
void launch_lpanel(const Executor& executor, const Args<T>& args, int panel, int split) {
  const auto narrow = [&]<int Width>(device::Constant<Width>) {
    const auto layout = narrow_layout<T>(args.A.rows, Width);
    executor.run({args.A.count, layout.group_size, layout.local_bytes},
                 PotrfLeftLooking<T, Width>{args, layout});
  };
  const auto wide = [&]<int Rows>(device::Constant<Rows>) {
    const auto layout = wide_layout<T>(args.A.rows, split);
    executor.run({args.A.count, wide_group_size(layout), layout.local_bytes},
                 PotrfLeftLooking32<T, Rows>{args, layout, split});
  };
  using Layout = WideLayout<T>;
  if (panel == 8) {
    narrow(device::Constant<8>{});
  } else if (panel == 16) {
    narrow(device::Constant<16>{});
  } else if (Layout::tall_rows == Layout::short_rows || args.A.rows < Layout::tall_from_n) {
    wide(device::Constant<Layout::short_rows>{});
  } else {
    wide(device::Constant<Layout::tall_rows>{});
  }
}

}  // namespace batchlas::inline v0::potrf_kernels
