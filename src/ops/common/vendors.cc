#include "ops/common/vendors.hh"

#include "vendor/cusolver/potrf.hh"
#include "vendor/lapack/potrf.hh"

namespace batchlas::inline v0::op_support {

bool register_linked_vendors() {
  if (vendor::lapack_available()) detail::register_vendor(DeviceKind::Cpu);
  if (vendor::cusolver_available()) detail::register_vendor(DeviceKind::Cuda);
  return true;
}

}  // namespace batchlas::inline v0::op_support
