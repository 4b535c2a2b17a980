// The vocabulary of an op: a choice is a std::variant of kernel families with int fields, and has one
// spelling.
//
// A family is an aggregate of ints:
//     struct LPanel {
//       static constexpr std::string_view name = "lpanel";
//       static constexpr std::string_view fields[] = {"panel"};
//       int panel = 8;
//       bool operator==(const LPanel&) const = default;
//     };
// spelled lpanel:panel=8. It may also say `static constexpr bool capturable = false;` (cannot run inside a
// CUDA graph capture) or `static constexpr bool vendor = true;` (a vendor library under another name than
// "vendor").
#pragma once

#include <array>
#include <bit>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace batchlas::inline v0::select {

inline constexpr std::size_t max_fields = 8;

template <std::size_t N>
struct FixedString {
  char text[N];
  constexpr FixedString(const char (&s)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = s[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// A family that has nothing to tune: using Tiny = NoFields<"tiny">.
template <FixedString Name>
struct NoFields {
  static constexpr std::string_view name = Name.view();
  bool operator==(const NoFields&) const = default;
};

/// What the engine knows of a family.
struct FamilyInfo {
  std::string_view name;
  std::span<const std::string_view> fields;
  bool vendor = false;
  bool capturable = true;
};

namespace detail {

template <class Family>
constexpr FamilyInfo family_info() {
  FamilyInfo info{.name = Family::name, .fields = {}, .vendor = Family::name == "vendor"};
  if constexpr (requires { Family::fields; }) info.fields = Family::fields;
  if constexpr (requires { Family::vendor; }) info.vendor = Family::vendor;
  if constexpr (requires { Family::capturable; }) info.capturable = Family::capturable;
  return info;
}

template <class Family>
constexpr std::size_t field_count() {
  if constexpr (requires { Family::fields; })
    return std::size(Family::fields);
  else
    return 0;
}

template <class Family>
constexpr auto field_values(const Family& family) {
  constexpr std::size_t n = field_count<Family>();
  static_assert(n <= max_fields);
  if constexpr (n == 0) {
    static_assert(std::is_empty_v<Family>, "name every int of the family in `fields`");
    return std::array<int, 0>{};
  } else {
    static_assert(sizeof(Family) == n * sizeof(int), "a family holds exactly the ints named in `fields`");
    return std::bit_cast<std::array<int, n>>(family);
  }
}

template <class Family>
constexpr Family from_values(std::span<const int> values) {
  constexpr std::size_t n = field_count<Family>();
  if constexpr (n == 0) {
    return Family{};
  } else {
    std::array<int, n> fields{};
    for (std::size_t i = 0; i < n; ++i) fields[i] = values[i];
    return std::bit_cast<Family>(fields);
  }
}

template <class Choice>
struct FamiliesOf;
template <class... F>
struct FamiliesOf<std::variant<F...>> {
  static constexpr std::array<FamilyInfo, sizeof...(F)> infos{family_info<F>()...};
  static constexpr std::array<std::variant<F...> (*)(std::span<const int>), sizeof...(F)> makers{
      [](std::span<const int> values) -> std::variant<F...> { return from_values<F>(values); }...};
  static constexpr std::array<std::variant<F...>, sizeof...(F)> defaults{F{}...};
};

}  // namespace detail

/// The families of a choice type, in declaration order.
template <class Choice>
constexpr std::span<const FamilyInfo> families_of() {
  return detail::FamiliesOf<Choice>::infos;
}

/// One choice a family, with default fields, in declaration order: the candidate list of an op without
/// fields.
template <class Choice>
constexpr std::span<const Choice> all_of() {
  return detail::FamiliesOf<Choice>::defaults;
}

/// Spelling without the choice type: family:field=value:...
std::string spell(const FamilyInfo& family, std::span<const int> values);

/// A spelling taken apart: an index into the families and one value a field, or what was wrong with it.
struct Spelled {
  std::size_t family = 0;
  std::array<int, max_fields> values{};
  std::string error;  ///< empty: the spelling is good
};
Spelled read_spelling(std::span<const FamilyInfo> families, std::string_view text);

template <class Choice>
std::string print(const Choice& choice) {
  return std::visit(
      [&](const auto& family) {
        const auto values = detail::field_values(family);
        return spell(families_of<Choice>()[choice.index()], values);
      },
      choice);
}

template <class Choice>
struct Parsed {
  std::optional<Choice> choice;
  std::string error;  ///< set where there is no choice
};

/// Reads lpanel:panel=8, or the positional lpanel:8; any case, blanks around it. parse(print(c)) is c.
template <class Choice>
Parsed<Choice> parse(std::string_view text) {
  Spelled spelled = read_spelling(families_of<Choice>(), text);
  if (!spelled.error.empty()) return {{}, std::move(spelled.error)};
  return {detail::FamiliesOf<Choice>::makers[spelled.family](spelled.values), {}};
}

}  // namespace batchlas::inline v0::select
