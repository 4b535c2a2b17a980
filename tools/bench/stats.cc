#include "stats.hh"

#include <algorithm>
#include <cmath>
#include <limits>

namespace batchlas::bench {

std::vector<double> finite(const std::vector<double>& samples) {
  std::vector<double> kept;
  for (const double sample : samples)
    if (std::isfinite(sample)) kept.push_back(sample);
  return kept;
}

double quantile(const std::vector<double>& samples, double p) {
  std::vector<double> sorted = finite(samples);
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(sorted.begin(), sorted.end());
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (place - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

double median(const std::vector<double>& samples) {
  return quantile(samples, 0.5);
}

double spread(const std::vector<double>& samples) {
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / median(samples);
}

double paired_ratio(const std::vector<double>& numerator, const std::vector<double>& denominator) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < std::min(numerator.size(), denominator.size()); ++round)
    ratios.push_back(numerator[round] / denominator[round]);
  return median(ratios);
}

double relative_error(const std::vector<double>& samples) {
  const double middle = median(samples);
  std::vector<double> deviations = finite(samples);
  const auto count = static_cast<double>(deviations.size());
  for (double& sample : deviations) sample = std::abs(sample - middle);
  // 1.4826 makes the deviation a standard deviation, 1.2533 is a median's loss of efficiency, both for normal
  // noise.
  return 1.2533 * 1.4826 * median(deviations) / std::sqrt(count) / middle;
}

}  // namespace batchlas::bench
