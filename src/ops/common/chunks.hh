// Runs a call on its whole batch, or in chunks where its workspace would exceed the queue's budget.
#pragma once

#include <algorithm>
#include <cstdint>

#include "batchlas/queue.hh"
#include "device/state.hh"

namespace batchlas::inline v0::op_support {

/// Calls launch(first, count, workspace) until `batch` items are covered. bytes(count) is the workspace of so
/// many items; it may fall as count grows, where a family changes its form. A workspace of the caller serves
/// the whole batch at once; otherwise it is leased from the queue, in chunks that keep within the queue's
/// budget (a chunk of one item may exceed it).
template <class Bytes, class Launch>
void in_chunks(Queue& queue, std::int64_t batch, Workspace workspace, Bytes bytes, Launch launch) {
  if (workspace.data() != nullptr) return launch(std::int64_t{0}, batch, workspace);
  const std::size_t budget = queue.workspace_budget();
  std::int64_t chunk = batch;
  while (budget > 0 && chunk > 1 && bytes(chunk) > budget) chunk = (chunk + 1) / 2;
  const std::int64_t last = batch - (batch - 1) / chunk * chunk;
  const std::size_t needed = std::max(bytes(chunk), bytes(last));
  if (needed == 0) return launch(std::int64_t{0}, batch, Workspace{});
  const detail::Arena::Lease lease(queue.state().arena, needed);
  for (std::int64_t first = 0; first < batch; first += chunk)
    launch(first, std::min(chunk, batch - first), lease.workspace());
}

}  // namespace batchlas::inline v0::op_support
