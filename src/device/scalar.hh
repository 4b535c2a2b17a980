// Arithmetic of the four scalars in kernels. Every operation is written as explicit multiplies, adds and fmas
// (kernels are compiled without contraction), so that host executor and GPU give the same bits.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "batchlas/scalar.hh"
#include "device/function.hh"

namespace batchlas::inline v0::device {

/// Complex number with std::complex's layout. Products are written out by hand: Annex G's handling of
/// infinities costs 1.2 to 7 times.
template <class R>
struct alignas(2 * sizeof(R)) Complex {
  R re, im;
};

namespace detail {
template <class T>
struct KernelScalar {
  using type = T;
};
template <class R>
struct KernelScalar<std::complex<R>> {
  using type = Complex<R>;
};
template <class T>
struct KernelReal {
  using type = T;
};
template <class R>
struct KernelReal<Complex<R>> {
  using type = R;
};
}  // namespace detail

/// The type that kernels compute with: float, double, Complex<float>, Complex<double>.
template <class T>
using KernelScalar = typename detail::KernelScalar<T>::type;
template <class T>
using KernelReal = typename detail::KernelReal<T>::type;
template <class T>
inline constexpr bool is_complex_scalar = sizeof(T) != sizeof(KernelReal<T>);

BATCHLAS_HOST_DEVICE_FN float fused(float a, float b, float c) {
  return fmaf(a, b, c);
}
BATCHLAS_HOST_DEVICE_FN double fused(double a, double b, double c) {
  return ::fma(a, b, c);
}

template <class R>
BATCHLAS_HOST_DEVICE_FN R real_part(R a) {
  return a;
}
template <class R>
BATCHLAS_HOST_DEVICE_FN R real_part(Complex<R> a) {
  return a.re;
}

template <class T>
BATCHLAS_HOST_DEVICE_FN T from_real(KernelReal<T> a) {
  if constexpr (is_complex_scalar<T>) {
    return {a, 0};
  } else {
    return a;
  }
}

template <class T>
BATCHLAS_HOST_DEVICE_FN T zero() {
  return from_real<T>(0);
}

template <class T>
BATCHLAS_HOST_DEVICE_FN T conj(T a) {
  if constexpr (is_complex_scalar<T>) {
    return {a.re, -a.im};
  } else {
    return a;
  }
}

/// a * s for a real s.
template <class T>
BATCHLAS_HOST_DEVICE_FN T scaled(T a, KernelReal<T> s) {
  if constexpr (is_complex_scalar<T>) {
    return {a.re * s, a.im * s};
  } else {
    return a * s;
  }
}

/// c - a * conj(b).
template <class T>
BATCHLAS_HOST_DEVICE_FN T sub_mul_conj(T c, T a, T b) {
  if constexpr (is_complex_scalar<T>) {
    c.re = fused(-a.re, b.re, c.re);
    c.im = fused(-a.im, b.re, c.im);
    c.re = fused(-a.im, b.im, c.re);
    c.im = fused(a.re, b.im, c.im);
    return c;
  } else {
    return fused(-a, b, c);
  }
}

/// c + a * conj(b).
template <class T>
BATCHLAS_HOST_DEVICE_FN T add_mul_conj(T c, T a, T b) {
  if constexpr (is_complex_scalar<T>) {
    c.re = fused(a.re, b.re, c.re);
    c.im = fused(a.im, b.re, c.im);
    c.re = fused(a.im, b.im, c.re);
    c.im = fused(-a.re, b.im, c.im);
    return c;
  } else {
    return fused(a, b, c);
  }
}

/// c - |a|^2 for a real c.
template <class T>
BATCHLAS_HOST_DEVICE_FN KernelReal<T> sub_norm(KernelReal<T> c, T a) {
  if constexpr (is_complex_scalar<T>) {
    return fused(-a.im, a.im, fused(-a.re, a.re, c));
  } else {
    return fused(-a, a, c);
  }
}

/// True for a finite positive number; false for NaN.
template <class R>
BATCHLAS_HOST_DEVICE_FN bool is_positive_finite(R d) {
  return d > R(0) && d <= (std::is_same_v<R, float> ? R(3.402823466e+38F) : R(1.7976931348623157e+308));
}

namespace detail {
template <class To, class From>
BATCHLAS_HOST_DEVICE_FN To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// One third-order step y (1 + e/2 + 3 e^2 / 8), e = 1 - d y^2: relative error r becomes about 2.5 r^3.
template <class R>
BATCHLAS_HOST_DEVICE_FN R rsqrt_step(R d, R y) {
  const R e = fused(-(d * y), y, R(1));
  return fused(y * e, fused(R(0.375), e, R(0.5)), y);
}
}  // namespace detail

/// 1 / sqrt(d) to about one unit in the last place, subnormal d included; unspecified for d that is not
/// positive and finite. Arithmetic only, so that every device gives the same bits: the hardware's
/// approximations differ. The first guess (3.5 % off) is the exponent trick of Kahan and Ng (1986), each step
/// the third-order Householder iteration.
BATCHLAS_HOST_DEVICE_FN float reciprocal_sqrt(float d) {
  const bool tiny = d < 1.0e-30F;
  d = tiny ? d * 1.8446744e19F : d;  // 2^64
  float y = detail::bits_as<float>(0x5f3759dfu - (detail::bits_as<std::uint32_t>(d) >> 1));
  y = detail::rsqrt_step(d, y);
  y = detail::rsqrt_step(d, y);
  return tiny ? y * 4.2949673e9F : y;  // 2^32
}

BATCHLAS_HOST_DEVICE_FN double reciprocal_sqrt(double d) {
  std::uint64_t bits = detail::bits_as<std::uint64_t>(d);
  const bool tiny = static_cast<std::uint32_t>(bits >> 32) < 0x00100000u;
  if (tiny) {
    d *= 0x1p128;
    bits = detail::bits_as<std::uint64_t>(d);
  }
  // A float does the first two steps. d = m 4^k with m in [0.5, 2): the lowest bit of d's exponent, moved
  // into the place of a float's, selects the half of m's range.
  const std::uint32_t high = static_cast<std::uint32_t>(bits >> 32);
  const float m =
      detail::bits_as<float>((static_cast<std::uint32_t>(bits >> 29) & 0x00ffffffu) | 0x3f000000u);
  float y = detail::bits_as<float>(0x5f3759dfu - (detail::bits_as<std::uint32_t>(m) >> 1));
  y = detail::rsqrt_step(m, y);
  y = detail::rsqrt_step(m, y);
  // y 2^-k, widened by hand: conversions run at a sixteenth of the rate.
  const std::uint32_t narrow = detail::bits_as<std::uint32_t>(y);
  const std::uint32_t wide = (narrow >> 3) + ((896u + 511u) << 20) - (high >> 1 & 0xfff00000u);
  double w = detail::bits_as<double>(static_cast<std::uint64_t>(wide) << 32 |
                                     static_cast<std::uint64_t>(narrow << 29));
  w = detail::rsqrt_step(d, w);
  return tiny ? w * 0x1p64 : w;
}

/// 0 if all pivots noted were surely finite and positive; a cheap running test for kernels that look for the
/// failing one afterwards. Double looks at the high word alone, so pivots below 2^-1042 are suspected and
/// cleared by that look.
struct PivotSuspicion {
  std::uint32_t worst = 0;

  BATCHLAS_HOST_DEVICE_FN void note(float pivot) { raise(detail::bits_as<std::uint32_t>(pivot) - 1u); }
  BATCHLAS_HOST_DEVICE_FN void note(double pivot) {
    raise(static_cast<std::uint32_t>(detail::bits_as<std::uint64_t>(pivot) >> 32) - 1u);
  }
  template <class R>
  BATCHLAS_HOST_DEVICE_FN bool raised() const {
    return worst >= (sizeof(R) == 4 ? 0x7f7fffffu : 0x7fefffffu);
  }

 private:
  BATCHLAS_HOST_DEVICE_FN void raise(std::uint32_t candidate) {
    worst = worst > candidate ? worst : candidate;
  }
};

}  // namespace batchlas::inline v0::device
