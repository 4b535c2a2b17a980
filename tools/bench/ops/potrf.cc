// potrf in the benchmark: operands, the library's call, its rivals, its costs.
#include "batchlas/ops/potrf.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "arm.hh"
#include "batchlas/verify/generate.hh"
#include "batchlas/verify/potrf.hh"
#include "batchlas/verify/random.hh"
#include "cpu/potrf_rival.hh"
#include "cuda/potrf_rival.hh"
#include "memory.hh"

namespace batchlas::bench {
namespace {

std::int64_t leading_dimension(const Cell& cell) {
  return std::max<std::int64_t>(1, cell.number("n") + cell.pad);
}

std::int64_t data_bytes(const Cell& cell) {
  return leading_dimension(cell) * cell.number("n") * cell.number("batch") * size_of(cell.dtype);
}

constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

std::int64_t item_bytes(const Cell& cell) {
  return cell.number("n") * cell.number("n") * size_of(cell.dtype);
}

std::int64_t set_bytes(const Cell& cell) {
  return aligned(data_bytes(cell));
}

double flops(const Cell& cell) {
  const auto n = static_cast<double>(cell.number("n"));
  const double factor = cell.dtype == DType::CFloat || cell.dtype == DType::CDouble ? 4 : 1;
  return factor * n * n * n / 3 * static_cast<double>(cell.number("batch"));
}

// The whole square is counted, as the copy moves it: on a GPU half a column is mostly the same sectors.
double bytes(const Cell& cell) {
  return 2.0 * static_cast<double>(item_bytes(cell)) * static_cast<double>(cell.number("batch"));
}

/// ||A x - L (L^H x)|| / (||A|| ||x|| n eps) in the maximum norm for one random x: n^2 work, where the full
/// check of a large item would cost more than all its timings.
template <class T>
double probed_residual(const T* A, const T* factor, std::int64_t n, std::int64_t ld, bool lower) {
  using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
  const auto wide = [](T value) { return Wide(value); };
  const auto conjugate = [](Wide value) {
    if constexpr (is_complex<T>) {
      return std::conj(value);
    } else {
      return value;
    }
  };
  verify::Random random(7, n);
  std::vector<Wide> x(n), y(n), z(n);
  for (Wide& entry : x) entry = wide(random.scalar<T>());
  std::vector<double> row_sums(n);
  // L is read as such, or as the conjugate transpose of U.
  const auto entry = [&](const T* M, std::int64_t i, std::int64_t j) {
    return lower ? wide(M[j * ld + i]) : conjugate(wide(M[i * ld + j]));
  };
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = j; i < n; ++i) {
      const Wide a = entry(A, i, j);
      y[j] += conjugate(entry(factor, i, j)) * x[i];
      z[i] += a * x[j];
      row_sums[i] += std::abs(a);
      if (i == j) continue;
      z[j] += conjugate(a) * x[i];
      row_sums[j] += std::abs(a);
    }
  double norm_x = 0, norm_r = 0;
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = j; i < n; ++i) z[i] -= entry(factor, i, j) * y[j];
  for (std::int64_t i = 0; i < n; ++i) {
    if (!(std::abs(z[i]) <= norm_r)) norm_r = std::abs(z[i]);  // keeps a NaN
    norm_x = std::max(norm_x, std::abs(x[i]));
  }
  const double norm_a = *std::max_element(row_sums.begin(), row_sums.end());
  return norm_r / (norm_a * norm_x * static_cast<double>(n) * verify::unit_roundoff<T>);
}

template <class T>
class PotrfProblem : public Problem {
 public:
  PotrfProblem(const Context& context, const Cell& cell, int sets)
      : queue_(context.queue),
        threads_(context.threads),
        with_info_(context.with_info),
        cuda_(context.queue.device().kind() == DeviceKind::Cuda),
        cell_(cell),
        info_(context.queue.device(), cell.number("batch")) {
    o_.dtype = cell.dtype;
    o_.uplo = cell.word("uplo") == "U" ? Uplo::Upper : Uplo::Lower;
    o_.n = cell.number("n");
    o_.ld = leading_dimension(cell);
    o_.batch = cell.number("batch");
    o_.set_stride = set_bytes(cell);
    o_.sets = sets;
    o_.info = info_.data();
    o_.threads = context.threads;
    // A copy needs somewhere to go also where there is one set.
    pristine_ = context.slab.at_least((2 * sets + (sets == 1 ? 1 : 0)) * o_.set_stride);
    o_.memory = pristine_ + sets * o_.set_stride;
    make_operands();
  }

  void restore() override { copy_memory(queue_, o_.memory, pristine_, o_.sets * o_.set_stride, threads_); }

  void call(int set) override {
    PotrfOptions options{.uplo = o_.uplo};
    if (with_info_) options.info = info_.span();
    potrf<T>(queue_, view(set), options);
  }

  void copy(int set) override {
    const int to = o_.sets == 1 ? 1 : (set + o_.sets / 2) % o_.sets;
    copy_memory(queue_, o_.memory + to * o_.set_stride, o_.memory + set * o_.set_stride,
                item_bytes(cell_) * o_.batch, threads_);
  }

  std::vector<Arm> rivals() override {
    if (cuda_) return cuda_potrf_rivals(queue_, o_);
    return queue_.device().kind() == DeviceKind::Cpu ? lapack_potrf_rivals(o_) : std::vector<Arm>{};
  }

  double residual() override {
    std::vector<T> factor(o_.ld * o_.n);
    std::int32_t info = 0;
    double worst = 0;
    for (const std::int64_t b : verify::sample_items(o_.batch)) {
      batchlas::copy<T>(queue_, factor, std::span(reinterpret_cast<const T*>(o_.item(0, b)), factor.size()));
      batchlas::copy<std::int32_t>(queue_, std::span(&info, 1), info_.span().subspan(b, 1));
      queue_.wait();
      const T* original = originals_.data() + b % distinct_ * o_.ld * o_.n;
      double ratio = 0;
      if (o_.n <= 64) {
        const MatrixView<const T> A{.data = original, .rows = o_.n, .cols = o_.n, .ld = o_.ld};
        const MatrixView<const T> F{.data = factor.data(), .rows = o_.n, .cols = o_.n, .ld = o_.ld};
        ratio = verify::check_potrf(A, F, o_.uplo).raw;
      } else {
        ratio = probed_residual(original, factor.data(), o_.n, o_.ld, o_.uplo == Uplo::Lower);
      }
      if (info != 0) ratio = std::numeric_limits<double>::infinity();
      if (!(ratio <= worst)) worst = ratio;
      if (std::isnan(worst)) break;
    }
    return worst;
  }

 private:
  MatrixView<T> view(int set) const {
    return {.data = reinterpret_cast<T*>(o_.item(set, 0)),
            .rows = o_.n,
            .cols = o_.n,
            .ld = o_.ld,
            .batch = o_.batch};
  }

  // A few different items, repeated over batch and sets: generating gigabytes on the host would take longer
  // than timing them, and no kernel's time depends on the values.
  void make_operands() {
    const std::int64_t item = o_.ld * o_.n;
    distinct_ = std::min(o_.batch, std::clamp<std::int64_t>((std::int64_t{1} << 20) / item, 3, 509));
    originals_.assign(distinct_ * item, T(0));
    verify::fill_spd_well_conditioned(
        MatrixView<T>{.data = originals_.data(), .rows = o_.n, .cols = o_.n, .ld = o_.ld, .batch = distinct_},
        1);
    const std::vector<std::int32_t> zeros(1, 0);
    batchlas::copy<T>(queue_, std::span(reinterpret_cast<T*>(pristine_), originals_.size()), originals_);
    repeat_memory(queue_, pristine_, distinct_ * o_.item_stride(), o_.batch * o_.item_stride(), threads_);
    repeat_memory(queue_, pristine_, o_.set_stride, o_.sets * o_.set_stride, threads_);
    batchlas::copy<std::int32_t>(queue_, info_.span().first(1), zeros);
    repeat_memory(queue_, reinterpret_cast<std::byte*>(info_.data()), sizeof(std::int32_t),
                  o_.batch * static_cast<std::int64_t>(sizeof(std::int32_t)), threads_);
    queue_.wait();
  }

  Queue& queue_;
  int threads_;
  bool with_info_, cuda_;
  Cell cell_;
  DeviceArray<std::int32_t> info_;
  PotrfOperands o_;
  std::byte* pristine_ = nullptr;
  std::vector<T> originals_;
  std::int64_t distinct_ = 1;
};

}  // namespace

extern const OpBench potrf_bench;
const OpBench potrf_bench{.name = "potrf",
                          .flops = flops,
                          .bytes = bytes,
                          .item_bytes = item_bytes,
                          .set_bytes = set_bytes,
                          .make = [](const Context& context, const Cell& cell, int sets) {
                            return visit_dtype(cell.dtype, [&](auto scalar) -> std::unique_ptr<Problem> {
                              return std::make_unique<PotrfProblem<decltype(scalar)>>(context, cell, sets);
                            });
                          }};

}  // namespace batchlas::bench
