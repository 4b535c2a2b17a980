// Cholesky factorization of a batch of Hermitian positive definite matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "batchlas/enums.hh"
#include "batchlas/export.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/queue.hh"
#include "batchlas/scalar.hh"

namespace batchlas::inline v0 {

struct PotrfOptions {
  Uplo uplo = Uplo::Lower;
  /// Optional, `batch` values in memory of the queue's device. info[b] = 0: item b is factored; k > 0: the
  /// leading minor of order k is not positive definite (its pivot is not a finite positive number; LAPACK
  /// accepts +Inf, this library does not), and the leading k - 1 columns (rows for Upper) of the factor are
  /// valid; -2: item_rows[b] or item_cols[b] is out of range or they differ, and the item is untouched.
  std::span<std::int32_t> info = {};
};

/// Factors each n x n item of A in place: A = L L^H (Lower) or A = U^H U (Upper), n^3 / 3 operations an item
/// (times 4 for complex scalars).
///
/// Reads and writes only the triangle named by options.uplo, the diagonal included; the imaginary part of the
/// diagonal is not read and is set to zero. An item whose info is positive holds unspecified values past its
/// valid columns; the other items are unaffected. A with n = 0 or batch = 0 is a no-op. A must not be
/// broadcast (stride 0).
///
/// The kernel is chosen for the device from measured tables (batchlas/introspect.hh explains the choice); all
/// follow the Cholesky recurrences of Golub and Van Loan, Matrix Computations, 4th ed., section 4.2.
///
/// Throws std::invalid_argument where an argument is wrong (A not square, ld < n, overlapping items, info of
/// another length than batch, workspace too small or misaligned, host memory given to a GPU), NoRouteError
/// where nothing can run, DeviceError where the device failed.
template <Scalar T>
BATCHLAS_API Event potrf(Queue& queue, const MatrixView<T>& A, const PotrfOptions& options = {},
                         Workspace workspace = {});

/// Bytes of workspace that potrf needs for these arguments, for the kernel that potrf would choose now; 0 is
/// possible. Reads the view's shape only, never its elements.
template <Scalar T>
BATCHLAS_API std::size_t potrf_buffer_size(Queue& queue, const MatrixView<T>& A,
                                           const PotrfOptions& options = {});

}  // namespace batchlas::inline v0
