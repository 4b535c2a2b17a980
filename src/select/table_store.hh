// The tables of one op: the built-in files, overlaid row by row with those of BATCHLAS_TUNED_DIR, loaded on
// first use.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "select/borrow.hh"
#include "select/op.hh"
#include "select/settings.hh"
#include "select/table.hh"

namespace batchlas::inline v0::select {

/// A device's tables, one a dtype.
using DeviceTables = std::array<Table, 4>;

/// What is on offer under one settings snapshot. Immutable but for loading on first use.
class TableSet {
 public:
  /// Lists the overlay directory; throws std::invalid_argument where it cannot be read.
  TableSet(const OpBase& op, const TableStore& store, const Settings& settings);

  std::uint64_t generation() const { return generation_; }
  std::span<const DeviceKey> devices() const { return devices_; }
  /// Thread-safe; throws TableError at every call where a file is malformed.
  const DeviceTables& load(std::size_t device) const;

 private:
  const OpBase& op_;
  const TableStore& store_;
  std::uint64_t generation_;
  std::vector<DeviceKey> devices_;          ///< sorted by key
  std::vector<std::string> overlay_paths_;  ///< by device; empty: built in only
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const DeviceTables>> loaded_;
};

class TableStore {
 public:
  /// Keeps those of `files` that are named <op>.<device>.txt.
  TableStore(const OpBase& op, std::span<const TableText> files);

  std::shared_ptr<const TableSet> current(const Settings& settings) const;
  /// Device key -> text.
  const std::map<std::string, TableText, std::less<>>& built_in() const { return built_in_; }
  /// The built-in tables of a device, parsed once a process, whatever snapshots come and go.
  std::shared_ptr<const DeviceTables> load_built_in(const std::string& device) const;

 private:
  const OpBase& op_;
  std::map<std::string, TableText, std::less<>> built_in_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const TableSet> current_;
  mutable std::map<std::string, std::shared_ptr<const DeviceTables>> parsed_;
};

/// What the header of the op's table for `key` says of that device (see facts_of); nothing where it has no
/// table. For explaining a choice without the device.
std::optional<DeviceFacts> device_facts(const OpBase& op, std::string_view key);

/// "sm_90" of "potrf.sm_90.txt"; empty where the file is not of `op`.
std::string_view device_of_file(std::string_view op, std::string_view file);

}  // namespace batchlas::inline v0::select
