// The scratch memory of a queue: blocks that are only ever added, leased as a stack.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "batchlas/device_array.hh"
#include "device/state.hh"

namespace batchlas::inline v0::detail {
namespace {

// A new block is at least as large as all before it, so that growing calls add few; beyond this, no more than
// asked for.
constexpr std::size_t max_growth = std::size_t{256} << 20;

std::size_t aligned(std::size_t bytes) {
  return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

}  // namespace

Arena::~Arena() {
  for (const Block& block : blocks_) deallocate(device_, block.memory);
}

std::size_t Arena::find_or_grow(std::size_t bytes) {
  std::size_t total = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (blocks_[b].bytes - blocks_[b].used >= bytes) return b;
    total += blocks_[b].bytes;
  }
  if (!growth_allowed_) {
    throw std::invalid_argument("scratch memory would have to grow by " + std::to_string(bytes) +
                                " bytes during a graph capture; call Queue::reserve before it");
  }
  const std::size_t size = std::max(bytes, std::min(total, max_growth));
  blocks_.reserve(blocks_.size() + 1);
  blocks_.push_back({static_cast<std::byte*>(allocate(device_, size)), size, 0});
  return blocks_.size() - 1;
}

void Arena::reserve(std::size_t bytes) {
  if (bytes > 0) find_or_grow(aligned(bytes));
}

Arena::Lease::Lease(Arena& arena, std::size_t bytes) : arena_(arena), block_(0), used_before_(0) {
  if (bytes == 0) return;
  block_ = arena.find_or_grow(aligned(bytes));
  Block& block = arena.blocks_[block_];
  used_before_ = block.used;
  workspace_ = {block.memory + block.used, bytes};
  block.used += aligned(bytes);
}

Arena::Lease::~Lease() {
  if (!workspace_.empty()) arena_.blocks_[block_].used = used_before_;
}

}  // namespace batchlas::inline v0::detail
