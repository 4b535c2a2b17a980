// Scheduling of the host executor's work-items.
#include "device/host/executor.hh"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace batchlas::inline v0::device::host {

void Team::FreeLocal::operator()(std::byte* memory) const {
  ::operator delete(memory);
}

Team::Team(const LaunchShape& shape, const HostExecutorOptions& options, const KernelRef& kernel)
    : shape_(shape),
      options_(options),
      kernel_(kernel),
      // Exactly as long as asked for, in an allocation of its own: ASan sees the first byte beyond it.
      local_(shape.local_bytes ? static_cast<std::byte*>(::operator new(shape.local_bytes)) : nullptr),
      slots_(2 * static_cast<std::size_t>(shape.group_size)),
      subs_((shape.group_size + options.sub_group_size - 1) / options.sub_group_size),
      items_(new Item[shape.group_size]),
      ready_(subs_.size()),
      random_state_(options.seed) {
  const int width = options.sub_group_size;
  for (std::size_t s = 0; s < subs_.size(); ++s) {
    SubGroupState& sub = subs_[s];
    sub.first = static_cast<int>(s) * width;
    sub.lanes = sub.rendezvous.expected = std::min(width, shape.group_size - sub.first);
    sub.slots[0] = slots_.data() + 2 * sub.first;
    sub.slots[1] = sub.slots[0] + sub.lanes;
  }
  rendezvous_.expected = shape.group_size;
  for (int rank = 0; rank < shape.group_size; ++rank) {
    Item& item = items_[rank];
    item.team = this;
    item.sub = &subs_[rank / width];
    item.rank = rank;
    item.context.start([this, &item]() -> Context& { return run_item(item); });
  }
}

Team::~Team() {
  stopping_ = true;
  for (int rank = 0; rank < shape_.group_size; ++rank) main_.switch_to(items_[rank].context);
}

void Team::run() {
  for (group_ = 0; group_ < shape_.groups; ++group_) {
    run_group();
    if (error_) {
      abort_items();
      std::rethrow_exception(error_);
    }
  }
}

void Team::run_group() {
  if (local_) std::memset(local_.get(), 0xff, shape_.local_bytes);
  finished_ = 0;
  make_all_ready();
  do {
    while (Item* next = take_ready()) main_.switch_to(next->context);
  } while (!aborting_ && finish_bulk_copies());
  if (aborting_) return;
  if (finished_ < shape_.group_size) {
    error_ = std::make_exception_ptr(std::logic_error(describe_stuck()));
  } else if (!bulk_copies_.empty()) {
    error_ = std::make_exception_ptr(std::logic_error("host executor: nobody waited for the " +
                                                      to_string(bulk_copies_.front().place) + " of group " +
                                                      std::to_string(group_)));
  }
}

// A fiber's life: the kernel for one group after the other.
Context& Team::run_item(Item& item) {
  while (!stopping_) {
    if (!aborting_) {
      item.waiting = Waiting::Nothing;
      try {
        kernel_.call(kernel_.kernel,
                     Group(item, group_, item.rank, shape_.group_size, options_.sub_group_size));
      } catch (const Aborted&) {
      } catch (...) {
        if (!error_) error_ = std::current_exception();
        aborting_ = true;
      }
      item.copies.clear();
      item.commits = 0;
    }
    item.waiting = Waiting::NextGroup;
    ++finished_;
    Item* next = take_ready();
    item.context.switch_to(next ? next->context : main_);
  }
  return main_;
}

void Team::abort_items() {
  aborting_ = true;
  for (int rank = 0; rank < shape_.group_size; ++rank) {
    if (items_[rank].waiting != Waiting::NextGroup) main_.switch_to(items_[rank].context);
  }
}

void Team::block(Item& item, Waiting waiting) {
  item.waiting = waiting;
  Item* next = aborting_ ? &item : take_ready();
  if (next != &item) item.context.switch_to(next ? next->context : main_);
  if (aborting_) throw Aborted{};
  item.waiting = Waiting::Nothing;
}

void Team::meet_sub_group(Item& item, const Place& place) {
  SubGroupState& sub = *item.sub;
  item.place = place;
  if (sub.rendezvous.join(place)) {
    sub.phase ^= 1;
    make_all_ready(sub);
  }
  block(item, Waiting::SubGroup);
}

void Team::meet_group(Item& item, const Place& place) {
  item.place = place;
  if (rendezvous_.join(place)) make_all_ready();
  block(item, Waiting::Group);
}

void Team::wait_for(Item& item, const LocalBarrier& barrier, int parity, const Place& place) {
  item.place = place;
  item.barrier = &barrier;
  item.parity = parity;
  ++local_waiters_;
  block(item, Waiting::LocalBarrier);
}

void Team::release(const LocalBarrier& barrier) {
  if (local_waiters_ == 0) return;
  const bool down = options_.order == LaneOrder::Down;
  for (int i = 0; i < shape_.group_size; ++i) {
    Item& item = items_[down ? shape_.group_size - 1 - i : i];
    if (item.waiting != Waiting::LocalBarrier || item.barrier != &barrier) continue;
    item.waiting = Waiting::Nothing;
    --local_waiters_;
    make_ready(item);
  }
}

bool Team::finish_bulk_copies() {
  const auto waited_for = [this](const PendingCopy& copy) {
    return std::any_of(items_.get(), items_.get() + shape_.group_size, [&](const Item& item) {
      return item.waiting == Waiting::LocalBarrier && item.barrier == copy.barrier;
    });
  };
  const auto rest = std::stable_partition(bulk_copies_.begin(), bulk_copies_.end(),
                                          [&](const PendingCopy& copy) { return !waited_for(copy); });
  const std::vector<PendingCopy> due(rest, bulk_copies_.end());
  bulk_copies_.erase(rest, bulk_copies_.end());
  for (const PendingCopy& copy : due) {
    std::memcpy(copy.to, copy.from, copy.bytes);
    BarrierState state = BarrierState::of(*copy.barrier);
    state.missing_bytes -= copy.bytes;
    settle(*this, *copy.barrier, state);
  }
  return ready_count_ > 0;
}

Item* Team::take_ready() {
  if (aborting_) return nullptr;
  while (!running_ || running_->head == running_->tail) {
    if (running_) running_->listed = false;
    running_ = nullptr;
    if (ready_count_ == 0) return nullptr;
    SubGroupState*& head = ready_[ready_head_];
    if (options_.order == LaneOrder::Shuffled) {
      std::swap(head, ready_[(ready_head_ + random_below(ready_count_)) % ready_.size()]);
    }
    running_ = head;
    ready_head_ = ready_head_ + 1 == ready_.size() ? 0 : ready_head_ + 1;
    --ready_count_;
  }
  return &items_[running_->first + running_->queue[running_->head++ % max_sub_group]];
}

void Team::list(SubGroupState& sub) {
  if (sub.listed) return;
  sub.listed = true;
  ready_[(ready_head_ + ready_count_++) % ready_.size()] = &sub;
}

void Team::make_ready(Item& item) {
  SubGroupState& sub = *item.sub;
  sub.queue[sub.tail++ % max_sub_group] = static_cast<std::uint8_t>(item.lane());
  list(sub);
}

// All lanes wait, so the queue is empty.
void Team::make_all_ready(SubGroupState& sub) {
  sub.head = 0;
  sub.tail = sub.lanes;
  for (int i = 0; i < sub.lanes; ++i) {
    sub.queue[i] = static_cast<std::uint8_t>(options_.order == LaneOrder::Down ? sub.lanes - 1 - i : i);
  }
  if (options_.order == LaneOrder::Shuffled) {
    for (int i = sub.lanes; i > 1; --i) std::swap(sub.queue[i - 1], sub.queue[random_below(i)]);
    if (running_ == &sub) {
      running_ = nullptr;
      sub.listed = false;
    }
  }
  list(sub);
}

void Team::make_all_ready() {
  if (running_) running_->listed = false;
  running_ = nullptr;
  const std::size_t count = subs_.size();
  for (std::size_t i = 0; i < count; ++i) {
    make_all_ready(subs_[options_.order == LaneOrder::Down ? count - 1 - i : i]);
  }
}

std::uint32_t Team::random_below(std::uint32_t bound) {
  // splitmix64 of Steele, Lea and Flood (2014)
  std::uint64_t z = random_state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>((z >> 32) * bound >> 32);
}

void run_groups(const LaunchShape& shape, const HostExecutorOptions& options, const KernelRef& kernel) {
  const int width = options.sub_group_size;
  if (width != 1 && width != 8 && width != 32 && width != 64) {
    throw std::logic_error("host executor: sub_group_size " + std::to_string(width) +
                           ", expected 1, 8, 32 or 64");
  }
  if (shape.group_size < 1 || shape.group_size > kernel.max_group_size) {
    throw std::logic_error("host executor: launch with group_size " + std::to_string(shape.group_size) +
                           ", the kernel allows 1 to " + std::to_string(kernel.max_group_size));
  }
  if (shape.groups < 0 || shape.local_bytes < 0) {
    throw std::logic_error("host executor: launch with " + std::to_string(shape.groups) + " groups and " +
                           std::to_string(shape.local_bytes) + " bytes of local memory");
  }
  if (shape.groups > 0) Team(shape, options, kernel).run();
}

}  // namespace batchlas::inline v0::device::host
