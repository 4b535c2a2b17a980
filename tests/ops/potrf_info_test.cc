// What potrf's candidates do with hard and bad items: LAPACK's nine types, planted pivots, extents of single
// items.
#include "potrf_support.hh"

namespace batchlas::ops_tests {
namespace {

using PotrfInfo = PotrfTest;

TEST_P(PotrfInfo, FollowsLapacksNineTypes) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({1, 2, 3, 10, 33}))
      for (const Uplo uplo : uplos) {
        HostBatch<T> original(square(n, std::size(verify::po_types), 1));
        Info expected;
        for (const verify::PoType type : verify::po_types) {
          const auto used = verify::applies(type, n) ? type : verify::PoType::WellConditioned;
          verify::fill_po_item(original.view(), static_cast<std::int64_t>(expected.size()), used, 3);
          expected.push_back(verify::expected_info(used, n));
        }
        poison(original, uplo);
        HostBatch<T> result = original;
        const Info info = factor(queue(), which().candidate, result, uplo);
        EXPECT_EQ(info, expected) << describe(result.layout(), uplo);
        expect_small_ratio(which(), original, result, uplo, info);
        expect_poison_intact(result, uplo);
      }
  });
}

/// A diagonal element to spoil, and with what.
template <class T>
struct Plant {
  std::int64_t place;
  Real<T> value;
};

template <class T>
std::vector<Plant<T>> plants(std::int64_t n) {
  using R = Real<T>;
  using Limits = std::numeric_limits<R>;
  std::vector<Plant<T>> list;
  for (const std::int64_t place : {std::int64_t{0}, n / 2, n - 1})
    for (const R value : {R(0), R(-1), Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
      list.push_back({place, value});
  return list;
}

// Good items lie between the bad ones. A second bad pivot further on must not hide the first.
TEST_P(PotrfInfo, NamesTheFirstBadPivotAndSparesTheOtherItems) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    // Pivots of a second panel, and of a second block.
    const std::int64_t largest = which().candidate == "blocked:nb=64" ? 70 : 40;
    for (const std::int64_t n : runnable({1, 2, 9, largest}))
      for (const Uplo uplo : uplos) {
        const auto list = plants<T>(n);
        HostBatch<T> clean = make_items<T>(square(n, 2 * std::int64_t(list.size()), 1), uplo), bad = clean;
        Info expected;
        for (const Plant<T>& plant : list) {
          const auto item = verify::item_of(bad.view(), static_cast<std::int64_t>(expected.size()));
          item(plant.place, plant.place) = T(plant.value);
          if (plant.place + 2 < n) item(n - 1, n - 1) = T(Real<T>(-2));
          expected.push_back(static_cast<std::int32_t>(plant.place + 1));
          expected.push_back(0);
        }
        HostBatch<T> original = bad;
        const Info info = factor(queue(), which().candidate, bad, uplo);
        EXPECT_EQ(info, expected) << describe(bad.layout(), uplo);
        factor(queue(), which().candidate, clean, uplo);
        expect_poison_intact(bad, uplo);
        expect_small_ratio(which(), original, bad, uplo, expected);
        for (std::size_t b = 0; b < expected.size(); ++b) {
          const bool good = expected[b] == 0;
          if (!good && which().vendor()) continue;
          EXPECT_TRUE(same_factor(clean, bad, std::int64_t(b), uplo, good ? n : expected[b] - 1))
              << describe(bad.layout(), uplo) << " item " << b;
        }
      }
  });
}

// An element below the diagonal reaches the pivot of its row first.
TEST_P(PotrfInfo, SeesAnElementThatIsNoNumber) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({9, 40}))
      for (const Uplo uplo : uplos)
        for (const Real<T> value :
             {std::numeric_limits<Real<T>>::quiet_NaN(), std::numeric_limits<Real<T>>::infinity()}) {
          HostBatch<T> batch = make_items<T>(square(n, 3, 1), uplo);
          const auto item = verify::item_of(batch.view(), 1);
          (uplo == Uplo::Lower ? item(n - 3, 1) : item(1, n - 3)) = T(value);
          EXPECT_EQ(factor(queue(), which().candidate, batch, uplo), (Info{0, std::int32_t(n - 2), 0}))
              << describe(batch.layout(), uplo) << ' ' << value;
        }
  });
}

TEST_P(PotrfInfo, IsOptional) {
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({5, 33, 70}))
      for (const Uplo uplo : uplos) {
        HostBatch<T> expected = make_items<T>(square(n, 5, 1), uplo);
        verify::item_of(expected.view(), 2)(n / 2, n / 2) = T(Real<T>(-1));
        HostBatch<T> result = expected;
        factor(queue(), which().candidate, expected, uplo);
        const OnDevice<T> A(queue(), result);
        const StrictPin pin("potrf", which().candidate);
        potrf(queue(), A.view(), {.uplo = uplo}).wait();
        A.read_back(result);
        for (const std::int64_t b : {0, 1, 2, 3, 4})
          EXPECT_TRUE(which().vendor() || same_factor(expected, result, b, uplo, b == 2 ? n / 2 : n))
              << describe(result.layout(), uplo) << " item " << b;
        expect_poison_intact(result, uplo);
      }
  });
}

// Items of orders n, 0, small, of bad extents, and of rows that differ from cols.
TEST_P(PotrfInfo, FollowsItemExtents) {
  const bool refuses = which().family() == "blocked" || (which().vendor() && on(DeviceKind::Cuda));
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({6, 32, 70}))
      for (const Uplo uplo : uplos) {
        const Extents extents{{n, 0, n / 2, -1, n + 1, 5, 1, n}, {n, 0, n / 2, -1, n + 1, 6, 1, n}};
        Layout layout = square(n, 8, 2);
        // The bad ones in full, for the oracle to read.
        layout.item_rows = layout.item_cols = {n, 0, n / 2, n, n, n, 1, n};
        HostBatch<T> original = make_items<T>(layout, uplo), result = original;
        Info info;
        const std::string message =
            refused([&] { info = factor(queue(), which().candidate, result, uplo, &extents); });
        if (refuses) {
          EXPECT_NE(message.find("per-item extents"), message.npos) << message;
          continue;
        }
        EXPECT_EQ(message, "");
        EXPECT_EQ(info, (Info{0, 0, 0, -2, -2, -2, 0, 0})) << describe(layout, uplo);
        expect_small_ratio(which(), original, result, uplo, info);
        expect_poison_intact(result, uplo);
        for (const std::int64_t b : {3, 4, 5}) EXPECT_TRUE(same_factor(original, result, b, uplo, n)) << b;
      }
  });
}

// One list alone is held against the extent of the view.
TEST_P(PotrfInfo, FollowsOneListOfExtents) {
  if (which().family() == "blocked" || (which().vendor() && on(DeviceKind::Cuda)))
    GTEST_SKIP() << "refuses extents";
  with_scalar([&](auto scalar) {
    using T = decltype(scalar);
    for (const std::int64_t n : runnable({6})) {
      HostBatch<T> batch = make_items<T>(square(n, 2), Uplo::Lower), again = batch;
      const Extents rows{{n, n - 1}, {}}, cols{{}, {n - 1, n}};
      EXPECT_EQ(factor(queue(), which().candidate, batch, Uplo::Lower, &rows), (Info{0, -2}));
      EXPECT_EQ(factor(queue(), which().candidate, again, Uplo::Lower, &cols), (Info{-2, 0}));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Cpu, PotrfInfo, ::testing::ValuesIn(cases("potrf", {cpu})), case_name);
INSTANTIATE_TEST_SUITE_P(Host, PotrfInfo, ::testing::ValuesIn(cases("potrf", {host})), case_name);
INSTANTIATE_TEST_SUITE_P(HostVariant, PotrfInfo, ::testing::ValuesIn(cases("potrf", host_variants)),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Cuda, PotrfInfo, ::testing::ValuesIn(cases("potrf", {cuda})), case_name);

}  // namespace
}  // namespace batchlas::ops_tests
