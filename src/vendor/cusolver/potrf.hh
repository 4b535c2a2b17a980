// cuSOLVER's Cholesky factorizations under this library's contract. Absent cuSOLVER, absent.cc takes the
// definitions' place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "batchlas/enums.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/queue.hh"
#include "batchlas/scalar.hh"

namespace batchlas::inline v0::vendor {

/// Whether cuSOLVER is linked in.
bool cusolver_available();

/// Largest order: cuSOLVER's interface counts the elements of an item in an int.
inline constexpr std::int64_t cusolver_potrf_max_n = 46340;

/// Why cuSOLVER cannot factor this batch, or null where it can. A question of shape alone, the same with and
/// without cuSOLVER linked in.
template <class T>
constexpr const char* cusolver_potrf_refusal(const MatrixView<T>& A, Uplo /*uplo*/) {
  if (A.has_item_extents()) return "per-item extents: cuSOLVER takes one order for the whole batch";
  if (A.rows > cusolver_potrf_max_n) return "n > 46340: cuSOLVER counts an item's elements in 32 bits";
  return nullptr;
}

/// Bytes of workspace for cusolver_potrf on device `ordinal` (-1: the current one). Exact.
template <class T>
std::size_t cusolver_potrf_buffer_size(const MatrixView<T>& A, Uplo uplo, int ordinal = -1);

/// Enqueues the factorization of every item on `stream` of device `ordinal`; never waits and never allocates,
/// but for the thread's first call on a device. `info` is device memory of `batch` values, or null. Obeys the
/// contract of batchlas::potrf: other triangle and padding untouched, diagonal real, info positive also for
/// NaN and Inf.
template <class T>
void cusolver_potrf(void* stream, int ordinal, const MatrixView<T>& A, Uplo uplo, std::int32_t* info,
                    Workspace workspace);

}  // namespace batchlas::inline v0::vendor
