// Poison: known bits in everything that an op must neither use nor write.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"
#include "batchlas/verify/item.hh"

namespace batchlas::verify {

/// A scalar whose real words all hold these bits (the low 32 for single precision).
template <Scalar T>
T bit_pattern(std::uint64_t bits);

/// A quiet NaN with a payload that no arithmetic produces.
template <Scalar T>
T nan_poison();

/// Fills every element of `storage` that is not in the named part of some item of `view`: the other triangle,
/// rows past an item's extents, padding to ld, gaps between items, guards at both ends. Every item must lie
/// within `storage`, else std::invalid_argument. Uses one byte of memory an element.
template <Scalar T>
void poison_outside(std::span<T> storage, const MatrixView<T>& view, Part part, T pattern);

/// The first changed element. item is the last one that starts at or before it (-1: before all of them), and
/// (i, j) its place there as though the item's columns went on.
struct PoisonDamage {
  std::int64_t offset = 0;  ///< in `storage`, elements
  std::int64_t item = -1;
  std::int64_t i = 0;
  std::int64_t j = 0;
  std::string found;  ///< hexadecimal bits
  std::string expected;
};
std::string describe(const PoisonDamage& damage);

/// Compares, bit for bit, what poison_outside filled; nothing if it is intact.
template <Scalar T>
std::optional<PoisonDamage> find_poison_damage(std::span<const T> storage, const MatrixView<T>& view,
                                               Part part, T pattern);

/// Overwrites the imaginary parts of the diagonals, which Hermitian ops must not read. Does nothing for real
/// scalars.
template <Scalar T>
void poison_diagonal_imag(const MatrixView<T>& view, Real<T> value);

}  // namespace batchlas::verify
