// Reads and writes one triangle of W column-major matrices as the lower triangle of packs (i, k), k <= i.
//
// The upper triangle's element (k, i) is presented as (i, k), without conjugation: for a Hermitian matrix
// that is the lower triangle of its conjugate. Both triangles thus lie in lines along memory: for Lower, line
// k holds (k .. n-1, k); for Upper, line i holds (i, 0 .. i). Compiled once a SIMD target.
#if defined(BATCHLAS_LANES_TRIANGLE_HH) == defined(HWY_TARGET_TOGGLE)
#ifdef BATCHLAS_LANES_TRIANGLE_HH
#undef BATCHLAS_LANES_TRIANGLE_HH
#else
#define BATCHLAS_LANES_TRIANGLE_HH
#endif

#include <cstddef>

#include "batchlas/enums.hh"
#include "lanes/transpose.hh"

HWY_BEFORE_NAMESPACE();
namespace batchlas::inline v0::lanes::HWY_NAMESPACE {

namespace detail {

template <Uplo uplo, class N, class Q>
HWY_INLINE auto first_of_line(N, Q q) {
  if constexpr (uplo == Uplo::Lower) {
    return q;
  } else {
    return Fixed<0>();
  }
}

template <Uplo uplo, class N, class Q>
HWY_INLINE auto length_of_line(N n, Q q) {
  if constexpr (uplo == Uplo::Lower) {
    return n - q;
  } else {
    return q + Fixed<1>();
  }
}

}  // namespace detail

/// put(i, k, pack) for every element of the triangle, n >= 1 (Fixed or run-time). Loads nothing before the
/// first or after the last element of the triangle: a group that would reach past the last line's end is
/// shifted back.
template <class T, Uplo uplo, class N, class Put>
HWY_INLINE void load_triangle(T* const* items, std::ptrdiff_t ld, N n, Put put) {
  constexpr std::ptrdiff_t size = group<T>;
  if (n == 1) {
    HWY_ALIGN Real<T> one[pack_reals<T>];
    for (std::ptrdiff_t lane = 0; lane < width<T>; ++lane) {
      const Real<T>* from = reinterpret_cast<const Real<T>*>(items[lane]);
      for (std::ptrdiff_t part = 0; part < pack_reals<T> / width<T>; ++part)
        one[part * width<T> + lane] = from[part];
    }
    put(Fixed<0>(), Fixed<0>(), load_pack<T>(one));
    return;
  }
  repeat(n, [&](auto q) BATCHLAS_INLINE {
    const auto first = detail::first_of_line<uplo>(n, q);
    const auto length = detail::length_of_line<uplo>(n, q);
    repeat(divide_up<size>(length), [&](auto g) BATCHLAS_INLINE {
      const std::ptrdiff_t done = size * g, left = length - done;
      const std::ptrdiff_t back = left < size && q == n - 1 ? size - left : 0;
      Pack<T> packs[size];
      load_group(items, q * ld + first + done - back, packs);
      repeat(Fixed<size>(), [&](auto e) BATCHLAS_INLINE {
        if (e < back || e - back >= left) return;
        const std::ptrdiff_t at = first + done + e - back;
        if constexpr (uplo == Uplo::Lower) {
          put(at, q, packs[e]);
        } else {
          put(q, at, packs[e]);
        }
      });
    });
  });
}

/// Writes get(i, k) to every element of the triangle and to nothing else. Groups at the end of a line overlap
/// where the line is long enough.
template <class T, Uplo uplo, class N, class Get>
HWY_INLINE void store_triangle(T* const* items, std::ptrdiff_t ld, N n, Get get) {
  constexpr std::ptrdiff_t size = group<T>;
  repeat(n, [&](auto q) BATCHLAS_INLINE {
    const auto first = detail::first_of_line<uplo>(n, q);
    const auto length = detail::length_of_line<uplo>(n, q);
    repeat(divide_up<size>(length), [&](auto g) BATCHLAS_INLINE {
      const std::ptrdiff_t done = size * g, left = length - done;
      const std::ptrdiff_t begin = left >= size || length < size ? done : length - size;
      Pack<T> packs[size];
      repeat(Fixed<size>(), [&](auto e) BATCHLAS_INLINE {
        const std::ptrdiff_t at = first + (begin + e < length ? begin + e : begin);
        if constexpr (uplo == Uplo::Lower) {
          packs[e] = get(at, q);
        } else {
          packs[e] = get(q, at);
        }
      });
      store_group(packs, items, q * ld + first + begin, length < size ? length : size);
    });
  });
}

}  // namespace batchlas::inline v0::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
