#include "ops/common/arguments.hh"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "device/state.hh"

namespace batchlas::inline v0::op_support {

namespace {

std::string member(std::string_view argument, std::string_view name) {
  return std::string(argument) + "." + std::string(name);
}

void check_at_least(std::string_view op, const std::string& argument, std::int64_t value, std::int64_t least,
                    std::string_view meaning) {
  if (value < least) {
    refuse(op, argument, std::to_string(value),
           "at least " + (meaning.empty() ? "" : std::string(meaning) + " = ") + std::to_string(least));
  }
}

void check_reachable(const Queue& queue, std::string_view op, const std::string& argument,
                     const void* memory) {
  if (!queue.state().reachable(memory))
    refuse(op, argument, "host memory", "memory that " + queue.device().facts().name + " can reach");
}

}  // namespace

void refuse(std::string_view op, std::string_view argument, std::string_view value,
            std::string_view expected) {
  throw std::invalid_argument(std::string(op) + ": " + std::string(argument) + " is " + std::string(value) +
                              ", expected " + std::string(expected));
}

void check_view(const Queue& queue, std::string_view op, std::string_view argument, const UntypedView& view,
                bool written) {
  check_at_least(op, member(argument, "rows"), view.rows, 0, "");
  check_at_least(op, member(argument, "cols"), view.cols, 0, "");
  check_at_least(op, member(argument, "batch"), view.batch, 0, "");
  check_at_least(op, member(argument, "ld"), view.ld, view.rows > 1 ? view.rows : 1,
                 member(argument, "rows"));
  check_at_least(op, member(argument, "stride"), view.stride, 0, "");
  if (view.rows == 0 || view.cols == 0 || view.batch == 0) return;

  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t span = 0, items = 0, bytes = 0;
  if (__builtin_mul_overflow(view.ld, view.cols, &span) ||
      __builtin_mul_overflow(view.pointers ? 0 : view.stride, view.batch, &items) ||
      __builtin_mul_overflow(span > items ? span : items, view.element_bytes, &bytes))
    refuse(op, argument, "larger than 2^63 bytes", "at most " + std::to_string(most) + " bytes");

  if (view.pointers) {
    check_reachable(queue, op, member(argument, "pointers"), view.pointers);
  } else {
    if (!view.data) refuse(op, member(argument, "data"), "null", "the address of the first element");
    // A GPU loads a complex double as one vector of 16 bytes; the CPU, as C++, asks for 8.
    const std::int64_t widest = queue.device().kind() == DeviceKind::Cpu ? 8 : 16;
    if (reinterpret_cast<std::uintptr_t>(view.data) % std::min(view.element_bytes, widest) != 0)
      refuse(op, member(argument, "data"), "misaligned", "an address aligned to its elements");
    check_reachable(queue, op, member(argument, "data"), view.data);
    const std::int64_t item = view.ld * (view.cols - 1) + view.rows;
    if (written && view.batch > 1 && view.stride < item) {
      refuse(op, member(argument, "stride"), std::to_string(view.stride),
             "at least " + std::to_string(item) + ", since items that overlap cannot be written");
    }
  }
  if (view.item_rows) check_reachable(queue, op, member(argument, "item_rows"), view.item_rows);
  if (view.item_cols) check_reachable(queue, op, member(argument, "item_cols"), view.item_cols);
}

void check_square(std::string_view op, std::string_view argument, const UntypedView& view) {
  if (view.rows != view.cols) {
    refuse(op, argument, std::to_string(view.rows) + " x " + std::to_string(view.cols), "a square matrix");
  }
}

void check_uplo(std::string_view op, Uplo uplo) {
  if (uplo != Uplo::Lower && uplo != Uplo::Upper)
    refuse(op, "uplo", std::to_string(static_cast<int>(uplo)), "Uplo::Lower = 0 or Uplo::Upper = 1");
}

void check_info(const Queue& queue, std::string_view op, std::span<std::int32_t> info, std::int64_t batch) {
  if (info.empty()) return;
  if (static_cast<std::int64_t>(info.size()) != batch)
    refuse(op, "info.size()", std::to_string(info.size()), "0 or batch = " + std::to_string(batch));
  check_reachable(queue, op, "info", info.data());
}

void check_workspace(const Queue& queue, std::string_view op, Workspace workspace, std::size_t needed) {
  if (workspace.data() == nullptr) return;
  if (workspace.size() < needed) {
    refuse(op, "workspace", std::to_string(workspace.size()) + " bytes",
           "at least " + std::to_string(needed));
  }
  const auto misaligned = reinterpret_cast<std::uintptr_t>(workspace.data()) % workspace_alignment;
  if (needed > 0 && misaligned != 0) {
    refuse(op, "workspace", std::to_string(misaligned) + " bytes past an aligned address",
           "alignment to " + std::to_string(workspace_alignment));
  }
  if (needed > 0) check_reachable(queue, op, "workspace", workspace.data());
}

}  // namespace batchlas::inline v0::op_support
