#include "vendor/cusolver/staging.hh"

#include "device/cuda/launch.hh"

namespace batchlas::inline v0::vendor::cusolver {
namespace {

using device::Batch;
using device::KernelReal;
using device::KernelScalar;

/// Deals the n x n elements of the items to groups of 256: several small items a group, or a part of a large
/// one. Index arithmetic within a group is 32-bit, since a 64-bit division an element would cost more than
/// the copy.
struct Deal {
  static constexpr std::uint32_t span = 4096;  ///< elements a group, about
  std::int64_t items;
  std::uint32_t n, area;
  std::uint32_t items_per_group, parts;  ///< one of them is 1

  static Deal of(std::int64_t items, int n) {
    const auto order = static_cast<std::uint32_t>(n);
    const std::uint32_t area = order * order;  // below 2^31: n is at most 46340
    return {items, order, area, area < span ? span / area : 1, area < span ? 1 : (area + span - 1) / span};
  }
  std::int64_t groups() const {
    return parts > 1 ? items * parts : (items + items_per_group - 1) / items_per_group;
  }

  /// Calls f(item, row, column) for this work-item's share.
  template <class Group, class F>
  __device__ void each(const Group& g, F&& f) const {
    const std::int64_t first = parts > 1 ? g.index() / parts : g.index() * items_per_group;
    const std::uint32_t begin = parts > 1 ? static_cast<std::uint32_t>(g.index() % parts) * span : 0;
    const std::int64_t left = items - first;
    const std::uint32_t mine = left < items_per_group ? static_cast<std::uint32_t>(left) : items_per_group;
    const std::uint32_t end = parts > 1 ? (area - begin < span ? area : begin + span) : mine * area;
    for (std::uint32_t e = begin + g.rank(); e < end; e += g.size()) {
      const std::uint32_t item = e / area, within = e - item * area, column = within / n;
      f(first + item, within - column * n, column);
    }
  }
};

__device__ bool referenced(bool lower, std::uint32_t row, std::uint32_t column) {
  return lower ? row >= column : row <= column;
}

template <class S>
__device__ S real_only(S value) {
  return device::from_real<S>(device::real_part(value));
}

template <class T>
struct Stage {
  static constexpr int group_size = 256;
  static constexpr int min_groups = 1;
  using S = KernelScalar<T>;
  Batch<T> A;
  Deal deal;
  bool lower;
  S* staged;
  S** pointers;

  template <class Group>
  __device__ void operator()(const Group& g) const {
    deal.each(g, [&](std::int64_t b, std::uint32_t i, std::uint32_t j) {
      S value = device::zero<S>();
      if (referenced(lower, i, j)) value = A.item(b)[j * A.ld + i];
      if (i == j) value = real_only(value);
      S* const item = staged + b * deal.area;
      item[j * deal.n + i] = value;
      if (i == 0 && j == 0) pointers[b] = item;
    });
  }
};

template <class T>
struct Unstage {
  static constexpr int group_size = 256;
  static constexpr int min_groups = 1;
  using S = KernelScalar<T>;
  Batch<T> A;
  Deal deal;
  bool lower;
  const S* staged;

  template <class Group>
  __device__ void operator()(const Group& g) const {
    deal.each(g, [&](std::int64_t b, std::uint32_t i, std::uint32_t j) {
      if (!referenced(lower, i, j)) return;
      const S value = staged[b * deal.area + j * deal.n + i];
      A.item(b)[j * A.ld + i] = i == j ? real_only(value) : value;
    });
  }
};

template <class T>
struct MakeDiagonalReal {
  static constexpr int group_size = 256;
  static constexpr int min_groups = 1;
  Batch<T> A;
  std::int64_t total;  ///< diagonal entries of the batch

  template <class Group>
  __device__ void operator()(const Group& g) const {
    const std::int64_t e = g.index() * g.size() + g.rank();
    if (e >= total) return;
    auto& entry = A.item(e / A.rows)[e % A.rows * (A.ld + 1)];
    entry = real_only(entry);
  }
};

/// A sub-group an item.
template <class T>
struct RepairInfo {
  static constexpr int group_size = 256;
  static constexpr int min_groups = 1;
  Batch<T> factor;
  std::int32_t* info;

  template <class Group>
  __device__ void operator()(const Group& g) const {
    const auto sub = g.sub_group();
    const std::int64_t b = g.index() * (group_size / sub.size()) + sub.index();
    if (b >= factor.count) return;
    const std::int32_t reported = info[b];
    // Past the failure that cuSOLVER reports, the factor is unspecified.
    const int end = reported > 0 && reported <= factor.rows ? reported - 1 : factor.rows;
    for (int base = 0; base < end; base += sub.size()) {
      const int i = base + sub.lane();
      const bool bad =
          i < end && !device::is_positive_finite(device::real_part(factor.item(b)[i * (factor.ld + 1)]));
      if (const auto votes = sub.ballot(bad); votes != 0) {
        if (sub.lane() == 0) info[b] = base + __ffsll(static_cast<long long>(votes));
        return;
      }
    }
  }
};

}  // namespace

template <class T>
void stage(const device::cuda::Executor& executor, const Batch<T>& A, Uplo uplo, KernelScalar<T>* staged,
           KernelScalar<T>** pointers) {
  const Deal deal = Deal::of(A.count, A.rows);
  executor.run({.groups = deal.groups(), .group_size = Stage<T>::group_size},
               Stage<T>{A, deal, uplo == Uplo::Lower, staged, pointers});
}

template <class T>
void unstage(const device::cuda::Executor& executor, const Batch<T>& A, Uplo uplo,
             const KernelScalar<T>* staged) {
  const Deal deal = Deal::of(A.count, A.rows);
  executor.run({.groups = deal.groups(), .group_size = Unstage<T>::group_size},
               Unstage<T>{A, deal, uplo == Uplo::Lower, staged});
}

template <class T>
void make_diagonal_real(const device::cuda::Executor& executor, const Batch<T>& A) {
  const std::int64_t total = A.count * A.rows;
  constexpr int size = MakeDiagonalReal<T>::group_size;
  executor.run({.groups = (total + size - 1) / size, .group_size = size}, MakeDiagonalReal<T>{A, total});
}

template <class T>
void repair_info(const device::cuda::Executor& executor, const Batch<T>& factor, std::int32_t* info) {
  constexpr int items = RepairInfo<T>::group_size / 32;  // a warp on every device that cuSOLVER runs on
  executor.run({.groups = (factor.count + items - 1) / items, .group_size = RepairInfo<T>::group_size},
               RepairInfo<T>{factor, info});
}

#define BATCHLAS_INSTANTIATE(T)                                                                           \
  template void stage<T>(const device::cuda::Executor&, const Batch<T>&, Uplo, KernelScalar<T>*,          \
                         KernelScalar<T>**);                                                              \
  template void unstage<T>(const device::cuda::Executor&, const Batch<T>&, Uplo, const KernelScalar<T>*); \
  template void make_diagonal_real<T>(const device::cuda::Executor&, const Batch<T>&);                    \
  template void repair_info<T>(const device::cuda::Executor&, const Batch<T>&, std::int32_t*);
BATCHLAS_FOR_EACH_SCALAR(BATCHLAS_INSTANTIATE)
#undef BATCHLAS_INSTANTIATE

}  // namespace batchlas::inline v0::vendor::cusolver
