// Errors that a call can raise, and where warnings and traces go.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "batchlas/export.hh"

namespace batchlas::inline v0 {

// A call that is wrong throws std::invalid_argument; its message names the op, the argument, its value and
// what was expected. Nothing is written when a call throws. The two errors below are not the caller's fault.

/// No kernel on this device can run the call (for example a shape that only a vendor library serves, in a
/// build without it).
class BATCHLAS_API NoRouteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The device or its runtime failed; the message names the runtime call. Asynchronous faults surface from the
/// next wait or call on the queue, and stick to it.
class BATCHLAS_API DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Receives every warning and trace line (without the newline). Null restores the default, standard error.
/// Thread-safe; the sink itself may be called from any thread that uses the library.
BATCHLAS_API void set_message_sink(std::function<void(std::string_view)> sink);

}  // namespace batchlas::inline v0
