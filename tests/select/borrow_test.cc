// Whose table is used: borrow order, other SKUs, overlays, and that each warns once.
#include "select/borrow.hh"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "select/table_store.hh"
#include "synthetic_op.hh"

namespace batchlas::testing {
namespace {

std::vector<std::string> order_for(const DeviceFacts& device, const std::vector<std::string>& keys) {
  std::vector<select::DeviceKey> tables;
  for (const auto& key : keys) tables.push_back(select::read_device_key(key));
  std::vector<std::string> order;
  for (const std::size_t i : select::borrow_order(device, tables)) order.push_back(keys[i]);
  return order;
}

using Strings = std::vector<std::string>;

TEST(BorrowOrder, OwnThenNearestBelowThenAboveThenOtherFamilies) {
  const Strings keys{"cpu",   "gfx90a", "gfx942", "intel_12", "sm_120",
                     "sm_80", "sm_86",  "sm_89",  "sm_90",    "sm_100"};
  EXPECT_EQ(order_for(gpu("sm_89", 89), keys), (Strings{"sm_89", "sm_86", "sm_80", "sm_90", "sm_100",
                                                        "sm_120", "gfx942", "gfx90a", "intel_12"}));
  EXPECT_EQ(order_for(gpu("sm_75", 75), keys).front(), "sm_80");
  DeviceFacts amd = gpu("gfx90a", 90);
  amd.family = "gfx";
  EXPECT_EQ(order_for(amd, keys), (Strings{"gfx90a", "gfx942", "sm_120", "sm_100", "sm_90", "sm_89", "sm_86",
                                           "sm_80", "intel_12"}));
}

TEST(BorrowOrder, NeverCrossesBetweenCpuAndGpu) {
  EXPECT_EQ(order_for(cpu(), {"sm_90", "gfx90a"}), Strings{});
  EXPECT_EQ(order_for(cpu(), {"sm_90", "cpu"}), Strings{"cpu"});
  EXPECT_EQ(order_for(gpu(), {"cpu"}), Strings{});
}

RC_GTEST_PROP(BorrowOrder, IsTotalAndIndependentOfListOrder, ()) {
  static const Strings pool{"cpu",      "gfx90a", "gfx908", "gfx942", "gfx90b", "intel_12",
                            "intel_13", "sm_70",  "sm_75",  "sm_80",  "sm_86",  "sm_89",
                            "sm_90",    "sm_90a", "sm_120", "other_1"};
  const auto keys = *rc::gen::unique<Strings>(rc::gen::elementOf(pool));
  const auto mine = select::read_device_key(*rc::gen::elementOf(pool));
  DeviceFacts device = gpu(mine.key, mine.number);
  device.family = mine.family;
  device.is_gpu = mine.family != "cpu";

  const auto order = order_for(device, keys);
  Strings shuffled(keys.rbegin(), keys.rend());
  RC_ASSERT(order_for(device, shuffled) == order);  // total: no tie is left to the order of files
  const auto usable =
      std::count_if(keys.begin(), keys.end(), [&](const auto& k) { return (k == "cpu") != device.is_gpu; });
  RC_ASSERT(static_cast<std::ptrdiff_t>(order.size()) == usable);  // and nobody usable is forgotten
  if (std::find(order.begin(), order.end(), device.key) != order.end())
    RC_ASSERT(order.front() == device.key);
}

std::string table(std::string_view device, std::string_view winner, std::string_view sku = "") {
  return header(device, "fake", sku) + "dtype=float uplo=L n=64 batch=128 | " + std::string(winner) +
         " 1.0\n";
}

TEST(Borrowing, UsesTheNearestTableAndWarnsOnce) {
  const Files files{{"fake.sm_89.txt", table("sm_89", "cta")}, {"fake.sm_120.txt", table("sm_120", "tiny")}};
  const FakeOp op(files);
  Messages messages;
  const DeviceFacts device = gpu("sm_100", 100);
  EXPECT_EQ(picked(op, call(64, 128, Uplo::Lower, DType::Float, device)), "cta");
  EXPECT_EQ(picked(op, call(65, 128, Uplo::Lower, DType::Float, device)), "cta");
  EXPECT_EQ(picked(op, call(64, 128, Uplo::Lower, DType::Float, gpu("sm_75", 75))), "cta");
  EXPECT_EQ(messages.lines,
            Strings{"batchlas: fake has no float table for sm_100; borrowing sm_89 (run tools/tune to "
                    "tune this device)"});
}

TEST(Borrowing, ContinuesWithTheNextTableWhereARowIsRefused) {
  const Files files{{"fake.sm_89.txt", table("sm_89", "cta")}, {"fake.sm_90.txt", table("sm_90", "tiny")}};
  const FakeOp op(files);
  Messages messages;
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
  EXPECT_EQ(picked(op, call(64, 128), {"tiny"}), "cta");
  EXPECT_EQ(picked(op, call(64, 128), {"tiny", "cta"}), "blocked:nb=64");
  EXPECT_TRUE(messages.lines.empty());  // the device has a table
}

TEST(Borrowing, OneTableADtype) {
  const Files files{{"fake.sm_90.txt", header("sm_90") + "dtype=double uplo=L n=1 batch=1 | cta 1\n"},
                    {"fake.sm_89.txt", table("sm_89", "tiny")}};
  const FakeOp op(files);
  Messages messages;
  EXPECT_EQ(picked(op, call(64, 128, Uplo::Lower, DType::Double)), "cta");
  EXPECT_TRUE(messages.lines.empty());
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
  EXPECT_EQ(messages.lines.size(), 1u);
}

TEST(Sku, AnotherMachineIsABorrowWithOneWarning) {
  const Files files{{"fake.sm_90.txt", table("sm_90", "cta", "# sku name=NVIDIA H200 sms=132")}};
  const FakeOp op(files);
  Messages messages;
  DeviceFacts device = gpu();
  device.name = "NVIDIA H100 PCIe";
  device.multiprocessors = 114;
  const auto c = call(64, 128, Uplo::Lower, DType::Float, device);
  EXPECT_EQ(picked(op, c), "cta");
  picked(op, c);
  ASSERT_EQ(messages.lines.size(), 1u);
  for (const char* part : {"sm_90", "NVIDIA H200 (132", "NVIDIA H100 PCIe (114"})
    EXPECT_NE(messages.lines[0].find(part), std::string::npos) << messages.lines[0];
  EXPECT_EQ(select::explain(op, c, Refusing{}).tag, "sm_90 NVIDIA H200");
}

TEST(Sku, ComparesWhatBothSidesKnow) {
  const select::Sku h200{.name = "NVIDIA H200", .sms = 132};
  DeviceFacts device = gpu();
  EXPECT_FALSE(select::is_other_sku(h200, device));  // the host executor has neither
  device.multiprocessors = 132;
  EXPECT_FALSE(select::is_other_sku(h200, device));
  device.name = "NVIDIA H200 NVL";
  EXPECT_TRUE(select::is_other_sku(h200, device));
  device.name = "NVIDIA H200";
  EXPECT_FALSE(select::is_other_sku(h200, device));
  device.multiprocessors = 114;
  EXPECT_TRUE(select::is_other_sku(h200, device));
  DeviceFacts avx2 = cpu();
  avx2.simd_bytes = 32;
  EXPECT_TRUE(select::is_other_sku({.name = "", .simd_bytes = 64}, avx2));
}

/// A directory with table files, removed at the end.
struct TunedDir {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("batchlas_tuned_" + std::to_string(::getpid()));
  explicit TunedDir(const std::string& text, const std::string& file = "fake.sm_90.txt") {
    std::filesystem::create_directories(path);
    std::ofstream(path / file) << text;
  }
  ~TunedDir() { std::filesystem::remove_all(path); }
};

TEST(Overlay, ReplacesRowsOfTheSameKeyAndAddsOthers) {
  const Files files{{"fake.sm_90.txt", header("sm_90", "fake", "# sku name=NVIDIA H200") +
                                           "dtype=float uplo=L n=64 batch=128 | cta 1 | tiny 2\n"
                                           "dtype=float uplo=L n=512 batch=128 | vendor 1.0\n"}};
  const FakeOp op(files);
  const TunedDir dir(header("sm_90") +
                     "dtype=float uplo=L n=64 batch=128 | tiny 1\n"
                     "dtype=float uplo=L n=2048 batch=128 | lpanel:panel=8 1\n");
  EXPECT_EQ(picked(op, call(64, 128)), "cta");
  {
    const ScopedEnvVar env("BATCHLAS_TUNED_DIR", dir.path.string());
    EXPECT_EQ(picked(op, call(64, 128)), "tiny");
    EXPECT_EQ(picked(op, call(64, 128), {"tiny"}), "blocked:nb=64");  // the old row is gone, not merged into
    EXPECT_EQ(op.tables().current(*select::settings())->load(0)[0].rows().size(), 3u);  // each key once
    EXPECT_EQ(picked(op, call(512, 128)), "vendor");
    EXPECT_EQ(picked(op, call(4096, 128)), "lpanel:panel=8");
    const auto overlaid = select::explain(op, call(64, 128), Refusing{});
    EXPECT_EQ(overlaid.tag, "override sm_90");
    EXPECT_EQ(overlaid.row_from, (dir.path / "fake.sm_90.txt").string() + ":4");
    EXPECT_EQ(select::explain(op, call(512, 128), Refusing{}).tag, "sm_90");
  }
  EXPECT_EQ(picked(op, call(64, 128)), "cta");
}

TEST(Overlay, MayTuneADeviceWithoutABuiltInTable) {
  const FakeOp op;
  const TunedDir dir(table("sm_90", "tiny"));
  const ScopedEnvVar env("BATCHLAS_TUNED_DIR", dir.path.string());
  EXPECT_EQ(picked(op, call(64, 128)), "tiny");
}

TEST(Overlay, ErrorsNameTheFileOrTheVariable) {
  const FakeOp op;
  const TunedDir dir(table("sm_90", "warp"));
  {
    const ScopedEnvVar env("BATCHLAS_TUNED_DIR", dir.path.string());
    const auto error = error_of<std::invalid_argument>([&] { picked(op, call(64, 128)); });
    EXPECT_EQ(error.find((dir.path / "fake.sm_90.txt").string() + ":4: "), 0u) << error;
  }
  const ScopedEnvVar env("BATCHLAS_TUNED_DIR", "/nonexistent");
  const auto error = error_of<std::invalid_argument>([&] { picked(op, call(64, 128)); });
  EXPECT_NE(error.find("BATCHLAS_TUNED_DIR=/nonexistent"), std::string::npos) << error;
}

}  // namespace
}  // namespace batchlas::testing
