// Cholesky in registers: family `tiny`, n <= 64 (32 for complex double).
//
// A part of W lanes of a sub-group holds one item, a row (or two) a lane, and runs the right-looking
// recurrence (Golub and Van Loan, Matrix Computations, 4.2.5) over panels of one 16-byte vector: within a
// panel a column's multipliers travel by shuffles; the panel is then written to local memory once, and every
// lane reads the multipliers of a trailing column as one vector. Against a shuffle for each update this takes
// the load from the shuffle unit, which serves one sub-group a cycle where the multipliers serve four. The
// next pivot is computed by its own lane ahead of the update, so the critical path of a column is shuffle,
// reciprocal square root, multiply, fma.
#pragma once

#include <cstdint>
#include <iterator>

#include "device/launch.hh"
#include "device/scalar.hh"
#include "ops/potrf/kernels/families.hh"
#include "tile/row_registers.hh"

namespace batchlas::inline v0::potrf_kernels {

template <class T, int N>
struct PotrfTiny {
  using E = device::KernelScalar<T>;
  using R = device::KernelReal<E>;
  static constexpr int W = tiny_shape<T>(N).lanes;
  using Rows = tile::RowRegisters<E, N, W>;
  static constexpr int panel = tiny_shape<T>(N).panel;
  struct alignas(16) Multipliers {
    E of[panel];
  };

  static constexpr int group_size = tiny_group_size;
  static constexpr int min_groups =
      2 * tiny_shape<T>(N).residents;  // a group puts a sub-group on two of four schedulers

  /// Items that a part loads before it factors the first: of very small ones a load each brings too few bytes
  /// to hide the memory's latency.
  static constexpr int at_once = N == 1 ? 8 : N == 2 ? 4 : N <= 4 ? 2 : 1;

  Args<T> args;
  int rounds = 1;  ///< times `at_once` items that a part factors one after the other

  /// Elements of local memory of one part: two panel buffers, or the transposition strip. Parts lie W modulo
  /// 32 elements apart (see RowRegisters::pitch).
  static constexpr int part_elements() {
    const int panels = N > panel ? 2 * panel * N : 0;
    const int most = panels > Rows::scratch ? panels : Rows::scratch;
    return (most - W + 31) / 32 * 32 + W;
  }
  static constexpr int parts = group_size / W;

  /// Very small items are looped over: starting a group costs more than factoring its items.
  static PotrfTiny make(const Args<T>& args) {
    return {args, N <= 4 && args.A.count >= std::int64_t{1} << 20 ? 8 / at_once : 1};
  }
  device::LaunchShape layout() const {
    const std::int64_t items = static_cast<std::int64_t>(parts) * at_once * rounds;
    return {(args.A.count + items - 1) / items, group_size,
            static_cast<std::int64_t>(sizeof(E)) * parts * part_elements()};
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void operator()(const Group& g) const {
    BATCHLAS_NO_UNROLL
    for (int round = 0; round < rounds; ++round) {
      const std::int64_t first = (g.index() * rounds + round) * at_once * parts + g.rank() / W;
      Item items[at_once];
      BATCHLAS_UNROLL
      for (int i = 0; i < at_once; ++i) items[i] = item_of(g, first + std::int64_t{i} * parts);
      load(g, items);
      BATCHLAS_UNROLL
      for (int i = 0; i < at_once; ++i) finish(g, items[i], first + std::int64_t{i} * parts);
    }
  }

 private:
  struct Item {
    Rows rows;
    typename Rows::Place at;
    E* a;  ///< null for a part without an item
    int order;
  };

  template <class Group>
  BATCHLAS_DEVICE_FN E* scratch(const Group& g) const {
    return g.template local<E>() + g.rank() / W * part_elements();
  }

  template <class Group>
  BATCHLAS_DEVICE_FN Item item_of(const Group& g, std::int64_t number) const {
    Item item;
    item.order = number < args.A.count ? args.A.order(number) : 0;
    item.at = {g.sub_group().lane() % W, item.order > 0 ? item.order : 0};
    item.a = item.at.n > 0 ? args.A.item(number) : nullptr;
    return item;
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void load(const Group& g, Item (&items)[at_once]) const {
    if (args.uplo == Uplo::Lower || N == 1) {
      BATCHLAS_UNROLL
      for (int i = 0; i < at_once; ++i) items[i].rows.load_lower(items[i].a, args.A.ld, items[i].at);
    } else {
      typename Rows::Fetched fetched[at_once];
      BATCHLAS_UNROLL
      for (int i = 0; i < at_once; ++i) Rows::fetch_upper(fetched[i], items[i].a, args.A.ld, items[i].at);
      BATCHLAS_UNROLL
      for (int i = 0; i < at_once; ++i)
        items[i].rows.transpose(g.sub_group(), fetched[i], items[i].at, scratch(g));
    }
  }

  template <class Group>
  BATCHLAS_DEVICE_FN void finish(const Group& g, Item& item, std::int64_t number) const {
    const auto sg = g.sub_group();
    const int first_lane = sg.lane() / W * W;
    if constexpr (at_once > 1) sg.barrier();  // the item before has read the local memory
    std::int64_t ld = args.A.ld;
    device::opaque(item.a);
    device::opaque(ld);
    device::opaque(item.at.lane);
    device::opaque(item.at.n);

    const bool suspicious =
        factor(sg, item.rows, item.at.lane, first_lane, reinterpret_cast<Multipliers*>(scratch(g)));

    if (args.uplo == Uplo::Lower || N == 1) {
      item.rows.store_lower(item.a, ld, item.at);
    } else {
      item.rows.store_upper(sg, item.a, ld, item.at, scratch(g));
    }
    if (!args.info) return;
    int failed = 0;
    if (sg.any(suspicious)) failed = first_failed(sg, item.a, ld, item.at, first_lane);
    if (item.at.lane == 0 && number < args.A.count) args.info[number] = item.order < 0 ? -2 : failed;
  }

  /// The first column (from 1) whose pivot was not finite and positive, or 0: exactly those leave a diagonal
  /// that is not.
  template <class SubGroup>
  BATCHLAS_DEVICE_FN static int first_failed(const SubGroup& sg, const E* a, std::int64_t ld,
                                             typename Rows::Place at, int first_lane) {
    sg.barrier();  // an upper diagonal was stored by other lanes
    int failed = 0;
    BATCHLAS_NO_UNROLL
    for (int q = Rows::rows_per_lane - 1; q >= 0; --q) {
      const int row = at.lane + W * q;
      const R diagonal =
          device::real_part(device::load_if_ge(at.n - 1, row, a + row * (ld + 1), Rows::identity(0, 0)));
      const std::uint64_t mine = sg.ballot(!device::is_positive_finite(diagonal)) >> first_lane &
                                 (W < 64 ? (std::uint64_t{1} << W % 64) - 1 : ~std::uint64_t{0});
      for (int lane = W - 1; lane >= 0 && mine; --lane) {
        if (mine >> lane & 1) failed = W * q + lane + 1;
      }
    }
    return failed;
  }

  /// Factors the rows in place; true if some pivot may have failed.
  template <class SubGroup>
  BATCHLAS_DEVICE_FN static bool factor(const SubGroup& sg, Rows& rows, int lane, int first_lane,
                                        Multipliers* shared) {
    auto& x = rows.x;
    device::PivotSuspicion suspicion;
    R pivot = sg.shuffle(device::real_part(x[0][0]), first_lane);
    // Unrolled by recursion: 64 columns in one loop pass the compiler's limit, and the tile would leave the
    // registers.
    device::unrolled<0, (N + panel - 1) / panel>([&](auto step) {
      constexpr int left = step * panel;
      BATCHLAS_UNROLL
      for (int j = left; j < left + panel && j < N; ++j) {
        suspicion.note(pivot);
        const R inverse = device::reciprocal_sqrt(pivot);
        BATCHLAS_UNROLL
        for (int q = j / W; q < Rows::rows_per_lane; ++q) x[q][j] = device::scaled(x[q][j], inverse);
        if (j + 1 < N) {
          // Row j + 1 has seen all panels but this one: its lane alone brings the next pivot up to date.
          const int owner = (j + 1) / W;
          R next = device::real_part(x[owner][j + 1]);
          BATCHLAS_UNROLL
          for (int t = j + 1 < left + panel ? j : left; t <= j; ++t)
            next = device::sub_norm(next, x[owner][t]);
          pivot = sg.shuffle(next, first_lane + (j + 1) % W);
        }
        BATCHLAS_UNROLL
        for (int c = j + 1; c < left + panel && c < N; ++c) {
          const E multiplier = sg.shuffle(x[c / W][j], first_lane + c % W);
          BATCHLAS_UNROLL
          for (int q = c / W; q < Rows::rows_per_lane; ++q)
            x[q][c] = device::sub_mul_conj(x[q][c], x[q][j], multiplier);
        }
      }
      if (left + panel < N) {
        // Two buffers, so that one barrier a panel suffices.
        Multipliers* buffer = shared + (left / panel % 2) * N;
        BATCHLAS_UNROLL
        for (int q = (left + panel) / W; q < Rows::rows_per_lane; ++q) {
          Multipliers mine;
          BATCHLAS_UNROLL
          for (int t = 0; t < panel; ++t) mine.of[t] = x[q][left + t];
          if (N % W == 0 || lane + W * q < N) buffer[lane + W * q] = mine;
        }
        sg.barrier();
        BATCHLAS_UNROLL
        for (int c = left + panel; c < N; ++c) {
          const Multipliers multipliers = buffer[c];
          BATCHLAS_UNROLL
          for (int q = c / W; q < Rows::rows_per_lane; ++q) {
            BATCHLAS_UNROLL
            for (int t = 0; t < panel; ++t)
              x[q][c] = device::sub_mul_conj(x[q][c], x[q][left + t], multipliers.of[t]);
          }
        }
      }
    });
    return suspicion.template raised<R>();
  }
};

/// Calls f(Constant<N>) with the bucket of n.
template <class T, class F>
void with_tiny_bucket(int n, F&& f) {
  const int wanted = tiny_bucket<T>(n);
  device::unrolled_host<0, static_cast<int>(std::size(tiny_buckets))>([&](auto index) {
    constexpr int bucket = tiny_buckets[index];
    if constexpr (bucket <= tiny_max_n<T>()) {
      if (bucket == wanted) f(device::Constant<bucket>{});
    }
  });
}

template <class Executor, class T>
void launch_tiny(const Executor& executor, const Args<T>& args) {
  with_tiny_bucket<T>(args.A.rows, [&](auto bucket) {
    constexpr int N = bucket;
    const auto kernel = PotrfTiny<T, N>::make(args);
    executor.run(kernel.layout(), kernel);
  });
}

}  // namespace batchlas::inline v0::potrf_kernels
