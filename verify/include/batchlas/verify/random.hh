// Random numbers that depend on (seed, item) alone: the same on every machine, in any order of items.
#pragma once

#include <cstdint>

#include "batchlas/scalar.hh"

namespace batchlas::verify {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), started from a hash of seed and item. No libm, so that the
/// bits are the same everywhere.
class Random {
 public:
  Random(std::uint64_t seed, std::int64_t item) : state_(mix(mix(seed) + static_cast<std::uint64_t>(item))) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15u); }

  /// In [-1, 1), 53 bits: LAPACK's distribution 'S'.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0; }

  /// Nearly normal (0, 1): twelve uniform numbers of variance 1/12. Directions made of it are uniform to
  /// sampling accuracy, and it needs no logarithm.
  double normal() {
    double sum = -6.0;
    for (int pair = 0; pair < 6; ++pair) {
      const std::uint64_t word = bits();
      sum += (static_cast<double>(word >> 32) + static_cast<double>(word & 0xffffffffu)) * 0x1p-32;
    }
    return sum;
  }

  /// A scalar whose real and imaginary parts are independent uniform numbers.
  template <Scalar T>
  T scalar() {
    const auto re = static_cast<Real<T>>(uniform());
    if constexpr (is_complex<T>)
      return T(re, static_cast<Real<T>>(uniform()));
    else
      return re;
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace batchlas::verify
