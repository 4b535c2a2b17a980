#include "select/table_store.hh"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "select/table_text.hh"

namespace batchlas::inline v0::select {
namespace {

TableSource built_in_source(const TableText& text, const std::string& device) {
  return {.file = std::string(text.file), .device = device, .overlay = false, .text = text.text};
}

TableSource read_overlay(const std::string& path, const std::string& device) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) throw TableError(path + ":0: cannot be read, expected a table file");
  const auto owner = std::make_shared<const std::string>(std::move(content).str());
  return {.file = path, .device = device, .overlay = true, .text = *owner, .owner = owner};
}

/// Rows of later files replace those of equal keys in earlier ones.
Table merge(const OpBase& op, std::vector<TableFile>& files, int dtype) {
  std::vector<TableSource> sources;
  std::vector<Row> rows;
  std::vector<RankedEntry> entries;
  std::set<std::array<std::int64_t, max_keys>> taken;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    for (Row row : file->rows[dtype]) {
      if (files.size() > 1 && !taken.insert(row.key.values).second) continue;
      row.source = static_cast<std::uint16_t>(sources.size());
      row.first_entry += static_cast<std::uint32_t>(entries.size());
      rows.push_back(row);
    }
    entries.insert(entries.end(), file->entries[dtype].begin(), file->entries[dtype].end());
    sources.push_back(file->source);
  }
  return Table(op.keys(), std::move(sources), std::move(rows), std::move(entries));
}

std::shared_ptr<const DeviceTables> build(const OpBase& op, std::vector<TableFile> files) {
  auto tables = std::make_shared<DeviceTables>();
  for (int dtype = 0; dtype < 4; ++dtype) (*tables)[dtype] = merge(op, files, dtype);
  return tables;
}

/// Device key -> path of the files of `op` in a directory.
std::map<std::string, std::string> list_overlays(const OpBase& op, const std::string& directory) {
  std::map<std::string, std::string> paths;
  if (directory.empty()) return paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string file = entry.path().filename().string();
    const std::string_view device = device_of_file(op.name(), file);
    if (!device.empty()) paths.emplace(device, entry.path().string());
  }
  if (error)
    throw std::invalid_argument("BATCHLAS_TUNED_DIR=" + directory + ": " + error.message() +
                                ", expected a directory of table files");
  return paths;
}

}  // namespace

std::string_view device_of_file(std::string_view op, std::string_view file) {
  constexpr std::string_view suffix = ".txt";
  if (!file.starts_with(op) || !file.ends_with(suffix)) return {};
  file.remove_prefix(op.size());
  if (!file.starts_with('.') || file.size() <= suffix.size() + 1) return {};
  file = file.substr(1, file.size() - 1 - suffix.size());
  return file.find('.') == file.npos ? file : std::string_view{};
}

std::optional<DeviceFacts> device_facts(const OpBase& op, std::string_view key) {
  const auto set = op.tables().current(*settings());
  for (std::size_t i = 0; i < set->devices().size(); ++i) {
    if (set->devices()[i].key != key) continue;
    for (const Table& table : set->load(i))
      if (!table.empty()) return facts_of(set->devices()[i], table.source(table.rows().front()).sku);
  }
  return {};
}

TableSet::TableSet(const OpBase& op, const TableStore& store, const Settings& settings)
    : op_(op), store_(store), generation_(settings.generation) {
  const auto overlays = list_overlays(op, settings.tuned_dir);
  std::set<std::string> keys;
  for (const auto& [device, text] : store.built_in()) keys.insert(device);
  for (const auto& [device, path] : overlays) keys.insert(device);
  for (const std::string& key : keys) {
    devices_.push_back(read_device_key(key));
    const auto overlay = overlays.find(key);
    overlay_paths_.push_back(overlay == overlays.end() ? "" : overlay->second);
  }
  loaded_.resize(devices_.size());
}

const DeviceTables& TableSet::load(std::size_t device) const {
  std::lock_guard lock(mutex_);
  auto& tables = loaded_[device];
  if (tables) return *tables;
  const std::string& key = devices_[device].key;
  if (overlay_paths_[device].empty()) {
    tables = store_.load_built_in(key);
  } else {
    std::vector<TableFile> files;
    if (const auto text = store_.built_in().find(key); text != store_.built_in().end())
      files.push_back(parse_table(op_, built_in_source(text->second, key)));
    files.push_back(parse_table(op_, read_overlay(overlay_paths_[device], key)));
    tables = build(op_, std::move(files));
  }
  return *tables;
}

TableStore::TableStore(const OpBase& op, std::span<const TableText> files) : op_(op) {
  for (const TableText& file : files)
    if (const auto device = device_of_file(op.name(), file.file); !device.empty())
      built_in_.emplace(device, file);
}

std::shared_ptr<const TableSet> TableStore::current(const Settings& settings) const {
  std::lock_guard lock(mutex_);
  if (!current_ || current_->generation() != settings.generation)
    current_ = std::make_shared<const TableSet>(op_, *this, settings);
  return current_;
}

std::shared_ptr<const DeviceTables> TableStore::load_built_in(const std::string& device) const {
  std::lock_guard lock(mutex_);
  auto& tables = parsed_[device];
  if (!tables) {
    std::vector<TableFile> files;
    files.push_back(parse_table(op_, built_in_source(built_in_.at(device), device)));
    tables = build(op_, std::move(files));
  }
  return tables;
}

}  // namespace batchlas::inline v0::select
