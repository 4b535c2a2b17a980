// One table: the ranked rows of an (op, dtype, device), arranged for the nearest-row lookup.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "select/key.hh"

namespace batchlas::inline v0::select {

/// One candidate of a row. ms is negative in an untimed row.
struct RankedEntry {
  std::uint8_t candidate;
  std::uint8_t length;        ///< of the time as the table spells it
  std::uint32_t time_offset;  ///< into the text of the row's source
  double ms;
};

/// What a `# sku` header line says of the machine that was measured. Zero or empty: it does not say.
struct Sku {
  std::string name;    ///< "NVIDIA H200"
  int sms = 0;         ///< multiprocessors; of a CPU `cores`, the hardware threads used
  int simd_bytes = 0;  ///< widest SIMD vector of a CPU
  int sub_group = 0;
  int max_work_group = 0;
  std::int64_t local_bytes = 0, l2_bytes = 0, memory_bytes = 0;
};

/// A file that rows came from; overlays add a second one to a table.
struct TableSource {
  std::string file;    ///< with its directory where it is an overlay
  std::string device;  ///< "sm_90"
  bool overlay = false;
  std::string_view text;
  std::shared_ptr<const std::string> owner = nullptr;  ///< of text; null for embedded bytes
  Sku sku = {};                                        ///< filled in by parse_table
};

struct Row {
  Key key;
  std::uint32_t first_entry = 0;
  std::uint32_t line = 0;
  std::uint16_t entry_count = 0;
  std::uint16_t source = 0;
};

/// A row found, and how far it is.
struct Nearest {
  const Row* row = nullptr;
  double distance = 0;
};

/// Rows are unique by key. Built once, then immutable.
///
/// The rows are sorted by key and indexed as a trie, one level a log key: a node is a distinct value, its
/// children are the values of the next key. A lookup walks each level outward from the key and stops where
/// the distance so far exceeds the best, so that 40,000 rows cost a few dozen visits instead of 40,000.
class Table {
 public:
  Table() = default;
  Table(const KeySpec& keys, std::vector<TableSource> sources, std::vector<Row> rows,
        std::vector<RankedEntry> entries);

  /// The nearest row. Exact keys must match; the rightmost is dropped until some row matches. Among those
  /// rows the smallest sum of weight * |log2(row / key)|; ties within 1e-9 go to the smaller log keys in key
  /// order, then (only where an exact key was dropped) to the smaller exact keys. A log key below 1 counts
  /// as 1.
  Nearest nearest(const Key& key) const;

  bool empty() const { return rows_.empty(); }
  std::span<const Row> rows() const { return rows_; }
  std::span<const RankedEntry> entries(const Row& row) const {
    return {entries_.data() + row.first_entry, row.entry_count};
  }
  const TableSource& source(const Row& row) const { return sources_[row.source]; }
  /// The time as the table spells it: "14.10", or "-".
  std::string_view time_text(const Row& row, const RankedEntry& entry) const {
    return source(row).text.substr(entry.time_offset, entry.length);
  }

 private:
  struct Node {
    double log = 0;
    std::uint32_t first_child =
        0;  ///< at the next level; at the last level the row. It ends at the next node's
  };
  struct Search;

  void build_index();

  std::size_t exact_ = 0;  ///< exact keys come first
  std::vector<double> weights_;
  std::vector<TableSource> sources_;
  std::vector<Row> rows_;
  std::vector<RankedEntry> entries_;
  struct Group {
    std::uint32_t first_row, first_node;
  };
  std::vector<Group> groups_;              ///< rows of equal exact keys, sorted by them; ends with a sentinel
  std::vector<std::vector<Node>> levels_;  ///< each ends with a sentinel
};

}  // namespace batchlas::inline v0::select
