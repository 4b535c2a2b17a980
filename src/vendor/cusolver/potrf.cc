// Two forms. Batched: potrfBatched, which documents that it destroys the triangle it does not factor, so the
// items are staged in the workspace and the factor copied back. Looped: potrf on one item after the other, in
// place.
#include "vendor/cusolver/potrf.hh"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <string>

#include "device/cuda/check.hh"
#include "vendor/cusolver/api.hh"
#include "vendor/cusolver/handle.hh"
#include "vendor/cusolver/staging.hh"

namespace batchlas::inline v0::vendor {
namespace {

using device::Batch;
using device::KernelScalar;
using device::cuda::CurrentDevice;
using device::cuda::Executor;

// potrfBatched is reported to fail at 2^19 items.
constexpr std::int64_t max_chunk = std::int64_t{1} << 18;
// Staging never takes more than the data; beyond 1 GiB it is chunked, but not below the items that fill a
// large GPU.
constexpr std::int64_t staging_limit = std::int64_t{1} << 30;
constexpr std::int64_t min_chunk = 528;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

/// potrf on one item fills the GPU from about n = 512 on; below, potrfBatched wins from the second item.
template <class T>
bool runs_looped(const MatrixView<T>& A) {
  if (A.pointers) return false;  // the host cannot read device pointers without waiting
  if (A.leading_dimension() * A.rows > INT_MAX) return false;
  return A.batch <= std::max<std::int64_t>(1, A.rows / 512);
}

/// What the workspace holds, in order. `staged` and `pointers` belong to the batched form, `scratch` to the
/// looped one.
struct Layout {
  bool looped = false;
  std::int64_t chunk = 0;
  int scratch_elements = 0;
  std::size_t staged = 0, pointers = 0, scratch = 0, info = 0;  ///< bytes, aligned
  std::size_t total() const { return staged + pointers + scratch + info; }
};

/// Asks cuSOLVER, on the current device.
template <class T>
Layout layout_of(const MatrixView<T>& A, Uplo uplo) {
  Layout layout;
  layout.looped = runs_looped(A);
  if (layout.looped) {
    layout.chunk = A.batch;
    cusolver::check(
        cusolver::Api<T>::potrf_elements(cusolver::handle_on(nullptr), uplo, static_cast<int>(A.rows), A.data,
                                         static_cast<int>(A.leading_dimension()), &layout.scratch_elements),
        "cusolverDnpotrf_bufferSize");
    layout.scratch = aligned(sizeof(T) * static_cast<std::size_t>(layout.scratch_elements));
  } else {
    const std::int64_t item_bytes = A.rows * A.rows * static_cast<std::int64_t>(sizeof(T));
    layout.chunk = std::min({A.batch, max_chunk, std::max(min_chunk, staging_limit / item_bytes)});
    layout.staged = aligned(static_cast<std::size_t>(layout.chunk * item_bytes));
    layout.pointers = aligned(sizeof(T*) * static_cast<std::size_t>(layout.chunk));
  }
  // Whether the caller passes info is not known to the size query; cuSOLVER needs it always.
  layout.info = aligned(sizeof(std::int32_t) * static_cast<std::size_t>(layout.chunk));
  return layout;
}

template <class T>
void run_looped(const Executor& executor, cusolverDnHandle_t handle, const MatrixView<T>& A, Uplo uplo,
                std::int32_t* info, const Layout& layout, std::byte* workspace) {
  const Batch<T> batch = device::make_batch(A);
  std::int32_t* const used_info = info ? info : reinterpret_cast<std::int32_t*>(workspace + layout.scratch);
  if constexpr (is_complex<T>) cusolver::make_diagonal_real<T>(executor, batch);
  for (std::int64_t b = 0; b < A.batch; ++b)
    cusolver::check(
        cusolver::Api<T>::potrf(handle, uplo, static_cast<int>(A.rows), A.data + b * A.item_stride(),
                                static_cast<int>(A.leading_dimension()), workspace, layout.scratch_elements,
                                used_info + b),
        "cusolverDnpotrf");
  if constexpr (is_complex<T>) cusolver::make_diagonal_real<T>(executor, batch);
  if (info) cusolver::repair_info<T>(executor, batch, info);
}

template <class T>
void run_chunk(const Executor& executor, cusolverDnHandle_t handle, const MatrixView<T>& A, Uplo uplo,
               std::int32_t* info, const Layout& layout, std::byte* workspace) {
  using S = KernelScalar<T>;
  S* const staged = reinterpret_cast<S*>(workspace);
  S** const pointers = reinterpret_cast<S**>(workspace + layout.staged);
  std::int32_t* const used_info =
      info ? info : reinterpret_cast<std::int32_t*>(workspace + layout.staged + layout.pointers);
  const Batch<T> batch = device::make_batch(A);
  cusolver::stage<T>(executor, batch, uplo, staged, pointers);
  cusolver::check(cusolver::Api<T>::potrf_batched(handle, uplo, batch.rows, pointers, batch.rows, used_info,
                                                  static_cast<int>(A.batch)),
                  "cusolverDnpotrfBatched");
  if (info) {
    Batch<T> factor = batch;
    factor.data = staged;
    factor.pointers = nullptr;
    factor.ld = batch.rows;
    factor.stride = std::int64_t{batch.rows} * batch.rows;
    cusolver::repair_info<T>(executor, factor, info);
  }
  cusolver::unstage<T>(executor, batch, uplo, staged);
}

}  // namespace

bool cusolver_available() {
  return true;
}

template <class T>
std::size_t cusolver_potrf_buffer_size(const MatrixView<T>& A, Uplo uplo, int ordinal) {
  if (A.empty()) return 0;
  if (ordinal < 0) BATCHLAS_CUDA_CHECK(cudaGetDevice(&ordinal));
  const CurrentDevice current(ordinal);
  return layout_of(A, uplo).total();
}

template <class T>
void cusolver_potrf(void* stream, int ordinal, const MatrixView<T>& A, Uplo uplo, std::int32_t* info,
                    Workspace workspace) {
  if (A.empty()) return;
  if (const char* refusal = cusolver_potrf_refusal(A, uplo))
    throw std::invalid_argument(std::string("potrf: cuSOLVER cannot run it: ") + refusal);
  const CurrentDevice current(ordinal);
  const Layout layout = layout_of(A, uplo);
  if (workspace.size() < layout.total())
    throw std::invalid_argument("potrf: workspace of " + std::to_string(workspace.size()) +
                                " bytes, cuSOLVER needs " + std::to_string(layout.total()));
  const Executor executor{stream, ordinal};
  const cusolverDnHandle_t handle = cusolver::handle_on(static_cast<cudaStream_t>(stream));
  if (layout.looped) return run_looped(executor, handle, A, uplo, info, layout, workspace.data());
  for (std::int64_t first = 0; first < A.batch; first += layout.chunk) {
    const std::int64_t count = std::min(layout.chunk, A.batch - first);
    run_chunk(executor, handle, A.slice(first, count), uplo, info ? info + first : nullptr, layout,
              workspace.data());
  }
}

#define BATCHLAS_INSTANTIATE(T)                                                        \
  template std::size_t cusolver_potrf_buffer_size<T>(const MatrixView<T>&, Uplo, int); \
  template void cusolver_potrf<T>(void*, int, const MatrixView<T>&, Uplo, std::int32_t*, Workspace);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::vendor
