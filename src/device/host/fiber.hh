// Flows of control that switch to each other on one thread: Boost.Context fibers, announced to
// AddressSanitizer.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <functional>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define BATCHLAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BATCHLAS_ASAN 1
#endif
#endif
#ifndef BATCHLAS_ASAN
#define BATCHLAS_ASAN 0
#endif

#if BATCHLAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace batchlas::inline v0::device::host {

/// The thread's own flow of control, or after start() a fiber. A fiber must have come to its end before it is
/// destroyed: Boost would otherwise unwind it by force, which ASan takes for an overflow.
class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;

  /// Makes this a fiber, not yet running. `entry` must not throw; it returns the context to go on with.
  void start(std::function<Context&()> entry);

  /// Suspends this, the running context, until another one switches back.
  void switch_to(Context& next) {
    next.came_from_ = this;
    announce_switch(&fake_stack_, next);
    boost::context::fiber previous = std::move(next.fiber_).resume();
    announce_arrival();
    came_from_->fiber_ = std::move(previous);
  }

 private:
#if BATCHLAS_ASAN
  static void announce_switch(void** fake_stack, const Context& next) {
    __sanitizer_start_switch_fiber(fake_stack, next.stack_bottom_, next.stack_bytes_);
  }
  // Arriving tells where the stack left lies: the only way to learn it of the thread's own.
  void announce_arrival() {
    __sanitizer_finish_switch_fiber(fake_stack_, &came_from_->stack_bottom_, &came_from_->stack_bytes_);
  }
#else
  static void announce_switch(void**, const Context&) {}
  void announce_arrival() {}
#endif

  boost::context::fiber fiber_;
  Context* came_from_ = nullptr;
  void* fake_stack_ = nullptr;
  const void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
};

}  // namespace batchlas::inline v0::device::host
