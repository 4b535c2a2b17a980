// Order statistics of samples. A sample that was not taken is a NaN and does not count.
#pragma once

#include <vector>

namespace batchlas::bench {

/// The finite samples.
std::vector<double> finite(const std::vector<double>& samples);
/// Linear interpolation between order statistics; NaN of no sample. p in [0, 1].
double quantile(const std::vector<double>& samples, double p);
double median(const std::vector<double>& samples);
/// Half the interquartile range over the median.
double spread(const std::vector<double>& samples);
/// The median over rounds of numerator / denominator, rounds without both left out: drift cancels within a
/// round.
double paired_ratio(const std::vector<double>& numerator, const std::vector<double>& denominator);
/// Standard error of the median over the median, from the median absolute deviation.
double relative_error(const std::vector<double>& samples);

}  // namespace batchlas::bench
