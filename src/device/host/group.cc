// What Group and SubGroup do beyond waiting: exchanges, asynchronous copies, transaction barriers, mma.
#include "device/host/group.hh"

#include <cmath>
#include <cstdint>
#include <string>

#include "device/host/executor.hh"

namespace batchlas::inline v0::device::host {
namespace {

constexpr int max_arrivals = (1 << 20) - 1;
constexpr std::int64_t max_missing_bytes = (1 << 20) - 1;

bool is_aligned(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

void check_copy(const Item& item, const void* local, const void* global, std::int64_t bytes, int alignment,
                const Place& place) {
  const Team& team = *item.team;
  const std::int64_t offset = static_cast<const std::byte*>(local) - team.local();
  if (offset < 0 || offset + bytes > team.shape().local_bytes) {
    team.fail(item, place,
              "copies " + std::to_string(bytes) + " bytes to offset " + std::to_string(offset) + " of " +
                  std::to_string(team.shape().local_bytes) + " bytes of local memory");
  }
  if (!is_aligned(local, alignment) || !is_aligned(global, alignment)) {
    team.fail(item, place, "local or global address is not a multiple of " + std::to_string(alignment));
  }
}

BarrierState state_of(const Item& item, const LocalBarrier& barrier, const Place& place) {
  const BarrierState state = BarrierState::of(barrier);
  if (state.unset) item.team->fail(item, place, "uses a LocalBarrier that was never initialised");
  return state;
}

void arrive_at(Item& item, LocalBarrier& barrier, BarrierState state, int n, const Place& place) {
  if (n < 1 || n > static_cast<int>(state.pending)) {
    item.team->fail(item, place,
                    std::to_string(n) + " arrivals where the phase misses " + std::to_string(state.pending));
  }
  state.pending -= n;
  settle(*item.team, barrier, state);
}

}  // namespace

void settle(Team& team, LocalBarrier& barrier, BarrierState state) {
  const bool complete = state.pending == 0 && state.missing_bytes == 0;
  if (complete) {
    state.phase ^= 1;
    state.pending = state.expected;
  }
  state.store(barrier);
  if (complete) team.release(barrier);
}

void SubGroup::check_source(int source, const Place& place) const {
  const int lanes = item_->sub->lanes;
  if (source < 0 || source >= lanes) {
    item_->team->fail(*item_, place,
                      "lane " + std::to_string(lane_) + " reads lane " + std::to_string(source) +
                          " of a sub-group of " + std::to_string(size_) + " with " + std::to_string(lanes) +
                          " work-items");
  }
}

Slot* SubGroup::outgoing() const {
  return item_->sub->slots[item_->sub->phase] + lane_;
}

const Slot* SubGroup::meet(const Place& place) const {
  const Slot* slots = item_->sub->slots[item_->sub->phase];
  item_->team->meet_sub_group(*item_, place);
  return slots;
}

std::uint64_t SubGroup::votes(bool vote, const Place& place) const {
  SubGroupState& sub = *item_->sub;
  std::uint64_t& votes = sub.votes[sub.phase];
  if (sub.rendezvous.arrived == 0) votes = 0;
  votes |= std::uint64_t{vote} << lane_;
  meet(place);
  return votes;
}

void SubGroup::mma_m16n8k8(double (&c)[4], const double (&a)[4], const double (&b)[2], Where where) const {
  const Place place{"SubGroup::mma_m16n8k8", where};
  if (item_->sub->lanes != 32 || size_ != 32) {
    item_->team->fail(*item_, place, "needs sub-groups of 32 work-items");
  }
  *outgoing() = {{a[0], a[1], a[2], a[3], b[0], b[1]}};
  const Slot* slots = meet(place);
  const int row = lane_ / 4, column = 2 * (lane_ % 4);
  for (int i = 0; i < 4; ++i) {
    const int n = column + i % 2, half = i / 2;  // half: the upper or lower eight rows
    for (int k = 0; k < 8; ++k) {
      const double a_ik = slots[row * 4 + k % 4].word[half + 2 * (k / 4)];
      const double b_kn = slots[n * 4 + k % 4].word[4 + k / 4];
      c[i] = std::fma(a_ik, b_kn, c[i]);
    }
  }
}

void Group::meet(const Place& place) const {
  item_->team->meet_group(*item_, place);
}

void* Group::local_at(std::int64_t byte_offset, std::size_t alignment, const Place& place) const {
  const Team& team = *item_->team;
  if (byte_offset < 0 || byte_offset > team.shape().local_bytes || byte_offset % alignment != 0) {
    team.fail(*item_, place,
              "offset " + std::to_string(byte_offset) + " into " + std::to_string(team.shape().local_bytes) +
                  " bytes of local memory, for elements aligned to " + std::to_string(alignment));
  }
  return team.local() + byte_offset;
}

void Group::add_copy(void* local, const void* global, int bytes, const Place& place) const {
  check_copy(*item_, local, global, bytes, bytes, place);
  std::memset(local, 0xff, bytes);
  item_->copies.push_back({local, global, bytes, item_->commits, nullptr, place});
}

void Group::copy_commit() const {
  ++item_->commits;
}

void Group::finish_copies(int pending) const {
  std::vector<PendingCopy>& copies = item_->copies;
  auto copy = copies.begin();
  for (; copy != copies.end() && copy->commit < item_->commits - pending; ++copy) {
    std::memcpy(copy->to, copy->from, copy->bytes);
  }
  copies.erase(copies.begin(), copy);
}

void Group::init(LocalBarrier& barrier, int arrivals, Where where) const {
  if (arrivals < 1 || arrivals > max_arrivals) {
    item_->team->fail(*item_, {"Group::init", where},
                      std::to_string(arrivals) + " arrivals, expected 1 to 2^20 - 1");
  }
  BarrierState state{};
  state.expected = state.pending = arrivals;
  state.store(barrier);
}

void Group::arrive(LocalBarrier& barrier, int n, Where where) const {
  const Place place{"Group::arrive", where};
  arrive_at(*item_, barrier, state_of(*item_, barrier, place), n, place);
}

void Group::arrive_expect(LocalBarrier& barrier, std::int64_t bytes, Where where) const {
  const Place place{"Group::arrive_expect", where};
  BarrierState state = state_of(*item_, barrier, place);
  if (bytes < 0 || state.missing_bytes + bytes > max_missing_bytes) {
    item_->team->fail(*item_, place,
                      "expects " + std::to_string(bytes) + " bytes; a phase holds at most 2^20 - 1");
  }
  state.missing_bytes += bytes;
  arrive_at(*item_, barrier, state, 1, place);
}

void Group::wait(LocalBarrier& barrier, int parity, Where where) const {
  const Place place{"Group::wait", where};
  if (static_cast<int>(state_of(*item_, barrier, place).phase) != parity) return;
  item_->team->wait_for(*item_, barrier, parity, place);
}

void Group::bulk_copy(void* local, const void* global, std::int64_t bytes, LocalBarrier& barrier,
                      Where where) const {
  const Place place{"Group::bulk_copy", where};
  state_of(*item_, barrier, place);
  if (bytes < 0 || bytes % 16 != 0) {
    item_->team->fail(*item_, place, std::to_string(bytes) + " bytes, expected a multiple of 16");
  }
  check_copy(*item_, local, global, bytes, 16, place);
  std::memset(local, 0xff, bytes);
  item_->team->add_bulk_copy({local, global, bytes, 0, &barrier, place});
}

}  // namespace batchlas::inline v0::device::host
