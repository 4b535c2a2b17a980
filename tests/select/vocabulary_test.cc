// Spellings and key lists.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

struct OddVendor {
  static constexpr std::string_view name = "library";
  static constexpr bool vendor = true;
  bool operator==(const OddVendor&) const = default;
};

TEST(Spelling, IsFamilyThenFields) {
  EXPECT_EQ(select::print(Choice{Tiny{}}), "tiny");
  EXPECT_EQ(select::print(Choice{LPanel{16}}), "lpanel:panel=16");
  EXPECT_EQ(select::print(Choice{Reg{128, 64, 8}}), "reg:m=128:n=64:k=8");
}

TEST(Spelling, AcceptsPositionalFieldsAnyCaseAndBlanks) {
  EXPECT_EQ(select::parse<Choice>("lpanel:8").choice, Choice{LPanel{8}});
  EXPECT_EQ(select::parse<Choice>(" \tLPanel:PANEL=16\n").choice, Choice{LPanel{16}});
  EXPECT_EQ(select::parse<Choice>("REG:1:n=2:3").choice, (Choice{Reg{1, 2, 3}}));
  EXPECT_EQ(select::parse<Choice>("Vendor").choice, Choice{Vendor{}});
}

TEST(Spelling, RefusesEverythingElseAndSaysWhatItExpected) {
  for (const char* bad : {"",
                          "tile",
                          "tiny:",
                          "tiny:1",
                          "lpanel",
                          "lpanel:",
                          "lpanel:panel",
                          "lpanel:panel=",
                          "lpanel:nb=8",
                          "lpanel:panel=8:9",
                          "lpanel:panel=+8",
                          "lpanel:panel=08",
                          "lpanel:panel= 8",
                          "lpanel:panel=8.0",
                          "lpanel : 8",
                          "lpanel:panel=99999999999",
                          "reg:n=2:m=1:k=3",
                          "native:cta",
                          "vendor:auto",
                          "batchlas_cta",
                          "lpanel:panel==8"}) {
    const auto parsed = select::parse<Choice>(bad);
    EXPECT_FALSE(parsed.choice) << bad;
    EXPECT_FALSE(parsed.error.empty()) << bad;
  }
  EXPECT_NE(select::parse<Choice>("lpanel").error.find("lpanel:panel=<int>"), std::string::npos);
  EXPECT_NE(select::parse<Choice>("tile").error.find("tiny, cta, lpanel:panel=<int>"), std::string::npos);
}

RC_GTEST_PROP(Spelling, ParseUndoesPrint, ()) {
  const Choice choice = *rc::gen::element(
      Choice{Tiny{}}, Choice{Cta{}}, Choice{Vendor{}}, Choice{LPanel{*rc::gen::arbitrary<int>()}},
      Choice{Blocked{*rc::gen::arbitrary<int>()}},
      Choice{Reg{*rc::gen::arbitrary<int>(), *rc::gen::arbitrary<int>(), *rc::gen::arbitrary<int>()}});
  const auto parsed = select::parse<Choice>(select::print(choice));
  RC_ASSERT(parsed.choice.has_value());
  RC_ASSERT(*parsed.choice == choice);
}

RC_GTEST_PROP(Spelling, AnyTextParsesOrIsAnError, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("tinyctalpanelreg:=0189- ")));
  const auto parsed = select::parse<Choice>(text);
  RC_ASSERT(parsed.choice.has_value() == parsed.error.empty());
}

TEST(Families, KnowVendorAndCapture) {
  const auto families = select::families_of<std::variant<Tiny, Blocked, Vendor, OddVendor>>();
  EXPECT_FALSE(families[0].vendor);
  EXPECT_TRUE(families[0].capturable);
  EXPECT_FALSE(families[1].capturable);
  EXPECT_TRUE(families[2].vendor);
  EXPECT_TRUE(families[3].vendor);
}

TEST(Families, AllOfListsThemInDeclarationOrder) {
  const auto all = select::all_of<std::variant<Vendor, Tiny>>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Vendor>(all[0]));
}

TEST(Keys, ReadAndPrintTheTableSyntax) {
  const select::Symbols symbols[] = {{"uplo", "L U"}};
  const auto spec = select::parse_key_spec(" uplo:exact  n:log:3 batch:log:1 q:log:1.5", symbols);

  EXPECT_EQ(spec.to_text(), "uplo:exact n:log:3 batch:log q:log:1.5");
  EXPECT_EQ(spec.to_text({Uplo::Upper, 64, 8, 2}), "uplo=U n=64 batch=8 q=2");
  EXPECT_EQ(spec.short_text({Uplo::Lower, 64, 8, 2}), "n=64 batch=8 q=2");
  EXPECT_EQ(spec.short_text({Uplo::Upper, 64, 8, 2}), "uplo=U n=64 batch=8 q=2");
}

TEST(Keys, RefuseBadLists) {
  for (const char* bad :
       {"", "n", "n:lin", "n:log:", "n:log:0", "n:log:-1", "n:log:1:2", "n:exact:2", ":log",
        "n:log uplo:exact", "n:log n:log", "a:log b:log c:log d:log e:log f:log g:log h:log i:log"})
    EXPECT_THROW(select::parse_key_spec(bad), std::invalid_argument) << bad;
  const select::Symbols stray[] = {{"n", "L U"}};
  EXPECT_THROW(select::parse_key_spec("n:log", stray), std::invalid_argument);
}

TEST(Ops, RefuseACandidateTwice) {
  static constexpr Choice twice[] = {Tiny{}, Tiny{}};
  EXPECT_THROW(select::Op<Choice>({.name = "fake", .keys = "n:log", .candidates = {twice}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace batchlas::testing
