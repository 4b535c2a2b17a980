// Cholesky of W matrices at once, one a SIMD lane: Golub and Van Loan, Matrix Computations, 4th ed.,
// algorithm 4.2.1 (left-looking), every lane doing the same operations.
//
// n <= 4: the triangle is in registers and all loops are unrolled.
// Above: the triangle is copied to interleaved scratch, in block rows of B rows so that both operands of the
// block products are read front to back, and factored block column by block column with accumulators in
// registers. Both sum in the order k = 0, 1, 2, ... for each element, so that a matrix's bits do not depend
// on which one ran or on the order of the larger matrix that shares its pack.
//
// Included once for each SIMD target and scalar, hence no include guard (batchlas_lanes_kernel in
// src/lanes/CMakeLists.txt).
#include <hwy/cache_control.h>

#include "lanes/items.hh"
#include "lanes/triangle.hh"
#include "ops/potrf/lanes/launch.hh"
#include "ops/potrf/lanes/potrf_lanes.hh"

HWY_BEFORE_NAMESPACE();
namespace batchlas::inline v0::potrf_family::HWY_NAMESPACE::BATCHLAS_LANES_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using namespace lanes::HWY_NAMESPACE;
using lanes::Fixed;

using T = BATCHLAS_LANES_SCALAR;
using R = Real<T>;
using P = Pack<T>;
using V = RealVec<R>;

/// Per lane the order of the first bad minor, or no_failure. Exact in R.
constexpr R no_failure = lanes_max_n + 1;

/// Not for the baseline, which exists to be correct and must compile fast.
constexpr std::ptrdiff_t unrolled_max_n = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 ? 4 : 0;

/// Place of (i, k), k <= i, in a triangle packed by rows.
constexpr std::ptrdiff_t packed_index(std::ptrdiff_t i, std::ptrdiff_t k) {
  return i * (i + 1) / 2 + k;
}

/// Factors the N x N packs of `a` in place; `first` counts the columns before it. Leaves 1 / pivot in
/// `inverse`.
template <std::ptrdiff_t N>
HWY_INLINE void factor_registers(P* a, V* inverse, V& failure, R first) {
  const Tag<R> d;
  repeat(Fixed<N>(), [&](auto j) BATCHLAS_INLINE {
    V pivot = real_part<T>(a[packed_index(j, j)]);
    repeat(j, [&](auto k) BATCHLAS_INLINE {
      const P ajk = a[packed_index(j, k)];
      pivot = sub_norm<T>(pivot, ajk);
      repeat(Fixed<N - 1 - decltype(j)()>(), [&](auto below) BATCHLAS_INLINE {
        P& aij = a[packed_index(j + 1 + below, j)];
        aij = sub_mul_conj<T>(aij, a[packed_index(j + 1 + below, k)], ajk);
      });
    });
    failure = hn::IfThenElse(is_positive_finite<R>(pivot), failure,
                             hn::Min(failure, hn::Set(d, first + static_cast<R>(j + 1))));
    const V root = hn::Sqrt(pivot);
    inverse[j] = hn::Div(hn::Set(d, R(1)), root);
    a[packed_index(j, j)] = from_real<T>(root);
    repeat(Fixed<N - 1 - decltype(j)()>(), [&](auto below) BATCHLAS_INLINE {
      P& aij = a[packed_index(j + 1 + below, j)];
      aij = scaled<T>(aij, inverse[j]);
    });
  });
}

/// Rows and columns of a block: B * B / 2 accumulators and one row of operands fit 16 registers.
constexpr std::ptrdiff_t B = is_complex<T> ? 2 : 4;
constexpr std::ptrdiff_t panel_rows = HWY_TARGET == HWY_AVX3 || is_complex<T> ? B : B / 2;
constexpr std::ptrdiff_t max_blocks = lanes_max_n / B;
constexpr std::ptrdiff_t scratch_reals = B * B * max_blocks * (max_blocks + 1) / 2 * pack_reals<T>;

/// Where each row starts in scratch: a table, because every load and store of a pack asks for it.
struct RowStarts {
  std::int32_t reals[lanes_max_n] = {};
  constexpr RowStarts() {
    for (std::ptrdiff_t i = 0; i < lanes_max_n; ++i) {
      const std::ptrdiff_t block = i / B;
      reals[i] = static_cast<std::int32_t>((B * B * (block * (block + 1) / 2) + i % B) * pack_reals<T>);
    }
  }
};
inline constexpr RowStarts row_starts;

/// Interleaved lower triangle: block row I holds its B x (I + 1) B packs column by column.
struct Scratch {
  R* base;
  R* at(std::ptrdiff_t i, std::ptrdiff_t k) const {
    return base + row_starts.reals[i] + k * (B * pack_reals<T>);
  }
};

/// Diagonal block J of N x N packs: subtracts the products of the columns before it and factors it.
template <std::ptrdiff_t N>
HWY_INLINE void factor_diagonal(Scratch s, std::ptrdiff_t J, V* inverse, V& failure) {
  const std::ptrdiff_t first = J * B;
  P a[N * (N + 1) / 2];
  V pivot[N];
  repeat(Fixed<N>(), [&](auto i) BATCHLAS_INLINE {
    repeat(i,
           [&](auto k) BATCHLAS_INLINE { a[packed_index(i, k)] = load_pack<T>(s.at(first + i, first + k)); });
    pivot[i] = hn::Load(Tag<R>(), s.at(first + i, first + i));
  });
  const R* row = s.at(first, 0);
  for (std::ptrdiff_t k = 0; k < first; ++k, row += B * pack_reals<T>) {
    P l[N];
    repeat(Fixed<N>(), [&](auto i) BATCHLAS_INLINE {
      l[i] = load_pack<T>(row + i * pack_reals<T>);
      pivot[i] = sub_norm<T>(pivot[i], l[i]);
      repeat(i, [&](auto m) BATCHLAS_INLINE {
        a[packed_index(i, m)] = sub_mul_conj<T>(a[packed_index(i, m)], l[i], l[m]);
      });
    });
  }
  repeat(Fixed<N>(), [&](auto i) BATCHLAS_INLINE { a[packed_index(i, i)] = from_real<T>(pivot[i]); });
  factor_registers<N>(a, inverse, failure, static_cast<R>(first));
  repeat(Fixed<N>(), [&](auto i) BATCHLAS_INLINE {
    repeat(i + Fixed<1>(),
           [&](auto k) BATCHLAS_INLINE { store_pack<T>(a[packed_index(i, k)], s.at(first + i, first + k)); });
  });
}

/// `rows` rows from i on of block column J: subtracts the products of the columns before it and divides by
/// the factored diagonal block.
template <std::ptrdiff_t rows>
HWY_INLINE void factor_panel(Scratch s, std::ptrdiff_t i, std::ptrdiff_t J, const V* inverse) {
  constexpr std::ptrdiff_t step = B * pack_reals<T>;
  const std::ptrdiff_t first = J * B;
  P sum[rows][B];
  R* const out = s.at(i, first);
  repeat(Fixed<rows>(), [&](auto r) BATCHLAS_INLINE {
    repeat(Fixed<B>(),
           [&](auto c) BATCHLAS_INLINE { sum[r][c] = load_pack<T>(out + c * step + r * pack_reals<T>); });
  });
  const R* left = s.at(i, 0);
  const R* top = s.at(first, 0);
  for (std::ptrdiff_t k = 0; k < first; ++k, left += step, top += step) {
    P l[B];
    repeat(Fixed<B>(), [&](auto c) BATCHLAS_INLINE { l[c] = load_pack<T>(top + c * pack_reals<T>); });
    repeat(Fixed<rows>(), [&](auto r) BATCHLAS_INLINE {
      const P a = load_pack<T>(left + r * pack_reals<T>);
      repeat(Fixed<B>(), [&](auto c) BATCHLAS_INLINE { sum[r][c] = sub_mul_conj<T>(sum[r][c], a, l[c]); });
    });
  }
  repeat(Fixed<B>(), [&](auto c) BATCHLAS_INLINE {
    repeat(Fixed<rows>(), [&](auto r) BATCHLAS_INLINE {
      sum[r][c] = scaled<T>(sum[r][c], inverse[c]);
      store_pack<T>(sum[r][c], out + c * step + r * pack_reals<T>);
    });
    repeat(Fixed<B - 1 - decltype(c)()>(), [&](auto after) BATCHLAS_INLINE {
      const P l = load_pack<T>(top + c * step + (c + 1 + after) * pack_reals<T>);
      repeat(Fixed<rows>(), [&](auto r) BATCHLAS_INLINE {
        sum[r][c + 1 + after] = sub_mul_conj<T>(sum[r][c + 1 + after], sum[r][c], l);
      });
    });
  });
}

HWY_NOINLINE void factor_diagonal_any(Scratch s, std::ptrdiff_t n, std::ptrdiff_t J, V* inverse, V& failure) {
  const std::ptrdiff_t rows = n - J * B;
  if (rows >= B) return factor_diagonal<B>(s, J, inverse, failure);
  if constexpr (B == 4) {
    if (rows == 3) return factor_diagonal<3>(s, J, inverse, failure);
    if (rows == 2) return factor_diagonal<2>(s, J, inverse, failure);
  }
  factor_diagonal<1>(s, J, inverse, failure);
}

HWY_NOINLINE void factor_panel_rows(Scratch s, std::ptrdiff_t i, std::ptrdiff_t end, std::ptrdiff_t J,
                                    const V* inverse) {
  for (; i + panel_rows <= end; i += panel_rows) factor_panel<panel_rows>(s, i, J, inverse);
  if constexpr (panel_rows > 2) {
    if (i + 2 <= end) factor_panel<2>(s, i, J, inverse), i += 2;
  }
  if (i < end) factor_panel<1>(s, i, J, inverse);
}

/// Factors the n x n triangle in scratch. Diagonal block J + 1 comes right after the panel rows it needs,
/// before the rest of panel J: its chain of square roots and divisions then overlaps with their products.
HWY_NOINLINE V factor_scratch(Scratch s, std::ptrdiff_t n) {
  V failure = hn::Set(Tag<R>(), no_failure);
  V inverse[2][B];
  factor_diagonal_any(s, n, 0, inverse[0], failure);
  for (std::ptrdiff_t J = 0; (J + 1) * B < n; ++J) {
    const std::ptrdiff_t next = (J + 1) * B, after = next + B < n ? next + B : n;
    factor_panel_rows(s, next, after, J, inverse[J % 2]);
    factor_diagonal_any(s, n, J + 1, inverse[(J + 1) % 2], failure);
    factor_panel_rows(s, after, n, J, inverse[J % 2]);
  }
  return failure;
}

HWY_INLINE void write_info(V failure, std::int64_t count, std::int32_t* info) {
  const Tag<R> d;
  if (info == nullptr) return;
  if (hn::AllTrue(d, hn::Eq(failure, hn::Set(d, no_failure)))) {
    for (std::int64_t lane = 0; lane < count; ++lane) info[lane] = 0;
    return;
  }
  HWY_ALIGN R order[width<T>];
  hn::Store(failure, d, order);
  for (std::int64_t lane = 0; lane < count; ++lane)
    info[lane] = order[lane] == no_failure ? 0 : static_cast<std::int32_t>(order[lane]);
}

template <Uplo uplo, std::ptrdiff_t N>
HWY_INLINE V factor_unrolled(T* const* items, std::ptrdiff_t ld) {
  P a[N * (N + 1) / 2];
  V inverse[N], failure = hn::Set(Tag<R>(), no_failure);
  load_triangle<T, uplo>(items, ld, Fixed<N>(),
                         [&](auto i, auto k, P pack) BATCHLAS_INLINE { a[packed_index(i, k)] = pack; });
  factor_registers<N>(a, inverse, failure, R(0));
  store_triangle<T, uplo>(items, ld, Fixed<N>(),
                          [&](auto i, auto k) BATCHLAS_INLINE { return a[packed_index(i, k)]; });
  return failure;
}

template <Uplo uplo>
HWY_NOINLINE V factor_blocked(T* const* items, std::ptrdiff_t ld, std::ptrdiff_t n, Scratch s) {
  load_triangle<T, uplo>(items, ld, n,
                         [&](auto i, auto k, P pack) BATCHLAS_INLINE { store_pack<T>(pack, s.at(i, k)); });
  const V failure = factor_scratch(s, n);
  store_triangle<T, uplo>(items, ld, n,
                          [&](auto i, auto k) BATCHLAS_INLINE { return load_pack<T>(s.at(i, k)); });
  return failure;
}

/// A pack of items of different orders: each is padded to the largest with the identity. Elements move one by
/// one.
HWY_NOINLINE void factor_ragged(const PotrfCall<T>& call, std::int64_t first, std::int64_t count, Scratch s) {
  std::int64_t order[width<T>] = {}, n = 0;
  T* items[width<T>] = {};
  for (std::int64_t lane = 0; lane < count; ++lane) {
    order[lane] = lanes::square_extent(call.A, first + lane);
    items[lane] = lanes::item_pointer(call.A, first + lane);
    if (order[lane] > n) n = order[lane];
  }
  const std::int64_t ld = call.A.leading_dimension();
  const bool lower = call.uplo == Uplo::Lower;
  constexpr std::ptrdiff_t parts = is_complex<T> ? 2 : 1;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = 0; k <= i; ++k) {
      R* const pack = s.at(i, k);
      for (std::int64_t lane = 0; lane < width<T>; ++lane) {
        const bool inside = lane < count && i < order[lane];
        const R* from =
            inside ? reinterpret_cast<const R*>(items[lane] + (lower ? k * ld + i : i * ld + k)) : nullptr;
        pack[lane] = inside ? from[0] : R(i == k);
        if (parts == 2) pack[width<T> + lane] = inside ? from[1] : R(0);
      }
    }
  if (n > 0) {
    const V failure = factor_scratch(s, n);
    write_info(failure, count, call.info ? call.info + first : nullptr);
  }
  for (std::int64_t lane = 0; lane < count; ++lane) {
    if (call.info && order[lane] <= 0) call.info[first + lane] = order[lane] < 0 ? -2 : 0;
    for (std::int64_t i = 0; i < order[lane]; ++i)
      for (std::int64_t k = 0; k <= i; ++k) {
        R* const to = reinterpret_cast<R*>(items[lane] + (lower ? k * ld + i : i * ld + k));
        for (std::ptrdiff_t part = 0; part < parts; ++part) to[part] = s.at(i, k)[part * width<T> + lane];
      }
  }
}

/// Asks for the triangles of the next pack while this one is computed: hardware prefetchers follow the W
/// short streams of a pack too late (n = 8, double: 95 ns an item with, 155 without; below n = 5 they
/// suffice).
template <Uplo uplo>
HWY_INLINE void prefetch_pack(const PotrfCall<T>& call, std::int64_t first, std::int64_t end,
                              std::ptrdiff_t n) {
  constexpr std::ptrdiff_t line = 64 / sizeof(T);
  const std::ptrdiff_t ld = call.A.leading_dimension();
  for (std::int64_t b = first; b < first + width<T> && b < end; ++b) {
    const T* item = lanes::item_pointer(call.A, b);
    for (std::ptrdiff_t q = 0; q < n; ++q) {
      const std::ptrdiff_t begin = uplo == Uplo::Lower ? q : 0, last = uplo == Uplo::Lower ? n - 1 : q;
      for (std::ptrdiff_t e = begin; e < last; e += line) hwy::Prefetch(item + q * ld + e);
      hwy::Prefetch(item + q * ld + last);
    }
  }
}

/// Order of all items of the pack, or -1 where they differ or one is invalid.
HWY_INLINE std::int64_t common_order(const MatrixView<T>& A, std::int64_t first, std::int64_t count) {
  const std::int64_t n = lanes::square_extent(A, first);
  for (std::int64_t lane = 1; lane < count; ++lane)
    if (lanes::square_extent(A, first + lane) != n) return -1;
  return n;
}

/// Packs of 1 x 1 items that follow each other in memory, from `first` on; returns the first item left.
HWY_INLINE std::int64_t factor_adjacent_scalars(const PotrfCall<T>& call, std::int64_t first,
                                                std::int64_t end) {
  for (; first + width<T> <= end; first += width<T>) {
    V inverse, failure = hn::Set(Tag<R>(), no_failure);
    P item = load_adjacent<T>(call.A.data + first);
    factor_registers<1>(&item, &inverse, failure, R(0));
    store_adjacent<T>(item, call.A.data + first);
    write_info(failure, width<T>, call.info ? call.info + first : nullptr);
  }
  return first;
}

/// Items [begin, end) of a batch whose items all have order N.
template <Uplo uplo, std::ptrdiff_t N>
HWY_NOINLINE void factor_packs(const PotrfCall<T>& call, std::int64_t begin, std::int64_t end) {
  const std::ptrdiff_t ld = call.A.leading_dimension();
  std::int64_t first = begin;
  if (N == 1 && call.A.pointers == nullptr && call.A.item_stride() == 1)
    first = factor_adjacent_scalars(call, first, end);
  for (; first < end; first += width<T>) {
    const std::int64_t count = end - first < width<T> ? end - first : width<T>;
    T* items[width<T>];
    lanes::point_at_pack<width<T>>(call.A, first, count, items);
    write_info(factor_unrolled<uplo, N>(items, ld), count, call.info ? call.info + first : nullptr);
  }
}

/// The same for any order above unrolled_max_n, and for items of different orders.
template <Uplo uplo>
HWY_NOINLINE void factor_packs_any(const PotrfCall<T>& call, std::int64_t begin, std::int64_t end) {
  HWY_ALIGN R scratch[scratch_reals];
  const Scratch s{scratch};
  const std::ptrdiff_t ld = call.A.leading_dimension();
  std::int64_t n = call.A.rows;
  for (std::int64_t first = begin; first < end; first += width<T>) {
    const std::int64_t count = end - first < width<T> ? end - first : width<T>;
    if (call.A.has_item_extents()) n = common_order(call.A, first, count);
    if (n <= 0) {
      factor_ragged(call, first, count, s);
      continue;
    }
    T* items[width<T>];
    lanes::point_at_pack<width<T>>(call.A, first, count, items);
    if (call.prefetch) prefetch_pack<uplo>(call, first + width<T>, end, n);
    write_info(factor_blocked<uplo>(items, ld, n, s), count, call.info ? call.info + first : nullptr);
  }
}

template <Uplo uplo>
void factor_one_triangle(const PotrfCall<T>& call, std::int64_t begin, std::int64_t end) {
  bool done = false;
  if (!call.A.has_item_extents())
    repeat(Fixed<unrolled_max_n>(), [&](auto below) {
      constexpr std::ptrdiff_t N = decltype(below)() + 1;
      if (call.A.rows != N) return;
      factor_packs<uplo, N>(call, begin, end);
      done = true;
    });
  if (!done) factor_packs_any<uplo>(call, begin, end);
}

void factor_items(const PotrfCall<T>& call, std::int64_t begin, std::int64_t end) {
  if (call.uplo == Uplo::Lower) {
    factor_one_triangle<Uplo::Lower>(call, begin, end);
  } else {
    factor_one_triangle<Uplo::Upper>(call, begin, end);
  }
}

}  // namespace batchlas::inline v0::potrf_family::HWY_NAMESPACE::BATCHLAS_LANES_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace batchlas::inline v0::potrf_family {

template <>
PotrfItems<BATCHLAS_LANES_SCALAR> potrf_items<BATCHLAS_LANES_SCALAR>() {
  return BATCHLAS_LANES_CHOOSE(BATCHLAS_LANES_NAMESPACE::factor_items);
}

}  // namespace batchlas::inline v0::potrf_family
#endif
