// Everything but cuda.hh, which needs a CUDA toolkit.
#pragma once

#include "batchlas/device.hh"
#include "batchlas/device_array.hh"
#include "batchlas/enums.hh"
#include "batchlas/introspect.hh"
#include "batchlas/matrix_view.hh"
#include "batchlas/ops/potrf.hh"
#include "batchlas/queue.hh"
#include "batchlas/scalar.hh"
#include "batchlas/status.hh"
#include "batchlas/version.hh"
