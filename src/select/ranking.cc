#include "select/ranking.hh"

#include <array>
#include <functional>

namespace batchlas::inline v0::select {
namespace {

constexpr std::size_t memo_slots = 1024;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

std::uint64_t hash_of(const OpBase& op, const Call& call, const Settings& settings) {
  std::uint64_t hash = mix(op.id(), settings.generation);
  hash = mix(hash, static_cast<std::uint64_t>(call.dtype));
  hash = mix(hash, std::hash<std::string_view>()(call.device.key));
  for (std::size_t i = 0; i < call.key.count; ++i) hash = mix(hash, static_cast<std::uint64_t>(call.key[i]));
  return hash;
}

}  // namespace

Ranking::Ranking(const OpBase& op, const Call& call, const Settings& settings)
    : op_(op),
      op_id_(op.id()),
      generation_(settings.generation),
      dtype_(call.dtype),
      key_(call.key),
      device_(call.device),
      tables_(op.tables().current(settings)),
      order_(borrow_order(device_, tables_->devices())) {}

bool Ranking::is_for(const OpBase& op, const Call& call, const Settings& settings) const {
  return op_id_ == op.id() && generation_ == settings.generation && dtype_ == call.dtype &&
         key_ == call.key && device_.multiprocessors == call.device.multiprocessors &&
         device_.is_gpu == call.device.is_gpu && device_.simd_bytes == call.device.simd_bytes &&
         device_.key == call.device.key && device_.name == call.device.name;
}

const Stage* Ranking::find_stage() {
  while (consulted_ < order_.size()) {
    const std::size_t index = order_[consulted_];
    const Table& table = tables_->load(index)[static_cast<int>(dtype_)];
    ++consulted_;
    if (table.empty()) continue;
    auto stage = std::make_unique<Stage>();
    stage->table = &table;
    stage->nearest = table.nearest(key_);
    stage->device = tables_->devices()[index].key;
    stage->own = stage->device == device_.key;
    const TableSource& source = table.source(*stage->nearest.row);
    // An overlay is the user's own doing: it is not second-guessed by the SKU in its header.
    stage->other_sku = stage->own && !source.overlay && is_other_sku(source.sku, device_);
    stage->tag = source.overlay ? "override " + stage->device : stage->device;
    if (stage->other_sku && !source.sku.name.empty()) stage->tag += ' ' + source.sku.name;
    stages_.push_back(std::move(stage));
    return stages_.back().get();
  }
  return nullptr;
}

std::shared_ptr<Ranking> ranking_of(const OpBase& op, const Call& call, const Settings& settings) {
  // Direct-mapped: a collision costs one more lookup, and nothing ever has to be evicted on purpose. Shared,
  // because a can_run that calls another op may replace the slot while it is walked.
  thread_local std::array<std::shared_ptr<Ranking>, memo_slots> memo;
  auto& slot = memo[hash_of(op, call, settings) % memo_slots];
  if (!slot || !slot->is_for(op, call, settings)) slot = std::make_shared<Ranking>(op, call, settings);
  return slot;
}

}  // namespace batchlas::inline v0::select
