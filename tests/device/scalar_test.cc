// Arithmetic of kernels against long double.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <random>

#include "device/scalar.hh"

namespace batchlas::device_test {
namespace {

using device::Complex;

/// |y - 1 / sqrt(d)| in units in the last place of the exact value.
template <class R>
long double error_in_ulps(R d) {
  const long double exact = 1.0L / std::sqrt(static_cast<long double>(d));
  int exponent;
  std::frexp(exact, &exponent);
  return std::fabs(device::reciprocal_sqrt(d) - exact) /
         std::ldexp(1.0L, exponent - std::numeric_limits<R>::digits);
}

template <class R>
struct Worst {
  long double ulps = 0;
  R at = 0;

  void check(R d) {
    const long double error = error_in_ulps(d);
    if (error > ulps || std::isnan(error)) ulps = error, at = d;
  }
  void report(const char* what) const {
    std::printf("reciprocal_sqrt %s: at most %.4Lf ulps, at %a\n", what, ulps, static_cast<double>(at));
    EXPECT_LE(ulps, 2.0L) << what;
  }
};

TEST(ReciprocalSqrt, FloatOverTheWholeRange) {
  Worst<float> subnormal, normal;
  constexpr std::uint32_t first_normal = 0x00800000, infinity = 0x7f800000;
  for (std::uint32_t bits = 1; bits < first_normal; bits += 7) {
    subnormal.check(device::detail::bits_as<float>(bits));
  }
  for (std::uint32_t bits = first_normal; bits < infinity; bits += 211) {  // 10^7 values
    normal.check(device::detail::bits_as<float>(bits));
  }
  for (std::uint32_t bits : {1u, 2u, 3u, first_normal - 1, first_normal, infinity - 1}) {
    normal.check(device::detail::bits_as<float>(bits));
  }
  for (float d = 0x1p-149F; d < 0x1p127F; d *= 2) {  // around every power of two
    normal.check(d);
    normal.check(std::nextafter(d, 0.0F) > 0 ? std::nextafter(d, 0.0F) : d);
    normal.check(std::nextafter(d, INFINITY));
  }
  for (float d : {0.99999994e-30F, 1.0e-30F, 1.0000001e-30F}) normal.check(d);  // the switch of scale
  subnormal.report("float, subnormal");
  normal.report("float, normal");
}

TEST(ReciprocalSqrt, DoubleOverTheWholeRange) {
  Worst<double> subnormal, normal;
  std::mt19937_64 random(11);
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    Worst<double>& worst = exponent == 0 ? subnormal : normal;
    for (int i = 0; i < (exponent == 0 ? 100000 : 500); ++i) {
      std::uint64_t mantissa = random() >> 12;
      if (exponent == 0) mantissa = mantissa >> i % 52 | 1;  // subnormals of every size
      worst.check(device::detail::bits_as<double>(exponent << 52 | mantissa));
    }
    for (std::uint64_t mantissa : {std::uint64_t{exponent == 0}, (std::uint64_t{1} << 52) - 1}) {
      worst.check(device::detail::bits_as<double>(exponent << 52 | mantissa));
    }
  }
  subnormal.report("double, subnormal");
  normal.report("double, normal");
}

TEST(ReciprocalSqrt, PowersOfFourAreExact) {
  for (int k = -74; k <= 63; ++k) {
    EXPECT_EQ(device::reciprocal_sqrt(std::ldexp(1.0F, 2 * k)), std::ldexp(1.0F, -k)) << k;
  }
  for (int k = -537; k <= 511; ++k) {
    EXPECT_EQ(device::reciprocal_sqrt(std::ldexp(1.0, 2 * k)), std::ldexp(1.0, -k)) << k;
  }
}

template <class R>
void check_products() {
  const Complex<R> a{3, -2}, b{5, 7}, c{11, 13};
  const std::complex<R> sa(3, -2), sb(5, 7), sc(11, 13);
  const auto same = [](Complex<R> x, std::complex<R> y) { return x.re == y.real() && x.im == y.imag(); };
  EXPECT_TRUE(same(device::sub_mul_conj(c, a, b), sc - sa * std::conj(sb)));
  EXPECT_TRUE(same(device::add_mul_conj(c, a, b), sc + sa * std::conj(sb)));
  EXPECT_TRUE(same(device::conj(a), std::conj(sa)));
  EXPECT_TRUE(same(device::scaled(a, R(4)), sa * R(4)));
  EXPECT_TRUE(same(device::from_real<Complex<R>>(2), {2, 0}));
  EXPECT_EQ(device::sub_norm(R(20), a), R(7));
  EXPECT_EQ(device::sub_mul_conj(R(11), R(3), R(5)), R(-4));
  EXPECT_EQ(device::add_mul_conj(R(11), R(3), R(5)), R(26));
  EXPECT_EQ(device::sub_norm(R(20), R(3)), R(11));
  EXPECT_EQ(device::real_part(a), R(3));
}

TEST(KernelScalar, ProductsByHandAreTheUsualOnes) {
  check_products<float>();
  check_products<double>();
}

template <class R>
void check_positive_finite() {
  using Limits = std::numeric_limits<R>;
  for (R d : {Limits::denorm_min(), Limits::min(), R(1), Limits::max()})
    EXPECT_TRUE(device::is_positive_finite(d)) << d;
  for (R d : {R(0), R(-0.0), R(-1), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    EXPECT_FALSE(device::is_positive_finite(d)) << d;
  }
}

TEST(KernelScalar, PositiveFinite) {
  check_positive_finite<float>();
  check_positive_finite<double>();
}

template <class R>
bool is_suspicious(R pivot) {
  device::PivotSuspicion suspicion;
  for (R d : {R(1), pivot, R(2)}) suspicion.note(d);
  return suspicion.raised<R>();
}

template <class R>
void check_suspicion() {
  using Limits = std::numeric_limits<R>;
  for (R d : {Limits::min(), R(1), Limits::max()}) EXPECT_FALSE(is_suspicious(d)) << d;
  for (R d : {R(0), R(-0.0), R(-1), -Limits::denorm_min(), -Limits::max(), Limits::infinity(),
              -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN()}) {
    EXPECT_TRUE(is_suspicious(d)) << d;
  }
}

TEST(KernelScalar, PivotSuspicionMissesNothing) {
  check_suspicion<float>();
  check_suspicion<double>();
  EXPECT_FALSE(is_suspicious(0x1p-149F));
  EXPECT_FALSE(is_suspicious(0x1p-1042));
  EXPECT_TRUE(is_suspicious(0x1p-1043)) << "cleared by a look at the pivot itself";
}

}  // namespace
}  // namespace batchlas::device_test
