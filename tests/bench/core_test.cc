// The benchmark's arithmetic on synthetic times: medians, races, ratios, ranks, formats.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "cell.hh"
#include "race.hh"
#include "report.hh"
#include "run_cell.hh"
#include "stats.hh"
#include "tuned_rows.hh"

namespace batchlas::bench {
namespace {

const double none = std::nan("");

TEST(Stats, SkipSamplesThatWereNotTaken) {
  EXPECT_DOUBLE_EQ(median({3, none, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(spread({1, 2, 3, 4, 5}), 1.0 / 3);
  EXPECT_TRUE(std::isnan(median({none})));
  EXPECT_DOUBLE_EQ(relative_error({2, 2, 2}), 0);
}

TEST(Stats, PairedRatioCancelsDrift) {
  // Every round runs slower than the one before, both arms alike.
  EXPECT_DOUBLE_EQ(paired_ratio({2, 4, 8, 16}, {1, 2, 4, 8}), 2);
  EXPECT_DOUBLE_EQ(paired_ratio({2, 4, none}, {1, 2, 1}), 2);
}

/// A race over constant times on a clock that stands still unless told.
struct SyntheticRace {
  std::vector<double> times;
  RacePolicy policy;
  double seconds_per_sample = 0;
  std::vector<Racer> racers = {};
  std::vector<int> samples = {};

  int run() {
    racers.resize(times.size());
    samples.assign(times.size(), 0);
    double now = 0;
    return race(
        racers, policy,
        [&](std::size_t i) {
          ++samples[i];
          now += seconds_per_sample;
          return times[i];
        },
        [&] { return now; });
  }
};

TEST(Race, StopsWhereTheMediansStand) {
  SyntheticRace synthetic{.times = {1, 2}, .policy = {.min_rounds = 5, .max_rounds = 15}};
  EXPECT_EQ(synthetic.run(), 5);
}

TEST(Race, SamplesASlowArmTwice) {
  SyntheticRace synthetic{.times = {1, 3.5, 2.9}, .policy = {}};
  synthetic.run();
  EXPECT_EQ(synthetic.samples, (std::vector<int>{5, 2, 5}));
  EXPECT_EQ(finite(synthetic.racers[1].ms).size(), 2u);
}

TEST(Race, NeitherDropsTheCopyNorMeasuresByIt) {
  SyntheticRace synthetic{.times = {0.1, 1, 9}, .policy = {}};
  synthetic.racers.resize(3);
  synthetic.racers[0].reference = true;
  synthetic.racers[2].kept = true;
  synthetic.run();
  EXPECT_EQ(synthetic.samples, (std::vector<int>{5, 5, 5}));
}

TEST(Race, EndsWithItsTime) {
  SyntheticRace synthetic{.times = {1, 1}, .policy = {.seconds = 1}, .seconds_per_sample = 0.4};
  EXPECT_EQ(synthetic.run(), 2);
}

TEST(Race, RetiresAnArmThatFails) {
  SyntheticRace synthetic{.times = {1, none}, .policy = {}};
  synthetic.run();
  EXPECT_EQ(synthetic.samples, (std::vector<int>{5, 1}));
}

const std::vector<std::string> listed{"tiny", "lanes", "blocked", "vendor"};

std::vector<std::string> ranked(std::vector<TimedCandidate> timed) {
  std::vector<std::string> order;
  for (const TimedCandidate& candidate : rank(std::move(timed), listed)) order.push_back(candidate.spelling);
  return order;
}

TEST(Rank, FastestFirst) {
  EXPECT_EQ(ranked({{"vendor", 1}, {"tiny", 3}, {"lanes", 2}}),
            (std::vector<std::string>{"vendor", "lanes", "tiny"}));
}

TEST(Rank, TiesOfThreePercentKeepTheListsOrder) {
  EXPECT_EQ(ranked({{"vendor", 1.00}, {"blocked", 1.029}, {"tiny", 1.031}, {"lanes", 1.01}}),
            (std::vector<std::string>{"lanes", "blocked", "vendor", "tiny"}));
  // A tie is with the best, not with the neighbour.
  EXPECT_EQ(ranked({{"vendor", 1.04}, {"tiny", 1.05}, {"blocked", 1.0}}),
            (std::vector<std::string>{"blocked", "vendor", "tiny"}));
}

TEST(Rank, RefusesWhatIsNotListed) {
  EXPECT_THROW(rank({{"other", 1}}, listed), std::invalid_argument);
}

ArmResult arm(const std::string& name, ArmKind kind, double ms) {
  ArmResult result;
  result.arm = name;
  result.kind = kind;
  result.ms = ms;
  result.residual = 0.5;
  return result;
}

CellResult cell(DType dtype, const std::string& uplo, int n, int batch, std::vector<ArmResult> arms,
                int pad = 0) {
  CellResult result;
  result.cell = {.dtype = dtype,
                 .keys = {{"uplo", uplo}, {"n", std::to_string(n)}, {"batch", std::to_string(batch)}},
                 .pad = pad};
  result.arms = std::move(arms);
  return result;
}

TEST(Summarize, TakesTheFasterRivalAndPairsRounds) {
  CellResult result = cell(DType::Float, "L", 8, 1,
                           {arm("tiny", ArmKind::Candidate, none), arm("slow", ArmKind::Rival, none),
                            arm("fast", ArmKind::Rival, none), arm("copy", ArmKind::Copy, none)});
  summarize(result, {{1, 2, 3}, {8, 8, 8}, {2, 4, 6}, {0.5, 1, 1.5}}, 4e6, 8e6);
  EXPECT_FALSE(result.arms[1].is_rival);
  EXPECT_TRUE(result.arms[2].is_rival);
  EXPECT_DOUBLE_EQ(result.arms[0].ratio_rival, 2);
  EXPECT_DOUBLE_EQ(result.arms[0].ratio_copy, 2);
  EXPECT_DOUBLE_EQ(result.arms[0].gflops, 2);
  EXPECT_DOUBLE_EQ(result.arms[0].gbs, 4);
  EXPECT_TRUE(std::isnan(result.arms[3].gflops));
}

const std::vector<KeyInfo> keys{{"uplo", true, 1, {"L", "U"}}, {"n", false, 3, {}}, {"batch", false, 1, {}}};
const std::vector<std::vector<std::string>> lists(4, listed);

RunInfo run_info() {
  RunInfo info;
  info.op = "potrf";
  info.device.key = "sm_90";
  info.device.name = "NVIDIA H200";
  info.device.is_gpu = true;
  info.device.multiprocessors = 132;
  info.versions = "driver=13.0 toolkit=13.0";
  info.commit = "abc";
  info.kernels = "-";
  info.date = "2026-01-31";
  return info;
}

TEST(Table, SortsRowsAndLeavesOutWhatIsNoRow) {
  ArmResult wrong = arm("tiny", ArmKind::Candidate, 0.1);
  wrong.residual = 1e6;
  const std::vector<CellResult> cells{
      cell(DType::Double, "L", 8, 16, {arm("tiny", ArmKind::Candidate, 0.25)}),
      cell(DType::Float, "U", 8, 16, {arm("tiny", ArmKind::Candidate, 1), arm("auto", ArmKind::Auto, 1)}),
      cell(DType::Float, "L", 16, 16, {arm("vendor", ArmKind::Candidate, 2), wrong}),
      cell(DType::Float, "L", 8, 16, {arm("tiny", ArmKind::Candidate, 1)}, 3),
      cell(DType::Float, "L", 9, 16, {arm("tiny", ArmKind::Candidate, none)})};
  EXPECT_EQ(table_text(run_info(), keys, lists, cells),
            "# op=potrf device=sm_90 batchlas=abc kernels=- date=2026-01-31\n"
            "# sku name=NVIDIA H200 sms=132 sub_group=1 max_work_group=1 driver=13.0 toolkit=13.0\n"
            "# source=bench tier=custom\n"
            "# keys: dtype:exact uplo:exact n:log:3 batch:log\n"
            "dtype=float   uplo=L n=16   batch=16       | vendor 2 # custom\n"
            "dtype=float   uplo=U n=8    batch=16       | tiny 1 # custom\n"
            "dtype=double  uplo=L n=8    batch=16       | tiny 0.25 # custom\n");
}

TEST(Json, ReadsWhatItWrites) {
  CellResult result = cell(DType::CFloat, "U", 8, 16,
                           {arm("tiny", ArmKind::Candidate, 1), arm("copy", ArmKind::Copy, none)}, 3);
  result.arms[0].is_auto_choice = true;
  result.arms[1].note = "a \"quoted\" reason";
  result.warnings = {"clock"};
  const std::string path = testing::TempDir() + "bench_core_test.json";
  std::ofstream(path) << run_json(run_info()) << cell_json(run_info(), result);
  const ResultFile read = read_results(path);
  std::remove(path.c_str());
  ASSERT_EQ(read.cells.size(), 1u);
  ASSERT_EQ(read.cells[0].arms.size(), 2u);
  EXPECT_EQ(read.info.device.name, "NVIDIA H200");
  EXPECT_EQ(read.cells[0].cell.text(), result.cell.text());
  EXPECT_EQ(read.cells[0].arms[1].note, result.arms[1].note);
  EXPECT_TRUE(std::isnan(read.cells[0].arms[1].ms));
  EXPECT_EQ(cell_json(read.info, read.cells[0]), cell_json(run_info(), result));
}

TEST(Json, NamesTheLineThatIsWrong) {
  const std::string path = testing::TempDir() + "bench_core_test_bad.json";
  std::ofstream(path) << run_json(run_info()) << "{\"op\":\n";
  try {
    read_results(path);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(path + ":2:"), std::string::npos) << error.what();
  }
  std::remove(path.c_str());
}

TEST(Cells, ParseListsAndRanges) {
  EXPECT_EQ(parse_numbers("4,8..10,1..9:4"), (std::vector<std::int64_t>{4, 8, 9, 10, 1, 5, 9}));
  for (const char* bad : {"", "4,,5", "x", "5..4", "1..4:0", "-1", "4 "})
    EXPECT_THROW(parse_numbers(bad), std::invalid_argument) << bad;
}

TEST(Cells, BatchWords) {
  DeviceFacts device;
  device.multiprocessors = 132;
  EXPECT_EQ(batch_of("saturated", 4 * 16 * 16, device), 262144);
  EXPECT_EQ(batch_of("saturated", 16 * 512 * 512, device), 528);
  EXPECT_EQ(batch_of("cache", 8 * 16, device), 8192);
  EXPECT_EQ(batch_of("memory", std::int64_t{4} << 30, device), 1);
  EXPECT_EQ(batch_of("17", 4, device), 17);
  EXPECT_THROW(batch_of("many", 4, device), std::invalid_argument);
}

}  // namespace
}  // namespace batchlas::bench
