// What a choice costs: warm (the memo holds the order) and on a miss, against tables of 40,000 rows.
#include <benchmark/benchmark.h>

#include <string>
#include <variant>

#include "select/select.hh"

namespace {

using namespace batchlas;
using Choice = std::variant<select::NoFields<"tiny">, select::NoFields<"cta">, select::NoFields<"blocked">,
                            select::NoFields<"vendor">>;
constexpr std::string_view keys = "ta:exact tb:exact m:log n:log:2 k:log batch:log";

/// 40,000 rows over `exact` x `exact` exact groups: 4 groups of 10,000 as gemm has, or one of 40,000, the
/// worst case.
std::string table_text(int exact) {
  std::string text = "# op=fake device=sm_90\n# keys: dtype:exact " + std::string(keys) + '\n';
  const int m_count = exact == 2 ? 10 : 40;
  for (int ta = 0; ta < exact; ++ta)
    for (int tb = 0; tb < exact; ++tb)
      for (int m = 0; m < m_count; ++m)
        for (int n = 0; n < 10; ++n)
          for (int k = 0; k < 10; ++k)
            for (int batch = 0; batch < 10; ++batch) {
              const auto size = [](int i, int step) { return std::to_string(4 + i * i * step + i); };
              text += "dtype=float ta=" + std::to_string(ta) + " tb=" + std::to_string(tb) +
                      " m=" + size(m, 1) + " n=" + size(n, 11) + " k=" + size(k, 12) +
                      " batch=" + size(batch, 300) +
                      " | cta 1.0 | tiny 2.0 | blocked 3.0 | vendor 4.0 # deep\n";
            }
  return text;
}

const select::Op<Choice>& op(int exact) {
  const auto make = [](const std::string& text) {
    const select::TableText files[] = {{"fake.sm_90.txt", text}};
    return new select::Op<Choice>(
        {.name = "fake", .keys = keys, .candidates = {select::all_of<Choice>()}, .tables = files});
  };
  static const std::string one_text = table_text(1), four_text = table_text(2);
  static const auto* one = make(one_text);
  static const auto* four = make(four_text);
  return exact == 1 ? *one : *four;
}

const DeviceFacts device{
    .key = "sm_90", .family = "sm", .arch_number = 90, .name = "NVIDIA H200", .is_gpu = true};

select::Refusal can_run(const Choice&) {
  return nullptr;
}

void warm(benchmark::State& state) {
  const auto& fake = op(static_cast<int>(state.range(0)));
  const select::Call call{device, DType::Float, {0, 0, 60, 70, 80, 1000}};
  for (auto _ : state) benchmark::DoNotOptimize(&select::pick(fake, call, can_run));
}

void miss(benchmark::State& state) {
  const auto& fake = op(static_cast<int>(state.range(0)));
  std::uint64_t seed = 1;
  const auto next = [&](std::uint64_t limit) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::int64_t>(1 + (seed >> 33) % limit);
  };
  for (auto _ : state) {
    const select::Call call{
        device, DType::Float, {next(2) - 1, next(2) - 1, next(2000), next(2000), next(2000), next(100000)}};
    benchmark::DoNotOptimize(&select::pick(fake, call, can_run));
  }
}

void first_call(benchmark::State& state) {
  const std::string text = table_text(2);
  const select::TableText files[] = {{"fake.sm_90.txt", text}};
  for (auto _ : state) {
    const select::Op<Choice> fake(
        {.name = "fake", .keys = keys, .candidates = {select::all_of<Choice>()}, .tables = files});
    const select::Call call{device, DType::Float, {0, 0, 60, 70, 80, 1000}};
    benchmark::DoNotOptimize(&select::pick(fake, call, can_run));
  }
}

}  // namespace

// The argument is the number of exact values a key.
BENCHMARK(warm)->Arg(1)->Arg(2);
BENCHMARK(miss)->Arg(1)->Arg(2);
BENCHMARK(first_call)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
