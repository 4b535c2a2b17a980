// What a call tells: trace lines letter by letter, and coverage rows.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/message.hh"
#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

using Strings = std::vector<std::string>;

const Files files{
    {"potrf.sm_120.txt",
     header("sm_120", "potrf") +
         "dtype=float uplo=L n=64 batch=8192 | lpanel:panel=8 0.302 | vendor 0.490 | cta 0.530\n"
         "dtype=float uplo=L n=512 batch=2048 | blocked:nb=64 14.10 | vendor 13.74 | lpanel:panel=8 14.84\n"
         "dtype=double uplo=L n=8 batch=128 | tiny - | cta - # transcribed\n"}};
const DeviceFacts sm_120 = gpu("sm_120", 120);

select::Call on_sm_120(std::int64_t n, std::int64_t batch, DType dtype = DType::Float,
                       Uplo uplo = Uplo::Lower) {
  return call(n, batch, uplo, dtype, sm_120);
}

struct Trace : ::testing::Test {
  void run(const select::Call& c, std::set<std::string> refused = {}) {
    select::run(op, c, Refusing{std::move(refused)}, [](const Choice&) {});
  }
  FakeOp op{files, "potrf"};
  ScopedEnvVar env{"BATCHLAS_SELECT_TRACE", "1"};
  Messages messages;
};

TEST_F(Trace, PrintsChoiceTimeRunnerUpAndTable) {
  run(on_sm_120(64, 8192));
  EXPECT_EQ(messages.lines,
            Strings{"potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms, next vendor 0.490 ms [sm_120]"});
}

TEST_F(Trace, NamesATie) {
  run(on_sm_120(512, 2048));
  EXPECT_EQ(
      messages.lines,
      Strings{
          "potrf float n=512 batch=2048 -> blocked:nb=64 14.10 ms, tied with vendor 13.74 ms (3%) [sm_120]"});
}

TEST_F(Trace, ATieIsThreePercentEitherWay) {
  const Files close{{"potrf.sm_120.txt", header("sm_120", "potrf") +
                                             "dtype=float uplo=L n=1 batch=1 | cta 1.00 | tiny 1.02\n"
                                             "dtype=float uplo=L n=8 batch=1 | cta 1.00 | tiny 1.04\n"}};
  const FakeOp near(close, "potrf");
  for (int n : {1, 8}) select::run(near, on_sm_120(n, 1), Refusing{}, [](const Choice&) {});
  EXPECT_EQ(messages.lines,
            (Strings{"potrf float n=1 batch=1 -> cta 1.00 ms, tied with tiny 1.02 ms (3%) [sm_120]",
                     "potrf float n=8 batch=1 -> cta 1.00 ms, next tiny 1.04 ms [sm_120]"}));
}

TEST_F(Trace, RunnerUpMustBeRunnable) {
  run(on_sm_120(64, 8192), {"vendor"});
  run(on_sm_120(64, 8192), {"vendor", "cta"});
  EXPECT_EQ(messages.lines,
            (Strings{"potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms, next cta 0.530 ms [sm_120]",
                     "potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms [sm_120]"}));
}

TEST_F(Trace, UntimedRowsDefaultsAndPins) {
  run(on_sm_120(8, 128, DType::Double));
  run(on_sm_120(8, 128, DType::Double, Uplo::Upper));
  run(on_sm_120(8, 128, DType::CFloat), {"blocked:nb=64"});
  {
    const select::ScopedPin pin("potrf", "cta");
    run(on_sm_120(64, 8192));
  }
  const select::ScopedPin pin("potrf", "native");
  run(on_sm_120(64, 8192));
  EXPECT_EQ(messages.lines, (Strings{"potrf double n=8 batch=128 -> tiny, next cta [sm_120]",
                                     "potrf double uplo=U n=8 batch=128 -> tiny, next cta [sm_120]",
                                     "potrf cfloat n=8 batch=128 -> vendor, next tiny [last resort]",
                                     "potrf float n=64 batch=8192 -> cta [pin]",
                                     "potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms, next vendor "
                                     "0.490 ms [sm_120, pin native]"}));
}

TEST_F(Trace, SaysWhatACaptureKeptOut) {
  auto captured = on_sm_120(512, 2048);
  captured.capturing = true;
  run(captured);
  EXPECT_EQ(messages.lines,
            Strings{"potrf float n=512 batch=2048 -> vendor 13.74 ms, next lpanel:panel=8 14.84 ms, not "
                    "capturable blocked:nb=64 14.10 ms [sm_120]"});
}

TEST_F(Trace, NestedCallsAndKernelsAreIndented) {
  const ScopedEnvVar kernels("BATCHLAS_KERNEL_TRACE", "1");
  const FakeOp child({}, "trsm");
  const auto launch = [&](const Choice&) {
    select::kernel_trace("panel 64");
    select::run(child, on_sm_120(8, 1), Refusing{}, [](const Choice&) { select::kernel_trace("leaf"); });
  };
  select::run(op, on_sm_120(64, 8192), Refusing{}, launch);
  run(on_sm_120(64, 8192), {"vendor", "cta"});
  EXPECT_EQ(
      messages.lines,
      (Strings{"potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms, next vendor 0.490 ms [sm_120]",
               "  kernel panel 64", "  trsm float n=8 batch=1 -> blocked:nb=64, next vendor [last resort]",
               "    kernel leaf", "potrf float n=64 batch=8192 -> lpanel:panel=8 0.302 ms [sm_120]"}));
}

TEST_F(Trace, IndentationEndsWithALaunchThatThrows) {
  EXPECT_THROW(
      select::run(op, on_sm_120(64, 8192), Refusing{}, [](const Choice&) { throw DeviceError("gone"); }),
      DeviceError);
  run(on_sm_120(64, 8192));
  EXPECT_EQ(messages.lines[0], messages.lines[1]);
}

TEST(TraceOff, PrintsNothing) {
  const FakeOp op(files, "potrf");
  Messages messages;
  {
    const ScopedEnvVar env("BATCHLAS_SELECT_TRACE", "0");
    select::run(op, on_sm_120(64, 8192), Refusing{}, [](const Choice&) { select::kernel_trace("leaf"); });
  }
  select::pick(op, on_sm_120(64, 8192), Refusing{});
  EXPECT_TRUE(messages.lines.empty());
}

TEST(Coverage, WritesReachedAndMissRows) {
  const FakeOp op(files, "potrf");
  const std::string path = ::testing::TempDir() + "coverage." + std::to_string(::getpid());
  {
    const ScopedEnvVar env("BATCHLAS_COVERAGE_OUT", path);
    const auto run = [&](std::set<std::string> refused) {
      select::run(op, on_sm_120(64, 8192), Refusing{std::move(refused)}, [](const Choice&) {});
    };
    run({});
    run({"lpanel:panel=8"});
    {
      const select::ScopedPin pin("potrf", "native");
      run({});
    }
    EXPECT_THROW(run({"tiny", "cta", "lpanel:panel=8", "lpanel:panel=16", "blocked:nb=64", "vendor"}),
                 NoRouteError);
    select::pick(op, on_sm_120(64, 8192), Refusing{});  // sizing is no call
  }
  Strings lines;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::remove(path.c_str());
  EXPECT_EQ(
      lines,
      (Strings{"op,dtype,keys,outcome,chosen_algo,chosen_origin,table",
               "potrf,float,uplo=L n=64 batch=8192,reached,lpanel:panel=8,native,sm_120",
               "potrf,float,uplo=L n=64 batch=8192,reached,vendor,vendor,sm_120",
               "potrf,float,uplo=L n=64 batch=8192,reached,lpanel:panel=8,native,\"sm_120, pin native\"",
               "potrf,float,uplo=L n=64 batch=8192,miss,,,"}));
}

TEST(Coverage, SaysOnceThatItCannotWrite) {
  const FakeOp op(files, "potrf");
  Messages messages;
  const ScopedEnvVar env("BATCHLAS_COVERAGE_OUT", "/nonexistent/coverage.csv");
  for (int i = 0; i < 2; ++i) select::run(op, on_sm_120(64, 8192), Refusing{}, [](const Choice&) {});
  EXPECT_EQ(messages.lines.size(), 1u);
}

TEST(Messages, ASinkMayCallTheLibrary) {
  int calls = 0;
  set_message_sink([&](std::string_view) {
    ++calls;
    ::testing::internal::CaptureStderr();
    base::message("inner");  // must not recurse without end
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "inner\n");
    set_message_sink(nullptr);
  });
  base::message("outer");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace batchlas::testing
