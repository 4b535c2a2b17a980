// What cuSOLVER's potrf needs before and after it, as kernels: staged copies of items, pointer arrays, and
// the repair of info and diagonal.
#pragma once

#include <cstdint>

#include "batchlas/enums.hh"
#include "device/batch.hh"
#include "device/launch.hh"

namespace batchlas::inline v0::vendor::cusolver {

/// Copies the triangle `uplo` of every item to staged + b * n * n (ld n), zeros in the other triangle and in
/// the imaginary part of the diagonal, and writes pointers[b] = staged + b * n * n.
template <class T>
void stage(const device::cuda::Executor& executor, const device::Batch<T>& A, Uplo uplo,
           device::KernelScalar<T>* staged, device::KernelScalar<T>** pointers);

/// Copies the triangle `uplo` of every staged item back to A, the diagonal made real.
template <class T>
void unstage(const device::cuda::Executor& executor, const device::Batch<T>& A, Uplo uplo,
             const device::KernelScalar<T>* staged);

/// Makes the diagonals of A real.
template <class T>
void make_diagonal_real(const device::cuda::Executor& executor, const device::Batch<T>& A);

/// Lowers info[b] to the first diagonal entry of the factor that is not a finite positive number: cuSOLVER
/// reports success for a NaN pivot and accepts +Inf.
template <class T>
void repair_info(const device::cuda::Executor& executor, const device::Batch<T>& factor, std::int32_t* info);

}  // namespace batchlas::inline v0::vendor::cusolver
