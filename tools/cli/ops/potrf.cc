// `batchlas run potrf`.
//
// A row-major matrix is its own transpose read column by column, so NumPy's lower triangle is the upper one
// of the view. For a Hermitian A the view holds A^T = U^H U, and U read row by row is U^T = L with A = L L^H:
// no copy and no conjugation are needed, for L and U alike.
#include "batchlas/ops/potrf.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "error.hh"
#include "report.hh"
#include "run.hh"

namespace batchlas::cli {
namespace {

/// Zeros the triangle that is not part of the factor; an item that failed becomes NaN, since it is no factor.
template <class T>
void finish(std::span<T> items, SquareBatch shape, bool lower, std::span<const std::int32_t> info) {
  const std::int64_t n = shape.n;
  for (std::int64_t b = 0; b < shape.batch; ++b) {
    T* item = items.data() + b * n * n;
    if (info[static_cast<std::size_t>(b)] != 0)
      std::fill_n(item, n * n, T(std::numeric_limits<Real<T>>::quiet_NaN()));
    for (std::int64_t i = 0; i < n; ++i)
      lower ? std::fill_n(item + i * n + i + 1, n - i - 1, T(0)) : std::fill_n(item + i * n, i, T(0));
  }
}

template <class T>
void factor(Queue& queue, DeviceArray<T>& items, SquareBatch shape, bool lower,
            std::span<std::int32_t> info) {
  const Device& device = queue.device();
  const MatrixView<T> A{.data = items.data(), .rows = shape.n, .cols = shape.n, .batch = shape.batch};
  DeviceArray<std::int32_t> device_info(device, shape.batch);
  copy(queue, device_info.span(), std::span<const std::int32_t>(info));
  potrf(queue, A, {.uplo = lower ? Uplo::Upper : Uplo::Lower, .info = device_info.span()});
  copy(queue, info, std::span<const std::int32_t>(device_info.span()));
  queue.wait();
}

template <class T>
int run_typed(RunContext& run, NpyInput& a, SquareBatch shape, OutputFile& out, OutputFile* info_out) {
  const bool lower = run.word("uplo") == "L";
  const std::int64_t count = shape.batch * shape.n * shape.n;
  // What potrf leaves as it is must not look like success; it writes nothing for items without elements.
  std::vector<std::int32_t> info(static_cast<std::size_t>(shape.batch), shape.n == 0 ? 0 : -1);

  DeviceArray<T> items(Device::cpu(), count);
  a.read(std::as_writable_bytes(items.span()));
  if (run.device_is_host()) {
    factor(run.queue(), items, shape, lower, info);
  } else {
    DeviceArray<T> on_device(run.queue().device(), count);
    copy(run.queue(), on_device.span(), std::span<const T>(items.span()));
    factor(run.queue(), on_device, shape, lower, info);
    copy(run.queue(), items.span(), std::span<const T>(on_device.span()));
    run.queue().wait();
  }
  finish(items.span(), shape, lower, info);

  write_npy(out, npy_descr(dtype_of<T>()), a.shape(), std::as_bytes(items.span()));
  if (info_out) write_npy(*info_out, "<i4", std::array{shape.batch}, std::as_bytes(std::span(info)));
  out.commit();
  if (info_out) info_out->commit();

  const std::string failures = failure_text(info, "not positive definite; written as NaN");
  fmt::print("potrf: {} items of {} x {} {} on {}, factor in {}\n", shape.batch, shape.n, shape.n,
             name(dtype_of<T>()), device_text(run.queue().device()), out.path());
  if (failures.empty()) return ok;
  fmt::print(stderr, "batchlas: {}\n", failures);
  return items_failed;
}

int run_potrf(RunContext& run) {
  const auto a = run.input("a");
  const SquareBatch shape = square_batch(*a);
  const std::int64_t info_bytes = shape.batch * std::int64_t{sizeof(std::int32_t)};
  const std::int64_t on_device = run.device_is_host() ? info_bytes : a->bytes() + info_bytes;
  run.require_memory(*a, a->bytes() + a->scratch_bytes() + info_bytes, on_device);
  OutputFile out = run.output("out");
  std::optional<OutputFile> info_out;
  if (run.given("info")) info_out.emplace(run.output("info"));
  return visit_dtype(a->dtype(), [&]<class T>(T) {
    return run_typed<T>(run, *a, shape, out, info_out ? &*info_out : nullptr);
  });
}

}  // namespace

extern const OpAdapter potrf_adapter;
const OpAdapter potrf_adapter{
    .name = "potrf",
    .help = "Cholesky factors of a batch of Hermitian positive definite matrices: A = L L^H or A = U^H U",
    .files = {{.name = "a", .help = "matrices, shape (batch, n, n) or (n, n)"},
              {.name = "out", .help = "factors, with zeros in the other triangle; NaN where an item failed"},
              {.name = "info",
               .help = "int32 of shape (batch,): 0, or the order of the failing minor",
               .required = false}},
    .words = {{.name = "uplo",
               .help = "triangle that is read and written, as NumPy shows it",
               .values = {"L", "U"}}},
    .run = run_potrf,
};

}  // namespace batchlas::cli
