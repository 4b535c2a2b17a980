// Poison covers everything but the referenced part, and one changed bit of it is found.
#include "batchlas/verify/poison.hh"

#include <cmath>
#include <cstring>

#include "support.hh"

namespace batchlas::verify::test {
namespace {

template <class T>
class Poison : public ::testing::Test {};
TYPED_TEST_SUITE(Poison, Scalars, ScalarNames);

std::vector<Layout> layouts() {
  return {{.rows = 3, .cols = 3, .batch = 2, .guard = 5},
          {.rows = 3, .cols = 3, .ld = 5, .stride = 19, .batch = 3, .guard = 4},
          {.rows = 3, .cols = 3, .ld = 4, .stride = 13, .batch = 3, .pointers = true, .guard = 2},
          {.rows = 3, .cols = 3, .ld = 4, .batch = 4, .item_rows = {3, 0, 1, 2}, .item_cols = {3, 0, 1, 2}},
          {.rows = 2, .cols = 4, .ld = 3, .batch = 2, .guard = 1}};
}

/// Whether an op may touch the element at `offset`, by search over all items.
template <class T>
bool is_referenced(HostBatch<T>& batch, Part part, std::int64_t offset) {
  for (std::int64_t b = 0; b < batch.layout().batch; ++b) {
    const Item<T> item = item_of(batch.view(), b);
    for (std::int64_t j = 0; j < item.cols; ++j)
      for (std::int64_t i = 0; i < item.rows; ++i)
        if ((part == Part::Full || (part == Part::Lower ? i >= j : i <= j)) &&
            &item(i, j) == &batch.storage()[static_cast<std::size_t>(offset)])
          return true;
  }
  return false;
}

TYPED_TEST(Poison, FillsExactlyWhatIsNotReferenced) {
  using T = TypeParam;
  for (const Layout& layout : layouts())
    for (const Part part : {Part::Lower, Part::Upper, Part::Full}) {
      HostBatch<T> batch(layout);
      for (T& x : batch.storage()) x = T(1);
      poison_outside(batch.storage(), batch.view(), part, nan_poison<T>());
      for (std::size_t at = 0; at < batch.storage().size(); ++at)
        EXPECT_EQ(batch.storage()[at] == T(1), is_referenced(batch, part, std::int64_t(at)));
      EXPECT_FALSE(find_poison_damage<T>(batch.storage(), batch.view(), part, nan_poison<T>()));
    }
}

TYPED_TEST(Poison, OneFlippedBitAnywhereOutsideIsFoundAndInsideIsNot) {
  using T = TypeParam;
  for (const Layout& layout : layouts())
    for (const Part part : {Part::Lower, Part::Upper, Part::Full})
      for (const T pattern : {nan_poison<T>(), bit_pattern<T>(0x5555555555555555u), T{}}) {
        HostBatch<T> batch(layout);
        for (T& x : batch.storage()) x = T(1);
        poison_outside(batch.storage(), batch.view(), part, pattern);
        for (std::size_t at = 0; at < batch.storage().size(); ++at) {
          const std::size_t bit = at * 7 % (8 * sizeof(T));
          unsigned char* const byte = reinterpret_cast<unsigned char*>(&batch.storage()[at]) + bit / 8;
          *byte ^= static_cast<unsigned char>(1u << bit % 8);
          const auto damage = find_poison_damage<T>(batch.storage(), batch.view(), part, pattern);
          ASSERT_EQ(damage.has_value(), !is_referenced(batch, part, std::int64_t(at)));
          if (damage) {
            EXPECT_EQ(damage->offset, std::int64_t(at));
          }
          *byte ^= static_cast<unsigned char>(1u << bit % 8);
        }
      }
}

TYPED_TEST(Poison, DamageIsLocatedInItsItem) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 3, .cols = 3, .ld = 4, .stride = 15, .batch = 3, .pointers = true, .guard = 2});
  const T pattern = nan_poison<T>();
  poison_outside(batch.storage(), batch.view(), Part::Lower, pattern);
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& { return item_of(batch.view(), 1)(i, j); };
  at(1, 2) = T(0);  // the other triangle
  const auto damage = find_poison_damage<T>(batch.storage(), batch.view(), Part::Lower, pattern);
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->item, 1);
  EXPECT_EQ(damage->i, 1);
  EXPECT_EQ(damage->j, 2);
  EXPECT_NE(describe(*damage).find("item 1 (1, 2)"), std::string::npos) << describe(*damage);
  at(1, 2) = pattern;
  at(2, 3) = T(0);  // past the last column: the gap to the next item
  EXPECT_EQ(find_poison_damage<T>(batch.storage(), batch.view(), Part::Lower, pattern)->j, 3);
  at(2, 3) = pattern;
  batch.storage()[0] = T(0);  // the guard in front
  EXPECT_EQ(find_poison_damage<T>(batch.storage(), batch.view(), Part::Lower, pattern)->item, -1);
}

TYPED_TEST(Poison, NaNPoisonIsNaNInEveryWord) {
  using T = TypeParam;
  EXPECT_TRUE(std::isnan(std::real(nan_poison<T>())));
  if constexpr (is_complex<T>) {
    EXPECT_TRUE(std::isnan(std::imag(nan_poison<T>())));
  }
}

TYPED_TEST(Poison, DiagonalImagTouchesNothingElse) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 3, .cols = 3, .batch = 2});
  for (T& x : batch.storage()) x = T(1);
  poison_diagonal_imag(batch.view(), Real<T>(5));
  for (std::int64_t b = 0; b < 2; ++b)
    for (std::int64_t j = 0; j < 3; ++j)
      for (std::int64_t i = 0; i < 3; ++i)
        EXPECT_EQ(item_of(batch.view(), b)(i, j), scalar<T>(1, i == j ? 5 : 0));
}

TYPED_TEST(Poison, AnItemOutsideTheStorageThrows) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 3, .cols = 3, .batch = 2, .guard = 0});
  EXPECT_THROW(poison_outside(batch.storage().first(17), batch.view(), Part::Full, T{}),
               std::invalid_argument);
  EXPECT_THROW(poison_outside(batch.storage().subspan(1), batch.view(), Part::Full, T{}),
               std::invalid_argument);
}

}  // namespace
}  // namespace batchlas::verify::test
