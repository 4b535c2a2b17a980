// The order in which the candidates of one call are tried, before can_run is asked, and the memo of such
// orders.
#pragma once

#include <bitset>
#include <memory>
#include <string>
#include <vector>

#include "select/choose.hh"
#include "select/table_store.hh"

namespace batchlas::inline v0::select {

/// The nearest row of one table in borrow order.
struct Stage {
  const Table* table = nullptr;
  Nearest nearest;
  std::string device;      ///< whose table: "sm_90"
  std::string tag;         ///< as a trace shows it: "sm_90", "override sm_90", "sm_90 NVIDIA H200"
  bool own = false;        ///< the table of the call's own device key
  bool other_sku = false;  ///< of that key, but another machine was measured
};

/// A candidate in the order of trial. Last-resort candidates have neither stage nor entry.
struct Step {
  std::size_t candidate;
  const Stage* stage = nullptr;
  const RankedEntry* entry = nullptr;
};

/// Belongs to one thread. Further tables are consulted only when every candidate of the rows before was
/// refused.
class Ranking {
 public:
  Ranking(const OpBase& op, const Call& call, const Settings& settings);

  /// Calls visit(step) for each candidate once, in order, until it returns true.
  template <class Visit>
  void walk(Visit&& visit) {
    std::bitset<256> seen;
    for (std::size_t i = 0; const Stage* stage = stage_at(i); ++i)
      for (const RankedEntry& entry : stage->table->entries(*stage->nearest.row)) {
        if (seen.test(entry.candidate)) continue;
        seen.set(entry.candidate);
        if (visit(Step{entry.candidate, stage, &entry})) return;
      }
    for (const std::uint8_t candidate : op_.last_resort(dtype_))
      if (!seen.test(candidate) && visit(Step{candidate})) return;
  }

  /// False where the device has no table of its own; only for a ranking that has been walked.
  bool has_own_table() const { return !stages_.empty() && stages_.front()->own; }

  bool is_for(const OpBase& op, const Call& call, const Settings& settings) const;

 private:
  const Stage* stage_at(std::size_t i) {
    if (i < stages_.size()) return stages_[i].get();
    return find_stage();
  }
  const Stage* find_stage();

  const OpBase& op_;
  // What identifies the call: everything that the order depends on.
  std::uint64_t op_id_, generation_;
  DType dtype_;
  Key key_;
  DeviceFacts device_;

  std::shared_ptr<const TableSet> tables_;
  std::vector<std::size_t> order_;  ///< of devices
  std::size_t consulted_ = 0;       ///< how many of them
  std::vector<std::unique_ptr<const Stage>> stages_;
};

/// From this thread's bounded memo, or made now. What is kept is the order, never the choice: can_run reads
/// facts that are no keys.
std::shared_ptr<Ranking> ranking_of(const OpBase& op, const Call& call, const Settings& settings);

}  // namespace batchlas::inline v0::select
