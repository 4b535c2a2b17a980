#include "options.hh"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "batchlas/introspect.hh"

namespace batchlas::bench {
namespace {

constexpr const char* all_dtypes = "float,double,cfloat,cdouble";

/// What a key goes through where the command line does not say.
std::string default_values(const KeyInfo& key, bool standard) {
  if (!key.symbols.empty()) {
    if (!standard) return key.symbols.front();
    std::string all;
    for (const std::string& symbol : key.symbols) all += (all.empty() ? "" : ",") + symbol;
    return all;
  }
  if (key.name == "batch") return standard ? "saturated,1,16,128" : "saturated";
  std::string all;
  for (const std::int64_t order : standard_orders()) all += (all.empty() ? "" : ",") + std::to_string(order);
  return all;
}

std::string op_names() {
  std::string names;
  for (const std::string& op : ops()) names += (names.empty() ? "" : ", ") + op;
  return names;
}

std::string environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? value : "-";
}

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int& exit_code) {
  Options options;
  const auto known = ops();
  const bool named = argc > 1 && std::find(known.begin(), known.end(), argv[1]) != known.end();
  if (!named && argc > 1 && argv[1][0] != '-')
    throw std::invalid_argument("no op \"" + std::string(argv[1]) + "\", expected one of " + op_names());

  CLI::App app(
      "Times every kernel that a call may run beside the vendor's bare call and a copy. OP is one of " +
      op_names() + '.');
  app.name("batchlas_bench OP");
  bool standard = false;
  std::string dtypes, pads, candidates;
  app.add_option("--dtype", dtypes, std::string("list of ") + all_dtypes);
  std::vector<std::pair<KeyInfo, std::string>> keys;
  if (named)
    for (const KeyInfo& key : batchlas::keys(argv[1])) keys.emplace_back(key, "");
  for (auto& [key, value] : keys)
    app.add_option("--" + key.name, value,
                   !key.symbols.empty() ? "list of symbols"
                   : key.name == "batch"
                       ? "list of numbers, saturated (256 MiB), cache (1 MiB), memory (1 GiB)"
                       : "list of numbers and ranges: 4,8,1..64,8..64:8");
  app.add_option("--ld", pads, "list of paddings: ld = rows + padding (0)");
  app.add_option("--device", options.device,
                 "cuda, cuda:1, cpu, host, host:sm_90 (the first GPU, else the CPU)");
  app.add_option("--candidates", candidates, "all, none, or a list of spellings (all)");
  app.add_flag("--standard", standard,
               "all scalars, symbols, standard orders, batches and paddings, where not given");
  app.add_flag("!--no-rival", options.rivals, "leave the vendor's bare calls out");
  app.add_flag("!--no-info", options.with_info,
               "call without the info array (the rivals always write theirs)");
  app.add_option("--threads", options.threads, "threads of the CPU arms (as many as OpenMP uses)")
      ->check(CLI::PositiveNumber);
  app.add_option("--cell-seconds", options.race.seconds, "no round of a cell begins later (0.4)")
      ->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.race.max_rounds, "most rounds of a cell (15)")
      ->check(CLI::PositiveNumber);
  app.add_option("--memory", options.memory_limit, "bytes for operands (60 % of the device's)");
  app.add_option("--json", options.json, "file for the results as JSON lines, written cell by cell");
  app.add_option("--tables", options.tables, "folder for <op>.<device>.txt from these results");
  app.add_option("--from", options.from, "result files to make tables of, instead of measuring");
  options.commit = environment("BATCHLAS_COMMIT");
  options.kernels = environment("BATCHLAS_KERNEL_HASH");
  app.add_option("--commit", options.commit, "commit for the table's header (BATCHLAS_COMMIT)");
  app.add_option("--kernels", options.kernels, "kernel hash for the table's header (BATCHLAS_KERNEL_HASH)");
  app.add_flag("--quiet", options.quiet, "no table of each cell");
  try {
    app.parse(argc - (named ? 1 : 0), argv + (named ? 1 : 0));
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error) == 0 ? 0 : 2;
    return std::nullopt;
  }
  if (!named) throw std::invalid_argument("no op given, expected one of " + op_names());
  options.op = argv[1];

  options.dtypes = parse_words(!dtypes.empty() ? dtypes : standard ? all_dtypes : "float");
  options.pads = parse_numbers(!pads.empty() ? pads : standard ? "0,3" : "0");
  for (const auto& [key, value] : keys)
    options.keys.emplace_back(key.name, value.empty() ? default_values(key, standard) : value);
  if (candidates == "none")
    options.no_candidates = true;
  else if (!candidates.empty() && candidates != "all")
    options.candidates = parse_words(candidates);
  options.race.min_rounds = std::min(options.race.min_rounds, options.race.max_rounds);
  return options;
}

std::vector<Cell> cells_of(const Options& options, const DeviceFacts& device,
                           std::int64_t (*item_bytes)(const Cell&)) {
  std::vector<Cell> cells;
  for (const std::string& dtype : options.dtypes)
    cells.push_back({.dtype = parse_dtype(dtype), .keys = {}, .pad = 0});
  const auto known = batchlas::keys(options.op);
  for (std::size_t k = 0; k < known.size(); ++k) {
    std::vector<std::string> values;
    if (!known[k].symbols.empty() || known[k].name == "batch") {
      values = parse_words(options.keys[k].second);
      for (const std::string& value : values)
        if (!known[k].symbols.empty() &&
            std::find(known[k].symbols.begin(), known[k].symbols.end(), value) == known[k].symbols.end())
          throw std::invalid_argument(known[k].name + " \"" + value + "\" is no value of " + options.op);
    } else {
      for (const std::int64_t value : parse_numbers(options.keys[k].second)) {
        if (value < 1) throw std::invalid_argument(known[k].name + " 0, expected a number from 1");
        values.push_back(std::to_string(value));
      }
    }
    std::vector<Cell> wider;
    for (const Cell& cell : cells)
      for (const std::string& value : values) {
        wider.push_back(cell);
        wider.back().keys[known[k].name] = value;
      }
    cells = std::move(wider);
  }
  std::vector<Cell> padded;
  for (Cell& cell : cells)
    for (const std::int64_t pad : options.pads) {
      cell.pad = pad;
      if (cell.keys.contains("batch")) {
        Cell resolved = cell;
        const std::int64_t batch = batch_of(cell.word("batch"), item_bytes(cell), device);
        if (batch < 1) throw std::invalid_argument("batch 0, expected a number from 1");
        resolved.keys["batch"] = std::to_string(batch);
        padded.push_back(std::move(resolved));
      } else {
        padded.push_back(cell);
      }
    }
  return padded;
}

}  // namespace batchlas::bench
