// The table parser: what it reads, and that every error names file, line and what was expected.
#include "select/table_text.hh"

#include <gtest/gtest.h>

#include "select/table_store.hh"
#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

select::TableFile parse(std::string_view text, std::string_view device = "sm_90") {
  static const FakeOp op;
  return select::parse_table(op, {.file = "fake.sm_90.txt", .device = std::string(device), .text = text});
}

TEST(TableText, ReadsRowsTimesAndSku) {
  const std::string text =
      header("sm_90", "fake", "# sku name=NVIDIA H200 sms=132 local_bytes=232448 max_work_group=1024") +
      "\n# regret=loo:1.4%\n"
      "dtype=float uplo=U n=64  batch=8192  | lpanel:panel=8 0.302 | vendor 0.490 # deep\r\n"
      "dtype=double uplo=L n=1 batch=1 | tiny - # transcribed\n";
  const auto file = parse(text);

  EXPECT_EQ(file.source.sku.name, "NVIDIA H200");
  EXPECT_EQ(file.source.sku.sms, 132);
  EXPECT_EQ(file.source.sku.local_bytes, 232448);
  ASSERT_EQ(file.rows[0].size(), 1u);
  ASSERT_EQ(file.rows[1].size(), 1u);
  EXPECT_EQ(file.rows[0][0].key, (select::Key{Uplo::Upper, 64, 8192}));
  EXPECT_EQ(file.rows[0][0].line, 7u);
  ASSERT_EQ(file.entries[0].size(), 2u);
  EXPECT_EQ(file.entries[0][0].candidate, 2);  // lpanel:panel=8 is third in the list
  EXPECT_EQ(file.entries[0][1].ms, 0.490);
  EXPECT_EQ(text.substr(file.entries[0][1].time_offset, file.entries[0][1].length), "0.490");
  EXPECT_LT(file.entries[1][0].ms, 0);
}

TEST(TableText, SkuValuesMayBeQuoted) {
  EXPECT_EQ(parse(header("sm_90", "fake", "# sku sms=132 name=\"NVIDIA H200\" driver=550")).source.sku.name,
            "NVIDIA H200");
}

struct BadRow {
  const char* row;
  const char* expected;  ///< part of the message
};

TEST(TableText, BadRowsNameFileLineAndWhatWasExpected) {
  const std::string good_key = "dtype=float uplo=L n=64 batch=8 ";
  const BadRow bad[] = {
      {"dtype=half uplo=L n=64 batch=8 | tiny 1", "expected dtype=float, double"},
      {"uplo=L n=64 batch=8 | tiny 1", "expected dtype="},
      {"dtype=float n=64 uplo=L batch=8 | tiny 1", "expected uplo=<value>"},
      {"dtype=float uplo=L n=64 | tiny 1", "expected batch=<value>"},
      {"dtype=float uplo=L n=64 batch=8 k=1 | tiny 1", "expected | after batch"},
      {"dtype=float uplo=l n=64 batch=8 | tiny 1", "expected uplo=L or U"},
      {"dtype=float uplo=L n=0 batch=8 | tiny 1", "expected an integer from 1"},
      {"dtype=float uplo=L n=6x batch=8 | tiny 1", "expected an integer"},
      {"dtype=float uplo=L n= batch=8 | tiny 1", "expected an integer"},
      {"dtype=float uplo=L n=64 batch=8", "expected | <candidate> <ms>"},
      {"dtype=float uplo=L n=64 batch=8 |", "expected | <candidate> <ms>"},
      {"dtype=float uplo=L n=64 batch=8 | tiny 1 |", "expected | <candidate> <ms>"},
      {"dtype=float uplo=L n=64 batch=8 | | tiny 1", "is no candidate"},
      {"dtype=float uplo=L n=64 batch=8 | Tiny 1", "one of tiny, cta"},
      {"dtype=float uplo=L n=64 batch=8 | lpanel:8 1", "one of tiny, cta"},
      {"dtype=double uplo=L n=64 batch=8 | lpanel:panel=16 1", "is no candidate for double"},
      {"dtype=cdouble uplo=L n=64 batch=8 | tiny 1", "expected no row of this dtype"},
      {"dtype=float uplo=L n=64 batch=8 | tiny", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny 0", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny -1", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny nan", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny inf", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny 1 2", "expected one time in ms, or -"},
      {"dtype=float uplo=L n=64 batch=8 | tiny 1 | tiny 2", "expected each candidate once"},
      {"dtype=float uplo=L n=64 batch=8 | tiny 1 | cta -", "for all candidates or for none"},
      {"dtype=float uplo=L n=64 batch=8 | tiny - | cta 1", "for all candidates or for none"},
  };
  for (const BadRow& b : bad) {
    const std::string text = header("sm_90") + "dtype=float uplo=L n=1 batch=1 | tiny 1\n" + b.row + "\n";
    const std::string error = error_of<select::TableError>([&] { parse(text); });
    EXPECT_EQ(error.find("fake.sm_90.txt:5: "), 0u) << b.row << " -> " << error;
    EXPECT_NE(error.find(b.expected), std::string::npos) << b.row << " -> " << error;
  }
}

TEST(TableText, BadHeadersAreErrors) {
  const std::string row = "dtype=float uplo=L n=1 batch=1 | tiny 1\n";
  const std::string op_line = "# op=fake device=sm_90\n",
                    keys_line = "# keys: dtype:exact " + std::string(fake_keys) + "\n";
  const std::pair<std::string, const char*> bad[] = {
      {"", ":0: no \"# keys:\" line"},
      {op_line + row, ":2: a row before the key list"},
      {keys_line + row, ":2: a row before the header"},
      {"# op=potrf device=sm_90\n" + keys_line, ":1: op=potrf, expected op=fake"},
      {"# op=fake device=sm_89\n" + keys_line, ":1: device=sm_89, expected device=sm_90"},
      {"# op=fake\n" + keys_line, ":1: device=, expected device=sm_90"},
      {op_line + "# keys: dtype:exact uplo:exact n:log:2 batch:log\n", ":2: keys"},
      {op_line + "# keys: uplo:exact n:log:3 batch:log\n", ":2: keys"},
      {op_line + "# sku sms=many\n" + keys_line, ":2: sms=many, expected a count"},
      {op_line + keys_line + "dtype=float uplo=L n=1 batch=1 | tiny -\n", ":3: an untimed row"},
      {op_line + keys_line + row + row,
       ":4: row uplo=L n=1 batch=1 again, expected it only once, it is at line 3"},
  };
  for (const auto& [text, expected] : bad) {
    const std::string error = error_of<select::TableError>([&, &t = text] { parse(t); });
    EXPECT_NE(error.find(expected), std::string::npos) << text << " -> " << error;
  }
}

TEST(TableText, FileNamesSayOpAndDevice) {
  EXPECT_EQ(select::device_of_file("potrf", "potrf.sm_90.txt"), "sm_90");
  EXPECT_EQ(select::device_of_file("potr", "potrf.sm_90.txt"), "");
  EXPECT_EQ(select::device_of_file("potrf", "potrf.txt"), "");
  EXPECT_EQ(select::device_of_file("potrf", "potrf..txt"), "");
  EXPECT_EQ(select::device_of_file("potrf", "potrf.sm_90.txt.bak"), "");
  EXPECT_EQ(select::device_of_file("potrf", "potrf.old.sm_90.txt"), "");
}

TEST(TableText, MalformedBuiltInTableThrowsFromTheCall) {
  const Files files{{"fake.sm_90.txt", header("sm_90") + "dtype=float uplo=L n=1 batch=1 | warp 1\n"}};
  const FakeOp op(files);
  EXPECT_THROW(picked(op, call(1, 1)), std::invalid_argument);
  EXPECT_THROW(picked(op, call(1, 1)),
               std::invalid_argument);  // not taken for an empty table the second time
}

}  // namespace
}  // namespace batchlas::testing
