// Bit promises of potrf's native candidates: neither place, batch, lane order nor executor changes a bit of
// an item.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

using PotrfBits = PotrfTest;

const std::vector<std::int64_t> orders = {1, 3, 8, 17, 33, 50};

template <class T>
HostBatch<T> copies_of_item(HostBatch<T>& source, std::int64_t b, std::int64_t batch) {
  Layout layout = source.layout();
  layout.batch = batch;
  HostBatch<T> copies(layout);
  const auto from = verify::item_of(source.view(), b);
  for (std::int64_t c = 0; c < batch; ++c) {
    const auto to = verify::item_of(copies.view(), c);
    for (std::int64_t j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
  }
  return copies;
}

using PotrfIdentical = PotrfTest;

TEST_P(PotrfIdentical, ItemsGiveIdenticalBits) {
  const std::int64_t batch = on(DeviceKind::HostExecutor) ? 9 : 1024;
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable(orders))
      for (const Uplo uplo : uplos) {
        HostBatch<T> one = make_items<T>(square(n, 1, 1), uplo), many = copies_of_item(one, 0, batch);
        EXPECT_EQ(factor(queue(), which().candidate, many, uplo), Info(static_cast<std::size_t>(batch), 0));
        const auto first = many.view().slice(0, 1).broadcast(batch);
        const auto difference = verify::first_bit_difference(many.view(), first, verify::part_of(uplo));
        if (which().vendor())
          RecordProperty("identical_n" + std::to_string(n), difference ? "no" : "yes");
        else
          EXPECT_FALSE(difference) << describe(many.layout(), uplo) << ' ' << verify::describe(*difference);
      }
  });
}

TEST_P(PotrfBits, AnItemAloneIsTheItemInABatch) {
  if (which().vendor()) GTEST_SKIP() << "promised by native candidates";
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable(orders))
      for (const Uplo uplo : uplos) {
        HostBatch<T> original = make_items<T>(square(n, 9), uplo), batch = original;
        factor(queue(), which().candidate, batch, uplo);
        for (const std::int64_t b : {0, 4, 8}) {
          HostBatch<T> alone = copies_of_item(original, b, 1), expected = copies_of_item(batch, b, 1);
          factor(queue(), which().candidate, alone, uplo);
          EXPECT_TRUE(same_factor(alone, expected, 0, uplo, n))
              << describe(batch.layout(), uplo) << " item " << b;
        }
      }
  });
}

// The imaginary part of a diagonal is zero, of either sign.
TEST_P(PotrfBits, UpperIsTheConjugateTransposeOfLower) {
  if (which().vendor()) GTEST_SKIP() << "promised by native candidates";
  const auto conjugate = [](auto x) {
    if constexpr (is_complex<decltype(x)>)
      return std::conj(x);
    else
      return x;
  };
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable(orders)) {
      HostBatch<T> lower = make_items<T>(square(n, 2), Uplo::Lower),
                   upper = make_items<T>(square(n, 2), Uplo::Upper);
      factor(queue(), which().candidate, lower, Uplo::Lower);
      factor(queue(), which().candidate, upper, Uplo::Upper);
      const auto L = verify::item_of(lower.view(), 1), U = verify::item_of(upper.view(), 1);
      for (std::int64_t j = 0; j < n; ++j)
        for (std::int64_t i = j; i < n; ++i)
          ASSERT_TRUE(i == j ? L(i, j) == U(j, i) : same_bits(T(conjugate(L(i, j))), U(j, i)))
              << n << ' ' << i << ' ' << j;
    }
  });
}

/// Runs the case and the same candidate on `reference`; both results must have the same bits.
template <class T>
void expect_bits_of(Queue& reference, Queue& queue, const Case& which, const Layout& layout) {
  for (const Uplo uplo : uplos) {
    HostBatch<T> expected = make_items<T>(layout, uplo), found = expected;
    const Info info = factor(reference, which.candidate, expected, uplo);
    EXPECT_EQ(factor(queue, which.candidate, found, uplo), info);
    EXPECT_TRUE(same_storage(expected, found)) << describe(layout, uplo);
  }
}

using PotrfHostOrders = PotrfTest;

TEST_P(PotrfHostOrders, GiveTheSameBits) {
  with_scalar([&](auto scalar) {
    Queue reference{host.open()};
    for (const std::int64_t n : runnable(orders))
      expect_bits_of<decltype(scalar)>(reference, queue(), which(), square(n, 3, 1));
  });
}

using PotrfExecutors = PotrfTest;

TEST_P(PotrfExecutors, GiveTheSameBits) {
  if (which().vendor()) GTEST_SKIP() << "promised by native candidates";
  with_scalar([&](auto scalar) {
    Queue reference{host.open()};
    for (const std::int64_t n : runnable({1, 3, 8, 17, 33, 50, 64, 100, 150}))
      expect_bits_of<decltype(scalar)>(reference, queue(), which(), square(n, 3, 1));
  });
}

INSTANTIATE_TEST_SUITE_P(Cpu, PotrfBits, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfBits, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(Cpu, PotrfIdentical, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfIdentical, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(HostVariant, PotrfIdentical, ::testing::ValuesIn(cases("potrf", host_variants)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfIdentical, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfBits, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);
INSTANTIATE_TEST_SUITE_P(HostVariant, PotrfHostOrders, ::testing::ValuesIn(cases("potrf", host_variants)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfExecutors, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);

}  // namespace
}  // namespace batchlas::ops_tests
