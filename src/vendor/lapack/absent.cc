// The LAPACK room of a build without LAPACK.
#include "batchlas/scalar.hh"
#include "batchlas/status.hh"
#include "vendor/lapack/potrf.hh"

namespace batchlas::inline v0::vendor {

bool lapack_available() {
  return false;
}

template <class T>
void lapack_potrf(const MatrixView<T>&, Uplo, std::int32_t*) {
  throw NoRouteError("potrf: this build has no LAPACK");
}

#define BATCHLAS_INSTANTIATE(T) template void lapack_potrf<T>(const MatrixView<T>&, Uplo, std::int32_t*);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::vendor
