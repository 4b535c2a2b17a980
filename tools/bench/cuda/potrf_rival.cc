#include "cuda/potrf_rival.hh"

#include <cuda_runtime_api.h>
#include <cusolverDn.h>

#include <algorithm>
#include <complex>

#include "batchlas/cuda.hh"
#include "cuda/check.hh"
#include "cuda/kernels.hh"

namespace batchlas::bench {
namespace {

void check_solver(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw std::runtime_error("cuSOLVER status " + std::to_string(static_cast<int>(status)) + " from " + call);
}

// cuSOLVER's functions are overloads by pointer type here.
#define BATCHLAS_BENCH_POTRF(T, letter)                                                                     \
  cusolverStatus_t potrf_batched(cusolverDnHandle_t h, cublasFillMode_t u, int n, T** A, int ld, int* info, \
                                 int batch) {                                                               \
    return cusolverDn##letter##potrfBatched(h, u, n, A, ld, info, batch);                                   \
  }                                                                                                         \
  cusolverStatus_t potrf_size(cusolverDnHandle_t h, cublasFillMode_t u, int n, T* A, int ld, int* size) {   \
    return cusolverDn##letter##potrf_bufferSize(h, u, n, A, ld, size);                                      \
  }                                                                                                         \
  cusolverStatus_t potrf_one(cusolverDnHandle_t h, cublasFillMode_t u, int n, T* A, int ld, T* work,        \
                             int size, int* info) {                                                         \
    return cusolverDn##letter##potrf(h, u, n, A, ld, work, size, info);                                     \
  }
BATCHLAS_BENCH_POTRF(float, S)
BATCHLAS_BENCH_POTRF(double, D)
BATCHLAS_BENCH_POTRF(cuComplex, C)
BATCHLAS_BENCH_POTRF(cuDoubleComplex, Z)
#undef BATCHLAS_BENCH_POTRF

template <class F>
void with_native(DType dtype, F&& f) {
  switch (dtype) {
    case DType::Float:
      return f(static_cast<float*>(nullptr));
    case DType::Double:
      return f(static_cast<double*>(nullptr));
    case DType::CFloat:
      return f(static_cast<cuComplex*>(nullptr));
    case DType::CDouble:
      return f(static_cast<cuDoubleComplex*>(nullptr));
  }
}

/// What both arms share for the life of the cell.
class Rival {
 public:
  Rival(Queue& queue, const PotrfOperands& operands)
      : o_(operands),
        ordinal_(queue.device().ordinal()),
        handle_(handle_of(queue)),
        pointers_(queue.device(), operands.sets * operands.batch),
        fill_(operands.uplo == Uplo::Lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER) {
    const OnDevice on(ordinal_);
    const cudaStream_t stream = stream_of(queue);
    for (int set = 0; set < o_.sets; ++set)
      check(enqueue_pointers(stream, pointers_.data() + set * o_.batch, o_.item(set, 0), o_.item_stride(),
                             o_.batch),
            "write_pointers");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    if (o_.batch > 1) return;
    with_native(o_.dtype, [&](auto* kind) {
      using Native = std::remove_pointer_t<decltype(kind)>;
      check_solver(potrf_size(handle_, fill_, n(), static_cast<Native*>(item(0)), ld(), &elements_),
                   "cusolverDnpotrf_bufferSize");
    });
    scratch_ = DeviceArray<std::byte>(queue.device(), std::max(1, elements_) * size_of(o_.dtype));
  }

  void batched(int set) {
    // Reported to fail at 2^19 items.
    constexpr std::int64_t chunk = std::int64_t{1} << 18;
    const OnDevice on(ordinal_);
    with_native(o_.dtype, [&](auto* kind) {
      using Native = std::remove_pointer_t<decltype(kind)>;
      for (std::int64_t first = 0; first < o_.batch; first += chunk)
        check_solver(
            potrf_batched(handle_, fill_, n(),
                          reinterpret_cast<Native**>(pointers_.data() + set * o_.batch + first), ld(),
                          o_.info + first, static_cast<int>(std::min(chunk, o_.batch - first))),
            "cusolverDnpotrfBatched");
    });
  }

  void looped(int set) {
    const OnDevice on(ordinal_);
    with_native(o_.dtype, [&](auto* kind) {
      using Native = std::remove_pointer_t<decltype(kind)>;
      check_solver(potrf_one(handle_, fill_, n(), static_cast<Native*>(item(set)), ld(),
                             reinterpret_cast<Native*>(scratch_.data()), elements_, o_.info),
                   "cusolverDnpotrf");
    });
  }

 private:
  /// One handle for the process: creating one takes milliseconds, and freeing it waits for the device.
  static cusolverDnHandle_t handle_of(Queue& queue) {
    static cusolverDnHandle_t handle = nullptr;
    const OnDevice on(queue.device().ordinal());
    if (!handle) check_solver(cusolverDnCreate(&handle), "cusolverDnCreate");
    check_solver(cusolverDnSetStream(handle, stream_of(queue)), "cusolverDnSetStream");
    return handle;
  }

  int n() const { return static_cast<int>(o_.n); }
  int ld() const { return static_cast<int>(o_.ld); }
  void* item(int set) const { return o_.item(set, 0); }

  PotrfOperands o_;
  int ordinal_;
  cusolverDnHandle_t handle_;
  DeviceArray<void*> pointers_;
  DeviceArray<std::byte> scratch_;
  cublasFillMode_t fill_;
  int elements_ = 0;
};

}  // namespace

std::vector<Arm> cuda_potrf_rivals(Queue& queue, const PotrfOperands& operands) {
  const auto rival = std::make_shared<Rival>(queue, operands);
  std::vector<Arm> arms;
  arms.push_back({"rival:potrfBatched", ArmKind::Rival, [rival](int set) { rival->batched(set); }});
  if (operands.batch == 1)
    arms.push_back({"rival:potrf", ArmKind::Rival, [rival](int set) { rival->looped(set); }});
  return arms;
}

}  // namespace batchlas::bench
