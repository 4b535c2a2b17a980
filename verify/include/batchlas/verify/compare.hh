// Bit-for-bit comparison of two batches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"
#include "batchlas/verify/item.hh"

namespace batchlas::verify {

/// The bits of a scalar in hexadecimal; "re,im" for complex.
template <Scalar T>
std::string hex(T value);

struct BitDifference {
  std::int64_t item = 0;
  std::int64_t i = 0;
  std::int64_t j = 0;
  std::string left;  ///< hexadecimal bits
  std::string right;
};
std::string describe(const BitDifference& difference);

namespace detail {
template <Scalar T>
std::optional<BitDifference> first_bit_difference(const MatrixView<const T>& left,
                                                  const MatrixView<const T>& right, Part part);
}  // namespace detail

/// The first element, by item and then column, of the part whose bits differ (+0 and -0 do, equal NaNs do
/// not). The views may differ in layout, and one may be a broadcast; std::invalid_argument where batch or
/// extents differ.
template <class L, class R>
std::optional<BitDifference> first_bit_difference(const MatrixView<L>& left, const MatrixView<R>& right,
                                                  Part part) {
  static_assert(std::is_same_v<std::remove_const_t<L>, std::remove_const_t<R>>);
  return detail::first_bit_difference<std::remove_const_t<L>>(left, right, part);
}

}  // namespace batchlas::verify
