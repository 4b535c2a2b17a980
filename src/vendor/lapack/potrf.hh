// potrf by the system's LAPACK, one item at a time, OpenMP over the batch.
#pragma once

#include <cstdint>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"

namespace batchlas::inline v0::vendor {

/// False in a build without LAPACK; lapack_potrf then throws NoRouteError.
bool lapack_available();

/// Contract of batchlas::potrf for any n; info may be null. Returns when done.
///
/// LAPACK promises less than the contract: it accepts infinite pivots, may miss NaN, and leaves columns of a
/// failing item half done. Each item's triangle is therefore saved first (n^2 / 2 elements against n^3 / 3
/// operations: 2 % of the time at n = 64, less above and from memory), and an item whose pivots are not all
/// finite and positive is restored and factored by the plain recurrences, which set its info. Failing items
/// cost several times a good one.
///
/// Threads: the library sets nothing process-wide. Items are dealt to OpenMP threads, where an OpenMP build
/// of OpenBLAS (libopenblas0-openmp) and a serial one (libopenblas0-serial) run single-threaded by
/// themselves. The pthread build threads items of n >= 64 itself; these go one after another.
template <class T>
void lapack_potrf(const MatrixView<T>& A, Uplo uplo, std::int32_t* info);

}  // namespace batchlas::inline v0::vendor
