// Trace lines and coverage rows: what was chosen, told as it happens.
#pragma once

#include <string>
#include <string_view>

#include "batchlas/export.hh"

namespace batchlas::inline v0::select {

/// One level of nesting on this thread: trace lines of calls made inside a launch are indented by two spaces.
class LaunchScope {
 public:
  LaunchScope();
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
};

/// True where BATCHLAS_KERNEL_TRACE is set; ask before building an expensive text.
BATCHLAS_API bool kernel_trace_enabled();
/// Prints "kernel <text>", indented to the call it belongs to, where BATCHLAS_KERNEL_TRACE is set. For launch
/// details that are no field of the choice, such as the aligned or predicated leg of a gemm.
BATCHLAS_API void kernel_trace(std::string_view text);

/// A trace line, indented.
void trace_line(const std::string& text);

/// Appends one row to the file BATCHLAS_COVERAGE_OUT; does nothing where it is not set. Columns:
/// op,dtype,keys,outcome,chosen_algo,chosen_origin,table. outcome is reached or miss; chosen_origin is native
/// or vendor.
void coverage_row(std::string_view op, std::string_view dtype, std::string_view keys, bool reached,
                  std::string_view algo, bool vendor, std::string_view table);

}  // namespace batchlas::inline v0::select
