// The shipped tables: there, well-formed, usable on the device that they were measured on, and read by every
// key.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "batchlas/introspect.hh"
#include "ops/common/entry.hh"
#include "select/table_checks.hh"

namespace batchlas::ops_tests {
namespace {

struct NamedEntry {
  std::string name;
  op_support::Entry entry;

  const select::OpBase& op() const { return entry.vocabulary(); }
  std::vector<std::string> devices() const {
    std::vector<std::string> keys;
    for (const auto& [key, text] : op().tables().built_in()) keys.push_back(key);
    return keys;
  }
};

void PrintTo(const NamedEntry& op, std::ostream* out) {
  *out << op.name;
}

class TunedTables : public ::testing::TestWithParam<NamedEntry> {
 protected:
  const NamedEntry& op() const { return GetParam(); }
  DeviceFacts facts(const std::string& device) const {
    auto facts = select::device_facts(op().op(), device);
    EXPECT_TRUE(facts) << device;
    if (!facts) return {};
    facts->has_vendor = true;
    return *facts;
  }
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += '\n' + line;
  return text;
}

TEST_P(TunedTables, AreThereForTheDevicesThatWeSupport) {
  for (const char* device : {"sm_90", "cpu"})
    EXPECT_TRUE(op().op().tables().built_in().contains(device))
        << "no tuned/" << op().name << '.' << device << ".txt";
}

TEST_P(TunedTables, ParseAndNameCandidatesAlone) {
  const auto problems = testing::table_problems(op().op());
  EXPECT_TRUE(problems.empty()) << joined(problems);
}

TEST_P(TunedTables, HoldARowForEveryScalar) {
  for (const std::string& device : op().devices()) {
    int tables = 0;
    testing::for_each_table(op().op(), [&](const select::DeviceKey& key, DType, const select::Table&) {
      tables += key.key == device;
    });
    EXPECT_EQ(tables, 4) << device;
  }
}

TEST_P(TunedTables, RunOnTheirOwnDevice) {
  for (const std::string& device : op().devices()) {
    const DeviceFacts here = facts(device);
    select::Explanation explanation;
    const auto can_run = [&](DType dtype, const select::Key& key, std::size_t candidate) -> select::Refusal {
      const std::string text = op().op().keys().to_text(key);
      if (explanation.dtype != name(dtype) || explanation.key != text)
        explanation = op().entry.explain(dtype, key, here);
      for (const auto& listed : explanation.candidates)
        if (listed.spelling == op().op().listed(dtype)[candidate].spelling)
          return listed.refusal.empty() ? nullptr : "refused";
      return "not explained";
    };
    const auto problems = testing::unusable_rows(op().op(), device, can_run);
    EXPECT_TRUE(problems.empty()) << device << joined(problems);
  }
}

TEST_P(TunedTables, AutoReadsEveryKeyField) {
  for (const std::string& device : op().devices()) {
    const DeviceFacts here = facts(device);
    const auto explain_at = [&](DType dtype, const select::Key& key) {
      return op().entry.explain(dtype, key, here);
    };
    const auto unread = testing::unread_keys(op().op(), here, explain_at);
    EXPECT_TRUE(unread.empty()) << device << joined(unread);
  }
}

// A file that no op claims would be shipped and never read.
TEST(TunedFiles, BelongToAnOp) {
  for (const select::TableText& table : select::embedded_tables()) {
    bool claimed = false;
    for (const std::string& op : ops()) claimed = claimed || !select::device_of_file(op, table.file).empty();
    EXPECT_TRUE(claimed) << table.file;
  }
}

const NamedEntry entries[] = {
#define BATCHLAS_OP(op) {#op, op_support::op##_entry()},
#include "ops/ops.def"
#undef BATCHLAS_OP
};
INSTANTIATE_TEST_SUITE_P(Of, TunedTables, ::testing::ValuesIn(entries),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace batchlas::ops_tests
