// Reference results: in wider precision, independent of any library, and through LAPACKE where it was found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/scalar.hh"

namespace batchlas::verify {

/// Factors every item of a view in host memory in place, computed in the wider precision and rounded once.
/// Reads and writes the triangle `uplo`; the imaginary part of the diagonal is not read, and is set to zero.
/// info[b] = k > 0: pivot k is not a finite positive number of the scalar's precision; the leading k - 1
/// columns (rows for Upper) are then factored, and the rest is untouched. A matrix that is singular to
/// working precision can get another info than in working precision. info holds `batch` values.
template <Scalar T>
void reference_potrf(const MatrixView<T>& A, Uplo uplo, std::span<std::int32_t> info);

/// False where the library was built without LAPACKE; the functions below then throw std::runtime_error.
bool has_lapacke();

/// LAPACK's xPOTRF over the items, with its own info.
template <Scalar T>
void lapack_potrf(const MatrixView<T>& A, Uplo uplo, std::span<std::int32_t> info);

/// Eigenvalues, ascending, of Hermitian item b (xSYEV, xHEEV), read from its lower triangle.
template <Scalar T>
std::vector<Real<T>> lapack_eigenvalues(const MatrixView<T>& A, std::int64_t b);

}  // namespace batchlas::verify
