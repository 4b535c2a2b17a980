// choose, run and explain: order of the sources, last resort, capture, the memo, and that they agree.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

using Strings = std::vector<std::string>;

const Files files{
    {"fake.sm_90.txt",
     header("sm_90") +
         "dtype=float uplo=L n=64 batch=8192 | lpanel:panel=8 0.302 | vendor 0.490 | cta 0.530\n"
         "dtype=float uplo=L n=512 batch=2048 | blocked:nb=64 14.10 | vendor 13.74 | lpanel:panel=8 14.84\n"
         "dtype=float uplo=U n=64 batch=8192 | cta 0.4\n"}};

TEST(Choose, TakesTheFirstRunnableOfTheNearestRow) {
  const FakeOp op(files);
  EXPECT_EQ(picked(op, call(70, 8000)), "lpanel:panel=8");
  EXPECT_EQ(picked(op, call(70, 8000), {"lpanel:panel=8"}), "vendor");
  EXPECT_EQ(picked(op, call(500, 2048)), "blocked:nb=64");
  EXPECT_EQ(picked(op, call(70, 8000, Uplo::Upper)), "cta");
}

TEST(Choose, LastResortIsBlockedThenVendorThenListOrder) {
  const FakeOp op;
  EXPECT_EQ(picked(op, call(64, 1)), "blocked:nb=64");
  EXPECT_EQ(picked(op, call(64, 1), {"blocked:nb=64"}), "vendor");
  EXPECT_EQ(picked(op, call(64, 1), {"blocked:nb=64", "vendor"}), "tiny");
  EXPECT_EQ(picked(op, call(64, 1), {"blocked:nb=64", "vendor", "tiny"}), "cta");
}

TEST(Choose, LastResortOrderCanBeNamed) {
  const FakeOp op({}, "fake", "vendor lpanel:panel=16 lpanel");
  EXPECT_EQ(picked(op, call(64, 1)), "vendor");
  EXPECT_EQ(picked(op, call(64, 1), {"vendor"}), "lpanel:panel=16");
  EXPECT_EQ(picked(op, call(64, 1), {"vendor", "lpanel:panel=16"}), "lpanel:panel=8");
  EXPECT_EQ(picked(op, call(64, 1), {"vendor", "lpanel:panel=16", "lpanel:panel=8"}), "tiny");
}

const std::set<std::string> everything{"tiny",          "cta",   "lpanel:panel=8", "lpanel:panel=16",
                                       "blocked:nb=64", "vendor"};

TEST(Choose, NothingRunnableIsANoRouteErrorWithEveryReason) {
  const FakeOp op(files);
  const auto error = error_of<NoRouteError>([&] { picked(op, call(64, 8192), everything); });
  EXPECT_NE(error.find("fake: nothing can run fake float n=64 batch=8192 on sm_90"), std::string::npos)
      << error;
  for (const auto& spelling : everything)
    EXPECT_NE(error.find(spelling + ": refused by the test"), std::string::npos) << error;
}

TEST(Choose, DtypeWithoutCandidatesHasNoRoute) {
  const FakeOp op(files);
  EXPECT_THROW(picked(op, call(64, 1, Uplo::Lower, DType::CDouble)), NoRouteError);
}

TEST(Choose, WrongNumberOfKeysThrows) {
  const FakeOp op(files);
  EXPECT_THROW(picked(op, select::Call{sm_90, DType::Float, {1, 2}}), std::invalid_argument);
}

TEST(Choose, AutoSkipsWhatCannotBeCaptured) {
  const FakeOp op(files);
  auto captured = call(512, 2048);
  captured.capturing = true;
  EXPECT_EQ(picked(op, captured), "vendor");
  EXPECT_EQ(picked(op, call(512, 2048)), "blocked:nb=64");
}

TEST(Choose, AsksEachCandidateAtMostOnce) {
  const FakeOp op(files);
  Refusing can_run{everything};
  // The error text asks once more each.
  EXPECT_THROW(select::pick(op, call(64, 8192), can_run), NoRouteError);
  EXPECT_EQ(can_run.asked, 2 * static_cast<int>(everything.size()));
}

TEST(Memo, AsksCanRunOnEveryCall) {
  const FakeOp op(files);
  Refusing can_run;
  for (int i = 1; i <= 3; ++i) {
    select::pick(op, call(64, 8192), can_run);
    EXPECT_EQ(can_run.asked, i);
  }
  can_run.refused = {"lpanel:panel=8"};
  EXPECT_EQ(select::print(select::pick(op, call(64, 8192), can_run)), "vendor");
  can_run.refused = {};
  EXPECT_EQ(select::print(select::pick(op, call(64, 8192), can_run)), "lpanel:panel=8");
}

TEST(Memo, TellsOpsDevicesDtypesAndKeysApart) {
  // One key value each, so that only the part under test differs.
  const Files other{{"fake.sm_90.txt", header("sm_90") + "dtype=float uplo=L n=64 batch=8192 | tiny 1\n"
                                                         "dtype=double uplo=L n=64 batch=8192 | cta 1\n"},
                    {"fake.cpu.txt", header("cpu") + "dtype=float uplo=L n=64 batch=8192 | vendor 1\n"}};
  for (int round = 0; round < 2; ++round) {
    const FakeOp a(files), b(other);
    EXPECT_EQ(picked(a, call(64, 8192)), "lpanel:panel=8");
    EXPECT_EQ(picked(b, call(64, 8192)), "tiny");
    EXPECT_EQ(picked(b, call(64, 8192, Uplo::Lower, DType::Double)), "cta");
    EXPECT_EQ(picked(b, call(64, 8192, Uplo::Lower, DType::Float, cpu())), "vendor");
    EXPECT_EQ(picked(a, call(64, 8192, Uplo::Upper)), "cta");
  }
}

// The memo's hash keeps calls apart nearly always; these make so many that its slots are shared by calls that
// differ in one part only.
TEST(Memo, ChecksTheOpWhereSlotsCollide) {
  const Files tiny{{"fake.sm_90.txt", header("sm_90") + "dtype=float uplo=L n=64 batch=8192 | tiny 1\n"}};
  for (int i = 0; i < 4000; ++i) {
    const bool other = i % 3 == 0;
    const FakeOp op(other ? tiny : files);
    ASSERT_EQ(picked(op, call(64, 8192)), other ? "tiny" : "lpanel:panel=8");
  }
}

TEST(Memo, ChecksTheSettingsWhereSlotsCollide) {
  const FakeOp op(files);
  const auto dir = std::filesystem::temp_directory_path() / ("batchlas_memo_" + std::to_string(::getpid()));
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "fake.sm_90.txt") << header("sm_90") << "dtype=float uplo=L n=64 batch=8192 | tiny 1\n";
  for (int i = 0; i < 2000; ++i) {
    {
      const ScopedEnvVar env("BATCHLAS_TUNED_DIR", dir.string());
      ASSERT_EQ(picked(op, call(64, 8192)), "tiny");
    }
    if (i % 3 == 0) ASSERT_EQ(picked(op, call(64, 8192)), "lpanel:panel=8");
  }
  std::filesystem::remove_all(dir);
}

TEST(Memo, ChecksDtypeAndDeviceWhereSlotsCollide) {
  const Files apart{{"fake.sm_90.txt", header("sm_90") + "dtype=float uplo=L n=64 batch=8192 | tiny 1\n"
                                                         "dtype=double uplo=L n=64 batch=8192 | cta 1\n"},
                    {"fake.cpu.txt", header("cpu") + "dtype=float uplo=L n=64 batch=8192 | vendor 1\n"}};
  const FakeOp op(apart);
  const DeviceFacts host = cpu();
  for (int n = 1; n < 20000; ++n) {
    ASSERT_EQ(picked(op, call(n, 8192)), "tiny");
    ASSERT_EQ(picked(op, call(n, 8192, Uplo::Lower, DType::Double)), "cta");
    ASSERT_EQ(picked(op, call(n, 8192, Uplo::Lower, DType::Float, host)), "vendor");
  }
}

TEST(Memo, SurvivesACanRunThatChoosesAnotherOp) {
  const FakeOp outer(files), inner(files);
  const auto nested = [&](const Choice&) -> select::Refusal {
    for (int n = 1; n < 3000; ++n) picked(inner, call(n, 8192));  // every slot of the memo is replaced
    return nullptr;
  };
  EXPECT_EQ(select::print(select::pick(outer, call(64, 8192), nested)), "lpanel:panel=8");
}

TEST(Run, LaunchesWhatPickSaysAndReturnsItsValue) {
  const FakeOp op(files);
  const auto launched =
      select::run(op, call(64, 8192), Refusing{}, [](const Choice& choice) { return select::print(choice); });
  EXPECT_EQ(launched, picked(op, call(64, 8192)));
}

/// A device with tables of its own, of its family and of another, so that orders are long.
struct Random : ::testing::Test {
  Random() {
    std::mt19937 random(7);
    std::map<std::string, std::string> texts;
    for (const char* device : {"sm_90", "sm_80", "gfx90a"}) {
      std::string text = header(device);
      for (int n : {4, 8, 16, 64, 256})
        for (int batch : {1, 100, 10000})
          for (const char* uplo : {"L", "U"}) {
            Strings spellings(everything.begin(), everything.end());
            std::shuffle(spellings.begin(), spellings.end(), random);
            spellings.resize(1 + random() % 4);
            text += "dtype=float uplo=" + std::string(uplo) + " n=" + std::to_string(n) +
                    " batch=" + std::to_string(batch);
            for (const auto& spelling : spellings) text += " | " + spelling + " 1";
            text += '\n';
          }
      texts["fake." + std::string(device) + ".txt"] = text;
    }
    files_ = std::make_unique<Files>(std::initializer_list<std::pair<const std::string, std::string>>{
        *texts.begin(), *std::next(texts.begin()), *std::next(texts.begin(), 2)});
    op_ = std::make_unique<FakeOp>(*files_);
  }

  select::Call any_call() {
    return call(1 + random_() % 400, 1 + random_() % 20000, random_() % 2 ? Uplo::Upper : Uplo::Lower);
  }
  std::set<std::string> any_refusals() {
    std::set<std::string> refused;
    for (const auto& spelling : everything)
      if (random_() % 3 == 0) refused.insert(spelling);
    return refused;
  }

  std::mt19937 random_{11};
  std::unique_ptr<Files> files_;
  std::unique_ptr<FakeOp> op_;
};

TEST_F(Random, NeverChoosesARefusedCandidate) {
  for (int i = 0; i < 2000; ++i) {
    const auto c = any_call();
    const auto refused = any_refusals();
    if (refused.size() == everything.size()) continue;
    EXPECT_FALSE(refused.contains(picked(*op_, c, refused)));
  }
}

TEST_F(Random, ExplainListsTheOrderInWhichChooseTries) {
  for (int i = 0; i < 1000; ++i) {
    const auto c = any_call();
    const auto refused = any_refusals();
    const auto explained = select::explain(*op_, c, Refusing{refused});
    ASSERT_EQ(explained.candidates.size(), everything.size());

    // Refusing each choice in turn makes choose() name the next: this must be the explained order.
    auto gone = refused;
    for (const auto& candidate : explained.candidates) {
      EXPECT_EQ(candidate.refusal.empty(), !refused.contains(candidate.spelling));
      if (refused.contains(candidate.spelling)) continue;
      EXPECT_EQ(candidate.chosen, gone.size() == refused.size());
      EXPECT_EQ(picked(*op_, c, gone), candidate.spelling);
      gone.insert(candidate.spelling);
    }
    EXPECT_THROW(picked(*op_, c, gone), NoRouteError);
  }
}

TEST(Explain, SaysWhyAndFromWhere) {
  const FakeOp op(files);
  const auto e = select::explain(op, call(64, 4096), Refusing{{"lpanel:panel=8"}});
  EXPECT_EQ(e.choice, "vendor");
  EXPECT_EQ(e.pin, "auto");
  EXPECT_EQ(e.tag, "sm_90");
  EXPECT_EQ(e.row, "uplo=L n=64 batch=8192");
  EXPECT_EQ(e.row_from, "fake.sm_90.txt:4");
  EXPECT_DOUBLE_EQ(e.distance, 1);
  ASSERT_EQ(e.candidates.size(), 6u);
  EXPECT_EQ(e.candidates[0].spelling, "lpanel:panel=8");
  EXPECT_EQ(e.candidates[0].refusal, "refused by the test");
  EXPECT_EQ(e.candidates[1].ms, 0.490);
  EXPECT_TRUE(e.candidates[1].chosen);
  EXPECT_EQ(e.candidates[3].from, "last resort");

  const std::string text = to_text(e);
  for (const char* part :
       {"fake float uplo=L n=64 batch=4096 on sm_90, pin auto", "row uplo=L n=64 batch=8192",
        "   1 lpanel:panel=8 0.302 ms [sm_90] refused: refused by the test", "-> 2 vendor 0.49 ms [sm_90]",
        "choice vendor [sm_90]"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Explain, ShowsThePinAndWhatItWouldThrow) {
  const FakeOp op(files);
  Messages messages;
  const select::ScopedPin pin("fake", "cta");
  EXPECT_EQ(select::explain(op, call(64, 8192), Refusing{}).choice, "cta");
  EXPECT_EQ(select::explain(op, call(64, 8192), Refusing{}).pin, "cta (pin)");
  const auto refused = select::explain(op, call(64, 8192), Refusing{{"cta"}});
  EXPECT_EQ(refused.choice, "");
  EXPECT_NE(refused.error.find("refused by the test"), std::string::npos);
  const select::ScopedPin vendor("fake", "vendor");
  EXPECT_EQ(select::explain(op, call(64, 8192), Refusing{{"vendor"}}).choice, "lpanel:panel=8");
  EXPECT_TRUE(messages.lines.empty());  // explaining is no call: it warns of nothing
}

}  // namespace
}  // namespace batchlas::testing
