// The bounds table and the order of results.
#include "batchlas/verify/check.hh"

#include <cstdio>

namespace batchlas::verify {

namespace {

struct Row {
  std::string_view name;
  double c;
  int extra;  // f(n) = n + extra
};

// In the order of Kind. 30 is the threshold of LAPACK's LIN tests (dtest.in); 60 that of its SEP tests, twice
// as strict here because ours is in units of 'Epsilon', LAPACK's of 'Precision'. Blas: (k + 2) eps bounds an
// inner product with alpha and beta in any order of summation (Higham, Accuracy and Stability, 3.1); 4 covers
// a complex product.
constexpr Row table[] = {
    {"blas", 4, 2},      {"factorization", 30, 0},  {"solve", 30, 0},  {"orthogonality", 30, 0},
    {"rotation", 30, 0}, {"eigen residual", 60, 0}, {"values", 60, 0},
};

const Row& row(Kind kind) {
  return table[static_cast<int>(kind)];
}

}  // namespace

std::string_view name(Kind kind) {
  return row(kind).name;
}

double bound_constant(Kind kind) {
  return row(kind).c;
}

double bound_unit(Kind kind, std::int64_t n, double eps) {
  return static_cast<double>(n + row(kind).extra) * eps;
}

double bound(Kind kind, std::int64_t n, double eps) {
  return bound_constant(kind) * bound_unit(kind, n, eps);
}

std::string describe(const CheckResult& result) {
  char text[128];
  std::snprintf(text, sizeof text, "%s %.6g (bound %g) at item %lld", std::string(name(result.kind)).c_str(),
                result.raw, result.bound, static_cast<long long>(result.item));
  return text;
}

CheckResult worst(const CheckResult& first, const CheckResult& second) {
  if (second.item < 0) return first;
  if (first.item < 0) return second;
  const double a = first.raw / first.bound;
  const double b = second.raw / second.bound;
  const bool first_is_nan = a != a;
  return first_is_nan || a >= b ? first : second;
}

std::vector<std::int64_t> sample_items(std::int64_t batch) {
  std::vector<std::int64_t> items;
  for (const std::int64_t b : {std::int64_t{0}, batch / 2, batch - 1})
    if (b >= 0 && b < batch && (items.empty() || items.back() < b)) items.push_back(b);
  return items;
}

}  // namespace batchlas::verify
