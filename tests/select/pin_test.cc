// Pins: who wins, what throws, what falls back.
#include <gtest/gtest.h>

#include <thread>

#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

using std::invalid_argument;

const Files files{
    {"fake.sm_90.txt", header("sm_90") +
                           "dtype=float uplo=L n=64 batch=128 | vendor 1.0 | lpanel:panel=8 2.0 | cta 3.0\n"
                           "dtype=double uplo=L n=64 batch=128 | tiny 1.0\n"}};

TEST(Pins, ForceACandidate) {
  const FakeOp op(files);
  EXPECT_EQ(picked(op, call(64, 128)), "vendor");
  const select::ScopedPin pin("fake", " LPANEL:16 ");
  EXPECT_EQ(picked(op, call(64, 128)), "lpanel:panel=16");
}

TEST(Pins, BelongToOneOpAndOneThread) {
  const FakeOp op(files);
  const select::ScopedPin pin("other", "cta");
  EXPECT_EQ(picked(op, call(64, 128)), "vendor");

  const select::ScopedPin mine("fake", "cta");
  std::string elsewhere;
  std::thread([&] { elsewhere = picked(op, call(64, 128)); }).join();
  EXPECT_EQ(elsewhere, "vendor");
}

TEST(Pins, InnermostWinsAndAutoHidesOuterOnes) {
  const FakeOp op(files);
  const ScopedEnvVar env("BATCHLAS_FAKE_ROUTE", "tiny");
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
  {
    const select::ScopedPin outer("fake", "cta");
    EXPECT_EQ(picked(op, call(64, 128)), "cta");
    const select::ScopedPin inner("fake", "auto");
    EXPECT_EQ(picked(op, call(64, 128)), "vendor");
  }
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
}

TEST(Pins, EnvironmentIsReadOnceUntilReloaded) {
  const FakeOp op(files);
  picked(op, call(64, 128));
  ::setenv("BATCHLAS_FAKE_ROUTE", "tiny", 1);
  EXPECT_EQ(picked(op, call(64, 128)), "vendor");
  select::detail::reload_settings();
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
  ::unsetenv("BATCHLAS_FAKE_ROUTE");
  select::detail::reload_settings();
  EXPECT_EQ(picked(op, call(64, 128)), "vendor");
}

TEST(Pins, UnknownSpellingThrowsWithOpValueSourceAndCandidates) {
  const FakeOp op(files);
  const ScopedEnvVar env("BATCHLAS_FAKE_ROUTE", "warp");
  const std::string error = error_of<invalid_argument>([&] { picked(op, call(64, 128)); });
  for (const char* part : {"fake", "\"warp\"", "BATCHLAS_FAKE_ROUTE",
                           "tiny, cta, lpanel:panel=8, lpanel:panel=16", "auto, native, vendor"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Pins, SpellingThatIsNotBuiltForTheDtypeThrows) {
  const FakeOp op(files);
  const select::ScopedPin pin("fake", "lpanel:panel=16");
  EXPECT_EQ(picked(op, call(64, 128)), "lpanel:panel=16");
  const std::string error =
      error_of<invalid_argument>([&] { picked(op, call(64, 128, Uplo::Lower, DType::Double)); });
  EXPECT_NE(error.find("not built for double"), std::string::npos) << error;
}

TEST(Pins, RefusedCandidateThrowsWithTheReason) {
  const FakeOp op(files);
  const select::ScopedPin pin("fake", "cta");
  const std::string error = error_of<invalid_argument>([&] { picked(op, call(64, 128), {"cta"}); });
  for (const char* part : {"fake", "cta", "refused by the test", "n=64 batch=128", "lpanel:panel=8"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

TEST(Pins, RemovedSpellingsThrow) {
  const FakeOp op(files);
  for (const char* removed : {"native:cta", "vendor:auto", "batchlas_cta", "tiled16", "128x128x8", ""}) {
    const select::ScopedPin pin("fake", removed);
    EXPECT_THROW(picked(op, call(64, 128)), invalid_argument) << removed;
  }
}

TEST(Pins, NativeIsTheBestRunnableOfItsClass) {
  const FakeOp op(files);
  const select::ScopedPin pin("fake", "native");
  EXPECT_EQ(picked(op, call(64, 128)), "lpanel:panel=8");
  EXPECT_EQ(picked(op, call(64, 128), {"lpanel:panel=8"}), "cta");
  EXPECT_EQ(picked(op, call(64, 128), {"lpanel:panel=8", "cta"}), "blocked:nb=64");
}

TEST(Pins, VendorReachesPastARowThatDoesNotNameIt) {
  const FakeOp op(files);
  const select::ScopedPin pin("fake", "vendor");
  EXPECT_EQ(picked(op, call(64, 128, Uplo::Lower, DType::Double)), "vendor");
}

TEST(Pins, ClassWithNothingToRunFallsBackToAutoWithOneWarning) {
  const FakeOp op(files);
  Messages messages;
  const select::ScopedPin pin("fake", "vendor");
  EXPECT_EQ(picked(op, call(64, 128), {"vendor"}), "lpanel:panel=8");
  EXPECT_EQ(picked(op, call(64, 128), {"vendor"}), "lpanel:panel=8");
  ASSERT_EQ(messages.lines.size(), 1u);
  EXPECT_NE(messages.lines[0].find("fake: vendor"), std::string::npos) << messages.lines[0];

  const select::ScopedPin native("fake", "native");
  const std::set<std::string> all_native{"tiny", "cta", "lpanel:panel=8", "lpanel:panel=16", "blocked:nb=64"};
  EXPECT_EQ(picked(op, call(64, 128), all_native), "vendor");
  EXPECT_EQ(messages.lines.size(), 2u);
}

TEST(Pins, StrictPinRefusesInsteadOfFallingBack) {
  const FakeOp op(files);
  Messages messages;
  const select::StrictPin pin("fake", "vendor");
  EXPECT_EQ(picked(op, call(64, 128)), "vendor");
  EXPECT_THROW(picked(op, call(64, 128), {"vendor"}), invalid_argument);
  EXPECT_TRUE(messages.lines.empty());
}

TEST(Pins, CandidateThatCannotBeCapturedThrowsUnderCapture) {
  const FakeOp op(files);
  const select::ScopedPin pin("fake", "blocked:64");
  auto captured = call(64, 128);
  EXPECT_EQ(picked(op, captured), "blocked:nb=64");
  captured.capturing = true;
  EXPECT_THROW(picked(op, captured), invalid_argument);
}

}  // namespace
}  // namespace batchlas::testing
