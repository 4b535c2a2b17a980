// Stands in for cuSOLVER in builds without it.
#include "batchlas/status.hh"
#include "vendor/cusolver/potrf.hh"

namespace batchlas::inline v0::vendor {

bool cusolver_available() {
  return false;
}

template <class T>
std::size_t cusolver_potrf_buffer_size(const MatrixView<T>&, Uplo, int) {
  return 0;
}

template <class T>
void cusolver_potrf(void*, int, const MatrixView<T>&, Uplo, std::int32_t*, Workspace) {
  throw NoRouteError("potrf: this build has no cuSOLVER");
}

#define BATCHLAS_INSTANTIATE(T)                                                        \
  template std::size_t cusolver_potrf_buffer_size<T>(const MatrixView<T>&, Uplo, int); \
  template void cusolver_potrf<T>(void*, int, const MatrixView<T>&, Uplo, std::int32_t*, Workspace);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::vendor
