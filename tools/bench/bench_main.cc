#include "bench.hh"

#include <fmt/format.h>
#include <omp.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "batchlas/introspect.hh"
#include "cpu/potrf_rival.hh"
#include "options.hh"
#include "report.hh"
#include "run_cell.hh"
#include "tuned_rows.hh"

namespace batchlas::bench {
namespace {

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
  return text;
}

RunInfo run_info(const Options& options, const Device& device, int threads) {
  RunInfo info{.op = options.op,
               .device = device.facts(),
               .versions = {},
               .library = version(),
               .commit = options.commit,
               .kernels = options.kernels,
               .date = today()};
  if (device.kind() == DeviceKind::Cuda) {
    info.versions = cuda_versions();
  } else {
    info.threads = threads;
    const std::string core = lapack_core_name();
    if (!core.empty()) info.versions = "openblas_core=" + core;
  }
  return info;
}

void write_tables(const Options& options, const RunInfo& info, const std::vector<CellResult>& results) {
  std::vector<std::vector<std::string>> listed;
  for (const DType dtype : {DType::Float, DType::Double, DType::CFloat, DType::CDouble})
    listed.push_back(candidates(options.op, dtype));
  const std::string text = table_text(info, keys(options.op), listed, results);
  std::filesystem::create_directories(options.tables);
  const std::string path = options.tables + '/' + options.op + '.' + info.device.key + ".txt";
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written");
  fmt::print("\nwrote {}\n", path);
}

int tables_from_files(const Options& options) {
  RunInfo info;
  std::vector<CellResult> results;
  for (const std::string& path : options.from) {
    ResultFile file = read_results(path);
    if (!info.op.empty() &&
        (file.info.device.key != info.device.key || file.info.device.name != info.device.name))
      throw std::invalid_argument(path + ": measured on " + file.info.device.name +
                                  ", the files before it on " + info.device.name);
    if (file.info.op != options.op) throw std::invalid_argument(path + ": results of " + file.info.op);
    info = file.info;
    for (CellResult& cell : file.cells) results.push_back(std::move(cell));
  }
  if (options.commit != "-") info.commit = options.commit;
  if (options.kernels != "-") info.kernels = options.kernels;
  if (!options.quiet) {
    fmt::print("{}", run_text(info));
    for (const CellResult& result : results) fmt::print("{}", cell_text(result));
  }
  if (!options.tables.empty()) write_tables(options, info, results);
  return 0;
}

int measure(const Options& options, const OpBench& op) {
  const Device device = options.device.empty() ? Device::default_device() : Device::parse(options.device);
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  // The program's own setting, so that the library's CPU kernels and the rivals get the same threads.
  omp_set_num_threads(threads);
  const std::vector<Cell> cells = cells_of(options, device.facts(), op.item_bytes);
  const RunInfo info = run_info(options, device, threads);
  std::ofstream json;
  if (!options.json.empty()) {
    json.open(options.json);
    if (!json) throw std::invalid_argument(options.json + ": cannot be written");
    json << run_json(info);
  }
  fmt::print("{}", run_text(info));

  Queue queue(device);
  const std::unique_ptr<Timer> timer =
      device.kind() == DeviceKind::Cuda ? make_cuda_timer(queue) : make_cpu_timer();
  if (!timer) throw std::runtime_error("this build has no CUDA");
  Slab slab(device);
  const Context context{queue, slab, threads, options.with_info};
  std::vector<CellResult> results;
  int failed = 0;
  for (const Cell& cell : cells) {
    Plan plan;
    if (!options.no_candidates)
      plan.candidates = options.candidates.empty() ? candidates(options.op, cell.dtype) : options.candidates;
    plan.rivals = options.rivals;
    plan.race = options.race;
    plan.race.seed = results.size() + 1;
    plan.memory_limit = options.memory_limit;
    try {
      results.push_back(run_cell(context, *timer, op, cell, plan));
    } catch (const std::exception& error) {
      fmt::print("\n{}\n  not measured: {}\n", cell.text(), error.what());
      ++failed;
      continue;
    }
    if (!options.quiet) fmt::print("{}", cell_text(results.back()));
    std::fflush(stdout);
    // Cell by cell: a borrowed GPU can go away at any moment.
    if (json.is_open()) json << cell_json(info, results.back()) << std::flush;
  }
  if (json.is_open() && !json) throw std::runtime_error(options.json + ": cannot be written");
  if (!options.tables.empty()) write_tables(options, info, results);
  fmt::print("\n{} cells measured, {} not\n", results.size(), failed);
  return failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace batchlas::bench

int bench_main(int argc, char** argv) {
  using namespace batchlas::bench;
  try {
    int exit_code = 0;
    const auto options = parse_options(argc, argv, exit_code);
    if (!options) return exit_code;
    const OpBench* op = find_op_bench(options->op);
    if (!op) throw std::invalid_argument(options->op + " has no benchmark yet");
    return options->from.empty() ? measure(*options, *op) : tables_from_files(*options);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "batchlas bench: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "batchlas bench: {}\n", error.what());
    return 1;
  }
}
