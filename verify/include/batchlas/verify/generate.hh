// Test matrices, written into views of host memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"

namespace batchlas::verify {

// Item b of a fill depends on (seed, b), its extents and the scalar alone, never on ld, stride, pointers or
// batch. Only the elements of the items are written, both triangles of them; poison_outside then hides the
// triangle that an op must not look at. Hermitian matrices have a real diagonal, and off it independent real
// and imaginary parts. Fills throw std::invalid_argument where an item that must be square is not.

/// The nine PO types of LAPACK's xCHKPO and xDRVPO (xLATB4 and xLATMS mode 3: eigenvalues in geometric
/// progression). eps is the distance from 1 to the next number.
enum class PoType : std::uint8_t {
  Diagonal = 1,     ///< condition 2
  WellConditioned,  ///< condition 2
  ZeroFirst,        ///< row and column 1 zero, otherwise WellConditioned
  ZeroLast,         ///< row and column n zero
  ZeroMiddle,       ///< row and column n / 2 + 1 zero
  ConditionSqrt,    ///< condition sqrt(0.1 / eps)
  ConditionLimit,   ///< condition 0.1 / eps
  NearUnderflow,    ///< condition 2, norm 0.25 * smallest normal / eps
  NearOverflow,     ///< condition 2, the inverse of that norm
};

inline constexpr PoType po_types[] = {PoType::Diagonal,       PoType::WellConditioned, PoType::ZeroFirst,
                                      PoType::ZeroLast,       PoType::ZeroMiddle,      PoType::ConditionSqrt,
                                      PoType::ConditionLimit, PoType::NearUnderflow,   PoType::NearOverflow};

std::string_view name(PoType type);

/// False for the orders at which LAPACK skips a type, because it would equal an earlier one.
constexpr bool applies(PoType type, std::int64_t n) {
  if (type == PoType::ZeroLast) return n >= 2;
  if (type == PoType::ZeroMiddle) return n >= 3;
  return n >= 1 || type == PoType::Diagonal;
}

/// The info of a Cholesky factorization of a matrix of this type and order.
constexpr std::int32_t expected_info(PoType type, std::int64_t n) {
  if (n == 0) return 0;
  if (type == PoType::ZeroFirst) return 1;
  if (type == PoType::ZeroLast) return static_cast<std::int32_t>(n);
  if (type == PoType::ZeroMiddle) return static_cast<std::int32_t>(n / 2 + 1);
  return 0;
}

/// Condition number and largest eigenvalue that a type prescribes for T at order n, before rows are zeroed.
template <Scalar T>
double condition(PoType type, std::int64_t n);
template <Scalar T>
double largest_eigenvalue(PoType type);

/// Fills every item with Q D Q^H, Q a random unitary matrix (Stewart, SIAM J. Numer. Anal. 17, 1980, as
/// LAPACK's xLAGSY and xLAGHE), computed in the wider precision and rounded once. Costs 2 n^3 / 3 wide
/// operations an item.
template <Scalar T>
void fill_po(const MatrixView<T>& A, PoType type, std::uint64_t seed);

/// The same for item b alone, so that a batch can mix types.
template <Scalar T>
void fill_po_item(const MatrixView<T>& A, std::int64_t b, PoType type, std::uint64_t seed);

/// Fills every item with a random Hermitian matrix plus a shift that makes it positive definite, condition
/// below about
/// 10. Costs n^2 operations an item: for large batches.
template <Scalar T>
void fill_spd_well_conditioned(const MatrixView<T>& A, std::uint64_t seed);

/// Fills every item with independent numbers, uniform in [-1, 1).
template <Scalar T>
void fill_random(const MatrixView<T>& A, std::uint64_t seed);

}  // namespace batchlas::verify
