// HostBatch lays its items out as told, and copies are deep.
#include "batchlas/verify/host_batch.hh"

#include "support.hh"

namespace batchlas::verify::test {
namespace {

const Layout layout{.rows = 2, .cols = 3, .ld = 4, .stride = 15, .batch = 3, .pointers = true, .guard = 5};

TEST(HostBatch, PointersNameTheItemsInReverseOrder) {
  HostBatch<float> batch(layout);
  EXPECT_EQ(batch.storage().size(), 3u * 15 + 2 * 5);
  for (std::int64_t b = 0; b < 3; ++b)
    EXPECT_EQ(item_of(batch.view(), b).data - batch.storage().data(), 5 + 15 * (2 - b));
}

TEST(HostBatch, AnEarlierViewSurvivesALaterOne) {
  HostBatch<float> batch(layout);
  const MatrixView<float> first = batch.view();
  EXPECT_EQ(batch.view().pointers, first.pointers);
}

TEST(HostBatch, ACopyHasItsOwnMemory) {
  HostBatch<float> batch(layout);
  batch.view();
  HostBatch<float> copy = batch;
  item_of(copy.view(), 1)(1, 2) = 7;
  EXPECT_EQ(item_of(batch.view(), 1)(1, 2), 0);
  EXPECT_EQ(item_of(copy.view(), 1)(1, 2), 7);
  EXPECT_EQ(item_of(batch.view(), 0).data - batch.storage().data(),
            item_of(copy.view(), 0).data - copy.storage().data());
}

TEST(HostBatch, AViewOfACopyOfTheStorageNamesTheSameElements) {
  HostBatch<float> batch({.rows = 2, .cols = 2, .batch = 2, .item_rows = {2, 1}, .item_cols = {2, 1}});
  item_of(batch.view(), 1)(0, 0) = 7;
  const std::vector<float> other(batch.storage().begin(), batch.storage().end());
  const auto view = batch.view_on(const_cast<float*>(other.data()), nullptr, batch.layout().item_rows.data(),
                                  batch.layout().item_cols.data());
  EXPECT_EQ(item_of(view, 1)(0, 0), 7);
  EXPECT_EQ(item_of(view, 1).rows, 1);
}

TEST(HostBatch, ExtentsForAnotherBatchThrow) {
  EXPECT_THROW(HostBatch<float>({.rows = 2, .cols = 2, .batch = 2, .item_rows = {2}}), std::invalid_argument);
}

TEST(ItemOf, OutOfRangeThrows) {
  HostBatch<float> batch({.rows = 2, .cols = 2, .batch = 2, .item_rows = {2, 3}});
  EXPECT_THROW(item_of(batch.view(), 2), std::invalid_argument);
  EXPECT_THROW(item_of(batch.view(), -1), std::invalid_argument);
  EXPECT_THROW(item_of(batch.view(), 1), std::invalid_argument);
}

}  // namespace
}  // namespace batchlas::verify::test
