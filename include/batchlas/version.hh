// The version that the headers belong to; batchlas::version() (introspect.hh) gives the library's own.
#pragma once

#define BATCHLAS_VERSION "0.1.0"
