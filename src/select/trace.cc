#include "select/trace.hh"

#include <fcntl.h>
#include <unistd.h>

#include <mutex>
#include <set>

#include "base/message.hh"
#include "select/settings.hh"

namespace batchlas::inline v0::select {
namespace {

thread_local int depth = 0;

std::string indent() {
  return std::string(2 * static_cast<std::size_t>(depth), ' ');
}

/// A CSV field; tags such as "sm_90, pin native" hold a comma.
std::string quoted(std::string_view field) {
  return field.find(',') == field.npos ? std::string(field) : '"' + std::string(field) + '"';
}

}  // namespace

LaunchScope::LaunchScope() {
  ++depth;
}
LaunchScope::~LaunchScope() {
  --depth;
}

bool kernel_trace_enabled() {
  return settings()->kernel_trace;
}

void kernel_trace(std::string_view text) {
  if (kernel_trace_enabled()) base::message(indent() + "kernel " + std::string(text));
}

void trace_line(const std::string& text) {
  base::message(indent() + text);
}

void coverage_row(std::string_view op, std::string_view dtype, std::string_view keys, bool reached,
                  std::string_view algo, bool vendor, std::string_view table) {
  const std::string path = settings()->coverage_out;
  if (path.empty()) return;
  std::string row;
  for (const std::string_view field : {op, dtype, keys, std::string_view(reached ? "reached" : "miss"), algo})
    row += quoted(field) + ',';
  row += std::string(!reached ? "" : vendor ? "vendor" : "native") + ',' + quoted(table) + '\n';

  // Opened for each row: coverage is a test mode, and several processes append to one file. O_APPEND keeps
  // rows whole.
  static std::mutex mutex;
  static std::set<std::string> failed;
  std::lock_guard lock(mutex);
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool fresh = file >= 0 && ::lseek(file, 0, SEEK_END) == 0;
  if (fresh) row = "op,dtype,keys,outcome,chosen_algo,chosen_origin,table\n" + row;
  const bool good = file >= 0 && ::write(file, row.data(), row.size()) == static_cast<ssize_t>(row.size());
  if (file >= 0) ::close(file);
  if (!good && failed.insert(path).second)
    base::message("batchlas: cannot write BATCHLAS_COVERAGE_OUT=" + path);
}

}  // namespace batchlas::inline v0::select
