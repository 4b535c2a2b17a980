// Reads the text of a table file.
#pragma once

#include <array>
#include <stdexcept>
#include <vector>

#include "select/op.hh"
#include "select/table.hh"

namespace batchlas::inline v0::select {

/// A table file that breaks the format; the message begins with file:line and says what was expected.
class TableError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A file taken apart. Rows and entries are apart by dtype; entries hold indexes into the dtype's candidate
/// list.
struct TableFile {
  TableSource source;
  std::array<std::vector<Row>, 4> rows;
  std::array<std::vector<RankedEntry>, 4> entries;
};

/// Parses source.text, strictly: the header must name op and source.device and the op's keys; each row has
/// every key in order, distinct candidates of its dtype, and times for all of them or for none.
TableFile parse_table(const OpBase& op, TableSource source);

}  // namespace batchlas::inline v0::select
