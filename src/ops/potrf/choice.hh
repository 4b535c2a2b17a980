// The vocabulary of potrf: its families, candidates and keys.
#pragma once

#include <variant>

#include "select/select.hh"

namespace batchlas::inline v0::potrf_choice {

/// GPU: an item in the registers of a part of a sub-group (kernels/tiny.hh).
using Tiny = select::NoFields<"tiny">;
/// CPU: SIMD across the batch (lanes/potrf_lanes.hh).
using Lanes = select::NoFields<"lanes">;
/// GPU: left-looking over column panels in local memory, one work-group an item (kernels/lpanel.hh).
struct LPanel {
  static constexpr std::string_view name = "lpanel";
  static constexpr std::string_view fields[] = {"panel"};
  int panel = 8;
  bool operator==(const LPanel&) const = default;
};
/// GPU: as lpanel, with a sub-group that only copies and factors while the others split the inner products.
struct LPanelSplit {
  static constexpr std::string_view name = "lpanel_split";
  static constexpr std::string_view fields[] = {"panel"};
  int panel = 32;
  bool operator==(const LPanelSplit&) const = default;
};
/// GPU: the triangle resident in local memory, one work-group an item (kernels/cta.hh).
using Cta = select::NoFields<"cta">;
/// GPU: block columns of nb, three launches each (kernels/blocked.hh).
struct Blocked {
  static constexpr std::string_view name = "blocked";
  static constexpr std::string_view fields[] = {"nb"};
  int nb = 64;
  bool operator==(const Blocked&) const = default;
};
/// cuSOLVER on CUDA, LAPACK on the CPU.
using Vendor = select::NoFields<"vendor">;

using Choice = std::variant<Tiny, Lanes, LPanel, LPanelSplit, Cta, Blocked, Vendor>;

/// In tie order: within 3 % the earlier one is chosen.
inline constexpr Choice candidates[] = {Tiny{},
                                        Lanes{},
                                        LPanel{.panel = 32},
                                        LPanelSplit{.panel = 32},
                                        LPanel{.panel = 8},
                                        LPanel{.panel = 16},
                                        Cta{},
                                        Blocked{.nb = 64},
                                        Blocked{.nb = 128},
                                        Vendor{}};

inline const select::Op<Choice>& op() {
  static const select::Op<Choice> potrf({
      .name = "potrf",
      .keys = "uplo:exact n:log:3 batch:log",  // n weighs 3, since work grows as its cube
      .symbols = {{"uplo", "L U"}},
      .candidates = std::span<const Choice>(candidates),
      .last_resort = "blocked vendor",
      .grid = {{"uplo", {0, 1}},
               {"n", {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,  12,  13,  16,  17,  20,  24,  28,
                      31, 32, 33, 40, 48, 63, 64, 65, 96, 128, 129, 192, 256, 320, 384, 512, 768}},
               {"batch", {1, 16, 128, 512, 2048, 8192, 32768}}},
      .tables = select::embedded_tables(),
  });
  return potrf;
}

}  // namespace batchlas::inline v0::potrf_choice
