// Splits a batch over the OpenMP threads.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace batchlas::inline v0::lanes {

/// Calls f(first, last) for consecutive ranges that cover [0, items), one a thread; every range but the last
/// is a multiple of `granule` items. Work estimated below `worth_ns` per thread stays on the calling thread:
/// entering a region costs 1 to 3 us while the threads still spin, more once they sleep.
template <class F>
void for_each_range(std::int64_t items, std::int64_t granule, double item_ns, const F& f) {
  constexpr double worth_ns = 4000;
  const std::int64_t granules = (items + granule - 1) / granule;
  const double useful = item_ns * static_cast<double>(items) / worth_ns;
  const std::int64_t threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  const std::int64_t parts = std::min({granules, threads, static_cast<std::int64_t>(std::min(useful, 1e9))});
  if (parts <= 1) {
    f(std::int64_t{0}, items);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(parts))
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = granules * part / parts * granule;
    const std::int64_t last = std::min(granules * (part + 1) / parts * granule, items);
    f(first, last);
  }
}

}  // namespace batchlas::inline v0::lanes
