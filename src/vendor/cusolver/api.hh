// cuSOLVER's four typed entry points under one name each.
#pragma once

#include <cusolverDn.h>

#include <complex>
#include <cstdint>

#include "batchlas/enums.hh"

namespace batchlas::inline v0::vendor::cusolver {

inline cublasFillMode_t fill_mode(Uplo uplo) {
  return uplo == Uplo::Lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}

template <class T>
struct Api;

#define BATCHLAS_CUSOLVER_API(T, Native, letter)                                                           \
  template <>                                                                                              \
  struct Api<T> {                                                                                          \
    static cusolverStatus_t potrf_batched(cusolverDnHandle_t handle, Uplo uplo, int n, void* pointers,     \
                                          int ld, std::int32_t* info, int batch) {                         \
      return cusolverDn##letter##potrfBatched(handle, fill_mode(uplo), n, static_cast<Native**>(pointers), \
                                              ld, info, batch);                                            \
    }                                                                                                      \
    static cusolverStatus_t potrf_elements(cusolverDnHandle_t handle, Uplo uplo, int n, void* A, int ld,   \
                                           int* elements) {                                                \
      return cusolverDn##letter##potrf_bufferSize(handle, fill_mode(uplo), n, static_cast<Native*>(A), ld, \
                                                  elements);                                               \
    }                                                                                                      \
    static cusolverStatus_t potrf(cusolverDnHandle_t handle, Uplo uplo, int n, void* A, int ld,            \
                                  void* workspace, int elements, std::int32_t* info) {                     \
      return cusolverDn##letter##potrf(handle, fill_mode(uplo), n, static_cast<Native*>(A), ld,            \
                                       static_cast<Native*>(workspace), elements, info);                   \
    }                                                                                                      \
  };
BATCHLAS_CUSOLVER_API(float, float, S)
BATCHLAS_CUSOLVER_API(double, double, D)
BATCHLAS_CUSOLVER_API(std::complex<float>, cuComplex, C)
BATCHLAS_CUSOLVER_API(std::complex<double>, cuDoubleComplex, Z)
#undef BATCHLAS_CUSOLVER_API

}  // namespace batchlas::inline v0::vendor::cusolver
