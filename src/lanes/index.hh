// Loop bounds that are either compile-time or run-time integers, so that one loop nest serves unrolled
// kernels (values in registers) and general ones (values in memory): the bounds of repeat() in simd.hh.
#pragma once

#include <cstddef>

namespace batchlas::inline v0::lanes {

/// For lambdas that must vanish: registers hold an array only where all its indices become constants early.
#define BATCHLAS_INLINE __attribute__((always_inline))

/// The integer `value` as a type. Sums and differences of two Fixed are Fixed; with a run-time integer,
/// run-time.
template <std::ptrdiff_t value>
struct Fixed {
  constexpr operator std::ptrdiff_t() const { return value; }
};

template <std::ptrdiff_t a, std::ptrdiff_t b>
constexpr Fixed<a + b> operator+(Fixed<a>, Fixed<b>) {
  return {};
}
template <std::ptrdiff_t a, std::ptrdiff_t b>
constexpr Fixed<a - b> operator-(Fixed<a>, Fixed<b>) {
  return {};
}

template <std::ptrdiff_t divisor, std::ptrdiff_t a>
constexpr Fixed<(a + divisor - 1) / divisor> divide_up(Fixed<a>) {
  return {};
}
template <std::ptrdiff_t divisor>
constexpr std::ptrdiff_t divide_up(std::ptrdiff_t a) {
  return (a + divisor - 1) / divisor;
}

}  // namespace batchlas::inline v0::lanes
