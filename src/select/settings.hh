// The environment variables that selection reads, captured once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "batchlas/export.hh"

namespace batchlas::inline v0::select {

/// An immutable snapshot. A setenv in mid-process is not seen until detail::reload_settings().
struct Settings {
  std::uint64_t generation = 0;  ///< grows with every reload
  std::map<std::string, std::string, std::less<>>
      routes;                 ///< op -> BATCHLAS_<OP>_ROUTE, empty values left out
  std::string tuned_dir;      ///< BATCHLAS_TUNED_DIR
  std::string coverage_out;   ///< BATCHLAS_COVERAGE_OUT
  bool trace = false;         ///< BATCHLAS_SELECT_TRACE, set and not 0
  bool kernel_trace = false;  ///< BATCHLAS_KERNEL_TRACE, set and not 0
};

/// The current snapshot; takes no lock unless it changed since this thread's last call.
std::shared_ptr<const Settings> settings();

namespace detail {
/// Captures the environment again; every thread sees the new snapshot at its next call.
BATCHLAS_API void reload_settings();
}  // namespace detail

}  // namespace batchlas::inline v0::select
