// The wider precision that the oracle computes in: double for single, long double for double precision.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "batchlas/scalar.hh"

#ifdef __FAST_MATH__
#error "verify must see NaNs: compile it without -ffast-math"
#endif

namespace batchlas::verify::detail {

template <class T>
using WideReal = std::conditional_t<std::is_same_v<Real<T>, float>, double, long double>;

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<WideReal<T>>, WideReal<T>>;

template <class T>
Wide<T> widen(const T& x) {
  if constexpr (is_complex<T>)
    return {x.real(), x.imag()};
  else
    return x;
}

template <class T>
T narrow(const Wide<T>& x) {
  if constexpr (is_complex<T>)
    return {static_cast<Real<T>>(x.real()), static_cast<Real<T>>(x.imag())};
  else
    return static_cast<T>(x);
}

template <class R>
R conjugate(R x) {
  return x;
}
template <class R>
std::complex<R> conjugate(const std::complex<R>& x) {
  return {x.real(), -x.imag()};
}

// Complex products are written out: operator* of std::complex takes Annex G's detours and hides a NaN or two.
template <class R>
R product(R a, R b) {
  return a * b;
}
template <class R>
std::complex<R> product(const std::complex<R>& a, const std::complex<R>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// |x| without hypot, ten times its speed in long double: squares of working-precision numbers fit the wider
/// range.
template <class R>
R magnitude(R x) {
  return std::abs(x);
}
template <class R>
R magnitude(const std::complex<R>& x) {
  return std::sqrt(x.real() * x.real() + x.imag() * x.imag());
}

/// sum_k conj(a[k]) b[k], k < count, of working-precision numbers: the products of float are exact, those of
/// double rounded to long double. Two sums run side by side, because one would wait for each addition.
template <Scalar T>
Wide<T> dot(const T* a, const T* b, std::int64_t count) {
  using W = WideReal<T>;
  if constexpr (is_complex<T>) {
    // Two passes: the eight registers of x87 hold two sums and the operands, not four.
    W re = 0, re2 = 0, im = 0, im2 = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      re += W(a[k].real()) * W(b[k].real());
      re2 += W(a[k].imag()) * W(b[k].imag());
    }
    for (std::int64_t k = 0; k < count; ++k) {
      im += W(a[k].real()) * W(b[k].imag());
      im2 += W(a[k].imag()) * W(b[k].real());
    }
    return {re + re2, im - im2};
  } else {
    W even = 0, odd = 0;
    std::int64_t k = 0;
    for (; k + 1 < count; k += 2) {
      even += W(a[k]) * W(b[k]);
      odd += W(a[k + 1]) * W(b[k + 1]);
    }
    if (k < count) even += W(a[k]) * W(b[k]);
    return even + odd;
  }
}

/// The larger of two non-negative numbers, NaN above all.
template <class R>
R max_nan(R a, R b) {
  return !(a >= b) && a == a ? b : a;
}

}  // namespace batchlas::verify::detail
