#include "ops/potrf/lanes/potrf_lanes.hh"

#include "batchlas/scalar.hh"
#include "lanes/parallel.hh"
#include "lanes/target.hh"
#include "ops/potrf/lanes/launch.hh"

namespace batchlas::inline v0::potrf_family {

template <class T>
void potrf_lanes(const MatrixView<T>& A, Uplo uplo, std::int32_t* info) {
  constexpr std::int64_t cached_bytes = 4 << 20;
  const bool prefetch =
      A.batch * A.rows * A.leading_dimension() * static_cast<std::int64_t>(sizeof(T)) > cached_bytes;
  const PotrfCall<T> call{A, uplo, info, prefetch};
  const PotrfItems<T> kernel = potrf_items<T>();
  const std::int64_t width = lanes::vector_bytes() / static_cast<std::int64_t>(sizeof(Real<T>));
  const double n = static_cast<double>(A.rows);
  const double item_ns = (is_complex<T> ? 4 : 1) * n * n * (n + 12) / (6.0 * static_cast<double>(width)) + 1;
  lanes::for_each_range(A.batch, width, item_ns,
                        [&](std::int64_t begin, std::int64_t end) { kernel(call, begin, end); });
}

#define BATCHLAS_INSTANTIATE(T) template void potrf_lanes<T>(const MatrixView<T>&, Uplo, std::int32_t*);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::potrf_family
