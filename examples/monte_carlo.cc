// Correlated Monte Carlo: thousands of covariance matrices factored in one call, samples drawn, results
// checked.
//
//   monte_carlo [--device D] [--svg FILE]   factor, check and time several sizes
//   monte_carlo --write FILE.npy            covariance matrices as a NumPy file
//   monte_carlo --check FILE.npy            checks the factors of those matrices
//
// Item b is the correlation matrix of a first-order autoregressive series, A(i, j) = r^|i - j| (Kac, Murdock
// and Szego, 1953), with its own r. Its determinant is exactly (1 - r^2)^(n - 1). A factor L is checked three
// ways: the residual A - L L^T, the log-determinant 2 sum log L(i, i), and the covariance of samples x = L z
// with z standard normal.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "batchlas/device_array.hh"
#include "batchlas/introspect.hh"
#include "batchlas/ops/potrf.hh"
#include "speed_plot.hh"

#if EXAMPLE_HAS_LAPACKE
#include <lapacke.h>
#endif

namespace {

using namespace batchlas;

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;
constexpr double residual_bound = 30;  // LAPACK's own threshold for this ratio
constexpr double deviation_bound = 5;  // standard deviations; by chance once in a million
constexpr std::int64_t sample_count = 60000;

/// The correlation of neighbours in item b: spread over 0.1 to 0.9 by the golden ratio.
double correlation(std::int64_t b) {
  return 0.1 + 0.8 * std::fmod(0.6180339887498949 * static_cast<double>(b), 1.0);
}

/// r^0, ..., r^(n - 1): the first column of item b.
std::vector<double> powers(std::int64_t b, std::int64_t n) {
  std::vector<double> column(static_cast<std::size_t>(n), 1.0);
  for (std::size_t i = 1; i < column.size(); ++i) column[i] = column[i - 1] * correlation(b);
  return column;
}

std::vector<double> covariances(std::int64_t n, std::int64_t batch) {
  std::vector<double> items(static_cast<std::size_t>(n * n * batch));
  for (std::int64_t b = 0; b < batch; ++b) {
    const auto column = powers(b, n);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) items[b * n * n + j * n + i] = column[std::abs(i - j)];
  }
  return items;
}

/// Error of the log-determinant over its bound n (n + 1) u ((1 + r) / (1 - r))^2. No element of this L is
/// negative, so its backward error is at most (n + 1) u ||A||, which moves each of the n eigenvalues'
/// logarithms by at most (n + 1) u cond(A) (Higham, Accuracy and Stability, theorem 10.3, and Weyl's
/// inequality).
double log_determinant_error(std::int64_t b, std::int64_t n,
                             const std::function<double(std::int64_t)>& diagonal) {
  const double r = correlation(b);
  double log_determinant = 0;
  for (std::int64_t i = 0; i < n; ++i) log_determinant += 2 * std::log(diagonal(i));
  const double exact = static_cast<double>(n - 1) * std::log1p(-r * r);
  const double condition = (1 + r) * (1 + r) / ((1 - r) * (1 - r));
  const double bound = static_cast<double>(n * (n + 1)) * unit_roundoff * condition;
  return std::abs(log_determinant - exact) / bound;  // NaN stays NaN
}

/// The greater of two, where a NaN counts as greatest.
double worse(double a, double b) {
  return a >= b ? a : b;
}

/// ||A - L L^T||_1 / (n u ||A||_1) of item b.
double residual(std::int64_t b, std::int64_t n, const double* L) {
  const auto column = powers(b, n);
  std::vector<double> sums(static_cast<std::size_t>(n), 0.0), norms(sums), rest(sums);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = j; i < n; ++i) rest[i] = column[i - j];
    for (std::int64_t k = 0; k <= j; ++k)
      for (std::int64_t i = j; i < n; ++i) rest[i] -= L[k * n + i] * L[k * n + j];
    for (std::int64_t i = j; i < n; ++i) {
      sums[j] += std::abs(rest[i]), norms[j] += column[i - j];
      if (i > j) sums[i] += std::abs(rest[i]), norms[i] += column[i - j];
    }
  }
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0, worse);
  return sum / (static_cast<double>(n) * unit_roundoff * *std::max_element(norms.begin(), norms.end()));
}

/// Draws samples x = L z of every item, and returns the greatest deviation, over all lags k, of the mean of
/// x(n-1) x(n-1-k) from r^k, in standard deviations. One such product has variance 1 + r^(2k) (Isserlis,
/// 1918).
double covariance_deviation(std::int64_t n, std::int64_t batch, const std::vector<double>& factors) {
  std::mt19937_64 generator(20261130);
  std::normal_distribution<double> normal;
  const std::int64_t per_item = std::max<std::int64_t>(1, sample_count / batch);
  std::vector<double> x(static_cast<std::size_t>(n)), sum(x), variance(x);
  for (std::int64_t b = 0; b < batch; ++b) {
    const double* L = factors.data() + b * n * n;
    const auto column = powers(b, n);
    for (std::int64_t draw = 0; draw < per_item; ++draw) {
      std::fill(x.begin(), x.end(), 0.0);
      for (std::int64_t k = 0; k < n; ++k) {
        const double z = normal(generator);
        for (std::int64_t i = k; i < n; ++i) x[i] += L[k * n + i] * z;
      }
      for (std::int64_t k = 0; k < n; ++k) {
        sum[k] += x[n - 1] * x[n - 1 - k] - column[k];
        variance[k] += 1 + column[k] * column[k];
      }
    }
  }
  double worst = 0;
  for (std::int64_t k = 0; k < n; ++k) worst = worse(std::abs(sum[k]) / std::sqrt(variance[k]), worst);
  return worst;
}

/// The median time of five runs of `work` in milliseconds; `prepare` runs before each, untimed.
double median_ms(const std::function<void()>& prepare, const std::function<void()>& work) {
  std::vector<double> times;
  for (int run = 0; run < 5; ++run) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

/// Milliseconds of one LAPACK call an item on this CPU; 0 in a build without LAPACKE.
double lapack_ms([[maybe_unused]] std::int64_t n, [[maybe_unused]] std::int64_t batch,
                 [[maybe_unused]] const std::vector<double>& items) {
#if EXAMPLE_HAS_LAPACKE
  std::vector<double> work(items.size());
  const auto order = static_cast<lapack_int>(n);
  return median_ms([&] { work = items; },
                   [&] {
                     for (std::int64_t b = 0; b < batch; ++b)
                       LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', order, work.data() + b * n * n, order);
                   });
#else
  return 0;
#endif
}

struct Measured {
  double ms, lapack_ms, residual, log_determinant, deviation;
  std::int64_t failed;
};

Measured measure(Queue& queue, std::int64_t n, std::int64_t batch) {
  const auto items = covariances(n, batch);
  const auto count = static_cast<std::int64_t>(items.size());
  DeviceArray<double> pristine(queue.device(), count), work(queue.device(), count);
  DeviceArray<std::int32_t> info(queue.device(), batch);
  const MatrixView<double> A{.data = work.data(), .rows = n, .cols = n, .batch = batch};
  copy(queue, pristine.span(), items);

  Measured result{};
  result.ms = median_ms(
      [&] {
        copy(queue, work.span(), pristine.span());
        queue.wait();
      },
      [&] {
        potrf(queue, A, {.info = info.span()});
        queue.wait();
      });
  result.lapack_ms = lapack_ms(n, batch, items);

  std::vector<double> factors(items.size());
  std::vector<std::int32_t> host_info(static_cast<std::size_t>(batch));
  copy(queue, std::span(factors), work.span());
  copy(queue, std::span(host_info), info.span());
  queue.wait();
  result.failed = std::count_if(host_info.begin(), host_info.end(), [](std::int32_t k) { return k != 0; });
  for (std::int64_t b = 0; b < batch; ++b) {
    const double* L = factors.data() + b * n * n;
    result.residual = worse(residual(b, n, L), result.residual);
    result.log_determinant = worse(log_determinant_error(b, n, [&](std::int64_t i) { return L[i * n + i]; }),
                                   result.log_determinant);
  }
  result.deviation = covariance_deviation(n, batch, factors);
  return result;
}

bool passes(const Measured& m) {
  return m.failed == 0 && m.residual < residual_bound && m.log_determinant < 1 &&
         m.deviation < deviation_bound;
}

int run_all(const Device& device, const std::string& svg) {
  Queue queue(device);
  std::printf("double, Lower, on %s; LAPACK loop: one dpotrf call an item on this machine's CPU\n",
              device.facts().name.c_str());
  std::printf("%4s %6s %-7s %-20s %-34s %9s %8s %9s %8s %10s\n", "n", "items", "device", "kernel chosen",
              "from table row", "ms", "x LAPACK", "residual", "log det", "covariance");
  std::printf("%4s %6s %-7s %-20s %-34s %9s %8s %9s %8s %10s\n", "", "", "", "", "", "", "", "< 30", "< 1",
              "< 5");
  std::vector<speed_plot::Point> points;
  bool good = true;
  for (const std::int64_t n : {2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128}) {
    const std::int64_t batch = std::min<std::int64_t>(65536, (std::int64_t{1} << 24) / (n * n));
    const Explanation why =
        explain("potrf", {{"dtype", "double"}, {"n", std::to_string(n)}, {"batch", std::to_string(batch)}},
                device.facts());
    const Measured m = measure(queue, n, batch);
    const std::string row = "[" + why.tag + "] " + why.row;
    const std::string ratio =
        m.lapack_ms > 0 ? speed_plot::number(std::round(100 * m.lapack_ms / m.ms) / 100) : "-";
    std::printf("%4lld %6lld %-7s %-20s %-34s %9.3f %8s %9.2f %8.3f %10.2f%s\n", static_cast<long long>(n),
                static_cast<long long>(batch), why.device.c_str(), why.choice.c_str(), row.c_str(), m.ms,
                ratio.c_str(), m.residual, m.log_determinant, m.deviation, passes(m) ? "" : "  FAILED");
    std::fflush(stdout);
    good = good && passes(m);
    const auto order = static_cast<double>(n);
    const double flops = static_cast<double>(batch) * order * (2 * order * order + 3 * order + 1) / 6;
    points.push_back({n, flops / m.ms * 1e-6, m.lapack_ms > 0 ? flops / m.lapack_ms * 1e-6 : 0, why.choice});
  }
  std::printf(
      "x LAPACK: times faster. residual: worst ||A - L L'|| / (n u ||A||), and LAPACK's bound for it.\n"
      "log det: worst error over its a-priori bound. covariance of samples L z: worst deviation in "
      "sigmas.\n");
  if (!svg.empty()) {
    if (!speed_plot::write_svg(svg, "Cholesky factors of many small matrices (double)",
                               device.facts().name + ", batch of up to 65536 items, 128 MiB", points)) {
      std::fprintf(stderr, "monte_carlo: cannot write %s\n", svg.c_str());
      return 1;
    }
    std::printf("speed against n: %s\n", svg.c_str());
  }
  if (!good) std::fprintf(stderr, "monte_carlo: a check FAILED\n");
  return good ? 0 : 1;
}

constexpr std::int64_t file_n = 24, file_batch = 5000;

int write_matrices(const std::string& path) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(file_batch) +
                       ", " + std::to_string(file_n) + ", " + std::to_string(file_n) + "), }";
  header.resize(117, ' ');  // with the 10 bytes before it and the newline a multiple of 64
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file.write("\x93NUMPY\x01\x00\x76\x00", 10)
      .write(header.data(), static_cast<std::streamsize>(header.size()));
  const auto items = covariances(file_n, file_batch);
  file.write(reinterpret_cast<const char*>(items.data()),
             static_cast<std::streamsize>(items.size() * sizeof(double)));
  if (!file.flush()) {
    std::fprintf(stderr, "monte_carlo: cannot write %s\n", path.c_str());
    return 1;
  }
  std::printf("wrote %lld covariance matrices of order %lld to %s\n", static_cast<long long>(file_batch),
              static_cast<long long>(file_n), path.c_str());
  return 0;
}

int check_factors(const std::string& path) {
  std::vector<double> factors(static_cast<std::size_t>(file_n * file_n * file_batch));
  std::ifstream file(path, std::ios::binary);
  char start[10] = {};
  file.read(start, sizeof start)
      .ignore(static_cast<unsigned char>(start[8]) + 256 * static_cast<unsigned char>(start[9]));
  file.read(reinterpret_cast<char*>(factors.data()),
            static_cast<std::streamsize>(factors.size() * sizeof(double)));
  if (!file) {
    std::fprintf(stderr, "monte_carlo: %s holds fewer factors than expected\n", path.c_str());
    return 1;
  }
  double worst = 0;
  for (std::int64_t b = 0; b < file_batch; ++b) {
    const double* L = factors.data() + b * file_n * file_n;
    worst = worse(log_determinant_error(b, file_n, [&](std::int64_t i) { return L[i * file_n + i]; }), worst);
  }
  std::printf("log-determinants of %s: worst error %.3f of its bound%s\n", path.c_str(), worst,
              worst < 1 ? "" : "  FAILED");
  return worst < 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string device, svg;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--write") return write_matrices(value);
    if (option == "--check") return check_factors(value);
    if (option == "--device") device = value;
    if (option == "--svg") svg = value;
  }
  return run_all(device.empty() ? Device::default_device() : Device::parse(device), svg);
}
