#include "base/message.hh"

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>

#include "batchlas/status.hh"

namespace batchlas::inline v0 {
namespace {

using Sink = std::function<void(std::string_view)>;

struct SinkSlot {
  std::mutex mutex;
  std::shared_ptr<const Sink> sink;
};

// Never destroyed: a thread may still warn while static objects of the program are torn down.
SinkSlot& slot() {
  static SinkSlot* instance = new SinkSlot;
  return *instance;
}

void to_stderr(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);  // one write, so that lines of several threads stay whole
}

}  // namespace

void set_message_sink(std::function<void(std::string_view)> sink) {
  auto shared = sink ? std::make_shared<const Sink>(std::move(sink)) : nullptr;
  std::lock_guard lock(slot().mutex);
  slot().sink = std::move(shared);
}

namespace base {

void message(std::string_view line) {
  // The sink runs outside the lock, so that it may call set_message_sink, and other threads are not held up
  // by it.
  std::shared_ptr<const Sink> sink;
  {
    std::lock_guard lock(slot().mutex);
    sink = slot().sink;
  }
  thread_local bool inside = false;
  if (!sink || inside) return to_stderr(line);
  struct Scope {
    Scope() { inside = true; }
    ~Scope() { inside = false; }
  } scope;
  (*sink)(line);
}

}  // namespace base
}  // namespace batchlas::inline v0
