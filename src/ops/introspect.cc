// batchlas/introspect.hh over the list of ops.
#include "batchlas/introspect.hh"

#include <charconv>
#include <set>
#include <stdexcept>

#include "batchlas/version.hh"
#include "ops/common/arguments.hh"
#include "ops/common/entry.hh"
#include "select/explain.hh"
#include "select/pin.hh"
#include "select/settings.hh"
#include "select/table_store.hh"

namespace batchlas::inline v0 {

namespace {

struct NamedEntry {
  std::string_view name;
  op_support::Entry entry;
};

const std::vector<NamedEntry>& entries() {
  static const std::vector<NamedEntry> all = {
#define BATCHLAS_OP(op) {#op, op_support::op##_entry()},
#include "ops/ops.def"
#undef BATCHLAS_OP
  };
  return all;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

const op_support::Entry& entry_of(std::string_view op) {
  for (const NamedEntry& named : entries())
    if (named.name == op) return named.entry;
  throw std::invalid_argument("unknown op '" + std::string(op) + "', expected one of " + listed(ops()));
}

DType parse_dtype(std::string_view op, std::string_view text) {
  for (const DType dtype : {DType::Float, DType::Double, DType::CFloat, DType::CDouble})
    if (name(dtype) == text) return dtype;
  op_support::refuse(op, "dtype", "'" + std::string(text) + "'", "one of float, double, cfloat, cdouble");
}

std::int64_t parse_key_value(std::string_view op, const select::KeyField& field, std::string_view text) {
  for (std::size_t i = 0; i < field.symbols.size(); ++i)
    if (field.symbols[i] == text) return static_cast<std::int64_t>(i);
  if (!field.symbols.empty())
    op_support::refuse(op, field.name, "'" + std::string(text) + "'", "one of " + listed(field.symbols));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1)
    op_support::refuse(op, field.name, "'" + std::string(text) + "'", "a positive integer");
  return value;
}

select::Key parse_key(std::string_view op, const select::KeySpec& spec, const CallFacts& call) {
  select::Key key;
  key.count = spec.size();
  std::vector<std::string> known = {"dtype"};
  for (std::size_t i = 0; i < spec.size(); ++i) {
    const select::KeyField& field = spec.fields[i];
    known.push_back(field.name);
    if (const auto given = call.find(field.name); given != call.end()) {
      key.values[i] = parse_key_value(op, field, given->second);
    } else if (!field.exact) {
      throw std::invalid_argument(std::string(op) + ": key '" + field.name + "' is missing, expected " +
                                  field.name + "=<positive integer>");
    }
  }
  for (const auto& [given, value] : call) {
    bool found = false;
    for (const std::string& word : known) found = found || word == given;
    if (!found)
      throw std::invalid_argument(std::string(op) + ": unknown key '" + given + "', expected " +
                                  listed(known));
  }
  return key;
}

Explanation to_public(select::Explanation from) {
  Explanation to{.op = std::move(from.op),
                 .dtype = std::move(from.dtype),
                 .key = std::move(from.key),
                 .device = std::move(from.device),
                 .pin = std::move(from.pin),
                 .choice = std::move(from.choice),
                 .error = std::move(from.error),
                 .tag = std::move(from.tag),
                 .row = std::move(from.row),
                 .row_from = std::move(from.row_from),
                 .distance = from.distance,
                 .candidates = {}};
  for (select::ExplainedCandidate& c : from.candidates)
    to.candidates.push_back(
        {std::move(c.spelling), c.rank, std::move(c.refusal), c.ms, std::move(c.from), c.chosen});
  return to;
}

select::Explanation to_internal(const Explanation& from) {
  select::Explanation to{from.op,    from.dtype, from.key, from.device,   from.pin,      from.choice,
                         from.error, from.tag,   from.row, from.row_from, from.distance, {}};
  for (const ExplainedCandidate& c : from.candidates)
    to.candidates.push_back({c.spelling, c.rank, c.refusal, c.ms, c.from, c.chosen});
  return to;
}

/// FNV-1a over the names and bytes of the built-in tables.
std::uint32_t table_hash() {
  std::uint32_t hash = 2166136261u;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  };
  for (const select::TableText& table : select::embedded_tables()) {
    mix(table.file);
    mix(table.text);
  }
  return hash;
}

}  // namespace

std::string version() {
  char hash[9];
  std::snprintf(hash, sizeof(hash), "%08x", table_hash());
  return BATCHLAS_VERSION " (tables " + std::string(hash) + ")";
}

std::vector<std::string> ops() {
  std::vector<std::string> names;
  for (const NamedEntry& named : entries()) names.emplace_back(named.name);
  return names;
}

std::vector<KeyInfo> keys(std::string_view op) {
  std::vector<KeyInfo> all;
  for (const select::KeyField& field : entry_of(op).vocabulary().keys().fields)
    all.push_back({field.name, field.exact, field.weight, field.symbols});
  return all;
}

std::vector<std::string> candidates(std::string_view op, DType dtype) {
  std::vector<std::string> all;
  for (const select::Candidate& candidate : entry_of(op).vocabulary().listed(dtype))
    all.push_back(candidate.spelling);
  return all;
}

std::string to_text(const Explanation& explanation) {
  return select::to_text(to_internal(explanation));
}

Explanation explain(std::string_view op, const CallFacts& call, const DeviceFacts& device) {
  const op_support::Entry& entry = entry_of(op);
  const auto dtype = call.find("dtype");
  if (dtype == call.end())
    throw std::invalid_argument(std::string(op) +
                                ": key 'dtype' is missing, expected dtype=float|double|cfloat|cdouble");
  return to_public(
      entry.explain(parse_dtype(op, dtype->second), parse_key(op, entry.vocabulary().keys(), call), device));
}

std::vector<std::string> table_devices() {
  std::set<std::string> devices;
  for (const select::TableText& table : select::embedded_tables()) {
    const std::size_t dot = table.file.find('.');
    devices.insert(std::string(table.file.substr(dot + 1, table.file.rfind('.') - dot - 1)));
  }
  return {devices.begin(), devices.end()};
}

DeviceFacts table_device_facts(std::string_view key) {
  for (const NamedEntry& named : entries())
    if (std::optional<DeviceFacts> facts = select::device_facts(named.entry.vocabulary(), key)) {
      facts->has_vendor = true;
      return *facts;
    }
  op_support::refuse("explain", "device", "'" + std::string(key) + "'",
                     "one with tables: " + listed(table_devices()));
}

struct ScopedPin::State {
  select::ScopedPin pin;
};
ScopedPin::ScopedPin(std::string_view op, std::string_view value) {
  entry_of(op);
  state_.reset(new State{select::ScopedPin(op, value)});
}
ScopedPin::~ScopedPin() = default;

struct StrictPin::State {
  select::StrictPin pin;
};
StrictPin::StrictPin(std::string_view op, std::string_view value) {
  entry_of(op);
  state_.reset(new State{select::StrictPin(op, value)});
}
StrictPin::~StrictPin() = default;

void reload_settings() {
  select::detail::reload_settings();
}

}  // namespace batchlas::inline v0
