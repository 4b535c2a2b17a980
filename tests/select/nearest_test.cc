// The nearest-row rule, against an oracle that shares no code with it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <optional>

#include "select/table.hh"
#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

using select::Key;

select::Table table_of(std::string_view spec, const std::vector<Key>& keys) {
  std::vector<select::Row> rows;
  for (const Key& key : keys) rows.push_back({.key = key});
  return select::Table(select::parse_key_spec(spec), {{}}, rows, {});
}

Key nearest_of(const select::Table& table, const Key& key) {
  return table.nearest(key).row->key;
}

/// The rule of spec section 5.5 word for word, over all rows: keep those that match the exact keys, dropping
/// the rightmost until some do; of those the smallest sum; ties within 1e-9 by the smaller log keys, in
/// order.
Key oracle(const std::vector<Key>& rows, const Key& key, int exact, const std::vector<double>& weights) {
  std::vector<Key> kept;
  for (int matching = exact; kept.empty(); --matching)
    for (const Key& row : rows) {
      bool match = true;
      for (int i = 0; i < matching; ++i) match = match && row[i] == key[i];
      if (match) kept.push_back(row);
    }
  const auto distance = [&](const Key& row) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
      sum += weights[i] * std::fabs(std::log2(double(row[exact + i]) / double(key[exact + i])));
    return sum;
  };
  double least = 1e300;
  for (const Key& row : kept) least = std::min(least, distance(row));
  std::optional<Key> best;
  const auto order = [&](const Key& k) {
    std::vector<std::int64_t> o(k.values.begin() + exact, k.values.begin() + k.count);
    o.insert(o.end(), k.values.begin(), k.values.begin() + exact);
    return o;
  };
  for (const Key& row : kept)
    if (distance(row) <= least + 1e-9 && (!best || order(row) < order(*best))) best = row;
  return *best;
}

/// Small ranges make ties, duplicates of one coordinate and missing exact values common; powers of two make
/// exact ties.
rc::Gen<std::int64_t> log_value() {
  return rc::gen::oneOf(rc::gen::map(rc::gen::inRange(0, 12), [](int e) { return std::int64_t{1} << e; }),
                        rc::gen::cast<std::int64_t>(rc::gen::inRange(1, 2000)));
}
rc::Gen<Key> any_key() {
  return rc::gen::apply(
      [](int a, int b, std::int64_t m, std::int64_t n, std::int64_t k) {
        return Key{a, b, m, n, k};
      },
      rc::gen::inRange(0, 3), rc::gen::inRange(0, 3), log_value(), log_value(), log_value());
}

RC_GTEST_PROP(Nearest, AgreesWithTheOracle, ()) {
  const auto rows = *rc::gen::nonEmpty(rc::gen::unique<std::vector<Key>>(any_key()));
  const auto table = table_of("a:exact b:exact m:log n:log:3 k:log:1.5", rows);
  for (int i = 0; i < 20; ++i) {
    const Key key = *any_key();
    RC_ASSERT(nearest_of(table, key) == oracle(rows, key, 2, {1, 3, 1.5}));
  }
}

RC_GTEST_PROP(Nearest, ARowIsItsOwnNearest, ()) {
  const auto rows = *rc::gen::nonEmpty(rc::gen::unique<std::vector<Key>>(any_key()));
  const auto table = table_of("a:exact b:exact m:log n:log:3 k:log:1.5", rows);
  for (const Key& row : rows) {
    RC_ASSERT(nearest_of(table, row) == row);
    RC_ASSERT(table.nearest(row).distance == 0.0);
  }
}

TEST(Nearest, WeightsCount) {
  const std::vector<Key> rows{{32, 128}, {64, 512}};
  // From (32, 512): two factors of two in batch, or one in n.
  EXPECT_EQ(nearest_of(table_of("n:log batch:log", rows), {32, 512}), (Key{64, 512}));
  EXPECT_EQ(nearest_of(table_of("n:log:3 batch:log", rows), {32, 512}), (Key{32, 128}));
  EXPECT_DOUBLE_EQ(table_of("n:log:3 batch:log", rows).nearest({32, 512}).distance, 2);
}

TEST(Nearest, TiesGoToTheSmallerLogKeysInOrder) {
  EXPECT_EQ(nearest_of(table_of("n:log batch:log", {{128, 8}, {32, 8}}), {64, 8}), (Key{32, 8}));
  EXPECT_EQ(nearest_of(table_of("n:log batch:log", {{64, 4}, {32, 8}, {64, 16}}), {64, 8}), (Key{32, 8}));
}

TEST(Nearest, RightmostExactKeyIsDroppedFirst) {
  const std::vector<Key> rows{{0, 1, 10}, {1, 0, 1000}};
  const auto table = table_of("a:exact b:exact n:log", rows);
  EXPECT_EQ(nearest_of(table, {1, 1, 10}), (Key{1, 0, 1000}));
  EXPECT_EQ(nearest_of(table, {0, 0, 1000}), (Key{0, 1, 10}));
  EXPECT_EQ(nearest_of(table, {2, 2, 1000}), (Key{1, 0, 1000}));
}

TEST(Nearest, TiesAcrossDroppedExactKeysGoToLogKeysFirst) {
  EXPECT_EQ(nearest_of(table_of("a:exact n:log", {{0, 64}, {1, 64}}), {2, 64}), (Key{0, 64}));
  EXPECT_EQ(nearest_of(table_of("a:exact n:log", {{0, 128}, {1, 32}}), {2, 64}), (Key{1, 32}));
}

TEST(Nearest, KeysBelowOneCountAsOne) {
  EXPECT_EQ(nearest_of(table_of("n:log", {{1}, {4}}), {0}), (Key{1}));
}

TEST(Nearest, WorksWithoutLogKeys) {
  const auto table = table_of("a:exact b:exact", {{0, 0}, {0, 2}, {1, 1}});
  EXPECT_EQ(nearest_of(table, {0, 2}), (Key{0, 2}));
  EXPECT_EQ(nearest_of(table, {1, 7}), (Key{1, 1}));
  EXPECT_EQ(nearest_of(table, {5, 5}), (Key{0, 0}));
}

TEST(Nearest, EmptyTableHasNone) {
  EXPECT_EQ(table_of("n:log", {}).nearest({1}).row, nullptr);
}

}  // namespace
}  // namespace batchlas::testing
