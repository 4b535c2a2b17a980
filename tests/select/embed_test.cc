// Tables embedded by cmake/embed_tables.cmake, and the checks of table_checks.hh on good and bad tables.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "select/borrow.hh"
#include "synthetic_op.hh"
#include "table_checks.hh"

namespace batchlas::testing {
namespace {

using Strings = std::vector<std::string>;

std::string read(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return std::move(content).str();
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  ::pclose(pipe);
  return text;
}

struct EmbeddedOp : select::Op<Choice> {
  EmbeddedOp()
      : Op({.name = "fake",
            .keys = fake_keys,
            .symbols = {{"uplo", "L U"}},
            .candidates = {float_choices, other_choices, other_choices, std::span<const Choice>{}},
            .tables = select::embedded_tables()}) {}
};

TEST(Embedded, HoldsEveryFileByteForByte) {
  const auto tables = select::embedded_tables();
  ASSERT_EQ(tables.size(), 2u);
  for (const auto& table : tables)
    EXPECT_EQ(table.text, read(BATCHLAS_FIXTURES "/" + std::string(table.file))) << table.file;
  EXPECT_EQ(tables[0].file, "fake.sm_90.txt");
}

TEST(Embedded, IsReadByTheOpItIsNamedAfter) {
  const EmbeddedOp op;
  EXPECT_EQ(picked(op, call(64, 8192)), "lpanel:panel=8");
  EXPECT_EQ(op.tables().built_in().size(), 1u);
}

TEST(Embedded, LeavesTheStackNotExecutable) {
  const std::string headers = output_of("readelf -lW /proc/" + std::to_string(::getpid()) + "/exe");
  const auto stack = headers.find("GNU_STACK");
  ASSERT_NE(stack, std::string::npos) << headers;
  EXPECT_EQ(headers.substr(stack, headers.find('\n', stack) - stack).find('E'), std::string::npos) << headers;
}

TEST(TableChecks, AcceptGoodTables) {
  const EmbeddedOp op;
  EXPECT_EQ(table_problems(op), Strings{});
  EXPECT_EQ(unusable_rows(op, "sm_90",
                          [](DType, const select::Key&, std::size_t) -> select::Refusal { return nullptr; }),
            Strings{});
  EXPECT_EQ(unread_keys(op, sm_90), Strings{});
}

TEST(TableChecks, FindTimesThatDoNotAscend) {
  const Files files{{"fake.sm_90.txt",
                     header("sm_90") + "dtype=float uplo=L n=1 batch=1 | tiny 2.0 | cta 1.9 | vendor 3\n"}};
  EXPECT_EQ(table_problems(FakeOp(files)), Strings{"fake.sm_90.txt:4: times not ascending"});
  const Files malformed{{"fake.sm_90.txt", header("sm_90") + "dtype=float | warp 1\n"}};
  EXPECT_EQ(table_problems(FakeOp(malformed)).size(), 1u);
}

TEST(TableChecks, FindRowsInWhichNothingRuns) {
  const EmbeddedOp op;
  const auto problems =
      unusable_rows(op, "sm_90", [](DType, const select::Key& key, std::size_t candidate) -> select::Refusal {
        return key[1] == 8 && candidate < 2 ? "n is 8" : nullptr;
      });
  EXPECT_EQ(problems, Strings{"fake.sm_90.txt:5: nothing in it can run"});
}

TEST(AutoReadsEveryKeyField, FindsAKeyThatTheTableNeverVaries) {
  const Files files{{"fake.sm_90.txt", header("sm_90") + "dtype=float uplo=L n=1 batch=128 | tiny 1\n"
                                                         "dtype=float uplo=L n=64 batch=128 | cta 1\n"
                                                         "dtype=float uplo=U n=64 batch=128 | cta 1\n"}};
  const auto unread = unread_keys(FakeOp(files), sm_90);
  EXPECT_EQ(unread, (Strings{"float batch", "double uplo", "double n", "double batch", "cfloat uplo",
                             "cfloat n", "cfloat batch"}));
}

TEST(AutoReadsEveryKeyField, FindsAKeyThatTheOpDoesNotPassOn) {
  const EmbeddedOp op;
  const auto deaf = [&](DType dtype, select::Key key) {
    key.values[0] = 0;  // a key_of that forgets uplo
    return select::explain(op, {sm_90, dtype, key}, Refusing{});
  };
  EXPECT_EQ(unread_keys(op, sm_90, deaf), (Strings{"float uplo", "double uplo", "cfloat uplo"}));
}

TEST(SkuFacts, StandInForADeviceThatIsNotHere) {
  const EmbeddedOp op;
  const auto facts = select::device_facts(op, "sm_90");
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(facts->name, "NVIDIA H200");
  EXPECT_EQ(facts->multiprocessors, 132);
  EXPECT_TRUE(facts->is_gpu && facts->has_vendor);
  EXPECT_EQ(select::explain(op, call(64, 8192, Uplo::Lower, DType::Float, *facts), Refusing{}).tag, "sm_90");
  EXPECT_FALSE(select::device_facts(op, "sm_10").has_value());
}

}  // namespace
}  // namespace batchlas::testing
