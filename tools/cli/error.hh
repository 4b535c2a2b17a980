// Errors of the command line, and the exit codes.
#pragma once

#include <stdexcept>

namespace batchlas::cli {

/// What the user gave is wrong. The message names the file or key, its value and what was expected.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum ExitCode : int {
  ok = 0,
  items_failed = 1,  ///< some items failed numerically; every output was written
  bad_input = 2,     ///< nothing was written
  device_failed = 3,
};

}  // namespace batchlas::cli
