// What an op file uses of this room. See docs/selection.md for the rules and a worked example.
#pragma once

#include <utility>
#include <variant>

#include "batchlas/status.hh"
#include "select/choose.hh"
#include "select/family.hh"
#include "select/op.hh"
#include "select/pin.hh"
#include "select/trace.hh"

namespace batchlas::inline v0::select {

/// The choice that the call runs now: for <op>_buffer_size, and for everything else that must agree with
/// run(). can_run(choice) returns a Refusal; it is asked on every call, so it may read facts that are no
/// keys. Throws std::invalid_argument for a bad pin, NoRouteError where nothing can run.
template <class Choice, class CanRun>
const Choice& pick(const Op<Choice>& op, const Call& call, CanRun&& can_run) {
  const std::span<const Choice> list = op.candidates(call.dtype);
  return list[detail::choose(op, call, [&](std::size_t i) -> Refusal { return can_run(list[i]); })];
}

/// Chooses, tells trace and coverage, and returns launch(choice). Ops that the launch calls are traced as
/// nested.
template <class Choice, class CanRun, class Launch>
decltype(auto) run(const Op<Choice>& op, const Call& call, CanRun&& can_run, Launch&& launch) {
  const std::span<const Choice> list = op.candidates(call.dtype);
  const std::size_t index =
      detail::choose_for_launch(op, call, [&](std::size_t i) -> Refusal { return can_run(list[i]); });
  const LaunchScope scope;
  return std::forward<Launch>(launch)(list[index]);
}

/// Every candidate in the order in which pick() tries it, with its refusal or time. Prints no warning.
template <class Choice, class CanRun>
Explanation explain(const Op<Choice>& op, const Call& call, CanRun&& can_run) {
  const std::span<const Choice> list = op.candidates(call.dtype);
  return detail::explain(op, call, [&](std::size_t i) -> Refusal { return can_run(list[i]); });
}

/// For std::visit over one lambda a family: std::visit(overloaded{[](Tiny) {...}, [](LPanel p) {...}},
/// choice).
template <class... F>
struct overloaded : F... {
  using F::operator()...;
};

}  // namespace batchlas::inline v0::select
