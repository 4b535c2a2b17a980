// Checks of an op's tables that any op's tests can call; each returns what is wrong, one line a problem.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "select/select.hh"
#include "select/table_store.hh"

namespace batchlas::testing {

inline constexpr DType every_dtype[] = {DType::Float, DType::Double, DType::CFloat, DType::CDouble};

/// Calls f(device key, dtype, table) for every table of the op, empty ones left out; throws where one is
/// malformed.
template <class F>
void for_each_table(const select::OpBase& op, F&& f) {
  const auto set = op.tables().current(*select::settings());
  for (std::size_t device = 0; device < set->devices().size(); ++device)
    for (const DType dtype : every_dtype) {
      const select::Table& table = set->load(device)[static_cast<int>(dtype)];
      if (!table.empty()) f(set->devices()[device], dtype, table);
    }
}

/// Table validity (spec 8.4): every file parses, and timed rows ascend apart from ties of 3 %.
inline std::vector<std::string> table_problems(const select::OpBase& op) {
  std::vector<std::string> problems;
  try {
    for_each_table(op, [&](const select::DeviceKey&, DType, const select::Table& table) {
      for (const select::Row& row : table.rows()) {
        const auto entries = table.entries(row);
        for (std::size_t i = 1; i < entries.size(); ++i)
          if (entries[i].ms > 0 && entries[i].ms * 1.031 < entries[i - 1].ms)  // printed times are rounded
            problems.push_back(table.source(row).file + ':' + std::to_string(row.line) +
                               ": times not ascending");
      }
    });
  } catch (const std::invalid_argument& error) {
    problems.push_back(error.what());
  }
  return problems;
}

/// On `device`, the first candidate of each row of its table that can run at all at the row's own key is a
/// candidate that can_run(dtype, key, candidate index) accepts; a row in which all are refused can never be
/// used.
inline std::vector<std::string> unusable_rows(
    const select::OpBase& op, const std::string& device,
    const std::function<select::Refusal(DType, const select::Key&, std::size_t)>& can_run) {
  std::vector<std::string> problems;
  for_each_table(op, [&](const select::DeviceKey& key, DType dtype, const select::Table& table) {
    if (key.key != device) return;
    for (const select::Row& row : table.rows()) {
      bool usable = false;
      for (const auto& entry : table.entries(row))
        usable = usable || !can_run(dtype, row.key, entry.candidate);
      if (!usable)
        problems.push_back(table.source(row).file + ':' + std::to_string(row.line) +
                           ": nothing in it can run");
    }
  });
  return problems;
}

/// Explains the call of an op that has this dtype and key.
using ExplainAt = std::function<select::Explanation(DType, const select::Key&)>;

/// AutoReadsEveryKeyField: the keys, as "float n", whose value never changes the row that a call on `device`
/// reads. A dtype with candidates but without any table reads none of its keys. Pass the op's own explain as
/// explain_at, so that a key_of that hands on a constant is caught too.
inline std::vector<std::string> unread_keys(const select::OpBase& op, const DeviceFacts& device,
                                            const ExplainAt& explain_at) {
  std::vector<std::string> unread;
  const auto set = op.tables().current(*select::settings());
  for (const DType dtype : every_dtype) {
    if (op.listed(dtype).empty()) continue;
    const select::Table* table = nullptr;
    for (const std::size_t i : select::borrow_order(device, set->devices()))
      if (!table && !set->load(i)[static_cast<int>(dtype)].empty())
        table = &set->load(i)[static_cast<int>(dtype)];
    for (std::size_t field = 0; field < op.keys().size(); ++field) {
      std::set<std::int64_t> values;
      if (table)
        for (const auto& row : table->rows()) values.insert(row.key[field]);
      const auto changes_row = [&](const select::Row& row) {
        const std::string here = explain_at(dtype, row.key).row;
        for (const std::int64_t value : values) {
          select::Key other = row.key;
          other.values[field] = value;
          if (value != row.key[field] && explain_at(dtype, other).row != here) return true;
        }
        return false;
      };
      bool read = false;
      if (table && values.size() > 1)
        for (const auto& row : table->rows()) read = read || changes_row(row);
      if (!read) unread.push_back(std::string(name(dtype)) + ' ' + op.keys().fields[field].name);
    }
  }
  return unread;
}

/// As above through the op's spec alone, as if every candidate could run.
template <class Choice>
std::vector<std::string> unread_keys(const select::Op<Choice>& op, const DeviceFacts& device) {
  return unread_keys(op, device, [&](DType dtype, const select::Key& key) {
    return select::explain(op, {device, dtype, key},
                           [](const Choice&) -> select::Refusal { return nullptr; });
  });
}

}  // namespace batchlas::testing
