// What every check returns, and the one table of its bounds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "batchlas/scalar.hh"

namespace batchlas::verify {

enum class Kind : std::uint8_t {
  Blas,  ///< componentwise: |C - reference| / (|alpha| |A| |B| + |beta| |C|), likewise triangular solves
  Factorization,  ///< ||A - product of the factors|| / ||A||
  Solve,          ///< ||B - A X|| / (||A|| ||X||)
  Orthogonality,  ///< ||I - Q^H Q||
  Rotation,       ///< ||B - Q A Z|| / ||A|| for a product of rotations applied in place
  EigenResidual,  ///< ||A Z - Z D|| / ||A||; singular triplets alike
  Values,         ///< max |d - reference| / max |reference|, sorted
};

std::string_view name(Kind kind);

/// The eps of all bounds: LAPACK's 'Epsilon', half the distance from 1 to the next number.
template <Scalar T>
inline constexpr double unit_roundoff = static_cast<double>(std::numeric_limits<Real<T>>::epsilon()) / 2;

/// c of the bound c * f(n) * eps.
double bound_constant(Kind kind);
/// f(n) * eps, the unit that raw values are given in. n is the order, or for Blas the length of the inner
/// products.
double bound_unit(Kind kind, std::int64_t n, double eps);
/// c * f(n) * eps, for a residual that has not been divided by bound_unit.
double bound(Kind kind, std::int64_t n, double eps);

/// The worst item of a check.
struct CheckResult {
  double raw = 0;          ///< residual / (f(n) eps): for potrf, the ratio that DPOT01 prints
  double bound = 0;        ///< c: what raw must stay below
  std::int64_t item = -1;  ///< -1: no item was checked
  Kind kind = Kind::Factorization;
  double unit = 0;  ///< f(n) eps of that item

  /// False for a NaN.
  bool ok() const { return raw < bound; }
  /// The residual itself, to hold against bound(kind, n, eps).
  double residual() const { return raw * unit; }
};

/// "factorization 31.2 (bound 30) at item 4".
std::string describe(const CheckResult& result);

/// The worse of two results of one kind by raw / bound. NaN is worse than anything; the first wins a tie.
CheckResult worst(const CheckResult& first, const CheckResult& second);

/// Items 0, batch / 2 and batch - 1, each once: those that a tuner checks.
std::vector<std::int64_t> sample_items(std::int64_t batch);

}  // namespace batchlas::verify
