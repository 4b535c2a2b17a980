#include "select/settings.hh"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "base/text.hh"

extern char** environ;

namespace batchlas::inline v0::select {
namespace {

constexpr std::string_view prefix = "BATCHLAS_", route_suffix = "_ROUTE";

bool is_set(std::string_view value) {
  return !base::trim(value).empty() && base::trim(value) != "0";
}

void capture(Settings& settings, std::string_view name, std::string_view value) {
  if (name == "BATCHLAS_TUNED_DIR") settings.tuned_dir = value;
  if (name == "BATCHLAS_COVERAGE_OUT") settings.coverage_out = value;
  if (name == "BATCHLAS_SELECT_TRACE") settings.trace = is_set(value);
  if (name == "BATCHLAS_KERNEL_TRACE") settings.kernel_trace = is_set(value);
  if (name.starts_with(prefix) && name.ends_with(route_suffix) && !base::trim(value).empty() &&
      name.size() > prefix.size() + route_suffix.size())
    settings
        .routes[base::lower(name.substr(prefix.size(), name.size() - prefix.size() - route_suffix.size()))] =
        value;
}

std::shared_ptr<const Settings> capture_environment(std::uint64_t generation) {
  auto settings = std::make_shared<Settings>();
  settings->generation = generation;
  for (char** entry = environ; entry && *entry; ++entry) {
    std::string_view value = *entry;
    if (!value.starts_with(prefix)) continue;
    const std::string_view name = base::cut(value, '=');
    capture(*settings, name, value);
  }
  return settings;
}

// Never destroyed: threads may still call the library while static objects are torn down.
struct Current {
  std::mutex mutex;
  std::shared_ptr<const Settings> snapshot = capture_environment(1);
  std::atomic<std::uint64_t> generation{1};
};
Current& current() {
  static Current* instance = new Current;
  return *instance;
}

}  // namespace

std::shared_ptr<const Settings> settings() {
  // A copy a thread, checked against one atomic counter: libstdc++'s atomic<shared_ptr> takes a lock.
  thread_local std::shared_ptr<const Settings> seen;
  Current& now = current();
  if (!seen || seen->generation != now.generation.load(std::memory_order_acquire)) {
    std::lock_guard lock(now.mutex);
    seen = now.snapshot;
  }
  return seen;
}

void detail::reload_settings() {
  Current& now = current();
  std::lock_guard lock(now.mutex);
  now.snapshot = capture_environment(now.snapshot->generation + 1);
  now.generation.store(now.snapshot->generation, std::memory_order_release);
}

}  // namespace batchlas::inline v0::select
