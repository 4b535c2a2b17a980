// The engine: pin, then tables in borrow order, then last resort. Works on candidate indexes; select.hh puts
// types on it.
#pragma once

#include <cstddef>

#include "base/function_ref.hh"
#include "batchlas/device.hh"
#include "select/explain.hh"
#include "select/op.hh"

namespace batchlas::inline v0::select {

/// What selection sees of a call.
struct Call {
  const DeviceFacts& device;
  DType dtype;
  Key key;
  bool capturing = false;  ///< the queue is being captured into a CUDA graph
};

namespace detail {

using CanRun = base::FunctionRef<Refusal(std::size_t)>;

/// The index that the call runs. Throws std::invalid_argument for a bad pin or key, NoRouteError where
/// nothing can run.
std::size_t choose(const OpBase& op, const Call& call, CanRun can_run);
/// As choose, and writes the call's trace line and coverage row.
std::size_t choose_for_launch(const OpBase& op, const Call& call, CanRun can_run);
Explanation explain(const OpBase& op, const Call& call, CanRun can_run);

}  // namespace detail
}  // namespace batchlas::inline v0::select
