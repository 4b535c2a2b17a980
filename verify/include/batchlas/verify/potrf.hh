// Checks of Cholesky factors.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"
#include "batchlas/verify/check.hh"

namespace batchlas::verify {

namespace detail {
template <Scalar T>
CheckResult check_potrf(const MatrixView<const T>& original, const MatrixView<const T>& factor, Uplo uplo,
                        std::span<const std::int32_t> info, std::span<const std::int64_t> items);
}  // namespace detail

/// The worst ||A - L L^H||_1 / (n ||A||_1 eps) of a batch (LAPACK's xPOT01, bound 30), accumulated in the
/// wider precision; for Upper with U^H U. Both views are in host memory, and only the triangle `uplo` of each
/// is read.
///
/// An item with info = k > 0 is judged by its leading block of order k - 1, one with info < 0 is skipped;
/// empty info means all 0. A factor whose diagonal is not real and positive gets at least 1 / eps, as in
/// LAPACK. `items` limits the check to those; empty means all.
template <class A, class F>
CheckResult check_potrf(const MatrixView<A>& original, const MatrixView<F>& factor, Uplo uplo,
                        std::span<const std::int32_t> info = {}, std::span<const std::int64_t> items = {}) {
  static_assert(std::is_same_v<std::remove_const_t<A>, std::remove_const_t<F>>);
  return detail::check_potrf<std::remove_const_t<A>>(original, factor, uplo, info, items);
}

}  // namespace batchlas::verify
