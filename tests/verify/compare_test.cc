// first_bit_difference finds one changed bit, and says where.
#include "batchlas/verify/compare.hh"

#include <cstring>
#include <limits>

#include "batchlas/verify/generate.hh"
#include "support.hh"

namespace batchlas::verify::test {
namespace {

template <class T>
class Compare : public ::testing::Test {};
TYPED_TEST_SUITE(Compare, Scalars, ScalarNames);

template <class T>
void flip_bit(T& x, unsigned bit) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &x, sizeof(T));
  bytes[bit / 8] ^= static_cast<unsigned char>(1u << bit % 8);
  std::memcpy(&x, bytes, sizeof(T));
}

TYPED_TEST(Compare, FindsAnyOneBitOfThePartAndIgnoresTheRest) {
  using T = TypeParam;
  const Layout dense{.rows = 4, .cols = 5, .batch = 3};
  const Layout wide{.rows = 4, .cols = 5, .ld = 7, .stride = 40, .batch = 3, .pointers = true};
  HostBatch<T> left(dense), right(wide);
  fill_random(left.view(), 5);
  fill_random(right.view(), 5);
  for (const Part part : {Part::Lower, Part::Upper, Part::Full})
    for (std::int64_t b = 0; b < 3; ++b)
      for (std::int64_t j = 0; j < 5; ++j)
        for (std::int64_t i = 0; i < 4; ++i) {
          const unsigned bit = static_cast<unsigned>((i + 4 * j + 20 * b) % (8 * sizeof(T)));
          T& x = item_of(right.view(), b)(i, j);
          const T before = x;
          flip_bit(x, bit);
          const auto difference = first_bit_difference(left.view(), right.view(), part);
          const bool in_part = part == Part::Full || (part == Part::Lower ? i >= j : i <= j);
          ASSERT_EQ(difference.has_value(), in_part);
          if (in_part) {
            EXPECT_EQ(difference->item, b);
            EXPECT_EQ(difference->i, i);
            EXPECT_EQ(difference->j, j);
            EXPECT_EQ(difference->left, hex(before));
            EXPECT_EQ(difference->right, hex(x));
          }
          x = before;
        }
}

TYPED_TEST(Compare, SeesSignedZerosAndAcceptsEqualNaNs) {
  using T = TypeParam;
  HostBatch<T> left({.rows = 2, .cols = 2}), right({.rows = 2, .cols = 2});
  for (auto* batch : {&left, &right})
    for (T& x : batch->storage()) x = T(std::numeric_limits<Real<T>>::quiet_NaN());
  EXPECT_FALSE(first_bit_difference(left.view(), right.view(), Part::Full));
  item_of(left.view(), 0)(1, 1) = T(Real<T>(0));
  item_of(right.view(), 0)(1, 1) = T(-Real<T>(0));
  EXPECT_TRUE(first_bit_difference(left.view(), right.view(), Part::Full));
}

TYPED_TEST(Compare, BroadcastComparesEveryItemWithOne) {
  using T = TypeParam;
  HostBatch<T> batch({.rows = 3, .cols = 3, .batch = 4});
  fill_random(batch.view().slice(0, 1), 1);
  for (std::int64_t b = 1; b < 4; ++b) fill_random(batch.view().slice(b, 1), 1);
  const auto first = batch.view().slice(0, 1).broadcast(4);
  EXPECT_FALSE(first_bit_difference(first, batch.view(), Part::Full));
  flip_bit(item_of(batch.view(), 2)(0, 1), 3);
  EXPECT_EQ(first_bit_difference(first, batch.view(), Part::Full)->item, 2);
}

TYPED_TEST(Compare, DifferentShapesThrow) {
  using T = TypeParam;
  HostBatch<T> left({.rows = 3, .cols = 3, .batch = 2}), right({.rows = 3, .cols = 2, .batch = 2});
  EXPECT_THROW(first_bit_difference(left.view(), right.view(), Part::Full), std::invalid_argument);
  EXPECT_THROW(first_bit_difference(left.view(), left.view().slice(0, 1), Part::Full), std::invalid_argument);
}

TEST(Hex, ShowsTheBits) {
  EXPECT_EQ(hex(1.0f), "3f800000");
  EXPECT_EQ(hex(-2.0), "c000000000000000");
  EXPECT_EQ(hex(std::complex<float>(1.0f, -0.0f)), "3f800000,80000000");
  EXPECT_EQ(describe(BitDifference{2, 1, 0, "3f800000", "3f800001"}), "item 2 (1, 0): 3f800000 != 3f800001");
}

}  // namespace
}  // namespace batchlas::verify::test
