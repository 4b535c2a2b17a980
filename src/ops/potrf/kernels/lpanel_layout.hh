// Sizes of the `lpanel` kernels: what can_run, the launches and the kernels themselves read.
#pragma once

#include <cstdint>

#include "batchlas/device.hh"
#include "device/function.hh"
#include "device/scalar.hh"

namespace batchlas::inline v0::potrf_kernels {

/// Columns of an older panel that are brought to local memory at a time.
inline constexpr int lpanel_chunk = 8;

/// Elements from one column to the next in local memory: 16-byte aligned, and without bank conflicts where a
/// sub-group transposes (8 columns of 4 rows) or loads fragments of matrix instructions (double: 4 columns of
/// 8 rows).
template <class T>
constexpr int lpanel_pitch(int rows) {
  constexpr int skew = sizeof(T) == 16                                                              ? 1
                       : sizeof(device::KernelReal<device::KernelScalar<T>>) == 8 || sizeof(T) == 4 ? 4
                                                                                                    : 2;
  return (rows + 31) / 32 * 32 + skew;
}

/// Panels of 8 or 16 columns: a row a work-item, two where the group is full.
template <class T>
struct NarrowLayout {
  static constexpr int max_group_size = 256;
  static constexpr int rows_per_item = 2;
  static constexpr int max_n = max_group_size * rows_per_item;
  static constexpr int stages = 2;

  int pitch = 0;
  int group_size = 0;
  // Byte offsets in local memory; the panel is at 0.
  std::int64_t chunks = 0;
  std::int64_t inverse = 0;
  std::int64_t local_bytes = 0;
};

template <class T>
constexpr NarrowLayout<T> narrow_layout(int n, int panel) {
  using Layout = NarrowLayout<T>;
  Layout layout;
  layout.pitch = lpanel_pitch<T>(n);
  const int items = (n + Layout::rows_per_item - 1) / Layout::rows_per_item;
  layout.group_size = items > 32 ? (items + 31) / 32 * 32 : 32;
  const std::int64_t column = static_cast<std::int64_t>(sizeof(T)) * layout.pitch;
  layout.chunks = panel * column;
  layout.inverse = layout.chunks + Layout::stages * lpanel_chunk * column;
  layout.local_bytes = layout.inverse + panel * static_cast<std::int64_t>(sizeof(device::KernelReal<T>));
  return layout;
}

/// Panels of 32 columns: a tile of rows a sub-group.
template <class T>
struct WideLayout {
  static constexpr int panel = 32;
  /// Rows a sub-group where there is a choice: the tall tile loads less local memory a multiplication, the
  /// short one wastes less of a small item. Only float has registers for the tall one.
  static constexpr int short_rows = 32;
  static constexpr int tall_rows = sizeof(T) == 4 ? 64 : short_rows;
  static constexpr int tall_from_n = 97;
  /// 16 sub-groups of a tile of 64 words a lane, 8 where it is 128: more would leave too few registers.
  static constexpr int max_n = sizeof(T) == 16 ? 256 : 512;
  /// What the resident groups of a multiprocessor share on an H200: local memory, of which each takes a KiB
  /// more than it asks for, and registers, 128 a lane for 16 sub-groups.
  static constexpr std::int64_t shared_bytes = 228 * 1024;
  static constexpr int shared_sub_groups = 16;
  /// Double reads its tiles from A by elements and needs the cache that idle local memory serves as: with a
  /// deeper ring instead, n = 192 takes 9 % longer.
  static constexpr bool fills_local_memory = sizeof(device::KernelReal<device::KernelScalar<T>>) == 4;

  int rows = 0;            ///< of a sub-group's tile
  int row_sub_groups = 0;  ///< that multiply
  int sub_groups = 0;      ///< one more with split=1, which copies and factors
  int pitch = 0;
  int log2_stages = 1;
  // Byte offsets in local memory; the panel is at 0.
  std::int64_t ring = 0;
  std::int64_t barriers = 0;
  std::int64_t inverse = 0;
  std::int64_t local_bytes = 0;
};

template <class T>
constexpr WideLayout<T> wide_layout(int n, int split) {
  using Layout = WideLayout<T>;
  constexpr int panel = Layout::panel;
  Layout layout;
  layout.rows = n >= Layout::tall_from_n ? Layout::tall_rows : Layout::short_rows;
  const int padded = (n + panel - 1) / panel * panel;
  const int tiles = ((split ? padded - panel : padded) + layout.rows - 1) / layout.rows;
  layout.row_sub_groups = tiles > 1 ? tiles : 1;
  layout.sub_groups = layout.row_sub_groups + split;
  layout.pitch = lpanel_pitch<T>(n);
  const std::int64_t column = static_cast<std::int64_t>(sizeof(T)) * layout.pitch;
  const auto bytes_before_barriers = [&](int stages) { return (panel + stages * lpanel_chunk) * column; };
  // Four chunks hide more of the copies' latency than two, but less than another resident group does.
  const auto resident = [&](int stages) {
    const auto by_memory = Layout::shared_bytes / (bytes_before_barriers(stages) + 2048);
    const int by_registers = Layout::shared_sub_groups / layout.sub_groups;
    return Layout::fills_local_memory && by_registers > 0 && by_registers < by_memory ? by_registers
                                                                                      : by_memory;
  };
  layout.log2_stages = resident(4) > 0 && resident(4) == resident(2) ? 2 : 1;
  const int stages = 1 << layout.log2_stages;
  layout.ring = panel * column;
  layout.barriers = bytes_before_barriers(stages);
  layout.inverse = layout.barriers + 2 * stages * 8;
  layout.local_bytes = layout.inverse + panel * static_cast<std::int64_t>(sizeof(device::KernelReal<T>));
  return layout;
}

/// Work-items of a group: its tiles are dealt to sub-groups of 32.
template <class T>
constexpr int wide_group_size(const WideLayout<T>& layout) {
  return layout.sub_groups * 32;
}

/// What the sub-groups do for one panel of `rows` rows (its padding included).
struct WideRoles {
  int active;  ///< sub-groups that hold a tile of the panel
  int parts;   ///< of the columns: each part has `active` sub-groups of its own
  int part;    ///< of this sub-group
  int tile;    ///< of this sub-group, the leader of its part where 0
  bool multiplies;

  template <class T>
  BATCHLAS_DEVICE_FN static WideRoles of(const WideLayout<T>& layout, int tile_rows, int rows, int sub_group,
                                         int split) {
    WideRoles roles;
    roles.active = rows > tile_rows ? (rows + tile_rows - 1) / tile_rows : 1;
    const int spare = split ? layout.row_sub_groups / roles.active : 1;
    roles.parts = spare >= 4 && layout.log2_stages >= 2 ? 4 : spare >= 2 ? 2 : 1;
    roles.part = sub_group / roles.active;
    roles.tile = sub_group - roles.part * roles.active;
    roles.multiplies = rows > 0 && roles.part < roles.parts && sub_group < layout.row_sub_groups;
    return roles;
  }
};

/// Why `lpanel:panel=..:split=..` cannot factor items of order n on a device, or nullptr: exactly what
/// launch_lpanel takes.
template <class T>
const char* lpanel_refusal(std::int64_t n, const DeviceFacts& facts, int panel, int split) {
  if (panel != 8 && panel != 16 && panel != 32) return "no kernel of this panel width";
  if (split != 0 && (split != 1 || panel != 32)) return "split is 0, or 1 with panel=32";
  if (panel == 32) {
    if (facts.sub_group_size != 32) return "its tiles are dealt to sub-groups of 32";
    if (n > WideLayout<T>::max_n) return "n exceeds the rows that the group's registers hold";
    const auto layout = wide_layout<T>(static_cast<int>(n), split);
    if (wide_group_size(layout) > facts.max_work_group) return "the device's work-groups are too small";
    return layout.local_bytes > facts.local_bytes ? "the panel exceeds local memory" : nullptr;
  }
  if (facts.sub_group_size < panel || facts.sub_group_size > 32)
    return "needs sub-groups of the panel's width up to 32";
  if (n > NarrowLayout<T>::max_n) return "n exceeds the rows that the group's registers hold";
  const auto layout = narrow_layout<T>(static_cast<int>(n), panel);
  if (layout.group_size > facts.max_work_group) return "the device's work-groups are too small";
  return layout.local_bytes > facts.local_bytes ? "the panel exceeds local memory" : nullptr;
}

/// The largest n that a work-group with this much local memory can factor.
template <class T>
constexpr int lpanel_max_n(std::int64_t local_bytes, int panel, int split = 0) {
  const auto bytes = [&](int n) {
    return panel == 32 ? wide_layout<T>(n, split).local_bytes : narrow_layout<T>(n, panel).local_bytes;
  };
  int n = panel == 32 ? WideLayout<T>::max_n : NarrowLayout<T>::max_n;
  while (n > 0 && bytes(n) > local_bytes) --n;
  return n;
}

}  // namespace batchlas::inline v0::potrf_kernels
