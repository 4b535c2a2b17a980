#include "select/table.hh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace batchlas::inline v0::select {
namespace {

constexpr double tie = 1e-9;

double log_of(std::int64_t value) {
  return std::log2(static_cast<double>(std::max<std::int64_t>(value, 1)));
}

}  // namespace

Table::Table(const KeySpec& keys, std::vector<TableSource> sources, std::vector<Row> rows,
             std::vector<RankedEntry> entries)
    : sources_(std::move(sources)), rows_(std::move(rows)), entries_(std::move(entries)) {
  for (const KeyField& field : keys.fields) {
    if (field.exact)
      ++exact_;
    else
      weights_.push_back(field.weight);
  }
  std::sort(rows_.begin(), rows_.end(),
            [](const Row& a, const Row& b) { return a.key.values < b.key.values; });
  build_index();
}

void Table::build_index() {
  levels_.resize(weights_.size());
  // The first row of every node is where its key first differs from the row before, at this level or above.
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    const auto& values = rows_[i].key.values;
    std::size_t same = 0;
    if (i > 0)
      while (same < exact_ + levels_.size() && values[same] == rows_[i - 1].key.values[same]) ++same;
    if (i == 0 || same < exact_)
      groups_.push_back({i, levels_.empty() ? 0 : static_cast<std::uint32_t>(levels_[0].size())});
    for (std::size_t level = same < exact_ ? 0 : same - exact_; level < levels_.size(); ++level) {
      const bool last = level + 1 == levels_.size();
      const auto child = last ? i : static_cast<std::uint32_t>(levels_[level + 1].size());
      levels_[level].push_back({log_of(values[exact_ + level]), child});
    }
  }
  const auto row_count = static_cast<std::uint32_t>(rows_.size());
  groups_.push_back({row_count, levels_.empty() ? 0 : static_cast<std::uint32_t>(levels_[0].size())});
  for (std::size_t level = 0; level < levels_.size(); ++level)
    levels_[level].push_back(
        {0, level + 1 == levels_.size() ? row_count : static_cast<std::uint32_t>(levels_[level + 1].size())});
}

/// The walk over the trie for one key. The distance is always summed in key order, so that both passes see
/// the same rounding.
struct Table::Search {
  const Table& table;
  std::array<double, max_keys> logs{};
  double best = std::numeric_limits<double>::infinity();

  double step(std::size_t level, const Node& node) const {
    return table.weights_[level] * std::abs(node.log - logs[level]);
  }

  /// Pass 1: the smallest distance over the nodes [first, end) of `level`, nearest values first.
  void measure(std::size_t level, std::uint32_t first, std::uint32_t end, double so_far) {
    const std::vector<Node>& nodes = table.levels_[level];
    std::uint32_t right = static_cast<std::uint32_t>(
        std::lower_bound(nodes.begin() + first, nodes.begin() + end, logs[level],
                         [](const Node& node, double log) { return node.log < log; }) -
        nodes.begin());
    std::uint32_t left = right;  // one past the next node to the left
    while (left > first || right < end) {
      const bool go_left =
          right == end || (left > first && step(level, nodes[left - 1]) <= step(level, nodes[right]));
      const std::uint32_t at = go_left ? --left : right++;
      const double distance = so_far + step(level, nodes[at]);
      if (distance >= best) return;  // every node not yet visited is at least as far
      if (level + 1 == table.levels_.size())
        best = distance;
      else
        measure(level + 1, nodes[at].first_child, nodes[at + 1].first_child, distance);
    }
  }

  /// Pass 2: the first row in sort order whose distance ties with the best.
  const Row* first_tied(std::size_t level, std::uint32_t first, std::uint32_t end, double so_far) const {
    const std::vector<Node>& nodes = table.levels_[level];
    const double reach = (best + tie - so_far) / table.weights_[level] + tie;
    auto at = static_cast<std::uint32_t>(
        std::lower_bound(nodes.begin() + first, nodes.begin() + end, logs[level] - reach,
                         [](const Node& node, double log) { return node.log < log; }) -
        nodes.begin());
    for (; at < end && nodes[at].log <= logs[level] + reach; ++at) {
      const double distance = so_far + step(level, nodes[at]);
      if (distance > best + tie) continue;
      if (level + 1 == table.levels_.size()) return &table.rows_[nodes[at].first_child];
      const Row* row = first_tied(level + 1, nodes[at].first_child, nodes[at + 1].first_child, distance);
      if (row) return row;
    }
    return nullptr;
  }
};

Nearest Table::nearest(const Key& key) const {
  if (rows_.empty()) return {};
  // Groups sorted by exact keys: those that agree in the first `kept` of them are neighbours.
  auto first = groups_.begin(), end = groups_.end() - 1;
  for (std::size_t kept = exact_;; --kept) {
    const auto before = [&](const Group& group, const Key& k) {
      const auto& values = rows_[group.first_row].key.values;
      return std::lexicographical_compare(values.begin(), values.begin() + kept, k.values.begin(),
                                          k.values.begin() + kept);
    };
    const auto after = [&](const Key& k, const Group& group) {
      const auto& values = rows_[group.first_row].key.values;
      return std::lexicographical_compare(k.values.begin(), k.values.begin() + kept, values.begin(),
                                          values.begin() + kept);
    };
    const auto low = std::lower_bound(groups_.begin(), groups_.end() - 1, key, before);
    const auto high = std::upper_bound(low, groups_.end() - 1, key, after);
    if (low != high) {
      first = low;
      end = high;
      break;
    }
  }
  if (levels_.empty()) return {&rows_[first->first_row], 0};

  Search search{*this};
  for (std::size_t i = 0; i < levels_.size(); ++i) search.logs[i] = log_of(key[exact_ + i]);
  for (auto group = first; group != end; ++group)
    search.measure(0, group->first_node, (group + 1)->first_node, 0);
  const Row* chosen = nullptr;
  const auto log_keys_less = [&](const Row& a, const Row& b) {
    return std::lexicographical_compare(a.key.values.begin() + exact_, a.key.values.end(),
                                        b.key.values.begin() + exact_, b.key.values.end());
  };
  for (auto group = first; group != end; ++group) {
    const Row* row = search.first_tied(0, group->first_node, (group + 1)->first_node, 0);
    if (row && (!chosen || log_keys_less(*row, *chosen))) chosen = row;
  }
  return {chosen, search.best};
}

}  // namespace batchlas::inline v0::select
