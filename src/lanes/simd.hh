// One scalar of a pack: the same element of W matrices, a real vector or two. Names follow
// src/device/scalar.hh. Compiled once a SIMD target (Highway's per-target include guard).
#if defined(BATCHLAS_LANES_SIMD_HH) == defined(HWY_TARGET_TOGGLE)
#ifdef BATCHLAS_LANES_SIMD_HH
#undef BATCHLAS_LANES_SIMD_HH
#else
#define BATCHLAS_LANES_SIMD_HH
#endif

#include <limits>
#include <utility>

#include <hwy/highway.h>  // included anew for each target

#include "batchlas/scalar.hh"
#include "lanes/highway.hh"
#include "lanes/index.hh"

HWY_BEFORE_NAMESPACE();
namespace batchlas::inline v0::lanes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
using Tag = hn::ScalableTag<R>;
template <class R>
using RealVec = hn::Vec<Tag<R>>;

/// f(0), ..., f(count - 1); unrolled, with Fixed arguments, for a Fixed count. Here, in the target's
/// namespace, because a function compiled for less cannot inline a lambda compiled for more.
template <std::ptrdiff_t count, class F>
HWY_INLINE void repeat(Fixed<count>, F f) {
  [&]<std::ptrdiff_t... i>(std::integer_sequence<std::ptrdiff_t, i...>) BATCHLAS_INLINE {
    (f(Fixed<i>()), ...);
  }
  (std::make_integer_sequence<std::ptrdiff_t, count>());
}
template <class F>
HWY_INLINE void repeat(std::ptrdiff_t count, F f) {
  for (std::ptrdiff_t i = 0; i < count; ++i) f(i);
}

/// W: the items of one pack.
template <class T>
inline constexpr std::ptrdiff_t width = hn::MaxLanes(Tag<Real<T>>());

/// Real and imaginary parts apart, so that a complex product needs no shuffles.
template <class R>
struct ComplexVec {
  RealVec<R> re, im;
};

namespace detail {
template <class T>
struct PackOf {
  using type = RealVec<T>;
};
template <class R>
struct PackOf<std::complex<R>> {
  using type = ComplexVec<R>;
};
}  // namespace detail

template <class T>
using Pack = typename detail::PackOf<T>::type;

/// Reals that one pack takes in interleaved memory.
template <class T>
inline constexpr std::ptrdiff_t pack_reals = width<T>*(is_complex<T> ? 2 : 1);

template <class T>
HWY_INLINE Pack<T> load_pack(const Real<T>* from) {
  const Tag<Real<T>> d;
  if constexpr (is_complex<T>) {
    return {hn::Load(d, from), hn::Load(d, from + width<T>)};
  } else {
    return hn::Load(d, from);
  }
}

template <class T>
HWY_INLINE void store_pack(Pack<T> pack, Real<T>* to) {
  const Tag<Real<T>> d;
  if constexpr (is_complex<T>) {
    hn::Store(pack.re, d, to);
    hn::Store(pack.im, d, to + width<T>);
  } else {
    hn::Store(pack, d, to);
  }
}

template <class T>
HWY_INLINE RealVec<Real<T>> real_part(Pack<T> a) {
  if constexpr (is_complex<T>) {
    return a.re;
  } else {
    return a;
  }
}

template <class T>
HWY_INLINE Pack<T> from_real(RealVec<Real<T>> a) {
  if constexpr (is_complex<T>) {
    return {a, hn::Zero(Tag<Real<T>>())};
  } else {
    return a;
  }
}

/// a * s for a real s.
template <class T>
HWY_INLINE Pack<T> scaled(Pack<T> a, RealVec<Real<T>> s) {
  if constexpr (is_complex<T>) {
    return {hn::Mul(a.re, s), hn::Mul(a.im, s)};
  } else {
    return hn::Mul(a, s);
  }
}

/// c - a * conj(b).
template <class T>
HWY_INLINE Pack<T> sub_mul_conj(Pack<T> c, Pack<T> a, Pack<T> b) {
  if constexpr (is_complex<T>) {
    c.re = hn::NegMulAdd(a.re, b.re, c.re);
    c.im = hn::NegMulAdd(a.im, b.re, c.im);
    c.re = hn::NegMulAdd(a.im, b.im, c.re);
    c.im = hn::MulAdd(a.re, b.im, c.im);
    return c;
  } else {
    return hn::NegMulAdd(a, b, c);
  }
}

/// c - |a|^2 for a real c.
template <class T>
HWY_INLINE RealVec<Real<T>> sub_norm(RealVec<Real<T>> c, Pack<T> a) {
  if constexpr (is_complex<T>) {
    return hn::NegMulAdd(a.im, a.im, hn::NegMulAdd(a.re, a.re, c));
  } else {
    return hn::NegMulAdd(a, a, c);
  }
}

/// A mask: true for lanes that hold a finite positive number; false for NaN.
template <class R>
HWY_INLINE auto is_positive_finite(RealVec<R> a) {
  const Tag<R> d;
  return hn::And(hn::Gt(a, hn::Zero(d)), hn::Le(a, hn::Set(d, std::numeric_limits<R>::max())));
}

}  // namespace batchlas::inline v0::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
