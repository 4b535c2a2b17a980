// Right-looking blocked Cholesky in global memory: family `blocked`, for orders beyond one group's local
// memory.
//
// Golub and Van Loan, Matrix Computations, 4th ed., 4.2.6: factor the nb x nb diagonal block, solve the panel
// below it, subtract the panel's outer product from the trailing triangle. Each is one launch over all items,
// the last two split an item over many groups, so that one large item fills the device. A wider nb means
// fewer passes over the trailing triangle and a longer serial leaf.
#pragma once

#include <cstdint>

#include "device/launch.hh"
#include "ops/potrf/kernels/blocked_kernels.hh"

namespace batchlas::inline v0::potrf_kernels {

template <class Executor, class T>
void launch_leaf(const Executor& executor, const BlockStep<T>& step) {
  const PotrfLeaf<T> kernel{step};
  executor.run(kernel.layout(), kernel);
}

/// Groups that fill a large device twice; below, work is cut finer. The results do not depend on it.
inline constexpr std::int64_t enough_groups = 264;

template <class Executor, class T>
void launch_panel_solve(const Executor& executor, const BlockStep<T>& step) {
  PotrfPanelSolve<T> kernel{step, blocked_solve_rows<T>(step.width)};
  while (kernel.rows > 16 && kernel.layout().groups < enough_groups) kernel.rows /= 2;
  executor.run(kernel.layout(), kernel);
}

template <class Executor, class T>
void launch_trailing_update(const Executor& executor, const BlockStep<T>& step) {
  if constexpr (std::is_same_v<T, float>) {
    const PotrfTrailingUpdate<T, 128> kernel{step};
    if (kernel.layout().groups >= enough_groups) return executor.run(kernel.layout(), kernel);
  }
  const PotrfTrailingUpdate<T, 64> kernel{step};
  executor.run(kernel.layout(), kernel);
}

/// `workspace` holds blocked_buffer_size bytes.
template <class Executor, class T>
void launch_blocked(const Executor& executor, const Args<T>& args, int nb, Workspace workspace) {
  std::int32_t* status = args.info ? args.info : reinterpret_cast<std::int32_t*>(workspace.data());
  const int n = args.A.rows;
  for (int first = 0; first < n; first += nb) {
    const BlockStep<T> step{args.A, args.uplo == Uplo::Upper, status, first, n - first < nb ? n - first : nb};
    launch_leaf(executor, step);
    if (step.below() == 0) break;
    launch_panel_solve(executor, step);
    launch_trailing_update(executor, step);
  }
}

}  // namespace batchlas::inline v0::potrf_kernels
