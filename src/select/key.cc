#include "select/key.hh"

#include <stdexcept>

#include "base/text.hh"

namespace batchlas::inline v0::select {
namespace {

[[noreturn]] void bad(std::string_view text, const std::string& problem) {
  throw std::invalid_argument("key list \"" + std::string(text) + "\": " + problem);
}

KeyField parse_field(std::string_view list, std::string_view word) {
  const auto parts = base::split(word, ':');
  KeyField field;
  field.name = parts[0];
  const std::string_view kind = parts.size() > 1 ? parts[1] : "";
  field.exact = kind == "exact";
  if (field.name.empty() || (kind != "exact" && kind != "log"))
    bad(list, std::string(word) + ", expected <name>:exact, <name>:log or <name>:log:<weight>");
  if (parts.size() == 2) return field;
  const auto weight = base::parse_double(parts[2]);
  if (field.exact || parts.size() > 3 || !weight || !(*weight > 0))
    bad(list, std::string(word) + ", expected one positive weight after log, and nothing after exact");
  field.weight = *weight;
  return field;
}

}  // namespace

KeySpec parse_key_spec(std::string_view text, std::span<const Symbols> symbols) {
  KeySpec spec;
  for (const auto word : base::words(text)) {
    KeyField field = parse_field(text, word);
    // The lookup drops exact keys from the right and then measures a distance, so the two kinds cannot be
    // mixed.
    if (field.exact && !spec.fields.empty() && !spec.fields.back().exact)
      bad(text, "exact key " + field.name + " after a log key");
    for (const KeyField& other : spec.fields)
      if (other.name == field.name) bad(text, "key " + field.name + " twice");
    spec.fields.push_back(std::move(field));
  }
  if (spec.fields.empty() || spec.size() > max_keys)
    bad(text, "expected 1 to " + std::to_string(max_keys) + " keys");
  for (const Symbols& entry : symbols) {
    bool found = false;
    for (KeyField& field : spec.fields) {
      if (field.name != entry.key || !field.exact) continue;
      found = true;
      for (const auto symbol : base::words(entry.values)) field.symbols.emplace_back(symbol);
    }
    if (!found) bad(text, "symbols for " + std::string(entry.key) + ", which is no exact key");
  }
  return spec;
}

std::string KeySpec::to_text() const {
  std::string text;
  for (const KeyField& field : fields) {
    if (!text.empty()) text += ' ';
    text += field.name + (field.exact ? ":exact" : ":log");
    if (field.weight == 1) continue;
    std::string weight = std::to_string(field.weight);
    weight.erase(weight.find_last_not_of('0') + 1);
    if (weight.back() == '.') weight.pop_back();
    text += ':' + weight;
  }
  return text;
}

std::string KeySpec::value_text(std::size_t field, std::int64_t value) const {
  const KeyField& f = fields[field];
  const bool symbol = value >= 0 && value < static_cast<std::int64_t>(f.symbols.size());
  return f.name + '=' + (symbol ? f.symbols[value] : std::to_string(value));
}

std::string KeySpec::to_text(const Key& key) const {
  std::string text;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) text += ' ';
    text += value_text(i, key[i]);
  }
  return text;
}

std::string KeySpec::short_text(const Key& key) const {
  std::string text;
  for (std::size_t i = 0; i < size(); ++i) {
    if (fields[i].exact && key[i] == 0) continue;
    if (!text.empty()) text += ' ';
    text += value_text(i, key[i]);
  }
  return text;
}

}  // namespace batchlas::inline v0::select
