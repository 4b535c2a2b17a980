#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report.hh"

namespace batchlas::bench {
namespace {

using nlohmann::json;

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

double read_number(const json& value) {
  return value.is_number() ? value.get<double>() : unknown;
}

ArmKind read_kind(const std::string& text) {
  for (const ArmKind kind : {ArmKind::Candidate, ArmKind::Auto, ArmKind::Rival, ArmKind::Copy})
    if (text == name(kind)) return kind;
  throw std::invalid_argument("kind \"" + text + '"');
}

RunInfo read_run(const json& line) {
  RunInfo info;
  info.op = line.at("op");
  info.versions = line.at("versions");
  info.library = line.at("library");
  info.commit = line.at("commit");
  info.kernels = line.at("kernels");
  info.date = line.at("date");
  info.threads = line.at("threads");
  const json& device = line.at("device");
  DeviceFacts& d = info.device;
  d.key = device.at("key");
  d.name = device.at("name");
  d.is_gpu = device.at("is_gpu");
  d.multiprocessors = device.at("multiprocessors");
  d.simd_bytes = device.at("simd_bytes");
  d.sub_group_size = device.at("sub_group");
  d.max_work_group = device.at("max_work_group");
  d.local_bytes = device.at("local_bytes");
  d.l2_bytes = device.at("l2_bytes");
  d.memory_bytes = device.at("memory_bytes");
  return info;
}

ArmResult read_arm(const json& line) {
  ArmResult arm;
  arm.arm = line.at("arm");
  arm.kind = read_kind(line.at("kind"));
  arm.ms = read_number(line.at("ms"));
  arm.spread = read_number(line.at("spread"));
  arm.samples = line.at("samples");
  arm.ratio_rival = read_number(line.at("ratio_rival"));
  arm.ratio_copy = read_number(line.at("ratio_copy"));
  arm.gflops = read_number(line.at("gflops"));
  arm.gbs = read_number(line.at("gbs"));
  arm.residual = read_number(line.at("residual"));
  arm.is_rival = line.at("is_rival");
  arm.is_auto_choice = line.at("is_auto_choice");
  arm.note = line.at("note");
  return arm;
}

Cell read_cell(const json& line) {
  Cell cell;
  cell.dtype = parse_dtype(line.at("dtype").get<std::string>());
  cell.pad = line.at("pad");
  for (const auto& [key, value] : line.at("keys").items()) cell.keys[key] = value.get<std::string>();
  return cell;
}

bool same(const Cell& a, const Cell& b) {
  return a.dtype == b.dtype && a.pad == b.pad && a.keys == b.keys;
}

}  // namespace

std::string run_json(const RunInfo& info) {
  const DeviceFacts& d = info.device;
  const json device{{"key", d.key},
                    {"name", d.name},
                    {"is_gpu", d.is_gpu},
                    {"multiprocessors", d.multiprocessors},
                    {"simd_bytes", d.simd_bytes},
                    {"sub_group", d.sub_group_size},
                    {"max_work_group", d.max_work_group},
                    {"local_bytes", d.local_bytes},
                    {"l2_bytes", d.l2_bytes},
                    {"memory_bytes", d.memory_bytes}};
  const json line{{"run", true},
                  {"op", info.op},
                  {"device", device},
                  {"versions", info.versions},
                  {"library", info.library},
                  {"commit", info.commit},
                  {"kernels", info.kernels},
                  {"date", info.date},
                  {"threads", info.threads}};
  return line.dump() + '\n';
}

std::string cell_json(const RunInfo& info, const CellResult& result) {
  std::string lines;
  for (const ArmResult& arm : result.arms) {
    json line{{"op", info.op},
              {"device", info.device.key},
              {"dtype", name(result.cell.dtype)},
              {"keys", result.cell.keys},
              {"pad", result.cell.pad},
              {"arm", arm.arm},
              {"kind", name(arm.kind)},
              {"ms", number(arm.ms)},
              {"spread", number(arm.spread)},
              {"samples", arm.samples},
              {"ratio_rival", number(arm.ratio_rival)},
              {"ratio_copy", number(arm.ratio_copy)},
              {"gflops", number(arm.gflops)},
              {"gbs", number(arm.gbs)},
              {"residual", number(arm.residual)},
              {"clock_mhz", number(arm.clock_mhz)},
              {"is_rival", arm.is_rival},
              {"is_auto_choice", arm.is_auto_choice},
              {"cache", result.cache},
              {"sets", result.sets},
              {"rounds", result.rounds},
              {"note", arm.note},
              {"warnings", result.warnings}};
    // The keys also at the top, as numbers where they are, for whoever reads one line.
    for (const auto& [key, value] : result.cell.keys) {
      const bool digits = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
      line[key] = digits ? json(std::stoll(value)) : json(value);
    }
    lines += line.dump() + '\n';
  }
  return lines;
}

ResultFile read_results(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::invalid_argument(path + ": cannot be read");
  ResultFile file;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    try {
      const json line = json::parse(text);
      if (line.contains("run")) {
        file.info = read_run(line);
        continue;
      }
      const Cell cell = read_cell(line);
      if (file.cells.empty() || !same(file.cells.back().cell, cell)) {
        CellResult& result = file.cells.emplace_back();
        result.cell = cell;
        result.cache = line.at("cache");
        result.sets = line.at("sets");
        result.rounds = line.at("rounds");
        result.warnings = line.at("warnings").get<std::vector<std::string>>();
      }
      file.cells.back().arms.push_back(read_arm(line));
    } catch (const std::exception& error) {
      throw std::invalid_argument(path + ':' + std::to_string(number) + ": " + error.what());
    }
  }
  return file;
}

}  // namespace batchlas::bench
