// Group and SubGroup of the host executor: the contract of device/group.hh with every rule checked. Whatever
// a kernel breaks is a std::logic_error that names the call's file and line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

#include "device/group.hh"

namespace batchlas::inline v0::device::host {

/// A call in a kernel, for messages, and to tell one rendezvous from another.
struct Place {
  const char* call = "";
  std::source_location where;

  /// Two instances of one template are two places: the iterations of an unrolled loop must not meet each
  /// other.
  bool operator==(const Place& other) const {
    return where.line() == other.where.line() && where.column() == other.where.column() &&
           where.function_name() == other.where.function_name();
  }
};

/// What one work-item hands to its sub-group at a rendezvous: a shuffled value, or its fragments of an mma.
struct alignas(64) Slot {
  double word[6];
};

struct Item;  // executor.hh

class SubGroup {
 public:
  using Where = std::source_location;

  SubGroup(Item& item, int lane, int size, int index)
      : item_(&item), lane_(lane), size_(size), index_(index) {}

  int lane() const { return lane_; }
  /// The width, also of a last sub-group that has fewer work-items.
  int size() const { return size_; }
  int index() const { return index_; }

  void barrier(Where where = Where::current()) const { meet({"SubGroup::barrier", where}); }

  template <class T>
  T shuffle(T value, int lane, Where where = Where::current()) const {
    return exchange(value, lane, {"SubGroup::shuffle", where});
  }
  template <class T>
  T shuffle_xor(T value, int mask, Where where = Where::current()) const {
    return exchange(value, lane_ ^ mask, {"SubGroup::shuffle_xor", where});
  }

  bool any(bool vote, Where where = Where::current()) const {
    return votes(vote, {"SubGroup::any", where}) != 0;
  }
  bool all(bool vote, Where where = Where::current()) const {
    return votes(!vote, {"SubGroup::all", where}) == 0;
  }
  std::uint64_t ballot(bool vote, Where where = Where::current()) const {
    return votes(vote, {"SubGroup::ballot", where});
  }

  /// c += a b for A 16 x 8, B 8 x 8, C 16 x 8, one fma a product in increasing k. Each lane holds, with g =
  /// lane / 4 and t = lane % 4,  a: (g, t), (g + 8, t), (g, t + 4), (g + 8, t + 4);  b: (t, g), (t + 4, g);
  /// c: (g, 2 t), (g, 2 t + 1), (g + 8, 2 t), (g + 8, 2 t + 1). A GPU leaves the order of the sum within one
  /// mma unspecified, so its bits may differ.
  void mma_m16n8k8(double (&c)[4], const double (&a)[4], const double (&b)[2],
                   Where where = Where::current()) const;

 private:
  template <class T>
  T exchange(T value, int source, const Place& place) const {
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16));
    check_source(source, place);
    std::memcpy(outgoing(), &value, sizeof(T));
    const Slot* slots = meet(place);
    std::memcpy(static_cast<void*>(&value), slots + source, sizeof(T));
    return value;
  }

  void check_source(int source, const Place& place) const;
  Slot* outgoing() const;
  /// Waits for the other lanes; what they put into their slots stays valid until this work-item's next
  /// rendezvous.
  const Slot* meet(const Place& place) const;
  std::uint64_t votes(bool vote, const Place& place) const;

  Item* item_;
  int lane_, size_, index_;
};

class Group {
 public:
  using Where = std::source_location;

  Group(Item& item, std::int64_t index, int rank, int size, int sub_group_size)
      : item_(&item), index_(index), rank_(rank), size_(size), sub_group_size_(sub_group_size) {}

  std::int64_t index() const { return index_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  SubGroup sub_group() const {
    return {*item_, rank_ % sub_group_size_, sub_group_size_, rank_ / sub_group_size_};
  }

  void barrier(Where where = Where::current()) const { meet({"Group::barrier", where}); }

  template <class T>
  T* local(std::int64_t byte_offset = 0, Where where = Where::current()) const {
    return static_cast<T*>(local_at(byte_offset, alignof(T), {"Group::local", where}));
  }

  /// Happens at the copy_wait that covers it; until then the target holds NaNs.
  template <int Bytes>
  void copy_async(void* local, const void* global, Where where = Where::current()) const {
    static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16);
    add_copy(local, global, Bytes, {"Group::copy_async", where});
  }
  void copy_commit() const;
  template <int N>
  void copy_wait() const {
    static_assert(N >= 0);
    finish_copies(N);
  }

  // LocalBarrier has the semantics of PTX's mbarrier: a phase completes when no arrivals and no bytes are
  // missing.
  void init(LocalBarrier& barrier, int arrivals, Where where = Where::current()) const;
  void arrive(LocalBarrier& barrier, int n = 1, Where where = Where::current()) const;
  /// Expects `bytes` more in this phase, then arrives once.
  void arrive_expect(LocalBarrier& barrier, std::int64_t bytes, Where where = Where::current()) const;
  /// Returns once the phase of this parity has completed; phases count from 0.
  void wait(LocalBarrier& barrier, int parity, Where where = Where::current()) const;
  /// Happens as late as the waits on `barrier` allow: when every work-item waits for something. Until then
  /// the target holds NaNs.
  void bulk_copy(void* local, const void* global, std::int64_t bytes, LocalBarrier& barrier,
                 Where where = Where::current()) const;
  /// Nothing to do here: that a kernel forgot it is for a GPU to find.
  void bulk_fence() const {}

 private:
  void meet(const Place& place) const;
  void* local_at(std::int64_t byte_offset, std::size_t alignment, const Place& place) const;
  void add_copy(void* local, const void* global, int bytes, const Place& place) const;
  void finish_copies(int pending) const;

  Item* item_;
  std::int64_t index_;
  int rank_, size_, sub_group_size_;
};

}  // namespace batchlas::inline v0::device::host
