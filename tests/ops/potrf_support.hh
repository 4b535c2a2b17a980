// Batches for the suites of potrf, and runs of one candidate on any device.
#pragma once

#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "batchlas/device_array.hh"
#include "batchlas/ops/potrf.hh"
#include "batchlas/verify/compare.hh"
#include "batchlas/verify/generate.hh"
#include "batchlas/verify/host_batch.hh"
#include "batchlas/verify/poison.hh"
#include "batchlas/verify/potrf.hh"
#include "factor_bits.hh"
#include "support.hh"

namespace batchlas::ops_tests {

using factor_bits::same_bits;
using factor_bits::same_factor;
using verify::HostBatch;
using verify::Layout;
using Info = std::vector<std::int32_t>;

inline constexpr Uplo uplos[] = {Uplo::Lower, Uplo::Upper};
inline constexpr std::int32_t garbage_info = 0x5eed5eed;

/// ld = n + gap, and a gap of 2 * gap elements between items.
inline Layout square(std::int64_t n, std::int64_t batch, std::int64_t gap = 0) {
  return {.rows = n,
          .cols = n,
          .ld = n + gap,
          .stride = (n + gap) * n + 2 * gap,
          .batch = batch,
          .guard = 64 + gap};
}

inline std::string describe(const Layout& layout, Uplo uplo) {
  return std::string("uplo=") + letter(uplo) + " n=" + std::to_string(layout.rows) +
         " batch=" + std::to_string(layout.batch) + " ld=" + std::to_string(layout.ld) +
         (layout.pointers ? " pointers" : "");
}

inline CallFacts facts_of(std::int64_t n, std::int64_t batch, Uplo uplo) {
  return {{"uplo", std::string(1, letter(uplo))}, {"n", std::to_string(n)}, {"batch", std::to_string(batch)}};
}

/// Everything that must not be used becomes a NaN: the other triangle, padding, gaps, imaginary parts of the
/// diagonal.
template <class T>
void poison(HostBatch<T>& batch, Uplo uplo) {
  verify::poison_outside(batch.storage(), batch.view(), verify::part_of(uplo), verify::nan_poison<T>());
  verify::poison_diagonal_imag(batch.view(), std::numeric_limits<Real<T>>::quiet_NaN());
}

/// Positive definite items, poisoned.
template <class T>
HostBatch<T> make_items(const Layout& layout, Uplo uplo, std::uint64_t seed = 1) {
  HostBatch<T> batch(layout);
  verify::fill_spd_well_conditioned(batch.view(), seed);
  poison(batch, uplo);
  return batch;
}

struct Extents {
  std::vector<std::int64_t> rows, cols;  ///< either may be empty
};

/// A copy of a batch on the queue's device.
template <class T>
class OnDevice {
 public:
  /// `extents` replaces the batch's own, which must be valid.
  OnDevice(Queue& queue, const HostBatch<T>& batch, const Extents* extents = nullptr)
      : queue_(queue), storage_(queue.device(), static_cast<std::int64_t>(batch.storage().size())) {
    copy(queue, storage_.span(), batch.storage());
    const std::vector<T*> pointers = batch.pointers_on(storage_.data());
    const Layout& layout = batch.layout();
    pointers_ = uploaded(pointers);
    rows_ = uploaded(extents ? extents->rows : layout.item_rows);
    cols_ = uploaded(extents ? extents->cols : layout.item_cols);
    view_ = batch.view_on(storage_.data(), pointers_.data(), nullptr, nullptr);
    view_.item_rows = rows_.data();
    view_.item_cols = cols_.data();
    queue.wait();
  }
  const MatrixView<T>& view() const { return view_; }
  void read_back(HostBatch<T>& batch) const {
    copy(queue_, batch.storage(), storage_.span());
    queue_.wait();
  }

 private:
  template <class E>
  DeviceArray<E> uploaded(const std::vector<E>& list) {
    DeviceArray<E> array(queue_.device(), static_cast<std::int64_t>(list.size()));
    copy(queue_, array.span(), list);
    queue_.wait();
    return array;
  }
  Queue& queue_;
  DeviceArray<T> storage_;
  DeviceArray<T*> pointers_;
  DeviceArray<std::int64_t> rows_, cols_;
  MatrixView<T> view_;
};

/// Factors the batch in place by the candidate and proves that it ran. Every value of info is garbage before.
template <class T>
Info factor(Queue& queue, const std::string& candidate, HostBatch<T>& batch, Uplo uplo,
            const Extents* extents = nullptr) {
  const OnDevice<T> A(queue, batch, extents);
  Info result(static_cast<std::size_t>(batch.layout().batch), garbage_info);
  const DeviceArray<std::int32_t> info(queue.device(), batch.layout().batch);
  copy(queue, info.span(), result);
  queue.wait();
  Trace::get().take();
  {
    const StrictPin pin("potrf", candidate);
    potrf(queue, A.view(), {.uplo = uplo, .info = info}).wait();
  }
  EXPECT_TRUE(ran(Trace::get().take(), candidate)) << candidate << ' ' << describe(batch.layout(), uplo);
  copy(queue, std::span(result), info.span());
  A.read_back(batch);
  return result;
}

/// The largest ratio of each device and candidate, printed when the process ends.
struct LargestRatios : ::testing::Environment {
  std::map<std::string, std::pair<double, std::string>> of;
  void TearDown() override {
    for (const auto& [who, ratio] : of)
      std::printf("largest ratio, %s: %.3f at %s\n", who.c_str(), ratio.first, ratio.second.c_str());
  }
};
inline LargestRatios& largest_ratios = *new LargestRatios;  // owned by GoogleTest
inline ::testing::Environment* const ratio_report = ::testing::AddGlobalTestEnvironment(&largest_ratios);

template <class T>
void expect_small_ratio(const Case& which, HostBatch<T>& original, HostBatch<T>& result, Uplo uplo,
                        const Info& info = {}, std::span<const std::int64_t> items = {}) {
  const auto check = verify::check_potrf(original.view(), result.view(), uplo, info, items);
  EXPECT_TRUE(check.ok()) << verify::describe(check);
  EXPECT_LT(check.raw, 30);
  auto& largest = largest_ratios.of[which.target.name + ' ' + which.candidate];
  if (check.raw > largest.first)
    largest = {check.raw, std::string(name(which.dtype)) + ' ' + describe(result.layout(), uplo)};
}

/// Nothing outside the triangles has changed.
template <class T>
void expect_poison_intact(HostBatch<T>& result, Uplo uplo) {
  const auto damage = verify::find_poison_damage<T>(result.storage(), result.view(), verify::part_of(uplo),
                                                    verify::nan_poison<T>());
  EXPECT_FALSE(damage) << verify::describe(*damage);
}

/// Small ratio, info 0, real diagonal, poison intact.
template <class T>
void expect_factored(const Case& which, HostBatch<T>& original, HostBatch<T>& result, Uplo uplo,
                     const Info& info) {
  EXPECT_EQ(info, Info(info.size(), 0));
  expect_small_ratio(which, original, result, uplo);
  expect_poison_intact(result, uplo);
  for (std::int64_t b = 0; b < result.layout().batch; ++b) {
    const auto item = verify::item_of(result.view(), b);
    for (std::int64_t i = 0; i < item.rows; ++i) ASSERT_EQ(std::imag(item(i, i)), 0) << b << ' ' << i;
  }
}

class PotrfTest : public CandidateTest {
 protected:
  /// Those of the orders that the candidate runs, by explain. The variants of the host executor repeat what
  /// the plain one has run, so two will do.
  std::vector<std::int64_t> runnable(const std::vector<std::int64_t>& orders) {
    std::vector<std::int64_t> list;
    for (const std::int64_t n : orders)
      if (refusal(facts_of(n, 1, Uplo::Lower)).empty()) list.push_back(n);
    if (which().target.name.starts_with("host_") && list.size() > 2)
      list = {list[list.size() / 2], list.back()};
    return list;
  }
};

template <class T>
bool same_storage(const HostBatch<T>& a, const HostBatch<T>& b) {
  return std::memcmp(a.storage().data(), b.storage().data(), a.storage().size_bytes()) == 0;
}

}  // namespace batchlas::ops_tests
