// Starts fibers, on stacks that each thread keeps for its next launch.
#include "device/host/fiber.hh"

#include <sys/mman.h>

#include <memory>
#include <new>
#include <vector>

#if BATCHLAS_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace batchlas::inline v0::device::host {
namespace {

using boost::context::stack_context;

// Memory is committed page by page as it is touched, so generous sizes are free.
constexpr std::size_t stack_bytes = BATCHLAS_ASAN ? std::size_t{2} << 20 : std::size_t{512} << 10;
constexpr std::size_t page_bytes = 4096;

// Stacks that start at equal distances share the sets of L1 and L2 and evict each other: a switch among 128
// fibers then costs several times more. 256 bytes is Boost's granularity; an odd multiple of it visits every
// offset below 64 KiB.
constexpr std::size_t colour_of(std::size_t index) {
  return index * 5 * 256 % 65536;
}

/// One thread's stacks, each above a page that faults on overflow.
class StackPool {
 public:
  ~StackPool() {
    for (const stack_context& stack : all_) munmap(bottom(stack), stack_bytes);
  }

  stack_context take() {
    if (free_.empty()) map();
    const stack_context stack = free_.back();
    free_.pop_back();
#if BATCHLAS_ASAN
    ASAN_UNPOISON_MEMORY_REGION(bottom(stack) + page_bytes, stack.size - page_bytes);
#endif
    return stack;
  }

  void give_back(const stack_context& stack) noexcept {
    free_.push_back(stack);
  }  // map() has reserved the room

  static char* bottom(const stack_context& stack) {
    return static_cast<char*>(stack.sp) - stack.size;
  }

 private:
  void map() {
    void* memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, page_bytes, PROT_NONE);
    stack_context stack;
    stack.size = stack_bytes - colour_of(all_.size());
    stack.sp = static_cast<char*>(memory) + stack.size;
    all_.push_back(stack);
    free_.reserve(all_.capacity());
    free_.push_back(stack);
  }

  std::vector<stack_context> all_, free_;
};

thread_local StackPool pool;

/// Boost's stack allocator concept over the pool.
struct PooledStack {
  stack_context stack;
  stack_context allocate() const { return stack; }
  void deallocate(stack_context& done) const noexcept { pool.give_back(done); }
};

}  // namespace

void Context::start(std::function<Context&()> entry) {
  const stack_context stack = pool.take();
  stack_bottom_ = StackPool::bottom(stack) + page_bytes;
  stack_bytes_ = stack.size - page_bytes;
  fiber_ = boost::context::fiber(std::allocator_arg, PooledStack{stack},
                                 [this, entry = std::move(entry)](boost::context::fiber&& previous) {
                                   announce_arrival();
                                   came_from_->fiber_ = std::move(previous);
                                   Context& next = entry();
                                   next.came_from_ = this;
                                   announce_switch(nullptr, next);  // null: this stack is done with
                                   return std::move(next.fiber_);
                                 });
}

}  // namespace batchlas::inline v0::device::host
