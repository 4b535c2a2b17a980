#include "select/family.hh"

#include "base/text.hh"

namespace batchlas::inline v0::select {
namespace {

std::string form_of(const FamilyInfo& family) {
  std::string text(family.name);
  for (const auto field : family.fields) text += ':' + std::string(field) + "=<int>";
  return text;
}

}  // namespace

std::string spell(const FamilyInfo& family, std::span<const int> values) {
  std::string text(family.name);
  for (std::size_t i = 0; i < family.fields.size(); ++i)
    text += ':' + std::string(family.fields[i]) + '=' + std::to_string(values[i]);
  return text;
}

Spelled read_spelling(std::span<const FamilyInfo> families, std::string_view text) {
  const std::string folded = base::lower(base::trim(text));
  const auto parts = base::split(folded, ':');
  Spelled result;
  while (result.family < families.size() && families[result.family].name != parts[0]) ++result.family;
  if (result.family == families.size()) {
    std::vector<std::string> forms;
    for (const FamilyInfo& family : families) forms.push_back(form_of(family));
    result.error = "unknown family \"" + std::string(parts[0]) + "\", expected " + base::join(forms, ", ");
    return result;
  }
  const FamilyInfo& family = families[result.family];
  bool good = parts.size() == family.fields.size() + 1;
  for (std::size_t i = 0; good && i < family.fields.size(); ++i) {
    std::string_view value = parts[i + 1];
    if (value.find('=') != value.npos) good = base::cut(value, '=') == family.fields[i];
    const auto number = base::parse_int(value);
    good = good && number && *number == static_cast<int>(*number);
    if (good) result.values[i] = static_cast<int>(*number);
  }
  if (!good) result.error = "\"" + folded + "\" is not of the form " + form_of(family);
  return result;
}

}  // namespace batchlas::inline v0::select
