// What the host executor says of a broken rule: which call, which work-items came, which are missing.
#include <map>
#include <stdexcept>
#include <tuple>

#include "device/host/executor.hh"

namespace batchlas::inline v0::device::host {
namespace {

constexpr int max_lines = 12;

/// Work-items that wait in one place, for one thing.
struct Waiters {
  const Item* first = nullptr;
  std::vector<int> ranks;
};

std::vector<int> missing(const std::vector<int>& present, int first, int count) {
  std::vector<int> ranks;
  auto next = present.begin();
  for (int rank = first; rank < first + count; ++rank) {
    if (next != present.end() && *next == rank) {
      ++next;
    } else {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

std::string describe(const Waiters& waiters, const LaunchShape& shape) {
  const Item& item = *waiters.first;
  if (item.waiting == Waiting::NextGroup) return "work-items " + ranges(waiters.ranks) + " have returned";
  std::string text = to_string(item.place) + " was reached by work-items " + ranges(waiters.ranks);
  if (item.waiting == Waiting::LocalBarrier) {
    const BarrierState state = BarrierState::of(*item.barrier);
    return text + ", who wait for parity " + std::to_string(item.parity) + ": the phase misses " +
           std::to_string(state.pending) + " arrivals and " + std::to_string(state.missing_bytes) + " bytes";
  }
  const bool whole = item.waiting == Waiting::Group;
  const std::vector<int> absent = whole ? missing(waiters.ranks, 0, shape.group_size)
                                        : missing(waiters.ranks, item.sub->first, item.sub->lanes);
  return text + ", never by " + ranges(absent) + (whole ? " of its group" : " of its sub-group");
}

}  // namespace

std::string ranges(const std::vector<int>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(ranks[i]);
    if (end > i + 1) text += '-', text += std::to_string(ranks[end - 1]);
    i = end;
  }
  return text.empty() ? "none" : text;
}

std::string to_string(const Place& place) {
  return std::string(place.call) + " at " + place.where.file_name() + ":" +
         std::to_string(place.where.line());
}

std::string Team::describe_stuck() const {
  // One entry a place, or a place and sub-group or barrier; in order of the lowest work-item.
  using Key = std::tuple<Waiting, std::string, std::uint_least32_t, const void*>;
  std::map<Key, std::size_t> known;
  std::vector<Waiters> all;
  for (int rank = 0; rank < shape_.group_size; ++rank) {
    const Item& item = items_[rank];
    Key key{item.waiting, "", 0, nullptr};
    if (item.waiting != Waiting::NextGroup) {
      const void* what = item.waiting == Waiting::SubGroup       ? static_cast<const void*>(item.sub)
                         : item.waiting == Waiting::LocalBarrier ? static_cast<const void*>(item.barrier)
                                                                 : nullptr;
      key = {item.waiting, to_string(item.place) + item.place.where.function_name(),
             item.place.where.column(), what};
    }
    const auto [entry, is_new] = known.try_emplace(key, all.size());
    if (is_new) all.push_back({&item, {}});
    all[entry->second].ranks.push_back(rank);
  }
  std::string text = "host executor: group " + std::to_string(group_) + " is stuck";
  int lines = 0;
  for (const Waiters& waiters : all) {
    if (++lines > max_lines) {
      text += "\n  and " + std::to_string(all.size() - max_lines) + " more places";
      break;
    }
    text += "\n  " + describe(waiters, shape_);
  }
  return text;
}

void Team::fail(const Item& item, const Place& place, const std::string& what) const {
  throw std::logic_error("host executor: " + to_string(place) + ", work-item " + std::to_string(item.rank) +
                         " of group " + std::to_string(group_) + ": " + what);
}

}  // namespace batchlas::inline v0::device::host
