// The scheduler behind the host executor: a team of fibers, one a work-item, that runs the groups of a
// launch.
//
// A work-item runs until it must wait: for its sub-group, its group, a LocalBarrier, or the next group. It
// then switches straight to the next one that can run, so that a rendezvous costs one switch a work-item. A
// sub-group goes on until all its lanes wait for more than each other; under LaneOrder::Shuffled it instead
// takes turns with the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "batchlas/device.hh"
#include "device/host/fiber.hh"
#include "device/host/group.hh"
#include "device/host/launch.hh"

namespace batchlas::inline v0::device::host {

inline constexpr int max_sub_group = 64;

/// Where work-items meet. Whoever comes to another place than the first one waits there for good: the group
/// gets stuck.
struct Rendezvous {
  int expected = 0;
  int arrived = 0;
  Place place;

  /// True for the last one to arrive.
  bool join(const Place& at) {
    if (arrived == 0) place = at;
    if (!(place == at)) return false;
    if (++arrived < expected) return false;
    arrived = 0;
    return true;
  }
};

struct SubGroupState {
  int first = 0;  ///< rank of lane 0
  int lanes = 0;  ///< work-items present
  Rendezvous rendezvous;
  // Doubled: a lane may fill the next rendezvous' slot while others have yet to read this one's.
  Slot* slots[2] = {};
  std::uint64_t votes[2] = {};
  int phase = 0;
  // Lanes that can run: a ring. `listed` while they run or the team knows of them.
  std::uint8_t queue[max_sub_group] = {};
  unsigned head = 0, tail = 0;
  bool listed = false;
};

enum class Waiting : std::uint8_t { Nothing, SubGroup, Group, LocalBarrier, NextGroup };

struct PendingCopy {
  void* to;
  const void* from;
  std::int64_t bytes;
  int commit;             ///< of copy_async: how many commits came before
  LocalBarrier* barrier;  ///< of bulk_copy
  Place place;
};

class Team;

/// One work-item.
struct Item {
  Context context;
  Team* team = nullptr;
  SubGroupState* sub = nullptr;
  int rank = 0;
  Waiting waiting = Waiting::NextGroup;
  Place place;                            ///< of the call that waits
  const LocalBarrier* barrier = nullptr;  ///< that it waits for, and
  int parity = 0;
  std::vector<PendingCopy> copies;  ///< copy_async not yet waited for
  int commits = 0;

  int lane() const { return rank - sub->first; }
};

/// Unwinds a work-item whose group has failed.
struct Aborted {};

class Team {
 public:
  Team(const LaunchShape& shape, const HostExecutorOptions& options, const KernelRef& kernel);
  ~Team();
  void run();

  const LaunchShape& shape() const { return shape_; }
  std::byte* local() const { return local_.get(); }

  /// Waits for the item's sub-group, or its group. meet_sub_group flips the phase of the slots.
  void meet_sub_group(Item& item, const Place& place);
  void meet_group(Item& item, const Place& place);
  void wait_for(Item& item, const LocalBarrier& barrier, int parity, const Place& place);
  /// The barrier has completed the phase that its waiters wait for: whoever asks for another one does not
  /// wait.
  void release(const LocalBarrier& barrier);
  void add_bulk_copy(const PendingCopy& copy) { bulk_copies_.push_back(copy); }
  /// Throws the std::logic_error of a broken rule.
  [[noreturn]] void fail(const Item& item, const Place& place, const std::string& what) const;

 private:
  Context& run_item(Item& item);
  void run_group();
  /// True if it let a work-item go on.
  bool finish_bulk_copies();
  void abort_items();
  std::string describe_stuck() const;

  Item* take_ready();
  void block(Item& item, Waiting waiting);
  void list(SubGroupState& sub);
  void make_ready(Item& item);
  void make_all_ready(SubGroupState& sub);
  void make_all_ready();
  std::uint32_t random_below(std::uint32_t bound);

  struct FreeLocal {
    void operator()(std::byte* memory) const;
  };

  LaunchShape shape_;
  HostExecutorOptions options_;
  KernelRef kernel_;
  std::unique_ptr<std::byte, FreeLocal> local_;
  std::vector<Slot> slots_;
  std::vector<SubGroupState> subs_;
  std::unique_ptr<Item[]> items_;
  Context main_;

  std::int64_t group_ = 0;
  Rendezvous rendezvous_;  ///< of the whole group
  SubGroupState* running_ = nullptr;
  std::vector<SubGroupState*> ready_;  ///< ring of sub-groups with lanes that can run
  std::size_t ready_head_ = 0, ready_count_ = 0;
  std::vector<PendingCopy> bulk_copies_;
  int local_waiters_ = 0;  ///< work-items that wait for a LocalBarrier
  int finished_ = 0;       ///< work-items that have returned from the kernel
  bool aborting_ = false, stopping_ = false;
  std::exception_ptr error_;
  std::uint64_t random_state_;
};

/// "0-3, 7" for ranks in increasing order.
std::string ranges(const std::vector<int>& ranks);
std::string to_string(const Place& place);

// What a LocalBarrier holds, packed into its 64 bits as PTX's mbarrier packs it. Fresh local memory reads as
// not ready.
struct BarrierState {
  std::uint64_t phase : 1, expected : 20, pending : 20, unset : 1;
  std::int64_t missing_bytes : 22;

  static BarrierState of(const LocalBarrier& barrier) {
    BarrierState state;
    std::memcpy(&state, &barrier, sizeof(state));
    return state;
  }
  void store(LocalBarrier& barrier) const { std::memcpy(&barrier, this, sizeof(*this)); }
};
static_assert(sizeof(BarrierState) == sizeof(LocalBarrier));

/// Completes the phase if nothing is missing, and stores the state.
void settle(Team& team, LocalBarrier& barrier, BarrierState state);

}  // namespace batchlas::inline v0::device::host
