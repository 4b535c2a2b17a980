// What introspection sees of an op: its vocabulary and its explanation, without its types.
#pragma once

#include "batchlas/device.hh"
#include "batchlas/scalar.hh"
#include "select/choose.hh"
#include "select/op.hh"

namespace batchlas::inline v0::op_support {

struct Entry {
  const select::OpBase& (*vocabulary)();
  /// Explains a call given by its key alone, with packed and aligned operands.
  select::Explanation (*explain)(DType dtype, const select::Key& key, const DeviceFacts& facts);
};

// Each op's file defines `Entry <op>_entry()`.
#define BATCHLAS_OP(op) Entry op##_entry();
#include "ops/ops.def"
#undef BATCHLAS_OP

}  // namespace batchlas::inline v0::op_support
