// potrf: checks its arguments, chooses a kernel and runs it.
#include "batchlas/ops/potrf.hh"

#include "device/launch.hh"
#include "ops/common/arguments.hh"
#include "ops/common/chunks.hh"
#include "ops/common/entry.hh"
#include "ops/common/vendors.hh"
#include "ops/potrf/choice.hh"
#include "ops/potrf/kernels/families.hh"
#include "ops/potrf/lanes/potrf_lanes.hh"
#include "vendor/cusolver/potrf.hh"
#include "vendor/lapack/potrf.hh"

namespace batchlas::inline v0 {

namespace {

using namespace potrf_choice;
using select::overloaded;
using select::Refusal;

template <class T>
select::Key key_of(const MatrixView<T>& A, Uplo uplo) {
  return {uplo, A.rows, A.batch};
}

/// Why the GPU kernels as a whole cannot run here, or null.
Refusal native_refusal(const DeviceFacts& facts) {
  return facts.is_gpu ? nullptr : "needs a GPU";
}

template <class T>
Refusal can_run(const Choice& choice, const DeviceFacts& facts, const MatrixView<T>& A, Uplo uplo) {
  const std::int64_t n = A.rows;
  const auto on_gpu = [&](auto refusal) {
    const Refusal native = native_refusal(facts);
    return native ? native : refusal();
  };
  return std::visit(
      overloaded{
          [&](Tiny) { return on_gpu([&] { return potrf_kernels::tiny_refusal<T>(n, facts); }); },
          [&](Lanes) {
            return facts.is_gpu ? "needs a CPU" : potrf_family::potrf_lanes_refusal<T>(n, facts);
          },
          [&](LPanel c) {
            return on_gpu([&] { return potrf_kernels::lpanel_refusal<T>(n, facts, c.panel, 0); });
          },
          [&](LPanelSplit c) {
            return on_gpu([&] { return potrf_kernels::lpanel_refusal<T>(n, facts, c.panel, 1); });
          },
          [&](Cta) { return on_gpu([&] { return potrf_kernels::cta_refusal<T>(n, facts); }); },
          [&](Blocked c) {
            return on_gpu(
                [&] { return potrf_kernels::blocked_refusal<T>(n, A.has_item_extents(), c.nb, facts); });
          },
          [&](Vendor) -> Refusal {
            if (!facts.has_vendor) return "no vendor library";
            return facts.is_gpu ? vendor::cusolver_potrf_refusal<T>(A, uplo) : nullptr;
          },
      },
      choice);
}

template <class T>
std::size_t workspace_bytes(const Choice& choice, const Queue& queue, const MatrixView<T>& A,
                            const PotrfOptions& options) {
  if (std::holds_alternative<Blocked>(choice))
    return potrf_kernels::blocked_buffer_size(A.batch, !options.info.empty());
  if (std::holds_alternative<Vendor>(choice) && queue.device().kind() == DeviceKind::Cuda)
    return vendor::cusolver_potrf_buffer_size<T>(A, options.uplo, queue.device().ordinal());
  return 0;
}

template <class T>
void launch(const Choice& choice, Queue& queue, const MatrixView<T>& A, Uplo uplo, std::int32_t* info,
            Workspace workspace) {
  const potrf_kernels::Args<T> args{device::make_batch(A), uplo, info};
  const auto on_gpu = [&](auto run) { device::dispatch(queue, run); };
  std::visit(overloaded{
                 [&](Tiny) { on_gpu([&](const auto& e) { potrf_kernels::launch_tiny(e, args); }); },
                 [&](Lanes) { potrf_family::potrf_lanes(A, uplo, info); },
                 [&](LPanel c) {
                   on_gpu([&](const auto& e) { potrf_kernels::launch_lpanel(e, args, c.panel, 0); });
                 },
                 [&](LPanelSplit c) {
                   on_gpu([&](const auto& e) { potrf_kernels::launch_lpanel(e, args, c.panel, 1); });
                 },
                 [&](Cta) { on_gpu([&](const auto& e) { potrf_kernels::launch_cta(e, args); }); },
                 [&](Blocked c) {
                   on_gpu([&](const auto& e) { potrf_kernels::launch_blocked(e, args, c.nb, workspace); });
                 },
                 [&](Vendor) {
                   if (queue.device().kind() == DeviceKind::Cpu) return vendor::lapack_potrf(A, uplo, info);
                   vendor::cusolver_potrf(queue.state().native_stream(), queue.device().ordinal(), A, uplo,
                                          info, workspace);
                 },
             },
             choice);
}

template <class T>
void check(const Queue& queue, const MatrixView<T>& A, const PotrfOptions& options) {
  const op_support::UntypedView view = op_support::untyped(A);
  op_support::check_view(queue, "potrf", "A", view, true);
  op_support::check_square("potrf", "A", view);
  op_support::check_info(queue, "potrf", options.info, A.batch);
  if (!A.empty()) op_support::check_uplo("potrf", options.uplo);
}

}  // namespace

template <Scalar T>
Event potrf(Queue& queue, const MatrixView<T>& A, const PotrfOptions& options, Workspace workspace) {
  queue.state().check();
  check(queue, A, options);
  if (A.empty()) return {};
  const DeviceFacts& facts = queue.device().facts();
  const select::Call call{facts, dtype_of<T>(), key_of(A, options.uplo), queue.state().capturing()};
  const auto runnable = [&](const Choice& choice) { return can_run(choice, facts, A, options.uplo); };
  select::run(op(), call, runnable, [&](const Choice& choice) {
    op_support::check_workspace(queue, "potrf", workspace, workspace_bytes(choice, queue, A, options));
    const auto bytes = [&](std::int64_t count) {
      return workspace_bytes(choice, queue, A.slice(0, count), options);
    };
    op_support::in_chunks(queue, A.batch, workspace, bytes,
                          [&](std::int64_t first, std::int64_t count, Workspace part) {
                            std::int32_t* info = options.info.empty() ? nullptr : options.info.data() + first;
                            launch(choice, queue, A.slice(first, count), options.uplo, info, part);
                          });
  });
  return queue.state().ticket();
}

template <Scalar T>
std::size_t potrf_buffer_size(Queue& queue, const MatrixView<T>& A, const PotrfOptions& options) {
  check(queue, A, options);
  if (A.empty()) return 0;
  const DeviceFacts& facts = queue.device().facts();
  const select::Call call{facts, dtype_of<T>(), key_of(A, options.uplo), queue.state().capturing()};
  const auto runnable = [&](const Choice& choice) { return can_run(choice, facts, A, options.uplo); };
  return workspace_bytes(select::pick(op(), call, runnable), queue, A, options);
}

#define BATCHLAS_INSTANTIATE(T)                                                                       \
  template BATCHLAS_API Event potrf<T>(Queue&, const MatrixView<T>&, const PotrfOptions&, Workspace); \
  template BATCHLAS_API std::size_t potrf_buffer_size<T>(Queue&, const MatrixView<T>&, const PotrfOptions&);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

op_support::Entry op_support::potrf_entry() {
  return {
      []() -> const select::OpBase& { return op(); },
      [](DType dtype, const select::Key& key, const DeviceFacts& facts) {
        return visit_dtype(dtype, [&](auto scalar) {
          const MatrixView<decltype(scalar)> A{.rows = key[1], .cols = key[1], .batch = key[2]};
          const auto runnable = [&](const Choice& choice) {
            return can_run(choice, facts, A, static_cast<Uplo>(key[0]));
          };
          return select::explain(op(), select::Call{facts, dtype, key}, runnable);
        });
      },
  };
}

}  // namespace batchlas::inline v0
