#include "cpu/potrf_rival.hh"

#include <dlfcn.h>

#include <algorithm>

#ifdef BATCHLAS_BENCH_LAPACKE
#include <lapacke.h>
#endif

namespace batchlas::bench {
namespace {

/// OpenBLAS's own calls, looked up because another LAPACK may be linked.
template <class F>
F* openblas(const char* symbol) {
  return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, symbol));
}

#ifdef BATCHLAS_BENCH_LAPACKE

int factor(float* A, char uplo, int n, int ld) {
  return LAPACKE_spotrf_work(LAPACK_COL_MAJOR, uplo, n, A, ld);
}
int factor(double* A, char uplo, int n, int ld) {
  return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, uplo, n, A, ld);
}
int factor(std::complex<float>* A, char uplo, int n, int ld) {
  return LAPACKE_cpotrf_work(LAPACK_COL_MAJOR, uplo, n, reinterpret_cast<lapack_complex_float*>(A), ld);
}
int factor(std::complex<double>* A, char uplo, int n, int ld) {
  return LAPACKE_zpotrf_work(LAPACK_COL_MAJOR, uplo, n, reinterpret_cast<lapack_complex_double*>(A), ld);
}

template <class T>
void factor_items(const PotrfOperands& o, int set, int threads) {
  const char uplo = letter(o.uplo);
  const int n = static_cast<int>(o.n), ld = static_cast<int>(o.ld);
  const auto one = [&](std::int64_t b) {
    o.info[b] = factor(reinterpret_cast<T*>(o.item(set, b)), uplo, n, ld);
  };
  if (threads <= 1) {
    for (std::int64_t b = 0; b < o.batch; ++b) one(b);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t b = 0; b < o.batch; ++b) one(b);
}

/// OpenBLAS's own thread count for a scope, where it has threads of its own. Its OpenMP build is serial
/// inside a parallel region by itself, and set_num_threads would make the whole process serial there.
std::shared_ptr<void> blas_threads(int threads) {
  auto* parallel = openblas<int()>("openblas_get_parallel");
  auto* get = openblas<int()>("openblas_get_num_threads");
  auto* set = openblas<void(int)>("openblas_set_num_threads");
  if (!parallel || !get || !set || parallel() != 1) return nullptr;
  const int before = get();
  set(threads);
  return std::shared_ptr<void>(nullptr, [set, before](void*) { set(before); });
}

#endif

}  // namespace

std::vector<Arm> lapack_potrf_rivals([[maybe_unused]] const PotrfOperands& operands) {
  std::vector<Arm> arms;
#ifdef BATCHLAS_BENCH_LAPACKE
  const PotrfOperands o = operands;
  const auto loop = [o](int threads) {
    return [o, threads](int set) {
      visit_dtype(o.dtype, [&](auto scalar) { factor_items<decltype(scalar)>(o, set, threads); });
    };
  };
  const int workers = static_cast<int>(std::min<std::int64_t>(o.threads, o.batch));
  arms.push_back({"rival:lapacke", ArmKind::Rival, loop(workers), [] { return blas_threads(1); }});
  if (o.batch < o.threads)
    arms.push_back(
        {"rival:lapacke-threaded", ArmKind::Rival, loop(1), [o] { return blas_threads(o.threads); }});
#endif
  return arms;
}

std::string lapack_core_name() {
  auto* name = openblas<char*()>("openblas_get_corename");
  return name ? name() : "";
}

}  // namespace batchlas::bench
